//! The answer as it is written. What is shown piece by piece is the answer, byte for byte, and each citation
//! is told before the piece that shows it.

use super::{Stops, Turn};
use quarry_events::{AnswerDelta, Citation, Cited, Confidence, Conflict};
use quarry_evidence::cite::{self, Known, Out, Proof};
use quarry_evidence::verify::{Verdict, Veto};
use quarry_evidence::{Signals, Source};
use quarry_types::text::cut;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Characters of a sentence of which is said that it was not found.
const MOST_DOUBTED: usize = 160;

/// An answer under way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Draft {
    /// What the model wrote, from its first word on.
    written: String,
    shown: String,
    /// Code points of what was shown.
    characters: usize,
    /// White space that is shown only when something follows: an answer has none at its ends.
    held: String,
    /// Code points of white space at the beginning, which nobody is shown.
    dropped: usize,
    answer: cite::Answer,
    proof: Proof,
    is_chosen_by_rules: bool,
    /// Where it ends, whatever the model writes on.
    #[serde(default)]
    stops: Stops,
    /// Whether nothing was looked for: it has nothing to cite, and no sentence of it lacks a source.
    #[serde(default, alias = "is_plain")]
    is_unsourced: bool,
    /// Whether nobody is shown it yet: something else is to be made of it first.
    #[serde(default)]
    is_silent: bool,
    /// Whether it was to cite titles, and to write no other brackets.
    #[serde(default)]
    is_by_title: bool,
    #[serde(skip)]
    known: Cached,
}

/// What may be cited, made once: it follows from the evidence, which does not change any more.
#[derive(Clone, Default)]
struct Cached(Option<Arc<Known>>);

impl Cached {
    fn of(&mut self, make: impl FnOnce() -> Known) -> Arc<Known> {
        Arc::clone(self.0.get_or_insert_with(|| Arc::new(make())))
    }
}

impl PartialEq for Cached {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl fmt::Debug for Cached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Cached")
    }
}

impl Draft {
    /// One that ends before the first of these.
    #[must_use]
    pub fn ending_at(stops: Stops) -> Self {
        Draft { stops, ..Draft::default() }
    }

    /// The same, where nothing was looked for. Links lead nowhere from it either, as it has no sources: addresses are
    /// shown as code.
    #[must_use]
    pub fn unsourced(stops: Stops) -> Self {
        Draft { stops, is_unsourced: true, ..Draft::default() }
    }

    /// One that nobody is shown before it has another form.
    #[must_use]
    pub fn silent() -> Self {
        Draft { is_silent: true, ..Draft::default() }
    }

    /// One that is to cite titles, and to write no other brackets.
    #[must_use]
    pub fn citing_titles() -> Self {
        Draft { is_by_title: true, ..Draft::default() }
    }

    /// Nobody is shown more of it before it has another form.
    pub const fn silence(&mut self) {
        self.is_silent = true;
    }

    /// The answer with the numbers of its citations alone, without their addresses.
    #[must_use]
    pub fn with_numbers(&self) -> String {
        let mut text = String::with_capacity(self.shown.len());
        let mut characters = self.shown.chars();
        let mut at = 0;
        for citation in &self.proof.citations {
            let Some(n) = citation.n else { continue };
            text.extend(characters.by_ref().take(citation.start.saturating_sub(at)));
            text.push_str(&format!("[{n}]"));
            characters.by_ref().take(citation.end - citation.start).for_each(drop);
            at = citation.end;
        }
        text.extend(characters);
        text
    }

    /// Puts another form in the place of what was shown to nobody, and shows it. What is cited has no place in it.
    pub fn put_in_form(&mut self, text: &str, turn: &mut Turn) {
        let (proof, written) = (std::mem::take(&mut self.proof), std::mem::take(&mut self.written));
        let is_chosen_by_rules = self.is_chosen_by_rules;
        *self = Draft { proof, written, is_chosen_by_rules, ..Draft::default() };
        for citation in &mut self.proof.citations {
            (citation.start, citation.end) = (0, 0);
        }
        self.say(text, turn);
    }

