//! A report is told while a model writes it, whoever drives the run and however often.

use crate::drive::{Sim, brief, with_models};
use crate::models::{Script, sheet};
use crate::stream::{self, all_of, data};
use crate::world::Web;
use crate::{replay, resumed};
use quarry_events::run::{Event, EventName, RunStatus};
use quarry_journal::run::{Hash, KeptCheckpoint};
use quarry_machines::run::{Run, RunInput};
use quarry_types::{ChatError, Knobs};

/// A run of one node.
fn sim(script: impl FnOnce(Script) -> Script) -> Sim {
    Sim::new(brief(Knobs::default()), script(Script::new(|_| 0.9)), Web::Scripted)
}

fn driven(mut sim: Sim) -> Sim {
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    sim
}

/// How often a report was begun anew.
fn anew(events: &[Event]) -> usize {
    all_of(events, EventName::ReportDelta).iter().filter(|it| it["anew"] == true).count()
}

/// What was told of the report while the model wrote it: before its call was settled.
fn told_early(events: &[Event]) -> Vec<String> {
    let is = |event: &Event, name: EventName| event.name == name;
    let settled = events.iter().rposition(|it| is(it, EventName::CostUpdated)).unwrap();
    let early = events[..settled].iter().filter(|it| is(it, EventName::ReportDelta));
    early.map(|event| data(event)["text"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_report_is_told_sentence_by_sentence_while_the_model_writes_it() {
    let sim = driven(sim(|it| it));
    let early = told_early(&sim.events());
    assert!((2..=4).contains(&early.len()), "some parts, and no event a word: {early:?}");
    assert!(early[0].starts_with("# "), "{early:?}");
    let text = early.concat();
    let markdown = sim.run().kept_report().unwrap().markdown.clone();
    assert!(markdown.starts_with(&text));
    let cited = text.matches("](https://").count();
    assert!(cited >= 2 && text.ends_with([')', '.']), "whole sentences, with citations: {text}");
    assert_eq!(anew(&sim.events()), 0);
}

/// A model may say more than is heard of it before its call has ended.
#[test]
fn of_a_long_report_the_beginning_is_told_early_and_the_rest_in_the_end() {
    let long = |mut it: Script| {
        it.repeats = 600;
        it
    };
    let sim = driven(sim(long));
    let run = sim.run();
    let said = sim.store.journal(sim.id, 0).into_iter().map(|entry| entry.body.text().len()).max();
    assert!(said > Some(150_000), "{said:?}");
    let markdown = run.kept_report().unwrap().markdown.clone();
    let early = told_early(&sim.events()).concat();
    assert!(markdown.starts_with(&early), "no hole");
    assert!((10_000..60_000).contains(&early.len()), "{} bytes", early.len());
    assert!(markdown.len() > early.len() + 1_000);
    assert_eq!(anew(&sim.events()), 0);
    let all = all_of(&sim.events(), EventName::ReportDelta);
    let all: String = all.iter().map(|it| it["text"].as_str().unwrap()).collect();
    assert_eq!(all, markdown);
}

#[test]
fn a_report_whose_driver_died_is_heard_again_and_told_on() {
    let whole = driven(sim(|it| it));
    let (early, report) = (told_early(&whole.events()), stream::plain_report(&whole));
    for point in whole.points_of("report")..=whole.points {
        let mut killed = sim(|it| it);
        killed.plan.kills.insert(point);
        let killed = driven(killed);
        assert_eq!(stream::plain_report(&killed), report, "{point}");
        assert_eq!(anew(&killed.events()), 0, "{point}: the same words are not told again");
        assert_eq!(told_early(&killed.events()).concat(), early.concat(), "{point}");
    }
}

#[test]
fn other_words_of_another_attempt_begin_the_report_anew() {
    let points = driven(sim(|it| it)).points;
    let mut counts = [0; 2];
    for point in 1..=points {
        let mut killed = sim(|it| it.says_otherwise(2));
        killed.plan.kills.insert(point);
        let killed = driven(killed);
        let is_other =
            killed.performed.iter().any(|it| it.id.starts_with("report") && it.attempt == 2);
        let anew = anew(&killed.events());
        assert!(anew == 0 || is_other && anew == 1, "{point}: {anew}");
        counts[anew] += 1;
    }
    assert!(counts[0] > 10 && counts[1] > 2, "{counts:?}");
}

#[test]
fn a_report_that_broke_off_is_asked_for_once_more() {
    let cut = || ChatError::Connection { message: "the connection broke".to_owned() };
    let sim = driven(sim(|it| it.breaks_off("report", 1, cut())));
    let failed = all_of(&sim.events(), EventName::StepFailed);
    let [failed] = failed.as_slice() else { panic!("{failed:?}") };
    assert_eq!(failed["fallback"], "openai:scripted is asked again", "{failed}");
    let calls = sim.performed.iter().filter(|it| it.id.starts_with("report")).count();
    let run = sim.run();
    assert_eq!((calls, run.metrics(sim.now).unsettled_calls), (2, 1));
    assert_eq!(anew(&sim.events()), 0, "the other call has the same words");
    assert!(run.kept_report().unwrap().json.contains(r#""answer_by_model":true"#));
    assert!(!told_early(&sim.events()).is_empty());
}

#[test]
fn a_report_that_broke_off_twice_is_written_by_rules_and_leaves_nothing_of_the_model_s() {
    let cut = || ChatError::Connection { message: "the connection broke".to_owned() };
    let script = |it: Script| it.breaks_off("report", 1, cut()).breaks_off("report", 2, cut());
    let sim = driven(sim(script));
    let calls = sim.performed.iter().filter(|it| it.id.starts_with("report")).count();
    assert_eq!((calls, anew(&sim.events())), (2, 1));
    assert!(sim.run().kept_report().unwrap().json.contains(r#""answer_by_model":false"#));
}

/// A driver may die in either call, and whoever takes the run up may make a call again.
#[test]
fn a_report_is_never_paid_a_third_time() {
    let cut = || ChatError::Connection { message: "the connection broke".to_owned() };
    let script = |it: Script| it.breaks_off("report", 1, cut());
    let calls = |sim: &Sim| sim.performed.iter().filter(|it| it.id.starts_with("report")).count();
    let whole = driven(sim(script));
    let mut by_rules = 0;
    for point in whole.points_of("report")..=whole.points {
        let mut killed = sim(script);
        killed.plan.kills.insert(point);
        let killed = driven(killed);
        assert!(calls(&killed) <= 2, "{point}: {} calls", calls(&killed));
        let kept = killed.run().kept_report().unwrap().json.clone();
        by_rules += usize::from(kept.contains(r#""answer_by_model":false"#));
    }
    assert!(by_rules > 0, "both calls were lost, and there is a report");
}

#[test]
fn what_is_said_while_the_report_is_written_is_told_as_not_in_it() {
    let cut = || ChatError::Connection { message: "the connection broke".to_owned() };
    said_while_it_is_written(|it| it);
    // Rules write it in the end, and have heard nothing.
    said_while_it_is_written(|it| it.breaks_off("report", 1, cut()).breaks_off("report", 2, cut()));
}

fn said_while_it_is_written(script: impl Fn(Script) -> Script) {
    let whole = driven(sim(&script));
    let (text, mut late) = ("Look at the year 1911.", 0);
    for point in whole.points_of("report") - 4..=whole.points {
        let mut sim = sim(&script);
        sim.plan.says.insert(point, RunInput::Guidance { text: text.to_owned() });
        sim.drive();
        stream::check(&sim);
        replay::check(&sim);
        if sim.heard.is_empty() {
            continue;
        }
        let mut prompt = String::new();
        for entry in sim.store.journal(sim.id, 0) {
            if let Ok(RunInput::Begun { effects }) = serde_json::from_str(entry.body.text()) {
                let report = effects.iter().find(|it| it.id.starts_with("report"));
                prompt = report.map_or(prompt, |it| serde_json::to_string(it).unwrap());
            }
        }
        let run = sim.run();
        let report = run.kept_report().unwrap();
        let is_late = report.markdown.contains("came while the report was written");
        let is_taken = !all_of(&sim.events(), EventName::GuidanceReceived).is_empty();
        assert_eq!(report.markdown.contains("Look at the year 1911"), is_taken, "{point}");
        assert_eq!(is_taken && !prompt.contains(text), is_late, "{point}");
        assert_eq!(report.json.contains(text), is_taken, "{point}");
        late += usize::from(is_late);
    }
    assert!(late > 0);
}

#[test]
fn an_abort_in_the_middle_of_a_report_leaves_none() {
    let whole = driven(sim(|it| it));
    let (first, mut aborted) = (whole.points_of("report"), 0);
    for point in first..=whole.points {
        let mut sim = sim(|it| it);
        sim.plan.says.insert(point, RunInput::Abort);
        sim.drive();
        stream::check(&sim);
        let has_told = !all_of(&sim.events(), EventName::ReportDelta).is_empty();
        if sim.status() == RunStatus::Aborted && has_told {
            aborted += 1;
            assert!(sim.run().kept_report().is_none());
            sim.resume(None, None);
            stream::check(&sim);
            assert_eq!(sim.status(), RunStatus::Completed, "{point}");
        }
    }
    assert!(aborted > 0);
}

/// What versions 1 to 3 kept of a report that was being written was that it was.
#[test]
fn a_run_that_an_older_server_left_at_its_report_is_read() {
    let whole = resumed::whole();
    let is_writing = |state: &&String| state.contains(r#""stage":{"Writing""#);
    let mut states = whole.kept.iter().map(|(_, _, state)| state);
    let state = states.find(is_writing).unwrap();
    let (before, rest) = state.split_once(r#""stage":{"Writing":{"#).unwrap();
    let (_, behind) = rest.split_once("}}").unwrap();
    let body = format!(r#"{before}"stage":"Writing"{behind}"#);
    let sum = Hash::of(&body).to_string();
    let kept = KeptCheckpoint { n: 9, machine: "run".to_owned(), version: 3, sum, body };
    let opened = Run::FORMAT.open(kept).unwrap();
    let (read, known): (Run, Run) =
        (serde_json::from_str(&opened).unwrap(), serde_json::from_str(state).unwrap());
    assert_eq!(read, known);
}

/// Section 2 of a run whose models are these, in their order, and whose first fail.
fn method(failing: &[&str]) -> String {
    let models = ["openai:first", "openai:second"].map(sheet);
    let mut sim =
        Sim::new(with_models(brief(Knobs::default()), &models), resumed::script(), Web::Scripted);
    for model in failing {
        let error = ChatError::ProviderFailed { status: 500, message: "oops".to_owned() };
        sim.script.broken.insert((*model).to_owned(), error);
    }
    sim.drive();
    stream::check(&sim);
    replay::check(&sim);
    assert_eq!(sim.status(), RunStatus::Completed);
    let report = sim.run().kept_report().unwrap().markdown.clone();
    let (_, method) = report.split_once("## 2. ").unwrap();
    let (method, _) = method.split_once("## 3. ").unwrap();
    method.lines().find(|line| line.contains("Models")).unwrap().to_owned()
}

#[test]
fn a_report_names_the_models_that_did_something_and_no_others() {
    let both = ["openai:first", "openai:second"];
    for (failing, named) in [(0, Some(both[0])), (1, Some(both[1])), (2, None)] {
        let line = method(&both[..failing]);
        for model in both {
            assert_eq!(line.contains(model), named == Some(model), "{line}");
        }
        assert_eq!(line.contains("rules did it all"), named.is_none(), "{line}");
    }
}
