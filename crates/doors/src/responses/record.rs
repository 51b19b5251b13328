//! What the door keeps beside an ask's log, so that its response can be shown again and followed.
//!
//! Border: one JSON text, written and read here alone. It never holds a key or a token.

use std::mem::take;

use quarry_types::json;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::not_found;
use super::turns::{Asked, Instructing, Kept, Loss, Turn, asked_with};
use super::wire::{Echo, Format, TextForm, Thinking};
use crate::order::{Said, Speaker};
use crate::{Refusal, talk};
use quarry_admission::shared::FORGOTTEN;
use quarry_events::FailureKind;

/// Of what is written here; another one is not read.
const VERSION: u32 = 1;

/// What is read of it first, whoever wrote it.
#[derive(Deserialize)]
struct Marked {
    version: u32,
}

/// Another version of this server wrote it.
fn foreign() -> Refusal {
    Refusal::Conflict {
        message: "the response was kept by another version of this server, which can show it; this one cannot".to_owned(),
        status: "unreadable".to_owned(),
    }
}

/// What is told of a response whose process died.
const INTERRUPTED: &str = "The response was interrupted, and nothing found so far is lost: send its id as `previous_response_id` without `input` to go on.";

/// What a request is told whose conversation goes on with what had no room for all of it.
const OLDER_TURNS: &str = "previous_response_id (older turns)";

/// What of a request its response depends on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u32,
    /// What is shown again.
    pub echo: Echo,
    /// Whether it is told what goes on.
    pub has_summaries: bool,
    /// Whether it is told what programs gave.
    pub shows_outputs: bool,
    /// Whether it is told what addresses a search found.
    #[serde(default)]
    pub shows_sources: bool,
    /// Whether it is told what was found in documents.
    #[serde(default)]
    pub shows_results: bool,
    /// What was asked; none: the log knows.
    pub question: Option<String>,
    /// What was said before.
    pub turns: Vec<Turn>,
    /// What of that is lost.
    #[serde(default)]
    pub lost: Loss,
    /// Those among it who said how to answer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub instructing: Vec<Instructing>,
}

impl Default for Record {
    /// Of an ask that came through another door.
    fn default() -> Self {
        let text = TextForm { format: Format::text() };
        let echo = Echo {
            model: "quarry".to_owned(),
            instructions: None,
            previous_response_id: None,
            metadata: Map::new(),
            store: true,
            background: false,
            temperature: 1.0,
            top_p: 1.0,
            presence_penalty: 0.0,
            frequency_penalty: 0.0,
            top_logprobs: 0,
            max_output_tokens: None,
            max_tool_calls: None,
            tools: Vec::new(),
            tool_choice: "auto".to_owned(),
            parallel_tool_calls: true,
            truncation: "auto".to_owned(),
            text,
            reasoning: Thinking { effort: None, summary: None },
            service_tier: "default".to_owned(),
            safety_identifier: None,
            prompt_cache_key: None,
            user: None,
        };
        Record {
            version: VERSION,
            echo,
            has_summaries: true,
            shows_outputs: false,
            shows_sources: false,
            shows_results: false,
            question: None,
            turns: Vec::new(),
            lost: Loss::Nothing,
            instructing: Vec::new(),
        }
    }
}

impl Record {
    /// Of a run that came through another door.
    pub fn of_run() -> Record {
        let mut record = Record::default();
        record.echo.model = talk::model::RUN.to_owned();
        record.echo.background = true;
        record
    }

    /// Why it failed, with how to go on here.
    pub fn why(&self, kind: FailureKind, message: String) -> String {
        match kind {
            FailureKind::Interrupted if self.echo.store => INTERRUPTED.to_owned(),
            _ => message,
        }
    }

    /// Reads what was kept; without any, the ask came through another door.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] where it was not to be kept or is being deleted, [`Refusal::Conflict`] where another version
    /// of this server wrote it: its frames would have other numbers here.
    pub fn read(kept: Option<&str>) -> Result<Record, Refusal> {
        let Some(kept) = kept else { return Ok(Record::default()) };
        if kept == FORGOTTEN {
            return Err(not_found());
        }
        let is_ours = |marked: Marked| marked.version == VERSION;
        if !serde_json::from_str(kept).is_ok_and(is_ours) {
            return Err(foreign());
        }
        let record = Record::unchecked(kept).ok_or_else(foreign)?;
        record.echo.store.then_some(record).ok_or_else(not_found)
    }

    /// Reads what was just written.
    pub fn unchecked(kept: &str) -> Option<Record> {
        serde_json::from_str(kept).ok()
    }

