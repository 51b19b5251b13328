//! A response that was begun: shown, streamed, followed, listed.
//!
//! Border: what was kept of its request and the events of its ask in, replies and histories out.

use super::PREFIX;
use super::address::Page;
use super::fold::Fold;
use super::listing::{Deleted, InputItem, InputItems, InputPart};
use super::record::Record;
use super::reference::Items;
use super::tools::is_ours;
use super::turns::{Asked, By};
use super::voice::{Form, Voice};
use super::wire::{Echo, Status};
use crate::door::Voice as AnyVoice;
use crate::order::{AskRequest, Said, Speaker};
use crate::talk::{Instructor, Marks, Told, ids};
use crate::{Event, Refusal, Reply};
use serde_json::json;

/// What is known of an ask.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Earlier {
    /// What its door kept; none: it came through another door.
    pub kept: Option<String>,
    /// Its events so far.
    pub events: Vec<Event>,
    /// Whether no more will come.
    pub has_ended: bool,
}

impl Earlier {
    fn record(&self) -> Result<Record, Refusal> {
        Record::read(self.kept.as_deref())
    }

    fn folded(&self, id: &str, record: Record) -> Fold {
        let mut fold = Fold::new(record, None);
        fold.begin(id);
        unread(&self.events, |event, out| fold.step(event, out));
        if self.has_ended {
            drop(fold.break_off(&interrupted()));
        }
        fold
    }

    /// Whether nothing of it was written: then there is nothing to go on from.
    const fn is_unwritten(&self) -> bool {
        self.events.is_empty()
    }
}

/// Why there is no end of an ask whose writer died before it wrote anything.
#[must_use]
pub fn interrupted() -> Refusal {
    Refusal::Internal(
        "the ask was interrupted before anything of it was written, so nothing goes on with it; send its request again"
            .to_owned(),
    )
}

impl Earlier {
    /// What may be referred to of the response with this name; none: nothing of it may be shown.
    pub(super) fn items(&self, named: &str) -> Option<Items> {
        let mut record = self.record().ok()?;
        record.question = record.question.take().or_else(|| asked(&self.events));
        let output = self.folded(named, record.clone()).output();
        Some(Items { input: input_of(named, record), output, has_ended: self.has_ended })
    }
}

/// Takes events in whose frames nobody reads.
pub(super) fn unread<E>(events: &[E], mut step: impl FnMut(&E, &mut Vec<u8>)) {
    let mut frames = Vec::new();
    for event in events {
        step(event, &mut frames);
        frames.clear();
    }
}

/// Messages by their ids.
pub(super) type InputOf = Vec<(String, Asked)>;

/// The messages that a response was asked with.
pub(super) fn input_of(named: &str, record: Record) -> InputOf {
    let asked = record.asked_with().into_iter().enumerate();
    asked.map(|(at, asked)| (format!("{}_in_{at}", ids::of("msg_", named)), asked)).collect()
}

/// The response as it is now.
///
/// # Errors
/// [`Refusal::NotFound`] where it was not to be kept, [`Refusal::Conflict`] where another version kept it.
pub fn shown(id: &str, earlier: &Earlier) -> Result<Reply, Refusal> {
    let record = earlier.record()?;
    Ok(Reply::json(200, earlier.folded(id, record).snapshot()))
}

/// The voice that tells its frames behind this one, or all.
///
/// # Errors
/// [`Refusal::NotFound`] where it was not to be kept, [`Refusal::Conflict`] where another version kept it.
pub fn streamed(
    id: &str,
    kept: Option<&str>,
    after: Option<u64>,
) -> Result<Box<dyn AnyVoice>, Refusal> {
    let record = Record::read(kept)?;
    let mut voice = Voice::new(Form::Rest, Fold::new(record, after), Marks::default());
    AnyVoice::begin(&mut voice, id);
    Ok(Box::new(voice))
}

/// Puts the conversation of an earlier response before a request's own.
///
/// # Errors
/// [`Refusal::InvalidField`] where it was not kept, is under way, or is unknown, [`Refusal::Conflict`] where another version
/// kept it.
pub fn follow(
    request: &mut AskRequest,
    id: &str,
    earlier: Option<&Earlier>,
) -> Result<(), Refusal> {
    let earlier = earlier.ok_or_else(nothing_to_follow)?;
    let mut record = earlier.record().map_err(unfollowed)?;
    record.question = record.question.take().or_else(|| asked(&earlier.events));
    let fold = earlier.folded(id, record.clone());
    if request.resume.is_some() && earlier.is_unwritten() {
        return Err(unwritten(earlier.has_ended));
    }
    if earlier.has_ended && request.resume.is_some() {
        return go_on(request, id, &fold, record);
    }
    carry_on(request, &fold, &record, earlier.has_ended)
}

