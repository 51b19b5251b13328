//! Drives a run for a slice: performs what it asks for, and writes what came of it.
//!
//! Border: what begins when, what is written and who leaves is a [`Slice`]'s.

use super::listen::{Heard, Listening};
use super::store::{RunStore, StepError, StoreError};
use super::under_way::UnderWay;
use super::{load, settings};
use crate::effects;
use futures::channel::oneshot;
use futures::future::LocalBoxFuture;
use quarry_journal::run::Waiting;
use quarry_journal::{
    Append, KEPT_WAIT_MS, Leave, SHORT_WAIT_MS, Slice, SliceCommand, SliceLimits, Written,
    tried_again,
};
use quarry_machines::core::{Input, Ticket};
use quarry_machines::run::{Effect, Reuse, Run, RunInput, What, Whose, bounded};
use quarry_rim::clock::{self, now};
use quarry_rim::diagnostics::note;
use quarry_rim::random;
use quarry_schema::run::Refusal;
use quarry_tools::{Errand, FailureKind, Outcome};
use quarry_types::{ChatError, Credential, RunId, Timestamp};
use std::time::Duration;

/// What an errand that keeps its time itself may take beyond that, to bring what it has, before it counts as lost.
const GRACE: Duration = Duration::from_secs(5);

/// Who drives which run, and with whose key.
#[derive(Clone)]
pub struct Driver {
    pub id: RunId,
    pub store: RunStore,
    /// The caller's own key, which lives here alone.
    pub api_key: Option<String>,
    pub limits: SliceLimits,
    /// Its name in this turn, which no other has, and no other turn.
    pub(super) holder: String,
    /// Whose lease it takes over, by their name; none: it takes one that nobody has.
    pub(super) before: Option<String>,
}

/// A driver's turn at a run.
struct Lease {
    until: Timestamp,
    whose: Whose,
    /// Whether nobody has written a step of it yet.
    is_new: bool,
    /// When whoever had it before wrote last, be it that they were still there.
    driven_until: Timestamp,
}

/// What came of telling a run something that was loaded just now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told {
    /// It is in the run's first step.
    Yes,
    /// Another has the run, or the server no room for it.
    NoLease,
    /// Somebody was faster: the run is another by now.
    Outrun,
    /// Nobody knows: the database did not say that it took it.
    Unwritten,
}

/// What a person said, and the name under which it lies in the run's inbox, if it does.
pub type Said = (RunInput, Option<String>);

type Append_ = Append<RunInput, quarry_events::run::Event>;
type Command = SliceCommand<RunInput, quarry_events::run::Event, Effect>;

enum Happening {
    Input(RunInput),
    Heard(Heard),
    Written(Written),
    Looked(Option<Vec<Waiting>>),
    Entered(bool),
    Renewed(Written),
    Reloaded(Option<(Box<Run>, u64)>),
    Woke,
}

type Work = LocalBoxFuture<'static, Happening>;

/// How many runs may be driven at once. Where that cannot be read, a run that waits is worse than one too many.
async fn most_driven() -> u32 {
    settings::read().await.map_or(0, |settings| settings.most_driven)
}

impl Driver {
    /// A driver with a name that no other has.
    pub fn new(id: RunId, store: RunStore, api_key: Option<String>, limits: SliceLimits) -> Self {
        let holder = format!("{:032x}", random::bits128());
        Driver { id, store, api_key, limits, holder, before: None }
    }

    /// Takes the lease; none when another has it, there is nothing to drive, or enough others are driven. `behind`: the
    /// entry behind which the run waits for this driver's key, which whoever has the run does not have.
    async fn lease(&self, behind: Option<u64>) -> Result<Option<Lease>, StoreError> {
        let (now, until) = self.lease_from_now();
        let taken = match &self.before {
            // Whoever had it is within any bound.
            Some(before) => self.store.take_over(self.id, before, &self.holder, now, until).await?,
            None => {
                let (most, holder) = (most_driven().await, &self.holder);
                self.store.take(self.id, holder, (now, until), most, behind).await?
            }
        };
        Ok(taken.map(|record| Lease {
            until,
            whose: Whose { id: self.id, origin: record.origin },
            is_new: record.updated_at == record.created_at,
            driven_until: record.updated_at,
        }))
    }

    fn lease_from_now(&self) -> (Timestamp, Timestamp) {
        let now = now();
        (now, Timestamp(now.0.saturating_add(self.limits.lease_ms)))
    }

