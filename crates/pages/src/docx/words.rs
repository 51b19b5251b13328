//! The words of a part: elements are read as they come and become Markdown; no tree is built.

use crate::plain;
use quick_xml::escape::{resolve_xml_entity, unescape_with};
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use std::collections::HashMap;

/// Levels of headings that Markdown has.
const LEVELS: u8 = 6;
/// Characters of a style's name.
const STYLE: usize = 200;
/// Styles that are told from each other; Word itself stops at 4,079.
const MOST_STYLES: usize = 10_000;
/// Bytes of a property behind which no more of it is read.
const FIELD: usize = 4_096;
/// Bytes that a cell takes, however little stands in it.
const CELL: usize = 24;
/// Columns into which a cell may span; Word has no more.
const SPAN: usize = 63;

/// The levels of headings, by the ids of their styles, which are words of the language that was written in.
#[derive(Debug, Default)]
pub struct Styles(HashMap<String, u8>);

impl Styles {
    pub fn read(xml: &str) -> Styles {
        let mut styles = Styles::default();
        let mut open = None;
        each(xml, |event| {
            if let Event::Start(start) | Event::Empty(start) = event {
                match start.local_name().as_ref() {
                    "style" => open = attribute(start, "styleId"),
                    "name" => {
                        let level = attribute(start, "val").and_then(|name| level(&name));
                        if let (Some(level), Some(id)) = (level, &open) {
                            styles.0.insert(id.clone(), level);
                        }
                    }
                    "outlineLvl" => {
                        if let (Some(level), Some(id)) = (outline(start), &open) {
                            styles.0.entry(id.clone()).or_insert(level);
                        }
                    }
                    _ => {}
                }
            }
            styles.0.len() < MOST_STYLES
        });
        styles
    }

    fn level(&self, id: &str) -> Option<u8> {
        self.0.get(id).copied().or_else(|| level(id))
    }
}

/// The level of a style that has one of the names that all languages share.
fn level(name: &str) -> Option<u8> {
    let name = name.to_ascii_lowercase();
    if name == "title" {
        return Some(1);
    }
    let level: u8 = name.strip_prefix("heading")?.trim().parse().ok()?;
    (1..=9).contains(&level).then_some(level.min(LEVELS))
}

fn outline(start: &BytesStart<'_>) -> Option<u8> {
    let level: u8 = attribute(start, "val")?.parse().ok()?;
    // 9 is text.
    (level < 9).then_some((level + 1).min(LEVELS))
}

/// Whether what is in an element is nothing that its reader sees: what programs have that do not know the other form,
/// and, where changes are tracked, how a paragraph was set before and what was moved elsewhere.
fn is_unseen(name: &str) -> bool {
    matches!(name, "Fallback" | "pPrChange" | "moveFrom")
}

/// How many columns an element says.
fn columns(start: &BytesStart<'_>) -> usize {
    let said = attribute(start, "val").and_then(|value| value.trim().parse().ok());
    said.unwrap_or(0).min(SPAN)
}

/// Writes parts one after the other.
pub struct Writer<'s> {
    styles: &'s Styles,
    limit: usize,
    text: String,
    paragraph: String,
    level: Option<u8>,
    is_item: bool,
    /// How deep within tables, and the cells of the row that is open in the outermost.
    tables: usize,
    row: Vec<String>,
    /// Bytes that these take, counted along: a row may have as many cells as its part has room for.
    row_bytes: usize,
    /// Columns into which the open cell spans beside its own.
    span: usize,
    /// Whether the text of an element counts.
    in_text: bool,
    truncated: bool,
}

