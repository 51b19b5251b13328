//! What the passage says of less, or of another, than the claim.

use super::*;

#[test]
fn what_stands_before_a_word_changes_it() {
    are_told_apart(&[
        (
            "Sker light is the largest lighthouse in Europe.",
            &[
                "Sker light is the second-largest lighthouse in Europe.",
                "Sker light is one of the largest lighthouses in Europe.",
                "Sker light is among the largest lighthouses in Europe.",
                "Sker light is the largest wooden lighthouse in Europe.",
                "Sker light is the largest lighthouse in northern Europe.",
            ],
            &[
                "The largest lighthouse in Europe is Sker light.",
                "Sker light is the largest lighthouse in Europe, and the oldest in northern Europe.",
            ],
        ),
        (
            "Sker light is one of the largest lighthouses in Europe.",
            &[],
            &["One of the largest lighthouses in Europe is Sker light."],
        ),
        (
            "Tom Reed is the mayor of Sker.",
            &[
                "Tom Reed is the former mayor of Sker.",
                "Tom Reed is the deputy mayor of Sker.",
                "Tom Reed is a candidate for mayor of Sker.",
                "Tom Reed is the brother of the mayor of Sker.",
                "Tom Reed was the mayor of Sker until 1990.",
            ],
            &["The mayor of Sker is Tom Reed.", "Tom Reed, brother of Ann, is the mayor of Sker."],
        ),
        ("Tom Reed was the mayor of Sker.", &[], &["Tom Reed is the former mayor of Sker."]),
        (
            "All the residents of Sker own a boat.",
            &["Almost all the residents of Sker own a boat."],
            &["All the residents of Sker own a boat, and nearly all a house."],
        ),
        (
            "Residents of Sker own a boat.",
            &["Few residents of Sker own a boat."],
            &["The few residents of Sker own a boat."],
        ),
    ]);
}

#[test]
fn a_longer_name_is_that_of_another() {
    are_told_apart(&[
        (
            "Sker exported 40 tonnes of steel.",
            &["North Sker exported 40 tonnes of steel.", "New Sker exported 40 tonnes of steel."],
            &["Sker exported 40 tonnes of steel.", "The new Sker exported 40 tonnes of steel."],
        ),
        (
            "The Lamp 14 has a screen of 6.1 inches.",
            &["The Lamp 14 Pro has a screen of 6.1 inches."],
            &[
                "The Lamp 14 has a screen of 6.1 inches.",
                "The screen of the Lamp 14 has 6.1 inches.",
            ],
        ),
    ]);
}

#[test]
fn words_that_look_alike_are_not_of_one_family() {
    are_told_apart(&[
        (
            "The policy of Sker changed in 1990.",
            &["The police of Sker changed in 1990."],
            &["In 1990 the policies of Sker changed."],
        ),
        (
            "Tom Reed was executed in Sker in 1990.",
            &["Tom Reed was an executive in Sker in 1990."],
            &["In 1990 Tom Reed was executed in Sker."],
        ),
        (
            "The revenue of the mill of Sker doubled in 2020.",
            &["The profit of the mill of Sker doubled in 2020."],
            &["The income of the mill of Sker doubled in 2020."],
        ),
    ]);
}

#[test]
fn who_is_named_as_kin_did_not_do_it() {
    are_told_apart(&[
        (
            "The bridge was built by the engineer Tom Reed.",
            &["The bridge was built by Ann Marsh, a pupil of the engineer Tom Reed."],
            &["The bridge was built by the engineer Tom Reed, a pupil of Ann Marsh."],
        ),
        (
            "Tom Reed has led the company since 2003.",
            &["Paul Reed, grandson of Tom Reed, has led the company since 2003."],
            &["Tom Reed, grandson of Paul Reed, has led the company since 2003."],
        ),
        (
            "Mayor Tom Reed was charged with theft on 14 May.",
            &["Former mayor Tom Reed was charged with theft on 14 May."],
            &["Mayor Tom Reed, once a keeper, was charged with theft on 14 May."],
        ),
    ]);
}
