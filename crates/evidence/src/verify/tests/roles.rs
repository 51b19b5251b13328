//! Who does something, and to whom it is done.

use super::*;

#[test]
fn who_does_it_and_to_whom_may_not_change_places() {
    for (claim, turned, said) in [
        (
            "The brewery of Sker sued the bakery in 1840.",
            "The bakery of Sker sued the brewery in 1840.",
            "In 1840 the brewery of Sker sued the bakery.",
        ),
        (
            "The keeper of Sker rescued the pilot in 1840.",
            "The pilot of Sker rescued the keeper in 1840.",
            "In 1840 the keeper of Sker rescued the pilot.",
        ),
        (
            "The brewery of Sker bought the bakery in 1840.",
            "The bakery of Sker bought the brewery in 1840.",
            "The bakery was bought by the brewery of Sker in 1840.",
        ),
        (
            "Brannoc is a Sker ferry that sails in winter.",
            "Sker is a Brannoc ferry that sails in winter.",
            "In winter Brannoc, which is a Sker ferry, sails.",
        ),
        (
            "The keeper of Sker rescued the pilot in 1840.",
            "The pilot of Sker rescued his keeper in 1840.",
            "In 1840 the keeper of Sker rescued the pilot.",
        ),
        (
            "Ann Marsh hired Tom Reed as the keeper in 1840.",
            "Tom Reed hired Ann Marsh as the keeper in 1840.",
            "In 1840 Ann Marsh hired Tom Reed as the keeper.",
        ),
        (
            "Tom Reed tied Ann Marsh to the mast in 1840.",
            "Ann Marsh tied Tom Reed to the mast in 1840.",
            "In 1840 Tom Reed tied Ann Marsh to the mast.",
        ),
        (
            "The keeper of Sker rescued the pilots in 1840.",
            "The pilots of Sker rescued the keeper in 1840. The keeper rescued it, pilots say.",
            "In 1840 the keeper of Sker rescued the pilots.",
        ),
        (
            "The keeper of Sker rescued the pilot in 1840.",
            "The pilot of Sker rescued its keeper in 1840.",
            "In 1840 the keeper of Sker rescued its pilot.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: turned }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert!(check.vetoes.contains(&Veto::Swapped), "{claim} by {turned} {check:?}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

#[test]
fn what_both_do_may_be_said_either_way_round() {
    for (claim, source) in [
        ("Ann Marsh married Tom Reed in 1840.", "Tom Reed married Ann Marsh in 1840."),
        ("Ghent played Lund in the final of 1932.", "Lund played Ghent in the final of 1932."),
        ("The keeper met the mayor of Sker in 1840.", "The mayor of Sker met the keeper in 1840."),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
    let apart = "Reed was engaged, married and left; his friend Hale dined with Ann Marsh in 1840.";
    assert_ne!(verdict("Ann Marsh married Reed in 1840.", apart), Verdict::Supported);
}

#[test]
fn a_passive_on_one_side_alone_changes_places() {
    are_told_apart(&[
        (
            "Marsh Mills was acquired by Reed Boats in 2021.",
            &["Marsh Mills acquired Reed Boats in 2021."],
            &[
                "Reed Boats acquired Marsh Mills in 2021.",
                "In 2021 Marsh Mills was acquired by Reed Boats.",
            ],
        ),
        (
            "Tom Reed killed Ann Marsh in Sker.",
            &["Tom Reed was killed by Ann Marsh in Sker."],
            &["Ann Marsh was killed in Sker by Tom Reed.", "In Sker Tom Reed killed Ann Marsh."],
        ),
        (
            "The brewery of Sker sued the bakery in 1840.",
            &["The brewery of Sker was sued in 1840 by the bakery."],
            &["The bakery was sued by the brewery of Sker in 1840."],
        ),
    ]);
}
