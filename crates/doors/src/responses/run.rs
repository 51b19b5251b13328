//! Responses with a run behind them: begun, shown, streamed, followed, listed, forgotten.
//!
//! Border: requests and a run's events in, orders, replies and frames out. A response ends with its run's first end, or
//! where the run waits for somebody; what it does when it is resumed is told at `/runs/{id}`.

use std::time::Duration;

use quarry_events::run::EventName;
use quarry_types::{AskId, ReasoningEffort, RunEffort, RunId, Timestamp};

use super::address::Page;
use super::fold::Fold;
use super::record::Record;
use super::reference::Items;
use super::shown::{self, too_long};
use super::{Order, PREFIX};
use crate::chat::failure::Failed;
use crate::door::{Told, Voice as AnyVoice};
use crate::order::{AskRequest, Order as AnyOrder};
use crate::runs::{self, MAX_GUIDANCE_CHARACTERS};
use crate::talk::{self, Deep, Marks, OfRun, RUN_PREFIX, SILENCE};
use crate::{Event, Head, Headers, Refusal, Reply, frames, stream_head};

/// A line without an empty one behind it, as in the streams of asks.
const SIGN_OF_LIFE: &[u8] = b":\n";

/// Whether a request wants a run.
pub(super) fn is_meant(record: &Record) -> bool {
    record.echo.model.trim() == talk::model::RUN
}

/// The run that an id names behind the prefix of all responses; none: it is an ask's.
#[must_use]
pub fn id(named: &str) -> Option<String> {
    RunId::parse(bare(named)?).map(|id| id.to_string())
}

/// What a run is called where an ask's id could stand.
#[must_use]
pub fn named(run: &str) -> String {
    format!("{RUN_PREFIX}{run}")
}

/// A run's own id.
pub(super) fn bare(named: &str) -> Option<&str> {
    named.strip_prefix(RUN_PREFIX)
}

/// When what an id names was born, in milliseconds since 1970.
pub(crate) fn born_at(named: &str) -> u64 {
    match bare(named) {
        Some(run) => RunId::parse(run).map_or(0, RunId::born_at),
        None => AskId::parse(named).map_or(0, AskId::born_at),
    }
}

/// A response that is to be begun, with a run behind it.
#[derive(Debug, Clone, PartialEq)]
pub struct Begin {
    /// What is asked, and by whom.
    pub deep: Deep,
    streams: bool,
    record: Record,
    ignored: Vec<String>,
}

/// A response that is to be begun, of a model that only the operator's settings can tell.
#[derive(Debug, Clone, PartialEq)]
pub struct Aliased {
    ask: AskRequest,
    /// What it is where that means a run.
    run: Result<Begin, Refusal>,
}

impl Aliased {
    /// Of a request, with the names of what is ignored of it, and the head that it came with.
    pub(super) fn new(
        ask: AskRequest,
        streams: bool,
        record: Record,
        (ignored, head): (&[String], &Head),
    ) -> Aliased {
        let run = Begin::new(ask.clone(), streams, record, (&mut ignored.to_vec(), head));
        Aliased { ask, run }
    }

    /// What is to be done by the variable `model_aliases`. A name that means nothing is refused with whatever else is
    /// wrong with its ask.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] for a run that is asked for what none does.
    pub fn meant(self, aliases: &str) -> Result<AnyOrder, Refusal> {
        let name = self.ask.manners.alias.as_deref().unwrap_or_default();
        match talk::model::alias(aliases, name) {
            Ok(talk::model::Meant::Run) => {
                Ok(AnyOrder::Response(Order::Begin(Box::new(self.run?))))
            }
            _ => Ok(AnyOrder::Start(Box::new(self.ask))),
        }
    }
}

/// How a response that has begun is answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Begun {
    /// Whether by frames; else by the object at once.
    pub streams: bool,
    record: Record,
    ignored: Vec<String>,
}

impl Begin {
    /// Of a request, with the names of what is ignored of it, and the head that it came with.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] for what a run cannot be asked for.
    pub(super) fn new(
        mut ask: AskRequest,
        streams: bool,
        record: Record,
        (ignored, head): (&mut Vec<String>, &Head),
    ) -> Result<Begin, Refusal> {
        refuse_what_cannot_be(&ask, &record)?;
        for (name, is_said) in [
            ("max_output_tokens", ask.wish.max_tokens.is_some()),
            ("temperature", ask.wish.temperature.is_some()),
            ("top_p", ask.wish.top_p.is_some()),
            ("quarry.verify_with_model", ask.verify_with_model == Some(true)),
        ] {
            ignored.extend(is_said.then(|| name.to_owned()));
        }
        let effort = match ask.wish.effort {
            Some(ReasoningEffort::Low) => RunEffort::Quick,
            None | Some(ReasoningEffort::Medium) => RunEffort::Standard,
            Some(ReasoningEffort::High) => RunEffort::Deep,
        };
        ask.manners.keeps = Some(record.clone().write(&ask.query, &ask.wish.history));
        let (deep, ignored) = (Deep::new(ask, effort, head), ignored.clone());
        Ok(Begin { deep, streams, record, ignored })
    }

