//! What a sentence says to a question, over invented pages of many subjects.

use super::super::{EvidenceSource, ranking};
use super::*;
use proptest::prelude::*;

/// What one sentence on a page of its own says.
fn of(title: &str, text: &str, question: &str) -> Option<String> {
    let source = EvidenceSource {
        n: 1,
        title,
        url: "https://a.example/",
        text,
        ..EvidenceSource::default()
    };
    let sources = [source];
    ranking(question, &sources).swap_remove(0).verdict
}

fn check(table: &[(&str, &str, &str, &str)]) {
    let mut wrong = Vec::new();
    for (title, text, question, expected) in table {
        let given = of(title, text, question);
        if given.as_deref() != Some(*expected).filter(|it| !it.is_empty()) {
            wrong.push(format!("{question} — {text} — {given:?}, not {expected:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_not_said_of_all_or_of_the_first_is_no_yes() {
    check(&[
        ("", "Not all shops in Orrin are open.", "Are all shops in Orrin open?", "no"),
        ("", "Not every shop in Orrin is open.", "Is every shop in Orrin open?", "no"),
        ("", "All shops in Orrin are open.", "Are all shops in Orrin open?", "yes"),
        ("", "Not all shops in Orrin are open.", "Are shops in Orrin open?", ""),
        ("", "Not most trains are late.", "Are most trains late?", ""),
        (
            "",
            "The bridge is the second longest in Wales.",
            "Is the bridge the longest in Wales?",
            "no",
        ),
        (
            "",
            "The bridge is the 2nd longest in Wales.",
            "Is the bridge the longest in Wales?",
            "no",
        ),
        ("", "The bridge is the longest in Wales.", "Is the bridge the longest in Wales?", "yes"),
        ("", "Orrin is the third largest town.", "Is Orrin the third largest town?", "yes"),
        ("", "The toll did not fall in 2020.", "Did the toll rise in 2020?", ""),
        ("", "The toll fell in 2020.", "Did the toll rise in 2020?", "no"),
        ("", "The toll rose in 2020.", "Did the toll rise in 2020?", "yes"),
    ]);
}

#[test]
fn states_are_affirmed_and_denied() {
    check(&[
        ("Ada Dam", "The dam is open to cyclists.", "Is the Ada Dam open to cyclists?", "yes"),
        ("Ada Dam", "The dam is not open to cyclists.", "Is the Ada Dam open to cyclists?", "no"),
        ("Ada Dam", "The dam is closed to cyclists.", "Is the Ada Dam open to cyclists?", "no"),
        (
            "Ada Dam",
            "The dam is no longer open to cyclists.",
            "Is the Ada Dam open to cyclists?",
            "no",
        ),
        (
            "Ada Dam",
            "The dam was open to cyclists until 1990.",
            "Is the Ada Dam open to cyclists?",
            "",
        ),
        (
            "Ada Dam",
            "The dam is open to the public, but not to cyclists.",
            "Is the Ada Dam open to cyclists?",
            "no",
        ),
        (
            "Ada Dam",
            "The dam is open only to cyclists with a permit.",
            "Is the Ada Dam open to cyclists?",
            "",
        ),
        (
            "Ada Dam",
            "The dam is open to cyclists under sixteen.",
            "Is the Ada Dam open to cyclists?",
            "",
        ),
        (
            "Ada Dam",
            "The dam may be open to cyclists soon.",
            "Is the Ada Dam open to cyclists?",
            "",
        ),
        (
            "Ada Dam",
            "Critics say that the dam is open to cyclists.",
            "Is the Ada Dam open to cyclists?",
            "",
        ),
        (
            "Ada Dam",
            "If the dam is open to cyclists, a flag flies.",
            "Is the Ada Dam open to cyclists?",
            "",
        ),
        ("Ada Dam", "The café is open to cyclists.", "Is the Ada Dam open to cyclists?", ""),
        ("Bora Dam", "The dam is open to cyclists.", "Is the Ada Dam open to cyclists?", ""),
        ("Newts", "The alpine newt is not venomous.", "Is the alpine newt venomous?", "no"),
        (
            "Newts",
            "The alpine newt is protected by law in Poland.",
            "Is the alpine newt protected in Poland?",
            "",
        ),
        (
            "Rye",
            "Rye flour is unsuitable for people with coeliac disease.",
            "Is rye flour suitable for people with coeliac disease?",
            "no",
        ),
        (
            "Ina Berg",
            "Ina Berg was a former minister of trade.",
            "Was Ina Berg minister of trade?",
            "",
        ),
    ]);
}

#[test]
fn what_was_done_keeps_its_roles() {
    check(&[
        ("Ada Dam", "The council paid for the dam.", "Did the council pay for the dam?", "yes"),
        (
            "Ada Dam",
            "The dam was paid for by the council.",
            "Did the council pay for the dam?",
            "yes",
        ),
        (
            "Ada Dam",
            "The dam was paid for by the state, not by the council.",
            "Did the council pay for the dam?",
            "no",
        ),
        (
            "Ada Dam",
            "The council did not pay for the dam.",
            "Did the council pay for the dam?",
            "no",
        ),
        (
            "Ada Dam",
            "The council refused to pay for the dam.",
            "Did the council pay for the dam?",
            "no",
        ),
        (
            "Ada Dam",
            "The council promised to pay for the dam.",
            "Did the council pay for the dam?",
            "",
        ),
        ("Ada Dam", "The state paid for the dam.", "Did the council pay for the dam?", ""),
        ("War", "The League defeated the Duke in 1642.", "Did the Duke defeat the League?", ""),
        ("War", "The League defeated the Duke in 1642.", "Did the League defeat the Duke?", "yes"),
        ("War", "The Duke was defeated by the League.", "Did the League defeat the Duke?", "yes"),
        ("War", "The Duke was defeated by the League.", "Did the Duke defeat the League?", ""),
        (
            "Ina Berg",
            "Ina Berg moved from Kiel to Ulm in 1920.",
            "Did Ina Berg move to Ulm?",
            "yes",
        ),
        ("Ina Berg", "Ina Berg moved from Kiel to Ulm in 1920.", "Did Ina Berg move to Kiel?", ""),
        ("Ina Berg", "Ina Berg never married.", "Did Ina Berg marry?", "no"),
        (
            "Ina Berg",
            "She won the Lund Prize in 1931 and refused the state medal.",
            "Did Ina Berg win the Lund Prize?",
            "yes",
        ),
        ("Ina Berg", "Her sister won the Lund Prize.", "Did Ina Berg win the Lund Prize?", ""),
        (
            "Ina Berg",
            "Ina Berg gave her house to the town and kept the garden.",
            "Did Ina Berg give the garden to the town?",
            "",
        ),
        ("Quakes", "Nobody died in the quake of Ulm.", "Did people die in the quake of Ulm?", ""),
        ("Bats", "Bats do not lay eggs.", "Do bats lay eggs?", "no"),
        ("Bats", "Bats eat moths and beetles.", "Do bats eat moths?", "yes"),
        ("Bats", "Some bats eat fish.", "Do bats eat fish?", ""),
        ("Bats", "Young bats do not eat moths.", "Do bats eat moths?", ""),
    ]);
}

#[test]
fn what_there_is_and_what_is_allowed() {
    check(&[
        ("Ulm baths", "There is no sauna.", "Is there a sauna at the Ulm baths?", "no"),
        ("Ulm baths", "There is a sauna.", "Is there a sauna at the Ulm baths?", "yes"),
        ("Ulm baths", "There was a sauna until 1990.", "Is there a sauna at the Ulm baths?", ""),
        ("Ulm baths", "No dogs are allowed.", "Are dogs allowed at the Ulm baths?", "no"),
        ("Ulm baths", "Dogs are not allowed.", "Are dogs allowed at the Ulm baths?", "no"),
        (
            "Ulm baths",
            "Dogs are not allowed in the café.",
            "Are dogs allowed at the Ulm baths?",
            "",
        ),
        ("Ulm baths", "Visitors may bring food.", "Can I bring food to the Ulm baths?", "yes"),
        ("Ulm baths", "Visitors may not bring food.", "Can I bring food to the Ulm baths?", "no"),
        ("Ulm baths", "Members may bring food.", "Can I bring food to the Ulm baths?", ""),
        ("Penguins", "Penguins cannot fly at all.", "Can penguins fly?", "no"),
    ]);
}

#[test]
fn dates_and_amounts_decide() {
    check(&[
        ("Ada Dam", "The dam was built in 1931.", "Was the Ada Dam built before 1940?", "yes"),
        ("Ada Dam", "The dam was built in 1931.", "Was the Ada Dam built after 1940?", "no"),
        ("Ada Dam", "The dam was built in 1931.", "Was the Ada Dam built before 1931?", ""),
        ("Ada Dam", "The dam was built in 1931.", "Was the Ada Dam built in 1931?", "yes"),
        (
            "Ada Dam",
            "The dam was closed in 1990 after a fire in 1985.",
            "Was the Ada Dam closed in 1985?",
            "",
        ),
        (
            "Ada Dam",
            "The dam was built in 1931, not in 1930.",
            "Was the Ada Dam built in 1930?",
            "",
        ),
        ("Ada Dam", "The dam is 84 metres high.", "Is the Ada Dam higher than 80 metres?", "yes"),
        (
            "Ada Dam",
            "The dam is 84 metres high.",
            "Is the Ada Dam higher than a tower of 90 metres?",
            "",
        ),
        (
            "Ada Dam",
            "The dam is about 84 metres high.",
            "Is the Ada Dam higher than 80 metres?",
            "",
        ),
        (
            "Ada Dam",
            "The dam cost 12 million euros.",
            "Did the Ada Dam cost more than 10 million euros?",
            "yes",
        ),
        (
            "Ada Dam",
            "The dam cost 12 million euros.",
            "Did the Ada Dam cost more than 20 million euros?",
            "no",
        ),
        (
            "Ada Dam",
            "The dam cost 12 million dollars.",
            "Did the Ada Dam cost more than 10 million euros?",
            "",
        ),
        (
            "Ulm",
            "Ulm was founded in 854. The minster was finished in 1890.",
            "Was the minster finished before Ulm was founded?",
            "",
        ),
        (
            "Ulm",
            "The bridge was opened in 1832. The minster was finished in 1890.",
            "Was the minster finished before the bridge was opened?",
            "no",
        ),
        (
            "Ulm",
            "The bridge was opened in 1832. The minster was finished in 1890.",
            "Was the bridge opened before the minster was finished?",
            "yes",
        ),
    ]);
}

#[test]
fn of_two_answers_the_one_that_is_said_is_given() {
    check(&[
        (
            "Ada Dam",
            "The dam was paid for by the state.",
            "Was the Ada Dam paid for by the city or the state?",
            "the state",
        ),
        (
            "Ada Dam",
            "The dam is built of concrete.",
            "Is the Ada Dam built of stone or concrete?",
            "concrete",
        ),
        (
            "Ada Dam",
            "The dam is built of stone and concrete.",
            "Is the Ada Dam built of stone or concrete?",
            "",
        ),
        (
            "Ada Dam",
            "The dam is not built of concrete.",
            "Is the Ada Dam built of stone or concrete?",
            "",
        ),
    ]);
}

#[test]
fn a_heading_that_asks_the_same_is_answered_below_it() {
    let page = |answer: &str| format!("# Rye\n\n## Is rye bread free of gluten?\n{answer}");
    for (answer, question, expected) in [
        ("No. Rye has gluten, too.", "Is rye bread free of gluten?", Some("no")),
        ("Yes, it has none at all.", "Is rye bread free of gluten?", Some("yes")),
        ("Yes, but only if it is old.", "Is rye bread free of gluten?", None),
        ("No. Rye has gluten, too.", "Is rye bread free of charge?", None),
        ("No. Rye has gluten, too.", "Is wheat bread free of gluten?", None),
    ] {
        assert_eq!(of("Rye", &page(answer), question).as_deref(), expected, "{answer} {question}");
    }
}

/// Two pages, the second newer.
fn two<'a>(one: &'a str, other: &'a str) -> [EvidenceSource<'a>; 2] {
    let source = |n, title, url, date, text| EvidenceSource {
        n,
        title,
        url,
        date: Some(date),
        text,
        ..EvidenceSource::default()
    };
    [
        source(1, "Ada Dam", "https://a.example/", "2019-04-02", one),
        source(2, "Ada Dam news", "https://b.example/", "2024-05-06", other),
    ]
}

#[test]
fn sources_that_contradict_each_other_are_both_heard() {
    let sources =
        two("The dam is open to cyclists.", "Since the storm the dam is not open to cyclists.");
    let open = two("The dam is open to cyclists.", "The dam is not open to cyclists.");
    let answer = |sources: &[EvidenceSource<'_>]| {
        let asked = super::super::Asked {
            query: "Is the Ada Dam open to cyclists?",
            length: super::super::Length::Medium,
            most_tokens: 2_000,
            why: super::super::Why::Chosen,
        };
        super::super::answer(&asked, sources, &[])
    };
    let shown = answer(&open);
    assert!(
        shown.contains(
            "**Sources disagree.** No, according to [Ada Dam news](https://b.example/), 2024-05-06: “The dam is not open to cyclists.” That is newer. Yes, according to [Ada Dam](https://a.example/), 2019-04-02: “The dam is open to cyclists.”"
        ),
        "{shown}"
    );
    assert!(!answer(&sources).contains("much the same"), "a denial says nothing of the same");
    let agreed = two("The dam is open to cyclists.", "The dam is open to cyclists now.");
    let shown = answer(&agreed);
    assert!(shown.contains("**Yes**, according to [Ada Dam"), "{shown}");
}

#[test]
fn of_two_that_contradict_each_other_the_newer_by_its_day_leads() {
    let lead = |dates: [&'static str; 2]| {
        let mut sources = two("The dam is open to cyclists.", "The dam is not open to cyclists.");
        for (source, date) in sources.iter_mut().zip(dates) {
            source.date = Some(date);
        }
        let asked = super::super::Asked {
            query: "Is the Ada Dam open to cyclists?",
            length: super::super::Length::Medium,
            most_tokens: 2_000,
            why: super::super::Why::Chosen,
        };
        let shown = super::super::answer(&asked, &sources, &[]);
        let leads = ["Yes", "No"]
            .into_iter()
            .find(|first| shown.contains(&format!("**Sources disagree.** {first}, according to")));
        (leads, shown.contains("That is newer."))
    };
    for (dates, leads) in [
        (["9 May 2024", "2024-05-10"], "No"),
        (["2024-05-10", "9 May 2024"], "Yes"),
        (["December 2023", "April 2024"], "No"),
    ] {
        assert_eq!(lead(dates), (Some(leads), true), "{dates:?}");
    }
    // A year and a month of it, a day in two writings, and what is no date: none is newer.
    for dates in [
        ["2024", "2024-05"],
        ["2024-05", "2024"],
        ["9 May 2024", "2024-05-09"],
        ["2024-05-09", "9 May 2024"],
        ["2024-05-09", "yesterday"],
        ["yesterday", "2024-05-09"],
    ] {
        let (leads, is_newer) = lead(dates);
        assert!(leads.is_some() && !is_newer, "{dates:?} {leads:?}");
    }
}

/// Things, what is said of them, and how a question asks for it.
const SUBJECTS: [&str; 4] = ["The old mill", "The Ada Dam", "Ina Berg", "The red fox"];
const STATES: [&str; 4] =
    ["open to visitors", "protected by law", "made of granite", "suitable for children"];
const DENIALS: [&str; 8] = [
    "{S} is not {P}.",
    "{S} has never been {P}.",
    "{S} is no longer {P}.",
    "{S} isn't {P}.",
    "It is not true that {s} is {P}.",
    "{S} is neither old nor {P}.",
    "Nobody says that {s} is {P}.",
    "{S} is by no means {P}.",
];

fn fill(form: &str, subject: &str, state: &str) -> String {
    let small = match subject.strip_prefix("The ") {
        Some(rest) => format!("the {rest}"),
        None => subject.to_owned(),
    };
    form.replace("{S}", subject).replace("{s}", &small).replace("{P}", state)
}

proptest! {
    #[test]
    fn who_denies_is_never_heard_to_say_yes(
        subject in 0..SUBJECTS.len(),
        state in 0..STATES.len(),
        form in 0..DENIALS.len(),
        tail in "( since 1990| at all| in winter|, they say)?",
    ) {
        let (subject, state) = (SUBJECTS[subject], STATES[state]);
        let text = fill(DENIALS[form], subject, state);
        let text = format!("{}{tail}.", text.trim_end_matches('.'));
        let question = fill("Is {s} {P}?", subject, state);
        let given = of(subject, &text, &question);
        prop_assert_ne!(given.as_deref(), Some("yes"), "{} {}", question, text);
    }

    #[test]
    fn a_page_about_something_else_gives_no_verdict(
        subject in 0..SUBJECTS.len(),
        other in 1..SUBJECTS.len(),
        state in 0..STATES.len(),
        denies in any::<bool>(),
    ) {
        let asked = SUBJECTS[subject];
        let told = SUBJECTS[(subject + other) % SUBJECTS.len()];
        let form = if denies { "{S} is not {P}. It is not {P}." } else { "{S} is {P}. It is {P}." };
        let text = fill(form, told, STATES[state]);
        let question = fill("Is {s} {P}?", asked, STATES[state]);
        prop_assert_eq!(of(told, &text, &question), None, "{} {}", question, text);
    }

    #[test]
    fn no_words_break_it(
        question in "(Is|Was|Did|Can|Has|Will|Are there) (\\PC|the dam |or |before |more than 5 |in 1931 |not |open ){0,12}",
        text in "(\\PC|the dam |is |was |not |in 1931 |5 metres |, |which |and |by |open |no ){0,24}",
    ) {
        let _ = of("The dam", &text, &question);
        let _ = Asked::new(&question);
    }
}
