//! What is asked, wanted, tried or denied, and not said to be so.

use super::*;

#[test]
fn what_is_wanted_or_tried_is_not_done() {
    let claim = "The company acquired the mill of Sker in 2021.";
    let others = [
        "was set to acquire",
        "agreed to acquire",
        "tried to acquire",
        "offered to acquire",
        "would acquire",
        "declined to acquire",
        "should acquire",
        "will acquire",
        "was in talks to acquire",
        "nearly acquired",
        "considered acquiring",
        "was blocked from acquiring",
        "ruled out acquiring",
        "is suspected to have acquired",
        "was accused of having acquired",
        "was asked by the town to acquire",
        "rather than its rival sold",
    ];
    for other in others {
        let source = format!("The company {other} the mill of Sker in 2021.");
        assert_ne!(verdict(claim, &source), Verdict::Supported, "{source}");
    }
    for same in [
        "managed to acquire",
        "was able to acquire",
        "went on to acquire",
        "used a loan to acquire",
        "would later acquire",
        "had to acquire",
        "began to acquire",
    ] {
        let source = format!("The company {same} the mill of Sker in 2021.");
        assert_eq!(verdict(claim, &source), Verdict::Supported, "{source}");
    }
    are_told_apart(&[
        (
            "The company agreed to acquire the mill of Sker in 2021.",
            &[],
            &["In 2021 the company agreed to acquire the mill of Sker."],
        ),
        (
            "Tom Reed did not win the race of Sker.",
            &["Tom Reed won the race of Sker."],
            &["Tom Reed failed to win the race of Sker."],
        ),
        (
            "The owners pay the tax of the state of Sker.",
            &[
                "The owners refuse to pay the tax of the state of Sker.",
                "The owners avoid paying the tax of the state of Sker.",
                "The owners are exempt from paying the tax of the state of Sker.",
            ],
            &["The owners have to pay the tax of the state of Sker."],
        ),
    ]);
}

#[test]
fn what_is_asked_or_assumed_is_not_said() {
    are_told_apart(&[
        (
            "The bridge of Sker is safe for trucks.",
            &[
                "Is the bridge of Sker safe for trucks?",
                "Is the bridge of Sker safe for trucks? Engineers disagree.",
                "Whether the bridge of Sker is safe for trucks is disputed.",
            ],
            &[
                "Is the bridge of Sker safe for trucks? The bridge of Sker is safe for trucks.",
                "The bridge of Sker is safe for trucks. Is it open?",
            ],
        ),
        (
            "The company acquired the mill of Sker in 2021.",
            &["Had the company acquired the mill of Sker in 2021, prices would have risen."],
            &["Had it rained? The company acquired the mill of Sker in 2021."],
        ),
    ]);
}

#[test]
fn what_is_rejected_is_not_so() {
    are_told_apart(&[
        (
            "The drug cures the flu in children.",
            &[
                "Experts deny that the drug cures the flu in children.",
                "Experts doubt that the drug cures the flu in children.",
                "People wrongly think that the drug cures the flu in children.",
                "The idea that the drug cures the flu in children was refuted.",
                "The idea that the drug cures the flu in children is a misconception.",
                "There is little evidence that the drug cures the flu in children.",
                "No trial has yet been able to show that the drug cures the flu in children.",
            ],
            &[
                "Trials have shown that the drug cures the flu in children.",
                "Experts no longer dispute it: the drug cures the flu in children.",
            ],
        ),
        (
            "The bridge of Sker is safe for trucks.",
            &[
                "The bridge of Sker is far from safe for trucks.",
                "The bridge of Sker is anything but safe for trucks.",
            ],
            &["Far from Lund, the bridge of Sker is safe for trucks."],
        ),
        (
            "A ponte de Sker foi aberta em 2020.",
            &["A ponte de Sker não foi aberta em 2020."],
            &["A ponte de Sker foi aberta em 2020."],
        ),
        (
            "橋は2020年に車に開放された。",
            &["橋は2020年に車に開放されなかった。"],
            &["2020年に橋は車に開放された。"],
        ),
        (
            "大桥于2020年向汽车开放。",
            &["大桥于2020年停止向汽车开放。"],
            &["2020年大桥向汽车开放。"],
        ),
    ]);
}

#[test]
fn a_name_of_a_value_and_an_answer_deny_nothing() {
    are_told_apart(&[
        (
            "The method returns None if the key is missing.",
            &["The method returns nothing but the key."],
            &["If the key is missing, the method returns None."],
        ),
        (
            "No dogs are allowed in the pool of Sker.",
            &["Dogs are allowed in the pool of Sker."],
            &["Dogs are not allowed in the pool of Sker."],
        ),
        (
            "Yes, the bridge of Sker was opened in 1990.",
            &["The bridge of Sker was opened in 1991."],
            &["The bridge of Sker was opened in 1990."],
        ),
        (
            "Dr. Reed was born in Sker in 1950.",
            &["Marsh was born in Sker in 1950."],
            &["Reed was born in Sker in 1950."],
        ),
        (
            "The United Kingdom left the European Union in 2020.",
            &["The USA left the European Union in 2020."],
            &["The UK left the EU in 2020."],
        ),
        (
            "The fee of Sker is \"30 [euros] a day\" in the port.",
            &["The fee of Sker is 30 euros each day in the port."],
            &["The fee of Sker is 30 euros a day in the port."],
        ),
    ]);
}
