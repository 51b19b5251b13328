//! Numbers that a sentence gives to something else than the claim does.

use super::super::quantity::{COMPARED, LOOKED_AT};
use super::*;

#[test]
fn a_bound_is_kept_by_what_lies_on_its_side_and_by_no_year() {
    let over = "More than 200 people lived in Sker in 1900.";
    for near in [
        "Nearly 200 people lived in Sker in 1900.",
        "Almost 200 people lived in Sker in 1900.",
        "Under 200 people lived in Sker in 1900.",
        "At most 200 people lived in Sker in 1900.",
        "Not more than 200 of the people lived in Sker in 1900.",
    ] {
        assert_ne!(verdict(over, near), Verdict::Supported, "{near}");
        assert_ne!(verdict(near, over), Verdict::Supported, "{near}");
    }
    let many = "More than 1,500 people lived in Sker in 1900.";
    for near in ["800 people lived in Sker in 1900.", "800 people lived in Sker on 3 May 1900."] {
        assert_ne!(verdict(many, near), Verdict::Supported, "{near}");
    }
    for (claim, said) in [
        (over, "262 people lived in Sker in 1900."),
        (over, "Over 200 people lived in Sker in 1900."),
        (over, "At least 200 people lived in Sker in 1900."),
        (many, "1,800 people lived in Sker in 1900."),
        ("Sker has a population of over 1,300.", "Sker has a population of 1,342."),
        ("Over 1,000 soldiers landed in Sker.", "1,200 Canadian soldiers landed in Sker."),
        ("The mole of Sker is more than 40 metres long.", "The mole of Sker is 42 metres long."),
        ("Sker was founded in the 1900s.", "Sker was founded in 1903."),
        ("Sker was founded in the 19th century.", "Sker was founded in 1853."),
    ] {
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

#[test]
fn a_number_belongs_to_what_it_stands_beside() {
    for (claim, near, said) in [
        (
            "The harbour of Sker has 40 boats and 300 ferries.",
            "The harbour of Sker has 300 boats and 40 ferries.",
            "The harbour of Sker has 300 ferries and 40 boats.",
        ),
        (
            "The firm of Sker was founded in 1990 and sold in 2005.",
            "The firm of Sker was founded in 2005 and sold in 1990.",
            "The firm of Sker was sold in 2005; it was founded in 1990.",
        ),
        (
            "In 2019 the toll of Sker was 8 euros and in 2020 it was 5 euros.",
            "In 2019 the toll of Sker was 5 euros and in 2020 it was 8 euros.",
            "The toll of Sker was 5 euros in 2020 and 8 euros in 2019.",
        ),
        (
            "In 2020 the toll of Sker was 5 euros.",
            "In 2019 the toll of Sker was 5 euros and in 2020 it was 8 euros.",
            "In 2019 the toll of Sker was 8 euros and in 2020 it was 5 euros.",
        ),
        (
            "The harbour of Sker has three old boats.",
            "The harbour of Sker has three new ships and old boats.",
            "The harbour of Sker has three new ships and three old boats.",
        ),
        (
            "The harbour of Sker has three old boats.",
            "The harbour of Sker has three ferries. Old boats lie there.",
            "Three old boats lie in the harbour that Sker has.",
        ),
        (
            "The harbour of Sker has three boats.",
            "The harbour of Sker has three new ships and old boats.",
            "The harbour of Sker has three new boats and ships.",
        ),
        (
            "The harbour of Sker has three boats.",
            "The harbour of Sker has three news ships and boats.",
            "The harbour of Sker has three news and fishing boats.",
        ),
        (
            "The fire of Sker killed 40 old miners.",
            "The fire of Sker killed 40 men. Old miners were buried there.",
            "The fire of Sker killed 40 men. The old miners were buried there.",
        ),
        (
            "The museum of Sker is open from 9:45 to 17:30.",
            "The museum of Sker is open from 9:30 to 17:45.",
            "Daily from 9:45 to 17:30 the museum of Sker is open.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: near }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert!(check.vetoes.contains(&Veto::Number), "{claim} by {near} {check:?}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

#[test]
fn a_number_that_stands_a_little_apart_is_not_of_something_else() {
    for (claim, source) in [
        (
            "The harbour of Sker has 40 boats.",
            "The harbour of Sker has 300 boats for 40 crews, of which it lends 40 old boats.",
        ),
        (
            "The lamp of Sker was mended in 2005.",
            "The lamp of Sker was mended in 1990 and 2005, and lit in 2005.",
        ),
        (
            "The lamp of Sker was mended in 2005.",
            "The lamp of Sker was mended in 1990 and during 2005, and lit in 2005.",
        ),
        (
            "The lamp of Sker was mended in 1990.",
            "In 1990 the lamp of Sker was mended, and in 2005 the tower.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: source }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert!(!check.vetoes.contains(&Veto::Number), "{claim} by {source} {check:?}");
    }
}

#[test]
fn others_and_those_of_whom_they_are_part_are_no_other_things() {
    for (claim, source) in [
        (
            "The crash at Sker killed five people and injured 12 people.",
            "Five people were killed in the crash at Sker; 12 others were injured.",
        ),
        (
            "The crash at Sker killed five people and injured 12 people.",
            "The crash at Sker killed five people and left 12 injured.",
        ),
        (
            "At the fair of Sker police arrested 300 visitors.",
            "The fair of Sker drew 40,000 visitors; police arrested 300 people there.",
        ),
        (
            "The harbour of Sker has 40 boats and ferries.",
            "The harbour of Sker has 40 ferries and boats.",
        ),
        (
            "The station of Sker sends 12 daily programmes.",
            "The station of Sker sends 12 daily news programmes.",
        ),
        (
            "The harbour of Sker employs 50 people.",
            "The harbour of Sker feeds 200 people and employs 50 workers.",
        ),
    ] {
        let index = Index::new([Text { context: "", text: source }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        assert_eq!(check.verdict, Verdict::Supported, "{claim} by {source} {check:?}");
    }
}

#[test]
fn what_is_counted_may_be_named_behind_what_joins() {
    for (claim, source) in [
        ("The town has 12 schools.", "The town has 12 primary and secondary schools."),
        ("Norway sold five fields.", "Norway sold five oil and gas fields."),
        ("Norway won 14 medals.", "Norway won 14 gold and silver medals."),
        ("The harbour has three boats.", "The harbour has three large and old boats."),
        ("The fire of Sker killed three men.", "The fire of Sker killed three young and old men."),
        ("The inn of Sker has 120 bright rooms.", "The inn of Sker has 120 large, bright rooms."),
        ("Sker has three channels on air.", "Sker has three news and sports channels on air."),
        ("Sker has 12 stations in all.", "Sker has 12 police and fire stations in all."),
        ("Sker has three sailing clubs.", "Sker has three men's and women's sailing clubs."),
        ("Saturn has 83 moons in orbit.", "Saturn has 83 satellites or moons in orbit."),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn numbers_of_a_long_line_are_found_by_their_place() {
    const NUMBERS: usize = 10_000;
    // A look-up halves what is left, ten thousand in 14 steps, and few are made for each number.
    const MOST: usize = NUMBERS * 64;
    for (claim, part) in [
        ("The tower of Sker has one keeper living there.", "3 keepers "),
        (
            "The firm of Sker was founded in 1990 and sold in 2005.",
            "founded in 2005 or sold in 1990 or ",
        ),
        (
            &*format!("The tower of Sker has {}3 keepers.", "42 guests, ".repeat(100)),
            "42 sellers and boats beside guests, ",
        ),
    ] {
        let claim = Claim::new(claim);
        let numbers = part.matches(|c: char| c.is_ascii_digit()).count().div_ceil(4);
        let text = format!("The tower of the firm of Sker {}", part.repeat(NUMBERS / numbers));
        let index = Index::new([Text { context: "", text: &text }]);
        LOOKED_AT.set(0);
        let check = index.best(&claim).unwrap();
        assert!(check.vetoes.contains(&Veto::Number), "{:?}", check.vetoes);
        assert!((1..MOST).contains(&LOOKED_AT.get()), "{}", LOOKED_AT.get());
    }
}

#[test]
fn numbers_of_a_long_line_are_not_compared_at_each_place_of_a_word() {
    const TIMES: usize = 8_000;
    // Some checks, for windows of one to three sentences, look at each number of the line.
    const MOST: usize = TIMES * 100;
    for (claim, part) in [
        ("The tower of Sker is 42 metres long.", "90 metres long and 42 metres of air, "),
        ("The fair of Sker drew 42 visitors.", "up to 42 visitors, "),
        ("The fair of Sker drew 42 visitors.", "not 42 visitors, "),
    ] {
        let text = format!("The fair and the tower of Sker drew {}", part.repeat(TIMES));
        let index = Index::new([Text { context: "", text: &text }]);
        COMPARED.set(0);
        index.best(&Claim::new(claim)).unwrap();
        assert!((TIMES..MOST).contains(&COMPARED.get()), "{part} {}", COMPARED.get());
    }
}
