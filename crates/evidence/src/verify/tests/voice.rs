//! Statements that a claim puts in the mouth of somebody whom the passage names.

use super::*;

const REED: &str = "According to Tom Reed, the tower of Sker has 196 steps.";
const COUNCIL: &str = "According to the council, the tower of Sker has 196 steps.";

fn check_by(claim: &str, source: &str) -> Check {
    Index::new([Text { context: "", text: source }]).best(&Claim::new(claim)).unwrap()
}

#[test]
fn what_another_says_is_not_said_by_whoever_is_named_beside_it() {
    for (claim, source) in [
        (REED, "The tower of Sker has 196 steps, Ann Marsh told Tom Reed."),
        (REED, "Tom Reed built the tower of Sker, which has 196 steps."),
        (REED, "Tom Reed met Ann Marsh, who said that the tower of Sker has 196 steps."),
        (REED, "Tom Reed visited Sker, where Ann Marsh said the tower of Sker has 196 steps."),
        (REED, "Tom Reed was told that the tower of Sker has 196 steps."),
        (COUNCIL, "The tower of Sker of the council has 196 steps."),
        (COUNCIL, "Tom Reed told the council that the tower of Sker has 196 steps."),
        (
            "Tom Reed said that the tower of Sker has 196 steps.",
            "Tom Reed owns the tower of Sker, which has 196 steps.",
        ),
        (
            "The tower of Sker has 196 steps, Tom Reed said.",
            "The tower of Sker of Tom Reed has 196 steps.",
        ),
    ] {
        let check = check_by(claim, source);
        assert!(check.vetoes.contains(&Veto::Entity), "{claim} by {source} {check:?}");
    }
}

#[test]
fn who_speaks_in_a_passage_says_it() {
    for (claim, source) in [
        (REED, "Tom Reed says the tower of Sker has 196 steps."),
        (REED, "The tower of Sker has 196 steps, according to Tom Reed."),
        (REED, "\"The tower of Sker has 196 steps,\" said Tom Reed."),
        (REED, "Tom Reed, 45, said the tower of Sker has 196 steps."),
        (REED, "Tom Reed, who keeps the lamp, wrote that the tower of Sker has 196 steps."),
        (REED, "Tom Reed and Ann Marsh said that the tower of Sker has 196 steps."),
        (REED, "In a letter by Tom Reed, the tower of Sker has 196 steps."),
        (REED, "Tom Reed was quoted as saying that the tower of Sker has 196 steps."),
        (REED, "The council was told by Tom Reed that the tower of Sker has 196 steps."),
        (
            "The tower of Sker has 196 steps, Tom Reed said.",
            "Tom Reed is the keeper. He said that the tower of Sker has 196 steps.",
        ),
        (
            "The tower of Sker has 196 steps, Ann Marsh said.",
            "Tom Reed and Ann Marsh are keepers. They said that the tower of Sker has 196 steps.",
        ),
        (REED, "Tom Reed: \"The tower of Sker has 196 steps.\""),
        (REED, "By Tom Reed\nThe tower of Sker has 196 steps."),
        (COUNCIL, "The tower of Sker has 196 steps, the council said."),
        (
            "According to the FDA, the tower of Sker has 196 steps.",
            "The Food and Drug Administration said the tower of Sker has 196 steps.",
        ),
        (
            "The tower of Sker has 196 steps, said Tom Reed.",
            "Tom Reed says the tower of Sker has 196 steps.",
        ),
        (
            "According to the report, the tower of Sker has 196 steps.",
            "The report: the tower of Sker has 196 steps.",
        ),
        (
            "Tom Reed, the keeper, said Ann Marsh built the tower of Sker.",
            "Tom Reed, the keeper, said that Ann Marsh built the tower of Sker.",
        ),
        (
            "Tom Reed added a lamp to the tower of Sker.",
            "In 1840 Tom Reed added a lamp to the tower of Sker.",
        ),
    ] {
        let check = check_by(claim, source);
        assert_eq!(check.verdict, Verdict::Supported, "{claim} by {source} {check:?}");
    }
}

#[test]
fn a_page_that_is_named_after_somebody_is_theirs() {
    let index = Index::new([Text {
        context: "Letters of Tom Reed",
        text: "The tower of Sker has 196 steps.",
    }]);
    assert_eq!(index.best(&Claim::new(REED)).unwrap().verdict, Verdict::Supported);
}
