//! What JavaScript says about single constructs: priorities, groups in loops, flags, annex B.

#![expect(clippy::panic, reason = "helpers of tests")]

mod common;

use common::{compile, find, show, units};
use quarry_regexp::{Flags, Input, NotTaken};

/// The groups of the first match.
#[track_caller]
fn check(pattern: &str, flags: &str, text: &str, expected: &str) {
    let regexp = compile(&units(pattern), flags)
        .unwrap_or_else(|reason| panic!("/{pattern}/{flags}: {reason}"));
    let found = find(&regexp, &units(text), 0, false);
    let found = found.map_or("none".to_owned(), |found| show(&found));
    assert_eq!(found, expected, "/{pattern}/{flags} on {text:?}");
}

#[track_caller]
fn refused(pattern: &str, flags: &str, reason: NotTaken) {
    assert_eq!(compile(&units(pattern), flags).err(), Some(reason), "/{pattern}/{flags}");
}

#[test]
fn groups_are_unset_when_their_loop_goes_round() {
    check("(?:(a)|b)*", "", "ab", "0-2,");
    check("(?:(a)|(b)|c)*", "", "abc", "0-3,,");
    check("(z)((a+)?(b+)?(c))*", "", "zaacbbbcac", "0-10,0-1,8-10,8-9,,9-10");
    check("(?:(a)|b){2}", "", "ab", "0-2,");
    check("(?:(a)|b){1,}", "", "ab", "0-2,");
    check("(?:(?:(a)|b)c?)*", "", "acb", "0-3,");
}

#[test]
fn an_iteration_that_takes_nothing_is_given_up() {
    check("(a*)*", "", "b", "0-0,");
    check("(a*)*", "", "aab", "0-2,0-2");
    check("(?:a*?)*?b", "", "aab", "0-3");
    check("(|a)*", "", "aa", "0-2,1-2");
    check("(a|)*b", "", "aab", "0-3,1-2");
    check("(?:|a)+", "", "a", "0-1");
    check("(){2,}", "", "a", "0-0,0-0");
    check("(\\b)*a", "", "a", "0-1,");
    check("(?:(?:a?)*?)*c", "", "aac", "0-3");
    // The second round is empty, so the first ends where the lazy part took nothing.
    check("((?:a)?(?:b)?(?:c)??)*", "", "ac", "0-2,1-2");
}

#[test]
fn preferences() {
    check("a|ab", "", "abc", "0-1");
    check("((a)|(ab))((c)|(bc))", "", "abc", "0-3,0-1,0-1,,1-3,,1-3");
    check("a[a-z]{2,4}", "", "abcdefghi", "0-5");
    check("a[a-z]{2,4}?", "", "abcdefghi", "0-3");
    check("(aa|aabaac|ba|b|c)*", "", "aabaac", "0-4,2-4");
    check("(.+?)(\\d*)$", "", "ab12", "0-4,0-2,2-4");
    check("(.+)(\\d*)$", "", "ab12", "0-4,0-4,4-4");
    check("x*?y?", "", "xy", "0-0");
}

#[test]
fn flags() {
    check("^b$", "", "a\nb", "none");
    check("^b$", "m", "a\nb\u{2028}c", "2-3");
    check("a.b", "", "a\nb a\u{2029}b a\u{85}b", "8-11");
    check("a.b", "s", "a\nb", "0-3");
    check("[^a]+", "i", "Aab", "2-3");
    check("straSSe", "i", "STRASSE", "0-7");
    check("[^\\W]+", "iu", "-\u{17F}\u{212A}-", "1-3");
    check("[^\\W]+", "i", "-\u{17F}\u{212A}s-", "3-4");
    check("k", "i", "\u{212A}", "none");
    check("k", "iu", "\u{212A}", "0-1");
    assert_eq!("gimsuyd".parse::<Flags>().map(|flags| flags.unicode), Ok(true));
    assert_eq!("gg".parse::<Flags>(), Err(NotTaken::Syntax));
    assert_eq!("x".parse::<Flags>(), Err(NotTaken::Syntax));
}

#[test]
fn surrogates() {
    check("^.$", "", "😀", "none");
    check("^.$", "u", "😀", "0-2");
    check("😀{2}", "u", "😀😀", "0-4");
    check("[😀-😂]+?$", "u", "😁😂", "0-4");
    check("\\u{1F600}|\\ud83d\\ude01", "u", "x😁", "1-3");
    check("(.*)😀", "u", "😁😀😀", "0-6,0-4");
    check("[^x]*?$", "u", "😀😀", "0-4");
    check("\\ud83d", "u", "😀", "none");
    check("\\ud83d", "", "😀", "0-1");
    let lone = [0xD83D, 0xD83D, 0xDE00, 0xDE00];
    let regexp = compile(&units("(.)(.)(.)$"), "u").unwrap();
    assert_eq!(show(&find(&regexp, &lone, 0, false).unwrap()), "0-4,0-1,1-3,3-4");
    // A start within a pair moves to its beginning.
    let any = compile(&units("."), "u").unwrap();
    assert_eq!(show(&find(&any, &lone, 2, true).unwrap()), "1-3");
    assert_eq!(show(&find(&any, &lone, 3, true).unwrap()), "3-4");
}

