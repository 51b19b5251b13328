//! Claims that are the name of a page and no sentence: an entry of a list of sources.
//!
//! Border: a claim and a window in; whether nothing but a title and headings says it, out.

use super::index::Sentence;
use super::window::{Sought, Window};

/// Things that a claim has to say before headings and what stands below them may say it together.
const LEAST_CONTENT: usize = 4;

/// Whether a title and headings have all of a claim, and what stands below them has not. They say what a page is about,
/// and state nothing. Of a longer claim the sentence below a heading says enough to be read with it.
pub fn is_only_named(sought: &Sought<'_>, window: &Window, sentences: &[Sentence]) -> bool {
    let (headings, below): (Vec<&Sentence>, Vec<&Sentence>) =
        sentences.iter().partition(|sentence| sentence.is_heading);
    let is_name = below.is_empty() || sought.claim.content() < LEAST_CONTENT;
    let has_heading = !headings.is_empty() || window.above.contains(&true);
    is_name && has_heading && says(sought, &window.above, &headings) && !says(sought, &[], &below)
}

/// Whether these sentences have all of a claim but for the words that stand above.
fn says(sought: &Sought<'_>, above: &[bool], sentences: &[&Sentence]) -> bool {
    let is_above = |word: usize| above.get(word).copied().unwrap_or_default();
    let mut words = sought.terms.iter().enumerate();
    let figures = &sought.claim.figures;
    let mut quantities = figures.quantities.iter().filter(|quantity| !quantity.is_vague);
    words.all(|(word, term)| {
        let stands = |term| sentences.iter().any(|sentence| sentence.terms.contains(term));
        is_above(word) || term.as_ref().is_some_and(stands)
    }) && quantities.all(|it| sentences.iter().any(|sentence| sentence.figures.has_quantity(it)))
        && figures.dates.iter().all(|it| sentences.iter().any(|there| there.figures.has_date(it)))
}

#[cfg(test)]
mod tests {
    use crate::verify::{Claim, Index, Text, Verdict, Veto};

    fn verdict(claim: &str, context: &str, text: &str) -> (Verdict, bool) {
        let index = Index::new([Text { context, text }]);
        let check = index.check(&Claim::new(claim), 0).unwrap();
        (check.verdict, check.vetoes.contains(&Veto::TooShort))
    }

    #[test]
    fn the_name_of_a_page_is_no_statement_of_it() {
        let page = "# Sker light\n\nThe lighthouse of the island was built in 1823.";
        for context in ["Sker light", ""] {
            assert_eq!(verdict("Sker light", context, page), (Verdict::Partly, true), "{context}");
        }
        let report = "# Annual report of the harbour board 2023\n";
        let name = "Annual report of the harbour board 2023";
        assert_eq!(verdict(name, "", report), (Verdict::Partly, true));
    }

    #[test]
    fn what_the_page_says_below_its_name_is_said() {
        let page = "# Orrin bridge closed\n\nThe Orrin bridge is closed. It was built in 1823.";
        let supported = (Verdict::Supported, false);
        assert_eq!(verdict("Orrin bridge is closed.", "Orrin bridge closed", page), supported);
        assert_eq!(
            verdict("The bridge of Orrin was built in 1823.", "Orrin bridge", page),
            supported
        );
    }
}
