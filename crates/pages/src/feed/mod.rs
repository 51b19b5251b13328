//! Feeds and sitemaps: RSS, Atom, RDF and sitemap files as a page that lists their entries.
//!
//! Sources: RSS 2.0, RSS 1.0, RFC 4287 (Atom), sitemaps.org protocol 0.9.

mod parse;

use crate::html::escape;
use crate::metadata::{Metadata, Source, date, shorten};
use std::fmt::Write as _;

/// Entries of a feed that are shown.
const MAX_ITEMS: usize = 500;
/// Addresses of a sitemap that are shown.
const MAX_ADDRESSES: usize = 5_000;

/// An XML file that lists other pages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Feed {
    /// What kind of list it is.
    pub kind: Kind,
    /// The feed's own title, address, description, author and date; those it has.
    pub about: Item,
    /// Its language.
    pub language: String,
    /// Its entries, in order.
    pub items: Vec<Item>,
    /// Whether entries were left out.
    pub truncated: bool,
}

/// What kind of list a file is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Kind {
    /// RSS, RDF or Atom.
    #[default]
    Feed,
    /// A sitemap: addresses of pages.
    Sitemap,
    /// A sitemap of sitemaps.
    SitemapIndex,
}

/// An entry; empty strings for what it does not have.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Item {
    /// Plain text or HTML, as feeds do not say.
    pub title: String,
    /// Where it leads.
    pub link: String,
    /// As written.
    pub date: String,
    /// One or more names.
    pub author: String,
    /// HTML.
    pub body: String,
}

/// Whether a file begins as one of these.
pub fn is_feed(head: &str) -> bool {
    parse::root(head).is_some()
}

/// Reads a file; `None` when it is none of these.
pub fn read(xml: &str) -> Option<Feed> {
    let kind = parse::root(xml)?;
    let limit = if kind == Kind::Feed { MAX_ITEMS } else { MAX_ADDRESSES };
    Some(parse::read(xml, kind, limit))
}

impl Feed {
    /// The feed's own fields.
    pub fn metadata(&self) -> Metadata {
        let field = |text: &str| {
            let flat = crate::html::parse(text).flat_text_all(1000);
            (!flat.is_empty()).then(|| (shorten(&flat, 500), Source::Document))
        };
        let published = (!self.about.date.is_empty()).then(|| {
            let written = self.about.date.trim();
            (date::normalise(written).unwrap_or_else(|| shorten(written, 80)), Source::Document)
        });
        let language = crate::metadata::tag(&self.language).map(|tag| (tag, Source::Document));
        Metadata {
            title: field(&self.about.title),
            author: field(&self.about.author),
            description: field(&self.about.body),
            published,
            language,
            ..Metadata::default()
        }
    }

    /// The list as HTML.
    pub fn as_html(&self) -> String {
        let mut html = String::from("<main>");
        // Writing to a string cannot fail.
        _ = match self.kind {
            Kind::Feed => self.entries(&mut html),
            Kind::Sitemap => self.addresses(&mut html, "Pages"),
            Kind::SitemapIndex => self.addresses(&mut html, "Sitemaps"),
        };
        html.push_str("</main>");
        html
    }

    fn entries(&self, html: &mut String) -> std::fmt::Result {
        if !self.about.title.is_empty() {
            write!(html, "<h1>{}</h1>", self.about.title)?;
        }
        if !self.about.body.is_empty() {
            write!(html, "<div>{}</div>", self.about.body)?;
        }
        for item in &self.items {
            let title =
                if item.title.trim().is_empty() { escape(&item.link) } else { item.title.clone() };
            if item.link.is_empty() {
                write!(html, "<h2>{title}</h2>")?;
            } else {
                write!(html, "<h2><a href=\"{}\">{title}</a></h2>", quote(&item.link))?;
            }
            let date =
                date::normalise(item.date.trim()).unwrap_or_else(|| item.date.trim().to_owned());
            let line: Vec<&str> = [date.as_str(), item.author.trim()]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            if !line.is_empty() {
                write!(html, "<p>{}</p>", escape(&line.join(" · ")))?;
            }
            write!(html, "<div>{}</div>", item.body)?;
        }
        Ok(())
    }

    fn addresses(&self, html: &mut String, title: &str) -> std::fmt::Result {
        write!(html, "<h1>{title}</h1><ul>")?;
        for item in &self.items {
            write!(html, "<li><a href=\"{}\">{}</a>", quote(&item.link), escape(&item.link))?;
            if !item.date.is_empty() {
                write!(html, " ({})", escape(item.date.trim()))?;
            }
        }
        html.push_str("</ul>");
        Ok(())
    }
}

fn quote(text: &str) -> String {
    escape(text.trim()).replace('"', "&quot;")
}

#[cfg(test)]
mod tests;
