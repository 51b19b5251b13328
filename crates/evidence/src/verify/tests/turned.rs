//! Sentences that have the words of a claim, and say something else, or say it only further on.

use super::*;

#[test]
fn what_turns_a_sentence_round_with_its_own_words_is_not_said() {
    for (claim, turned, said) in [
        (
            "The Sker council advised for the closure of the harbour.",
            "The Sker council advised against the closure of the harbour for years.",
            "The Sker council advised for the closure of the harbour.",
        ),
        (
            "The council of Sker took the plan by two votes to five.",
            "The council of Sker took the plan by five votes to two.",
            "By two votes to five the council of Sker took the plan.",
        ),
        (
            "The Orrin Bridge cost more than 186 million euros.",
            "The Orrin Bridge cost 186 million euros.",
            "The Orrin Bridge cost 190 million euros.",
        ),
        (
            "The tower of Sker is 42 metres long.",
            "The tower of Sker is 90 metres long and leaves 42 metres of air below.",
            "The tower of Sker is 42 metres long and leaves 90 metres of air below.",
        ),
        (
            "In 2023 the Sker bridge had full closures on 19 days.",
            "In 2023 the Sker bridge had restrictions on 19 days and full closures on 3 days.",
            "In 2023 the Sker bridge had full closures on 19 days and restrictions on 3 days.",
        ),
        (
            "In 2023 the Sker bridge had closures during 19 days.",
            "In 2023 the Sker bridge had restrictions during 19 days and closures during 3 days.",
            "In 2023 the Sker bridge had closures during 19 days and restrictions during 3 days.",
        ),
        (
            "Die Brücke von Sker wurde im Jahr 2009 geschlossen.",
            "Die Brücke von Sker wurde im Jahr 2009 eröffnet.",
            "Die Brücke von Sker wurde im Jahr 2009 geschlossen.",
        ),
    ] {
        assert_ne!(verdict(claim, turned), Verdict::Supported, "{claim} by {turned}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

#[test]
fn a_small_word_turns_a_sentence_round() {
    for (claim, turned, veto, said) in [
        (
            "The council of Sker voted 12 to 7 for the plan.",
            "The council of Sker voted 12 to 7 against the plan.",
            Veto::Antonym,
            "In 1823 the council of Sker voted for the plan by 12 to 7.",
        ),
        (
            "Many residents of Sker own a boat.",
            "Few residents of Sker own a boat.",
            Veto::Antonym,
            "In Sker many residents own a boat, and a few own two.",
        ),
        (
            "The lamp of Sker is on in winter.",
            "The lamp of Sker is off in winter.",
            Veto::Antonym,
            "In winter the lamp of Sker is on.",
        ),
        (
            "The toll at Sker went up by 5 percent in 1990.",
            "The toll at Sker went down by 5 percent in 1990.",
            Veto::Antonym,
            "In 1990 the toll at Sker went up by 5 percent.",
        ),
        (
            "The ferry to Sker sails in the morning at 8.",
            "The ferry to Sker sails in the evening at 8.",
            Veto::Antonym,
            "At 8 in the morning the ferry to Sker sails.",
        ),
        (
            "斯克尔灯塔的状况很好。",
            "斯克尔灯塔的状况不好。",
            Veto::Polarity,
            "1823年斯克尔灯塔的状况很好。",
        ),
        (
            "斯克尔灯塔的状况不好。",
            "斯克尔灯塔的状况很好。",
            Veto::Polarity,
            "1823年斯克尔灯塔的状况不好。",
        ),
        (
            "Wheat is more popular than rye in Sker.",
            "Rye is more popular than wheat in Sker.",
            Veto::Swapped,
            "In Sker wheat is more popular than rye.",
        ),
        (
            "The bakery of Sker lends money to the brewery.",
            "The brewery of Sker lends money to the bakery.",
            Veto::Swapped,
            "For years the bakery of Sker lends money to the brewery.",
        ),
        (
            "Tom Reed won the vote against Ann Marsh in Sker.",
            "Ann Marsh won the vote against Tom Reed in Sker.",
            Veto::Swapped,
            "In Sker Tom Reed won the vote against Ann Marsh.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: turned }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert!(check.vetoes.contains(&veto), "{claim} by {turned} {check:?}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

#[test]
fn what_says_the_same_either_way_round_is_not_turned() {
    for (claim, source) in [
        ("The tower of Sker is next to the church.", "The church of Sker is next to the tower."),
        ("Wheat is more popular than rye in Sker.", "Rye is less popular than wheat in Sker."),
        ("斯克尔灯塔与旧灯塔不同。", "旧灯塔与斯克尔灯塔不同。"),
    ] {
        let index = Index::new([Text { context: "", text: source }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        let is_hurt =
            check.vetoes.contains(&Veto::Swapped) || check.vetoes.contains(&Veto::Polarity);
        assert!(!is_hurt, "{claim} by {source} {check:?}");
    }
}

#[test]
fn of_sentences_with_the_same_words_that_with_the_number_says_it() {
    for (claim, source, said) in [
        (
            "The tower has 196 steps.",
            "# Tower\nThe steps of the tower are worn. Many climb them. It is tall. Nobody counts. The tower has 196 steps.",
            "The tower has 196 steps.",
        ),
        (
            "The toll was 6 euros.",
            "# Toll\n\nThe toll was discussed for years. Nobody liked it. Many letters came. The toll was 6 euros at the opening.",
            "The toll was 6 euros at the opening.",
        ),
        (
            "The bridge opened in 2012.",
            "The bridge opened with a speech. Many came. It rained. The band played. The bridge opened in 2012.",
            "The bridge opened in 2012.",
        ),
        (
            "The deposit is 100 euros.",
            "# Fees\n\n## Late\nThe late fee is 12 euros for each day begun.\n\n## Deposit\nEach boat is lent against a deposit of 100 euros.",
            "Each boat is lent against a deposit of 100 euros.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: source }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        let window = &source[check.window.clone()];
        assert_eq!(check.verdict, Verdict::Supported, "{claim} {check:?} {window}");
        assert!(window.ends_with(said), "{claim} {window}");
    }
}

#[test]
fn a_quotation_ends_where_another_part_begins() {
    let source = "## Late\nThe late fee is 12 euros for each day begun.\n\n## Deposit\nEach boat is lent against a deposit of 100 euros.";
    let index = Index::new([Text { context: "Rules", text: source }]);
    let check = index.best(&Claim::new("The deposit is 12 euros.")).unwrap();
    assert_ne!(check.verdict, Verdict::Supported, "{check:?}");
    assert!(!source[check.window.clone()].trim_start_matches("## ").contains("## "), "{check:?}");
}

#[test]
fn what_a_passage_names_to_deny_it_is_not_said_by_it() {
    let source =
        "The remaining fatigue life of the welds under the traffic of 2023 is 19 years, not 31.";
    let claim = |years: &str| {
        format!("The remaining fatigue life of the welds under the traffic of 2023 is {years}.")
    };
    assert_ne!(verdict(&claim("31 years"), source), Verdict::Supported);
    assert_eq!(verdict(&claim("19 years"), source), Verdict::Supported);
    assert_eq!(verdict(&claim("19 years, not 31"), source), Verdict::Supported);
}

#[test]
fn what_another_clause_denies_takes_nothing_from_what_stands_word_for_word() {
    for (claim, source) in [
        (
            "The toll for a car was 6 euros at the opening.",
            "The toll for a car was 6 euros at the opening; since 1 July 2022 there has been no toll.",
        ),
        (
            "Electric cars are allowed on the bridge.",
            "Electric cars are allowed on the bridge; diesel cars are not allowed.",
        ),
        (
            "The ferry to Sker sails daily.",
            "The ferry to Sker sails daily, but it does not sail in storms.",
        ),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
    for (claim, source) in [
        (
            "The ferry to Sker sails daily.",
            "Nobody says that the ferry to Sker sails daily in winter.",
        ),
        ("Diesel cars are allowed.", "Electric cars are allowed; diesel cars are not allowed."),
        ("The ferry to Sker sails.", "It is not true that the ferry to Sker sails."),
    ] {
        assert_ne!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn what_stands_for_a_word_in_its_place_opposes_it_nowhere_else() {
    are_told_apart(&[(
        "Sales of the yard dropped from 688 to 612 boats.",
        &["Sales of the yard rose from 688 to 612 boats, while the cost of tar fell."],
        &[
            "Sales of the yard fell to 612 boats from 688 boats, while the cost of tar rose 9 percent.",
        ],
    )]);
}
