//! The rules of contradictions, one by one, and what holds for any findings.

use super::heard::MOST_SENTENCES;
use super::*;
use proptest::prelude::*;
use quarry_events::At;
use quarry_events::run::EvidenceSnippet;
use quarry_types::Timestamp;

fn citation(n: usize, tier: u8, published: Option<&str>) -> Citation {
    Citation {
        citation_id: format!("c{n}"),
        url: format!("https://{n}.example/"),
        title: "Sker".to_owned(),
        source_type: "page".to_owned(),
        retrieved_at: At(Timestamp(0)),
        published: published.map(str::to_owned),
        quality_tier: tier,
        tier_reason: String::new(),
        relevance_score: 0.5,
        voice: format!("{n}.example"),
        duplicate_of: None,
    }
}

fn finding(n: usize, of: usize, quote: &str) -> Finding {
    let citation_id = format!("c{of}");
    Finding {
        finding_id: format!("f{n}"),
        claim: "What the quotation says, in other words.".to_owned(),
        citation_ids: vec![citation_id.clone()],
        evidence_snippets: vec![EvidenceSnippet {
            citation_id,
            quote: quote.to_owned(),
            passage: None,
        }],
        confidence: 0.5,
        uncertainties: Vec::new(),
        verified: true,
    }
}

fn find(findings: &[Finding], new_from: usize, citations: &[Citation]) -> Vec<ConflictFound> {
    Heard::default().find(findings, &from(new_from), citations)
}

fn from(from: usize) -> New {
    New { from, joined: Vec::new() }
}

fn between(
    pairs: &[[String; 2]],
    findings: &[Finding],
    citations: &[Citation],
) -> Vec<ConflictFound> {
    Heard::default().between(pairs, findings, citations)
}

fn weigh_again(found: &mut ConflictFound, findings: &[Finding], citations: &[Citation]) -> bool {
    let mut heard = Heard::default();
    heard.take_in(findings, citations);
    heard.weigh_again(found, citations)
}

const HERE: &str = "The lighthouse of Sker has 196 steps and a lamp of brass.";

fn against(other: &str, citations: &[Citation; 2]) -> Vec<ConflictFound> {
    find(&[finding(1, 1, HERE), finding(2, 2, other)], 0, citations)
}

#[test]
fn other_numbers_years_and_denials_are_conflicts() {
    let both = [citation(1, 3, None), citation(2, 3, None)];
    for (one, other, difference) in [
        (HERE, "The lighthouse of Sker has 212 steps and a lamp of brass.", Difference::Number),
        (
            "The lighthouse of Sker was lit in 1823.",
            "Ships pass. The lighthouse of Sker was lit in 1832.",
            Difference::Date,
        ),
        (
            "The lighthouse of Sker is open to visitors.",
            "The lighthouse of Sker is not open to visitors.",
            Difference::Polarity,
        ),
    ] {
        let found = find(&[finding(1, 1, one), finding(2, 2, other)], 0, &both);
        let [found] = found.as_slice() else { panic!("{other}: {found:?}") };
        assert_eq!((found.conflict.difference, found.conflict.reason), (difference, None));
        assert_eq!(found.finding_ids, ["f1", "f2"]);
        assert!(other.contains(&found.conflict.other.quote));
    }
}

#[test]
fn a_conflict_is_resolved_by_the_primary_source_then_by_the_newer() {
    let other = "The lighthouse of Sker has 212 steps and a lamp of brass.";
    let table = [
        (
            [citation(1, 2, Some("2024")), citation(2, 1, Some("2001"))],
            Some(Reason::Primary),
            ["f2", "f1"],
        ),
        (
            [citation(1, 3, Some("2019-01-01")), citation(2, 2, Some("2023-05-01"))],
            Some(Reason::Newer),
            ["f2", "f1"],
        ),
        (
            [citation(1, 1, Some("2024")), citation(2, 1, Some("2001"))],
            Some(Reason::Newer),
            ["f1", "f2"],
        ),
        ([citation(1, 2, None), citation(2, 3, Some("2001"))], None, ["f1", "f2"]),
    ];
    for (citations, reason, ids) in table {
        let found = against(other, &citations);
        assert_eq!(
            (found[0].conflict.reason, found[0].finding_ids.as_slice()),
            (reason, &ids.map(str::to_owned)[..])
        );
    }
}

