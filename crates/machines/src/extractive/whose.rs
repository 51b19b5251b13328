//! Whose figures, days and names a sentence tells: `Reed scored 3 goals and Marsh scored 5`, `his wife died in 2001`.
//!
//! Border: a sentence with what may answer and a part of a question in; what is said of another out. Where nothing tells
//! of whom something is said, it stays.

use super::gather::Candidate;
use super::kind::{Kind, is_auxiliary};
use super::lexicon;
use super::offers::Span;
use super::question::Part;
use super::words;
use quarry_types::order::Gather;
use std::collections::BTreeSet;
use std::ops::Range;

/// Words that stand before what a sentence speaks of.
const LEADING: [&str; 17] = [
    "a", "also", "an", "and", "as", "but", "later", "long", "many", "much", "so", "than", "that",
    "the", "then", "twice", "while",
];

/// Words that tie a name to what stands before it, so that nothing is said of it.
const TYING: [&str; 24] = [
    "about", "after", "at", "before", "between", "by", "during", "for", "from", "in", "into",
    "near", "of", "off", "on", "over", "since", "through", "to", "toward", "towards", "under",
    "until", "with",
];

/// A word of a sentence.
struct Word {
    lower: String,
    is_capital: bool,
    /// What stands between it and the one before.
    gap: String,
}

/// Of whom a member of a sentence tells something.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Owner {
    /// Of these, by the stems of their names.
    Named(BTreeSet<String>),
    /// Of what somebody has: `his wife`.
    Possessed,
    /// Of something without a name that the question does not speak of.
    Common,
    /// It does not say.
    Untold,
}

/// A sentence in words, and the names of a question.
struct Sentence<'c> {
    words: Vec<Word>,
    /// Places of words that the question has, but for its names.
    said: BTreeSet<usize>,
    asked: BTreeSet<String>,
    part: &'c Part,
}

impl<'c> Sentence<'c> {
    fn of(candidate: &Candidate<'_>, part: &'c Part) -> Self {
        let text = candidate.text();
        let (mut words, mut end) = (Vec::new(), 0);
        words::each_word(text, |word, at| {
            let first = text.get(at.clone()).and_then(|word| word.chars().next());
            words.push(Word {
                lower: std::mem::take(word),
                is_capital: first.is_some_and(char::is_uppercase),
                gap: text.get(end..at.start).unwrap_or_default().to_owned(),
            });
            end = at.end;
        });
        let own = candidate
            .inside
            .iter()
            .filter(|hit| part.weights.contains_key(&hit.term) && !part.names.contains(&hit.term));
        let said = own.map(|hit| hit.place).gather();
        Sentence { words, said, asked: names_of(&part.text), part }
    }

    fn lower(&self, at: usize) -> &str {
        self.words.get(at).map(|word| word.lower.as_str()).unwrap_or_default()
    }

    fn is_marked(&self, at: usize) -> bool {
        let marks = [',', ';', ':', '(', ')', '–', '—'];
        self.words.get(at).is_some_and(|word| word.gap.contains(marks))
    }

    fn is_number(&self, at: usize) -> bool {
        let word = self.lower(at);
        word.starts_with(|c: char| c.is_ascii_digit()) || lexicon::is_number_word(word)
    }

    fn is_verb(&self, at: usize) -> bool {
        let word = self.lower(at);
        let is_capital = self.words.get(at).is_some_and(|word| word.is_capital) && at > 0;
        let is_form = lexicon::ends_as_done(word) || lexicon::base(word).is_some();
        is_auxiliary(word) || (is_form && !words::is_many(word) && !is_capital)
    }

    /// Whether a word is a name, or of one. The first word is large in any case.
    fn is_name(&self, at: usize) -> bool {
        let word = self.lower(at);
        let is_capital = self.words.get(at).is_some_and(|word| word.is_capital);
        let is_other = words::is_stop_word(word)
            || lexicon::is_month(word)
            || lexicon::is_weekday(word)
            || (self.said.contains(&at) && !self.asked.contains(&words::stem(word)))
            || word.starts_with(|c: char| c.is_ascii_digit());
        let begins = at > 0
            || self.asked.contains(&words::stem(word))
            || (!words::is_many(word) && self.is_name_behind(1));
        is_capital && !is_other && begins
    }

