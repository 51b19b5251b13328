//! Files as sites write them, and what they mean for a path.

use super::*;
use proptest::prelude::*;

fn policy(text: &str) -> Policy {
    Policy::from_response(200, text.as_bytes(), 1_000)
}

fn allowed(text: &str, path: &str) -> bool {
    policy(text).check(path).is_ok()
}

#[test]
fn the_longest_pattern_decides() {
    let text = "User-agent: *\nDisallow: /private\nAllow: /private/but-this\nDisallow: /*.pdf$\nDisallow: /a*b*c";
    assert!(allowed(text, "/"));
    assert!(
        !allowed(text, "/private")
            && !allowed(text, "/private/x?y=1")
            && !allowed(text, "/privately")
    );
    assert!(allowed(text, "/private/but-this/page"));
    assert!(!allowed(text, "/x/y.pdf") && allowed(text, "/x/y.pdf?download"));
    assert!(!allowed(text, "/axxbxxcxx") && allowed(text, "/axxcxxb"));
    // Of two equally long ones that which allows.
    assert!(allowed("User-agent: *\nDisallow: /x\nAllow: /x", "/x"));
    assert!(allowed("User-agent: *\nDisallow:", "/x"));
    assert!(!allowed("User-agent: *\nDisallow: /", "/x"));
    assert!(allowed("User-agent: *\nAllow: /$\nDisallow: /", "/"));
}

#[test]
fn a_group_of_our_own_is_the_only_one_that_counts() {
    let text = "\u{feff}user-agent: *\r\ndisallow: /\r\n\r\nUser-Agent: OtherBot\nUser-agent: Quarry/2 # us\nDisallow: /only-this\n\nUser-agent: QUARRY\nDisallow: /and-this";
    assert!(allowed(text, "/x"));
    assert!(!allowed(text, "/only-this") && !allowed(text, "/and-this"));
    // A group ends where the next user agent stands behind a rule.
    let after = "User-agent: quarry\nDisallow: /ours\nUser-agent: other\nDisallow: /";
    assert!(allowed(after, "/x") && !allowed(after, "/ours"));
    // A name that merely begins alike is another's.
    assert!(allowed("User-agent: quarrybot\nDisallow: /", "/x"));
    assert!(allowed("User-agent: quarry\n\nUser-agent: *\nCrawl-delay: 10", "/x"));
}

#[test]
fn spellings_of_a_path_are_one() {
    let text = "User-agent: *\nDisallow: /caf%C3%A9\nDisallow: /b%61r\nDisallow: /ü";
    assert!(!allowed(text, "/café") && !allowed(text, "/caf%c3%a9/x"));
    assert!(!allowed(text, "/bar") && !allowed(text, "/%C3%BC"));
    assert!(allowed(text, "/b%2561r"));
}

#[test]
fn what_is_no_rule_is_passed_over() {
    let text = "Disallow: /before-any-agent\nUser-agent *\nnonsense\n<html>: x\nUser-agent: *\nDisallow /no-colon\nSitemap: https://example.com/s.xml\nDisallow: /yes # comment";
    assert!(allowed(text, "/before-any-agent") && allowed(text, "/no-colon"));
    assert!(!allowed(text, "/yes"));
}

#[test]
fn statuses_mean_what_they_should() {
    for (status, expected) in [
        (204, Ok(())),
        (404, Ok(())),
        (401, Ok(())),
        (410, Ok(())),
        (429, Err(Forbidden::Unavailable)),
        (500, Err(Forbidden::Unavailable)),
        (503, Err(Forbidden::Unavailable)),
    ] {
        assert_eq!(Policy::from_response(status, b"", 0).check("/x"), expected, "{status}");
    }
    assert_eq!(Policy::unreachable(0).check("/x"), Err(Forbidden::Unavailable));
}

#[test]
fn answers_are_kept_for_a_day_and_failures_for_minutes() {
    let rules = policy("");
    assert!(rules.is_fresh(1_000) && rules.is_fresh(1_000 + KEEP) && !rules.is_fresh(1_001 + KEEP));
    let failed = Policy::unreachable(1_000);
    assert!(failed.is_fresh(1_000 + KEEP_FAILURE) && !failed.is_fresh(1_001 + KEEP_FAILURE));
    // A clock that was wrong, or a value that somebody put there.
    assert!(!rules.is_fresh(0));
    let stored = serde_json::to_vec(&rules).unwrap();
    assert_eq!(serde_json::from_slice::<Policy>(&stored).unwrap(), rules);
}

#[test]
fn a_hostile_file_stays_small_and_quick() {
    let text = format!("User-agent: *\n{}", "Disallow: /*a*a*a*a*a*a*a*a*a*a*b\n".repeat(20_000));
    assert!(allowed(&text, &"/a".repeat(2_000)));
    assert!(serde_json::to_vec(&policy(&text)).unwrap().len() < 500_000);
}

proptest! {
    #[test]
    fn any_file_and_any_path(text in "(User-agent: (\\*|quarry)|Disallow: |Allow: |[/*$%a-c\n:#é ]){0,60}", path in "/[/*$%a-cé?0-9]{0,30}") {
        let policy = policy(&text);
        let _ = policy.check(&path);
        prop_assert!(allowed("", &path));
        prop_assert!(!allowed("User-agent: *\nDisallow: /", &path));
    }

    #[test]
    fn a_path_fits_itself(path in "/[a-zé0-9/%._~-]{0,30}") {
        let text = format!("User-agent: *\nDisallow: {path}");
        prop_assert!(!allowed(&text, &path), "{}", path);
    }
}
