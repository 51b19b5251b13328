//! What a sentence offers as an answer: names, dates, amounts, places, reasons.
//!
//! Border: a sentence and what is asked in; how well it fits the kind, and the words that fit, out.

use super::kind::Kind;
use super::lexicon::{self, Dimension};
use super::words;
use std::collections::BTreeSet;
use std::ops::Range;

/// How well a sentence fits the kind of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Fit {
    /// It offers nothing of the kind.
    None,
    /// It may.
    Weak,
    /// It does.
    Strong,
}

/// What a sentence offers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    pub fit: Fit,
    /// Where words stand that may answer, where a rule can tell.
    pub spans: Vec<Span>,
}

/// A part of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// In bytes.
    pub bytes: Range<usize>,
    /// In words.
    pub words: Range<usize>,
    /// Whether it names what is counted.
    pub is_named: bool,
}

impl Offer {
    const fn of(fit: Fit) -> Self {
        Offer { fit, spans: Vec::new() }
    }

    pub(super) const fn none() -> Self {
        Offer::of(Fit::None)
    }

    pub(super) const fn weak() -> Self {
        Offer::of(Fit::Weak)
    }

    pub(super) const fn plain() -> Self {
        Offer::of(Fit::Strong)
    }

    /// Strong where there are such words, else as good as this.
    pub(super) const fn with(spans: Vec<Span>, otherwise: Fit) -> Self {
        let fit = if spans.is_empty() { otherwise } else { Fit::Strong };
        Offer { fit, spans }
    }
}

/// What a sentence is looked at for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted<'q> {
    pub kind: Kind,
    /// Words of the question, lower case: they answer nothing.
    pub asked: &'q BTreeSet<String>,
    /// Stems of what is to be counted.
    pub counted: &'q BTreeSet<String>,
}

/// A word of a sentence.
pub(super) struct Token {
    pub lower: String,
    pub at: Range<usize>,
    pub is_capital: bool,
    pub is_number: bool,
}

/// What a sentence offers.
pub(super) fn offer(text: &str, wanted: &Wanted<'_>) -> Offer {
    let tokens = tokens(text);
    let sentence = Sentence { text, tokens: &tokens, wanted };
    match wanted.kind {
        Kind::Time => sentence.time(),
        Kind::Count => sentence.count(),
        Kind::Amount(dimensions) => sentence.amount(dimensions),
        Kind::Person => sentence.person(),
        Kind::Place => sentence.place(),
        Kind::Reason => sentence.reason(),
        Kind::List => sentence.list(),
        Kind::Compare => sentence.compare(),
        Kind::Definition => sentence.definition(),
        Kind::Polar | Kind::Fact => Offer::weak(),
    }
}

fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    words::each_word(text, |word, at| {
        let first = text.get(at.clone()).and_then(|word| word.chars().next());
        tokens.push(Token {
            is_capital: first.is_some_and(char::is_uppercase),
            is_number: word.starts_with(|c: char| c.is_ascii_digit()),
            lower: std::mem::take(word),
            at,
        });
    });
    tokens
}

/// A sentence in words.
pub(super) struct Sentence<'s> {
    pub text: &'s str,
    pub tokens: &'s [Token],
    wanted: &'s Wanted<'s>,
}