    /// Takes the run up if nobody drives it. False when somebody does, or there is nothing to drive. One that cannot be
    /// read is put off, so that it keeps nobody else from being driven.
    pub async fn take_up(self) -> Result<bool, StoreError> {
        let driver = self.clone();
        let taken = self.take_up_readable().await;
        match &taken {
            Ok(_) => {}
            Err(error) if error.is_lasting() => {
                driver.store.put_off(driver.id, &driver.holder, tried_again(now())).await?;
            }
            // It may have the lease, and nobody knows its name.
            Err(_) => drop(driver.store.release(driver.id, &driver.holder, Some(now())).await),
        }
        taken
    }

    async fn take_up_readable(self) -> Result<bool, StoreError> {
        let Some(lease) = self.lease(None).await? else { return Ok(false) };
        let Some((run, last)) = load::to_drive(&self.store, lease.whose).await? else {
            self.store.release(self.id, &self.holder, None).await?;
            return Ok(false);
        };
        let first = run.told_of_policies();
        drop(self.begin((run, last), lease, first, None));
        Ok(true)
    }

    /// Takes up a run that was born just now.
    pub async fn take_up_born(self, run: Run, last: u64) -> Result<bool, StoreError> {
        let Some(lease) = self.lease(None).await? else { return Ok(false) };
        drop(self.begin((run, last), lease, None, None));
        Ok(true)
    }

    /// Takes up a run that was loaded just now, and tells it this, which its first step has. With a key it has one that
    /// waits from whoever waits with it: they would have it go on with another key, or without any.
    pub async fn take_up_loaded(self, run: Run, last: u64, said: Said) -> Result<Told, StoreError> {
        let behind = self.api_key.as_ref().filter(|_| run.may_change_hands()).map(|_| last);
        let lease = match self.lease(behind).await? {
            Some(lease) => lease,
            // What has ended cannot be taken; whoever appends the next entry has it.
            None if run.has_ended() => {
                let whose = Whose { id: self.id, origin: None };
                let until = self.lease_from_now().1;
                Lease { until, whose, is_new: false, driven_until: Timestamp(0) }
            }
            None => return Ok(Told::NoLease),
        };
        // What is asked for holds once it is in the journal.
        Ok(match self.begin((run, last), lease, None, Some(said)).await {
            Ok(Written::Yes) => Told::Yes,
            Ok(Written::Lost) => Told::Outrun,
            Ok(Written::Failed | Written::Unheard) | Err(oneshot::Canceled) => Told::Unwritten,
        })
    }

    /// Drives in the background; what comes of the first write can be waited for.
    fn begin(
        self,
        (run, last): (Run, u64),
        lease: Lease,
        told_first: Option<RunInput>,
        said: Option<Said>,
    ) -> oneshot::Receiver<Written> {
        let (first, receiver) = oneshot::channel();
        wit_bindgen::spawn(async move {
            let limits = self.limits_of(&run, said.as_ref().map(|(input, _)| input));
            let slice = Slice::new(run, last, limits, lease.until, now());
            let mut slice = slice.driven_until(lease.driven_until);
            if lease.is_new {
                slice = slice.of_new();
            }
            told_first.into_iter().for_each(|input| slice.told_first(input));
            match said {
                Some((input, Some(name))) => slice.said(name, input),
                Some((input, None)) => slice.happened(input),
                None => {}
            }
            let left = self.run(&mut slice, first).await;
            self.leave(left, slice.machine(), slice.last()).await;
        });
        receiver
    }

    /// Who has a key that no other has waits longer with it.
    fn limits_of(&self, run: &Run, said: Option<&RunInput>) -> SliceLimits {
        let is_used = run.needs_key_after(said);
        let is_kept = self.api_key.is_some() && is_used;
        SliceLimits { wait_ms: if is_kept { KEPT_WAIT_MS } else { SHORT_WAIT_MS }, ..self.limits }
    }

    async fn run(&self, slice: &mut Slice<Run>, first: oneshot::Sender<Written>) -> Leave {
        let mut first = Some(first);
        let mut under_way = UnderWay::new();
        let mut armed: Option<Timestamp> = None;
        let mut tried = None;
        loop {
            let at = now();
            while let Some(command) = slice.poll(at) {
                let left = self.obey(command, slice.machine(), (&mut under_way, &mut tried), at);
                if let Some(left) = left {
                    return left;
                }
            }
            let wake = slice.wake_at(at);
            if armed.is_none_or(|armed| armed <= at || armed > wake) {
                armed = Some(wake);
                let wait = Duration::from_millis(wake.since(at).max(1));
                under_way.push(async move {
                    clock::sleep(wait).await;
                    Happening::Woke
                });
            }
            match under_way.next().await {
                Some(Happening::Woke) | None => armed = None,
                Some(happening) => happened(happening, slice, &mut under_way, &mut first),
            }
        }
    }

