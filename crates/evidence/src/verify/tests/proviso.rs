//! Sentences that say a claim with a reserve, a condition, an exception or as somebody's words, and the claim without.

use super::*;

/// Each claim is not said by the second, for this reason, and is said by the third.
fn tells(rows: &[(&str, &str, Veto, &str)]) {
    for (claim, near, veto, said) in rows {
        let index = Index::new([Text { context: "", text: near }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert!(check.vetoes.contains(veto), "{claim} by {near} {check:?}");
        assert_ne!(check.verdict, Verdict::Supported, "{claim} by {near}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

#[test]
fn what_may_be_is_not_what_will_be() {
    tells(&[(
        "The Orrin Bridge will close in 2027.",
        "The Orrin Bridge may close in 2027.",
        Veto::Reserve,
        "In 2027 the Orrin Bridge will close.",
    )]);
}

#[test]
fn a_condition_is_part_of_what_is_said() {
    let bare = "The Orrin Bridge will close in 2027.";
    let said = "In 2027 the Orrin Bridge will close.";
    tells(&[
        (bare, "If the council agrees, the Orrin Bridge will close in 2027.", Veto::Reserve, said),
        (
            bare,
            "The Orrin Bridge will close in 2027 unless the council objects.",
            Veto::Reserve,
            said,
        ),
    ]);
    for (claim, source) in [
        (
            "If the council agrees, the Orrin Bridge will close in 2027.",
            "The Orrin Bridge will close in 2027 if the council agrees.",
        ),
        (
            "The tower of Sker has 196 steps.",
            "If it rains, the tower of Sker is closed. The tower of Sker has 196 steps.",
        ),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn what_critics_claim_is_said_by_them_alone() {
    let bare = "The Orrin Bridge was badly built in 1990.";
    let said = "In 1990 the Orrin Bridge was badly built.";
    tells(&[
        (bare, "Critics claimed the Orrin Bridge was badly built in 1990.", Veto::Reserve, said),
        (
            bare,
            "According to critics, the Orrin Bridge was badly built in 1990.",
            Veto::Reserve,
            said,
        ),
        (bare, "Legend has it that the Orrin Bridge was badly built in 1990.", Veto::Reserve, said),
    ]);
    for (claim, source) in [
        (
            "Critics claimed the Orrin Bridge was badly built in 1990.",
            "In 1990, critics claimed that the Orrin Bridge was badly built.",
        ),
        (
            "The tower of Sker has 196 steps.",
            "According to the council, the tower of Sker has 196 steps.",
        ),
        (
            "The storm of Sker claimed 12 lives in 1823.",
            "In 1823 the storm of Sker claimed 12 lives.",
        ),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn what_is_the_most_is_not_what_was() {
    tells(&[(
        "The fair of Sker drew 5,000 people in 1990.",
        "The fair of Sker drew up to 5,000 people in 1990.",
        Veto::Reserve,
        "In 1990 the fair of Sker drew 5,000 people.",
    )]);
    for (claim, source) in [
        (
            "In 1990 the fair of Sker drew up to 5,000 people.",
            "The fair of Sker drew up to 5,000 people in 1990.",
        ),
        ("The hall of Sker holds 5,000 people.", "The hall of Sker holds up to 5,000 people."),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn an_exception_is_part_of_what_is_said() {
    tells(&[(
        "The lamp of Sker burned in every storm.",
        "The lamp of Sker burned in every storm except that of 1953.",
        Veto::Absolute,
        "In every storm the lamp of Sker burned.",
    )]);
    let (claim, source) = (
        "Except in that of 1953, the lamp of Sker burned in every storm.",
        "The lamp of Sker burned in every storm except that of 1953.",
    );
    assert_eq!(verdict(claim, source), Verdict::Supported);
}
