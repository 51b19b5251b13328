//! What parts of sentences and lines say something of.

use super::*;

#[test]
fn a_part_is_told_from_a_sentence_of_its_own() {
    for (part, expected) in [
        ("and opened the bridge of Orrin in 1990", Needs::Subject),
        (", was the mayor of Orrin until 2020", Needs::Subject),
        ("but is 300 metres long and wide", Needs::Subject),
        ("and later sold the mill to Tom Reed", Needs::Subject),
        ("and lives in Lund, where he is mayor", Needs::Subject),
        ("and she opened the bridge in 1990", Needs::Subject),
        ("and its keeper wrote letters about bread", Needs::Subject),
        (", which is 300 metres long and wide", Needs::Subject),
        ("and in 1990 opened the bridge of Orrin", Needs::Subject),
        ("und eröffnete 1990 die Brücke von Orrin", Needs::Subject),
        ("that Tom Reed was the mayor of Orrin", Needs::Whole),
        ("and the old iron bridge of Orrin in 1990", Needs::Whole),
        ("and Tom Reed in the spring of 1990", Needs::Whole),
        ("of brass and iron from Lund", Needs::Whole),
        ("and the harbour of Lund has 40 boats", Needs::Nothing),
        ("; the bridge of Orrin was opened by Tom Reed", Needs::Nothing),
        ("and Tom Reed opened the bridge of Orrin", Needs::Nothing),
        ("and in 1990 the bridge of Orrin was opened", Needs::Nothing),
        ("and bread of the island is baked from rye", Needs::Nothing),
        ("and boats leave the harbour of Lund every hour", Needs::Nothing),
        ("while the harbour of Lund has 40 boats", Needs::Nothing),
        ("— and Ann Marsh lives near the harbour of Lund", Needs::Nothing),
        ("und die Brücke von Orrin wurde 1990 eröffnet", Needs::Nothing),
        ("，于1990年开放", Needs::Nothing),
    ] {
        assert_eq!(needs(part), expected, "{part}");
    }
}

#[test]
fn a_line_says_of_what_it_is_or_it_does_not() {
    for line in [
        "opened the bridge in 1990",
        "Opened the bridge in 1990",
        "Was the mayor of Orrin until 2020",
        "is 300 metres long",
        "Built by Tom Reed in 1990",
        "Lives in Lund",
        "Owns the mill of Orrin",
        "Length: 300 metres long",
        "Date of birth: 5 May 1950",
        "300 metres long and 20 metres wide",
    ] {
        assert!(lacks(line), "{line}");
    }
    for line in [
        "The bridge of Orrin is 300 metres long",
        "Ann Marsh opened the bridge in 1990",
        "Built in 1990, the bridge of Orrin is 300 metres long",
        "Boats leave the harbour of Lund every hour in summer",
        "Bread of the island is baked from rye and salt",
        "United Mills bought the harbour in 1990",
        "Lund: 40 boats in the harbour",
        "Ann Marsh: opened the bridge in 1990",
        "Whales sing loudly in cold polar waters",
        "196 steps were built by Ann Marsh",
        "Neben der Brücke steht ein Turm aus Stein",
        "奥林大桥长300米",
    ] {
        assert!(!lacks(line), "{line}");
    }
}

#[test]
fn a_sentence_has_a_head_and_a_heading_a_topic() {
    for (sentence, expected) in [
        ("Ann Marsh was born in Lund", "Ann Marsh"),
        ("Ann Marsh, who lives near the harbour", "Ann Marsh"),
        ("The bridge of Lund is old", "bridge of Lund"),
        ("In 1990, Ann Marsh founded the mill", "Ann Marsh"),
        ("The old mill near Orrin burned", "old mill"),
        ("Die Brücke von Orrin wurde eröffnet", "Brücke"),
        ("It was there", ""),
    ] {
        assert_eq!(head(sentence), expected, "{sentence}");
    }
    for (heading, expected) in [
        ("Ann Marsh", "Ann Marsh"),
        ("Lund bridge", "Lund bridge"),
        ("Career of Ann Marsh", "Ann Marsh"),
        ("Who is Ann Marsh?", "Ann Marsh"),
        ("1. Tom Reed", "Tom Reed"),
        ("Key facts", ""),
        ("History", ""),
        ("Construction and costs", ""),
        ("Geschichte", ""),
    ] {
        assert_eq!(topic(heading), expected, "{heading}");
    }
}
