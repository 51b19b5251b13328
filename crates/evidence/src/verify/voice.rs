//! Whose words a statement is: `According to Tom Reed, …`, `…, Tom Reed said`.
//!
//! Border: tokens of a sentence in, where those stand who speak in it, out; and whether a claim puts a statement in the
//! mouth of somebody whom the passage names, but not as its voice. English.

use super::claim::Claim;
use super::index::Sentence;
use super::lexicon::Term;
use super::proviso::said;
use super::roots::Roots;
use super::window::{Sought, Window};
use super::words;
use crate::text::{Gate, Token};
use std::ops::Range;
use std::sync::LazyLock;

/// Tokens before a verb, or behind it, within which its speaker stands.
const SPEAKER: usize = 12;
/// The same behind `according to`, or where the speaker follows the verb.
const BEHIND: usize = 6;

/// Verbs of a claim whose speakers are looked for.
const MOST_STATED: usize = 8;

/// Verbs of who says something, without their endings, and nouns for what was said.
const SPEAKS: &[&str] = &[
    "account",
    "acknowledg",
    "add",
    "admit",
    "admitt",
    "advis",
    "announc",
    "argu",
    "article",
    "assert",
    "believ",
    "book",
    "claim",
    "comment",
    "complain",
    "conclud",
    "confirm",
    "contend",
    "declar",
    "describ",
    "diary",
    "essay",
    "estimat",
    "explain",
    "insist",
    "interview",
    "letter",
    "maintain",
    "memoir",
    "mention",
    "not",
    "observ",
    "opinion",
    "predict",
    "quot",
    "recall",
    "reckon",
    "recommend",
    "remark",
    "remember",
    "repl",
    "report",
    "respond",
    "reveal",
    "say",
    "speech",
    "stat",
    "statement",
    "stress",
    "study",
    "suggest",
    "survey",
    "tell",
    "testif",
    "testimony",
    "think",
    "tweet",
    "view",
    "warn",
    "word",
    "writ",
];
/// What they end with.
const ENDINGS: [&str; 8] = ["", "s", "d", "e", "ed", "es", "ied", "ing"];
/// Forms of theirs that no ending makes.
const FORMS: &[&str] = &[
    "acknowledges",
    "found",
    "replies",
    "said",
    "testifies",
    "thought",
    "told",
    "written",
    "wrote",
];
/// Verbs with which a claim puts a statement in somebody's mouth.
const STATES: &[&str] = &[
    "added",
    "adds",
    "announced",
    "argued",
    "argues",
    "believes",
    "claimed",
    "claims",
    "explained",
    "explains",
    "insisted",
    "insists",
    "noted",
    "notes",
    "said",
    "say",
    "says",
    "stated",
    "states",
    "suggested",
    "suggests",
    "told",
    "warned",
    "warns",
    "wrote",
    "writes",
];
/// Words that go on with a sentence behind somebody else, or something else.
const PARTS: [&str; 14] = [
    "after", "although", "as", "because", "before", "but", "if", "since", "that", "though", "when",
    "where", "which", "while",
];
/// What words about somebody begin with that stand between their name and what they say: `Tom Reed, the keeper, said`.
const ABOUT: [&str; 10] = ["a", "an", "at", "from", "in", "now", "of", "the", "then", "who"];
/// Forms of "be": what is said of somebody is not said by them.
const IS: [&str; 7] = ["are", "be", "been", "being", "is", "was", "were"];
/// Those of whom a sentence before told.
static PRONOUNS: LazyLock<Roots> =
    LazyLock::new(|| Roots::of(["he", "i", "it", "she", "they", "we", "who"]));
/// What a passage may be itself.
const ITSELF: [&str; 20] = [
    "account",
    "analysis",
    "article",
    "author",
    "data",
    "document",
    "estimate",
    "figure",
    "page",
    "paper",
    "passage",
    "record",
    "report",
    "research",
    "site",
    "source",
    "statistic",
    "study",
    "survey",
    "website",
];

/// Their roots.
static ITSELF_ROOTS: LazyLock<Roots> = LazyLock::new(|| Roots::of(ITSELF));

/// Where those stand who speak in a sentence of a passage.
pub fn of(tokens: &[Token]) -> Vec<Range<usize>> {
    let spoken = (0..tokens.len()).filter(|at| tokens.get(*at).is_some_and(|it| speaks(&it.word)));
    let mut voices: Vec<Range<usize>> = spoken.flat_map(|at| around(tokens, at)).collect();
    voices.extend(signed(tokens));
    voices
}

/// Where those stand in whose mouth a claim puts what it says.
pub fn stated(tokens: &[Token]) -> Vec<Range<usize>> {
    let verb = |at: &usize| {
        let word = said(tokens, *at);
        let next = said(tokens, at + 1);
        let ends = tokens.get(at + 1).is_none_or(|it| it.opens);
        word == "according" || (STATES.contains(&word) && (ends || states_more(tokens, *at, next)))
    };
    (0..tokens.len()).filter(verb).take(MOST_STATED).flat_map(|at| around(tokens, at)).collect()
}

