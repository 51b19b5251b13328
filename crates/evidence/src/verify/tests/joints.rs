//! Small words at numbers.

use super::*;

#[test]
fn a_small_word_before_a_number_may_say_something_else() {
    are_told_apart(&[
        (
            "The toll of Sker rose by 20 euros in 2020.",
            &[
                "The toll of Sker rose to 20 euros in 2020.",
                "The toll of Sker rose from 20 euros in 2020.",
            ],
            &[
                "In 2020 the toll of Sker rose by about 20 euros.",
                "The toll of Sker rose 20 euros in 2020.",
            ],
        ),
        (
            "The bridge of Sker has been open to cars since 1990.",
            &["The bridge of Sker was open to cars until 1990."],
            &[
                "The bridge of Sker has been open to cars since 1990.",
                "From 1990 the bridge of Sker was open to cars.",
            ],
        ),
        (
            "The company acquired the mill of Sker in 2021.",
            &["The company acquired the mill of Sker before 2021."],
            &[
                "In early 2021 the company acquired the mill of Sker.",
                "The company acquired the mill of Sker on 3 May 2021.",
            ],
        ),
        (
            "The mill of Sker earned 12 million euros in 2020.",
            &["The mill of Sker earned 12 million euros in the first quarter of 2020."],
            &["In the year of 2020 the mill of Sker earned 12 million euros."],
        ),
        (
            "Marsh was mayor of Sker from 1990 to 1998.",
            &["Marsh was mayor of Sker from 1990 to 1994 and again from 1998."],
            &["From 1990 to 1998 Marsh was mayor of Sker."],
        ),
    ]);
}

#[test]
fn a_bound_a_sign_and_an_era_belong_to_their_number() {
    are_told_apart(&[
        (
            "The flood of Sker killed 200 people.",
            &[
                "The flood of Sker killed fewer than 200 people.",
                "The flood of Sker killed almost 200 people.",
                "The flood of Sker killed 100 to 200 people.",
                "The flood of Sker killed between 100 and 200 people.",
            ],
            &[
                "The flood of Sker killed 200 people.",
                "The number of people killed by the flood of Sker went from 100 to 200.",
            ],
        ),
        (
            "The flood of Sker killed up to 200 people.",
            &[],
            &["The flood of Sker killed 100 to 200 people."],
        ),
        (
            "The lake of Sker was at -5 °C in January.",
            &["The lake of Sker was at 5 °C in January."],
            &[
                "The lake of Sker was at minus 5 degrees Celsius in January.",
                "In January the lake of Sker was at 5 °C below zero.",
            ],
        ),
        (
            "The temple of Sker was built in 300.",
            &["The temple of Sker was built in 300 BC."],
            &["The temple of Sker was built in 300."],
        ),
        (
            "Version 2.10 of the library of Sker was released.",
            &["Version 2.1 of the library of Sker was released."],
            &["The library of Sker was released in version 2.10."],
        ),
    ]);
}

#[test]
fn shares_and_units_are_the_same_in_other_words() {
    are_told_apart(&[
        (
            "Half of the residents of Sker own a boat.",
            &[
                "Less than half of the residents of Sker own a boat.",
                "A third of the residents of Sker own a boat.",
            ],
            &[
                "50 percent of the residents of Sker own a boat.",
                "In Sker half the residents own a boat.",
            ],
        ),
        (
            "A quarter of the residents of Sker own a boat.",
            &["Three quarters of the residents of Sker own a boat."],
            &["25 % of the residents of Sker own a boat."],
        ),
        (
            "More than half of the residents of Sker own a boat.",
            &["Nearly half of the residents of Sker own a boat."],
            &["More than 50 % of the residents of Sker own a boat."],
        ),
        (
            "One in ten residents of Sker sails.",
            &["Nine in ten residents of Sker sail."],
            &["10 % of the residents of Sker sail.", "One out of ten residents of Sker sails."],
        ),
        (
            "The lake of Sker is 5 km long in summer.",
            &["The lake of Sker is 500 m long in summer."],
            &["In summer the lake of Sker is 5,000 m long."],
        ),
        (
            "The default timeout of the lamp is 30 seconds.",
            &[
                "The default timeout of the lamp was set in the 30s.",
                "The default timeout of the lamp is 30 ms.",
            ],
            &[
                "The default timeout of the lamp is 30s.",
                "The default timeout of the lamp is 30,000 ms.",
            ],
        ),
        (
            "Tom Reed won the race of Sker twice.",
            &["Tom Reed won the race of Sker three times."],
            &["Tom Reed won the race of Sker two times."],
        ),
    ]);
}