#[test]
fn who_says_what_figures_mean_explains_and_who_names_both_keeps_it_open() {
    let dated = |n: usize, date: &str| citation(n, 3, Some(date));
    let other = "The lighthouse of Sker has 212 steps and a lamp of brass.";
    let (old, new) = (dated(1, "2019-01-01"), dated(2, "2023-05-01"));
    let third = |n: usize, of: &Citation, quote: &str| {
        let place = of.citation_id.trim_start_matches('c').parse().unwrap();
        let findings = [finding(1, 1, HERE), finding(2, 2, other), finding(n, place, quote)];
        let citations = [old.clone(), new.clone(), of.clone()];
        let found = find(&findings, 0, &citations);
        let settled = found.iter().find(|it| it.finding_ids == ["f2", "f1"]).unwrap();
        (settled.conflict.reason, settled.explained_by.as_ref().map(|it| it.quote.clone()))
    };
    let newer = (Some(Reason::Newer), None);
    let both = "Some count 196 steps at Sker, and some 212.";
    assert_eq!(third(3, &dated(3, "2024-01-01"), both), (None, None), "nobody knows");
    assert_eq!(third(3, &dated(3, "2020-01-01"), both), newer, "it was written before");
    assert_eq!(third(3, &dated(3, "2024-01-01"), "Sker has 196 steps."), newer);
    // By days, however they are written; and it has to be known.
    assert_eq!(third(3, &dated(3, "1 June 2023"), both), (None, None));
    assert_eq!(third(3, &dated(3, "May 1, 2023"), both), (None, None), "of that very day");
    assert_eq!(third(3, &dated(3, "9 January 2020"), both), newer);
    assert_eq!(third(3, &dated(3, "sometime"), both), newer);
    // Of one day: nothing but what they mean tells them apart.
    let means = "The 212 steps include those of the lamp; without it there are 196 in Sker.";
    let one_day = [dated(1, "2023"), dated(2, "2023"), dated(3, "2024")];
    let findings = [finding(1, 1, HERE), finding(2, 2, other)];
    let mut found = find(&findings, 0, &one_day);
    assert!(found[0].is_open());
    let later = [findings.as_slice(), &[finding(3, 3, means)]].concat();
    assert!(weigh_again(&mut found[0], &later, &one_day), "it is found later");
    assert!(!found[0].is_open() && found[0].conflict.reason.is_none());
    assert_eq!(found[0].explained_by.as_ref().unwrap().url, one_day[2].url);
    assert!(!weigh_again(&mut found[0], &later, &one_day));
}

#[test]
fn answers_with_different_figures_are_conflicts_where_findings_rest_on_both() {
    let pair = ["It cost 186 million.", "Whoever drives there should say 212 million."];
    let pairs = [pair.map(str::to_owned)];
    let both = [citation(1, 3, Some("2024")), citation(2, 3, Some("2013"))];
    let findings = [finding(1, 2, pair[1]), finding(2, 1, pair[0])];
    assert_eq!(find(&findings, 0, &both), [], "by their words they are of different things");
    let [found] = &between(&pairs, &findings, &both)[..] else { panic!() };
    assert_eq!(found.finding_ids, ["f2", "f1"]);
    assert_eq!(found.conflict.reason, Some(Reason::Newer));
    assert_eq!(between(&pairs, &findings[..1], &both), []);
}

