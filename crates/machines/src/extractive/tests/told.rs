//! What an answer says of itself and of its sources.

use super::*;

#[test]
fn who_says_the_same_is_quoted_with_the_words_in_which_it_does() {
    let sources = [
        source(1, "Sker", "https://a.example/", "The tower of Sker has 196 steps."),
        source(2, "Tours", "https://b.example/", "Visitors climb 196 steps in the tower of Sker."),
    ];
    let answer = answered("How many steps does the tower of Sker have?", &sources);
    assert!(answer.starts_with("**196 steps**, according to"), "{answer}");
    assert!(answer.contains(" says the same: “"), "{answer}");
}

#[test]
fn only_things_are_said_to_be_missing() {
    let text = "Cheese is made of milk from cows.";
    let sources = [source(1, "Cheese", "https://a.example/", text)];
    let answer = answered("What must become of the cheese kayak?", &sources);
    assert!(answer.starts_with("No source says this; none mentions “kayak”."), "{answer}");
    let german = answered("Wie hoch ist der Käse von Ulm aus Cheese?", &sources);
    assert!(!german.contains("“ist”") && !german.contains("“der”"), "{german}");
}

#[test]
fn a_question_in_another_script_is_told_what_the_rules_read() {
    let answer = answered("灯塔有多高？", &[]);
    assert!(answer.contains("the same question in English"), "{answer}");
    assert!(!answered("How tall is it?", &[]).contains("in English"));
}

#[test]
fn a_list_is_quoted_without_its_numbers() {
    let text = "1. A ban on lorries is not needed on the bridge.\n2. Inspect the welds.";
    let sources = [source(1, "Advice", "https://a.example/", text)];
    let answer = answered("Is a ban on lorries needed on the bridge?", &sources);
    assert!(answer.contains("“A ban on lorries is not needed on the bridge.”"), "{answer}");
    let day = "3. Oktober 1990 was the day on which Ulm had a feast.";
    let sources = [source(1, "Ulm", "https://a.example/", day)];
    assert!(answered("When had Ulm a feast?", &sources).contains(&format!("“{day}”")));
}

#[test]
fn a_day_a_number_and_a_name_go_with_their_own_verb() {
    let text = "The chapel was consecrated in 1412 and restored in 1977. Two climbers fell, and nobody was injured. The weir was designed by Una Marsh and paid for by Olaf Berg.";
    let sources = [source(1, "Sker in a day", "https://a.example/", text)];
    for (question, told) in [
        ("When was the chapel restored?", "**1977**"),
        ("When was the chapel consecrated?", "**1412**"),
        ("How many climbers fell?", "**Two climbers**"),
        ("Who paid for the weir?", "**Olaf Berg**"),
        ("Who designed the weir?", "**Una Marsh**"),
    ] {
        let answer = answered(question, &sources);
        assert!(answer.starts_with(told), "{question} {answer}");
    }
    let injured = answered("How many climbers were injured?", &sources);
    assert!(injured.contains("nobody was injured") && !injured.contains("**"), "{injured}");
}

#[test]
fn verbs_that_share_what_was_done_share_its_day_its_number_and_its_name() {
    let text = "Two sailors fell overboard and drowned. The bridge was designed and built by Una Marsh. The mill was bought and restored in 1902. The barn was built of oak and thatched in 1911.";
    let sources = [source(1, "Sker in a year", "https://a.example/", text)];
    for (question, told) in [
        ("How many sailors drowned?", "**Two sailors**"),
        ("Who designed the bridge?", "**Una Marsh**"),
        ("When was the mill bought?", "**1902**"),
        ("When was the barn thatched?", "**1911**"),
    ] {
        let answer = answered(question, &sources);
        assert!(answer.starts_with(told), "{question} {answer}");
    }
    let built = answered("When was the barn built?", &sources);
    assert!(!built.contains("**1911**"), "{built}");
}

