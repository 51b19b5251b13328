//! Names that answers call their sources by.

use super::*;
use crate::{Anchor, Content, Finding};

fn sources() -> Vec<Source> {
    let passage = |anchor: &str, heading: &str, text: &str| {
        let url = format!("https://a.example/x#:~:text={anchor}");
        Passage::new(
            Anchor::new(anchor.to_owned()),
            vec![heading.to_owned()],
            text.to_owned(),
            &url,
        )
    };
    let content =
        Content::Passages(vec![passage("p-1", "Light", "one"), passage("p-2", "Fog (old)", "two")]);
    let finding = |url: &str, title: &str, content| Finding {
        url: url.to_owned(),
        title: Some(title.to_owned()),
        description: "said".to_owned(),
        content,
        ..Finding::default()
    };
    vec![
        Source::new(1, finding("https://a.example/x", "The Lamp", content)),
        Source::new(2, finding("https://b.example/(y)", "Bread", Content::Unread)),
        Source::new(3, finding("https://c.example/", "Bread", Content::Unread)),
    ]
}

#[test]
fn passages_are_known_by_all_their_names() {
    let sources = sources();
    let known = Known::new(&sources);
    let id = |text: &str| PassageId::parse(text).and_then(|id| known.by_id(id));
    assert_eq!(
        (id("q2"), id("Q4"), id("q5"), id("q0"), id("7")),
        (Some(Target::Passage(1)), Some(Target::Passage(3)), None, None, None)
    );
    assert_eq!(known.by_address("https://A.example/x#lamp"), Some(Target::Source(0)));
    assert_eq!(known.by_address("https://d.example/"), None);
    assert_eq!(known.by_title("the  lamp"), Some(Target::Source(0)));
    assert_eq!(known.by_title("The Lamp > Fog (old)"), Some(Target::Passage(1)));
    assert_eq!(known.by_title("Bread"), Some(Target::Twins(1)), "two have this title");
    assert_eq!(known.twins(1), [1, 2]);
    assert_eq!(
        [0, 1, 2, 3].map(|at| known.source_of(Target::Passage(at))),
        [Some(0), Some(0), Some(1), Some(2)]
    );
}

#[test]
fn titles_that_are_cited_mean_what_is_like_them_or_nothing() {
    let sources = sources();
    let known = Known::by_titles(&sources);
    for (label, expected) in [
        ("The lamp of Sker", Meant::Target(Target::Source(0))),
        ("Lamp > Light", Meant::Target(Target::Passage(0))),
        ("The Lamps", Meant::Target(Target::Source(0))),
        ("Bread", Meant::Target(Target::Twins(1))),
        ("No such title", Meant::Nothing),
        ("Rules > Lending", Meant::Nothing),
        ("the lamp of Sker", Meant::Words),
        ("sic", Meant::Words),
        ("2024", Meant::Words),
        ("", Meant::Words),
    ] {
        assert_eq!(known.meant_by(label), expected, "{label}");
    }
    assert_eq!(Known::new(&sources).meant_by("No such title"), Meant::Words);
}

#[test]
fn of_two_with_one_title_the_one_with_the_section_is_meant() {
    let mut sources = sources();
    let twin = Passage::new(
        Anchor::new("p-9".to_owned()),
        vec!["Crumbs".to_owned()],
        "nine".to_owned(),
        "https://c.example/",
    );
    sources[2].content = Content::Passages(vec![twin]);
    let known = Known::by_titles(&sources);
    let there = Target::Passage(3);
    assert_eq!(known.meant_by("Bread > Crumbs"), Meant::Target(there));
    assert_eq!(known.meant_by("Breads > Crumbs"), Meant::Target(there), "a title like it");
    assert_eq!(known.by_title("Bread > Crumbs"), Some(there));
    assert_eq!(known.meant_by("Bread > Rye"), Meant::Target(Target::Twins(1)));
    assert_eq!(known.by_title("Bread > Rye"), Some(Target::Twins(1)), "it may be either");
    assert_eq!(known.source_of(there), Some(2));
}

#[test]
fn addresses_lead_to_the_passage_and_do_not_end_a_link() {
    let sources = sources();
    let known = Known::new(&sources);
    let address = |at: usize| known.passage(at).map(|it| it.address.clone()).unwrap_or_default();
    assert_eq!(address(0), "https://a.example/x#:~:text=p-1");
    assert_eq!(address(2), "https://b.example/%28y%29");
}
