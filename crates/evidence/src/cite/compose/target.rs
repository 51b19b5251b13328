//! What becomes of brackets and of where they lead: markers, words, or a way to elsewhere that nobody shall be led.

use super::super::known::{Known, Meant};
use super::super::label::{Label, Numbers};
use super::super::links::{leads_elsewhere, stays};
use super::super::scan::Scanned;
use super::{Answer, Out};

impl Answer {
    /// Words in brackets are words; what they hold may still be an address.
    fn words(&mut self, raw: &str, known: &Known, out: &mut Vec<Out>) {
        let mut characters = raw.chars();
        if let Some(first) = characters.next() {
            self.take(Scanned::Text(first), known, out);
        }
        self.within(characters.as_str(), known, out);
    }

    /// What stands behind an opening bracket that was looked at already: it has only addresses and code.
    fn within(&mut self, text: &str, known: &Known, out: &mut Vec<Out>) {
        let mut inner = self.scanner.inner();
        let mut scanned = Vec::new();
        for c in text.chars() {
            match c {
                '[' | '【' | '［' | '〔' => scanned.push(Scanned::Text(c)),
                _ => inner.step(c, &mut scanned),
            }
        }
        inner.finish(&mut scanned);
        for part in scanned {
            match part {
                Scanned::Bracket { raw, .. } => {
                    raw.chars().for_each(|c| self.take(Scanned::Text(c), known, out));
                }
                part => self.take(part, known, out),
            }
        }
        self.end_word(known, out);
    }

    pub(super) fn bracket(
        &mut self,
        raw: &str,
        label: &str,
        target: Option<String>,
        known: &Known,
        out: &mut Vec<Out>,
    ) {
        let address = target.as_deref().map(address);
        let is_elsewhere = address.is_some_and(leads_elsewhere);
        let read = match Label::read(label, known) {
            _ if known.is_unsourced() => Label::Words,
            // Before words in parentheses, or beside what has elements, numbers are what they are.
            Label::Numbers(_) if target.is_some() && !is_elsewhere => Label::Words,
            Label::Numbers(numbers) if target.is_none() && self.are_numbers(&numbers, known) => {
                Label::Words
            }
            read => read,
        };
        // Brackets that are to be seen as such are names of passages, or words. An address behind them may still be that
        // of a link, which began before them.
        let is_seen = raw.starts_with(['\\', '〔']) && !is_elsewhere;
        if is_seen && !matches!(read, Label::Marker(..)) {
            return self.words(raw, known, out);
        }
        let linked = address.and_then(|address| known.by_address(address));
        match (read, linked) {
            (Label::Marker(targets, unknown), _) => {
                unknown.into_iter().for_each(|name| self.remove(name));
                self.cite(&targets, known, out);
            }
            (Label::Number | Label::Numbers(_), Some(target)) => self.cite(&[target], known, out),
            (Label::Words, Some(target)) => {
                self.joint.take_out();
                self.within(label, known, out);
                self.cite(&[target], known, out);
            }
            // Where nothing can be cited, or behind what has parts, a number is an index.
            (Label::Number, None)
                if address.is_none()
                    && (known.passages().is_empty()
                        || self.sentence.is_counted(self.next, !self.blanks.is_empty())) =>
            {
                self.words(raw, known, out);
            }
            (Label::Number | Label::Numbers(_), None) => {
                self.remove(address.unwrap_or(label).to_owned())
            }
            (Label::Words, None) if is_elsewhere && !target.as_deref().is_some_and(is_words) => {
                let address = address.unwrap_or_default();
                if label.is_empty() {
                    return self.take(Scanned::Address(address.to_owned()), known, out);
                }
                // Its words stay, and what stood around them does not.
                self.joint.take_out();
                self.within(label, known, out);
                self.joint.take_out();
                self.elsewhere(address, known, out);
            }
            (Label::Words, None) if target.is_some() => {
                self.near(raw, &target.unwrap_or_default(), known, out);
            }
            (Label::Words, None) => match known.meant_by(label) {
                Meant::Target(target) => self.cite(&[target], known, out),
                // At the beginning of a line it is what the line is about.
                Meant::Nothing if !self.sentence.is_empty() => self.remove(label.to_owned()),
                Meant::Nothing | Meant::Words => self.words(raw, known, out),
            },
        }
    }