#[test]
fn one_voice_other_things_and_agreement_are_no_conflict() {
    let both = [citation(1, 3, None), citation(2, 3, None)];
    for other in [
        HERE,
        "The lighthouse of Lund has 212 steps and a lamp of brass.",
        "The lighthouse of Sker has 212 windows and a lamp of brass.",
        "Bread is baked from 212 grams of rye.",
    ] {
        assert_eq!(against(other, &both), [], "{other}");
    }
    let same = [both[0].clone(), Citation { voice: both[0].voice.clone(), ..both[1].clone() }];
    assert_eq!(against("The lighthouse of Sker has 212 steps and a lamp of brass.", &same), []);
    assert_eq!(
        against(
            "The lighthouse of Sker has 212 steps and a lamp of brass.",
            &[both[0].clone(), citation(9, 1, None)]
        ),
        []
    );
}

/// Two pages of one publisher.
fn own(one: Option<&str>, other: Option<&str>) -> [Citation; 2] {
    let voice = "1.example".to_owned();
    [citation(1, 3, one), Citation { voice, ..citation(2, 3, other) }]
}

#[test]
fn whoever_says_which_figure_is_wrong_corrects_it() {
    let wrong = "With the traffic of 2023 the welds have a remaining fatigue life of 31 years.";
    let dates = (Some("2024-10-21"), Some("2025-01-17"));
    for right in [
        "The remaining fatigue life of the welds under the traffic of 2023 is 19 years, not 31.",
        "The welds have a remaining fatigue life of 19 years instead of 31.",
        "The welds have a fatigue life of 19 years rather than 31.",
    ] {
        for citations in [
            own(dates.0, dates.1),
            own(None, None),
            [citation(1, 1, dates.0), citation(2, 3, dates.1)],
        ] {
            let found = find(&[finding(1, 1, wrong), finding(2, 2, right)], 0, &citations);
            let [found] = found.as_slice() else { panic!("{right}: {found:?}") };
            assert_eq!(found.conflict.reason, Some(Reason::Corrected), "{right}");
            assert_eq!((found.conflict.one.quote.as_str(), found.finding_ids.len()), (right, 2));
            assert_eq!(found.finding_ids, ["f2", "f1"]);
        }
    }
    for other in [
        "The remaining fatigue life of the welds is not 31.",
        "The welds of the tower have 19 cracks, not 31.",
        "There are 19 bearings and not 31.",
    ] {
        let found = find(&[finding(1, 1, wrong), finding(2, 2, other)], 0, &own(None, None));
        assert_eq!(found, [], "{other}");
    }
    let older = own(dates.1, dates.0);
    let right = "The welds have a remaining fatigue life of 19 years, not 31.";
    assert_eq!(find(&[finding(1, 1, wrong), finding(2, 2, right)], 0, &older), []);
}

#[test]
fn who_compares_years_or_knows_less_corrects_nobody() {
    let wrong = "In 2019 the ferry of Sker carried 350 passengers a day.";
    let primary = |of: Option<&str>, by: Option<&str>| [citation(1, 1, of), citation(2, 3, by)];
    let told = |wrong: &str, right: &str, citations: &[Citation; 2]| {
        let found = find(&[finding(1, 1, wrong), finding(2, 2, right)], 0, citations);
        found.first().and_then(|it| it.conflict.reason)
    };
    let equals = [citation(1, 3, None), citation(2, 3, None)];
    for right in [
        "The ferry of Sker carries 412 passengers a day in 2024, not 350 as in 2019.",
        "The ferry of Sker carries 412 passengers a day in 2024, not 350.",
    ] {
        assert_eq!(told(wrong, right, &equals), None, "{right}");
    }
    let right = "In 2019 the ferry of Sker carried 412 passengers a day, not 350.";
    let corrected = Some(Reason::Corrected);
    assert_eq!(told(wrong, right, &equals), corrected);
    assert_eq!(told(wrong, right, &primary(Some("2020"), Some("2021"))), corrected);
    for citations in [primary(None, None), primary(Some("2020"), None), primary(None, Some("2021"))]
    {
        assert_ne!(told(wrong, right, &citations), corrected);
    }
    // Years that are themselves what is wrong.
    let built = "The harbour wall of Sker was finished in 1884.";
    let mended = "The harbour wall of Sker was finished in 1872, not 1884.";
    assert_eq!(told(built, mended, &equals), corrected);
}

