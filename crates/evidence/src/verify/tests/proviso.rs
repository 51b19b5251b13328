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

#[test]
fn what_is_only_assumed_is_not_said() {
    let said = "The driver of the lorry was drunk, the court of Sker found.";
    tells(&[
        (
            "The driver of the lorry was drunk.",
            "Police would hold a hearing if the driver of the lorry was drunk.",
            Veto::Reserve,
            said,
        ),
        (
            "The mayor of Sker resigned in 1990.",
            "The council would meet if the mayor of Sker resigned in 1990.",
            Veto::Reserve,
            "In 1990 the mayor of Sker resigned.",
        ),
    ]);
    let both = "Police would hold a hearing if the driver of the lorry was drunk. The driver of the lorry was drunk.";
    assert_eq!(verdict("The driver of the lorry was drunk.", both), Verdict::Supported);
}

#[test]
fn the_month_of_may_is_no_reserve() {
    tells(&[
        (
            "The hall of Sker drew 5,000 visitors in May 2024.",
            "The hall of Sker drew up to 5,000 visitors in May 2024.",
            Veto::Reserve,
            "In May 2024 the hall of Sker drew 5,000 visitors.",
        ),
        (
            "The Orrin Bridge closes in May 2024.",
            "The Orrin Bridge may close in May 2024.",
            Veto::Reserve,
            "In May 2024 the Orrin Bridge closes.",
        ),
        (
            "The Orrin Bridge closes to lorries in May.",
            "The Orrin Bridge may close to lorries in May.",
            Veto::Reserve,
            "In May the Orrin Bridge closes to lorries.",
        ),
    ]);
}

#[test]
fn who_claims_a_thing_claims_no_statement() {
    let claim = "Ann Marsh was sworn in as mayor of Sker on Monday.";
    let source = "Ann Marsh of the Labour Party claimed victory and was sworn in as mayor of Sker on Monday.";
    assert_eq!(verdict(claim, source), Verdict::Supported);
    tells(&[(
        "The lamp of Sker was broken in 1990.",
        "Tom Reed claimed the lamp of Sker was broken in 1990.",
        Veto::Reserve,
        "In 1990 the lamp of Sker was broken.",
    )]);
}

#[test]
fn as_many_as_and_until_are_up_to() {
    for (claim, source) in [
        (
            "As many as 5,000 people attended the fair of Sker.",
            "Up to 5,000 people attended the fair of Sker.",
        ),
        (
            "The harbour of Sker grew until 1914.",
            "In the years up to 1914 the harbour of Sker grew.",
        ),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn what_is_planned_will_be_as_the_source_says_that_it_will() {
    let source = "The planned tunnel of Sker will be 5 km long and carry trains.";
    let to_come = "The tunnel of Sker will be 5 km long and carry trains.";
    assert_eq!(verdict(to_come, source), Verdict::Supported);
    tells(&[(
        "The tunnel of Sker is 5 km long and carries trains.",
        source,
        Veto::Reserve,
        "The tunnel of Sker carries trains and is 5 km long.",
    )]);
    tells(&[(
        to_come,
        "The planned tunnel of Sker, 5 km long, is to carry trains.",
        Veto::Reserve,
        "Trains will use the tunnel of Sker, which will be 5 km long and carry them.",
    )]);
}