    /// Whether several numbers in brackets are a list or a range, and no citations of others.
    fn are_numbers(&self, numbers: &Numbers, known: &Known) -> bool {
        let has_blank = !self.blanks.is_empty();
        known.passages().is_empty()
            || self.sentence.lists()
            || self.sentence.is_counted(self.next, has_blank)
            || (numbers.is_wide && self.next == Some(' '))
    }

    /// What closes the words of a link stays, and where it leads goes, or becomes a number.
    pub(super) fn tail(&mut self, raw: &str, target: &str, known: &Known, out: &mut Vec<Out>) {
        raw.chars().take(1).for_each(|c| self.take(Scanned::Text(c), known, out));
        let address = address(target);
        match known.by_address(address) {
            Some(target) => self.cite(&[target], known, out),
            None if leads_elsewhere(address) => {
                self.joint.take_out();
                self.elsewhere(address, known, out);
            }
            None => self.target(target, known, out),
        }
    }

    /// Where the words before it would have led.
    fn elsewhere(&mut self, address: &str, known: &Known, out: &mut Vec<Out>) {
        if !known.is_unsourced() {
            return self.count_unknown(address.to_owned());
        }
        if self.blanks.is_empty() && self.length > 0 {
            self.blanks.push(' ');
        }
        self.show_address(address, known, out);
    }

    /// Shows an address as code, which nobody is led by. Where it is not sure that all see code there, it is taken out.
    pub(super) fn show_address(&mut self, address: &str, known: &Known, out: &mut Vec<Out>) {
        // An empty line ends the paragraph of a backtick before it.
        self.has_tick &= !self.is_new_block();
        if self.has_tick || !self.scanner.is_trusted() || address.contains('`') {
            return self.remove(address.to_owned());
        }
        self.count_unknown(address.to_owned());
        self.give_brackets(known, out);
        self.begin('`', known, out);
        self.joint.part_code();
        // A bar would end a cell of a table, in code as well.
        let code = format!("`{}`", address.replace('|', "%7C"));
        for c in code.chars() {
            self.give(c, out);
            self.sentence.push_code(c);
        }
        self.say(out);
        self.joint.take_out();
    }

    /// A link that leads to no other place, or words in brackets before some in parentheses.
    fn near(&mut self, raw: &str, target: &str, known: &Known, out: &mut Vec<Out>) {
        let words = raw.len().saturating_sub(target.len() + "()".len());
        self.words(raw.get(..words).unwrap_or_default(), known, out);
        self.target(target, known, out);
    }

    /// Parentheses behind a bracket that stay there.
    fn target(&mut self, target: &str, known: &Known, out: &mut Vec<Out>) {
        if stays(target) {
            let whole = ["(", target, ")"];
            let whole = whole.iter().flat_map(|part| part.chars());
            return whole.for_each(|c| self.take(Scanned::Text(c), known, out));
        }
        self.take(Scanned::Dead('('), known, out);
        self.within(target, known, out);
        self.take(Scanned::Text(')'), known, out);
    }

    /// A sign that shall begin nothing: a backslash says so, but not in markup or in code, of which a blank makes text.
    pub(super) fn dead(&mut self, c: char, is_sure: bool, known: &Known, out: &mut Vec<Out>) {
        self.give_brackets(known, out);
        // What it would make a name of was taken out. Behind dashes it would make a table's head of the line above.
        if c == ':' && self.is_gap && !self.sentence.is_rule() {
            return self.character(c, known, out);
        }
        self.begin(c, known, out);
        let signs: &[char] = match c {
            '<' if !is_sure || self.joint.is_escaped() => &['<', ' '],
            _ if self.joint.is_escaped() => &[' ', '\\', c],
            _ => &['\\', c],
        };
        signs.iter().for_each(|c| self.give(*c, out));
        self.sentence.push(c);
    }
}

/// Whether parentheses hold more than an address and a title, and so are those of no link, whoever shows them. Behind an
/// address of the web they are meant as one.
fn is_words(target: &str) -> bool {
    let mut words = target.split_whitespace();
    if words.next().is_some_and(|first| first.contains("//") || first.contains("www.")) {
        return false;
    }
    let second = words.next().is_some_and(|word| !word.starts_with(['"', '\'', '(']));
    second && !target.contains(['<', '`', '\\', '"', '\''])
}

/// Where a link leads that has this in its parentheses.
fn address(target: &str) -> &str {
    target.split_whitespace().next().unwrap_or_default().trim_matches(['<', '>'])
}
