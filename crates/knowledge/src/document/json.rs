//! JSON: its values in lines, what stands at its top under headings.
//!
//! Border: JSON in; Markdown out. Written as it is read, so that no tree of a file of 20 MiB is ever in memory.

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::fmt;

/// Blanks before the lines of what lies deeper, and levels that are shown so.
const INDENT: &str = "  ";
const LEVELS: usize = 6;
/// Fields that name a record.
const NAMES: [&str; 4] = ["title", "name", "heading", "question"];
/// Characters of a heading that is made of a value.
const HEADING: usize = 120;

/// JSON as Markdown of at most so many bytes.
///
/// # Errors
/// A sentence that says where and why.
pub fn write(text: &str, most: usize) -> Result<String, String> {
    let mut out = Out { text: String::new(), most };
    let mut reader = serde_json::Deserializer::from_str(text.trim());
    let top = Value { out: &mut out, depth: 0, key: None };
    top.deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(out.text)
}

struct Out {
    text: String,
    most: usize,
}

impl Out {
    /// A line; further lines of a value stand so far in that none looks like a heading.
    fn line(&mut self, depth: usize, key: Option<&str>, value: &str) -> bool {
        let indent = INDENT.repeat(depth.saturating_sub(1).min(LEVELS));
        self.text.push_str(&indent);
        if let Some(key) = key {
            self.text.push_str(key);
            self.text.push_str(if value.is_empty() { ":" } else { ": " });
        }
        for (at, line) in value.lines().enumerate() {
            if at > 0 {
                self.text.push_str("\n    ");
            } else if key.is_none() && line.trim_start().starts_with(['#', '`', '~']) {
                self.text.push('\\');
            }
            self.text.push_str(line);
        }
        self.text.push('\n');
        self.text.len() <= self.most
    }

    /// A heading over a record, or over what stands under a key at the top.
    fn heading(&mut self, title: &str) {
        let title: String = title.split_whitespace().collect::<Vec<_>>().join(" ");
        let title: String = title.chars().take(HEADING).collect();
        let apart = if self.text.is_empty() || self.text.ends_with("\n\n") { "" } else { "\n" };
        self.text.push_str(&format!("{apart}# {title}\n\n"));
    }
}

/// A value that is written where it stands.
struct Value<'o> {
    out: &'o mut Out,
    depth: usize,
    key: Option<String>,
}

impl Value<'_> {
    fn scalar<E: Error>(self, value: &str) -> Result<(), E> {
        if self.out.line(self.depth, self.key.as_deref(), value) {
            return Ok(());
        }
        let most = self.out.most;
        Err(E::custom(format!(
            "written out it has more than {most} bytes; part it into several documents"
        )))
    }

    /// What stands above the parts of a value.
    fn open<E: Error>(&mut self) -> Result<(), E> {
        match (self.depth, self.key.as_deref()) {
            (1, Some(key)) => {
                self.out.heading(key);
                // What a heading has no room for is not lost.
                if key.chars().nth(HEADING).is_some() {
                    self.out.line(1, None, key);
                }
            }
            (2.., Some(key)) => {
                self.out.line(self.depth, Some(key), "");
            }
            _ => {}
        }
        if self.out.text.len() > self.out.most {
            return Err(E::custom(format!("written out it has more than {} bytes", self.out.most)));
        }
        Ok(())
    }
}

impl<'de> DeserializeSeed<'de> for Value<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.scalar(if value { "yes" } else { "no" })
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.scalar(&value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.scalar(&value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.scalar(&value.to_string())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        if value.trim().is_empty() { Ok(()) } else { self.scalar(value.trim()) }
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut seq: A) -> Result<(), A::Error> {
        self.open()?;
        while seq
            .next_element_seed(Value { out: &mut *self.out, depth: self.depth + 1, key: None })?
            .is_some()
        {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut map: A) -> Result<(), A::Error> {
        self.open()?;
        // Records of a list stand apart, so that none is parted before its neighbours are.
        if self.key.is_none() && !self.out.text.is_empty() && !self.out.text.ends_with("\n\n") {
            self.out.text.push('\n');
        }
        let is_record = self.depth == 1 && self.key.is_none();
        let mut is_first = true;
        while let Some(key) = map.next_key::<String>()? {
            let key = key.split_whitespace().collect::<Vec<_>>().join(" ");
            if is_record && is_first && NAMES.contains(&key.to_lowercase().as_str()) {
                map.next_value_seed(Heading(&mut *self.out))?;
            } else {
                let depth = self.depth + 1;
                map.next_value_seed(Value { out: &mut *self.out, depth, key: Some(key) })?;
            }
            is_first = false;
        }
        Ok(())
    }
}

/// The name of a record, which stands above it.
struct Heading<'o>(&'o mut Out);

impl<'de> DeserializeSeed<'de> for Heading<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        match serde::Deserialize::deserialize(from)? {
            serde_json::Value::String(title) if !title.trim().is_empty() => {
                let is_whole = title.chars().count() <= HEADING && !title.trim().contains('\n');
                self.0.heading(&title);
                // What a heading has no room for is not lost.
                if !is_whole {
                    self.0.line(1, None, title.trim());
                }
            }
            serde_json::Value::Null => {}
            other => {
                self.0.line(1, Some("title"), &other.to_string());
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::write;

    #[test]
    fn records_stand_under_their_names() {
        let text = r##"[{"title": "Orrin Light", "height": 38, "lit": true, "keepers": ["Marsh", "Dunn"], "gone": null},
            {"title": "Sker", "story": "first\n# second", "at": {"north": 54.5}}]"##;
        assert_eq!(
            write(text, 999).unwrap(),
            "# Orrin Light\n\n  height: 38\n  lit: yes\n  keepers:\n    Marsh\n    Dunn\n\n# Sker\n\n  story: first\n    # second\n  at:\n    north: 54.5\n"
        );
    }

    #[test]
    fn the_keys_of_an_object_are_headings_over_what_lies_deeper() {
        let text =
            r#"{"version": 2, "faq": [{"q": "When?", "a": "At noon."}], "fees": {"adult": 5}}"#;
        assert_eq!(
            write(text, 999).unwrap(),
            "version: 2\n\n# faq\n\n    q: When?\n    a: At noon.\n\n# fees\n\n  adult: 5\n"
        );
    }

    #[test]
    fn a_long_key_is_whole_where_a_heading_has_no_room_for_it() {
        let key = "Who owes demurrage? ".repeat(30).trim().to_owned();
        let text = format!("{{\"{key}\": {{\"{key}\": \"The consignee.\"}}}}");
        let expected = format!("# {}\n\n{key}\n  {key}: The consignee.\n", &key[..120]);
        assert_eq!(write(&text, 9_999).unwrap(), expected);
    }

    #[test]
    fn what_is_no_json_says_where_and_depth_and_growth_have_bounds() {
        assert!(write("{\"a\": 1,}", 99).unwrap_err().contains("line 1"));
        assert!(write("[1] [2]", 99).unwrap_err().contains("trailing"));
        let deep = "[".repeat(100_000);
        assert!(write(&deep, 99).unwrap_err().contains("recursion limit"));
        let wide = format!("{}{}{}", "[".repeat(100), "1,".repeat(100_000) + "1", "]".repeat(100));
        assert!(write(&wide, 100_000).unwrap_err().contains("100000 bytes"));
    }
}
