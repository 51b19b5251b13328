//! Bundles of runs that are driven here, with a web of one page.

use super::*;
use quarry_events::run::EventName;
use quarry_evidence::{Anchor, Passage};
use quarry_journal::run::Hash;
use quarry_machines::core::{Budget, Fence, ModelSheet};
use quarry_machines::run::{Brief, Models, What, policy};
use quarry_tools::{Errand, Found, Hit, Outcome, Page, Sources};
use quarry_types::{Json, Knobs, RunId};

const URL: &str = "https://lights.gov/sker";
const TEXT: &str = "The lighthouse of Sker was built by Ann Marsh in 1823. It has 196 steps.";

fn found() -> Outcome {
    let passage = Passage::new(Anchor::new("sker".to_owned()), Vec::new(), TEXT.to_owned(), URL);
    let page = Page {
        url: URL.to_owned(),
        title: Some("The light of Sker".to_owned()),
        author: None,
        date: None,
        language: None,
        signals: Vec::new(),
        content: TEXT.to_owned(),
        passages: vec![passage],
        cut_from: None,
        extracted: true,
        truncated: false,
        needs_script: false,
    };
    let hit = Hit {
        title: "The light of Sker".to_owned(),
        url: URL.to_owned(),
        description: TEXT.to_owned(),
        score: 0.9,
        provider_score: None,
        provider: "scripted".to_owned(),
        page: Some(Ok(page)),
        fetch_ms: 3,
        truncated: false,
    };
    let (provider, notes) = ("scripted".to_owned(), Vec::new());
    Outcome::Found(Found { provider, results: vec![hit], notes, truncated: false, digest: None })
}

fn brief() -> Brief {
    let sheet = ModelSheet {
        id: "local:extractive".parse().unwrap(),
        price: None,
        context_window: None,
        is_language_model: false,
        thinks: false,
        timeout_ms: 1_000,
    };
    Brief {
        id: RunId::new(7, 9),
        task: "How many steps does the lighthouse of Sker have, and who built it?".to_owned(),
        knobs: Knobs { max_depth: 1, max_rounds: 1, ..Knobs::default() },
        models: Models::all(&sheet),
        budget: Budget::default(),
        sources: Sources { web: true, knowledge: false, program: true },
        collection: None,
        reasoning_effort: None,
        fence: Fence::of(7),
        guidance: Some("Prefer registers.".to_owned()),
        paid_by_caller: Vec::new(),
        policies: policy::versions(),
        replaced: Vec::new(),
        shares_searches: false,
        operator_keys: false,
        keeps_visits: true,
        revision: Brief::REVISION,
        origin: None,
    }
}

/// A journal as a driver writes it, and what the run told.
struct Journal {
    run: Run,
    entries: Vec<Entry>,
    events: Vec<Event>,
    /// The states that are kept.
    states: Vec<KeptCheckpoint>,
}

impl Journal {
    fn begin() -> Journal {
        let at = Timestamp(1_000);
        let (run, reaction) = Run::new(brief(), at);
        let mut journal =
            Journal { run, entries: Vec::new(), events: reaction.events, states: Vec::new() };
        journal.append(&RunInput::Asked { brief: Box::new(brief()) }, at);
        journal
    }

    fn append(&mut self, input: &RunInput, at: Timestamp) {
        let n = self.entries.len() as u64 + 1;
        self.entries.push(Entry { n, at, kind: input.kind(), body: Json::of(input) });
    }

    fn tell(&mut self, input: RunInput) {
        let at = Timestamp(1_000 + self.entries.len() as u64 * 10);
        self.append(&input, at);
        let reaction = self.run.handle(input, at);
        self.events.extend(reaction.events);
        if reaction.checkpoint {
            self.keep(Run::FORMAT.version, serde_json::to_string(&self.run).unwrap());
        }
    }

    fn keep(&mut self, version: u32, body: String) {
        let (n, sum) = (self.entries.len() as u64, Hash::of(&body).to_string());
        self.states.push(KeptCheckpoint { n, machine: "run".to_owned(), version, sum, body });
    }

