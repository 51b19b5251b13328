//! The search for the best window as it is meant, without any haste: what the fast one has to agree with.

use super::dense::{Best, Sign, row_around};
use super::window::{MOST_SENTENCES, Sought, Window};
use super::*;
use proptest::prelude::*;

/// The words of a claim that stand in the sentences of a passage, in order; and the weight of those above it.
fn hits(sought: &Sought<'_>, passage: usize) -> (Vec<(usize, usize)>, f64) {
    let (mut hits, mut base) = (Vec::new(), 0.0);
    let all = sought.index.range(passage);
    for (word, sign) in sought.signs.iter().enumerate() {
        let Sign::Word(term) = sign else {
            let has = |at: &usize| {
                let figures = &sought.index.sentences(*at..*at + 1)[0].figures;
                match sign {
                    Sign::Quantity(quantity) => figures.has_quantity(quantity),
                    Sign::Date(date) => figures.has_date(date),
                    Sign::Word(_) => false,
                }
            };
            hits.extend(all.clone().filter(has).map(|at| (at, word)));
            continue;
        };
        let Some(term) = *term else { continue };
        if sought.index.below(term, &(passage..passage + 1)).is_empty() {
            let places = sought.index.places(term, &all);
            hits.extend(places.iter().map(|place| (*place as usize, word)));
        } else {
            base += sought.weights[word];
        }
    }
    hits.sort_unstable();
    (hits, base)
}

/// The last of the first so many sentences in a row that have most, and the weight of it: each word that comes is
/// counted, and each that goes.
fn densest(sought: &Sought<'_>, hits: &[(usize, usize)], width: usize) -> Option<(usize, f64)> {
    let mut counts = vec![0_u32; sought.signs.len()];
    let mut best: Option<(usize, f64)> = None;
    let (mut sum, mut left) = (0.0, 0);
    for (right, (sentence, word)) in hits.iter().enumerate() {
        sum += if counts[*word] == 0 { sought.weights[*word] } else { 0.0 };
        counts[*word] += 1;
        let from = (sentence + 1).saturating_sub(width);
        let is_heading = |at: &usize| sought.index.sentences(*at..*at + 1)[0].is_heading;
        let from = (from..=*sentence).rev().find(is_heading).unwrap_or(from);
        while let Some((_, gone)) = hits.get(left).filter(|(first, _)| *first < from) {
            counts[*gone] -= 1;
            sum -= if counts[*gone] == 0 { sought.weights[*gone] } else { 0.0 };
            left += 1;
        }
        let is_last = hits.get(right + 1).is_none_or(|(next, _)| next != sentence);
        if is_last && best.is_none_or(|(_, most)| sum > most + 1e-9) {
            best = Some((*sentence, sum));
        }
    }
    best
}

fn look(sought: &Sought<'_>, passage: usize) -> Vec<(Range<usize>, f64)> {
    let all = sought.index.range(passage);
    let (hits, base) = hits(sought, passage);
    let rows = (1..=MOST_SENTENCES.min(all.len())).map(|width| {
        let (last, sum) = densest(sought, &hits, width).unwrap_or((all.start, 0.0));
        (row_around(sought.index, &all, last, width), base + sum)
    });
    rows.collect()
}

/// The best of all windows of the passages that have most, each of them judged.
fn best(sought: &Sought<'_>, passages: Range<usize>) -> Option<Check> {
    let mut looked: Vec<Best> = passages.map(|passage| sought.look(passage)).collect();
    looked.sort_by(|one, other| other.most().total_cmp(&one.most()));
    looked.truncate(CLOSELY);
    let windows = looked.iter().flat_map(|best| sought.windows(best));
    let checks = windows.map(|window: Window| sought.judge(&window));
    checks.reduce(|best, next| {
        let rank = |check: &Check| (check.verdict, check.coverage);
        if rank(&next) > rank(&best) { next } else { best }
    })
}

/// Texts of few words, so that much stands in many places, and as well in one as in another.
fn text(most: usize) -> impl Strategy<Value = String> {
    const WORDS: &[&str] = &[
        "The",
        "keepers",
        "of",
        "Sker",
        "Ann",
        "Marsh",
        "built",
        "rebuilt",
        "the",
        "tower",
        "harbour",
        "lamp",
        "was",
        "not",
        "never",
        "first",
        "only",
        "sold",
        "bought",
        "in",
        "1823",
        "1840",
        "March",
        "3",
        "with",
        "196",
        "steps",
        "million",
        "may",
        "\"loud and cold\"",
        "by",
        "FDA",
        "Food",
        "charity",
        "charitable",
        "(",
        ")",
        ",",
        "large",
        "big",
        "open",
        "closed",
    ];
    let word = prop_oneof![
        9 => prop::sample::select(WORDS).prop_map(str::to_owned),
        1 => Just("\n".to_owned()),
        1 => Just("\n## ".to_owned()),
        3 => "[a-d]{4}",
        1 => Just(".".to_owned()),
    ];
    prop::collection::vec(word, 0..most).prop_map(|words| words.join(" ").replace(" .", "."))
}

proptest! {
    #[test]
    fn the_fast_search_finds_what_the_plain_one_finds(
        passages in prop::collection::vec((text(4), text(60)), 0..9),
        claim in prop_oneof![text(24), text(220)],
        from in 0_usize..9,
    ) {
        let texts = passages.iter().map(|(context, text)| Text { context, text });
        let index = Index::new(texts).with_unread(&[2]);
        let claim = Claim::new(&claim);
        let all = 0..index.len();
        let sought = Sought::new(&claim, &index, all.clone());
        for passage in all.clone() {
            let rows: Vec<(Range<usize>, f64)> = sought.look(passage).rows().collect();
            prop_assert_eq!(rows, look(&sought, passage), "{}", passage);
            prop_assert_eq!(index.check(&claim, passage), best(&sought, passage..passage + 1));
        }
        prop_assert_eq!(index.best(&claim), best(&sought, all.clone()));
        let part = from.min(index.len())..index.len();
        prop_assert_eq!(index.best_in(&claim, part.clone()), best(&sought, part));
        let each = index.best_of_each(&claim, all.clone().map(|at| at..at + 1), all.len(), |_| true);
        for check in each {
            let passage = check.passage;
            prop_assert_eq!(Some(check), best(&sought, passage..passage + 1));
        }
    }
}
