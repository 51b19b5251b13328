//! JSON: its values in lines, what stands at its top under headings.
//!
//! Border: JSON in; Markdown out. Written as it is read, so that no tree of a file of 20 MiB is ever in memory.

use super::cleaned;
use quarry_pages::metadata::in_one_line;
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
    let text = text.trim();
    let mut out = Out { text: String::new(), most, numbers: Numbers(text) };
    let mut reader = serde_json::Deserializer::from_str(text);
    let top = Value { out: &mut out, depth: 0, key: None };
    top.deserialize(&mut reader).map_err(|error| error.to_string())?;
    reader.end().map_err(|error| error.to_string())?;
    Ok(out.text)
}

struct Out<'t> {
    text: String,
    most: usize,
    numbers: Numbers<'t>,
}

/// The numbers of JSON as they are written, one after the other: who reads one has it as a machine keeps it, which is
/// another where it is long.
struct Numbers<'t>(&'t str);

impl<'t> Iterator for Numbers<'t> {
    type Item = &'t str;

    fn next(&mut self) -> Option<&'t str> {
        let is_of_number =
            |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
        let (mut is_quoted, mut is_escaped) = (false, false);
        let start = self.0.bytes().position(|byte| {
            if is_escaped {
                is_escaped = false;
            } else if byte == b'"' {
                is_quoted = !is_quoted;
            } else if is_quoted {
                is_escaped = byte == b'\\';
            } else {
                return matches!(byte, b'0'..=b'9' | b'-');
            }
            false
        })?;
        let rest = self.0.get(start..)?;
        let length = rest.bytes().take_while(|byte| is_of_number(byte)).count();
        let (number, rest) = rest.split_at_checked(length)?;
        self.0 = rest;
        Some(number)
    }
}

impl Out<'_> {
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
        let title: String = in_one_line(title, usize::MAX).chars().take(HEADING).collect();
        let apart = if self.text.is_empty() || self.text.ends_with("\n\n") { "" } else { "\n" };
        self.text.push_str(&format!("{apart}# {title}\n\n"));
    }
}

/// A value that is written where it stands.
struct Value<'o, 't> {
    out: &'o mut Out<'t>,
    depth: usize,
    key: Option<String>,
}

impl Value<'_, '_> {
    /// The next number, of which a machine keeps this.
    fn number<E: Error>(self, kept: &dyn fmt::Display) -> Result<(), E> {
        match self.out.numbers.next() {
            Some(written) => self.scalar(written),
            None => self.scalar(&kept.to_string()),
        }
    }

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

impl<'de> DeserializeSeed<'de> for Value<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Value<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JSON")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.scalar(if value { "yes" } else { "no" })
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.number(&value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.number(&value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.number(&value)
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<(), E> {
        let value = cleaned(value);
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
            let key = in_one_line(&cleaned(&key), usize::MAX);
            let is_name = is_record && is_first && NAMES.contains(&key.to_lowercase().as_str());
            let value = Value { out: &mut *self.out, depth: self.depth + 1, key: Some(key) };
            if is_name {
                map.next_value_seed(Heading(value))?;
            } else {
                map.next_value_seed(value)?;
            }
            is_first = false;
        }
        Ok(())
    }
}

/// The name of a record, which stands above it where it is a text.
struct Heading<'o, 't>(Value<'o, 't>);

impl<'de> DeserializeSeed<'de> for Heading<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Heading<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<(), E> {
        self.0.visit_bool(value)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<(), E> {
        self.0.visit_i64(value)
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<(), E> {
        self.0.visit_u64(value)
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<(), E> {
        self.0.visit_f64(value)
    }

    fn visit_str<E: Error>(self, title: &str) -> Result<(), E> {
        let title = cleaned(title);
        let title = title.trim();
        if title.is_empty() {
            return Ok(());
        }
        let out = self.0.out;
        out.heading(title);
        // What a heading has no room for is not lost.
        if title.chars().nth(HEADING).is_some() || title.contains('\n') {
            out.line(1, None, title);
        }
        Ok(())
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<(), A::Error> {
        self.0.visit_seq(seq)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<(), A::Error> {
        self.0.visit_map(map)
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
    fn numbers_are_what_is_written_however_long_they_are() {
        let text = r#"[{"name": 12345678901234567890123, "id \"7\\": -0, "of": [0.1000000000000000055511151231257827, 1.50]},
            {"name": {"a 1": 1E5}, "account": 9007199254740993.0, "say": "5 \" 6"}]"#;
        assert_eq!(
            write(text, 999).unwrap(),
            "  name: 12345678901234567890123\n  id \"7\\: -0\n  of:\n    0.1000000000000000055511151231257827\n    1.50\n\n  \
             name:\n    a 1: 1E5\n  account: 9007199254740993.0\n  say: 5 \" 6\n"
        );
        assert_eq!(write("18446744073709551616", 99).unwrap(), "18446744073709551616\n");
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
    fn no_escape_brings_a_control_character_back() {
        let text = r#"[{"title": "Orrin\u0000 \u001b[31mLight\u0085", "\u0007height\u0000": "38\u0000\r\n# m\r\u009b\ttall"},
            {"name": "\u0000"}, {"of\u001b": {"\u0000": ["\u007f", "\ufeffx\u0001"]}}, "\u0000# none"]"#;
        assert_eq!(
            write(text, 999).unwrap(),
            "# Orrin [31mLight\n\n  height: 38\n    # m\n    \ttall\n\n  of:\n    :\n      x\n\\# none\n"
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
