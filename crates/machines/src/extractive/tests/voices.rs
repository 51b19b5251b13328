//! Who says the same, and who only seems to.

use super::*;

#[test]
fn a_host_has_one_voice() {
    let steps = "How many steps does the tower of Sker have?";
    for (one, other, agrees) in [
        ("https://a.example/1", "https://a.example/2", false),
        ("https://a.example/1", "https://www.a.example/2", false),
        ("https://a.example/1", "https://b.example/2", true),
        ("/knowledge/documents/1", "/knowledge/documents/2", true),
    ] {
        let sources = [
            source(1, "Sker", one, "The tower of Sker has 196 steps."),
            source(2, "Tours", other, "Visitors climb 196 steps in the tower of Sker."),
        ];
        let answer = answered(steps, &sources);
        assert!(answer.starts_with("**196 steps**"), "{answer}");
        assert_eq!(answer.contains("says the same"), agrees, "{one} {other} {answer}");
    }
}

#[test]
fn a_denial_does_not_agree() {
    for (newer, leads) in [
        ("The rowing club no longer has 40 members. It now has 50.", false),
        ("The rowing club does not have 40 members any more; it has 50 members.", true),
        ("The rowing club doesn’t have 40 members.", false),
    ] {
        let sources = [
            dated(
                source(1, "Club", "https://a.example/", "The rowing club has 40 members."),
                "2020-01-01",
            ),
            dated(source(2, "News", "https://b.example/", newer), "2021-01-01"),
        ];
        let answer = answered("How many members does the rowing club have?", &sources);
        assert!(!answer.contains("says the same"), "{answer}");
        let told = if leads { "**50 members**" } else { "That is newer." };
        assert!(answer.contains(told), "{answer}");
    }
    let sources = [
        source(1, "Club", "https://a.example/", "The rowing club has 40 members."),
        source(2, "News", "https://b.example/", "In all the rowing club has 40 members."),
    ];
    let answer = answered("How many members does the rowing club have?", &sources);
    assert!(answer.contains("says the same"), "{answer}");
}