    /// Drives the run to its end, without what is kept of it.
    fn driven() -> Journal {
        Journal { states: Vec::new(), ..Journal::kept() }
    }

    /// The same with the states that are kept, that of its birth among them.
    fn kept() -> Journal {
        let mut journal = Journal::begin();
        journal.keep(Run::FORMAT.version, serde_json::to_string(&journal.run).unwrap());
        journal.drive();
        journal
    }

    fn drive(&mut self) {
        for _ in 0..100 {
            let effects = self.run.due();
            if effects.is_empty() {
                break;
            }
            self.tell(RunInput::Begun { effects: effects.clone() });
            for effect in effects {
                assert!(matches!(effect.what, What::Errand(Errand::Search { .. })));
                self.tell(RunInput::Tool { ticket: effect.ticket, outcome: found(), reused: None });
            }
        }
        assert!(self.run.has_ended());
    }

    /// The same, ended by a person while its first searches are under way, and resumed.
    fn ended_and_resumed() -> Journal {
        let mut journal = Journal::begin();
        journal.keep(Run::FORMAT.version, serde_json::to_string(&journal.run).unwrap());
        let effects = journal.run.due();
        let ticket = effects[0].ticket;
        journal.tell(RunInput::Begun { effects });
        journal.tell(RunInput::Tool { ticket, outcome: found(), reused: None });
        journal.tell(RunInput::Abort);
        assert!(journal.run.has_ended());
        let policies = Some(policy::versions());
        let (knobs, budget) = (None, None);
        journal.tell(RunInput::Resumed {
            by_request: true,
            knobs,
            named: None,
            budget,
            policies,
            paid_by_caller: None,
        });
        journal.drive();
        journal
    }

    fn lines(&self) -> Vec<String> {
        let head = Line::Head {
            run: self.run.brief().id,
            machine: Run::FORMAT.version,
            origin: self.run.brief().origin,
        };
        let kept = |entry: &Entry| {
            let states = self.states.iter().filter(|state| state.n == entry.n);
            states.cloned().map(Line::Checkpoint).collect::<Vec<_>>()
        };
        let entries = self
            .entries
            .iter()
            .flat_map(|entry| std::iter::once(Line::Entry(entry.clone())).chain(kept(entry)));
        let events = self.events.iter().cloned().map(Line::Event);
        std::iter::once(head).chain(entries).chain(events).map(|line| line.write()).collect()
    }
}

fn replayed(lines: &[String]) -> Result<Replay> {
    replay(lines.concat().as_bytes())
}

fn refused(lines: &[String]) -> String {
    format!("{:#}", replayed(lines).unwrap_err())
}

#[test]
fn a_run_tells_the_same_again() {
    let journal = Journal::kept();
    let replay = replayed(&journal.lines()).unwrap();
    let (entries, events) = (journal.entries.len(), journal.events.len());
    assert!(entries >= 4 && events > 10, "{entries} entries, {events} events");
    let states = journal.states.len();
    assert!(states >= 2, "{states}");
    let verdict =
        format!("replayed {entries} entries, {events} events, {states} checkpoints, identical");
    assert_eq!(replay.verdict(), verdict);
    let (note, report) = replay.report().unwrap();
    assert_eq!(note, None);
    assert_eq!(Some(report.as_str()), journal.run.kept_report().map(|kept| kept.markdown.as_str()));
    assert!(report.contains("Ann Marsh"), "{report}");
}

#[test]
fn a_run_that_is_not_over_has_what_could_be_said_of_it() {
    let journal = Journal::begin();
    let (note, report) = replayed(&journal.lines()).unwrap().report().unwrap();
    assert!(note.is_some() && report.contains("lighthouse of Sker"), "{report}");
}

#[test]
fn a_run_that_was_forked_begins_with_the_journal_of_another() {
    let mut lines = Journal::begin().lines();
    for line in &mut lines {
        if !line.contains("\"kind\"") {
            *line = line.replace(&RunId::new(7, 9).to_string(), &RunId::new(8, 8).to_string());
        }
    }
    assert!(replayed(&lines).is_ok());
}