    /// The run that is to be begun, and how its maker is answered.
    ///
    /// # Errors
    /// [`Refusal`] where the run cannot be written down.
    pub fn run(self) -> Result<(runs::Request, Begun), Refusal> {
        let Begin { deep, streams, record, mut ignored } = self;
        let kept = deep.ask.manners.keeps.as_deref().and_then(Record::unchecked);
        let unheard = kept.and_then(|kept| kept.unheard());
        let lost: Vec<&str> = unheard.into_iter().chain(deep.shortened()).collect();
        if deep.ask.wish.wants_all_said && !lost.is_empty() {
            return Err(too_long());
        }
        ignored.extend(lost.into_iter().map(str::to_owned));
        Ok((deep.run()?, Begun { streams, record, ignored }))
    }
}

impl Begun {
    /// The response as it is before its run does anything.
    #[must_use]
    pub fn reply(self, run: &str) -> Reply {
        let mut voice = self.voice(run);
        voice.whole()
    }

    /// Tells its frames.
    #[must_use]
    pub fn stream(self, run: &str) -> Box<dyn AnyVoice<EventName>> {
        Box::new(self.voice(run))
    }

    fn voice(self, run: &str) -> Voice {
        Voice::new(Telling::of(run, self.record, None), &self.ignored)
    }
}

fn refuse_what_cannot_be(ask: &AskRequest, record: &Record) -> Result<(), Refusal> {
    if !record.echo.background {
        return Err(Refusal::field(
            "background",
            "wants true with quarry-run: a run takes minutes and goes on by itself; send `background: true` and fetch the response, or stream it",
        ));
    }
    if ask.resume.is_some() {
        return Err(Refusal::field(
            "input",
            "is missing; a run that waits, failed or was cancelled goes on at POST /runs/{id}/resume",
        ));
    }
    if ask.wish.is_direct {
        return Err(Refusal::field(
            "tool_choice",
            "is not supported as none with quarry-run, which always researches; name quarry-direct",
        ));
    }
    if ask.max_iterations.is_some() {
        return Err(Refusal::field(
            "quarry.max_iterations",
            "is not supported with quarry-run; say by `reasoning.effort` how much is researched",
        ));
    }
    let wants_more = [
        ("text.format", ask.wish.form.is_some(), "a run ends with a report in Markdown"),
        (
            "tools",
            !ask.sources.web && !ask.sources.knowledge,
            "a run searches; name web_search or file_search beside code_interpreter",
        ),
        (
            "tools",
            !ask.domains.is_empty(),
            "a run searches everywhere; leave `allowed_domains` out",
        ),
        (
            "max_tool_calls",
            ask.max_tool_calls.is_some(),
            "`reasoning.effort` says how much is researched",
        ),
    ];
    if let Some((field, _, why)) = wants_more.into_iter().find(|(_, is_said, _)| *is_said) {
        let wants = format!("is not supported with quarry-run: {why}; or name quarry");
        return Err(Refusal::field(field, &wants));
    }
    let instructions = ask.wish.instructions.as_deref().unwrap_or_default();
    if instructions.chars().count() > MAX_GUIDANCE_CHARACTERS {
        let wants = format!(
            "is too long for quarry-run; send at most {MAX_GUIDANCE_CHARACTERS} characters, system messages included"
        );
        return Err(Refusal::field("instructions", &wants));
    }
    Ok(())
}

/// What is known of a run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct EarlierRun {
    /// What its door kept; none: it came through another door.
    pub kept: Option<String>,
    /// Its events so far.
    pub events: Vec<Event<EventName>>,
}

impl EarlierRun {
    fn record(&self) -> Result<Record, Refusal> {
        match &self.kept {
            Some(kept) => Record::read(Some(kept)),
            // It goes on without a reader, whichever door it came through.
            None => Ok(Record::of_run()),
        }
    }

    fn folded(&self, run: &str, record: Record) -> Fold {
        let mut told = Telling::of(run, record, None);
        shown::unread(&self.events, |event, out| told.step(event, out));
        told.fold
    }

    fn asked(&self) -> Option<String> {
        let mut run = OfRun::default();
        let mut told = self.events.iter().flat_map(|event| run.read(event));
        told.find_map(
            |told| if let talk::Told::Init { query, .. } = told { Some(query) } else { None },
        )
    }