/// Whether what follows a verb is a statement: `said that`, `told the council that`; a thing is none, `added a lamp`.
fn states_more(tokens: &[Token], at: usize, next: &str) -> bool {
    let mut behind = tokens.iter().skip(at + 1).take(BEHIND).take_while(|it| !it.begins);
    next == "that"
        || matches!(said(tokens, at), "said" | "say" | "says")
        || (said(tokens, at) == "told" && behind.any(|it| it.word == "that"))
}

/// Whether a folded word is one of who says something, or for what was said.
fn speaks(word: &str) -> bool {
    const GATE: Gate = Gate::of(FORMS);
    const STARTS: Starts = Starts::of(SPEAKS);
    if word == "according" || (GATE.may_have(word) && FORMS.contains(&word)) {
        return true;
    }
    if !STARTS.may_have(word) {
        return false;
    }
    // What begins like a word stands right before it in the list; some begin like another of the list.
    let behind = SPEAKS.partition_point(|stem| *stem <= word);
    let stems = SPEAKS.get(behind.saturating_sub(2)..behind).unwrap_or_default();
    let has_ending = |stem: &&str| word.strip_prefix(*stem).is_some_and(|it| ENDINGS.contains(&it));
    word != "not" && stems.iter().any(has_ending)
}

/// The first two letters of words, by which most others are told from them at a glance.
struct Starts([u32; 32]);

impl Starts {
    #[allow(clippy::indexing_slicing, reason = "a place below 32; `get_mut` is not for constants")]
    const fn of(words: &[&str]) -> Starts {
        let (mut starts, mut rest) = (Starts([0; 32]), words);
        while let [word, others @ ..] = rest {
            if let [first, second, ..] = word.as_bytes() {
                starts.0[(*first & 31) as usize] |= 1 << (*second & 31);
            }
            rest = others;
        }
        starts
    }

    #[allow(clippy::indexing_slicing, reason = "a place below 32")]
    const fn may_have(&self, word: &str) -> bool {
        match word.as_bytes() {
            [first, second, ..] => self.0[(*first & 31) as usize] >> (*second & 31) & 1 == 1,
            _ => false,
        }
    }
}

/// Whether a token of a claim is a verb by which somebody speaks in it. Who speaks may stand at either side of it.
pub fn is_spoken(claim: &Claim, at: usize) -> bool {
    !claim.voices.is_empty() && STATES.contains(&said(&claim.tokens, at))
}

/// Who speaks around a word of saying: before it, or behind it.
fn around(tokens: &[Token], at: usize) -> Vec<Range<usize>> {
    let word = said(tokens, at);
    let next = said(tokens, at + 1);
    if word == "according" {
        let named = Some(behind(tokens, at + 2)).filter(|named| next == "to" && !named.is_empty());
        return named.into_iter().collect();
    }
    let opens = tokens.get(at).is_some_and(|it| it.opens);
    let is_passive = !opens
        && at.checked_sub(1).is_some_and(|before| IS.contains(&said(tokens, before)))
        && !matches!(word, "quoted" | "saying");
    let before = if is_passive { at..at } else { before(tokens, at) };
    let is_next_name = tokens.get(at + 1).is_some_and(|it| !it.opens && it.is_name());
    let is_turned = before.is_empty()
        && !is_passive
        && (is_next_name || opens)
        && !matches!(word, "told" | "tell" | "tells");
    let behind = match next {
        "by" | "from" | "of" => behind(tokens, at + 2),
        _ if is_turned => behind(tokens, at + 1),
        _ => at..at,
    };
    [before, behind].into_iter().filter(|voice| !voice.is_empty()).collect()
}

/// The tokens from this one on until the clause ends. Of what stands behind a comma none is meant.
fn behind(tokens: &[Token], from: usize) -> Range<usize> {
    if tokens.get(from).is_none_or(|it| it.opens && !it.begins) {
        return from..from;
    }
    let rest = tokens.iter().skip(from + 1).take(BEHIND - 1);
    let count =
        rest.take_while(|it| !it.opens && !it.begins && !PARTS.contains(&&*it.word)).count();
    from..from + 1 + count
}

/// The tokens of a clause before a verb. Behind "and" another clause begins, unless names are joined by it.
fn before(tokens: &[Token], verb: usize) -> Range<usize> {
    let opens = |at: usize| tokens.get(at).is_some_and(|it| it.opens || it.begins);
    let mut end = verb;
    if opens(verb) {
        // What stands between commas tells who it is.
        let first = (verb.saturating_sub(SPEAKER)..verb).rev().find(|at| opens(*at));
        let Some(first) = first.filter(|first| tells_of(tokens, *first)) else { return verb..verb };
        end = first;
    }
    let mut start = end;
    let mut is_joined = false;
    while start > end.saturating_sub(SPEAKER) && (start == end || !opens(start)) {
        let Some(token) = tokens.get(start - 1) else { break };
        is_joined |= token.word == "and";
        if matches!(&*token.word, "who" | "whom") && start == end {
            // It is the name right before, and no more.
            (end, is_joined) = (end - 1, true);
        } else if PARTS.contains(&&*token.word)
            || (is_joined && !token.is_name() && token.word != "and")
        {
            break;
        }
        start -= 1;
    }
    start..verb
}