#[test]
fn what_means_something_else_explains_nothing() {
    let other = "The lighthouse of Sker has 212 steps and a lamp of brass.";
    let alike = [citation(1, 3, None), citation(2, 3, None)];
    let explained = |quote: &str| {
        let findings = [finding(1, 1, HERE), finding(2, 2, other), finding(3, 1, quote)];
        let found = find(&findings, 0, &alike);
        found.iter().any(|it| it.finding_ids == ["f1", "f2"] && it.explained_by.is_some())
    };
    for unrelated in [
        "A ticket for the lighthouse of Sker includes 2 drinks.",
        "The lamp of the lighthouse covers 20 miles.",
        "The lighthouse and its lamp were measured for new paint.",
    ] {
        assert!(!explained(unrelated), "{unrelated}");
    }
    for related in [
        "Who counts steps in the lighthouse of Sker includes those to the lamp.",
        "The 196 steps of the lighthouse were measured without the ladder.",
    ] {
        assert!(explained(related), "{related}");
    }
}

#[test]
fn a_publisher_that_later_has_other_figures_contradicts_itself_and_one_that_tells_of_years_does_not()
 {
    let later = "The lighthouse of Sker has 212 steps and a lamp of brass.";
    let dated = own(Some("2019-01-01"), Some("2023-05-01"));
    let found = find(&[finding(1, 1, HERE), finding(2, 2, later)], 0, &dated);
    let [found] = found.as_slice() else { panic!("{found:?}") };
    assert_eq!(found.conflict.reason, Some(Reason::Newer));
    assert_eq!(found.conflict.one.quote, later);
    for undated in [
        own(None, None),
        own(Some("2019"), None),
        own(Some("2019"), Some("2019")),
        own(Some("9 May 2019"), Some("2019-05-09")),
        own(Some("2019"), Some("2019-05-09")),
    ] {
        assert_eq!(find(&[finding(1, 1, HERE), finding(2, 2, later)], 0, &undated), []);
    }
    let visitors = |year: u32, count: u32| {
        format!("The lighthouse of Sker had {count} visitors in {year} and a lamp of brass.")
    };
    let years = [finding(1, 1, &visitors(2018, 900)), finding(2, 2, &visitors(2022, 1_400))];
    assert_eq!(find(&years, 0, &dated), [], "each is right for its year");
}

#[test]
fn only_what_is_new_is_compared_and_with_all_that_was_before() {
    let steps = |n: usize| finding(n, n, &HERE.replace("196", &(190 + n).to_string()));
    let citations = [1, 2, 3].map(|n| citation(n, 3, None));
    let findings = [steps(1), steps(2), steps(3)];
    let ids = |new_from: usize| -> Vec<String> {
        find(&findings, new_from, &citations).iter().map(|it| it.finding_ids.join(" ")).collect()
    };
    assert_eq!(ids(0), ["f1 f2", "f1 f3", "f2 f3"]);
    assert_eq!(ids(2), ["f1 f3", "f2 f3"]);
    assert_eq!(ids(3), Vec::<String>::new());
}

