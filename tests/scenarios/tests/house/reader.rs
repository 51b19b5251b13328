//! The built reader on pages as they should not be, and as they are.

use quarry_scenarios::quarry::running_elsewhere;
use quarry_scenarios::reader::Reader;
use quarry_scenarios::sites::{Site, Sites};
use serde_json::{Value, json};

const HTML: &str = "text/html";
const HTML_HEAD: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/html";

fn paragraphs(count: usize) -> String {
    (1..=count)
        .map(|n| format!("<p>Paragraph {n} is long enough to count as prose, with commas, and with a second half that goes on.</p>"))
        .collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(bytes).unwrap();
    packer.finish().unwrap()
}

async fn start(sites: impl IntoIterator<Item = (&'static str, Site)>) -> (Sites, Reader) {
    let sites = Sites::start(sites).await.unwrap();
    let allowed = ("web_allowed_hosts", sites.address().to_string());
    let reader = Reader::start(&[allowed]).await.unwrap();
    (sites, reader)
}

fn text(page: &Value) -> &str {
    page["text"].as_str().unwrap_or_else(|| panic!("{page} has no text"))
}

/// Nothing that was read took the reader down.
async fn still_reads(sites: &Sites, reader: &Reader) {
    let page = reader.read(&sites.url("/ordinary")).await.unwrap().unwrap();
    assert!(text(&page).contains("Paragraph 3"));
    assert!(!reader.output().contains("instance ended"), "{}", reader.output());
}

fn ordinary() -> (&'static str, Site) {
    ("/ordinary", Site::page(HTML, format!("<title>Ordinary</title>{}", paragraphs(3))))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_made_to_be_expensive_end_in_text_or_an_error() {
    if running_elsewhere().is_some() {
        return;
    }
    let bomb = gzip(format!("<p>bomb {}", " ".repeat(64 << 20)).as_bytes());
    assert!(bomb.len() * 500 < 64 << 20, "the bomb is too weak to tell anything");
    let packed = format!("{HTML_HEAD}\r\ncontent-encoding: gzip");
    let heading = |level| format!("{} {}\n\n", "#".repeat(level), "h".repeat(500));
    let deep: String = (1..=5).map(heading).collect();
    let (sites, reader) = start([
        ordinary(),
        ("/lists", Site::page(HTML, "<ul><li>".repeat(64 << 10))),
        ("/divs", Site::page(HTML, "<div>".repeat(200 << 10) + "deep down")),
        ("/soup", Site::page(HTML, "<b><i><a href=x><table><tr><td>x</p>".repeat(50_000))),
        (
            "/headings",
            Site::page(HTML, "<div><h2>Related</h2><h3>You may also like</h3>".repeat(40_000)),
        ),
        (
            "/cards",
            Site::page(HTML, "<div><div class=post><h3><a href=/x>t</a></h3></div>".repeat(30_000)),
        ),
        (
            "/names",
            Site::page(HTML, "<p class='post comment user-info reviews btn'>x".repeat(40_000)),
        ),
        (
            "/attribute",
            Site::page(HTML, format!("<p>before<a href=\"{}\">x</a>", "a".repeat(10 << 20))),
        ),
        (
            "/state",
            Site::page(
                HTML,
                format!("<script type=application/json>{}</script>", "[".repeat(900_000)),
            ),
        ),
        ("/bomb", Site::Whole(packed, bomb)),
        ("/feed", Site::page("application/rss+xml", "<rss><channel><item><title>".repeat(80_000))),
        ("/json", Site::page("application/json", "[".repeat(2 << 20))),
        ("/passages", Site::page("text/markdown", deep + &"###### a\n\nb\n\n".repeat(80_000))),
    ])
    .await;
    for path in ["/lists", "/soup", "/headings", "/cards", "/names", "/state", "/feed", "/json"] {
        let result = reader.read(&sites.url(path)).await.unwrap();
        let bounded = result
            .as_ref()
            .map_or(true, |page| page["markdown"].as_str().unwrap().len() <= (1 << 20) + 16);
        assert!(bounded, "{path}");
    }
    let deep = reader.read(&sites.url("/divs")).await.unwrap().unwrap();
    assert_eq!(text(&deep), "deep down");
    let attribute = reader.read(&sites.url("/attribute")).await.unwrap().unwrap();
    assert_eq!((text(&attribute), &attribute["truncated"]), ("before", &json!(true)));
    let bomb = reader.read(&sites.url("/bomb")).await.unwrap().unwrap();
    assert_eq!((text(&bomb), &bomb["truncated"]), ("bomb", &json!(true)));
    let passages = reader.read(&sites.url("/passages")).await.unwrap().unwrap();
    assert!(passages["passages"].to_string().len() < 8 << 20, "each has all its headings");
    still_reads(&sites, &reader).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn servers_that_do_not_end_are_left() {
    if running_elsewhere().is_some() {
        return;
    }
    let (sites, reader) = start([
        ordinary(),
        ("/endless", Site::Endless(HTML_HEAD.into(), paragraphs(100).into_bytes())),
        ("/dripping", Site::Dripping(HTML_HEAD.into(), b'x')),
        ("/silent", Site::Silent),
        ("/here", Site::redirect("/there")),
        ("/there", Site::redirect("/here")),
        ("/1", Site::redirect("/2")),
        ("/2", Site::redirect("/3")),
        ("/3", Site::redirect("/4")),
        ("/4", Site::redirect("/5")),
        ("/5", Site::redirect("/6")),
        ("/6", Site::redirect("/ordinary")),
        ("/nowhere", Site::redirect("")),
    ])
    .await;
    let endless = reader.read(&sites.url("/endless")).await.unwrap().unwrap();
    assert_eq!(endless["truncated"], true);
    assert!(text(&endless).contains("Paragraph 99"));
    // What came until the time was over counts.
    let dripping = reader.read_within(&sites.url("/dripping"), 3).await.unwrap().unwrap();
    assert!(text(&dripping).starts_with('x') && dripping["truncated"] == true, "{dripping}");
    let silent = reader.read_within(&sites.url("/silent"), 1).await.unwrap().unwrap_err();
    assert_eq!(silent, "Timeout");
    for path in ["/here", "/1"] {
        let error = reader.read(&sites.url(path)).await.unwrap().unwrap_err();
        assert_eq!(error, "TooManyRedirects", "{path}");
    }
    let after_one = reader.read(&sites.url("/2")).await.unwrap().unwrap();
    assert_eq!(after_one["url"], sites.url("/ordinary"));
    assert!(reader.read(&sites.url("/nowhere")).await.unwrap().is_err());
    still_reads(&sites, &reader).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_is_there_to_lead_elsewhere_is_followed() {
    if running_elsewhere().is_some() {
        return;
    }
    let refresh = |to: &str| {
        Site::page(HTML, format!("<meta http-equiv=refresh content='0; url={to}'>One moment."))
    };
    let (sites, reader) =
        start([ordinary(), ("/old", refresh("/ordinary")), ("/circle", refresh("/circle"))]).await;
    let page = reader.read(&sites.url("/old")).await.unwrap().unwrap();
    assert_eq!(page["url"], sites.url("/ordinary"));
    assert!(text(&page).contains("Paragraph 3"));
    let circle = reader.read(&sites.url("/circle")).await.unwrap().unwrap();
    assert_eq!(text(&circle), "One moment.");
    still_reads(&sites, &reader).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bytes_are_read_as_what_they_are() {
    if running_elsewhere().is_some() {
        return;
    }
    let utf16 = |text: &str, mark: bool| -> Vec<u8> {
        let mark = mark.then_some(0xFEFF);
        mark.into_iter().chain(text.encode_utf16()).flat_map(u16::to_be_bytes).collect()
    };
    let (sites, reader) = start([
        ordinary(),
        (
            "/lying-type",
            Site::page("application/json", "<!doctype html><title>T</title><p>A page after all."),
        ),
        (
            "/no-type",
            Site::Whole("HTTP/1.1 200 OK".into(), b"<html><p>A page without a type.".to_vec()),
        ),
        ("/picture", Site::page(HTML, b"\x89PNG\r\n\x1a\n0000".to_vec())),
        (
            "/wrong-charset",
            Site::page(
                "text/html; charset=utf-8",
                b"<p>Caf\xe9 au lait, s'il vous pla\xeet".to_vec(),
            ),
        ),
        ("/unknown-charset", Site::page("text/html; charset=x-none", "<p>Café".as_bytes())),
        ("/utf-16", Site::page(HTML, utf16("<p>Größe", true))),
        ("/utf-16-named", Site::page("text/html; charset=utf-16be", utf16("<p>Größe", false))),
        ("/invalid", Site::page("text/html; charset=utf-8", b"<p>one \xff\xfe two \xc3".to_vec())),
        ("/nul", Site::page(HTML, b"<p>o\0ne<b\0>two</b>".to_vec())),
        ("/empty", Site::page(HTML, "")),
    ])
    .await;
    let read = |path: &'static str| {
        let url = sites.url(path);
        let reader = &reader;
        async move { reader.read(&url).await.unwrap() }
    };
    assert_eq!(text(&read("/lying-type").await.unwrap()), "A page after all.");
    assert_eq!(text(&read("/no-type").await.unwrap()), "A page without a type.");
    assert_eq!(
        read("/picture").await.unwrap_err()["UnsupportedType"].as_str().unwrap().split(' ').next(),
        Some("image/png")
    );
    assert_eq!(text(&read("/wrong-charset").await.unwrap()), "Café au lait, s'il vous plaît");
    assert_eq!(text(&read("/unknown-charset").await.unwrap()), "Café");
    assert_eq!(text(&read("/utf-16").await.unwrap()), "Größe");
    assert_eq!(text(&read("/utf-16-named").await.unwrap()), "Größe");
    let invalid = read("/invalid").await.unwrap();
    assert!(text(&invalid).starts_with("one ") && text(&invalid).contains(" two "), "{invalid}");
    assert!(text(&read("/nul").await.unwrap()).starts_with("one"));
    assert!(read("/empty").await.unwrap_err()["Unreadable"].is_string());
    still_reads(&sites, &reader).await;
}

const ARTICLE: &str = r##"<html lang="en-gb"><head><title>The bridge — Orrin Post</title>
    <meta property="og:site_name" content="Orrin Post"><meta property="og:title" content="The bridge">
    <script type="application/ld+json">{"@type":"NewsArticle","headline":"The bridge","datePublished":"2024-05-01","author":{"name":"Ada Lund"}}</script>
    <meta name="description" content="How it was built."></head><body><nav><a href=/>Home</a></nav><article><h1>The bridge</h1>"##;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_article_comes_with_fields_sources_and_passages() {
    if running_elsewhere().is_some() {
        return;
    }
    let body = format!(
        "{ARTICLE}{}<h2>Cost</h2><p>It cost 31 million crowns, as <a href='/budget#b'>the budget</a> says, and nobody has counted what the ferries had cost before.</p>
        <pre><code class=language-rust>let a = 1;</code></pre><table><tr><th>Year<th>Crowns<tr><td>1999<td>12</table></article>",
        paragraphs(3)
    );
    let (sites, reader) = start([("/bridge", Site::page(HTML, body))]).await;
    let page = reader.read(&sites.url("/bridge")).await.unwrap().unwrap();
    let field = |name: &str| {
        (page[name]["value"].as_str().unwrap(), page[name]["source"].as_str().unwrap())
    };
    assert_eq!(field("title"), ("The bridge", "Document"));
    assert_eq!(field("author"), ("Ada Lund", "JsonLd"));
    assert_eq!(field("published"), ("2024-05-01", "JsonLd"));
    assert_eq!(field("language"), ("en-GB", "Document"));
    assert_eq!(field("description"), ("How it was built.", "Meta"));
    let markdown = page["markdown"].as_str().unwrap();
    assert!(markdown.contains(&format!("[the budget]({})", sites.url("/budget#b"))), "{markdown}");
    assert!(markdown.contains("```rust\nlet a = 1;\n```") && markdown.contains("| 1999 | 12 |"));
    let passage = page["passages"]
        .as_array()
        .unwrap()
        .iter()
        .find(|passage| passage["text"].as_str().unwrap().contains("31 million"))
        .unwrap();
    assert_eq!(passage["headings"], json!(["The bridge", "Cost"]));
    assert!(
        passage["url"]
            .as_str()
            .unwrap()
            .starts_with(&sites.url("/bridge#:~:text=It%20cost%2031%20million%20crowns"))
    );
    let again = reader.read(&sites.url("/bridge")).await.unwrap().unwrap();
    assert_eq!(page["passages"], again["passages"]);
    assert_eq!(page["needs_script"], false);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_made_by_script_give_what_they_hold() {
    if running_elsewhere().is_some() {
        return;
    }
    let state = format!(
        r#"<title>App</title><div id="__next"></div><script src=/app.js></script><script id="__NEXT_DATA__" type="application/json">{}</script>"#,
        json!({ "props": { "pageProps": { "article": { "title": "What the tide does", "body": paragraphs(4) } } } })
    );
    let video = format!(
        r#"<html><head><title>A tide turns - YouTube</title><meta name="title" content="A tide turns"><link itemprop="name" content="Orrin Films">
        <meta itemprop="datePublished" content="2024-05-01T00:00:00-07:00"></head><body><div id=player></div>
        <script>var ytInitialPlayerResponse = {};var meta = 1;</script><script src=/base.js></script></body></html>"#,
        json!({ "videoDetails": { "title": "A tide turns", "author": "Orrin Films", "lengthSeconds": "212",
            "shortDescription": "The camera stood on the pier for six hours. You see the harbour fall dry and fill again, and the boats that wait for it. Filmed in May with one lens and no cuts, by two people who had nothing better to do that day." } })
    );
    let (sites, reader) = start([
        ("/state", Site::page(HTML, state)),
        ("/video", Site::page(HTML, video)),
        (
            "/nothing",
            Site::page(HTML, "<title>App</title><div id=root></div><script src=/app.js></script>"),
        ),
    ])
    .await;
    let page = reader.read(&sites.url("/state")).await.unwrap().unwrap();
    assert_eq!(page["needs_script"], true);
    assert!(
        text(&page).contains("What the tide does") && text(&page).contains("Paragraph 4"),
        "{page}"
    );
    let page = reader.read(&sites.url("/video")).await.unwrap().unwrap();
    assert!(text(&page).contains("The camera stood on the pier"), "{page}");
    assert_eq!(page["title"]["value"], "A tide turns");
    assert_eq!(page["published"]["value"], "2024-05-01T00:00:00-07:00");
    let page = reader.read(&sites.url("/nothing")).await.unwrap().unwrap();
    assert_eq!((page["needs_script"].as_bool(), text(&page)), (Some(true), ""));
    assert_eq!(page["title"]["value"], "App");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn feeds_sitemaps_and_repositories() {
    if running_elsewhere().is_some() {
        return;
    }
    let repository = format!(
        "<html lang=en><head><title>GitHub - orrin/tide: Tide tables</title><meta property=og:title content='GitHub - orrin/tide: Tide tables'></head><body>
        <header role=banner><nav><a href=/login>Sign in</a></nav></header><main id=js-repo-pjax-container><div class=repository-content>
        <table aria-labelledby=folders-and-files><tr><td><a href=/orrin/tide/blob/main/README.md>README.md</a><td>Say what it is</table>
        <article class='markdown-body entry-content container-lg' itemprop=text><h1>tide</h1>{}<h2>Usage</h2><pre><code>tide --port kestwick</code></pre></article></div></main>
        <footer role=contentinfo>© GitHub</footer></body></html>",
        paragraphs(3)
    );
    let (sites, reader) = start([
        ("/feed", Site::page("application/rss+xml; charset=utf-8", "<?xml version='1.0'?><rss version='2.0'><channel><title>Orrin Post</title><item><title>Ferry late</title><link>/ferry</link><pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate><description>&lt;p&gt;By two hours.&lt;/p&gt;</description></item></channel></rss>")),
        ("/sitemap.xml", Site::page("text/xml", "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'><url><loc>https://example.com/a</loc><lastmod>2024-05-01</lastmod></url></urlset>")),
        ("/repository", Site::page(HTML, repository)),
    ])
    .await;
    let feed = reader.read(&sites.url("/feed")).await.unwrap().unwrap();
    assert_eq!(
        feed["markdown"],
        format!(
            "# Orrin Post\n\n## [Ferry late]({})\n\n2024-05-01\n\nBy two hours.",
            sites.url("/ferry")
        )
    );
    let sitemap = reader.read(&sites.url("/sitemap.xml")).await.unwrap().unwrap();
    assert!(
        sitemap["markdown"]
            .as_str()
            .unwrap()
            .contains("[https://example.com/a](https://example.com/a) (2024-05-01)")
    );
    let repository = reader.read(&sites.url("/repository")).await.unwrap().unwrap();
    let shown = text(&repository);
    assert!(shown.contains("Paragraph 3") && shown.contains("tide --port kestwick"), "{shown}");
    assert!(!shown.contains("Sign in") && !shown.contains("© GitHub"), "{shown}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn robots_txt_is_asked_once_and_obeyed() {
    if running_elsewhere().is_some() {
        return;
    }
    let rules =
        "User-agent: *\nDisallow: /\n\nUser-agent: quarry\nDisallow: /secret\nAllow: /secret/but";
    let sites = [
        ordinary(),
        ("/robots.txt", Site::page("text/plain", rules)),
        ("/secret/page", Site::page(HTML, paragraphs(3))),
        ("/secret/but", Site::page(HTML, paragraphs(3))),
        ("/away", Site::redirect("/secret/page")),
    ];
    let (sites, reader) = start(sites).await;
    still_reads(&sites, &reader).await;
    for path in ["/secret/page", "/away"] {
        let error = reader.read(&sites.url(path)).await.unwrap().unwrap_err();
        assert_eq!(error["Refused"], "robots.txt of 127.0.0.1 disallows this address", "{path}");
    }
    assert!(reader.read(&sites.url("/secret/but")).await.unwrap().is_ok());
    assert_eq!(sites.asked(), ["/robots.txt", "/ordinary", "/away", "/secret/but"]);

    let allowed = ("web_allowed_hosts", sites.address().to_string());
    let off = Reader::start(&[allowed, ("respect_robots", "false".to_owned())]).await.unwrap();
    assert!(off.read(&sites.url("/secret/page")).await.unwrap().is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_site_whose_robots_txt_fails_is_left_for_now() {
    if running_elsewhere().is_some() {
        return;
    }
    let failing = Site::Whole("HTTP/1.1 503 Service Unavailable".into(), Vec::new());
    let (sites, reader) = start([ordinary(), ("/robots.txt", failing)]).await;
    let error = reader.read(&sites.url("/ordinary")).await.unwrap().unwrap_err();
    assert!(error["Unreachable"].as_str().unwrap().contains("try again"), "{error}");
    assert_eq!(sites.asked(), ["/robots.txt"]);
    // One that leads in a circle has no rules.
    let (sites, reader) = start([ordinary(), ("/robots.txt", Site::redirect("/robots.txt"))]).await;
    still_reads(&sites, &reader).await;
}