#[test]
fn an_entry_that_was_edited_is_named_with_both_texts() {
    let mut lines = Journal::driven().lines();
    let place = lines.iter().position(|line| line.contains("\"outcome\"")).unwrap();
    lines[place] = lines[place].replace("196 steps", "212 steps");
    let refused = refused(&lines);
    // What all three searches brought is told once the last has ended.
    assert!(refused.contains(&format!("entry {}: event ", place + 2)), "{refused}");
    assert!(refused.contains(" differs\n  in the bundle  …"), "{refused}");
    let (bundle, replay) = refused.split_once("by the replay").unwrap();
    assert!(bundle.contains("196") && replay.contains("212"), "{refused}");
}

#[test]
fn a_checkpoint_that_was_altered_is_found() {
    let journal = Journal::kept();
    let whole = journal.lines();
    let place = whole.iter().position(|line| line.contains("\"checkpoint\"")).unwrap();
    let n = journal.states[0].n;
    // Its sum shows it.
    let mut lines = whole.clone();
    lines[place] = lines[place].replace("lighthouse", "windmill");
    assert!(refused(&lines).contains(&format!("the checkpoint at entry {n} is damaged")));
    // And where somebody made that fit, too, the journal does.
    let mut altered = Journal::kept();
    let body = altered.states[0].body.replace("lighthouse", "windmill");
    let sum = Hash::of(&body).to_string();
    altered.states[0] = KeptCheckpoint { body, sum, ..altered.states[0].clone() };
    let told = refused(&altered.lines());
    assert!(
        told.starts_with(&format!("line {}: entry {n}: the checkpoint differs", place + 1)),
        "{told}"
    );
    assert!(told.contains("windmill") && told.contains("lighthouse"), "{told}");
    let mut late = whole.clone();
    late.swap(place, place + 1);
    assert!(refused(&late).contains(&format!("at entry {n} stands behind entry {}", n + 1)));
}

#[test]
fn a_checkpoint_of_an_older_format_is_compared_by_what_it_says() {
    let mut journal = Journal::begin();
    let mut state = serde_json::to_value(&journal.run).unwrap();
    // What version 2 did not have.
    state["numbers"].as_object_mut().unwrap().retain(|name, _| name != "kept_at");
    journal.keep(2, state.to_string());
    assert!(replayed(&journal.lines()).unwrap().verdict().contains("1 checkpoint, identical"));
    journal.states[0].version = 99;
    assert!(refused(&journal.lines()).contains("version 99"));
}

#[test]
fn an_event_that_was_edited_is_named_with_its_entry_and_line() {
    let mut lines = Journal::driven().lines();
    let place = lines.iter().position(|line| line.contains("\"guidance_received\"")).unwrap();
    lines[place] = lines[place].replace("registers", "gossip");
    let refused = refused(&lines);
    assert!(refused.starts_with(&format!("line {}: entry 1: event 2 differs", place + 1)));
    assert!(refused.contains("Prefer gossip") && refused.contains("Prefer registers"), "{refused}");
}

#[test]
fn a_bundle_of_other_rules_that_differs_says_so() {
    let altered = |name: &str, version: &str| {
        let own = format!("\"{name}\":{}", policy::versions()[name]);
        let mut lines = Journal::driven().lines();
        let (mut is_named, mut told) = (false, 0);
        for line in &mut lines {
            // In what was asked, and in what was told of it.
            is_named |= line.contains(&own);
            *line = line.replace(&own, version);
        }
        assert!(is_named, "{}", lines[1]);
        for line in lines.iter_mut().filter(|line| line.contains("\"synthesis_completed\"")) {
            *line = line.replace("196 steps", "212 steps");
            told += 1;
        }
        assert!(told > 0);
        refused(&lines)
    };
    let other = quarry_evidence::RULES + 1;
    let told = altered("evidence", &format!("\"evidence\":{other}"));
    let named = format!("evidence {other} → {}", quarry_evidence::RULES);
    assert!(told.contains("written under other rules") && told.contains(&named), "{told}");
    let told = altered("evidence", "\"evidence_of_old\":1");
    assert!(told.contains("evidence, which it does not name"), "{told}");
    let lines = Journal::driven().lines();
    let place = lines.iter().position(|line| line.contains("\"guidance_received\"")).unwrap();
    let mut edited = lines.clone();
    edited[place] = edited[place].replace("registers", "gossip");
    assert!(!refused(&edited).contains("other rules"));
}

