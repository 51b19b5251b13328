//! What is found again: by another page, by another node, or now with evidence behind it.
//!
//! | claimed before | claimed now | then |
//! |---|---|---|
//! | verified | verified | one finding, which rests on the evidence of both (since revision 3) |
//! | verified | not | the one that is there |
//! | not | verified | a finding of its own, in the place of the other wherever that was found (since revision 3) |
//! | not | not | the one that is there |
//!
//! Equal claims are equal letter by letter: within one reply, rules for synthesis join more.
//!
//! Border: findings in, their places out.

use super::{Brief, Gathered, NodeId, Tree};
use quarry_events::run::{EvidenceSnippet, Finding};
use quarry_types::order::Gather;
use std::collections::{BTreeMap, BTreeSet};

/// Snippets of one finding, however often it is found again.
const MOST_SNIPPETS: usize = 8;
/// What each further voice is worth, and how many are: as where one reply has them all.
const OF_VOICE: f64 = 0.05;
const MOST_VOICES: usize = 2;

/// How far what is found again is one finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joins {
    /// Whatever claims the same, verified or not: in runs of before revision 2.
    All,
    /// What is verified with what is verified; the evidence is that of the first: in runs of revision 2.
    Claims,
    /// As the table has it.
    Evidence,
}

impl Joins {
    /// In this run.
    pub const fn of(brief: &Brief) -> Joins {
        match (brief.is_since(2), brief.is_since(3)) {
            (false, _) => Joins::All,
            (true, false) => Joins::Claims,
            (true, true) => Joins::Evidence,
        }
    }
}

/// A finding that was taken in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Taken {
    /// Where it stands.
    pub place: usize,
    /// Whether it is new, or rests on more than before.
    pub is_told: bool,
    /// How many of its snippets, the last, are new to one that was there.
    pub joined: usize,
    /// The place of the unverified one that it stands for.
    pub stood_for: Option<usize>,
}

impl Gathered {
    /// Takes a finding in, or lets the one that says the same rest on what this rests on.
    pub(super) fn take_finding(&mut self, found: Finding, joins: Joins) -> Taken {
        let merges = joins == Joins::Evidence;
        let claims = &mut self.derived.claims;
        claims.take_in(&self.findings);
        let Some(place) = claims.place_of(&found, joins == Joins::All) else {
            let stood_for = claims.first(&found.claim).filter(|_| merges);
            let place = self.findings.len();
            self.findings.push(Finding { finding_id: format!("f{}", place + 1), ..found });
            return Taken { place, is_told: true, joined: 0, stood_for };
        };
        let joined = if merges && found.verified { self.rest_on(place, &found) } else { 0 };
        Taken { place, is_told: joined > 0, joined, stood_for: None }
    }

    /// Lets a finding rest on the sources of another that claims the same, too. Gives how many snippets that brings.
    fn rest_on(&mut self, place: usize, other: &Finding) -> usize {
        let of_other = self.further_voices(other);
        let Some(known) = self.findings.get(place) else { return 0 };
        let bare = (known.confidence - self.further_voices(known)).max(other.confidence - of_other);
        let room = MOST_SNIPPETS.saturating_sub(known.evidence_snippets.len());
        let is_new =
            |snippet: &&EvidenceSnippet| !known.citation_ids.contains(&snippet.citation_id);
        let new = other.evidence_snippets.iter().filter(is_new).take(room);
        let new: Vec<EvidenceSnippet> = new.cloned().collect();
        let joined = new.len();
        if joined == 0 {
            return 0;
        }
        let mut known = known.clone();
        for snippet in &new {
            if !known.citation_ids.contains(&snippet.citation_id) {
                known.citation_ids.push(snippet.citation_id.clone());
            }
        }
        known.evidence_snippets.extend(new);
        let confidence = (bare + self.further_voices(&known)).clamp(0.0, 1.0);
        known.confidence = (confidence * 1_000.0).round() / 1_000.0;
        self.findings.get_mut(place).into_iter().for_each(|stands| *stands = known.clone());
        self.derived.heard.rests_on_more(place);
        joined
    }

    /// What the voices beyond the first add to the confidence of a finding.
    fn further_voices(&self, finding: &Finding) -> f64 {
        let cited = finding.citation_ids.iter().filter_map(|id| self.citation(id));
        let voices: BTreeSet<&str> = cited.map(|citation| citation.voice.as_str()).gather();
        #[allow(clippy::cast_precision_loss, reason = "two at most")]
        let further = voices.len().saturating_sub(1).min(MOST_VOICES) as f64;
        OF_VOICE * further
    }