    /// As it is kept, with what was said before.
    pub fn write(mut self, question: &str, history: &[Said]) -> String {
        // One that goes on was asked before, and its log says what.
        self.question = (!question.is_empty()).then(|| question.to_owned());
        let Kept { turns, instructing, is_whole } = Kept::of(history, take(&mut self.instructing));
        (self.turns, self.instructing) = (turns, instructing);
        if !is_whole && self.lost == Loss::Nothing {
            self.lost = Loss::Kept;
        }
        json::text(&self).unwrap_or_default()
    }

    /// What was said before and here, but for the answer.
    pub fn history(self) -> Vec<Said> {
        let question = self.question.map(|text| Said { by: Speaker::User, text });
        self.turns.into_iter().map(Turn::said).chain(question).collect()
    }

    /// The same with those who said how to answer.
    pub fn asked_with(self) -> Vec<Asked> {
        asked_with(self.turns, self.question, self.instructing)
    }

    /// What follows this has what is kept of it.
    pub fn followed_by(&self, next: &mut Record) {
        if self.lost != Loss::Nothing {
            next.lost = Loss::Asked;
        }
    }

    /// Whether what follows this has all that was said.
    pub fn is_whole(&self) -> bool {
        self.lost == Loss::Nothing
    }

    /// What goes on with this as it was asked: it has the same.
    pub fn taken_up_by(&self, next: &mut Record) {
        next.lost = self.lost;
        next.instructing.clone_from(&self.instructing);
    }

    /// The name of what its request did not have of what it follows, because that was not kept.
    pub fn unheard(&self) -> Option<&'static str> {
        (self.lost == Loss::Asked).then_some(OLDER_TURNS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(by: Speaker, text: &str) -> Said {
        Said { by, text: text.to_owned() }
    }

    #[test]
    fn what_was_kept_is_read_and_grows_into_a_history() {
        let history = [said(Speaker::User, "Who?"), said(Speaker::Assistant, "Ada.")];
        let kept = Record::default().write("When?", &history);
        let read = Record::read(Some(&kept)).unwrap();
        let texts: Vec<String> = read.history().into_iter().map(|said| said.text).collect();
        assert_eq!(texts, ["Who?", "Ada.", "When?"]);
        assert_eq!(Record::read(None), Ok(Record::default()));
    }

    #[test]
    fn what_was_lost_is_told_to_what_follows_and_not_before() {
        let long = "x".repeat(70_000);
        let first = [said(Speaker::User, "old"), said(Speaker::Assistant, &long)];
        let read = |kept: &str| Record::read(Some(kept)).unwrap();
        let whole = read(&Record::default().write("And?", &first[..1]));
        let cut = read(&Record::default().write("And?", &first));
        assert_eq!([whole.unheard(), cut.unheard()], [None, None], "both requests had it all");
        let next = |earlier: &Record| {
            let mut own = Record::default();
            earlier.followed_by(&mut own);
            read(&own.write("And then?", &earlier.clone().history()))
        };
        assert_eq!(next(&whole).unheard(), None);
        assert_eq!(next(&cut).unheard(), Some(OLDER_TURNS));
        assert_eq!(next(&next(&cut)).unheard(), Some(OLDER_TURNS), "they do not come back");
        let mut again = Record::default();
        cut.taken_up_by(&mut again);
        assert_eq!(again.unheard(), None, "it goes on with all that was said then");
        assert_eq!(next(&again).unheard(), Some(OLDER_TURNS));
    }

    #[test]
    fn what_was_kept_before_there_was_more_to_show_is_read() {
        let mut kept: serde_json::Value =
            serde_json::from_str(&Record::default().write("x", &[])).unwrap();
        for newer in ["shows_sources", "shows_results", "lost"] {
            assert!(kept.as_object_mut().unwrap().remove(newer).is_some());
        }
        let read = Record::read(Some(&kept.to_string())).unwrap();
        assert!(!read.shows_sources && !read.shows_results);
        assert_eq!((read.lost, read.instructing), (Loss::Nothing, Vec::new()));
    }

    #[test]
    fn what_is_not_to_be_kept_or_of_another_version_is_not_shown() {
        let status = |kept: &str| Record::read(Some(kept)).unwrap_err().status();
        let mut record = Record::default();
        record.echo.store = false;
        assert_eq!(status(&record.write("x", &[])), 404);
        assert_eq!(status(FORGOTTEN), 404);
        let newer = Record { version: 2, ..Record::default() };
        assert_eq!(status(&newer.write("x", &[])), 409);
        for foreign in [r#"{"version":2,"said":[]}"#, r#"{"version":1}"#, "{}", "text"] {
            assert_eq!(status(foreign), 409, "{foreign}");
        }
    }
}
