//! Whose figures and days a sentence tells, in words and in columns.

use super::unsaid::{check, shown};
use super::*;

#[test]
fn a_figure_is_of_whom_its_member_names() {
    let marsh = "How many goals did Ann Marsh score?";
    let reed = "How many goals did Tom Reed score?";
    let mayor = "When did Ann Marsh become mayor?";
    let long = "How long is the Sker bridge?";
    check(&[
        (marsh, "Tom Reed scored 3 goals and Ann Marsh scored 5 goals.", "5 goals"),
        (reed, "Tom Reed scored 3 goals and Ann Marsh scored 5 goals.", "3 goals"),
        (reed, "Tom Reed scored 3 goals and Ann Marsh scored 5.", "3 goals"),
        (marsh, "Tom Reed scored 3 goals and Ann Marsh scored 5.", "5 (goals)"),
        (marsh, "In the final Tom Reed scored 3 goals and Ann Marsh 5.", "5 (goals)"),
        (marsh, "Tom Reed scored 3 goals, twice as many as Ann Marsh.", "-"),
        (marsh, "Ann Marsh scored 5 goals in May and retired in June.", "5 goals"),
        (marsh, "Tom Reed and Ann Marsh scored 5 goals.", "5 goals"),
        (mayor, "Tom Reed became mayor in 1990 and Ann Marsh in 1998.", "1998"),
        (
            "When did Tom Reed become mayor?",
            "Tom Reed became mayor in 1990 and Ann Marsh in 1998.",
            "1990",
        ),
        (
            mayor,
            "Ann Marsh, who succeeded Tom Reed, mayor since 1990, took office in 1998.",
            "1998",
        ),
        (mayor, "Ann Marsh, a baker, became mayor in 1998.", "1998"),
        (
            "When was Tom Reed born?",
            "Tom Reed, whose father was born in 1920, is a painter from Sker.",
            "-",
        ),
        (
            "When was Tom Reed born?",
            "Tom Reed, who was born in 1950, is a painter from Sker.",
            "1950",
        ),
        ("When did Tom Reed die?", "Tom Reed was born in 1950. His wife died in 2001.", "-"),
        ("When did Tom Reed die?", "Tom Reed was born in 1950. He died in 2001.", "2001"),
        (
            "When did the wife of Tom Reed die?",
            "Tom Reed was born in 1950. His wife died in 2001.",
            "2001",
        ),
        (long, "The Lund bridge is 300 m long, twice as long as the Sker bridge.", "-"),
        (long, "The Sker bridge is 20 m wide and the Lund bridge is 300 m long.", "-"),
        (long, "The Sker bridge is 300 m long, and the Lund bridge is longer.", "300 m"),
        (long, "The county built the Sker bridge, and it is 300 m long.", "300 m"),
        ("How many boats does Lund have?", "Sker has 30 boats and Lund has 50 boats.", "50 boats"),
        (
            "How much did the Sker bridge cost?",
            "The Sker bridge was opened in 2019 by Ann Marsh, at a cost of 5 million euros.",
            "5 million euros",
        ),
        ("What is the population of Sker?", "Sker is a town. Its population is 5,000.", "5,000"),
    ]);
}

#[test]
fn a_thing_of_another_name_is_another() {
    let open = "When did the Sker bridge open?";
    for (question, text, told) in [
        (open, "The Lund bridge opened in 1950. The Sker bridge is longer.", "-"),
        (open, "The bridge of Lund opened in 1950. The Sker bridge is longer.", "-"),
        (open, "The Sker bridge is long. The bridge opened in 1950.", "1950"),
        (open, "The Sker bridge is long. Ann Marsh opened the bridge in 1950.", "1950"),
        (open, "In Sker Ann Marsh opened the bridge in 1950.", "1950"),
        ("When was Tom Reed born?", "Ann Marsh was born in 1950. Tom Reed is older.", "-"),
        (
            "Why was the Sker bridge closed?",
            "The Sker bridge was closed in 2010. The Lund bridge was closed because of rust.",
            "-",
        ),
    ] {
        let shown = shown(question, text);
        assert!(
            shown == told || (told == "-" && shown.is_empty() && question.starts_with("Why")),
            "{question} {text} {shown}"
        );
    }
}

#[test]
fn a_day_and_a_measure_stand_in_their_own_column() {
    let dates = "# Bridges\n\n| Bridge | Opened | Closed |\n|---|---|---|\n| Orrin | 1950 | 1990 |\n| Lund | 1960 | 1999 |\n| Sker | 1970 | still open |\n";
    let sizes = "# Bridges\n\n| Bridge | Cost | Length | Width |\n|---|---|---|---|\n| Orrin | 5 | 300 m | 20 m |\n| Lund | 8 | 900 m | 30 m |\n";
    let towns = "# Towns\n\n| Town | Residents 2000 | Residents 2010 |\n|---|---|---|\n| Orrin | 3,000 | 5,000 |\n| Lund | 8,000 | 9,000 |\n";
    for (question, text, told) in [
        ("When was the Lund bridge closed?", dates, "1999"),
        ("When was the Lund bridge opened?", dates, "1960"),
        ("When was the Sker bridge closed?", dates, ""),
        ("What is the width of the Lund bridge?", sizes, "30 m"),
        ("How wide is the Lund bridge?", sizes, "30 m"),
        ("How long is the Lund bridge?", sizes, "900 m"),
        ("How many residents did Orrin have in 2010?", towns, "5,000"),
        ("How many residents did Orrin have in 2000?", towns, "3,000"),
    ] {
        assert_eq!(shown(question, text), told, "{question}");
        let passages = [passage(&[], text)];
        let cut =
            EvidenceSource { passages: &passages, ..source(1, "Page", "https://a.example/", "") };
        let answer = answered(question, &[cut]);
        assert_eq!(
            answer.starts_with(&format!("**{told}**")),
            !told.is_empty(),
            "{question} {answer}"
        );
    }
}