/// Why nothing goes on with a response of which nothing was written. What is kept of its request is what is shown of it, and
/// not all that it wished: its budget, for one, would be lost.
fn unwritten(has_ended: bool) -> Refusal {
    match has_ended {
        true => Refusal::field(
            "input",
            "is missing; this response was interrupted before anything of it was written, so nothing goes on with it: send \
             its request again, with its `input` and without `previous_response_id`",
        ),
        false => Refusal::field(
            "previous_response_id",
            "names a response of which nothing is written yet; it is under way, or was interrupted as it began, which it \
             says itself half a minute later: fetch it again then",
        ),
    }
}

/// Nothing is kept under the id that a request wants to follow.
#[must_use]
pub fn nothing_to_follow() -> Refusal {
    Refusal::field(
        "previous_response_id",
        "names no response that is kept; it is unknown, was not stored, or has expired: send the conversation as `input`",
    )
}

/// Of what was said before not all can be taken along, and the request wants that.
pub(super) fn too_long() -> Refusal {
    Refusal::field(
        "truncation",
        "cannot be `disabled` with a conversation of which not all can be kept or shown; send `auto`, which leaves the \
         oldest turns out, or less",
    )
}

/// Why a record is not followed, where it cannot be read.
pub(super) fn unfollowed(refusal: Refusal) -> Refusal {
    match refusal {
        Refusal::NotFound(_) => nothing_to_follow(),
        refusal => refusal,
    }
}

/// Puts what was said before, with the answer, before a request's own.
pub(super) fn carry_on(
    request: &mut AskRequest,
    fold: &Fold,
    record: &Record,
    has_ended: bool,
) -> Result<(), Refusal> {
    if !has_ended {
        return Err(Refusal::field(
            "previous_response_id",
            "names a response that is under way; wait for its end, or cancel it",
        ));
    }
    if request.wish.wants_all_said && !record.is_whole() {
        return Err(too_long());
    }
    let answer = Said { by: Speaker::Assistant, text: fold.answer().to_owned() };
    let mut history = record.clone().history();
    history.extend(Some(answer).filter(|answer| !answer.text.trim().is_empty()));
    history.append(&mut request.wish.history);
    request.wish.history = history;
    if let Some(mut own) = request.manners.keeps.take().and_then(|kept| Record::unchecked(&kept)) {
        record.followed_by(&mut own);
        request.manners.keeps = Some(own.write(&request.query, &request.wish.history));
    }
    Ok(())
}

/// An ask that a limit ended, or that died, goes on as a new one, which was asked what it was asked.
fn go_on(
    request: &mut AskRequest,
    id: &str,
    fold: &Fold,
    mut earlier: Record,
) -> Result<(), Refusal> {
    if !fold.can_go_on() {
        return Err(Refusal::field(
            "input",
            "is missing; without it only a response goes on that a provider's limit ended or that was interrupted",
        ));
    }
    request.manners.goes_on_from(id);
    let question = earlier.question.take().unwrap_or_default();
    if let Some(mut own) = request.manners.keeps.take().and_then(|kept| Record::unchecked(&kept)) {
        own.echo = wanted_then(request, own.echo, &earlier.echo);
        earlier.taken_up_by(&mut own);
        request.manners.keeps = Some(own.write(&question, &earlier.history()));
    }
    Ok(())
}

/// Whether a request that goes on with a response gets what it wants where another began that before: `own` is what its
/// door keeps of it, `theirs` what is kept of what was begun. Gives whether both are stored: then frames have numbers by which
/// either comes back, so both are told the same; else nobody can, and neither is shown what the other sent.
///
/// # Errors
/// [`Refusal::InvalidField`] where one of them was to be stored and the other not.
pub fn joined(own: &str, theirs: &str) -> Result<bool, Refusal> {
    let is_stored = |kept: &str| Record::unchecked(kept).is_none_or(|record| record.echo.store);
    let (is, instead) = match (is_stored(own), is_stored(theirs)) {
        (true, false) => ("not stored", "send `store: false`"),
        (false, true) => ("stored", "leave `store` out"),
        (own, _) => return Ok(own),
    };
    let wants = format!(
        "cannot be had: another request goes on with this response already, and what comes of it is {is}; {instead} to \
         join it, or send the conversation as `input`"
    );
    Err(Refusal::field("store", &wants))
}