/// Of a run of a thousand questions that is taken up only what it may still need is taken apart; what it says of new
/// findings is what it would have said.
#[test]
fn whoever_takes_a_long_run_up_hears_the_last_of_it_and_says_the_same() {
    let said = |n: usize| match n % 7 {
        0 => HERE.replace("196", &(190 + n % 90).to_string()),
        // Some say again what somebody has said before.
        1 => "The lamp of Sker is of brass. Its keeper was Ann Marsh.".to_owned(),
        _ => format!("The chronicle of ward{n} counts {n} boats at pier{n}."),
    };
    let citations: Vec<Citation> =
        (1..=50).map(|n| citation(n, 3, (n % 2 == 0).then_some("2026-01-02"))).collect();
    let findings: Vec<Finding> = (1..=2_000).map(|n| finding(n, 1 + n % 50, &said(n))).collect();
    let mut all_along = Heard::default();
    for end in (0..=1_994).step_by(3) {
        all_along.take_in(&findings[..end], &citations);
    }
    let mut anew = Heard::default();
    anew.take_in(&findings[..1_994], &citations);
    assert!(anew.stems.len() * 2 < all_along.stems.len(), "{}", anew.stems.len());
    let told = all_along.find(&findings, &from(1_994), &citations);
    assert!(!told.is_empty());
    assert_eq!(anew.find(&findings, &from(1_994), &citations), told);
    let sentences =
        |heard: &Heard| heard.said.iter().map(|it| it.sentence.clone()).collect::<Vec<_>>();
    assert_eq!(sentences(&anew), sentences(&all_along));
    assert_eq!(anew.said.len(), MOST_SENTENCES);
}

/// A finding comes to rest on what another page says.
fn joins(findings: &mut [Finding], at: usize, of: usize, quote: &str) {
    let joined = finding(1, of, quote);
    let finding = &mut findings[at];
    finding.evidence_snippets.extend(joined.evidence_snippets);
    finding.citation_ids.extend(joined.citation_ids);
}

#[test]
fn what_an_earlier_finding_came_to_rest_on_is_compared_with_all_that_was_there() {
    let steps = |n: usize| HERE.replace("196", &n.to_string());
    let citations = [1, 2, 3, 4].map(|n| citation(n, 3, None));
    let mut findings = vec![
        finding(1, 1, "Sker has a light."),
        finding(2, 2, &steps(196)),
        finding(3, 3, &steps(196)),
    ];
    let mut heard = Heard::default();
    assert_eq!(heard.find(&findings, &from(0), &citations), []);
    joins(&mut findings, 0, 4, &steps(212));
    heard.rests_on_more(0);
    let new = New { from: 3, joined: vec![(0, "c4".to_owned())] };
    let found = heard.find(&findings, &new, &citations);
    let ids: Vec<String> = found.iter().map(|it| it.finding_ids.join(" ")).collect();
    assert_eq!(ids, ["f2 f1"], "and another source says the same as the first");
    assert_eq!(Heard::default().find(&findings, &new, &citations), found, "whoever drives the run");
    assert_eq!(Heard::default().find(&findings, &from(3), &citations), [], "in runs of before");
    // So it is where there is no room any more for what stands so early.
    let many = (4..900).map(|n| finding(n, 1, &format!("Ward{n} has pier{n}.")));
    findings.extend(many);
    findings.push(finding(900, 3, &steps(250)));
    let mut heard = Heard::default();
    assert_eq!(heard.find(&findings, &from(900), &citations), []);
    joins(&mut findings, 0, 2, &steps(199));
    heard.rests_on_more(0);
    let new = New { from: findings.len(), joined: vec![(0, "c2".to_owned())] };
    let found = heard.find(&findings, &new, &citations);
    assert_eq!(found[0].finding_ids, ["f900", "f1"]);
    assert_eq!(Heard::default().find(&findings, &new, &citations), found);
}

