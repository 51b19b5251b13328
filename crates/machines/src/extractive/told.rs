//! What a sentence tells of the kind that was asked for, and whether it is of the years and things that were named.
//!
//! Border: a sentence and a part of a question in; the words that may answer, what they count, and whether they may
//! be shown by themselves, out.

use super::answering::covers;
use super::columns::{self, Column};
use super::comparisons;
use super::contrasts;
use super::gather::Candidate;
use super::kind::Kind;
use super::lexicon::{self, Dimension};
use super::offers::{self, Fit, Offer, Span, Wanted};
use super::question::Part;
use super::unsaid::{self, SaidSo};
use super::verbs;
use super::whose;
use super::words;
use super::years::{self, Held};

/// What a figure counts that leaves out a number of the question: `vehicles over 26 tonnes`.
const UNNUMBERED: f64 = 0.8;
/// What a sentence counts that names somebody, and not what was done: `opened by the mayor` where it is asked who paid.
const UNDONE: f64 = 0.6;
/// Words between a number and what it counts, at most, with that.
const REACH: usize = 3;

/// What a sentence tells.
pub(super) struct Told {
    pub fit: Fit,
    pub spans: Vec<Span>,
    pub held: Held,
    /// Whether it is a row that offers what is asked.
    pub is_fitting_row: bool,
    /// Whether it says of all that may answer that it is not so, or only planned, or of another.
    pub is_of_others: bool,
    /// Whether its words can be shown as the answer by themselves.
    pub is_shown: bool,
    /// What it counts for being of the years and things that were named.
    pub worth: f64,
}

impl Told {
    pub(super) fn of(candidate: &Candidate<'_>, part: &Part, rarity: &[f64]) -> Told {
        let text = candidate.text();
        let (asked, counted) = (&part.asked, &part.counted);
        let is_of_change = part.must.is_of_change;
        let wanted = Wanted { kind: part.kind, asked, counted, is_of_change };
        let mut offer = offers::offer(text, &wanted);
        let is_row = words::has_cells(text);
        if is_row && offer.spans.is_empty() && !is_of_change {
            offer = Offer::with(columns::bare(candidate, part), offer.fit);
        }
        let may_tell = !offer.spans.is_empty();
        let (spans, is_of_others) = of_the_asked(candidate, offer.spans, part);
        let (spans, column) = columns::meant(candidate, spans, part, rarity);
        let held = Held::of(candidate, part);
        let is_figure = part.kind.is_figure();
        let is_of_year = held == Held::Named || (held == Held::Above && column == Column::Named);
        let is_dated = is_row && is_of_year && is_figure && offer.fit == Fit::Weak;
        let spans = if prices_many(text, part) { Vec::new() } else { spans };
        let spans = verbs::beside_verb(candidate, spans, part);
        let fit = match offer.fit {
            _ if is_dated && column == Column::Named => Fit::Strong,
            _ if part.kind == Kind::Reason && candidate.gives_causes() => Fit::Strong,
            // What it told is of many or of another side, or goes with another verb.
            fit if may_tell && spans.is_empty() => fit.min(Fit::Weak),
            fit => fit,
        };
        let is_numbered = part.numbers.iter().all(|term| covers(candidate, *term));
        // A bare number of a sentence counts something, and nothing says what.
        let is_told = fit == Fit::Strong || is_row || held == Held::Named;
        let is_counted = part.kind != Kind::Count || is_told;
        let is_of_years = part.kind == Kind::Time || held.is_held();
        let worth = match (is_figure, is_numbered) {
            (false, _) if leaves_deed_out(candidate, part) => UNDONE,
            (false, _) => 1.0,
            (true, true) => held.worth(),
            (true, false) => held.worth() * UNNUMBERED,
        };
        Told {
            fit,
            spans,
            held,
            is_of_others,
            is_fitting_row: candidate.is_in_table() && (fit == Fit::Strong || is_dated),
            is_shown: is_of_years
                && is_counted
                && column != Column::Undecided
                && (is_numbered || !is_figure),
            worth,
        }
    }
}

/// Of what may answer, what is said to be so, of the thing, the years and the side that were asked for; and whether all
/// that a sentence has is of others.
fn of_the_asked(candidate: &Candidate<'_>, spans: Vec<Span>, part: &Part) -> (Vec<Span>, bool) {
    let text = candidate.text();
    let may_tell = !spans.is_empty();
    let said = SaidSo::of(candidate, spans, part);
    let is_said = !said.spans.is_empty();
    let spans = whose::of_the_asked(candidate, said.spans, part);
    let is_taken = said.is_none || (is_said && spans.is_empty());
    let spans = comparisons::of_the_asked(candidate, spans, part);
    let spans = years::of_asked(text, spans, part);
    let spans = contrasts::of_now(text, spans, part);
    let spans = contrasts::fitting(text, spans, part);
    let is_of_others = is_taken
        || (!is_said && unsaid::denies_deed(candidate, part))
        || whose::is_of_another(candidate, part)
        || unsaid::is_outranked(candidate, part)
        || (may_tell && spans.is_empty() && contrasts::is_of_other_end(text, part));
    (spans, is_of_others)
}

/// Whether a sentence tells the price of many where that of one is asked: `Ten tickets cost 120 euros.`
fn prices_many(text: &str, part: &Part) -> bool {
    let single = &part.must.single;
    if single.is_empty() {
        return false;
    }
    let all = words::words(text);
    let word = |at: usize| all.get(at).map(String::as_str).unwrap_or_default();
    let is_many = |at: usize| {
        let is_number =
            lexicon::is_number_word(word(at)) && !matches!(word(at), "half" | "once" | "single");
        let is_figure = word(at).starts_with(|c: char| c.is_ascii_digit()) && word(at) != "1";
        is_number || (is_figure && !words::is_year(word(at)))
    };
    let counts = |at: usize| words::is_many(word(at)) && single.contains(&words::stem(word(at)));
    // `30 euros for guests` is the price of no guests.
    let goes_on =
        |at: &usize| !words::is_stop_word(word(*at)) && !Dimension::Money.has_unit(word(*at));
    let counted = |at: usize| (at + 1..=at + REACH).take_while(goes_on).any(counts);
    (0..all.len()).any(|at| is_many(at) && counted(at))
}

/// Whether it is asked who did something, and a sentence does not say that it was done.
fn leaves_deed_out(candidate: &Candidate<'_>, part: &Part) -> bool {
    part.must.act.is_some_and(|term| !candidate.says(term))
}
