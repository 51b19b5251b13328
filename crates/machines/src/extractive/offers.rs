//! What a sentence offers as an answer: names, dates, amounts, places, reasons.
//!
//! Border: a sentence and what is asked in; how well it fits the kind, and the words that fit, out.

use super::kind::Kind;
use super::lexicon::{self, Dimension};
use super::lines;
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

impl Fit {
    /// What a sentence counts that fits so, where this is asked.
    pub(super) const fn worth(self, kind: Kind) -> f64 {
        let (none, weak, strong) = match kind {
            Kind::Time | Kind::Count | Kind::Amount(_) => (0.6, 1.0, 1.35),
            Kind::Person => (0.8, 1.0, 1.2),
            Kind::Place => (0.9, 1.0, 1.1),
            Kind::Reason => (0.8, 1.0, 1.4),
            Kind::List => (0.9, 1.0, 1.15),
            Kind::Compare => (0.8, 1.0, 1.2),
            Kind::Definition => (0.9, 1.0, 1.3),
            Kind::Polar | Kind::Fact => (1.0, 1.0, 1.0),
        };
        match self {
            Fit::None => none,
            Fit::Weak => weak,
            Fit::Strong => strong,
        }
    }
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
    /// Where its unit stands in bytes, if it stands elsewhere in the sentence: `50 minutes there and 65 back`.
    pub unit: Option<Range<usize>>,
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
    /// Whether it is asked by how much something went up or down.
    pub is_of_change: bool,
}

/// Signs behind which another thing is spoken of.
const MARKS: [char; 14] = [',', ';', '.', ':', '(', ')', '–', '—', '\t', '|', '?', '!', '…', '"'];

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
    let offer = match wanted.kind {
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
    };
    if wanted.kind.is_figure() { sentence.changed(offer) } else { offer }
}

/// What a text offers a question, in its words, and how well it fits. `counted`: nouns that are to be counted.
#[cfg(test)]
pub(super) fn found(question: &str, counted: &[&str], text: &str) -> (Fit, Vec<String>) {
    let all = words::words(question);
    let kind = Kind::of(&all);
    let is_of_change = super::changes::asks_for_change(&all, kind);
    let counted: BTreeSet<String> = counted.iter().map(|noun| words::stem(noun)).collect();
    let asked: BTreeSet<String> = all.into_iter().collect();
    let offer = offer(text, &Wanted { kind, asked: &asked, counted: &counted, is_of_change });
    (offer.fit, said(text, &offer.spans))
}

/// Spans in the words of their text.
#[cfg(test)]
pub(super) fn said(text: &str, spans: &[Span]) -> Vec<String> {
    spans.iter().filter_map(|span| text.get(span.bytes.clone())).map(str::to_owned).collect()
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
    pub wanted: &'s Wanted<'s>,
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

    /// From the beginning of one word to the end of another, with the sign that says what it is: `€12`, `48 %`.
    pub(super) fn span(&self, from: usize, to: usize, is_named: bool) -> Option<Span> {
        const SIGNS: [char; 6] = ['%', '€', '$', '£', '¥', '₹'];
        let (start, end) = (self.token(from)?.at.start, self.token(to)?.at.end);
        let before = self.text.get(..start)?;
        let bare = before.strip_suffix(SIGNS).unwrap_or(before);
        let behind = self.text.get(end..)?;
        let sign = behind.trim_start_matches([' ', '\u{a0}']);
        // `In 2019 £300 was spent`: that sign is the next amount's.
        let is_own = |rest: &&str| !rest.trim_start().starts_with(|c: char| c.is_ascii_digit());
        let rest = sign.strip_prefix(SIGNS).filter(is_own).unwrap_or(behind);
        // `fell to -20 °C`, but not `10-20 °C`.
        let signed = bare.strip_suffix(['-', '−']).unwrap_or(bare);
        let begins = signed.is_empty() || signed.ends_with([' ', '\u{a0}', '(', '\t']);
        let bare = if begins { signed } else { bare };
        let bytes = bare.len()..end + behind.len() - rest.len();
        Some(Span { bytes, words: from..to + 1, is_named, unit: None })
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

    pub(super) fn is_number(&self, at: usize) -> bool {
        self.number(at).is_some()
    }

    /// The last word of the number that begins here. `186` in the question does not make two of `186 million`: a
    /// number is the question's own, and answers nothing, where all of its words are.
    pub(super) fn number(&self, at: usize) -> Option<usize> {
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
        // `five; two more` are two as well.
        while self.is_joined(to + 1) && is_word(to + 1) {
            to += 1;
        }
        to
    }

    /// Whether a word measures something.
    pub(super) fn is_unit(&self, at: usize) -> bool {
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

    /// Whether a word goes on with the one before it: no mark and no cell of a table stands between them.
    pub(super) fn is_joined(&self, at: usize) -> bool {
        self.gap(at).is_some_and(|gap| !gap.contains(MARKS))
    }

    /// What stands between a word and the one before it.
    pub(super) fn gap(&self, at: usize) -> Option<&str> {
        let before = self.token(at.checked_sub(1)?)?;
        self.text.get(before.at.end..self.token(at)?.at.start)
    }

    /// Whether nothing joins a word to the next.
    pub(super) fn ends_clause(&self, at: usize) -> bool {
        !self.is_joined(at + 1)
    }

    /// Whether a number is a part of a time of day: `18:00`, `2 am`.
    pub(super) fn is_clock(&self, at: usize) -> bool {
        let is_number = |at: usize| self.token(at).is_some_and(|token| token.is_number);
        let is_half = |at: usize| self.gap(at) == Some(":") && is_number(at);
        let is_told = |at: usize| {
            let said = (self.lower(at), self.lower(at + 1));
            matches!(said, ("am" | "pm", _) | ("a" | "p", "m") | ("o", "clock"))
        };
        // `from 2 to 4 pm`
        let begins = matches!(self.lower(at + 1), "to" | "and" | "until") && is_number(at + 2);
        let is_hour = is_told(at + 1) || (begins && is_told(at + 3));
        is_number(at)
            && (is_hour || is_half(at + 1) || (is_half(at) && at > 0 && is_number(at - 1)))
    }

    /// Whether a number belongs to a date.
    pub(super) fn is_date(&self, at: usize) -> bool {
        self.is_year(at) || self.is_month(at + 1) || (at > 0 && self.is_month(at - 1))
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
            "after" | "when" | "led" | "so" | "since" | "avoid" | "concluded" | "until" => true,
            "to" | "for" => self.token(at + 1).is_some_and(|next| {
                let is_number = next.is_number || lexicon::is_number_word(&next.lower);
                !is_number && !next.is_capital
            }),
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
        match parts + lines::further_entries(self.text) {
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