#[test]
fn what_is_missing_or_in_the_wrong_place_is_named() {
    let whole = Journal::driven().lines();
    let entries = whole.iter().filter(|line| line.contains("\"kind\"")).count();
    let without = |place: usize| [&whole[..place], &whole[place + 1..]].concat();
    let last = whole.len() - 1;
    let mut twice = whole.clone();
    twice.insert(3, whole[2].clone());
    let mut late = without(entries);
    late.push(whole[entries].clone());
    let mut newer = whole.clone();
    let own = format!("\"machine\":{}", Run::FORMAT.version);
    newer[0] = newer[0].replace(&own, "\"machine\":99");
    let mut other = whole.clone();
    other[2] = other[2].replace("\"kind\":\"begun\"", "\"kind\":\"input\"");
    let mut unread = whole.clone();
    unread[2] = unread[2].replace("\"input\":\"begun\"", "\"input\":\"gone\"");
    let mut asked = whole.clone();
    asked[2] = asked[2].replace("lighthouse", "windmill");
    let mut cut = whole.clone();
    cut[last].truncate(20);
    for (bundle, told) in [
        (without(0), "does not begin with the head"),
        (without(3), "line 4: entry 3 is missing: entry 4 stands in its place"),
        (without(entries), "is told by no entry; the last is entry"),
        (without(entries + 1), "entry 1: event 1 is expected, and event 2 is there"),
        (without(last), "the bundle ends before event"),
        (twice, "entry 2 is there twice"),
        (late, "is told by no entry"),
        (newer, "version 99 of the machine"),
        (other, "entry 2 is filed as `input`, but what it says is `begun`"),
        (unread, "line 3: entry 2 says nothing that a run is told"),
        (asked, "entry 2 announces what does not follow from the entries before it"),
        (cut, "it is no line of a run's bundle"),
        (vec![whole[0].clone()], "it has no entry"),
        (Vec::new(), "it is empty"),
    ] {
        let refused = refused(&bundle);
        assert!(refused.contains(told), "{told}: {refused}");
    }
}

#[test]
fn a_run_that_was_ended_and_resumed_replays() {
    let journal = Journal::ended_and_resumed();
    let verdict = replayed(&journal.lines()).unwrap().verdict();
    assert!(verdict.ends_with("identical"), "{verdict}");
    // What was searched for before the end is not searched for again.
    let chosen = journal.events.iter().filter(|event| event.name == EventName::QueriesGenerated);
    assert_eq!(chosen.count(), 1);
}

/// As version 5 of the machine wrote it: the turn that the end cut off is begun anew there, and so it is here.
#[test]
fn a_bundle_of_the_version_before_replays_to_the_same_states() {
    let bundle = include_str!("replay_version_5.ndjson");
    assert!(bundle.starts_with("{\"bundle\"") && bundle.contains("\"machine\":5"));
    let lines: Vec<String> = bundle.lines().map(|line| format!("{line}\n")).collect();
    let verdict = replayed(&lines).unwrap().verdict();
    assert!(verdict.ends_with("checkpoints, identical"), "{verdict}");
    assert_eq!(bundle.matches("\"event\":\"queries_generated\"").count(), 2);
    let older = bundle.replacen("\"machine\":5", "\"machine\":4", 1);
    let older: Vec<String> = older.lines().map(|line| format!("{line}\n")).collect();
    assert!(refused(&older).contains("version 4 of the machine"));
}
