//! Main text against what stands around it.

use super::*;
use crate::render::{Input, Style, render};
use url::Url;

fn text(html: &str) -> (String, bool) {
    text_knowing(html, None)
}

/// The text of a page whose own data says what its article is.
fn text_knowing(html: &str, body: Option<&str>) -> (String, bool) {
    let tree = crate::html::parse(html);
    let content = main_content(&tree, body);
    let base = Url::parse("https://example.com/").unwrap();
    let input = Input {
        tree: &tree,
        roots: &content.roots,
        skip: &content.skip,
        base: &base,
        title: content.title,
        limit: 1 << 20,
    };
    (render(&input, Style::Plain).text, content.extracted)
}

const PARAGRAPH: &str = "<p>A sentence that is long enough to count as prose, with commas, and with a second half that goes on.</p>";

/// Paragraphs that differ from each other.
fn paragraphs(count: usize) -> String {
    numbered(1..=count)
}

fn numbered(numbers: std::ops::RangeInclusive<usize>) -> String {
    numbers
        .map(|n| format!("<p>Paragraph {n} is long enough to count as prose, with commas, and with a second half that goes on.</p>"))
        .collect()
}

#[test]
fn an_article_among_navigation() {
    let html = format!(
        "<body><header><a href=/>Site name</a></header><nav><ul><li><a href=/a>Section A</a></ul></nav>
        <div id=wrap><h1>The headline</h1><div class=post-body>{p}<h2>Part</h2>{p}<ul><li>one point<li>two points</ul>{p}</div>
        <div class='social-share'>Share on everything</div><aside>Read this too</aside></div><footer>Copyright words</footer>",
        p = PARAGRAPH
    );
    let (text, extracted) = text(&html);
    assert!(extracted);
    assert!(text.starts_with("The headline"), "{text}");
    assert_eq!(text.matches("A sentence that").count(), 3);
    assert!(text.contains("Part") && text.contains("two points"));
    for gone in ["Site name", "Section A", "Share on", "Read this too", "Copyright"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
}

#[test]
fn a_form_around_the_page_does_not_hide_it() {
    let (text, _) =
        text(&format!("<body><form id=aspnetForm><div>{PARAGRAPH}{PARAGRAPH}</div></form>"));
    assert_eq!(text.matches("A sentence that").count(), 2);
}

#[test]
fn a_list_of_links_that_is_the_page_stays() {
    let items: String =
        (0..20).map(|n| format!("<li><a href=/{n}>Entry number {n} of the list</a>")).collect();
    let (text, _) = text(&format!("<body><main><h1>All entries</h1><ul>{items}</ul></main>"));
    assert!(text.contains("Entry number 19"), "{text}");
}

#[test]
fn a_page_with_hardly_a_word_is_shown_whole() {
    let (text, extracted) = text("<body><nav>Home</nav><p hidden>secret</p><p>Hello.</p>");
    assert!(!extracted);
    assert_eq!(text, "Home\n\nHello.");
}

#[test]
fn what_a_click_unfolds_is_part_of_the_page() {
    let (text, _) = text(&format!(
        "<main>{PARAGRAPH}<div class=faq__answer style='display: none'>The answer.</div>
        <div hidden id='S:1'>The late part.</div><div style=display:none>Never shown.</div></main>"
    ));
    assert!(
        text.contains("The answer.")
            && text.contains("The late part.")
            && !text.contains("Never shown."),
        "{text}"
    );
}

#[test]
fn styles_written_as_class_names_name_nothing() {
    let (text, _) = text(&format!(
        "<main>{PARAGRAPH}<p>See <a class='hover:[text-decoration-skip:none]' href=/x>the guide</a>.</main>"
    ));
    assert!(text.contains("See the guide."), "{text}");
}

#[test]
fn an_empty_page_is_empty() {
    assert_eq!(text(""), (String::new(), false));
}

#[test]
fn a_thread_keeps_every_post_and_loses_what_stands_around_them() {
    let post = |n: u32| {
        let long = "word ".repeat(if n == 1 { 200 } else { 20 });
        format!(
            "<article class='message message--post'><div class=message-userDetails><h4>ada{n}</h4><dl><dt>Joined<dd>2009<dt>Messages<dd>88{n}</dl></div>
            <header>Post {n}, today</header><div class=message-body>Post {n} says {long}.</div>
            <div class=reactionsBar>bob{n} likes this</div><a class=permalink>#{n}</a></article>"
        )
    };
    let posts: String = (1..=4).map(post).collect();
    let (text, _) = text(&format!("<body><h1>The question</h1><div class=posts>{posts}</div>"));
    for n in 1..=4 {
        assert!(text.contains(&format!("Post {n} says")), "{text}");
    }
    assert!(text.starts_with("The question"));
    for gone in ["Messages", "883", "likes this", "#2"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
}

#[test]
fn a_list_of_articles_is_no_thread() {
    let entry = |n: u32| {
        format!(
            "<article class=post><h2><a href=/{n}>Title {n}</a></h2><div class=reactions>Three readers</div><p>Teaser of number {n}.</p></article>"
        )
    };
    let entries: String = (1..=4).map(entry).collect();
    let (text, _) = text(&format!("<body><main><h1>The blog</h1><div>{entries}</div></main>"));
    assert!(text.contains("Title 3") && text.contains("Three readers"), "{text}");
}

#[test]
fn comments_under_an_article_are_not_the_article() {
    let comments = "<li class=comment>I like it</li>".repeat(5);
    let page = format!(
        "<body><main>{}<section class=comments-area><h2>Five thoughts</h2><ol class=comment-list>{comments}</ol></section></main>",
        paragraphs(4)
    );
    let (text, _) = text(&page);
    assert!(text.contains("Paragraph 4") && !text.contains("I like it"), "{text}");
}

#[test]
fn a_remark_named_comment_is_text() {
    let page =
        format!("<body><main>{}<ul><li class=list-comments>12 pages</ul></main>", paragraphs(4));
    assert!(text(&page).0.contains("12 pages"));
}

#[test]
fn sections_that_lead_on_are_left_out_and_those_after_them_kept() {
    let page = format!(
        "<body><main><h1>T</h1>{}<div><div><h3>You may also like</h3></div><p>Another thing</p></div><h2>Sources</h2><p>A book.</p>
        <h2>Related articles</h2><p>Elsewhere</p><ul><li>More</li></ul></main>",
        paragraphs(4)
    );
    let (text, _) = text(&page);
    assert!(text.contains("Sources") && text.contains("A book."), "{text}");
    for gone in ["You may", "Another thing", "Related", "Elsewhere", "More"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
}

#[test]
fn a_page_about_what_others_also_read_is_kept() {
    let page = format!("<body><main><h2>Related work</h2>{}</main>", paragraphs(20));
    assert!(text(&page).0.contains("Paragraph 20"));
}

#[test]
fn a_section_that_is_much_of_the_page_is_its_matter_whatever_its_heading_says() {
    let prose = format!("<body><main>{}<h2>Related work</h2>", paragraphs(20));
    let section = paragraphs(15).replace("Paragraph", "Study");
    let (kept, _) = text(&format!("{prose}{section}</main>"));
    assert!(kept.contains("Study 15"), "prose is no teaser: {kept}");
    let items: String = (1..=40).map(|n| format!("<li>Tool number {n} of the list")).collect();
    let list = format!("{}<h2>Recommended</h2><ul>{items}</ul>", paragraphs(4));
    let (kept, _) = text(&format!("<body><main>{list}</main>"));
    assert!(kept.contains("Tool number 40"), "{kept}");
}

#[test]
fn a_few_comments_make_no_thread_of_a_page() {
    let posts = "<div class=post>A remark.</div>".repeat(3);
    let score = "<p class=score>The score was three goals to two.</p>";
    let (kept, _) =
        text(&format!("<body><main>{}{score}<div>{posts}</div></main>", paragraphs(20)));
    assert!(kept.contains("three goals"), "{kept}");
}

#[test]
fn cards_inside_an_article_are_left_out_but_are_the_text_of_a_list() {
    let card = |n: u32| {
        format!("<div><h3><a href=/{n}>Other story {n}</a></h3><p>What it is about.</p></div>")
    };
    let cards: String = (1..=4).map(card).collect();
    let (article, _) = text(&format!(
        "<body><main><h1>T</h1>{}<div>{cards}</div>{}</main>",
        paragraphs(20),
        "<p>The last paragraph of this article comes after the cards and is text like any other.</p>"
    ));
    assert!(
        article.contains("The last paragraph") && !article.contains("Other story"),
        "{article}"
    );
    let (list, _) = text(&format!("<body><main><h1>T</h1><div>{cards}</div></main>"));
    assert!(list.contains("Other story 4"), "{list}");
}

#[test]
fn what_is_said_twice_for_two_widths_is_kept_once() {
    let part = paragraphs(3);
    let (text, _) =
        text(&format!("<body><main><div>{part}</div><div class=mobile>{part}</div></main>"));
    assert_eq!(text.matches("Paragraph 2").count(), 1, "{text}");
}

#[test]
fn entries_of_a_list_may_have_a_text_in_common() {
    let entry = |n: u32| format!("<div><h3>Model {n}</h3>{PARAGRAPH}</div>");
    let entries: String = (1..=3).map(entry).collect();
    let (text, _) = text(&format!("<body><main>{entries}</main>"));
    assert_eq!(text.matches("A sentence that").count(), 3, "{text}");
}

const PRODUCT: &str =
    r#"<script type="application/ld+json">{"@type":"Product","name":"Lamp"}</script>"#;

#[test]
fn a_product_page_is_what_the_shop_says() {
    let review = "<div class=review><p>I bought this lamp in May and it has lit my desk ever since, says a buyer.</p></div>".repeat(8);
    let page = format!(
        "<head>{PRODUCT}</head><body><main><div><h1>Lamp</h1><p>€ 40</p></div><div class=description>{}</div><p>€ 40</p>
        <div id=customer-reviews>{review}</div></main>",
        paragraphs(6)
    );
    let (text, _) = text(&page);
    assert!(text.starts_with("Lamp") && text.contains("Paragraph 6"), "{text}");
    assert_eq!(text.matches("€ 40").count(), 1, "{text}");
    assert!(!text.contains("I bought"), "{text}");
}

#[test]
fn a_link_dressed_as_a_button_is_no_text() {
    let page = format!(
        "<body><main>{}<p><a class='btn btn-primary' href=/buy>Get started</a> and read what the makers say of it in <a href=/more>more of it</a>.</p></main>",
        paragraphs(4)
    );
    let (text, _) = text(&page);
    assert!(!text.contains("Get started") && text.contains("more of it"), "{text}");
}

#[test]
fn a_heading_that_is_the_sites_name_is_no_title() {
    let page = |href: &str| {
        format!(
            "<body><div><h1><a href='{href}'>Some heading</a></h1></div><div class=text><h2>The article</h2>{}</div>",
            paragraphs(9)
        )
    };
    assert!(text(&page("https://example.com/")).0.starts_with("The article"));
    assert!(text(&page("/")).0.starts_with("The article"));
    assert!(text(&page("/articles/1")).0.starts_with("Some heading"));
}

#[track_caller]
fn assert_only(text: &str, kept: &[&str], gone: &[&str]) {
    for kept in kept {
        assert!(text.contains(kept), "{kept} is lost in {text}");
    }
    for gone in gone {
        assert!(!text.contains(gone), "{gone} is still in {text}");
    }
}

#[test]
fn what_stands_before_the_first_paragraph_is_its_headline_and_lead() {
    let page = format!(
        "<body><main><div class=top><h1>The headline</h1><p>What happened, in a sentence that a reader sees just before the article begins.</p>
        <span>By Ada Lund</span></div><div class=body><p>3 May 2024</p><p>Share</p><p>It rained.</p><ul><li>one point</ul>{}</div></main>",
        paragraphs(9)
    );
    let (text, _) = text(&page);
    assert!(text.starts_with("The headline\n\nWhat happened,"), "{text}");
    assert_only(&text, &["It rained.", "one point"], &["Ada Lund", "2024", "Share"]);
}

#[test]
fn a_lead_stands_under_any_heading_when_there_is_no_title() {
    let lead =
        "<p>What happened, in a sentence that a reader sees just before the article begins.</p>";
    let page = format!("<body><h3>Head</h3>{lead}<div><div>{}</div></div>", paragraphs(9));
    assert!(text(&page).0.starts_with("What happened,"));
    let teasers =
        format!("<body><h3>Head</h3>{}<div><div>{}</div></div>", lead.repeat(4), paragraphs(40));
    assert!(text(&teasers).0.starts_with("Paragraph 1"), "so many are no lead");
}

#[test]
fn a_schedule_before_the_first_paragraph_stays() {
    let days: String =
        (1..=9).map(|n| format!("<p>Day {n}: from noon to one in the large hall</p>")).collect();
    let page = format!("<body><main><h1>Course</h1>{days}{}</main>", paragraphs(5));
    assert_only(&text(&page).0, &["Day 1", "Day 9"], &[]);
}

#[test]
fn what_stands_after_the_last_paragraph_leads_on() {
    let page = format!(
        "<body><main>{}<h2>Sources</h2><ul><li>A book about it</ul><p>So it ends.</p><p>Tags</p><h3>Elsewhere</h3><p><a href=/x>Une autre histoire</a></p>
        <p>Post views: 12</p></main>",
        paragraphs(6)
    );
    let (text, _) = text(&page);
    assert_only(
        &text,
        &["Sources", "A book about it", "So it ends."],
        &["Tags", "Elsewhere", "Une autre", "views"],
    );
}

#[test]
fn what_follows_the_element_of_the_paragraphs_is_not_the_article() {
    let about = "<div class=x1><p>Who wrote this has written for many years about bridges and lives by one of them.</p></div>";
    let page = format!("<body><main><div><div>{}</div>{about}</div></main>", paragraphs(9));
    assert_only(&text(&page).0, &["Paragraph 9"], &["lives by one"]);
    let half = format!(
        "<body><main><div>{}</div><div>{}</div></main>",
        paragraphs(9),
        paragraphs(8).replace("Paragraph", "Part")
    );
    assert_only(&text(&half).0, &["Paragraph 9", "Part 8"], &[]);
}

#[test]
fn a_box_between_paragraphs_is_something_else_unless_it_is_structured() {
    let page = format!(
        "<body><main><div>{}<div class=x9><p>Join forty thousand people who read our letter.</p></div>{}
        <div class=x8><table><tr><td>Length<td>812 m</table></div>{}</div></main>",
        paragraphs(4), numbered(5..=8), numbered(9..=12)
    );
    assert_only(&text(&page).0, &["812 m"], &["forty thousand"]);
    let wrapped = format!(
        "<body><main><div>{}</div></main>",
        paragraphs(8).replace("<p>", "<div><p>").replace("</p>", "</p></div>")
    );
    assert_only(&text(&wrapped).0, &["Paragraph 1 ", "Paragraph 8"], &[]);
}

#[test]
fn captions_are_not_the_article() {
    let page = format!(
        "<body><main>{}<figure><img src=a><figcaption>The bridge in May</figcaption></figure><p><img src=b><span class=imageCaption>Its architect</span></p>
        {}<p class=caption-s>No picture is near this sentence.</p>{}</main>",
        paragraphs(14),
        numbered(15..=35),
        numbered(36..=39)
    );
    assert_only(&text(&page).0, &["No picture is near"], &["in May", "Its architect"]);
}

#[test]
fn a_box_about_the_author_goes_and_a_staff_stays() {
    let author = |n: u32| {
        format!(
            "<section class=author><p>Person {n} has built bridges for many years and now writes about them here.</p></section>"
        )
    };
    let page = |authors: &str| {
        format!(
            "<body><main><section>{}</section>{authors}<section>{}</section></main>",
            paragraphs(6),
            paragraphs(6).replace("Paragraph", "Part")
        )
    };
    assert_only(&text(&page(&author(1))).0, &["Paragraph 6", "Part 6"], &["Person 1"]);
    let staff: String = (1..=4).map(author).collect();
    assert_only(&text(&page(&staff)).0, &["Person 1", "Person 4"], &[]);
}

#[test]
fn a_line_that_is_a_link_leads_on() {
    let page = format!(
        "<body><main>{}<p>Lire aussi: <a href=/x>Le pont qui ne voulait pas tenir debout sous le vent</a></p><p>See <a href=/y>the plans</a> of it.</p>{}</main>",
        paragraphs(4),
        numbered(5..=8)
    );
    assert_only(&text(&page).0, &["the plans"], &["Lire aussi"]);
}

#[test]
fn headings_without_a_text_go_where_others_have_one() {
    let section = |n: usize| format!("<h2>Part {n}</h2>{}", numbered(n * 2..=n * 2 + 1));
    let parts: String = (1..=4).map(section).collect();
    let page = format!(
        "<body><main>{parts}<h2>Nothing here</h2><h2>Last part</h2>{}</main>",
        numbered(20..=21)
    );
    assert_only(&text(&page).0, &["Part 4", "Last part"], &["Nothing here"]);
    let page = format!(
        "<body><main>{}<h2>One gain</h2><h2>Another gain</h2><h2>End</h2>{}</main>",
        paragraphs(2),
        numbered(3..=4)
    );
    assert_only(&text(&page).0, &["One gain", "Another gain"], &[]);
}

#[test]
fn the_pages_own_data_says_what_is_the_article() {
    let promo = "<p>Our readers get the whole archive for the price of a coffee, if they write to us this week.</p>";
    let page = format!(
        "<body><main>{}{promo}{}</main>",
        paragraphs(6),
        paragraphs(9).replace("Paragraph", "Part")
    );
    let known = crate::html::parse(&page.replace(promo, "")).flat_text_all(usize::MAX);
    assert_only(&text_knowing(&page, Some(&known)).0, &["Paragraph 1 ", "Part 9"], &["coffee"]);
    let other = "The data of this page are about something else, of which not a word stands here.";
    assert_only(&text_knowing(&page, Some(other)).0, &["Paragraph 1 ", "coffee"], &[]);
}

#[test]
fn many_comments_are_no_part_of_the_text_above_them() {
    let remark = |n: u32| {
        format!(
            "<li class=comment>Reader {n} says at some length that this is so, and has always been so, and will be.</li>"
        )
    };
    let remarks: String = (1..=60).map(remark).collect();
    for list in ["<ol class=comment-list>", "<ol>"] {
        let page = format!("<body><main>{}{list}{remarks}</ol></main>", paragraphs(16));
        assert_only(&text(&page).0, &["Paragraph 16"], &["Reader"]);
    }
    let short = format!("<body><main><h1>A question</h1><ol>{remarks}</ol></main>");
    assert_only(&text(&short).0, &["Reader 60"], &[]);
}

#[test]
fn a_question_belongs_to_its_answers() {
    let answer = |n: u32| {
        format!(
            "<div class=answer><p>{}</p></div>",
            format!("Answer {n} is given here at some length. ").repeat(9)
        )
    };
    let answers: String = (1..=6).map(answer).collect();
    let question =
        "<p>How does one know which of the two words is meant when both of them are right?</p>";
    let page =
        format!("<body><h1>Which word?</h1><div><div>{question}</div></div><div>{answers}</div>");
    assert_only(&text(&page).0, &["How does one know", "Answer 6"], &[]);
}

#[test]
fn a_name_says_nothing_where_the_prose_is() {
    let page = format!(
        "<body><div class='entry share'>{}</div><div>{}</div>",
        paragraphs(9),
        "<a href=/x>Elsewhere</a> ".repeat(200)
    );
    assert_only(&text(&page).0, &["Paragraph 9"], &[]);
    let links: String =
        (1..=150).map(|n| format!("<li><a href=/{n}>Another page {n}</a>")).collect();
    let page =
        format!("<body><div>{}</div><div class=sidebar2><ul>{links}</ul></div>", paragraphs(14));
    assert_only(&text(&page).0, &["Paragraph 14"], &["Another page"]);
}

#[test]
fn slides_that_are_text_and_buttons_that_are_headings_stay() {
    let slide = "<div class=carousel><div><p>We have built bridges for a hundred years, and each of them is still standing.</p></div></div>";
    let question = "<h3><button>Why does it sway?</button></h3><p>Because of the wind.</p><button><h3>Who pays?</h3></button>";
    let page = format!(
        "<body><main>{slide}{question}{}<button>Send</button></main>",
        "<p>Short.</p>".repeat(60)
    );
    assert_only(&text(&page).0, &["hundred years", "Why does it sway?", "Who pays?"], &["Send"]);
}

#[test]
fn a_body_that_begins_within_the_page_is_not_all_of_it() {
    let page = format!("<div><body><p>Head</p></body></div><div class=row>{}</div>", paragraphs(5));
    assert_only(&text(&page).0, &["Paragraph 5"], &[]);
}