    /// Whether what stands behind the first word shows that it is a name: `Ann Marsh`, `Lund has`.
    fn is_name_behind(&self, at: usize) -> bool {
        let next = self.words.get(at);
        next.is_some_and(|next| next.is_capital) || (self.is_verb(at) && !self.is_marked(at))
    }

    /// The members of the sentence.
    fn pieces(&self) -> Vec<Range<usize>> {
        let joins = |at: usize| {
            matches!(
                self.lower(at),
                "and" | "as" | "but" | "than" | "whereas" | "which" | "while" | "who" | "whose"
            )
        };
        let mut begins: Vec<usize> = vec![0];
        begins.extend((1..self.words.len()).filter(|at| self.is_marked(*at) || joins(*at)));
        let ends = begins.iter().skip(1).copied().chain([self.words.len()]);
        begins.iter().copied().zip(ends).map(|(begin, end)| begin..end).collect()
    }

    /// The run of names that begins here.
    fn run(&self, at: usize, end: usize) -> BTreeSet<String> {
        let of = |at: &usize| {
            let is_tie = matches!(self.lower(*at), "de" | "la" | "van" | "von" | "der");
            self.is_name(*at) || is_tie
        };
        (at..end).take_while(of).map(|at| words::stem(self.lower(at))).gather()
    }

    /// Of whom the words of a member begin to tell.
    fn owner(&self, piece: &Range<usize>) -> Owner {
        let mut is_known = false;
        for at in piece.clone() {
            let word = self.lower(at);
            if is_whose(word) && (piece.start..at).all(|at| LEADING.contains(&self.lower(at))) {
                return self.possessed(word, at + 1..piece.end);
            }
            if self.is_name(at) {
                return Owner::Named(self.run(at, piece.end));
            }
            let is_end = self.is_verb(at) || self.is_number(at) || TYING.contains(&word);
            let is_begin = (piece.start..at).all(|at| LEADING.contains(&self.lower(at)));
            if TYING.contains(&word) && at == piece.start {
                return self.behind_front(piece).unwrap_or(Owner::Untold);
            }
            if is_end {
                return if is_begin || is_known { Owner::Untold } else { Owner::Common };
            }
            is_known |= self.said.contains(&at) || is_vague(word);
        }
        Owner::Untold
    }

    /// Whose name stands right before the verb, where something leads to it: `In the final Tom Reed scored`.
    fn behind_front(&self, piece: &Range<usize>) -> Option<Owner> {
        let verb = piece.clone().find(|at| self.is_verb(*at))?;
        let names = (piece.start..verb).rev().take_while(|at| self.is_name(*at));
        let first = names.last().filter(|first| *first > piece.start)?;
        let lead = self.lower(first - 1);
        let is_tied = TYING.contains(&lead) || LEADING.contains(&lead);
        (!is_tied).then(|| Owner::Named(self.run(first, verb)))
    }

    /// What somebody has is what was asked for where the question has a word for it.
    fn possessed(&self, whose: &str, behind: Range<usize>) -> Owner {
        // A part of a thing may be as tall as the thing, and opens on a day of its own.
        if matches!(whose, "its" | "their") && self.part.kind != Kind::Time {
            return Owner::Untold;
        }
        let is_end =
            |at: &usize| self.is_number(*at) || (self.is_verb(*at) && !self.said.contains(at));
        let end = behind.clone().find(is_end).unwrap_or(behind.end);
        let is_bare = behind.start >= end || self.is_number(behind.start);
        // `his death in 1950`, `her 3 goals`
        let is_asked = (behind.start..end).any(|at| self.said.contains(&at) && !self.is_verb(at));
        if is_bare || is_asked { Owner::Untold } else { Owner::Possessed }
    }

