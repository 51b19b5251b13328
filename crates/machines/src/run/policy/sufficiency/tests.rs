//! The rules of the sufficiency policy, by table and for any reply.

use super::*;
use proptest::prelude::*;
use quarry_events::run::{By, Stop, Sufficiency, SufficiencyScores};
use quarry_types::Knobs;

/// Evidence that bears any score.
fn sound() -> Facts {
    Facts {
        findings: 4,
        verified: 4,
        best_tier: Some(1),
        strong_voices: 2,
        unnamed_conflicts: 0,
        time_sensitive: false,
        newest_age_days: Some(10),
        parts: 2,
        open_parts: Vec::new(),
    }
}

fn scored(coverage: f64, quality: f64, handling: f64, recency: Option<f64>) -> Reply {
    Reply {
        coverage: Some(coverage),
        quality: Some(quality),
        contradiction_handling: Some(handling),
        recency,
        ..Reply::default()
    }
}

fn scores(of: &Sufficiency) -> [Option<f64>; 4] {
    let SufficiencyScores { coverage, quality, contradiction_handling, recency } = of.scores;
    [Some(coverage), Some(quality), Some(contradiction_handling), recency]
}

#[test]
fn replies_are_read_as_judges_write_them() {
    let text = "My verdict:\n```json\n{\"coverage\": 0.8, \"quality\": \"60%\", \
                \"contradiction_handling\": 90, \"recency\": null, \"rationale\": \" fine \", \
                \"gaps\": [\"its cost\", \"\"],}\n```";
    let reply = Reply::read(text).unwrap();
    assert_eq!(
        reply,
        Reply {
            rationale: Some("fine".to_owned()),
            gaps: vec!["its cost".to_owned()],
            ..scored(0.8, 0.6, 0.9, None)
        }
    );
    for unreadable in ["", "It is fine.", "{}", r#"{"coverage": "good", "gaps": ["x"]}"#, "[1]"] {
        assert_eq!(Reply::read(unreadable), None, "{unreadable}");
    }
    let together = r#"{"scores": {"coverage": 1, "recency": "1/2"}}"#;
    let together = Reply::read(together).unwrap();
    assert_eq!((together.coverage, together.recency), (Some(1.0), Some(0.5)));
    assert_eq!(Reply::read(r#"{"quality": 7000}"#).unwrap().quality, Some(1.0));
}

#[test]
fn facts_cap_what_a_judge_says() {
    let none = Facts { verified: 0, ..sound() };
    let others = Facts { best_tier: Some(3), ..sound() };
    let sourceless = Facts { best_tier: None, ..sound() };
    let torn = Facts { unnamed_conflicts: 2, ..sound() };
    let changing = Facts { time_sensitive: true, ..sound() };
    let stale = Facts { newest_age_days: Some(366), ..changing.clone() };
    let undated = Facts { newest_age_days: None, ..changing.clone() };
    let old = Facts { newest_age_days: Some(9_000), ..sound() };
    for (facts, given, expected, cap) in [
        (sound(), [0.9, 0.9, 0.9, 0.9], [0.9, 0.9, 0.9, -1.0], None),
        (none, [0.9, 0.9, 0.9, -1.0], [0.0, 0.9, 0.9, -1.0], Some("No finding is verified")),
        (others.clone(), [0.9, 0.9, 0.9, -1.0], [0.9, 0.4, 0.9, -1.0], Some("above tier 3")),
        (others, [0.9, 0.3, 0.9, -1.0], [0.9, 0.3, 0.9, -1.0], None),
        (sourceless, [0.9, 0.9, 0.9, -1.0], [0.9, 0.4, 0.9, -1.0], Some("above tier 3")),
        (torn, [0.9, 0.9, 0.9, -1.0], [0.9, 0.9, 0.5, -1.0], Some("no finding names, 2")),
        (changing, [0.9, 0.9, 0.9, 0.9], [0.9, 0.9, 0.9, 0.9], None),
        (stale, [0.9, 0.9, 0.9, 0.9], [0.9, 0.9, 0.9, 0.4], Some("366 days old")),
        (undated, [0.9, 0.9, 0.9, 0.7], [0.9, 0.9, 0.9, 0.7], None),
        (old, [0.9, 0.9, 0.9, -1.0], [0.9, 0.9, 0.9, -1.0], None),
    ] {
        let some = |score: f64| Some(score).filter(|score| *score >= 0.0);
        let reply = scored(given[0], given[1], given[2], some(given[3]));
        let judged = judge(Some(reply), &facts, &Knobs::default());
        assert_eq!(scores(&judged), expected.map(some), "{facts:?}");
        assert_eq!(judged.caps.len(), usize::from(cap.is_some()), "{:?}", judged.caps);
        assert!(
            judged.caps.iter().all(|told| told.contains(cap.unwrap_or_default())),
            "{judged:?}"
        );
        assert_eq!(judged.by, By::Model);
    }
}

#[test]
fn sufficient_is_the_weakest_at_half_and_the_mean_at_the_threshold() {
    for (reply, threshold, sufficient) in [
        (scored(0.7, 0.7, 0.7, None), 0.7, true),
        (scored(0.7, 0.7, 0.69, None), 0.7, false),
        (scored(0.5, 0.6, 1.0, None), 0.7, true),
        (scored(0.49, 1.0, 1.0, None), 0.7, false),
        (scored(0.5, 0.5, 0.5, None), 0.5, true),
        (scored(0.9, 0.9, 0.9, None), 0.95, false),
        // What nobody asked for does not lift the mean, but may lower it.
        (scored(0.65, 0.65, 0.65, Some(1.0)), 0.7, false),
        (scored(0.8, 0.8, 0.8, Some(0.2)), 0.7, false),
    ] {
        let knobs = Knobs { sufficiency_threshold: threshold, ..Knobs::default() };
        let judged = judge(Some(reply.clone()), &sound(), &knobs);
        assert_eq!(judged.sufficient, sufficient, "{reply:?} {judged:?}");
    }
}

#[test]
fn a_recency_that_nobody_asked_for_never_lifts_a_capped_mean() {
    let torn = Facts { unnamed_conflicts: 1, ..sound() };
    let judge = |recency| judge(Some(scored(0.9, 0.9, 0.9, recency)), &torn, &Knobs::default());
    assert_eq!(judge(Some(0.85)), judge(None));
    assert!(judge(Some(0.6)).score < judge(None).score);
}

#[test]
fn without_a_reply_the_rules_judge() {
    let half = Facts { open_parts: vec!["its cost".to_owned()], ..sound() };
    let nothing = Facts { parts: 1, open_parts: vec!["q".to_owned()], ..Facts::default() };
    let others = Facts { best_tier: Some(3), strong_voices: 0, ..sound() };
    let second = Facts { best_tier: Some(2), strong_voices: 1, ..sound() };
    let doubtful = Facts { findings: 9, ..second.clone() };
    let torn = Facts { unnamed_conflicts: 1, ..sound() };
    let recent = |days| Facts { time_sensitive: true, newest_age_days: days, ..sound() };
    for (facts, expected, sufficient) in [
        (sound(), [1.0, 1.0, 1.0, -1.0], true),
        (half.clone(), [0.45, 1.0, 1.0, -1.0], false),
        (Facts { parts: 3, ..half.clone() }, [0.6, 1.0, 1.0, -1.0], true),
        (nothing, [0.0, 0.0, 1.0, -1.0], false),
        (others, [1.0, 0.4, 1.0, -1.0], false),
        (second, [1.0, 0.6, 1.0, -1.0], true),
        (doubtful, [1.0, 0.5, 1.0, -1.0], true),
        (torn, [1.0, 1.0, 0.5, -1.0], true),
        (recent(Some(30)), [1.0, 1.0, 1.0, 1.0], true),
        (recent(Some(300)), [1.0, 1.0, 1.0, 0.6], true),
        (recent(Some(400)), [1.0, 1.0, 1.0, 0.3], false),
        (recent(None), [1.0, 1.0, 1.0, 0.5], true),
    ] {
        let judged = judge(None, &facts, &Knobs::default());
        assert_eq!(scores(&judged), expected.map(|s| Some(s).filter(|s| *s >= 0.0)), "{facts:?}");
        assert_eq!((judged.sufficient, judged.by), (sufficient, By::Rule), "{facts:?}");
        assert!(judged.rationale.starts_with("Judged by rule: "));
    }
    assert_eq!(judge(None, &half, &Knobs::default()).gaps, ["its cost"]);
}

#[test]
fn claims_answer_the_parts_that_they_speak_of() {
    let two = "How long is the Orrin dam, and what did it cost?";
    for (question, claims, parts, open) in [
        (two, &["The Orrin dam cost 3 million."][..], 2, &["How long is the Orrin dam?"][..]),
        (two, &["Its cost was 3 million.", "It is 300 m long."], 2, &[]),
        (two, &[], 2, &["How long is the Orrin dam?", "What did the Orrin dam cost?"]),
        ("Who built the dam, and when?", &["Ada built the dam in 1912."], 2, &[]),
        ("How tall is the tower?", &["It measures 30 m."], 1, &[]),
        ("How tall is the tower?", &[], 1, &["How tall is the tower?"]),
    ] {
        let mut facts = Facts::default();
        facts.note_parts(question, claims);
        assert_eq!((facts.parts, facts.open_parts.as_slice()), (parts, texts(open).as_slice()));
    }
}

fn texts(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn what_a_judge_left_out_is_judged_by_rule() {
    let facts = Facts { best_tier: Some(2), strong_voices: 1, time_sensitive: true, ..sound() };
    let reply = Reply::read(r#"{"coverage": 0.9}"#);
    let judged = judge(reply, &facts, &Knobs::default());
    assert_eq!(scores(&judged), [Some(0.9), Some(0.6), Some(1.0), Some(1.0)]);
    assert_eq!(judged.by, By::Model);
}

/// A root with these marks.
fn root(sufficient: bool, coverage: f64, gaps: &[&str]) -> Sufficiency {
    let judged = judge(Some(scored(coverage, 0.9, 0.9, None)), &sound(), &Knobs::default());
    Sufficiency { sufficient, gaps: texts(gaps), ..judged }
}

#[test]
fn a_round_follows_only_where_it_is_worth_it() {
    let answered = root(true, 0.9, &[]);
    let half = root(false, 0.5, &["its cost"]);
    let empty = root(false, 0.0, &[]);
    let said = |text: &str| PassReply::read(text);
    let fine = r#"{"sufficient": true, "critical_gaps": [], "could_change_conclusion": false}"#;
    let open = r#"{"sufficient": false, "critical_gaps": ["x"], "could_change_conclusion": true}"#;
    let idle = r#"{"sufficient": false, "critical_gaps": ["x"], "could_change_conclusion": false}"#;
    for (reply, root, questions, progress, rounds, stop) in [
        (said(fine), Some(&answered), &["q"][..], true, true, Some(Stop::Sufficient)),
        (said(fine), Some(&half), &["q"], true, true, Some(Stop::NotMaterial)),
        // A judge cannot call it a day while nothing is known.
        (said(fine), Some(&empty), &["q"], true, true, None),
        (said(fine), None, &["q"], true, true, None),
        (said(open), Some(&half), &["q"], true, true, None),
        (said(open), Some(&half), &["q"], false, true, Some(Stop::NoProgress)),
        (said(open), Some(&half), &["q"], true, false, Some(Stop::Bounds)),
        (said(open), Some(&half), &["q"], false, false, Some(Stop::NoProgress)),
        (said(open), Some(&answered), &["q"], true, true, None),
        (said(open), Some(&answered), &[], true, true, Some(Stop::NotMaterial)),
        (said(idle), Some(&half), &["q"], true, true, Some(Stop::NotMaterial)),
        (said(idle), Some(&answered), &["q"], true, true, Some(Stop::NotMaterial)),
        (None, Some(&answered), &["q"], true, true, Some(Stop::Sufficient)),
        (None, Some(&half), &["q"], true, true, None),
        (None, Some(&empty), &["q"], false, true, Some(Stop::NoProgress)),
        (None, None, &["q"], true, false, Some(Stop::Bounds)),
    ] {
        let judged = judge_pass(reply.clone(), root, questions, progress, rounds);
        assert_eq!(judged.stop, stop, "{reply:?} {judged:?}");
        assert_eq!(judged.sufficient, stop == Some(Stop::Sufficient));
    }
    let gaps = |root| judge_pass(None, Some(root), &["q", "r"], true, true).critical_gaps;
    assert_eq!(gaps(&half), ["its cost"]);
    assert_eq!(gaps(&empty), ["q", "r"]);
    assert_eq!(gaps(&answered), Vec::<String>::new());
}

#[test]
fn replies_on_a_round_are_read_as_judges_write_them() {
    assert_eq!(
        PassReply::read("{sufficient: 'no', critical_gaps: 'its cost', could_change_conclusion: 1"),
        Some(PassReply {
            sufficient: Some(false),
            critical_gaps: vec!["its cost".to_owned()],
            could_change_conclusion: Some(true),
            rationale: None,
        })
    );
    assert_eq!(PassReply::read("{\"rationale\": \"x\"}"), None);
    assert_eq!(PassReply::read("no"), None);
}

prop_compose! {
    fn facts()(
        findings in 0usize..9, verified in 0usize..9, best_tier in prop::option::of(0u8..5),
        strong_voices in 0usize..4, unnamed_conflicts in 0usize..3, time_sensitive: bool,
        newest_age_days in prop::option::of(0u64..800), parts in 0usize..4,
        open_parts in prop::collection::vec("\\PC{0,9}", 0..5),
    ) -> Facts {
        Facts {
            findings, verified, best_tier, strong_voices, unnamed_conflicts, time_sensitive,
            newest_age_days, parts, open_parts,
        }
    }
}

prop_compose! {
    fn reply()(
        coverage in prop::option::of(prop::num::f64::ANY), quality in prop::option::of(-0.5f64..1.5),
        contradiction_handling in prop::option::of(0.0f64..=1.0),
        recency in prop::option::of(0.0f64..=1.0),
        rationale in prop::option::of("\\PC{0,9}"),
        gaps in prop::collection::vec("\\PC{0,9}", 0..12),
    ) -> Reply {
        Reply { coverage, quality, contradiction_handling, recency, rationale, gaps }
    }
}

proptest! {
    #[test]
    fn caps_only_lower_and_sufficient_means_the_thresholds(
        reply in prop::option::of(reply()), facts in facts(), threshold in 0.0f64..=1.0,
    ) {
        let knobs = Knobs { sufficiency_threshold: threshold, ..Knobs::default() };
        let judged = judge(reply.clone(), &facts, &knobs);
        let all: Vec<f64> = scores(&judged).into_iter().flatten().collect();
        prop_assert!(all.iter().all(|score| (0.0..=1.0).contains(score)));
        prop_assert!(!judged.sufficient || all.iter().all(|score| *score >= 0.5));
        prop_assert!(!judged.sufficient || judged.score >= threshold);
        prop_assert!(facts.verified > 0 || !judged.sufficient);
        prop_assert!(judged.gaps.len() <= 8);
        // The same evidence without what the caps look at: no score is higher for a cap.
        let bare = Facts {
            verified: facts.verified.max(1), best_tier: Some(1), unnamed_conflicts: 0,
            newest_age_days: Some(0), ..facts.clone()
        };
        if let Some(given) = reply.clone().filter(|given| given.recency.is_none()) {
            let given = Reply { coverage: given.coverage.or(Some(1.0)), quality: Some(0.9), contradiction_handling: Some(0.9), ..given };
            let (capped, free) = (judge(Some(given.clone()), &facts, &knobs), judge(Some(given), &bare, &knobs));
            let pairs = scores(&capped).into_iter().zip(scores(&free));
            prop_assert!(pairs.flat_map(|(one, other)| one.zip(other)).all(|(one, other)| one <= other));
            prop_assert!(free.caps.is_empty());
        }
        prop_assert_eq!(judge(reply, &facts, &knobs), judged);
    }

    #[test]
    fn a_pass_is_sufficient_only_where_its_root_is(
        sufficient: Option<bool>, could: Option<bool>, gaps in prop::collection::vec("\\PC{0,5}", 0..10),
        is_answered: bool, coverage in 0.0f64..1.0, open in prop::collection::vec("\\PC{0,5}", 0..3),
        replied: bool, progress: bool, rounds_left: bool,
    ) {
        let reply = replied.then_some(PassReply {
            sufficient, critical_gaps: gaps, could_change_conclusion: could, rationale: None,
        });
        let root = root(is_answered, coverage, &[]);
        let open: Vec<&str> = open.iter().map(String::as_str).collect();
        let judged = judge_pass(reply.clone(), Some(&root), &open, progress, rounds_left);
        prop_assert!(!judged.sufficient || is_answered);
        prop_assert_eq!(judged.sufficient, judged.stop == Some(Stop::Sufficient));
        prop_assert!(judged.stop.is_some() || (progress && rounds_left && !open.is_empty()));
        prop_assert_eq!(judge_pass(reply, Some(&root), &open, progress, rounds_left), judged);
    }

    #[test]
    fn any_reply_is_read(
        text in "(\\PC|[{}\\[\\]\":,]|\"coverage\": ?|\"quality\": ?|\"sufficient\": ?|[0-9.e%/-]|true){0,60}",
    ) {
        let judged = judge(Reply::read(&text), &sound(), &Knobs::default());
        prop_assert!((0.0..=1.0).contains(&judged.score));
        let _ = judge_pass(PassReply::read(&text), None, &["q"], true, true);
    }
}
