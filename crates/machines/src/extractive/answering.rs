//! Whether a sentence is taken for an answer: enough of what was asked, of the same thing, in a statement.
//!
//! Border: a sentence with what it offers and a part of a question in; yes or no out. No answer is better than a
//! wrong one: what comes nearest is shown below it.

use super::gather::{Candidate, Leaning};
use super::kind::{Kind, is_asking, is_auxiliary};
use super::lexicon::{self, Dimension};
use super::must::Manner;
use super::occupations::tells_of_living;
use super::offers::Fit;
use super::question::Part;
use super::rank::{ASTRAY, Quotation};
use super::words;
use super::years::Held;
use quarry_evidence::text::ends_sentence;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// The share of what was asked that an answer speaks of at least.
const ANSWERING: f64 = 0.36;
/// The same where sharing words shows least: how something came about, whether it is so, and whether it should be.
const ANSWERING_HOW: f64 = 0.55;
const ANSWERING_WHETHER: f64 = 0.45;
const ANSWERING_SHOULD: f64 = 0.6;

/// Of what the best counts, the share from which another may answer where the best cannot.
const HEARD: f64 = 0.5;
/// Of what the best counts that may answer, the share that one has at least that does where that one does not.
const NEARLY: f64 = 0.9;

/// What a word of a question counts at least that is not one of those that say little.
const FULL: f64 = 0.9;

/// Why a sentence cannot answer, however many words it shares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Apart {
    /// Its source does not know a name of the question.
    Nameless,
    /// It states nothing, or speaks of something else.
    Elsewhere,
}

/// What a sentence that was looked at closely offers.
pub(super) struct Offered<'o> {
    pub fit: Fit,
    pub is_reply: bool,
    /// How it stands to the years that were asked for.
    pub held: Held,
    /// Whether it says of all that may answer that it is not so, or only planned, or of another.
    pub is_of_others: bool,
    /// Terms that its source holds.
    pub known: Option<&'o BTreeSet<usize>>,
}

/// Why a sentence cannot answer; none where it may.
pub(super) fn apart(
    candidate: &Candidate<'_>,
    part: &Part,
    offered: &Offered<'_>,
) -> Option<Apart> {
    let text = candidate.text();
    let all = words::words(text);
    let is_cause = part.kind == Kind::Reason && candidate.gives_causes();
    let is_elsewhere = (!is_cause && states_nothing(text, &all, part))
        || offers_nothing(part, offered)
        || offered.is_of_others
        || (part.kind.is_figure() && offered.held == Held::Others)
        || has_numbers_alone(candidate, part)
        || counts_the_unsaid(candidate, part, offered)
        || !speaks_of_it(candidate, part)
        || leaves_its_subject_out(candidate, part, &all)
        || (part.must.is_of_people && !tells_who_lives_there(candidate, &all))
        || (!offered.is_reply
            && !is_measured(part, offered)
            && is_under_its_title_alone(candidate, part))
        || (part.must.is_of_past && tells_no_past(&all, part.kind))
        || (part.must.is_of_habit && tells_the_past_alone(&all))
        || part.must.without.as_ref().is_some_and(|stem| names_excluded(&all, stem));
    if is_elsewhere {
        return Some(Apart::Elsewhere);
    }
    let is_known = |term: &usize| offered.known.is_none_or(|known| known.contains(term));
    let mut names = part.names.iter().filter(|term| part.sequence.contains(term));
    (!names.all(is_known)).then_some(Apart::Nameless)
}

/// Whether a text is a question, a heading or a row where only a sentence can tell.
fn states_nothing(text: &str, all: &[String], part: &Part) -> bool {
    let ends =
        |last: char| matches!(last, '.' | '…' | '”' | '"' | ')' | ':') || ends_sentence(last);
    if part.kind != Kind::Polar && is_yes_or_no(text) {
        return true;
    }
    match text.trim_end().chars().next_back() {
        Some('?' | '？' | '؟') => true,
        Some(last) if ends(last) => false,
        _ => {
            let asks = all.first().is_some_and(|word| is_asking(word));
            (asks && !text.contains('\t'))
                || part.kind == Kind::Reason
                || part.must.manner == Manner::How
        }
    }
}

/// Whether a sentence says what would be, or what is so each year where the day is asked of what was so once. What
/// would be may be the reason of what was done.
fn tells_no_past(all: &[String], kind: Kind) -> bool {
    let has = |wanted: &[&str]| all.iter().any(|word| wanted.contains(&word.as_str()));
    match kind {
        Kind::Reason => false,
        Kind::Time if has(&["is", "are"]) => {
            !has(&["was", "were", "had"]) && !all.iter().any(|word| words::is_year(word))
        }
        _ => has(&["would", "will"]),
    }
}

