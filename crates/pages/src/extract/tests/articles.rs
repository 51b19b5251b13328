//! Articles against what stands around and between their paragraphs.

use super::*;

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
    let days: String = (1..=9)
        .map(|n| format!("<p>Day {n}: from noon to one in the large hall of the school</p>"))
        .collect();
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
fn a_signed_remark_is_a_sentence_and_a_name_is_none() {
    let page = |last: &str| format!("<body><main>{}<p>{last}</p></main>", paragraphs(6));
    assert_only(&text(&page("I drove over it this morning. — Dora")).0, &["this morning"], &[]);
    assert_only(&text(&page("By Dr. I. M. Lund")).0, &["Paragraph 6"], &["Lund"]);
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
fn a_box_around_the_first_paragraph_is_the_article() {
    let first = "<div class=first><p>A first paragraph that stands in a box of its own because it is to look important.</p></div>";
    let page = format!("<body><main><h1>News</h1><div>{first}{}</div></main>", paragraphs(12));
    assert_only(&text(&page).0, &["A first paragraph", "Paragraph 12"], &[]);
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
fn comments_are_no_part_of_a_short_text_that_is_an_article() {
    let remark = |n: u32| {
        format!(
            "<li class=comment>Reader {n} says at some length that this is so, and has always been so, and will be.</li>"
        )
    };
    let remarks: String = (1..=40).map(remark).collect();
    let news = paragraphs(8);
    for comments in [
        format!("<ol class=comment-list>{remarks}</ol>"),
        format!("<h2>40 Comments</h2><div>{remarks}</div>"),
    ] {
        let page = format!("<body><main><h1>The news</h1>{news}{comments}</main>");
        for is_article in [true, false] {
            let said = Said { is_article, ..Said::default() };
            let (text, _) = rendered(&page, said, Style::Plain);
            assert!(text.contains("Paragraph 8"), "{text}");
            assert_eq!(text.contains("Reader 40"), !is_article, "{text}");
        }
    }
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

#[test]
fn a_menu_above_the_headline_is_not_the_article() {
    let menu = "<ul><li>Politics<li>Sports</ul><p>Friday</p>";
    let page = format!("<body><main>{menu}<h1>The headline</h1>{}</main>", paragraphs(9));
    assert!(text(&page).0.starts_with("The headline"));
    let late = format!(
        "<body><main><ul><li>A point</ul>{}<h1>More</h1>{}</main>",
        paragraphs(4),
        numbered(5..=9)
    );
    assert_only(&text(&late).0, &["A point"], &[]);
}

#[test]
fn of_two_main_parts_the_one_with_prose_is_the_text() {
    let teasers: String = (1..=60)
        .map(|n| format!("<h3><a href=/{n}>Other story {n}</a></h3><span>In brief</span>"))
        .collect();
    let page =
        format!("<body><div role=main>{}</div><div role=main>{teasers}</div>", paragraphs(16));
    assert_only(&text(&page).0, &["Paragraph 16"], &["Other story"]);
}

#[test]
fn a_heading_tells_comments_from_a_text_about_comments() {
    let remarks = numbered(1..=40).replace("Paragraph", "Reader");
    for heading in [
        "12 Kommentare",
        "Comments",
        "3 comentarios:",
        "Leserkommentare",
        "Reader comments",
        "User Comments (60)",
    ] {
        let page =
            format!("<body><main>{}<h2>{heading}</h2><div>{remarks}</div></main>", paragraphs(16));
        assert_only(&text(&page).0, &["Paragraph 16"], &["Reader"]);
    }
    let page = format!(
        "<body><main>{}<h2>Commentary language</h2><div>{remarks}</div></main>",
        paragraphs(16)
    );
    assert_only(&text(&page).0, &["Paragraph 16", "Reader 40"], &[]);
    let question =
        format!("<body><main><p>Which one?</p><h2>3 comments</h2><div>{remarks}</div></main>");
    assert_only(&text(&question).0, &["Reader 40"], &[]);
}

#[test]
fn a_footer_is_none_of_the_text_however_long_it_is() {
    let towns = "<li>A town that we serve, with its neighbours and all who live there".repeat(60);
    let page = format!("<body><div>{}</div><footer><ul>{towns}</ul></footer>", paragraphs(9));
    assert_only(&text(&page).0, &["Paragraph 9"], &["A town"]);
}

#[test]
fn slides_that_show_reviews_are_reviews() {
    let slides = "<div class='reviews carousel'><p>I bought this lamp in May and it has lit my desk ever since, says a buyer.</p></div>";
    let page = format!("<body><main>{slides}{}</main>", paragraphs(9));
    assert_only(&text(&page).0, &["Paragraph 9"], &["I bought"]);
}

#[test]
fn who_made_a_picture_is_no_part_of_the_article() {
    let page = format!(
        "<body><main>{}<p>Photo: Ada Lund</p><p>(Bild: Bea Lund)</p><p>Image credit: Cis Lund.</p><p>© Dora Lund / Pictures</p>
        <p>What the photo shows: a bridge</p><p>Source: Eva Lund</p><ul><li>Photo: a camera</ul>{}</main>",
        paragraphs(6),
        numbered(7..=12)
    );
    assert_only(
        &text(&page).0,
        &["What the photo shows", "Eva Lund", "a camera", "Paragraph 12"],
        &["Ada Lund", "Bea Lund", "Cis Lund", "Dora Lund"],
    );
}

#[test]
fn what_has_credits_and_names_nobody_is_said_in_the_article() {
    let page = format!(
        "<body><main>{}<p>Credits: 15</p><p>Credit: 30 % deposit</p><p>Photo: none yet</p>{}
        <p><img src=a.png></p><p>Foto: dpa</p>{}</main>",
        paragraphs(6),
        numbered(7..=12),
        numbered(13..=15)
    );
    let kept = ["Credits: 15", "30 % deposit", "none yet", "Paragraph 15"];
    assert_only(&text(&page).0, &kept, &["dpa"]);
}

#[test]
fn a_label_that_leads_on_goes_with_what_it_begins() {
    let page = format!(
        "<body><main>{}<p>Auch interessant:</p>{}<section><p>Most read</p><ul><li>Another bridge<li>A ferry</ul></section>{}
        <p>More in number than ever.</p><ul><li>Related</ul>{}</main>",
        paragraphs(4), numbered(5..=8), numbered(9..=12), numbered(13..=16)
    );
    assert_only(
        &text(&page).0,
        &["Paragraph 5 ", "Paragraph 9 ", "More in number", "Related", "Paragraph 16"],
        &["interessant", "Most read", "Another bridge", "A ferry"],
    );
    let list =
        "<body><main><div><p>Most read</p><ul><li>Another bridge<li>A ferry</ul></div></main>";
    assert_only(&text(list).0, &["Most read", "A ferry"], &[]);
}

#[test]
fn what_is_named_after_the_writing_of_a_text_is_no_part_of_it() {
    let page = format!(
        "<body><main><h1>The headline</h1><div class=entry-meta>Ada Lund wrote this in May. It was changed since.</div>
        {}<p class=storyTags>Bridges and what they cost, and ferries.</p>{}<p class=has-post-tags>So it ends.</p></main>",
        paragraphs(4), numbered(5..=9)
    );
    assert_only(
        &text(&page).0,
        &["The headline", "Paragraph 1 ", "Paragraph 9", "So it ends."],
        &["Ada Lund", "what they cost"],
    );
}

#[test]
fn the_times_of_entries_are_no_writing_of_the_text() {
    let entries: String = (1..=9)
        .map(|n| {
            format!("<p class=post-date>{n} past noon, when it rained.</p>{}", numbered(n..=n))
        })
        .collect();
    let page = format!("<body><main><h1>The match</h1>{entries}</main>");
    assert_only(&text(&page).0, &["1 past noon", "9 past noon"], &[]);
}

#[test]
fn a_headline_in_a_box_beside_the_paragraphs_is_kept_without_the_rest_of_the_box() {
    let top = "<div class=top><div><span>Trains</span><h1>The headline</h1></div><span>Three minutes</span></div>";
    let html = format!("<body><main>{top}{}</main>", paragraphs(8));
    let (markdown, extracted) = rendered(&html, Said::default(), Style::Markdown);
    assert!(extracted && markdown.starts_with("# The headline\n"), "{markdown}");
    assert!(!markdown.contains("Trains") && !markdown.contains("Three minutes"), "{markdown}");
    let (text, _) = text(&html);
    assert!(text.starts_with("The headline\n\nParagraph 1 "), "{text}");
}

#[test]
fn a_question_behind_the_last_paragraph_is_put_to_the_reader() {
    let page = |last: &str| {
        text(&format!("<body><main><h1>T</h1>{}<p>{last}</p></main>", paragraphs(9))).0
    };
    assert!(!page("Was this of use to you?").contains("of use"));
    assert!(page("So it ended.").contains("So it ended."));
}
