//! The text of a script, as far as it is data: JSON-LD, JSON, or an assignment of data to a global.

use quarry_types::text::first_bytes;

/// How much of a script's beginning shows what it is.
const BEGIN: usize = 200;

/// Data that a script held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// The text of an `application/ld+json` script.
    JsonLd(String),
    /// JSON, or code that begins by assigning some.
    State(String),
}

/// The script that is being read.
#[derive(Debug, Default)]
pub struct Script {
    kind: Kind,
    text: String,
    /// Whether it is too long, or code.
    dropped: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Kind {
    #[default]
    Code,
    JsonLd,
    Json,
}

impl Script {
    /// A script of a `type`.
    pub fn new(kind: Option<&str>) -> Self {
        let kind = kind.unwrap_or_default().trim().to_ascii_lowercase();
        let kind = match kind.split(';').next().unwrap_or_default().trim() {
            "application/ld+json" => Kind::JsonLd,
            "application/json" | "text/json" | "application/vnd.api+json" => Kind::Json,
            _ => Kind::Code,
        };
        Self { kind, ..Self::default() }
    }

    /// Whether it is no data by its type.
    pub fn is_code(&self) -> bool {
        self.kind == Kind::Code
    }

    /// Takes a part of its text; code is let go as soon as its beginning shows what it is.
    pub fn push(&mut self, part: &str, limit: usize) {
        if self.dropped {
            return;
        }
        let part = if self.text.is_empty() { part.trim_start() } else { part };
        let undecided = self.is_code() && self.text.len() < BEGIN;
        self.text.push_str(part);
        let code = undecided && self.text.len() >= BEGIN && !assigns(&self.text);
        if code || self.text.len() > limit {
            self.dropped = true;
            self.text = String::new();
        }
    }

    /// What it held, once it is over.
    pub fn into_data(self) -> Option<Data> {
        if self.dropped || self.text.is_empty() {
            return None;
        }
        match self.kind {
            Kind::JsonLd => Some(Data::JsonLd(self.text)),
            Kind::Json => Some(Data::State(self.text)),
            Kind::Code => assigns(&self.text).then_some(Data::State(self.text)),
        }
    }
}

/// Whether a script begins by assigning data to a global: `window.__STATE__ = {…}`.
fn assigns(text: &str) -> bool {
    let begin = first_bytes(text, BEGIN);
    let named = ["window.", "window[", "self.", "globalThis.", "var ", "let ", "const ", "__"];
    named.iter().any(|name| begin.starts_with(name))
        && begin.split_once('=').is_some_and(|(_, value)| {
            let value = value.trim_start();
            value.starts_with(['{', '[']) || value.starts_with("JSON.parse(")
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(kind: Option<&str>, parts: &[&str]) -> Option<Data> {
        let mut script = Script::new(kind);
        parts.iter().for_each(|part| script.push(part, 1000));
        script.into_data()
    }

    #[test]
    fn data_is_kept_however_it_is_cut() {
        let json = r#"{"a":1}"#;
        let ld = Some("Application/LD+json; x=y");
        assert_eq!(read(ld, &[" \n", "{\"a\"", ":1}"]), Some(Data::JsonLd(json.to_owned())));
        assert_eq!(read(Some("application/json"), &[json]), Some(Data::State(json.to_owned())));
        let assigned = format!("window.__S__ = {json}");
        for cut in 0..assigned.len() {
            let (first, second) = assigned.split_at(cut);
            assert_eq!(read(None, &[first, second]), Some(Data::State(assigned.clone())), "{cut}");
        }
    }

    #[test]
    fn code_and_what_is_too_long_is_not() {
        assert_eq!(read(None, &["if (a ", "< b) f()"]), None);
        assert_eq!(read(None, &[&"x = 1; ".repeat(100)]), None);
        assert_eq!(read(Some("application/json"), &[&"1".repeat(600), &"1".repeat(600)]), None);
        assert_eq!(read(Some("application/json"), &["  "]), None);
    }
}
