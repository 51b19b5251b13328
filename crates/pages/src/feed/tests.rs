//! Feeds and sitemaps as they are found, with their mistakes.

use super::*;
use proptest::prelude::*;

#[test]
fn rss() {
    let feed = read(
        "\u{feff} <?xml version='1.0'?><!-- x --><rss version='2.0' xmlns:content='c'><channel><title>News &amp; views</title>
        <link>https://example.com/</link><description>Of the island</description><language>en-us</language>
        <atom:link href='https://example.com/feed' rel='self'/><image><url>https://example.com/i.png</url></image>
        <item><title><![CDATA[Bridge <b>opens</b>]]></title><link>https://example.com/1?a=1&amp;b=2</link>
          <pubDate>Wed, 01 May 2024 10:00:00 GMT</pubDate><dc:creator>Ada</dc:creator><media:title>no</media:title>
          <description>short</description><content:encoded>&lt;p&gt;The long&nbsp;text&lt;/p&gt;</content:encoded></item>
        <item><title>Broken & left<link>https://example.com/2</link></item></channel></rss>",
    )
    .unwrap();
    assert_eq!(feed.about.title, "News & views");
    assert_eq!((feed.items.len(), feed.language.as_str()), (2, "en-us"));
    let item = feed.items.iter().find(|item| item.author == "Ada").unwrap();
    assert_eq!(item.link, "https://example.com/1?a=1&b=2");
    assert_eq!(item.title, "Bridge <b>opens</b>");
    assert_eq!(item.body, "<p>The long\u{a0}text</p>");
    let html = feed.as_html();
    assert!(html.contains("<h2><a href=\"https://example.com/1?a=1&amp;b=2\">Bridge <b>opens</b></a></h2><p>2024-05-01 · Ada</p>"), "{html}");
    assert_eq!(feed.metadata().language.unwrap().0, "en-US");
}

#[test]
fn atom() {
    let feed = read(
        "<feed xmlns='http://www.w3.org/2005/Atom' xml:lang='de'><title>Titel</title><updated>2024-05-02</updated>
        <link rel='self' href='https://e.example/f'/><link href='https://e.example/'/>
        <entry><title type='html'>A &amp;amp; B</title><link rel='alternate' href='https://e.example/1'/>
        <author><name>Bea</name><uri>https://e.example/bea</uri></author><updated>2024-05-01T00:00:00Z</updated><published>2024-04-30</published>
        <summary>s</summary><content type='xhtml'><div><p>One</p><p>Two</p></div></content></entry></feed>",
    )
    .unwrap();
    assert_eq!(feed.about.link, "https://e.example/");
    let item = &feed.items[0];
    assert_eq!((item.link.as_str(), item.date.as_str()), ("https://e.example/1", "2024-04-30"));
    assert!(item.author.starts_with("Bea") && item.body.starts_with("One"), "{item:?}");
}

#[test]
fn sitemaps() {
    let map = read("<urlset><url><loc> https://e.example/a </loc><lastmod>2024-01-02</lastmod></url><url><loc>https://e.example/b</loc></url></urlset>").unwrap();
    assert_eq!((map.kind, map.items.len()), (Kind::Sitemap, 2));
    assert!(
        map.as_html()
            .contains("<a href=\"https://e.example/a\">https://e.example/a</a> (2024-01-02)")
    );
    let index =
        read("<sitemapindex><sitemap><loc>https://e.example/s.xml</loc></sitemap></sitemapindex>")
            .unwrap();
    assert_eq!(index.kind, Kind::SitemapIndex);
}

#[test]
fn an_address_does_not_end_its_attribute() {
    let feed = "<rss><channel><item><title>T</title><link>https://e.example/\"onclick=x</link></item></channel></rss>";
    let html = read(feed).unwrap().as_html();
    assert!(html.contains("<a href=\"https://e.example/&quot;onclick=x\">"), "{html}");
}

#[test]
fn other_files_are_none_of_these() {
    for other in
        ["", "words", "<svg/>", "<html><rss>", "<!doctype html><p>", &"<!-- -->".repeat(100)]
    {
        assert!(!is_feed(other), "{other}");
    }
}

#[test]
fn a_long_feed_is_cut() {
    let feed = read(&format!(
        "<rss><channel>{}</channel></rss>",
        "<item><title>x</title></item>".repeat(MAX_ITEMS + 1)
    ))
    .unwrap();
    assert!(feed.truncated && feed.items.len() == MAX_ITEMS);
    let feed = read(&"<rss><channel><item><title>".repeat(50_000)).unwrap();
    assert!(feed.items.len() <= MAX_ITEMS);
    let long = "é".repeat(200 * 1024);
    let feed = read(&format!(
        "<rss><channel><item><description><![CDATA[{long}]]></description></item></channel></rss>"
    ));
    assert_eq!(feed.unwrap().items[0].body.len(), 256 * 1024, "what fits is kept");
}

proptest! {
    #[test]
    fn any_text_is_a_feed_or_none(text in "(<(rss|feed|urlset|item|entry|title|/item|!\\[CDATA\\[|\\?x)>?|[a-z&;<>'\" ]){0,80}") {
        if let Some(feed) = read(&format!("<rss>{text}")) {
            prop_assert!(feed.items.len() <= MAX_ITEMS);
            feed.as_html();
        }
    }
}