#[test]
fn a_sign_a_unit_and_a_span_of_time_go_with_their_own_figure() {
    let spent = "In 2019 £300,000 was spent on the roof of Sker. Patients of Sker are seen within a quarter of an hour.";
    let table = "Traffic of the port in thousand tonnes\n\n| Year | Cargo | Ships |\n|---|---|---|\n| 2018 | 5,100 | 790 |\n| 2019 | 5,400 | 812 |\n";
    let sources = [
        source(1, "Roof", "https://a.example/", spent),
        source(2, "Port of Sker", "https://b.example/", table),
    ];
    let year = answered("When was £300,000 spent on the roof of Sker?", &sources);
    assert!(year.starts_with("**2019**"), "{year}");
    let share = answered("What share of the patients of Sker is seen?", &sources);
    assert!(!share.contains("**a quarter**"), "{share}");
    let ships = answered("How many ships called at the port of Sker in 2019?", &sources);
    assert!(!ships.contains("(thousand tonnes)"), "{ships}");
    let long = "The service tunnel of Sker took two years to build and is 3 kilometres long.";
    let long = [source(1, "Tunnel", "https://a.example/", long)];
    let tunnel = answered("How long is the service tunnel of Sker?", &long);
    assert!(!tunnel.contains("**two years**"), "{tunnel}");
}

#[test]
fn small_words_are_not_said_to_be_missing() {
    let text = "A locker at the station of Sker has a rent of 9 crowns a month.";
    let sources = [source(1, "Lockers", "https://a.example/", text)];
    let rent = answered("What is the rent of a locker per month?", &sources);
    assert!(rent.starts_with("**9 crowns a month**"), "{rent}");
    let answer = answered("What is the deposit of a locker per month?", &sources);
    assert!(!answer.contains("“per”"), "{answer}");
}

#[test]
fn a_list_below_what_was_asked_for_answers() {
    let heading = "# Rye bread\n\n## Ingredients\n\n- Rye flour\n- Water\n- Salt\n\n## Baking\n\nBake it for an hour in a hot oven.";
    let lead = "Rye bread is old. The ingredients are:\n- Rye flour\n- Water\n- Salt\nBake it for an hour.";
    for text in [heading, lead] {
        let sources = [source(1, "Rye bread", "https://a.example/", text)];
        let answer = answered("What are the ingredients of rye bread?", &sources);
        let first = answer.split("\n\n").next().unwrap_or_default();
        assert!(first.contains("Rye flour - Water - Salt”"), "{answer}");
    }
}

#[test]
fn a_menu_is_no_list_of_what_was_asked_for() {
    let menu = "- Opening hours\n- Ticket prices\n- Museum shop\n- Contact\n\n";
    for (text, question) in [
        (
            format!("# Museum of Sker\n\n{menu}Boats are shown."),
            "What are the opening hours of the museum of Sker?",
        ),
        (
            format!("Menu:\n{menu}Boats are shown."),
            "What are the opening hours of the museum of Sker?",
        ),
        (format!("# Museum of Sker\n\n{menu}Boats are shown."), "Who founded the museum of Sker?"),
    ] {
        let sources = [source(1, "Museum of Sker", "https://a.example/", &text)];
        let answer = answered(question, &sources);
        assert!(!answer.contains("Ticket prices"), "{answer}");
    }
}

#[test]
fn the_length_of_what_is_called_by_an_office_is_no_time() {
    for (question, text, told) in [
        (
            "How long is the Ford Ranger?",
            "The Ford Ranger is 5.37 metres long. The Ford Ranger was sold for 12 years.",
            "**5.37 metres**",
        ),
        ("How long is the USS Ranger?", "The USS Ranger is 222 metres long.", "**222 metres**"),
        (
            "How long is the river Dean?",
            "The river Dean is 64 kilometres long.",
            "**64 kilometres**",
        ),
    ] {
        let sources = [source(1, "Sker", "https://a.example/", text)];
        let answer = answered(question, &sources);
        assert!(answer.starts_with(told), "{answer}");
    }
}