    /// The findings that count: of a claim that is verified, not what claimed it when nothing vouched for it. Runs of
    /// before counted both.
    pub(super) fn counted(&self, joins: Joins) -> Vec<&Finding> {
        let merges = joins == Joins::Evidence;
        let verified = self.findings.iter().filter(|finding| finding.verified && merges);
        let vouched: BTreeSet<&str> = verified.map(|finding| finding.claim.as_str()).gather();
        let counts = |it: &&Finding| it.verified || !vouched.contains(it.claim.as_str());
        self.findings.iter().filter(counts).collect()
    }
}

impl Tree {
    /// A node found what stands there.
    pub(super) fn find(&mut self, id: NodeId, place: usize) {
        if let Some(node) = self.get_mut(id)
            && !node.findings.contains(&place)
        {
            node.findings.push(place);
        }
    }

    /// Whoever found the one found the other.
    pub(super) fn replace_finding(&mut self, old: usize, new: usize) {
        let has_it = self.nodes().iter().filter(|node| node.findings.contains(&old));
        for id in has_it.map(|node| node.id).collect::<Vec<_>>() {
            self.find(id, new);
            if let Some(node) = self.get_mut(id) {
                node.findings.retain(|place| *place != old);
            }
        }
    }
}

/// Where each claim was found first, and first with evidence behind it.
#[derive(Debug, Default)]
pub(super) struct Claims {
    places: BTreeMap<String, (usize, Option<usize>)>,
    /// Findings that were taken in, and those of them that rest on evidence.
    taken: usize,
    verified: u64,
}

impl Claims {
    /// Takes in findings that were added since the last call.
    fn take_in(&mut self, findings: &[Finding]) {
        if findings.len() < self.taken {
            *self = Claims::default();
        }
        for (place, found) in findings.iter().enumerate().skip(self.taken) {
            let verified = found.verified.then_some(place);
            match self.places.get_mut(&found.claim) {
                Some((_, first)) => *first = first.or(verified),
                None => _ = self.places.insert(found.claim.clone(), (place, verified)),
            }
        }
        self.verified += verified(findings, self.taken);
        self.taken = findings.len();
    }

    /// Those of these findings that rest on evidence, of which the first were taken in.
    pub(super) fn verified(&self, findings: &[Finding]) -> u64 {
        match findings.len() < self.taken {
            true => verified(findings, 0),
            false => self.verified + verified(findings, self.taken),
        }
    }

    /// Where this was claimed first.
    fn first(&self, claim: &str) -> Option<usize> {
        self.places.get(claim).map(|(first, _)| *first)
    }

    /// Where what is found was found before, verified where it can be. What is verified now is no more what nothing vouched
    /// for; `any`: runs of before took the one for the other.
    fn place_of(&self, found: &Finding, any: bool) -> Option<usize> {
        let (first, verified) = self.places.get(&found.claim).copied()?;
        match any {
            true => Some(first),
            false => verified.or((!found.verified).then_some(first)),
        }
    }
}

fn verified(findings: &[Finding], from: usize) -> u64 {
    findings.iter().skip(from).filter(|finding| finding.verified).count() as u64
}

#[cfg(test)]
mod tests {
    use super::super::policy::contradiction::{New, TOLD_APART};
    use super::*;
    use quarry_events::At;
    use quarry_events::run::Citation;
    use quarry_types::Timestamp;

    fn cited(id: &str) -> Citation {
        Citation {
            citation_id: id.to_owned(),
            url: format!("https://{id}.example/"),
            title: "Boats".to_owned(),
            source_type: "page".to_owned(),
            retrieved_at: At(Timestamp(0)),
            published: None,
            quality_tier: 3,
            tier_reason: String::new(),
            relevance_score: 0.5,
            voice: format!("{id}.example"),
            duplicate_of: None,
        }
    }

    fn found(claim: &str, sources: &[&str]) -> Finding {
        let snippet = |source: &&str| EvidenceSnippet {
            citation_id: (*source).to_owned(),
            quote: claim.to_owned(),
            passage: None,
        };
        Finding {
            finding_id: String::new(),
            claim: claim.to_owned(),
            evidence_snippets: sources.iter().map(snippet).collect(),
            citation_ids: sources.iter().map(|source| (*source).to_owned()).collect(),
            confidence: 0.5,
            uncertainties: Vec::new(),
            verified: !sources.is_empty(),
        }
    }

    #[test]
    fn a_claim_that_another_page_makes_too_rests_on_both_and_is_told_when_it_does() {
        let taken = |joins| {
            let mut gathered = Gathered::default();
            let all = [&["c1"][..], &["c2"], &["c1", "c2"]];
            let all = all.map(|sources| gathered.take_finding(found("It burnt.", sources), joins));
            assert!(all.iter().all(|taken| taken.place == 0 && taken.stood_for.is_none()));
            (all.map(|taken| taken.is_told), gathered.findings[0].citation_ids.clone())
        };
        assert_eq!(taken(Joins::Evidence), ([true, true, false], vec!["c1".into(), "c2".into()]));
        assert_eq!(taken(Joins::Claims), ([true, false, false], vec!["c1".to_owned()]));
    }

