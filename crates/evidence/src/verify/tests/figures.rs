//! Numbers, units and dates that are nearly those of the passage.

use super::*;

/// What speaks against a claim in a source that says nothing else.
fn against(claim: &str, source: &str) -> BTreeSet<Veto> {
    Index::new([Text { context: "", text: source }]).best(&Claim::new(claim)).unwrap().vetoes
}

/// Claims, what says nearly that, and what says it.
fn told_apart(rows: &[(&str, &str, &str)], veto: Veto) {
    for (claim, near, said) in rows {
        assert_ne!(verdict(claim, near), Verdict::Supported, "{claim} by {near}");
        assert!(against(claim, near).contains(&veto), "{claim} by {near}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}

/// Pairs of which each says the other.
fn said_in_either_writing(pairs: &[(&str, &str)]) {
    for (one, other) in pairs {
        assert_eq!(verdict(one, other), Verdict::Supported, "{one} by {other}");
        assert_eq!(verdict(other, one), Verdict::Supported, "{other} by {one}");
    }
}

#[test]
fn areas_rooms_and_volumes_are_measured_by_their_units() {
    let rows = [
        (
            "The keeper of Sker boils 5 l of syrup each winter.",
            "The keeper of Sker boils 5 ml of syrup each winter.",
            "Each winter the keeper of Sker boils 5 litres of syrup.",
        ),
        (
            "The keeper of Sker takes 5 g of quinine.",
            "The keeper of Sker takes 5 mg of quinine.",
            "5 grams of quinine is what the keeper of Sker takes.",
        ),
        (
            "The lamp room of Sker measures 38 m² inside.",
            "The lamp room of Sker measures 38 m inside.",
            "Inside, the lamp room of Sker measures 38 square metres.",
        ),
        (
            "The lamp room of Sker measures 38 m inside.",
            "The lamp room of Sker measures 38 m² inside.",
            "The lamp room of Sker measures 38 metres inside.",
        ),
        (
            "The parish of Sker covers 500 square miles of land.",
            "The parish of Sker covers 500 square kilometres of land.",
            "The land that the parish of Sker covers is 500 square miles.",
        ),
        (
            "The lake of Sker holds 40 cubic kilometres of water.",
            "The lake of Sker holds 40 cubic metres of water.",
            "The lake of Sker holds water, 40 cubic kilometres of it.",
        ),
        (
            "The lake of Sker holds 40 km3 of water.",
            "The lake of Sker holds 40 km2 of water.",
            "The lake of Sker holds 40 km³ of water.",
        ),
    ];
    told_apart(&rows, Veto::Unit);
}

#[test]
fn ways_speeds_and_hours_are_measured_by_their_units() {
    let rows = [
        (
            "The ferry of Sker sails at 60 mph in summer.",
            "The ferry of Sker sails at 60 km/h in summer.",
            "In summer the ferry of Sker sails at 60 miles an hour.",
        ),
        (
            "The ferry of Sker sails at 60 mph in summer.",
            "The ferry of Sker sails at 60 knots in summer.",
            "The ferry of Sker sails at 60 miles per hour in summer.",
        ),
        (
            "The ferry of Sker sails at 60 kph in summer.",
            "The ferry of Sker sails at 60 mph in summer.",
            "The ferry of Sker sails at 60 km/h in summer.",
        ),
        (
            "The harbour of Sker lies 5 miles from Lund.",
            "The harbour of Sker lies 5 nautical miles from Lund.",
            "The harbour of Sker lies, as the crow flies, 5 miles from Lund.",
        ),
        (
            "The museum of Sker opens its doors at 10 pm.",
            "The museum of Sker opens its doors at 10 am.",
            "At 10 p.m. the museum of Sker opens its doors.",
        ),
        (
            "The museum of Sker opens its doors at 10:30 a.m.",
            "The museum of Sker opens its doors at 10:30 p.m.",
            "The museum of Sker opens its doors at 10:30 in the morning.",
        ),
    ];
    told_apart(&rows, Veto::Unit);
}

#[test]
fn so_much_a_day_is_not_so_much_a_week() {
    let rows = [
        (
            "The bridge of Sker carries 40 cars a week.",
            "The bridge of Sker carries 40 cars a day and rests for a week in winter.",
            "40 cars a week are what the bridge of Sker carries.",
        ),
        (
            "The bridge of Sker carries 1500 cars a day.",
            "The bridge of Sker carries 1500 cars a week and rests on a stormy day.",
            "The bridge of Sker carries 1,500 cars per day.",
        ),
        (
            "The harbour of Sker has 40 weekly ferries.",
            "The harbour of Sker has 40 daily ferries and a weekly market.",
            "The harbour of Sker has 40 ferries, which are weekly.",
        ),
        (
            "A bed at the inn of Sker costs $5 a night.",
            "A bed at the inn of Sker costs $5 a month, and a night is long.",
            "A bed at the inn of Sker costs 5 dollars a night.",
        ),
    ];
    told_apart(&rows, Veto::Unit);
    // Where only one of them says for how long, or a day passes, nothing speaks against it.
    for (claim, source) in [
        ("The bridge of Sker carries 40 cars.", "The bridge of Sker carries 40 cars a week."),
        (
            "The inn of Sker lodged 40 people for a week.",
            "The inn of Sker lodged 40 people a day later for a week.",
        ),
        (
            "In 1990 daily tours of the tower of Sker began.",
            "In 1990 the weekly market of Sker and the daily tours of the tower began.",
        ),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn dollars_are_those_of_their_land() {
    let rows = [
        (
            "The Orrin Bridge cost 5 million US dollars.",
            "The Orrin Bridge cost 5 million Canadian dollars.",
            "The Orrin Bridge cost $5 million.",
        ),
        (
            "The Orrin Bridge cost 5 million dollars.",
            "The Orrin Bridge cost 5 million Hong Kong dollars.",
            "The Orrin Bridge cost 5 million U.S. dollars.",
        ),
        (
            "The Orrin Bridge cost $5 million.",
            "The Orrin Bridge cost HK$5 million.",
            "The Orrin Bridge cost US$5 million.",
        ),
        (
            "The Orrin Bridge cost 5 million dollars.",
            "The Orrin Bridge cost CAD 5 million.",
            "The Orrin Bridge cost USD 5 million.",
        ),
    ];
    told_apart(&rows, Veto::Unit);
    let claim = "The Orrin Bridge cost 5 million Hong Kong dollars.";
    let said = "5 million Hong Kong dollars is what the Orrin Bridge cost.";
    assert_eq!(verdict(claim, said), Verdict::Supported);
}

#[test]
fn a_letter_before_money_is_a_thousand_or_a_million() {
    let rows = [
        (
            "The Orrin Bridge cost 40 euros to paint.",
            "The Orrin Bridge cost 40k euros to paint.",
            "To paint the Orrin Bridge cost 40 euros.",
        ),
        (
            "The Orrin Bridge cost 40K euros to paint.",
            "The Orrin Bridge cost 40M euros to paint.",
            "The Orrin Bridge cost 40,000 euros to paint.",
        ),
        (
            "The Orrin Bridge cost 40 million dollars to paint.",
            "The Orrin Bridge cost 40k dollars to paint.",
            "The Orrin Bridge cost 40m dollars to paint.",
        ),
    ];
    told_apart(&rows, Veto::Number);
    let metres = "The Orrin Bridge is 40m wide and high.";
    assert_eq!(verdict(metres, "The Orrin Bridge is 40 metres wide and high."), Verdict::Supported);
}

#[test]
fn a_letter_right_behind_a_count_is_a_thousand_or_a_million() {
    let rows = [
        (
            "The town of Sker has 40 residents.",
            "The town of Sker has 40k residents.",
            "40 residents live in the town of Sker, which has them.",
        ),
        (
            "The town of Sker has 3k residents.",
            "The town of Sker has 3M residents.",
            "The town of Sker has 3 thousand residents.",
        ),
    ];
    told_apart(&rows, Veto::Number);
    said_in_either_writing(&[
        ("The town of Sker has 40k residents.", "The town of Sker has 40,000 residents."),
        ("The town of Sker has 40K residents.", "The town of Sker has 40 thousand residents."),
        ("The fair of Sker drew 1.2M visitors.", "The fair of Sker drew 1,200,000 visitors."),
        ("The keeper of Sker has a 401k plan.", "The keeper of Sker has a 401(k) plan."),
    ]);
}

#[test]
fn a_time_of_a_day_is_the_same_in_all_its_writings() {
    said_in_either_writing(&[
        ("The museum of Sker closes at 10 pm.", "The museum of Sker closes at 22:00."),
        ("The museum of Sker closes at 10:30 p.m.", "The museum of Sker closes at 22:30."),
        ("The museum of Sker opens at 10 am.", "The museum of Sker opens at 10:00."),
        ("Das Museum von Sker schließt um 22:00.", "Das Museum von Sker schließt um 22.00 Uhr."),
        ("Das Museum von Sker schließt um 22 Uhr.", "Das Museum von Sker schließt um 22:00 Uhr."),
    ]);
    let (claim, source) =
        ("The museum of Sker closes at 10 pm.", "At night at 10:00 the museum of Sker closes.");
    assert_eq!(verdict(claim, source), Verdict::Supported);
    for (claim, source) in [
        ("The museum of Sker closes at 10 am.", "The museum of Sker closes at 22:00."),
        ("The museum of Sker closes at 22:00.", "The museum of Sker closes at 10 am."),
        ("The museum of Sker closes at 10 pm.", "The museum of Sker closes at 22:30."),
        ("The museum of Sker closes at 10 pm.", "The museum of Sker closes at 10:00."),
        ("The museum of Sker closes at 22:00.", "The museum of Sker closes at 10:00."),
        ("The museum of Sker closes at 22:00.", "The museum of Sker closes at 22:30."),
        ("The museum of Sker closes at 22:00.", "The museum of Sker closes for 22 boats."),
        (
            "The museum of Sker closes for 22 boats.",
            "The museum of Sker closes at 22:00 for boats.",
        ),
    ] {
        assert_ne!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
}

#[test]
fn the_half_of_a_day_may_be_told_elsewhere_in_the_sentence() {
    for (claim, source) in [
        (
            "The museum of Sker is open from 8 pm to 10 pm.",
            "The museum of Sker is open from 8:00 to 10:00 in the evening.",
        ),
        (
            "The museum of Sker is open from 8 pm to 10 pm.",
            "The museum of Sker is open 8:00-10:00 every evening.",
        ),
        (
            "The museum of Sker is open from 18:00 to 21:00.",
            "The museum of Sker is open from 6:00 to 9:00 in the evening.",
        ),
        (
            "The ferry of Sker sails at 7 pm, 9 pm and 11 pm.",
            "The ferry of Sker sails at 7:00, 9:00 and 11:00 pm.",
        ),
        ("The ferry of Sker sails at 7 pm and 9 pm.", "The ferry of Sker sails at 7:00/9:00 pm."),
        (
            "The ship of Sker struck at 11:40 pm.",
            "On the night of 14 April, the ship of Sker struck at 11:40.",
        ),
        ("The fair of Sker starts at 8 pm.", "This evening the fair of Sker starts at 8:00."),
        (
            "The match of Sker kicked off at 15:00.",
            "On Saturday afternoon the match of Sker kicked off at 3:00.",
        ),
        (
            "The fair of Sker opens at 8:15 pm.",
            "The fair of Sker opens at 8:15 local time in the evening.",
        ),
        (
            "Das Museum von Sker schließt um 20 Uhr.",
            "Das Museum von Sker schließt um 8 Uhr am Abend.",
        ),
        ("The bar of Sker closes at 12 am.", "The bar of Sker closes at 12:00 midnight."),
        ("The bar of Sker closes at 12 pm.", "The bar of Sker closes at 12:00 noon."),
        (
            "The doors of Sker are open until 8 pm.",
            "The doors of Sker are open from morning until 8:00.",
        ),
        (
            "The ferry of Sker sails at 6 am.",
            "The ferry of Sker sails in the morning and in the evening at 6:00.",
        ),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
    }
    for (claim, source) in [
        ("The bar of Sker closes at 12 pm.", "The bar of Sker closes at 12:00 midnight."),
        ("The bar of Sker closes at 10 am.", "The bar of Sker closes at 10:00 in the evening."),
        (
            "The museum of Sker opens at 10 pm.",
            "The museum of Sker opens at 10:00 and closes at 6:00 in the evening.",
        ),
        (
            "The museum of Sker opens at 10 pm.",
            "In the morning the museum of Sker opens at 10:00 and closes soon.",
        ),
    ] {
        assert!(!against(claim, source).is_empty(), "{claim} by {source}");
    }
}

#[test]
fn a_comma_ends_what_is_said_of_a_number() {
    let (claim, source) = ("No, more than 200 people were in Sker.", "262 people were in Sker.");
    assert_eq!(verdict(claim, source), Verdict::Supported);
    let denied = "No, more than 200 people were not in Sker.";
    assert_ne!(verdict(denied, source), Verdict::Supported);
}

#[test]
fn what_stands_between_a_number_and_its_noun_is_part_of_what_is_counted() {
    let rows = [
        (
            "The tower of Sker has one keeper living there.",
            "The tower of Sker has three old keepers living there.",
            "The tower of Sker has one old keeper living there.",
        ),
        (
            "The harbour of Sker has 40 boats and 300 ferries.",
            "The harbour of Sker has 300 wooden boats and 40 newly built ferries.",
            "The harbour of Sker has 300 newly built ferries and 40 wooden boats.",
        ),
    ];
    told_apart(&rows, Veto::Number);
    let three = "The council of Sker has three bridges.";
    assert_eq!(
        verdict(three, "The council of Sker has three newly built bridges."),
        Verdict::Supported
    );
    // In a long sentence a word may be missing, but none that says which of them there are so many.
    let claim = |keepers: &str| {
        format!(
            "The white tower of Sker beside the harbour wall, with lamp room, stairs, cellar, garden and fog horn, \
            has three {keepers} from Lund."
        )
    };
    assert_eq!(verdict(&claim("keepers"), &claim("old keepers")), Verdict::Supported);
    assert_eq!(verdict(&claim("old keepers"), &claim("keepers")), Verdict::Partly);
}

#[test]
fn one_of_what_is_counted_otherwise_is_not_said() {
    let rows = [
        (
            "One quarter of the residents of Sker left.",
            "Three quarters of the residents of Sker left.",
            "A quarter of the residents of Sker left.",
        ),
        (
            "The tower of Sker has one keeper living there.",
            "The tower of Sker has three keepers living there.",
            "The tower of Sker has a keeper living there.",
        ),
        (
            "The harbour of Sker has one hundred boats.",
            "The harbour of Sker has two hundred boats.",
            "The harbour of Sker has 100 boats.",
        ),
    ];
    told_apart(&rows, Veto::Number);
    for (claim, source) in [
        (
            "One keeper of the tower of Sker drowned.",
            "Of the three keepers of the tower of Sker one drowned.",
        ),
        (
            "One keeper of the tower of Sker drowned.",
            "The tower of Sker had three keepers. The oldest keeper of the tower drowned.",
        ),
        ("One of the keepers of Sker drowned.", "1 of the 3 keepers of Sker drowned."),
    ] {
        assert!(!against(claim, source).contains(&Veto::Number), "{claim} by {source}");
    }
}

#[test]
fn dates_in_digits_are_dates() {
    let claim = "The lighthouse of Sker was lit on 3 April 1823.";
    let by = |date: &str| verdict(claim, &format!("The lighthouse of Sker was lit on {date}."));
    for said in ["03.04.1823", "3.4.1823", "1823/04/03", "1823-04-03"] {
        assert_eq!(by(said), Verdict::Supported, "{said}");
    }
    for other in ["04.03.1823", "1823/03/04", "13/04/1823", "04/13/1823", "04/03/1823"] {
        assert_ne!(by(other), Verdict::Supported, "{other}");
    }
    let written = "The lighthouse of Sker was lit on 03/04/1823.";
    assert_eq!(verdict(written, written), Verdict::Supported);
    let turned = "The lighthouse of Sker was lit on 04/03/1823.";
    assert_ne!(verdict(written, turned), Verdict::Supported);
    assert!(against(written, turned).contains(&Veto::Date));
}

#[test]
fn numbers_as_most_of_europe_writes_them_are_said() {
    for (claim, source, other) in [
        (
            "The toll of Sker rose by 1.5 percent.",
            "The toll of Sker rose by 1,5 percent.",
            "The toll of Sker rose by 5 percent.",
        ),
        (
            "Some 1.2 million people visited the tower of Sker.",
            "Some 1.200.000 people visited the tower of Sker.",
            "Some 1.200.500 people visited the tower of Sker.",
        ),
    ] {
        assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
        assert_eq!(verdict(source, claim), Verdict::Supported, "{source} by {claim}");
        assert_ne!(verdict(claim, other), Verdict::Supported, "{claim} by {other}");
    }
}

#[test]
fn a_unit_is_the_same_in_words_and_in_signs() {
    said_in_either_writing(&[
        ("The lamp room of Sker covers 12 square metres.", "The lamp room of Sker covers 12 m²."),
        ("The tank of Sker holds 5 cubic metres of oil.", "The tank of Sker holds 5 m³ of oil."),
        ("The reef lies 5 nautical miles from Sker.", "The reef lies 5 nmi from Sker."),
        (
            "The parish of Sker covers 500 square miles of land.",
            "The parish of Sker covers 500 sq mi of land.",
        ),
        ("The Orrin Bridge cost 40 Canadian dollars.", "The Orrin Bridge cost C$40."),
        ("The Orrin Bridge cost 40 Hong Kong dollars.", "The Orrin Bridge cost HK$40."),
        ("The Orrin Bridge cost CAD 40 to paint.", "The Orrin Bridge cost C$40 to paint."),
        ("The Orrin Bridge cost US$40 to paint.", "The Orrin Bridge cost $40 to paint."),
    ]);
}

#[test]
fn a_unit_may_stand_behind_a_row_of_words() {
    let claim = "The siege of Sker lasted two days.";
    let by = |source: &str| against(claim, source).contains(&Veto::Unit);
    let said = "The siege of Sker lasted two long, hard and bitter days.";
    assert_eq!(verdict(claim, said), Verdict::Supported);
    assert!(by("The siege of Sker lasted two winters, and the hunger of its days is known."));
}