    /// Begins what a slice asks for; gives why it leaves, if it does. `tried` is the entry that was written last.
    fn obey(
        &self,
        command: Command,
        run: &Run,
        (under_way, tried): (&mut UnderWay<Happening>, &mut Option<u64>),
        at: Timestamp,
    ) -> Option<Leave> {
        match command {
            SliceCommand::Leave(left) => return Some(left),
            SliceCommand::Write(append) => {
                let again = tried.replace(append.n) == Some(append.n);
                under_way.push(self.write(append, again, run, at));
            }
            SliceCommand::Begin(effects) => {
                for effect in effects {
                    under_way.begin(effect.ticket, self.perform(effect, run));
                }
            }
            SliceCommand::Look => under_way.push(self.look()),
            SliceCommand::Enter => under_way.push(self.enter()),
            SliceCommand::Renew(until) => under_way.push(self.renew(until)),
            SliceCommand::Reload => under_way.push(self.reload(run)),
        }
        None
    }

    fn write(&self, append: Append_, again: bool, run: &Run, at: Timestamp) -> Work {
        let step = run.step(self.id, self.holder.clone(), append, at);
        let store = self.store.clone();
        Box::pin(async move {
            Happening::Written(match store.step(step.clone()).await {
                Ok(()) => Written::Yes,
                Err(StepError::Refused(refusal)) => {
                    let position = if again { store.position(step.run).await } else { Ok(None) };
                    match (position, refusal) {
                        (Ok(Some(position)), _) if step.is_in(&position) => Written::Yes,
                        (Ok(_), Refusal::Unheard) => Written::Unheard,
                        (Ok(_), Refusal::Lost) => Written::Lost,
                        (Err(_), _) => Written::Failed,
                    }
                }
                Err(StepError::Failed(error)) => {
                    note(format_args!("a run's step could not be written: {error}"));
                    Written::Failed
                }
            })
        })
    }

    fn look(&self) -> Work {
        let (store, id) = (self.store.clone(), self.id);
        Box::pin(async move {
            let said = store.inbox(id).await.inspect_err(|error| {
                note(format_args!("what was left for a run could not be read: {error}"));
            });
            Happening::Looked(said.ok())
        })
    }

    /// Keeps the run without a step.
    fn renew(&self, until: Timestamp) -> Work {
        let (store, id, holder) = (self.store.clone(), self.id, self.holder.clone());
        Box::pin(async move {
            // Whoever has it is within any bound.
            Happening::Renewed(match store.take(id, &holder, (now(), until), 0, None).await {
                Ok(Some(_)) => Written::Yes,
                Ok(None) => Written::Lost,
                Err(_) => Written::Failed,
            })
        })
    }

    /// The run as its journal has it.
    fn reload(&self, run: &Run) -> Work {
        let store = self.store.clone();
        let whose = Whose { id: self.id, origin: run.brief().origin };
        Box::pin(async move {
            let read = load::to_drive(&store, whose).await.unwrap_or_else(|error| {
                note(format_args!("a run could not be read anew: {error}"));
                None
            });
            Happening::Reloaded(read.map(|(run, last)| (Box::new(run), last)))
        })
    }

    /// Asks whether a run that has waited may go on.
    fn enter(&self) -> Work {
        let (store, id) = (self.store.clone(), self.id);
        Box::pin(async move {
            let most = most_driven().await;
            let is_room = store.is_room(id, now(), most).await.unwrap_or(false);
            Happening::Entered(is_room)
        })
    }

