//! Numbers that a sentence gives to something else than the claim does.

use super::*;

#[test]
fn a_number_belongs_to_what_it_stands_beside() {
    for (claim, near, said) in [
        (
            "The harbour of Sker has 40 boats and 300 ferries.",
            "The harbour of Sker has 300 boats and 40 ferries.",
            "The harbour of Sker has 300 ferries and 40 boats.",
        ),
        (
            "The firm of Sker was founded in 1990 and sold in 2005.",
            "The firm of Sker was founded in 2005 and sold in 1990.",
            "The firm of Sker was sold in 2005; it was founded in 1990.",
        ),
        (
            "In 2019 the toll of Sker was 8 euros and in 2020 it was 5 euros.",
            "In 2019 the toll of Sker was 5 euros and in 2020 it was 8 euros.",
            "The toll of Sker was 5 euros in 2020 and 8 euros in 2019.",
        ),
        (
            "In 2020 the toll of Sker was 5 euros.",
            "In 2019 the toll of Sker was 5 euros and in 2020 it was 8 euros.",
            "In 2019 the toll of Sker was 8 euros and in 2020 it was 5 euros.",
        ),
        (
            "The museum of Sker is open from 9:45 to 17:30.",
            "The museum of Sker is open from 9:30 to 17:45.",
            "Daily from 9:45 to 17:30 the museum of Sker is open.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: near }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert!(check.vetoes.contains(&Veto::Number), "{claim} by {near} {check:?}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

#[test]
fn a_number_that_stands_a_little_apart_is_not_of_something_else() {
    for (claim, source) in [
        (
            "The harbour of Sker has 40 boats.",
            "The harbour of Sker has 300 boats for 40 crews, of which it lends 40 old boats.",
        ),
        (
            "The lamp of Sker was mended in 2005.",
            "The lamp of Sker was mended in 1990 and 2005, and lit in 2005.",
        ),
        (
            "The lamp of Sker was mended in 1990.",
            "In 1990 the lamp of Sker was mended, and in 2005 the tower.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: source }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert!(!check.vetoes.contains(&Veto::Number), "{claim} by {source} {check:?}");
    }
}