    /// Of whom each member tells. One that says nothing of it goes on with what the sentence speaks of.
    fn owners(&self, pieces: &[Range<usize>]) -> Vec<Owner> {
        let mut owners: Vec<Owner> = Vec::new();
        let mut main = Owner::Untold;
        for (place, piece) in pieces.iter().enumerate() {
            let has_verb = piece.clone().any(|at| self.is_verb(at));
            let before = place.checked_sub(1).and_then(|at| pieces.get(at));
            let last = before.map(|before| self.last_name(before)).unwrap_or_default();
            let own = match (self.owner(piece), self.lower(piece.start)) {
                (Owner::Untold | Owner::Common, "which" | "who") if last.is_empty() => {
                    Owner::Common
                }
                (Owner::Untold | Owner::Common, "which" | "who") => Owner::Named(last),
                // `Tom Reed, mayor since 1990`
                (Owner::Untold | Owner::Common, first)
                    if !has_verb && !last.is_empty() && self.may_be_noun(piece.start, first) =>
                {
                    Owner::Named(last)
                }
                (own, _) => own,
            };
            let joins = self.lower(piece.start) == "and"
                && before.is_some_and(|before| {
                    !before.clone().any(|at| self.is_verb(at) || self.is_number(at))
                });
            let own = match (own, owners.last()) {
                // `Tom Reed and Ann Marsh scored`
                (Owner::Named(own), Some(Owner::Named(before))) if joins => {
                    Owner::Named(own.union(before).cloned().gather())
                }
                (own, _) => own,
            };
            let is_aside = matches!(self.lower(piece.start), "which" | "who" | "whose");
            let own = if own == Owner::Untold { main.clone() } else { own };
            // `Her largest picture, Quay at Night, was sold`
            let names_it = main == Owner::Possessed && self.count(&own) > 0;
            if !is_aside && (has_verb || place == 0 || joins || names_it) {
                main = own.clone();
            }
            owners.push(own);
        }
        owners
    }

    fn may_be_noun(&self, at: usize, word: &str) -> bool {
        !TYING.contains(&word) && !self.is_number(at) && !matches!(word, "and" | "as" | "than")
    }

    /// The names that a member ends with.
    fn last_name(&self, piece: &Range<usize>) -> BTreeSet<String> {
        let names = piece.clone().rev().take_while(|at| self.is_name(*at));
        names.map(|at| words::stem(self.lower(at))).gather()
    }

    /// How many of the names that were asked for somebody has.
    fn count(&self, owner: &Owner) -> usize {
        match owner {
            Owner::Named(names) => names.intersection(&self.asked).count(),
            Owner::Possessed | Owner::Common | Owner::Untold => 0,
        }
    }

    /// Whether a member speaks of what the question names together with a name, and of no other such: `opened the bridge`.
    fn has_thing(&self, piece: &Range<usize>) -> bool {
        let things = things_of(&self.part.text);
        piece.clone().any(|at| {
            let is_named = at > 0 && self.is_name(at - 1);
            things.contains(&words::stem(self.lower(at))) && !is_named
        }) || piece.clone().any(|at| self.asked.contains(&words::stem(self.lower(at))))
    }

    /// Of what may answer, what is said of those who were asked for.
    fn of_the_asked(&self, mut spans: Vec<Span>) -> Vec<Span> {
        let pieces = self.pieces();
        let owners = self.owners(&pieces);
        let most = owners.iter().map(|owner| self.count(owner)).max().unwrap_or_default();
        let piece = |span: &Span| pieces.iter().position(|it| it.contains(&span.words.start));
        let is_own = |span: &Span| {
            piece(span).and_then(|at| owners.get(at)).is_some_and(|it| self.count(it) == most)
        };
        let has_own = most > 0 && spans.iter().any(is_own);
        spans.retain(|span| {
            let Some((own, owner)) = piece(span).and_then(|at| pieces.get(at).zip(owners.get(at)))
            else {
                return true;
            };
            match owner {
                Owner::Possessed => false,
                Owner::Named(_) if most > 0 => {
                    self.count(owner) == most || (!has_own && self.has_thing(own))
                }
                Owner::Common => !has_own,
                Owner::Named(_) | Owner::Untold => true,
            }
        });
        spans
    }
}

/// Whether a word says whose something is.
fn is_whose(word: &str) -> bool {
    matches!(word, "her" | "his" | "its" | "their" | "whose")
}

/// Whether a word stands for what was named before, or for no certain thing.
fn is_vague(word: &str) -> bool {
    matches!(word, "he" | "it" | "one" | "others" | "she" | "there" | "these" | "they" | "this")
}