/// What came to findings one by one, kept, says what it says made anew.
fn says_the_same(sayings: &[(bool, usize, usize, usize)], every: usize) {
    let said = |n: usize| match n % 3 {
        0 => HERE.replace("196", &n.to_string()),
        1 => format!(
            "Ward{n} has {n} boats at pier{n}. The 196 steps of Sker include those of ward{n}."
        ),
        _ => format!("Its keeper was of ward{n}. Some count {n} steps at Sker and some 196."),
    };
    let citations: Vec<Citation> =
        (1..=9).map(|n| citation(n, 3, (n % 2 == 0).then_some("2026-01-02"))).collect();
    let (mut findings, mut heard) = (Vec::new(), Heard::default());
    let (mut new, mut conflicts) = (New::default(), Vec::<ConflictFound>::new());
    for (nth, (is_new, at, of, what)) in sayings.iter().enumerate() {
        let of = 1 + of % citations.len();
        if *is_new || findings.is_empty() {
            findings.push(finding(findings.len() + 1, of, &said(*what)));
        } else {
            let at = at % findings.len();
            joins(&mut findings, at, of, &said(*what));
            heard.rests_on_more(at);
            new.joined.extend((at < new.from).then(|| (at, format!("c{of}"))));
        }
        if nth % every != 0 {
            continue;
        }
        let mut anew = Heard::default();
        let found = heard.find(&findings, &new, &citations);
        assert_eq!(found, anew.find(&findings, &new, &citations));
        let shown = |heard: &Heard| {
            let all = heard.said.iter();
            all.map(|it| (it.finding, it.citation, it.sentence.clone(), it.quote.clone()))
                .collect::<Vec<_>>()
        };
        assert_eq!(shown(&heard), shown(&anew));
        for conflict in &mut conflicts {
            let mut again = conflict.clone();
            let changed = anew.weigh_again(&mut again, &citations);
            assert_eq!((heard.weigh_again(conflict, &citations), &*conflict), (changed, &again));
        }
        conflicts.extend(found);
        new = New { from: findings.len(), joined: Vec::new() };
    }
}

proptest! {
    #[test]
    fn what_findings_came_to_rest_on_is_heard_as_if_they_had_had_it_from_the_beginning(
        sayings in prop::collection::vec((any::<bool>(), 0_usize..60, 0_usize..9, 0_usize..30), 1..60),
    ) {
        says_the_same(&sayings, 2);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn so_it_is_where_there_is_no_room_for_all(
        // Half of what is said late has been said before, by somebody.
        many in prop::collection::vec((prop::bool::weighted(0.7), 0_usize..900, 0_usize..9, 0_usize..700), 600..700),
        late in prop::collection::vec((any::<bool>(), 0_usize..900, 0_usize..9, 0_usize..700), 1..40),
    ) {
        let sayings = [many.as_slice(), &late].concat();
        says_the_same(&sayings, 41);
    }
}

proptest! {
    #[test]
    fn any_findings_give_bounded_conflicts_between_them(
        quotes in prop::collection::vec(
            prop_oneof![
                (1_usize..400).prop_map(|n| format!("The lighthouse of Sker has {n} steps and a lamp of brass.")),
                "\\PC{0,40}",
            ],
            0..40,
        ),
        voices in 1_usize..6,
    ) {
        let findings: Vec<Finding> =
            (1..).zip(&quotes).map(|(n, quote)| finding(n, n % (voices + 1), quote)).collect();
        let citations: Vec<Citation> = (1..=voices).map(|n| citation(n, 3, None)).collect();
        let found = find(&findings, 0, &citations);
        prop_assert!(found.len() <= MOST_TOLD);
        for conflict in &found {
            prop_assert!(conflict.finding_ids.len() == 2);
            prop_assert!(conflict.conflict.one.url != conflict.conflict.other.url);
            let ids = conflict.finding_ids.iter();
            prop_assert!(ids.clone().all(|id| findings.iter().any(|it| it.finding_id == *id)));
        }
        prop_assert_eq!(find(&findings, 0, &citations), found);
    }
}

#[test]
fn a_visit_that_brought_nothing_has_nothing_compared() {
    assert!(from(3).is_nothing(3) && !from(2).is_nothing(3));
    assert!(!New { from: 3, joined: vec![(0, "c1".to_owned())] }.is_nothing(3));
}
