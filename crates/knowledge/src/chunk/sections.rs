//! Sections: what stands under one heading, or one paragraph of a text without headings.
//!
//! Border: a text in; ranges of bytes out, one after the other and without gaps. Nothing is gathered, so a million
//! headings take no memory, and each line is looked at once. Of Markdown only headings and fences matter here, so
//! there is no parser: the usual ones build a tree of all that a document says.

use memchr::memchr;
use std::ops::Range;

/// A heading of Markdown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    /// 1 is the outermost, 6 the innermost.
    pub level: usize,
    /// Where its words stand.
    pub title: Range<usize>,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// All of it, its heading included.
    pub range: Range<usize>,
    /// Its heading, where it has one.
    pub heading: Option<Heading>,
    /// Whether anything but blanks stands under its heading.
    pub has_body: bool,
}

/// The sections of a text, in order.
pub struct Sections<'t> {
    text: &'t str,
    markdown: bool,
    at: usize,
    open: Section,
    /// The sign of a fence that is open, and how often it stands there.
    fence: Option<(u8, usize)>,
    /// The line before, where a line under it may make it a heading.
    above: Option<Range<usize>>,
    done: bool,
}

impl<'t> Sections<'t> {
    /// Those of Markdown, or of a text whose paragraphs stand for themselves.
    #[must_use]
    pub const fn new(text: &'t str, markdown: bool) -> Sections<'t> {
        let open = Section { range: 0..0, heading: None, has_body: false };
        Sections { text, markdown, at: 0, open, fence: None, above: None, done: false }
    }

    /// Ends the open section there and begins another.
    fn part(&mut self, at: usize, heading: Option<Heading>) -> Section {
        let next = Section { range: at..at, heading, has_body: false };
        let mut section = std::mem::replace(&mut self.open, next);
        section.range.end = at;
        section
    }

    /// Takes a line. Returns the section that it ends.
    fn line(&mut self, line: &Range<usize>) -> Option<Section> {
        let text = self.text.get(line.clone()).unwrap_or_default();
        let is_blank = text.trim().is_empty();
        if !self.markdown {
            // A paragraph ends behind the blank lines that follow it.
            let ends = !is_blank && self.above.is_none() && self.open.has_body;
            self.above = (!is_blank).then(|| line.clone());
            let ended = ends.then(|| self.part(line.start, None));
            self.open.has_body |= !is_blank;
            return ended;
        }
        let above = self.above.take();
        if self.is_fenced(text) {
            self.open.has_body = true;
            return None;
        }
        if let Some(heading) = atx(text, line.start) {
            return Some(self.part(line.start, Some(heading)));
        }
        if let (Some(above), Some(level)) = (above, underline(text)) {
            let title = trimmed(self.text, above.clone());
            return Some(self.part(above.start, Some(Heading { level, title })));
        }
        self.open.has_body |= !is_blank;
        let may_be_title = !is_blank
            && !text.starts_with([' ', '\t', '-', '*', '+', '>', '|', '#', '='])
            && self.is_alone(line.start);
        self.above = may_be_title.then(|| line.clone());
        None
    }

    /// Whether the line before a place is blank, or there is none.
    fn is_alone(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or_default();
        start == self.open.range.start || before.is_empty() || before.ends_with("\n\n")
    }

    /// Whether a line belongs to a fence, or opens or closes one.
    fn is_fenced(&mut self, line: &str) -> bool {
        let inner = line.trim_start_matches(' ');
        let sign = inner.bytes().next().filter(|sign| matches!(sign, b'`' | b'~'));
        let count = sign.map_or(0, |sign| inner.bytes().take_while(|byte| *byte == sign).count());
        let rest = inner.get(count..).unwrap_or_default().trim();
        let shallow = line.len() - inner.len() < 4;
        match (self.fence, sign) {
            (Some((open, least)), Some(sign))
                if sign == open && count >= least && rest.is_empty() =>
            {
                self.fence = None;
                true
            }
            (Some(_), _) => true,
            (None, Some(sign))
                if shallow && count >= 3 && !(sign == b'`' && rest.contains('`')) =>
            {
                self.fence = Some((sign, count));
                true
            }
            _ => false,
        }
    }
}

impl Iterator for Sections<'_> {
    type Item = Section;

    fn next(&mut self) -> Option<Section> {
        while self.at < self.text.len() {
            let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
            let end = memchr(b'\n', rest).map_or(self.text.len(), |end| self.at + end + 1);
            let line = self.at..end;
            self.at = end;
            let ended = self.line(&line).filter(|section| !section.range.is_empty());
            if ended.is_some() {
                return ended;
            }
        }
        if std::mem::replace(&mut self.done, true) {
            return None;
        }
        Some(self.part(self.text.len(), None)).filter(|section| !section.range.is_empty())
    }
}

/// A heading that begins with its signs.
fn atx(line: &str, start: usize) -> Option<Heading> {
    let inner = line.trim_start_matches(' ');
    let indent = line.len() - inner.len();
    let level = inner.bytes().take_while(|byte| *byte == b'#').count();
    let rest = inner.get(level..)?;
    let is_heading = indent < 4 && (1..=6).contains(&level);
    if !is_heading || !(rest.is_empty() || rest.starts_with([' ', '\t', '\n'])) {
        return None;
    }
    let title = rest.trim().trim_end_matches('#').trim_end();
    let from = start + indent + level + (rest.len() - rest.trim_start().len());
    Some(Heading { level, title: from..from + title.len() })
}

/// The level that a line gives to the one above it.
fn underline(line: &str) -> Option<usize> {
    let line = line.trim_end();
    let all = |sign: u8| line.len() >= 3 && line.bytes().all(|byte| byte == sign);
    if all(b'=') { Some(1) } else { all(b'-').then_some(2) }
}

/// A range without the blanks at its ends.
pub fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = text.get(range.clone()).unwrap_or_default();
    let start = range.start + (inner.len() - inner.trim_start().len());
    start..start + inner.trim().len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn titles(text: &str) -> Vec<(usize, &str)> {
        let headings = Sections::new(text, true).filter_map(|section| section.heading);
        headings.map(|heading| (heading.level, &text[heading.title])).collect()
    }

    #[test]
    fn headings_are_those_that_readers_see() {
        let text = "intro\n\n# One #\n\n## Two\ntext\n\nThree\n=====\n\nFour\n---\n\n  ### Five\n#no\n####### no\n\n\
            ```sh\n# comment\n```\n\n    # code\n\n| a |\n---\n\n- item\n---\n";
        assert_eq!(titles(text), [(1, "One"), (2, "Two"), (1, "Three"), (2, "Four"), (3, "Five")]);
        assert_eq!(titles("~~~\n# a\n```\n# b\n"), [], "a fence that nobody closes");
        assert_eq!(titles("#\n# \n"), [(1, ""), (1, "")]);
    }

    #[test]
    fn a_text_parts_at_its_paragraphs() {
        let text = "\none\none\n\n\ntwo\n \nthree";
        let parts: Vec<&str> =
            Sections::new(text, false).map(|section| &text[section.range]).collect();
        assert_eq!(parts, ["\none\none\n\n\n", "two\n \n", "three"]);
    }

    proptest! {
        #[test]
        fn sections_are_the_whole_text_in_order(text in "([#=`~ -]{0,4}[aé]{0,2}\n{0,2}){0,20}", markdown: bool) {
            let joined: String = Sections::new(&text, markdown).map(|section| &text[section.range]).collect();
            prop_assert_eq!(joined, text);
        }
    }
}