/// Whether a clause between commas is about the name before it.
fn tells_of(tokens: &[Token], first: usize) -> bool {
    let name = first.checked_sub(1).and_then(|at| tokens.get(at));
    let token = tokens.get(first);
    let is_about = token.is_some_and(|it| {
        !it.begins && (it.is_name() || it.is_number() || ABOUT.contains(&&*it.word))
    });
    name.is_some_and(Token::is_name) && is_about
}

/// Who signs, or speaks as in a play: `By Tom Reed`, `— Tom Reed`, `Tom Reed: "It has 196 steps."`
fn signed(tokens: &[Token]) -> Option<Range<usize>> {
    let from = usize::from(said(tokens, 0) == "by");
    let names =
        tokens.iter().skip(from).take_while(|it| it.is_name() && (!it.begins || it.start == 0));
    let end = from + names.count();
    let ends = tokens.get(end).is_none_or(|it| it.begins);
    (ends && end > from && end - from <= BEHIND).then_some(from..end)
}

/// Whether a claim puts what it says in the mouth of somebody whom this window names, but not as a voice of what it says.
pub fn is_of_another(sought: &Sought<'_>, window: &Window, sentences: &[Sentence]) -> bool {
    let claim = sought.claim;
    claim.voices.iter().any(|voice| {
        let Some(speaker) = speaker(claim, voice) else { return false };
        let is_above = |it: &Token| {
            let root = words::root(&it.word);
            let mut above = claim.words.iter().zip(&window.above);
            above.any(|(word, above)| *above && word.root == root)
        };
        let terms = || speaker.iter().filter_map(|it| sought.index.term_of(&it.word));
        let is_there = |it: Term| sentences.iter().any(|sentence| sentence.terms.contains(&it));
        // Who is named in other words is not looked for.
        terms().any(is_there)
            && !speaker.iter().any(|it| is_above(it))
            && !terms().any(|it| speaks_in(it, sought, sentences))
    })
}

/// The words by which a speaker of a claim is found: the last of the name that stands first, or else all that tell. None:
/// it is the passage itself that says it.
fn speaker<'c>(claim: &'c Claim, voice: &Range<usize>) -> Option<Vec<&'c Token>> {
    let all = claim.tokens.get(voice.clone())?.iter().filter(|it| words::tells(it));
    let all: Vec<&Token> = all.collect();
    let is_itself = |it: &&Token| ITSELF_ROOTS.has(&words::root(&it.word));
    let name = all.iter().take_while(|it| it.is_name() && !is_itself(it)).last();
    match name {
        Some(name) => Some(vec![*name]),
        None if all.is_empty() || all.iter().any(is_itself) => None,
        None => Some(all),
    }
}

/// Whether a term is one of who speaks in these sentences, by name or by a pronoun behind it.
fn speaks_in(term: Term, sought: &Sought<'_>, sentences: &[Sentence]) -> bool {
    let is_pronoun = |it: &Term| sought.index.is_of(*it, &PRONOUNS);
    let mut is_named = false;
    sentences.iter().any(|sentence| {
        let mut voices = sentence.voices.iter().map(|voice| sentence.terms_of(voice));
        let speaks =
            voices.any(|voice| voice.contains(&term) || (is_named && voice.iter().any(is_pronoun)));
        is_named |= sentence.terms.contains(&term);
        speaks
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::tokens;

    #[test]
    fn each_word_is_found_with_each_ending() {
        assert!(SPEAKS.is_sorted());
        for stem in SPEAKS {
            let words = ENDINGS.map(|ending| format!("{stem}{ending}"));
            assert!(words.iter().all(|word| word == "not" || speaks(word)), "{words:?}");
        }
        assert!(!["not", "tower", "wordy", "sa", ""].iter().any(|word| speaks(word)));
    }

    #[test]
    fn who_speaks_stands_before_the_verb_or_behind_it() {
        for (text, expected) in [
            ("Tom Reed, the keeper, said so", vec!["Tom Reed the keeper"]),
            ("Ann met Tom Reed, who said so", vec!["Tom Reed who"]),
            ("Ann came and Tom Reed said so", vec!["and Tom Reed"]),
            ("so it is, said Tom Reed", vec!["Tom Reed"]),
            ("Tom Reed was told so", vec![]),
            ("it is so, according to Tom Reed, and was", vec!["Tom Reed"]),
            ("according to, it is so", vec![]),
        ] {
            let tokens = tokens(text);
            let voices = of(&tokens).into_iter().map(|voice| {
                let said = tokens[voice].iter().map(|it| &text[it.start..it.end]);
                said.collect::<Vec<_>>().join(" ")
            });
            assert_eq!(voices.collect::<Vec<_>>(), expected, "{text}");
        }
    }
}