/// The stems of the names in a question.
fn names_of(question: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    let mut place = 0;
    words::each_word(question, |word, at| {
        let is_large = question.get(at).is_some_and(|it| it.starts_with(char::is_uppercase));
        if is_large && place > 0 && !lexicon::is_month(word) && !lexicon::is_weekday(word) {
            names.insert(words::stem(word));
        }
        place += 1;
    });
    names
}

/// The stems of what a question names: `the Orrin bridge`, `the bridge of Orrin`.
fn things_of(question: &str) -> BTreeSet<String> {
    let (mut words, mut larges) = (Vec::new(), Vec::new());
    words::each_word(question, |word, at| {
        larges.push(question.get(at).is_some_and(|it| it.starts_with(char::is_uppercase)));
        words.push(std::mem::take(word));
    });
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    let is_large = |at: usize| at > 0 && larges.get(at) == Some(&true);
    let is_noun = |at: usize| {
        let it = word(at);
        !it.is_empty() && !words::is_stop_word(it) && !is_auxiliary(it) && !lexicon::is_done(it)
    };
    let mut things = BTreeSet::new();
    for at in (1..words.len()).filter(|at| is_large(*at)) {
        // What has its verb right behind a name is no thing: `did Lund win?`
        if !is_large(at + 1) && is_noun(at + 1) && asks_of_things(&words, at + 1) {
            things.insert(words::stem(word(at + 1)));
        }
        let of = if word(at - 1) == "the" { at.saturating_sub(2) } else { at - 1 };
        if of > 0 && matches!(word(of), "at" | "of") && is_noun(of - 1) {
            things.insert(words::stem(word(of - 1)));
        }
    }
    things
}

/// Whether a word behind a name is what the name is of, and not the verb: `the Orrin bridge`, `was the Orrin bridge built`.
fn asks_of_things(words: &[String], at: usize) -> bool {
    let with_verb = words.iter().take(at).any(|word| {
        matches!(word.as_str(), "can" | "could" | "did" | "do" | "does" | "may" | "will" | "would")
    });
    let has_article = words.iter().take(at).any(|word| word == "the");
    has_article || !with_verb
}

/// Of what may answer, what is not said of another.
pub(super) fn of_the_asked(candidate: &Candidate<'_>, spans: Vec<Span>, part: &Part) -> Vec<Span> {
    let is_meant = part.kind.is_strict() && !part.must.is_of_change;
    if spans.is_empty() || !is_meant || words::has_cells(candidate.text()) {
        return spans;
    }
    Sentence::of(candidate, part).of_the_asked(spans)
}

/// Whether a sentence speaks of something with another name, and nowhere of what was asked for: `The Lund bridge opened`
/// where the Orrin bridge is meant.
pub(super) fn is_of_another(candidate: &Candidate<'_>, part: &Part) -> bool {
    if !(part.kind.is_strict() || part.kind == Kind::Reason) || words::has_cells(candidate.text()) {
        return false;
    }
    let sentence = Sentence::of(candidate, part);
    let says = |stem: &String| sentence.words.iter().any(|word| words::stem(&word.lower) == *stem);
    if sentence.asked.is_empty() || sentence.asked.iter().any(says) {
        return false;
    }
    let things = things_of(&part.text);
    let places: Vec<usize> = (0..sentence.words.len())
        .filter(|at| things.contains(&words::stem(sentence.lower(*at))))
        .collect();
    let is_anothers = |at: &usize| {
        let is_led = *at > 1 && sentence.is_name(at - 1);
        let is_of = matches!(sentence.lower(at + 1), "at" | "of")
            && (sentence.is_name(at + 2)
                || (sentence.lower(at + 2) == "the" && sentence.is_name(at + 3)));
        is_led || is_of
    };
    if !things.is_empty() {
        return !places.is_empty() && places.iter().all(is_anothers);
    }
    let is_covered = part
        .names
        .iter()
        .any(|term| candidate.above.contains_key(term) || candidate.before.contains(term));
    let first = sentence.pieces().first().map(|first| sentence.owner(first));
    !is_covered && matches!(first, Some(Owner::Named(_)))
}