impl<'s> Writer<'s> {
    pub fn new(styles: &'s Styles, limit: usize) -> Writer<'s> {
        Writer {
            styles,
            limit,
            text: String::new(),
            paragraph: String::new(),
            level: None,
            is_item: false,
            tables: 0,
            row: Vec::new(),
            row_bytes: 0,
            span: 0,
            in_text: false,
            truncated: false,
        }
    }

    pub fn part(&mut self, xml: &str) {
        let mut unseen = 0_usize;
        let whole = each(xml, |event| {
            match event {
                Event::Start(start) if is_unseen(start.local_name().as_ref()) => unseen += 1,
                Event::End(end) if is_unseen(end.local_name().as_ref()) => {
                    unseen = unseen.saturating_sub(1);
                }
                _ if unseen > 0 => {}
                Event::Start(start) => self.start(start, false),
                Event::Empty(start) => self.start(start, true),
                Event::End(end) => self.end(end.local_name().as_ref()),
                Event::Text(text) if self.in_text => self.words(text),
                Event::CData(text) if self.in_text => self.words(text),
                Event::GeneralRef(name) if self.in_text => self.words(&entity(name)),
                _ => {}
            }
            let is_full = self.length() > self.limit;
            self.truncated |= is_full;
            !is_full
        });
        self.truncated |= !whole;
        self.end_paragraph();
        self.end_row();
        self.tables = 0;
    }

    const fn length(&self) -> usize {
        self.text.len() + self.row_bytes + self.paragraph.len()
    }

    /// Takes words, and of a book without a break not much more than there is room for.
    fn words(&mut self, text: &str) {
        let room = self.limit.saturating_sub(self.length());
        // One character more shows that there is no room.
        let end = text.floor_char_boundary(room.saturating_add(char::MAX_LEN_UTF8));
        self.paragraph.push_str(text.get(..end).unwrap_or_default());
    }

    fn start(&mut self, start: &BytesStart<'_>, is_empty: bool) {
        match start.local_name().as_ref() {
            "t" => self.in_text = !is_empty,
            "tab" if self.in_paragraph(start) => self.paragraph.push('\t'),
            "br" | "cr" => self.paragraph.push('\n'),
            "noBreakHyphen" => self.paragraph.push('-'),
            "pStyle" => {
                self.level = attribute(start, "val").and_then(|id| self.styles.level(&id));
            }
            "outlineLvl" => self.level = self.level.or_else(|| outline(start)),
            "numPr" => self.is_item = true,
            "tbl" => {
                self.end_paragraph();
                self.tables += usize::from(!is_empty);
            }
            // What a cell merges with above it is one that is empty.
            "tc" if self.tables == 1 => self.begin_cell(),
            "gridBefore" if self.tables == 1 && self.row.is_empty() => {
                (0..columns(start)).for_each(|_| self.begin_cell());
            }
            "gridSpan" if self.tables == 1 => self.span = columns(start).saturating_sub(1),
            _ => {}
        }
    }

    /// Whether a tab is one, and not a place for tabs, which says where it is.
    fn in_paragraph(&self, tab: &BytesStart<'_>) -> bool {
        attribute(tab, "pos").is_none() && !self.paragraph.is_empty()
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" => self.end_paragraph(),
            "tr" if self.tables == 1 => self.end_row(),
            // What spans columns stands in the first of them.
            "tc" if self.tables == 1 => {
                (0..std::mem::take(&mut self.span)).for_each(|_| self.begin_cell());
            }
            "tbl" => self.tables = self.tables.saturating_sub(1),
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let (level, is_item) = (self.level.take(), std::mem::take(&mut self.is_item));
        let words = paragraph.trim();
        if words.is_empty() {
            return;
        }
        if self.tables > 0 {
            if self.row.is_empty() {
                self.begin_cell();
            }
            self.row_bytes += words.len() + 1;
            if let Some(cell) = self.row.last_mut() {
                if !cell.is_empty() {
                    cell.push(' ');
                }
                cell.extend(words.chars().map(|sign| if sign == '\n' { ' ' } else { sign }));
            }
            return;
        }
        let mark = match level {
            Some(level) => format!("{} ", "#".repeat(usize::from(level))),
            None if is_item => "- ".to_owned(),
            None => String::new(),
        };
        let words = match (level, is_item) {
            (Some(_), _) => words.replace('\n', " "),
            (None, true) => words.to_owned(),
            (None, false) => plain::paragraph(words),
        };
        self.block(&format!("{mark}{words}"));
    }

    fn begin_cell(&mut self) {
        self.row.push(String::new());
        self.row_bytes += CELL;
    }

    fn end_row(&mut self) {
        self.row_bytes = 0;
        let mut cells = std::mem::take(&mut self.row);
        while cells.last().is_some_and(String::is_empty) {
            cells.pop();
        }
        if !cells.is_empty() {
            self.block(&format!("| {} |", cells.join(" | ")));
        }
    }

    fn block(&mut self, block: &str) {
        if !self.text.is_empty() {
            // Rows and items stay together.
            let begins =
                |signs: &str| block.starts_with(signs) && self.last_line().starts_with(signs);
            let together = begins("| ") || begins("- ");
            self.text.push_str(if together { "\n" } else { "\n\n" });
        }
        self.text.push_str(block);
    }

    fn last_line(&self) -> &str {
        self.text.rsplit('\n').next().unwrap_or_default()
    }

    /// The text, and whether something of it is missing.
    pub fn finish(mut self) -> (String, bool) {
        let end = self.text.floor_char_boundary(self.limit);
        self.text.truncate(end);
        (self.text, self.truncated)
    }
}

/// The text of the first element of a name.
pub fn field(xml: &str, name: &str) -> Option<String> {
    let mut found: Option<String> = None;
    let mut open = false;
    each(xml, |event| {
        match event {
            Event::Start(start) if start.local_name().as_ref() == name => open = true,
            Event::Text(text) if open => {
                let end = text.floor_char_boundary(FIELD);
                found.get_or_insert_default().push_str(text.get(..end).unwrap_or_default());
            }
            Event::GeneralRef(name) if open => {
                found.get_or_insert_default().push_str(&entity(name))
            }
            Event::End(_) if open => return false,
            _ => {}
        }
        found.as_ref().is_none_or(|found| found.len() < FIELD)
    });
    found
}

/// An attribute by the name that it has without a prefix.
pub fn attribute(start: &BytesStart<'_>, name: &str) -> Option<String> {
    let mut attributes = start.attributes();
    let mut attributes = attributes.with_checks(false).filter_map(Result::ok);
    let found = attributes.find(|one| one.key.local_name().as_ref() == name)?;
    let value = unescape_with(&found.value, resolve_xml_entity).ok()?;
    Some(value.chars().take(STYLE).collect())
}

fn entity(name: &str) -> String {
    let name = format!("&{name};");
    let text = unescape_with(&name, resolve_xml_entity).map(std::borrow::Cow::into_owned);
    text.unwrap_or(name)
}

/// Gives the events of a part until `take` wants no more; false: it is no XML from somewhere on.
fn each(xml: &str, mut take: impl FnMut(&Event<'_>) -> bool) -> bool {
    let mut reader = Reader::from_str(xml.trim_start_matches('\u{feff}'));
    loop {
        match reader.read_event() {
            Ok(Event::Eof) => return true,
            Ok(event) => {
                if !take(&event) {
                    return true;
                }
            }
            Err(_) => return false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_styles_than_anybody_has_are_not_kept() {
        let styles = |count: usize| {
            let style = |n| format!("<style styleId=\"s{n}\"><name val=\"heading 2\"/></style>");
            Styles::read(&(0..count).map(style).collect::<String>())
        };
        assert_eq!(styles(3).level("s2"), Some(2));
        assert_eq!(styles(2 * MOST_STYLES).0.len(), MOST_STYLES);
    }

    #[test]
    fn of_tracked_changes_the_newest_is_read() {
        let styles = Styles::read("<style styleId=\"h\"><name val=\"heading 2\"/></style>");
        let mut writer = Writer::new(&styles, 999);
        writer.part(
            "<p><pPr><pStyle val=\"h\"/><pPrChange><pPr><pStyle val=\"Normal\"/></pPr></pPrChange></pPr>\
             <r><t>Fees</t></r></p>\
             <p><moveFrom><r><t>Ten.</t></r></moveFrom></p><p><del><r><delText>Nine.</delText></r></del>\
             <moveTo><r><t>Ten.</t></r></moveTo></p>",
        );
        assert_eq!(writer.finish(), ("## Fees\n\nTen.".to_owned(), false));
    }

    #[test]
    fn cells_stand_in_their_columns() {
        let cell = |inner: &str| format!("<tc>{inner}</tc>");
        let words = |words: &str| cell(&format!("<p><r><t>{words}</t></r></p>"));
        let wide = |words: &str| {
            cell(&format!(
                "<tcPr><gridSpan val=\"2\"/></tcPr><p><r><t>{words}</t></r></p><p><t>each</t></p>"
            ))
        };
        let row = |cells: &[String]| format!("<tr>{}</tr>", cells.concat());
        let empty = cell("<tcPr><vMerge/></tcPr><p/>");
        for (rows, expected) in [
            (
                [
                    row(&[cell("<p/>"), words("2023"), words("2024")]),
                    row(&[words("Revenue"), words("5"), words("7")]),
                ],
                "|  | 2023 | 2024 |\n| Revenue | 5 | 7 |",
            ),
            (
                [
                    row(&[words("North"), words("May"), words("1")]),
                    row(&[empty, words("June"), "<tc/>".to_owned(), words("2")]),
                ],
                "| North | May | 1 |\n|  | June |  | 2 |",
            ),
            (
                [
                    row(&[words("a"), wide("b"), words("c")]),
                    format!("<tr><trPr><gridBefore val=\"3\"/></trPr>{}</tr>", words("d")),
                ],
                "| a | b each |  | c |\n|  |  |  | d |",
            ),
            (
                [
                    row(&[cell(&format!("<tbl>{}</tbl>", row(&[wide("in"), words("it")])))]),
                    row(&[words("a"), words("b")]),
                ],
                "| in each it |\n| a | b |",
            ),
        ] {
            let styles = Styles::default();
            let mut writer = Writer::new(&styles, 999);
            writer.part(&format!("<tbl>{}</tbl>", rows.concat()));
            assert_eq!(writer.finish(), (expected.to_owned(), false));
        }
    }

    #[test]
    fn a_row_counts_before_it_ends_and_so_do_its_cells() {
        let styles = Styles::default();
        let cell = "<tc><p><r><t>word</t></r></p></tc>";
        for (what, xml) in [
            (
                "paragraphs of one cell",
                format!("<tbl><tr><tc>{}", "<p><t>word</t></p>".repeat(9_000)),
            ),
            ("cells", format!("<tbl><tr>{}", cell.repeat(9_000))),
            ("cells without words", format!("<tbl><tr>{}<p>", "<tc></tc>".repeat(9_000))),
            ("tables within it", "<tbl><tr><tc><p><t>word</t></p>".repeat(9_000)),
            ("one paragraph", format!("<tbl><tr><tc><p><t>{}</t></p>", "wörd".repeat(9_000))),
            ("one without a table", format!("<p><t>{}</t></p>", "wörd".repeat(9_000))),
        ] {
            let mut writer = Writer::new(&styles, 5_000);
            writer.part(&xml);
            assert!(writer.truncated && writer.text.len() < 5_100, "{what}: {}", writer.text.len());
        }
        // Rows that have ended do not count twice.
        let mut writer = Writer::new(&styles, 5_000);
        writer.part(&format!("<tbl>{}</tbl>", format!("<tr>{cell}{cell}</tr>").repeat(300)));
        assert_eq!((writer.truncated, writer.text.len()), (false, 300 * 16 - 1));
    }

    #[test]
    fn of_a_property_that_is_a_book_its_beginning_is_read() {
        for book in ["a ".repeat(9_000), "a&amp;".repeat(9_000)] {
            let read = field(&format!("<title>{book}</title>"), "title").unwrap();
            assert_eq!(read.len(), FIELD);
        }
    }
}
