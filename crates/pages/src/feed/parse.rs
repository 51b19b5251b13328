//! The elements of feeds and sitemaps, read in one pass that minds no mistakes it need not mind.

use super::{Feed, Item, Kind};
use quick_xml::escape::{resolve_html5_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;

/// Bytes of one field; the rest of a longer one is dropped.
const MAX_FIELD: usize = 256 * 1024;

/// What kind of list a file's root element says it is.
pub fn root(xml: &str) -> Option<Kind> {
    let mut reader = lenient(xml);
    // Comments and instructions may come first, but not without end.
    for _ in 0..50 {
        match reader.read_event().ok()? {
            Event::Start(start) | Event::Empty(start) => {
                return match start.local_name().as_ref() {
                    "rss" | "RDF" | "feed" => Some(Kind::Feed),
                    "urlset" => Some(Kind::Sitemap),
                    "sitemapindex" => Some(Kind::SitemapIndex),
                    _ => None,
                };
            }
            Event::Eof => return None,
            Event::Text(text) if !text.trim().is_empty() => return None,
            _ => {}
        }
    }
    None
}

fn lenient(xml: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(xml.trim_start_matches('\u{feff}').trim_start());
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    reader
}

/// Reads a file up to `limit` entries, or up to where it is no XML any more.
pub fn read(xml: &str, kind: Kind, limit: usize) -> Feed {
    let mut builder = Builder { feed: Feed { kind, ..Feed::default() }, ..Builder::default() };
    let mut reader = lenient(xml);
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                if builder.feed.items.len() >= limit && is_item(kind, start.local_name().as_ref()) {
                    builder.feed.truncated = true;
                    break;
                }
                builder.start(&start);
            }
            Ok(Event::Empty(start)) => builder.attributes(&start),
            Ok(Event::End(end)) => builder.end(end.local_name().as_ref()),
            Ok(Event::Text(text)) => builder.text(&text),
            Ok(Event::CData(data)) => builder.text(&data),
            Ok(Event::GeneralRef(name)) => {
                let name = format!("&{};", &*name);
                let text = unescape_with(&name, resolve_html5_entity).map(|text| text.into_owned());
                builder.text(&text.unwrap_or(name));
            }
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(_) => {
                builder.feed.truncated = true;
                break;
            }
        }
    }
    builder.feed
}

fn is_item(kind: Kind, name: &str) -> bool {
    match kind {
        Kind::Feed => matches!(name, "item" | "entry"),
        Kind::Sitemap => name == "url",
        Kind::SitemapIndex => name == "sitemap",
    }
}

/// A name without the prefixes that mean the feed itself: a picture's title is not the entry's.
fn own_name(name: &str) -> &str {
    ["atom:", "a10:", "rss:"].iter().find_map(|prefix| name.strip_prefix(prefix)).unwrap_or(name)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Field {
    Title,
    Link,
    Date,
    Author,
    Body,
    Language,
}

/// The field of an element, and whether its text beats one that is there already.
fn field(name: &str) -> Option<(Field, bool)> {
    Some(match name {
        "title" => (Field::Title, false),
        "link" | "loc" => (Field::Link, false),
        "pubDate" | "published" | "dc:date" | "lastmod" => (Field::Date, true),
        "updated" | "lastBuildDate" => (Field::Date, false),
        "author" | "dc:creator" | "name" | "managingEditor" => (Field::Author, false),
        "content:encoded" | "content" => (Field::Body, true),
        "description" | "summary" | "subtitle" | "tagline" => (Field::Body, false),
        "language" => (Field::Language, false),
        _ => return None,
    })
}

#[derive(Default)]
struct Builder {
    feed: Feed,
    inside_item: bool,
    /// The element whose text is being read, how deep within it we are, and the text.
    open: Option<(Field, bool)>,
    depth: usize,
    text: String,
}

impl Builder {
    fn item(&mut self) -> &mut Item {
        match self.feed.items.last_mut() {
            Some(item) if self.inside_item => item,
            _ => &mut self.feed.about,
        }
    }

    fn start(&mut self, start: &BytesStart<'_>) {
        self.attributes(start);
        if is_item(self.feed.kind, start.local_name().as_ref()) {
            // Also within a field that was never ended.
            self.close();
            self.inside_item = true;
            self.feed.items.push(Item::default());
            return;
        }
        if self.open.is_some() {
            // An author holds a name and an address; of text with marks only the text is taken.
            self.depth += 1;
            return;
        }
        let name = start.name();
        if let Some(found) = field(own_name(name.as_ref())) {
            self.open = Some(found);
            self.depth = 0;
            self.text.clear();
        }
    }

    /// Atom's links are attributes.
    fn attributes(&mut self, start: &BytesStart<'_>) {
        let attribute = |wanted: &str| {
            let mut attributes = start.attributes();
            let mut attributes = attributes.with_checks(false).flatten();
            let found = attributes.find(|attribute| attribute.key.as_ref() == wanted)?;
            let raw = found.value.into_owned();
            let text = unescape_with(&raw, resolve_html5_entity).map(|text| text.into_owned());
            Some(text.unwrap_or(raw))
        };
        match start.local_name().as_ref() {
            "link" => {
                let relation = attribute("rel").unwrap_or_default();
                if let Some(href) =
                    attribute("href").filter(|_| matches!(relation.as_str(), "" | "alternate"))
                {
                    let item = self.item();
                    if item.link.is_empty() {
                        item.link = href;
                    }
                }
            }
            "feed" => self.feed.language = attribute("xml:lang").unwrap_or_default(),
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        if self.open.is_some() {
            let room = text.floor_char_boundary(MAX_FIELD.saturating_sub(self.text.len()));
            self.text.push_str(text.get(..room).unwrap_or_default());
        }
    }

    fn end(&mut self, name: &str) {
        if is_item(self.feed.kind, name) {
            self.close();
            self.inside_item = false;
        } else if self.depth > 0 {
            self.depth -= 1;
            self.text(" ");
        } else {
            self.close();
        }
    }

    fn close(&mut self) {
        let Some((field, better)) = self.open.take() else { return };
        self.depth = 0;
        let text = std::mem::take(&mut self.text).trim().to_owned();
        if field == Field::Language {
            self.feed.language = text;
            return;
        }
        let item = self.item();
        let place = match field {
            Field::Title => &mut item.title,
            Field::Link => &mut item.link,
            Field::Date => &mut item.date,
            Field::Author => &mut item.author,
            Field::Body | Field::Language => &mut item.body,
        };
        if !text.is_empty() && (better || place.is_empty()) {
            *place = text;
        }
    }
}