    /// The response as it is now.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] where it cannot be shown.
    pub fn shown(&self, run: &str) -> Result<Reply, Refusal> {
        let record = self.record()?;
        Ok(Reply::json(200, self.folded(run, record).snapshot()))
    }

    /// The voice that tells its frames behind this one, or all.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] where it cannot be shown.
    pub fn streamed(
        &self,
        run: &str,
        after: Option<u64>,
    ) -> Result<Box<dyn AnyVoice<EventName>>, Refusal> {
        let record = self.record()?;
        Ok(Box::new(Voice::new(Telling::of(run, record, after), &[])))
    }

    /// What it was asked with.
    ///
    /// # Errors
    /// [`Refusal::NotFound`] where it cannot be shown.
    pub fn items(&self, run: &str, page: &Page) -> Result<Reply, Refusal> {
        let mut record = self.record()?;
        record.question = record.question.take().or_else(|| self.asked());
        shown::listed(&format!("{RUN_PREFIX}{run}"), record, page)
    }

    /// What may be referred to of the response with this name; none: nothing of it may be shown.
    pub(super) fn items_of(&self, named: &str) -> Option<Items> {
        let mut record = self.record().ok()?;
        record.question = record.question.take().or_else(|| self.asked());
        let fold = self.folded(bare(named)?, record.clone());
        let (has_ended, output) = (fold.has_ended(), fold.output());
        Some(Items { input: shown::input_of(named, record), output, has_ended })
    }

    /// What is said when it is gone.
    #[must_use]
    pub fn deleted(run: &str) -> Reply {
        shown::gone(&format!("{PREFIX}{RUN_PREFIX}{run}"))
    }

    /// Puts the conversation of this response before a request's own.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] where it cannot be followed.
    pub fn follow(&self, request: &mut AskRequest, run: &str) -> Result<(), Refusal> {
        let mut record = self.record().map_err(shown::unfollowed)?;
        record.question = record.question.take().or_else(|| self.asked());
        let fold = self.folded(run, record.clone());
        if request.resume.is_some() {
            return Err(Refusal::field(
                "input",
                "is missing; a run that waits, failed or was cancelled goes on at POST /runs/{id}/resume",
            ));
        }
        shown::carry_on(request, &fold, &record, fold.has_ended())
    }
}

/// A run's events as the frames of its response.
#[derive(Debug, Clone)]
struct Telling {
    of_run: OfRun,
    fold: Fold,
}

impl Telling {
    fn of(run: &str, record: Record, after: Option<u64>) -> Telling {
        let mut fold = Fold::new(record, after);
        fold.begin(&format!("{RUN_PREFIX}{run}"));
        Telling { of_run: OfRun::default(), fold }
    }

    fn step(&mut self, event: &Event<EventName>, out: &mut Vec<u8>) {
        let told = self.of_run.read(event);
        self.fold.step_of_run(told, self.of_run.at(), self.of_run.spent(), out);
    }
}

/// How one request about the response of a run is answered.
struct Voice {
    marks: Marks,
    told: Telling,
}

impl Voice {
    fn new(told: Telling, ignored: &[String]) -> Voice {
        let mut marks = Marks::new(ignored);
        marks.begin(told.fold.ask());
        Voice { marks, told }
    }

    fn whole(&mut self) -> Reply {
        let mut reply = Reply::json(200, self.told.fold.snapshot());
        self.marks.put(&mut reply.headers);
        reply
    }
}

impl AnyVoice<EventName> for Voice {
    fn streams(&self) -> bool {
        true
    }

    fn head(&self) -> Headers {
        let mut headers = stream_head();
        self.marks.put(&mut headers);
        headers
    }

    fn tell(&mut self, events: Vec<Event<EventName>>) -> Told {
        let mut bytes = frames::buffer();
        events.iter().for_each(|event| self.told.step(event, &mut bytes));
        Told { bytes, last: self.told.fold.has_ended() }
    }

    fn silence(&self) -> Option<Duration> {
        Some(SILENCE)
    }

    fn sign_of_life(&self) -> Vec<u8> {
        SIGN_OF_LIFE.to_vec()
    }

    /// No frame: the run goes on, and whoever joins again is told the rest.
    fn broke_off(&mut self, _: &Refusal, _: Timestamp) -> Vec<u8> {
        Vec::new()
    }

    fn whole(&mut self, broke_off: Option<&Refusal>) -> Reply {
        match broke_off {
            Some(refusal) => Failed::refused(refusal).of_input().reply(),
            None => Voice::whole(self),
        }
    }

    fn refuse(&self, refusal: &Refusal, _: Timestamp) -> Reply {
        self.marks.refuse(refusal, Failed::refused(refusal).of_input().reply())
    }
}
