//! Whether a finding names a contradiction, in what it claims or in what it is unsure of.
//!
//! | what names it | rule |
//! |---|---|
//! | a claim | has a figure that only one of the two has, and one that only the other has |
//! | an uncertainty, by figures | has a figure that only one of the two has |
//! | an uncertainty, by words | says that something is told otherwise ("disagree", "contradict", "another source", …), and shares two content stems with one of the two |
//!
//! Any other uncertainty, such as that a page does not say who counted, names none.
//!
//! Border: a conflict and a finding in.

use super::contradiction::{figures, stems};
use quarry_events::run::Finding;
use quarry_evidence::Conflict;
use quarry_evidence::text::fold;
use std::collections::BTreeSet;

/// Stems that an uncertainty shares with what it says is told otherwise.
const LEAST_SHARED: usize = 2;

/// What words begin with that say that something is told otherwise, folded; of more than one word each stands in it.
const OTHERWISE: [&str; 23] = [
    "abweich",
    "another source",
    "andere quelle",
    "autre source",
    "conflict",
    "contradic",
    "contredi",
    "differ",
    "disagree",
    "disput",
    "discrep",
    "discord",
    "diverg",
    "inconsist",
    "otra fuente",
    "other source",
    "strittig",
    "uneinig",
    "uneins",
    "unterschiedlich",
    "widerspr",
    "at odds",
    "in dispute",
];

/// Whether one of these findings names it.
#[must_use]
pub fn is_named(conflict: &Conflict, findings: &[&Finding]) -> bool {
    let sides = [&conflict.one.quote, &conflict.other.quote];
    let [one, other] = sides.map(|quote| figures(quote));
    let own = [&one - &other, &other - &one];
    let has = |text: &str, of: &BTreeSet<String>| !figures(text).is_disjoint(of);
    let about = sides.map(|quote| stems(quote));
    let speaks_of_it = |unsure: &String| {
        let said = stems(unsure);
        let is_about = |of: &BTreeSet<String>| said.intersection(of).count() >= LEAST_SHARED;
        own.iter().any(|of| has(unsure, of)) || (is_otherwise(unsure) && about.iter().any(is_about))
    };
    findings.iter().any(|finding| {
        own.iter().all(|of| has(&finding.claim, of))
            || finding.uncertainties.iter().any(speaks_of_it)
    })
}

fn is_otherwise(text: &str) -> bool {
    let folded = fold(text);
    let words: Vec<&str> =
        folded.split(|it: char| !it.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let text = format!(" {}", words.join(" "));
    OTHERWISE.iter().any(|begins| text.contains(&format!(" {begins}")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_evidence::{Difference, Side, Tier};

    fn side(quote: &str) -> Side {
        let (url, title) = ("https://a.example/".to_owned(), "A".to_owned());
        Side { url, title, date: None, quote: quote.to_owned(), tier: Tier::Other }
    }

    fn names_it(claim: &str, unsure: &[&str]) -> bool {
        let conflict = Conflict {
            difference: Difference::Number,
            one: side("The bridge of Sker cost 186 million euros in 1911."),
            other: side("Building the bridge of Sker cost 240 million euros in 1911."),
            reason: None,
        };
        let finding = Finding {
            finding_id: "f1".to_owned(),
            claim: claim.to_owned(),
            evidence_snippets: Vec::new(),
            citation_ids: Vec::new(),
            confidence: 0.5,
            uncertainties: unsure.iter().map(|it| (*it).to_owned()).collect(),
            verified: true,
        };
        is_named(&conflict, &[&finding])
    }

    #[test]
    fn an_uncertainty_names_what_it_speaks_of_and_nothing_else() {
        let claim = "The bridge cost 186 million euros.";
        for (unsure, is_named) in [
            ("Another page says 240 million.", true),
            ("The figure of 186 million is an estimate.", true),
            ("Sources disagree about what the bridge cost.", true),
            ("Die Quellen zu Sker widersprechen sich: was bridge und cost angeht.", true),
            ("The page does not say who counted.", false),
            ("It was written in 1911, long before the bridge was whole.", false),
            ("Sources disagree about the colour of the lighthouse.", false),
            ("", false),
        ] {
            assert_eq!(names_it(claim, &[unsure]), is_named, "{unsure}");
        }
        assert!(!names_it(claim, &[]));
        assert!(names_it(claim, &["Nobody signed it.", "Elsewhere 240 million are told."]));
    }

    #[test]
    fn a_claim_that_has_both_figures_names_both() {
        assert!(names_it(
            "It cost 186 million euros by one account and 240 million by another.",
            &[]
        ));
        assert!(!names_it("In 1911 the bridge cost 186 million euros.", &[]));
    }
}