impl Sentence<'_> {
    pub(super) fn token(&self, at: usize) -> Option<&Token> {
        self.tokens.get(at)
    }

    pub(super) fn lower(&self, at: usize) -> &str {
        self.token(at).map(|token| token.lower.as_str()).unwrap_or_default()
    }

    pub(super) fn before(&self, at: usize) -> &str {
        at.checked_sub(1).map(|at| self.lower(at)).unwrap_or_default()
    }

    /// From the beginning of one word to the end of another.
    pub(super) fn span(&self, from: usize, to: usize, is_named: bool) -> Option<Span> {
        let bytes = self.token(from)?.at.start..self.token(to)?.at.end;
        Some(Span { bytes, words: from..to + 1, is_named })
    }

    pub(super) fn is_asked(&self, word: &str) -> bool {
        self.wanted.asked.contains(word)
    }

    pub(super) fn is_year(&self, at: usize) -> bool {
        let word = self.lower(at);
        let is_year = word.len() == 4
            && word.bytes().all(|byte| byte.is_ascii_digit())
            && matches!(word.as_bytes().first(), Some(b'1' | b'2'));
        // `1200 tonnes` is no year.
        let unit = self.lower(at + 1);
        is_year && !Dimension::Weight.has_unit(unit) && !Dimension::Length.has_unit(unit)
    }

    pub(super) fn is_month(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| token.is_capital && lexicon::is_month(&token.lower))
    }

    fn is_number(&self, at: usize) -> bool {
        self.number(at).is_some()
    }

    /// The last word of the number that begins here. `186` in the question does not make two of `186 million`: a
    /// number is the question's own, and answers nothing, where all of its words are.
    fn number(&self, at: usize) -> Option<usize> {
        let token = self.token(at)?;
        if !token.is_number && !lexicon::is_number_word(&token.lower) {
            return None;
        }
        let to = self.number_end(at);
        let is_own = (at..=to).all(|at| self.is_asked(self.lower(at)));
        (!is_own).then_some(to)
    }

    /// Where the number ends that begins here: `1.2 million`, `twenty-three`.
    fn number_end(&self, from: usize) -> usize {
        let mut to = from;
        let is_word = |at: usize| {
            let word = self.lower(at);
            // `2019 six turbines` are two numbers.
            let is_scale = matches!(
                word,
                "hundred" | "thousand" | "million" | "billion" | "trillion" | "dozen"
            );
            is_scale || (lexicon::is_number_word(word) && lexicon::is_number_word(self.before(at)))
        };
        while is_word(to + 1) {
            to += 1;
        }
        to
    }

    fn count(&self) -> Offer {
        let is_counted = |word: &str| self.wanted.counted.contains(&words::stem(word));
        let mut spans: Vec<Span> = Vec::new();
        let mut loose = Fit::None;
        let mut at = 0;
        while at < self.tokens.len() {
            let is_one = matches!(self.lower(at), "no" | "one" | "several")
                && is_counted(self.lower(at + 1));
            let number = self.number(at).or(is_one.then_some(at)).filter(|_| !self.is_date(at));
            let Some(to) = number else {
                at += 1;
                continue;
            };
            let near = (to + 1..=to + 3).find(|at| is_counted(self.lower(*at)));
            let behind = (at.saturating_sub(3)..at).any(|at| is_counted(self.lower(at)));
            let has_unit = self.is_unit(to + 1);
            match near {
                Some(near) => spans.extend(self.span(at, near, true)),
                None if behind || !has_unit => spans.extend(self.span(at, to, behind)),
                None => loose = Fit::Weak,
            }
            at = to + 1;
        }
        if spans.iter().all(|span| !span.is_named) && !spans.is_empty() {
            return Offer { fit: Fit::Weak, spans };
        }
        Offer::with(spans, loose)
    }

    /// Whether a word measures something.
    fn is_unit(&self, at: usize) -> bool {
        const ALL: [Dimension; 7] = [
            Dimension::Length,
            Dimension::Area,
            Dimension::Duration,
            Dimension::Weight,
            Dimension::Temperature,
            Dimension::Money,
            Dimension::Share,
        ];
        ALL.iter().any(|dimension| dimension.has_unit(self.lower(at)))
    }

    /// Whether a number belongs to a date.
    fn is_date(&self, at: usize) -> bool {
        self.is_year(at) || self.is_month(at + 1) || (at > 0 && self.is_month(at - 1))
    }

    fn amount(&self, dimensions: &[Dimension]) -> Offer {
        if dimensions == [Dimension::Frequency] {
            return self.frequency();
        }
        let mut spans: Vec<Span> = Vec::new();
        let mut loose = Fit::None;
        let mut at = 0;
        while at < self.tokens.len() {
            let Some(to) = self.number(at) else {
                at += 1;
                continue;
            };
            let unit = self.lower(to + 1);
            // `How long is it?` asks for a length first.
            let is_second = |each: &Dimension| *each == Dimension::Duration && dimensions.len() > 1;
            let fits = |each: &&Dimension| self.fits(at, to, **each);
            match dimensions.iter().find(fits) {
                Some(dimension) if is_second(dimension) => loose = loose.max(Fit::Weak),
                Some(dimension) => {
                    let end = if dimension.has_unit(unit) { self.unit_end(to + 1) } else { to };
                    spans.extend(self.span(at, end, true));
                }
                None if self.is_date(at) => {}
                None if dimensions.is_empty() => {
                    let is_word = !unit.is_empty()
                        && unit.chars().all(char::is_alphabetic)
                        && !words::is_stop_word(unit);
                    let end = if is_word { self.unit_end(to + 1) } else { to };
                    spans.extend(self.span(at, end, self.is_unit(to + 1)));
                }
                None if unit.is_empty() || words::is_stop_word(unit) => {
                    loose = loose.max(Fit::Weak)
                }
                None => {}
            }
            at = to + 1;
        }
        Offer::with(spans, loose)
    }

    /// Whether the number of these words is an amount of a dimension.
    fn fits(&self, from: usize, to: usize, dimension: Dimension) -> bool {
        let unit = self.lower(to + 1);
        let sign = self.token(to).and_then(|token| self.text.get(token.at.end..));
        let sign = sign.map(str::trim_start).unwrap_or_default();
        match dimension {
            Dimension::Length if matches!(unit, "square" | "cubic") || self.is_rate(to + 1) => {
                false
            }
            Dimension::Money => {
                sign.starts_with(['€', '$', '£', '¥'])
                    || self.has_currency_before(from)
                    || dimension.has_unit(unit)
            }
            Dimension::Share => sign.starts_with('%') || dimension.has_unit(unit),
            Dimension::Temperature => sign.starts_with('°') || dimension.has_unit(unit),
            _ => dimension.has_unit(unit),
        }
    }

    /// Whether a unit goes on as that of a speed: `kilometres an hour`, `km/h`.
    fn is_rate(&self, unit: usize) -> bool {
        let next = self.lower(unit + 1);
        let joins = matches!(next, "an" | "a" | "per") && self.lower(unit + 2) != "half";
        (joins && Dimension::Duration.has_unit(self.lower(unit + 2))) || matches!(next, "h" | "s")
    }

    fn frequency(&self) -> Offer {
        let found = (0..self.tokens.len()).find(|at| self.is_frequency(*at));
        let Some(at) = found else { return Offer::none() };
        let end = match self.lower(at) {
            "every" | "each" if self.is_number(at + 1) => at + 2,
            "every" | "each" => at + 1,
            "once" | "twice" if matches!(self.lower(at + 1), "a" | "an" | "per" | "every") => {
                at + 2
            }
            _ if self.lower(at + 1) == "times"
                && matches!(self.lower(at + 2), "a" | "an" | "per") =>
            {
                at + 3
            }
            _ if self.lower(at + 1) == "to" && self.lower(at + 3) == "times" => at + 3,
            _ if self.lower(at + 1) == "times" => at + 1,
            _ => at,
        };
        Offer::with(self.span(at, end, true).into_iter().collect(), Fit::Weak)
    }

    /// `every 90 seconds`, `hourly`, `five times`, `twice`.
    fn is_frequency(&self, at: usize) -> bool {
        match self.lower(at) {
            "every" | "each" => {
                self.is_number(at + 1) || Dimension::Duration.has_unit(self.lower(at + 1))
            }
            "once" | "twice" | "hourly" | "daily" | "weekly" | "monthly" | "yearly"
            | "annually" => true,
            _ => self.is_number(at) && matches!(self.lower(at + 1), "times" | "to"),
        }
    }

    /// `square kilometres` and `kilometres an hour` are longer than a word.
    fn unit_end(&self, unit: usize) -> usize {
        match (self.lower(unit), self.lower(unit + 1)) {
            ("square" | "cubic" | "nautical", _) => unit + 1,
            (_, "an" | "a" | "per")
                if self.token(unit + 2).is_some_and(|token| !token.is_capital) =>
            {
                unit + 2
            }
            _ => unit,
        }
    }

    fn has_currency_before(&self, at: usize) -> bool {
        let before = self.token(at).and_then(|token| self.text.get(..token.at.start));
        before.is_some_and(|before| before.trim_end().ends_with(['€', '$', '£', '¥', '₹']))
    }

    fn reason(&self) -> Offer {
        for at in 0..self.tokens.len() {
            let (word, next) = (self.lower(at), self.lower(at + 1));
            let strong = matches!(
                word,
                "because"
                    | "therefore"
                    | "thus"
                    | "hence"
                    | "reason"
                    | "reasons"
                    | "caused"
                    | "prevent"
                    | "cause"
                    | "causes"
                    | "explained"
            ) || matches!(
                (word, next),
                ("due", "to")
                    | ("owing", "to")
                    | ("so", "that")
                    | ("in", "order")
                    | ("as", "a")
                    | ("result", "of")
                    | ("thanks", "to")
                    | ("since", "the")
            );
            if strong {
                return Offer::plain();
            }
        }
        let weak = (0..self.tokens.len()).any(|at| match self.lower(at) {
            "after" | "when" | "led" | "so" | "since" | "avoid" | "concluded" => true,
            "to" | "for" => {
                self.token(at + 1).is_some_and(|next| !next.is_number && !next.is_capital)
            }
            _ => false,
        });
        if weak { Offer::weak() } else { Offer::none() }
    }

    /// `A starter is …`, with what was asked for before the verb.
    fn definition(&self) -> Offer {
        const REACH: usize = 12;
        let verb = (1..REACH).find(|at| {
            matches!(self.lower(*at), "is" | "are" | "was" | "were" | "means" | "refers")
        });
        // `Ada Lovelace, the daughter of …`
        let is_asked =
            |at: usize| self.is_asked(self.lower(at)) && !words::is_stop_word(self.lower(at));
        let beside = (1..REACH).any(|at| {
            let gap = self
                .token(at - 1)
                .zip(self.token(at))
                .and_then(|(before, token)| self.text.get(before.at.end..token.at.start));
            is_asked(at - 1)
                && gap.is_some_and(|gap| gap.starts_with([',', '(']))
                && matches!(self.lower(at), "a" | "an" | "the" | "its" | "his" | "her" | "born")
        });
        if beside {
            return Offer::plain();
        }
        let Some(verb) = verb else { return Offer::none() };
        let subject = (0..verb)
            .any(|at| self.is_asked(self.lower(at)) && !words::is_stop_word(self.lower(at)));
        match self.lower(verb + 1) {
            "a" | "an" | "the" | "one" | "any" if subject => Offer::plain(),
            _ if subject => Offer::weak(),
            _ => Offer::none(),
        }
    }

    fn list(&self) -> Offer {
        let parts = self.text.matches([',', ';', '\t']).count();
        match parts {
            0 => Offer::none(),
            1 => Offer::weak(),
            _ => Offer::plain(),
        }
    }

    fn compare(&self) -> Offer {
        let compares = self.tokens.iter().any(|token| {
            matches!(
                token.lower.as_str(),
                "than" | "against" | "compared" | "whereas" | "while" | "twice" | "unlike" | "both"
            )
        });
        let numbers = self.tokens.iter().filter(|token| token.is_number).count();
        match (compares, numbers) {
            (true, _) => Offer::plain(),
            (false, 1..) => Offer::weak(),
            _ => Offer::none(),
        }
    }
}