    /// Each visit finds what an earlier one has found, on another page, and something of its own.
    #[test]
    fn a_thousand_visits_that_agree_with_one_before_take_no_more_apart_for_each() {
        let mut gathered = Gathered::default();
        let mut taken_apart = |visits: std::ops::Range<usize>| {
            let before = TOLD_APART.get();
            for n in visits {
                let source = format!("c{n}");
                gathered.cite(&cited(&source));
                let from = gathered.findings.len();
                let own = format!("Ward {n} counts {n} boats.");
                let of_before = format!("Ward {} counts {} boats.", n / 2, n / 2);
                let mut new = New { from, joined: Vec::new() };
                for claim in [own, of_before] {
                    let taken = gathered.take_finding(found(&claim, &[&source]), Joins::Evidence);
                    new.joined.extend((taken.joined > 0).then(|| (taken.place, source.clone())));
                }
                let Gathered { findings, citations, derived, .. } = &mut gathered;
                drop(derived.heard.find(findings, &new, citations));
            }
            TOLD_APART.get() - before
        };
        let [first, _, last] = [1..101, 101..901, 901..1_001].map(&mut taken_apart);
        assert!(
            first > 0 && last <= first * 2,
            "{first} sentences for the first hundred, {last} for the last"
        );
        assert!(gathered.findings.iter().any(|it| it.citation_ids.len() > 1));
    }

    #[test]
    fn what_is_verified_at_last_stands_for_what_nothing_vouched_for() {
        let (mut gathered, mut tree) = (Gathered::default(), Tree::new("Why?"));
        let part = tree.part(NodeId::ROOT, vec!["How?".to_owned()])[0];
        let joins = Joins::Evidence;
        for claim in ["It burnt.", "It sank."] {
            let bare = gathered.take_finding(found(claim, &[]), joins);
            tree.find(NodeId::ROOT, bare.place);
        }
        assert_eq!(gathered.counted(joins).len(), 2);
        let taken = gathered.take_finding(found("It burnt.", &["c1"]), joins);
        assert_eq!(taken, Taken { place: 2, is_told: true, joined: 0, stood_for: Some(0) });
        tree.take_touched();
        tree.replace_finding(0, taken.place);
        tree.find(part, taken.place);
        let of = |id| tree.get(id).unwrap().findings.clone();
        assert_eq!((of(NodeId::ROOT), of(part)), (vec![1, 2], vec![2]));
        assert_eq!(tree.clone().take_touched().len(), 2, "clients see both");
        let counted = |joins| {
            let counted = gathered.counted(joins).into_iter();
            counted.map(|finding| (finding.claim.as_str(), finding.verified)).collect::<Vec<_>>()
        };
        assert_eq!(counted(joins), [("It sank.", false), ("It burnt.", true)]);
        assert_eq!(counted(Joins::Claims).len(), 3, "as runs of before have it");
    }

    fn place_of(all: &[Finding], found: &Finding, any: bool) -> Option<usize> {
        let mut claims = Claims::default();
        // One by one, as they come.
        (0..=all.len()).for_each(|n| claims.take_in(&all[..n]));
        let counted = all.iter().filter(|it| it.verified).count() as u64;
        assert_eq!((claims.verified(all), Claims::default().verified(all)), (counted, counted));
        claims.place_of(found, any)
    }

    #[test]
    fn what_is_verified_is_no_more_what_was_found_and_was_not() {
        let found = |claim: &str, verified| Finding {
            finding_id: "f1".to_owned(),
            claim: claim.to_owned(),
            evidence_snippets: Vec::new(),
            citation_ids: Vec::new(),
            confidence: 0.5,
            uncertainties: Vec::new(),
            verified,
        };
        for (known, new, expected) in
            [(false, true, false), (false, false, true), (true, true, true), (true, false, true)]
        {
            let (known, new) =
                ([found("It has 196 steps.", known)], found("It has 196 steps.", new));
            assert_eq!(place_of(&known, &new, false), expected.then_some(0));
            assert_eq!(place_of(&known, &new, true), Some(0), "as runs of before have it");
            assert_eq!(place_of(&known, &found("It burnt.", new.verified), false), None);
        }
        let both = [found("It has 196 steps.", false), found("It has 196 steps.", true)];
        for new in &both {
            assert_eq!(
                place_of(&both, new, false),
                Some(1),
                "the verified one, whoever came first"
            );
        }
    }
}
