//! Questions for yes or no with the verdict that a careful reader would give (`polar.json`), and how many get
//! it. They and their texts were written before the rules, which were changed with an eye on the shares alone.

use crate::read::Read;
use quarry_machines::extractive::{EvidenceSource, ranking};
use serde_json::Value;

/// What came of the questions.
#[derive(Debug, Default)]
struct Tally {
    /// Questions that the texts decide.
    decided: usize,
    right: usize,
    wrong: usize,
    /// Questions that they leave open, or that nobody speaks of; and those that got a verdict all the same.
    open: usize,
    claimed: usize,
}

impl Tally {
    fn of(texts: &[Read], questions: &[Value]) -> Tally {
        let tells = std::env::var_os("TELL").is_some();
        let sources: Vec<EvidenceSource<'_>> =
            texts.iter().enumerate().map(|(at, text)| text.source(at + 1)).collect();
        let mut tally = Tally::default();
        for question in questions {
            let asked = question["question"].as_str().unwrap();
            let wanted = question["verdict"].as_str().unwrap();
            let part = ranking(asked, &sources).swap_remove(0);
            let given = part.verdict.as_deref();
            let is_open = matches!(wanted, "open" | "none");
            tally.open += usize::from(is_open);
            tally.decided += usize::from(!is_open);
            match given {
                None => {}
                Some(_) if is_open => tally.claimed += 1,
                Some(given) if given == wanted => tally.right += 1,
                Some(_) => tally.wrong += 1,
            }
            if tells && given != (!is_open).then_some(wanted) {
                let first = part.sentences.first().map(|it| it.text.as_str()).unwrap_or_default();
                println!("{asked} wanted {wanted}, given {given:?}: {first}");
            }
        }
        println!("{tally:?}");
        tally
    }
}

#[test]
fn questions_for_yes_or_no_get_the_verdict_of_a_careful_reader() {
    let file: Value = serde_json::from_str(include_str!("polar.json")).unwrap();
    let texts: Vec<Read> = file["texts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|text| Read {
            date: text["date"].as_str().map(str::to_owned),
            ..Read::markdown(text["title"].as_str().unwrap(), text["text"].as_str().unwrap())
        })
        .collect();
    let tally = Tally::of(&texts, file["questions"].as_array().unwrap());
    assert!(tally.decided >= 55 && tally.open >= 14);
    assert!(tally.wrong + tally.claimed <= 1, "{tally:?}");
    assert!(tally.right * 2 >= tally.decided, "{tally:?}");
}