    /// Whether it ended before what the model wrote did.
    #[must_use]
    pub const fn is_stopped(&self) -> bool {
        self.stops.is_met()
    }

    /// Whether nothing was shown yet.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.shown.is_empty()
    }

    /// Whether the model wrote anything, shown or held back: it is to be paid for.
    #[must_use]
    pub const fn has_begun(&self) -> bool {
        !self.written.is_empty()
    }

    /// The answer so far.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.shown
    }

    /// What the answer rests on, once it is closed.
    #[must_use]
    pub const fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Whether rules chose its words.
    #[must_use]
    pub const fn is_chosen_by_rules(&self) -> bool {
        self.is_chosen_by_rules
    }

    /// What the model or the rules wrote, with the markers as they stood there.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// Where what the answer cites contradicts itself, and how far the answer can be relied on in this year: not at
    /// all known where it rests on no source.
    pub fn judged(&mut self, sources: &[Source], year: f64) -> (Vec<Conflict>, Option<Confidence>) {
        let known = self.known(sources);
        let conflicts = quarry_evidence::conflicts(&self.proof, &known);
        let confidence = (!sources.is_empty()).then(|| {
            let signals = Signals::of(&self.proof, &conflicts, &known, year);
            let is_chosen_by_rules = self.is_chosen_by_rules;
            quarry_evidence::confidence(&Signals { is_chosen_by_rules, ..signals })
        });
        (conflicts, confidence)
    }

    /// What it may cite.
    pub fn known(&mut self, sources: &[Source]) -> Arc<Known> {
        let (is_unsourced, is_by_title) = (self.is_unsourced, self.is_by_title);
        self.known.of(|| match (is_unsourced, is_by_title) {
            (true, _) => Known::unsourced(),
            (false, true) => Known::by_titles(sources),
            (false, false) => Known::new(sources),
        })
    }

    /// Adds a piece that the model wrote: its citations are checked, and shown as numbered links.
    pub fn push(&mut self, piece: &str, sources: &[Source], turn: &mut Turn) {
        let piece = self.stops.pass(piece);
        self.add(&piece, sources, turn);
    }

    fn add(&mut self, piece: &str, sources: &[Source], turn: &mut Turn) {
        let piece = if self.written.is_empty() { piece.trim_start() } else { piece };
        self.written.push_str(piece);
        let known = self.known(sources);
        let out = self.answer.push(piece, &known);
        self.show(out, turn);
    }

    /// Adds what of the model's whole text was not added yet, when it begins as what was; then gives out
    /// what is still held back.
    pub fn close(&mut self, whole: &str, sources: &[Source], turn: &mut Turn) {
        let whole = self.stops.cut(whole);
        if let Some(rest) = whole.trim_start().strip_prefix(self.written.as_str()) {
            // What was held back for a stop that did not come is part of it.
            self.stops.rest();
            self.add(rest, sources, turn);
        }
        self.break_off(sources, turn);
    }

    /// Gives out what is still held back: the model writes no more.
    pub fn break_off(&mut self, sources: &[Source], turn: &mut Turn) {
        let held = self.stops.rest();
        self.add(&held, sources, turn);
        let known = self.known(sources);
        let (out, mut proof) = std::mem::take(&mut self.answer).finish(&known);
        self.show(out, turn);
        proof.citations.iter_mut().for_each(|citation| self.place(citation));
        self.proof = proof;
    }

    /// Adds an answer that rules wrote.
    pub fn quote(&mut self, text: &str, sources: &[Source], turn: &mut Turn) {
        let text = self.stops.cut(text);
        let known = self.known(sources);
        let (out, proof) = cite::quoting(text.trim(), &known);
        self.show(out, turn);
        text.trim().clone_into(&mut self.written);
        self.proof = proof;
        self.is_chosen_by_rules = true;
    }

    /// Adds words of ours, which cite nothing.
    pub fn say(&mut self, text: &str, turn: &mut Turn) {
        self.held.push_str(text);
        if self.is_empty() {
            let begins = self.held.trim_start();
            self.dropped += self.held.chars().count() - begins.chars().count();
            self.held = begins.to_owned();
        }
        let ready = self.held.trim_end().len();
        let rest = self.held.split_off(ready);
        let text = std::mem::replace(&mut self.held, rest);
        if !text.is_empty() {
            let (at, timestamp) = (self.characters, turn.at());
            self.characters += text.chars().count();
            self.shown.push_str(&text);
            if !self.is_silent {
                turn.emit(&AnswerDelta { text, at, timestamp });
            }
        }
    }

    /// Adds a remark of ours below the answer.
    pub fn note(&mut self, note: &str, turn: &mut Turn) {
        let gap = if self.is_empty() { "" } else { "\n\n" };
        self.held.clear();
        self.say(&format!("{gap}*{note}*"), turn);
    }

    /// Shows a closed answer once more, to the readers of another stream.
    pub fn show_again(&mut self, turn: &mut Turn) {
        self.is_silent = false;
        let timestamp = turn.at();
        let mut rest = self.shown.as_str();
        let mut at = 0;
        let ends = self.proof.citations.iter().map(|citation| (citation.start, Some(citation)));
        for (end, citation) in ends.chain([(self.characters, None)]) {
            let next = rest.char_indices().nth(end.saturating_sub(at));
            let (text, behind) = rest.split_at(next.map_or(rest.len(), |(next, _)| next));
            if !text.is_empty() {
                turn.emit(&AnswerDelta { text: text.to_owned(), at, timestamp });
            }
            rest = behind;
            at = at.max(end);
            if let Some(citation) = citation {
                turn.emit(&Cited { citation: citation.clone(), timestamp });
            }
        }
    }

    /// Takes in verdicts on the citations at these places, by their numbers from 1; returns those that it
    /// changed.
    pub fn judge(
        &mut self,
        places: &[usize],
        verdicts: &BTreeMap<usize, Verdict>,
    ) -> Vec<Citation> {
        let citations = &mut self.proof.citations;
        let judged = (1..).zip(places).filter_map(|(n, at)| {
            let verdict = *verdicts.get(&n)?;
            let citation = citations.get_mut(*at)?;
            // Pages may ask for a good verdict. Another figure is another figure, and what nobody read is not known.
            let is_refuted = citation.vetoes.iter().any(|veto| {
                matches!(
                    veto,
                    Veto::Number
                        | Veto::Date
                        | Veto::Ordinal
                        | Veto::Unit
                        | Veto::Quotation
                        | Veto::Unread
                )
            });
            if verdict == Verdict::Supported && is_refuted {
                return None;
            }
            citation.verdict = verdict;
            citation.by_model = true;
            Some(citation.clone())
        });
        judged.collect()
    }

    /// Says below the answer which of these citations were not found by the model that judged them: they were shown as
    /// links before, and what was shown stays.
    pub fn doubt(&mut self, judged: &[Citation], turn: &mut Turn) {
        let refuted = judged.iter().filter(|it| it.verdict == Verdict::NotFound && !self.is_silent);
        let told: Vec<String> = refuted
            .filter_map(|it| Some(format!("[{}] for “{}”", it.n?, cut(&it.claim, MOST_DOUBTED))))
            .collect();
        if !told.is_empty() {
            let told = told.join("; ").replace('*', "");
            self.note(
                &format!("(unverified) The model that checked again did not find: {told}."),
                turn,
            );
        }
    }

    /// Counts a citation's place from where the shown answer begins.
    const fn place(&self, citation: &mut Citation) {
        citation.start -= self.dropped;
        citation.end -= self.dropped;
    }

    fn show(&mut self, out: Vec<Out>, turn: &mut Turn) {
        for out in out {
            match out {
                Out::Text(text) => self.say(&text, turn),
                Out::Citation(mut citation) => {
                    self.place(&mut citation);
                    if self.is_silent {
                        continue;
                    }
                    turn.emit(&Cited { citation: *citation, timestamp: turn.at() });
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Numbering;
    use proptest::prelude::*;
    use quarry_events::AnyPayload;
    use quarry_evidence::{Content, Finding};
    use quarry_types::Timestamp;

    /// The pieces, joined; and what was cited before the piece that shows it.
    fn shown(turn: Turn) -> (String, Vec<quarry_events::Citation>) {
        let (_, reaction) = turn.end(false);
        let (mut text, mut cited) = (String::new(), Vec::new());
        for event in reaction.events {
            match event.payload().unwrap() {
                AnyPayload::AnswerDelta(delta) => {
                    assert_eq!(delta.at, text.chars().count());
                    text.push_str(&delta.text);
                }
                AnyPayload::Citation(Cited { citation, .. }) => {
                    assert!(text.chars().count() <= citation.start, "told before it is shown");
                    cited.push(citation);
                }
                other => panic!("{other:?}"),
            }
        }
        (text, cited)
    }

    fn sources() -> Vec<Source> {
        let finding = Finding {
            url: "https://a.example/".to_owned(),
            content: Content::Text(
                "The lighthouse of Sker has 196 steps and a lamp of brass.".to_owned(),
            ),
            ..Finding::default()
        };
        vec![Source::new(1, finding)]
    }

    proptest! {
        #[test]
        fn the_pieces_are_the_answer_without_blanks_at_its_ends(
            pieces in prop::collection::vec("[ \n]{0,2}[a-zé]{0,3}[ \n]{0,2}", 0..8),
            streamed in 0_usize..9,
            is_noted in any::<bool>(),
        ) {
            let mut turn = Turn::new(Timestamp(0), Numbering::default());
            let mut draft = Draft::default();
            pieces.iter().take(streamed).for_each(|piece| draft.push(piece, &[], &mut turn));
            let mut expected = pieces.concat().trim().to_owned();
            draft.close(&pieces.concat(), &[], &mut turn);
            if is_noted {
                draft.note("cut", &mut turn);
                expected = format!("{expected}\n\n*cut*").trim_start().to_owned();
            }
            prop_assert_eq!(draft.text(), &expected);
            prop_assert_eq!(shown(turn).0, expected);
        }

        #[test]
        fn citations_stand_where_they_say_in_any_answer(
            pieces in prop::collection::vec(
                prop_oneof![
                    Just("[q1]".to_owned()), Just("[q9]".to_owned()), Just(" \n".to_owned()), Just("[".to_owned()),
                    Just("The lighthouse of Sker has 196 steps and a lamp of brass".to_owned()),
                    Just(". ".to_owned()), "[ -~é]{0,4}",
                ],
                0..16,
            ),
            streamed in 0_usize..17,
        ) {
            let mut turn = Turn::new(Timestamp(0), Numbering::default());
            let mut draft = Draft::default();
            pieces.iter().take(streamed).for_each(|piece| draft.push(piece, &sources(), &mut turn));
            draft.close(&pieces.concat(), &sources(), &mut turn);
            let (text, cited) = shown(turn);
            prop_assert_eq!(draft.text(), &text);
            prop_assert_eq!(&draft.proof().citations, &cited);
            let mut again = Turn::new(Timestamp(0), Numbering::default());
            draft.show_again(&mut again);
            prop_assert_eq!(shown(again), (text.clone(), cited.clone()));
            let characters: Vec<char> = text.chars().collect();
            for citation in cited {
                let marker: String = characters[citation.start..citation.end].iter().collect();
                let expected = citation.n.map_or("(unverified)".to_owned(), |n| format!("[{n}]({})", citation.url));
                prop_assert_eq!(marker, expected);
            }
        }
    }

    #[test]
    fn an_answer_of_rules_keeps_its_words_and_gets_numbers() {
        let mut turn = Turn::new(Timestamp(0), Numbering::default());
        let mut draft = Draft::default();
        draft.quote("“a lamp of brass.” — [Sker](https://a.example/)", &sources(), &mut turn);
        draft.note("cut", &mut turn);
        let (text, cited) = shown(turn);
        assert_eq!(text, "“a lamp of brass.” — Sker [1](https://a.example/)\n\n*cut*");
        assert_eq!(cited, draft.proof().citations);
    }
}