/// Whoever goes on has what was wanted then, but for what is said anew.
fn wanted_then(request: &AskRequest, mut own: Echo, then: &Echo) -> Echo {
    let wish = &request.wish;
    // It answers, too, whatever the name that was sent stands for.
    if request.model.is_none() {
        own.model.clone_from(&then.model);
    }
    if wish.form.is_none() {
        own.text = then.text.clone();
    }
    if wish.temperature.is_none() {
        own.temperature = then.temperature;
    }
    if wish.top_p.is_none() {
        own.top_p = then.top_p;
    }
    if !own.tools.iter().any(is_ours) {
        let functions = std::mem::take(&mut own.tools);
        let is_silent = functions.is_empty();
        let then = then.tools.iter().filter(|tool| is_silent || is_ours(tool));
        own.tools = then.cloned().chain(functions).collect();
    }
    if !wish.is_direct {
        own.tool_choice.clone_from(&then.tool_choice);
    }
    own.max_output_tokens = own.max_output_tokens.or(then.max_output_tokens);
    own.max_tool_calls = own.max_tool_calls.or(then.max_tool_calls);
    own.reasoning.effort = own.reasoning.effort.or(then.reasoning.effort);
    own.instructions = own.instructions.or_else(|| then.instructions.clone());
    own
}

/// The question, as the log has it.
fn asked(events: &[Event]) -> Option<String> {
    events.iter().find_map(|event| match Told::read(event.name, &event.data) {
        Some(Told::Init { query, .. }) => Some(query),
        _ => None,
    })
}

/// What it was asked with.
///
/// # Errors
/// [`Refusal::NotFound`] where it was not to be kept, [`Refusal::Conflict`] where another version kept it.
pub fn items(id: &str, earlier: &Earlier, page: &Page) -> Result<Reply, Refusal> {
    let mut record = earlier.record()?;
    record.question = record.question.take().or_else(|| asked(&earlier.events));
    listed(id, record, page)
}

/// The part of the list that is wanted.
pub(super) fn listed(id: &str, record: Record, page: &Page) -> Result<Reply, Refusal> {
    let mut all: Vec<InputItem> =
        input_of(id, record).into_iter().map(|(id, asked)| item(id, asked)).collect();
    if !page.is_ascending {
        all.reverse();
    }
    if let Some(after) = &page.after {
        let at = all.iter().position(|item| item.id == *after);
        let at = at.ok_or_else(|| Refusal::field("after", "names no item of this response"))?;
        all.drain(..=at);
    }
    let has_more = all.len() > page.limit;
    all.truncate(page.limit);
    let id = |item: Option<&InputItem>| item.map(|item| item.id.clone());
    let (first_id, last_id) = (id(all.first()), id(all.last()));
    let list = InputItems { object: "list", data: all, first_id, last_id, has_more };
    Ok(Reply::json(200, json!(list).to_string()))
}

fn item(id: String, Asked { by, text }: Asked) -> InputItem {
    let role = match by {
        By::Speaker(Speaker::User) => "user",
        By::Speaker(Speaker::Assistant) => "assistant",
        By::Instructor(Instructor::System) => "system",
        By::Instructor(Instructor::Developer) => "developer",
    };
    let part = match by {
        By::Speaker(Speaker::User) | By::Instructor(_) => InputPart::InputText { text },
        By::Speaker(Speaker::Assistant) => {
            let (annotations, logprobs) = (Vec::new(), Vec::new());
            InputPart::OutputText { text, annotations, logprobs }
        }
    };
    InputItem { id, kind: "message", role, status: Status::Completed, content: vec![part] }
}

/// What is said when it is gone.
///
/// # Errors
/// [`Refusal::NotFound`] where it was not to be kept, [`Refusal::Conflict`] while it is under way or where another version kept
/// it.
pub fn deleted(id: &str, earlier: &Earlier) -> Result<Reply, Refusal> {
    earlier.record()?;
    if !earlier.has_ended {
        return Err(Refusal::Conflict {
            message: "the response is under way; cancel it first".to_owned(),
            status: "in_progress".to_owned(),
        });
    }
    Ok(gone(&format!("{PREFIX}{id}")))
}

/// The response with this id is gone.
pub(super) fn gone(id: &str) -> Reply {
    let gone = Deleted { id: id.to_owned(), object: "response", deleted: true };
    Reply::json(200, json!(gone).to_string())
}