    fn perform(&self, effect: Effect, run: &Run) -> Work {
        let Effect { ticket, id, timeout_ms, what, reuse, .. } = effect;
        let limit = Duration::from_millis(timeout_ms);
        match what {
            What::Errand(errand) => {
                let found = self.found_again(ticket, reuse);
                let (store, run) = (self.store.clone(), (self.id, run.brief().operator_keys));
                Box::pin(async move {
                    if let Some(found) = found.await {
                        return Happening::Input(found);
                    }
                    let limit = if errand.keeps_time() { limit + GRACE } else { limit };
                    let work = errand_of(store, run, ticket, errand);
                    let outcome = match clock::within(limit, work).await {
                        Some(Input::ToolDone { outcome, .. }) => bounded(outcome),
                        _ => Outcome::failed(FailureKind::Timeout, "it did not end in time"),
                    };
                    Happening::Input(RunInput::Tool { ticket, outcome, reused: None })
                })
            }
            What::Model { request, .. } => {
                let credential = self.credential(&request.model.to_string(), run);
                // The same effect has the same name, whoever performs it.
                let name = format!("{}/{id}", self.id);
                let retries = run.brief().knobs.retry_policy;
                Box::pin(async move {
                    let Some(credential) = credential else {
                        let message = "the caller's key for this model is gone".to_owned();
                        let result = Err(ChatError::MissingKey { message });
                        return Happening::Input(RunInput::Model { ticket, result });
                    };
                    let repeats = (retries, name);
                    let call =
                        effects::call_model_of_run(ticket, *request, credential, repeats, limit);
                    Happening::Heard(Listening::new(ticket, call, limit).next().await)
                })
            }
        }
    }

    /// What another run of the caller's found. One that cannot be had is searched for.
    fn found_again(
        &self,
        ticket: Ticket,
        reuse: Option<Reuse>,
    ) -> impl Future<Output = Option<RunInput>> + use<> {
        let (store, id) = (self.store.clone(), self.id);
        async move {
            let found = store.searched(id, &reuse?, now()).await.unwrap_or_else(|error| {
                note(format_args!("no other run was asked for a search: {error}"));
                None
            });
            RunInput::found_again(ticket, found?)
        }
    }

    /// Who pays for this model; none: the caller's key, which is not here.
    fn credential(&self, model: &str, run: &Run) -> Option<Credential> {
        match (run.brief().is_paid_by_caller(model), &self.api_key) {
            (false, _) => Some(Credential::Operator),
            (true, Some(key)) => Some(Credential::Caller(key.clone())),
            (true, None) => None,
        }
    }
}

/// Tells a slice what happened, and what came of the first write to whoever waits for that.
fn happened(
    happening: Happening,
    slice: &mut Slice<Run>,
    under_way: &mut UnderWay<Happening>,
    first: &mut Option<oneshot::Sender<Written>>,
) {
    match happening {
        Happening::Input(input) | Happening::Heard(Heard::Ended(input)) => slice.happened(input),
        Happening::Heard(Heard::Words(input, rest)) => {
            slice.happened(input);
            let ticket = rest.ticket();
            under_way.go_on(ticket, async { Happening::Heard(rest.next().await) });
        }
        Happening::Written(written) => {
            slice.written(written, now());
            if written == Written::Yes {
                // What the run has given up is billed as long as anybody waits for it. Only now: a step that is refused has
                // given up nothing.
                under_way.keep(|ticket| slice.machine().is_under_way(ticket));
            }
            if !matches!(written, Written::Failed | Written::Unheard)
                && let Some(first) = first.take()
            {
                // Nobody may wait for it.
                _ = first.send(written);
            }
        }
        Happening::Looked(said) => {
            let at = now();
            let hears = |it: Waiting| {
                let input = slice.machine().hears(it.body.as_deref(), at);
                (it.id, input)
            };
            let said = said.map(|said| said.into_iter().map(hears).collect());
            slice.looked(said, at);
        }
        Happening::Entered(is_room) => slice.entered(is_room, now()),
        Happening::Renewed(renewed) => slice.renewed(renewed, now()),
        Happening::Reloaded(read) => {
            slice.reloaded(read.map(|(run, last)| (*run, last)), now());
        }
        Happening::Woke => {}
    }
}

/// Does an errand of a run. Documents are those of whoever the run belongs to; who that is stands in its record, and
/// where that cannot be read nobody's are searched.
async fn errand_of(
    store: RunStore,
    (run, operator_keys): (RunId, bool),
    ticket: Ticket,
    errand: Errand,
) -> Input {
    let whose = match &errand {
        Errand::SearchKnowledge(_) => match store.record(run).await {
            Ok(Some(record)) => effects::Whose { email: record.caller, operator_keys },
            Ok(None) | Err(_) => {
                let why = "whose documents to search could not be read";
                let outcome = Outcome::failed(FailureKind::Unavailable, why);
                return Input::ToolDone { ticket, outcome };
            }
        },
        Errand::Search { .. } | Errand::ReadPage { .. } | Errand::RunProgram { .. } => {
            effects::Whose::default()
        }
    };
    effects::run_errand(ticket, errand, whose).await
}
