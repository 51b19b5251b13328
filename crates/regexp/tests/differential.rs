//! Generated patterns over short texts: every group has to be where `regress`, the matcher of
//! the JavaScript engine, finds it, whichever way ours is run.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

mod common;

use common::{compile, find, show, units};
use proptest::{prelude::*, test_runner::RngSeed};
use quarry_regexp::Regexp;

fn atom() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec!["a", "b", "c", "A", "k", "0"]),
        2 => prop::sample::select(vec![".", "\\d", "\\w", "\\s", "\\W", "\\S", "\\x61", "\\n"]),
        3 => prop::sample::select(vec!["[ab]", "[^a]", "[a-c0]", "[^\\w]", "[\\s\\d]", "[A-C_-]", "[]", "[^]"]),
    ]
    .prop_map(str::to_owned)
}

fn quantifier() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "*", "+", "?", "*?", "+?", "??", "{2}", "{0,2}", "{1,3}?", "{2,}", "{1,}?", "{0}",
    ])
}

fn pattern() -> impl Strategy<Value = String> {
    let assertion = prop::sample::select(vec![
        "^",
        "$",
        "\\b",
        "\\B",
        "(?=a)",
        "(?![bc]|$)",
        "(?<=a)",
        "(?<!\\w)",
    ])
    .prop_map(str::to_owned);
    let leaf = prop_oneof![6 => atom(), 2 => (atom(), quantifier()).prop_map(|(a, q)| a + q), 1 => assertion, 1 => Just(String::new())];
    leaf.prop_recursive(3, 10, 4, |inner| {
        let sequence = prop::collection::vec(inner.clone(), 0..4).prop_map(|parts| parts.concat());
        let choice = prop::collection::vec(sequence.clone(), 1..4).prop_map(|parts| parts.join("|"));
        let group = (prop::sample::select(vec!["(", "(?:"]), choice.clone());
        let group = group.prop_map(|(open, body)| format!("{open}{body})"));
        prop_oneof![2 => sequence, 1 => choice.prop_map(|body| format!("(?:{body})")), 2 => group.clone(), 3 => (group, quantifier()).prop_map(|(g, q)| g + q)]
    })
}

/// The oracle backtracks without end where loops are nested deep.
fn bearable(pattern: &str) -> bool {
    pattern.matches(['*', '+', '?', '{']).count() <= 8
}

fn text() -> impl Strategy<Value = String> {
    let letters =
        vec!["a", "a", "b", "c", "A", "B", "k", "K", "0", " ", "\n", "_", "é", "😀", "\u{2028}"];
    prop::collection::vec(prop::sample::select(letters), 0..7).prop_map(|parts| parts.concat())
}

/// Where `regress` finds the first match, in the form of `show`.
fn oracle(pattern: &str, flags: &str, text: &[u16]) -> Option<String> {
    let unicode = flags.contains('u');
    let chars: Vec<u32> = if unicode {
        pattern.chars().map(u32::from).collect()
    } else {
        pattern.encode_utf16().map(u32::from).collect()
    };
    let regex = regress::Regex::from_unicode(chars.into_iter(), flags).unwrap();
    let found = if unicode {
        regex.find_from_utf16(text, 0).next()
    } else {
        regex.find_from_ucs2(text, 0).next()
    };
    let groups = |found: regress::Match| {
        let groups = found.groups().map(|group| match group {
            Some(range) => format!("{}-{}", range.start, range.end),
            None => String::new(),
        });
        groups.collect::<Vec<_>>().join(",")
    };
    found.map(groups)
}

fn agree(regexp: &Regexp, pattern: &str, flags: &str, text: &str) -> Result<(), TestCaseError> {
    let text = units(text);
    let ours = find(regexp, &text, 0, false).map(|found| show(&found));
    prop_assert_eq!(ours, oracle(pattern, flags, &text), "/{}/{}", pattern, flags);
    Ok(())
}

proptest! {
    // Always the same cases: on rare ones the oracle does not end.
    #![proptest_config(ProptestConfig {
        cases: 2_000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(4),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_group_is_where_the_engine_finds_it(
        pattern in pattern().prop_filter("nested too deep", |pattern| bearable(pattern)),
        flags in prop::sample::select(vec!["", "i", "m", "s", "u", "iu", "ims"]),
        texts in prop::collection::vec(text(), 4),
    ) {
        let regexp = compile(&units(&pattern), flags).unwrap();
        for text in &texts {
            agree(&regexp, &pattern, flags, text)?;
        }
    }
}