/// Whether a sentence tells what was in one year, where it is asked what is so each year: `In 2023 the line carried 412
/// cars.`
fn tells_the_past_alone(all: &[String]) -> bool {
    let is_past = |word: &String| {
        matches!(word.as_str(), "had" | "was" | "were") || lexicon::ends_as_done(word)
    };
    let begins_with_year = match all {
        [first, second, ..] => first == "in" && words::is_year(second),
        _ => false,
    };
    begins_with_year && all.iter().any(is_past)
}

/// Whether a text replies to who asked for yes or no. `No. 61 of 2006` does not.
fn is_yes_or_no(text: &str) -> bool {
    let rest = ["No", "Yes"].into_iter().find_map(|word| text.strip_prefix(word));
    let rest = rest.and_then(|rest| rest.strip_prefix(['.', ',', '!']));
    rest.is_some_and(|rest| !rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}

fn offers_nothing(part: &Part, offered: &Offered<'_>) -> bool {
    let wants = part.kind.is_strict() || part.kind == Kind::Reason;
    wants && offered.fit == Fit::None && !offered.is_reply
}

/// Whether a sentence, or what stands around it, speaks of what the question cannot do without. Of a table the first row
/// says for all others what they are of. What was done with a sum its own sentence says: the one before may earn what
/// this one spends.
fn speaks_of_it(candidate: &Candidate<'_>, part: &Part) -> bool {
    let must = &part.must;
    (words::has_cells(candidate.text())
        || must.one_of.is_empty()
        || must.one_of.iter().any(|term| covers(candidate, *term)))
        && must.deed.is_none_or(|term| candidate.says(term))
        && [&must.whole, &must.said_of_whole].into_iter().all(|terms| covers_one(candidate, terms))
        && (part.kind == Kind::Polar || covers_one(candidate, &must.beside))
}

/// Whether a sentence, or what stands around it, speaks of one of these terms; of none it need not.
fn covers_one(candidate: &Candidate<'_>, terms: &BTreeSet<usize>) -> bool {
    terms.is_empty() || terms.iter().any(|term| covers(candidate, *term))
}

/// Whether a sentence, or what stands around it, speaks of a term.
pub(super) fn covers(candidate: &Candidate<'_>, term: usize) -> bool {
    candidate.says(term) || candidate.above.contains_key(&term) || candidate.before.contains(&term)
}

/// Whether a figure shares nothing with a question but its years and numbers.
fn has_numbers_alone(candidate: &Candidate<'_>, part: &Part) -> bool {
    let has_numbers = !part.years.is_empty() || !part.numbers.is_empty();
    let is_word = |term: &&usize| {
        !part.of_kind.contains(*term)
            && !part.numbers.contains(*term)
            && !part.years.contains_key(*term)
    };
    let words = || part.weights.keys().filter(is_word);
    part.kind.is_figure()
        && has_numbers
        && words().next().is_some()
        && !words().any(|term| covers(candidate, *term))
}

/// Whether a number stands bare in a sentence, and neither it nor the one before names what is to be counted. People have
/// too many names for that.
fn counts_the_unsaid(candidate: &Candidate<'_>, part: &Part, offered: &Offered<'_>) -> bool {
    let is_said = |term: &usize| candidate.says(*term) || candidate.before.contains(term);
    part.kind == Kind::Count
        && offered.fit == Fit::Weak
        && !offered.is_reply
        && candidate.leaning == Leaning::Little
        && !words::has_cells(candidate.text())
        && !part.counted.contains(&words::stem("people"))
        && !part.counted_terms.is_empty()
        && !part.counted_terms.iter().any(is_said)
}

/// Words that a sentence without a subject has at most.
const SUBJECTLESS: usize = 8;

/// Whether a sentence says only what was done, as minutes do, and the heading above it names nothing that was asked:
/// `Approved without a vote.`
fn leaves_its_subject_out(candidate: &Candidate<'_>, part: &Part, all: &[String]) -> bool {
    let is_open = matches!(part.kind, Kind::Fact | Kind::List | Kind::Polar);
    let is_form = |word: &String| word.len() > 4 && word.ends_with("ed");
    let is_bare = all.len() <= SUBJECTLESS
        && all.first().is_some_and(is_form)
        && !all.iter().any(|word| is_auxiliary(word));
    if !is_open || !is_bare {
        return false;
    }
    let heading = candidate.headings().lines().next_back().unwrap_or(candidate.source.title);
    let asked: BTreeSet<String> = part.asked.iter().map(|word| words::stem(word)).gather();
    let said: BTreeSet<usize> = candidate.inside.iter().map(|hit| hit.term).gather();
    let about = said.iter().filter(|term| part.is_about(**term)).count();
    about < 2 && !words::stems(heading).iter().any(|stem| asked.contains(stem))
}

/// Whether people are told who live somewhere, and not who were on board.
fn tells_who_lives_there(candidate: &Candidate<'_>, all: &[String]) -> bool {
    let lives = |words: &[String]| words.iter().any(|word| tells_of_living(word));
    let above = [candidate.source.title, candidate.head.text.as_str()];
    lives(all)
        || above.into_iter().any(|above| lives(&words::words(above)))
        || lives(&candidate.words_above())
}

/// Whether a sentence measures what was asked for, in words that say so: `A loaf weighs 800 grams` of a page about a bread.
/// Prices and bare numbers are of too many things.
fn is_measured(part: &Part, offered: &Offered<'_>) -> bool {
    let is_measure = match part.kind {
        Kind::Amount([dimension]) => !matches!(dimension, Dimension::Money | Dimension::Share),
        _ => false,
    };
    is_measure && offered.fit == Fit::Strong
}

/// Whether nothing but the title of its page ties a sentence to the question.
fn is_under_its_title_alone(candidate: &Candidate<'_>, part: &Part) -> bool {
    part.kind.is_strict()
        && candidate.leaning == Leaning::Little
        && !candidate.is_in_table()
        && !candidate.is_in_section()
        && !candidate.inside.iter().any(|hit| part.weights.contains_key(&hit.term))
}

/// Whether a sentence, or the one before it, says a word of what the question is about, and not its page alone.
pub(super) fn is_tied(candidate: &Candidate<'_>, part: &Part) -> bool {
    let tells = |term: &usize| part.is_about(*term);
    let is_said = candidate.inside.iter().any(|hit| part.is_about(hit.term));
    let stands = candidate.is_in_table() || candidate.replies;
    stands || is_said || candidate.before.iter().any(tells) || !part.weights.keys().any(tells)
}

/// Whether a figure is said of some alone, and of nothing that tells whether of those who were asked for.
pub(super) fn is_restricted(candidate: &Candidate<'_>, part: &Part) -> bool {
    let restricts = |word: &String| matches!(word.as_str(), "alone" | "only");
    // The sentence before may tell of others what this one tells of some.
    let is_told = |term: &usize| candidate.says(*term) || candidate.above.contains_key(term);
    let is_open = |term: &usize| {
        let weight = part.weights.get(term).copied().unwrap_or_default();
        weight >= FULL && !part.of_kind.contains(term) && !is_told(term)
    };
    part.kind.is_figure()
        && words::words(candidate.text()).iter().any(restricts)
        && part.sequence.iter().any(is_open)
}

/// Whether words hold what a question wants to do without.
fn names_excluded(all: &[String], stem: &str) -> bool {
    let holds = all.iter().any(|word| words::stem(word) == stem);
    holds && !all.iter().any(|word| word == "without")
}

/// The place of the quotation that answers: of the best that may, and of those that count nearly as much.
pub(super) fn answering(quotations: &[Quotation<'_>], part: &Part) -> Option<usize> {
    let top = quotations.first()?.score;
    let able = quotations.iter().find(|each| each.apart.is_none())?.score;
    if able < top * HEARD {
        return None;
    }
    let mut near = quotations.iter().take_while(|each| each.score >= able * NEARLY);
    near.position(|each| answers(each, part))
}

/// Whether a quotation is taken for an answer.
fn answers(quotation: &Quotation<'_>, part: &Part) -> bool {
    let fits = !part.kind.is_strict() || quotation.fit > Fit::None || quotation.is_reply;
    let least = match part.kind {
        // Either of two answers a half of it.
        Kind::Compare => ANSWERING / 2.0,
        Kind::Amount([_, ..]) | Kind::Count if quotation.fit == Fit::Strong => ANSWERING * 0.8,
        _ if part.must.manner == Manner::Should => ANSWERING_SHOULD,
        _ if part.must.manner == Manner::How => ANSWERING_HOW,
        Kind::Polar => ANSWERING_WHETHER,
        _ => ANSWERING,
    };
    let is_said = quotation.is_said || quotation.fit == Fit::Strong;
    fits && quotation.apart.is_none()
        && is_said
        && quotation.about >= ASTRAY
        && quotation.coverage >= least
}
