//! Main text against what stands around it.

mod articles;
mod copies;
mod described;
mod headline;
mod hidden;
mod names;
mod onward;
mod threads;

use super::*;
use crate::render::{Input, Style, render};
use url::Url;

fn text(html: &str) -> (String, bool) {
    text_knowing(html, None)
}

/// The text of a page whose own data says what its article is.
fn text_knowing(html: &str, body: Option<&str>) -> (String, bool) {
    rendered(html, Said { body, ..Said::default() }, Style::Plain)
}

fn rendered(html: &str, said: Said<'_>, style: Style) -> (String, bool) {
    let tree = crate::html::parse(html);
    let content = main_content(&tree, said);
    let base = Url::parse("https://example.com/").unwrap();
    let input = Input {
        tree: &tree,
        roots: &content.roots,
        skip: &content.skip,
        base: &base,
        title: content.title,
        limit: 1 << 20,
    };
    (render(&input, style).text, content.extracted)
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
fn a_page_that_is_an_error_says_so_without_its_menus() {
    let menu: String = (0..40).map(|n| format!("<li><a href=/{n}>Section {n}</a>")).collect();
    let page = |main: &str| format!("<body><nav><ul>{menu}</ul></nav><main>{main}</main>");
    let (text, extracted) =
        self::text(&page("<h1>Page not found</h1><p>There is no page at this address.</p>"));
    assert!(text.contains("Page not found") && !text.contains("Section"), "{text}");
    assert!(!extracted);
    let bare = "<h1>404</h1><p>Page not found</p>";
    for html in
        [page(bare), format!("<body><nav><ul>{menu}</ul></nav>{bare}<footer>{menu}</footer>")]
    {
        let (text, _) = self::text(&html);
        assert_eq!(text, "404\n\nPage not found");
    }
    let (text, _) = self::text(&page("<p>Loading…</p>"));
    assert!(text.contains("Section 39"), "a page of links and nothing else: {text}");
    let (text, _) = self::text(&format!("<body><h1>All sections</h1><nav><ul>{menu}</ul></nav>"));
    assert!(text.contains("Section 39"), "links that a heading names: {text}");
}

#[test]
fn a_list_of_links_is_the_page_whatever_sentence_stands_beside_it() {
    let links: String =
        (0..100).map(|n| format!("<li><a href=/{n}>Chapter {n} of the handbook</a>")).collect();
    let nav = format!("<nav><ol>{links}</ol></nav>");
    for html in [
        format!("<main><h1>Handbook</h1><p>Choose the chapter that you want to read.</p>{nav}"),
        format!("<main><p>Choose the chapter that you want to read.</p>{nav}</main>"),
        format!("{nav}<div>© 2026 Example. All rights reserved.</div>"),
        format!("<h1>Handbook</h1>{nav}<div>Write to us where something is missing.</div>"),
        format!("<section><h1>Welcome</h1></section>{nav}"),
        format!("<section><p>Choose what you want to read.</p></section>{nav}"),
    ] {
        let (text, _) = text(&format!("<body>{html}"));
        assert!(text.contains("Chapter 99"), "{html:.60}: {text}");
    }
}

#[test]
fn links_of_the_same_words_to_different_pages_say_nothing() {
    let card = |n: u32| {
        format!(
            "<section><h3>Guide {n} to stoves</h3><p>It says how stove {n} is lit when it rains and when it is cold.</p>
            <p><a href=/{n}>Read the guide<span class=sr-only>: stove {n}</span></a></p><p>By <a href=/ada>Ada</a></p><p><a href=/maker>The maker</a></p></section>"
        )
    };
    let cards: String = (1..=5).map(card).collect();
    let (text, _) = text(&format!("<body><main><h1>Guides</h1>{cards}</main>"));
    assert!(!text.contains("Read the guide"), "{text}");
    for kept in ["Guide 5", "when it is cold", "Ada", "The maker"] {
        assert!(text.contains(kept), "{kept} in {text}");
    }
}

#[test]
fn what_sorts_a_list_is_none_of_it() {
    let product = |n: u32| {
        format!("<div class=filter-item><h3>Lamp {n} of glass and steel</h3><p>EUR {n}0</p></div>")
    };
    let products: String = (1..=8).map(product).collect();
    let (text, _) = text(&format!(
        "<body><main><h1>Lamps</h1><div class=facets><p>Colour</p><p>Brass</p></div>
        <div class=ProductSort><span>Price: low to high</span></div>{products}
        <div class=w-form-done>We have got your message.</div></main>"
    ));
    assert!(text.contains("Lamp 8"), "{text}");
    for gone in ["Brass", "low to high", "got your message"] {
        assert!(!text.contains(gone), "{gone} in {text}");
    }
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
fn a_long_text_that_is_said_twice_is_kept_once() {
    let question = "A question that somebody asks at length. ".repeat(6);
    let post = format!("<p>{question}</p>");
    let page = format!("<body><main>{post}{}<div>{post}</div></main>", paragraphs(3));
    assert_eq!(text(&page).0.matches(question.trim()).count(), 1);
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
fn an_article_that_has_a_price_is_no_product() {
    let head = "<head><meta property=og:type content=article><meta property=product:price:amount content=1></head>";
    let page = format!("{head}<body><main><h1>T</h1><p>2 May</p>{}</main>", paragraphs(9));
    let (text, _) = text(&page);
    assert!(!text.contains("2 May"), "{text}");
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
    let both =
        page("/").replace("<div class=text>", "<div><h1>The title</h1></div><div class=text>");
    assert!(text(&both).0.starts_with("The title"), "the one behind it is");
}

#[test]
fn what_names_cards_or_warns_of_a_text() {
    let card = "<div class=card-overlay><p>Words over a picture of a bridge in May.</p></div>";
    let page = format!(
        "<body><main>{}{card}<div class='x-disclaimer'><ul><li>No bank is liable for this.</ul></div></main>",
        paragraphs(9)
    );
    let (text, _) = text(&page.replace("<p>", "<div><p>").replace("</p>", "</p></div>"));
    assert!(text.contains("Words over a picture") && !text.contains("liable"), "{text}");
}