#[test]
fn annex_b() {
    check("x{", "", "x{", "0-2");
    check("x{,5}]}", "", "x{,5}]}", "0-7");
    check("\\c", "", "\\c", "0-2");
    check("\\cA\\x1\\u12\\8", "", "\u{1}x1u128", "0-7");
    check("\\1\\12\\400", "", "\u{1}\n\u{20}0", "0-4");
    check("(a)\\2", "", "a\u{2}", "0-2,0-1");
    check("[\\w-z]+", "", "a-z", "0-3");
    check("[\\b]", "", "\u{8}", "0-1");
    check("\\u{3}", "", "uuu", "0-3");
    check("\\p{L}", "", "p{L}", "0-4");
    for pattern in ["x{", "]", "}", "\\c", "\\8", "\\x1", "[\\d-a]", "\\-", "\\u{110000}", "\\a"] {
        refused(
            pattern,
            "u",
            if pattern == "\\8" { NotTaken::BackReference } else { NotTaken::Syntax },
        );
    }
}

#[test]
fn what_is_left_to_the_other_engine() {
    for pattern in ["(?=ab)", "(?!a*)", "(?<=a|bc)", "(?<!(a))", "(?=a)*", "(?=(?=a))", "(?=)"] {
        refused(pattern, "", NotTaken::Lookaround);
    }
    for pattern in ["(?=^)", "(?<=$)", "(?!\\b)"] {
        refused(pattern, "", NotTaken::Lookaround);
    }
    refused("(a)\\1", "", NotTaken::BackReference);
    refused("\\2(a)(b)", "", NotTaken::BackReference);
    refused("(?<a>x)\\k<a>", "", NotTaken::BackReference);
    refused("\\p{L}", "u", NotTaken::Property);
    refused("a", "v", NotTaken::UnicodeSets);
    refused("(?i:a)", "", NotTaken::Modifiers);
    refused("(?-i:a)", "", NotTaken::Modifiers);
    refused("é", "i", NotTaken::CaseFolding);
    refused("[à-é]", "i", NotTaken::CaseFolding);
    refused("a{5000}", "", NotTaken::TooLarge);
    refused("(?:(?:a{50}){50}){50}", "", NotTaken::TooLarge);
    refused("(?:(?:){60000}){60000}", "", NotTaken::TooLarge);
    refused(&format!("(?:{}){{0,2000}}", "(?:)".repeat(4_000)), "", NotTaken::TooLarge);
    refused("a{99999999999999999999}", "", NotTaken::TooLarge);
    refused(&"(".repeat(5_000), "", NotTaken::TooLarge);
    refused(&format!("{}a{}", "(?:".repeat(101), ")".repeat(101)), "", NotTaken::TooLarge);
    for pattern in ["(", ")", "a**", "*", "[", "\\", "[b-a]", "a{2,1}", "{1}", "^*", "\\b+", "(?"] {
        refused(pattern, "", NotTaken::Syntax);
    }
    for pattern in ["(?<a>x)(?<a>y)", "(?<>x)", "(?<1>x)", "(?<a>(?<a>x))", "(?<a"] {
        refused(pattern, "", NotTaken::Syntax);
    }
    // With `i`, characters without case do no harm.
    check("[一-龥]+€", "i", "漢字€", "0-3");
}

#[test]
fn looks_at_one_character() {
    check("\\d+(?!\\d)", "", "12", "0-2");
    check("\\w+(?=[,;]|$)", "", "ab cd, ef", "3-5");
    check("\\w+(?=\\s|$)", "", "ab; cd", "4-6");
    check("\\w+(?![,;]|$)", "", "ab, cd", "0-1");
    check("(?<!\\w)[@#](\\w+)", "", "a@b @cd", "4-7,5-7");
    check("(?<=^|,)[^,]*(?=,|$)", "", "a,,c", "0-1");
    check("(?<=\\$)\\d+", "", "1 $23", "3-5");
    check("(?<=^)b(?=$)", "m", "a\nb\nc", "2-3");
    check("b(?=$)", "", "b\nb", "2-3");
    check("(?<=😀)a", "u", "😀a", "2-3");
    check("(?<=\\ude00)a", "u", "😀a", "none");
    check("(?<=\\ude00)a", "", "😀a", "2-3");
    check("(?<![^\\ud83d])x", "u", "😀x", "none");
    check("(?:a(?=B)|b)+", "i", "aBab", "0-4");
    check("(?:(?=a)|b)*a", "", "bba", "0-3");
    check("(?=a)(?:)*(?!b)\\w", "", "ba", "1-2");
    check("a(?!.)", "s", "aa", "1-2");
}

#[test]
fn names_and_starts() {
    let regexp =
        compile(&units("(?<y>\\d{4})-(?<m>\\d\\d)|(?<m>\\d\\d)\\.(?<y>\\d{4})(x)?"), "").unwrap();
    assert_eq!(regexp.groups(), 5);
    let names: Vec<_> = regexp.group_names().collect();
    assert_eq!(names, [("y", 1), ("m", 2), ("m", 3), ("y", 4)]);
    let text = units("2024-05 06.2025");
    assert_eq!(show(&find(&regexp, &text, 0, false).unwrap()), "0-7,0-4,5-7,,,");
    assert_eq!(show(&find(&regexp, &text, 1, false).unwrap()), "8-15,,,8-10,11-15,");
    assert_eq!(find(&regexp, &text, 1, true), None);
    assert!(find(&regexp, &text, 8, true).is_some());
    let end = compile(&units("$"), "").unwrap();
    assert!(find(&end, &text, text.len(), true).is_some());
    assert_eq!(find(&end, &text, text.len() + 1, false), None);
    let start = compile(&units("^"), "").unwrap();
    assert_eq!(find(&start, &text, 1, false), None);
    assert!(Input::Latin1(b"").is_empty());
}
