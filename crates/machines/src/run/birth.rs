//! How a run comes to be: by itself, or out of the first entries of another; and how its journal is folded.

use super::{Brief, Run, RunInput, RunReaction};
use quarry_events::run::{Event, RunRecord, RunStatus};
use quarry_journal::run::{Birth, Checkpoint, Idempotency, MOST_BYTES, Origin, Pack, Position};
use quarry_types::{Json, RunId, Timestamp};

/// Whose journal is folded. What is not in its entries: those of a fork begin with its origin's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Whose {
    /// The run.
    pub id: RunId,
    /// The run that it shares its first entries with.
    pub origin: Option<RunId>,
}

/// A journal whose first entry does not say what was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("it does not say what was asked for, as a run's first entry does")]
pub struct NotAsked;

/// A journal that is not to be gone on with under these rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum OtherRules {
    /// They tell it otherwise than whoever drove the run: what it tells next would stand where other events stand already.
    #[error(
        "the run has told {kept} events, and the rules of this server tell {told} of its journal: it was driven under \
         other rules, and cannot go on here. Drive it with the Quarry that began it, or fork it: a fork is told by this \
         one's rules. It can be deleted as it is"
    )]
    Told {
        /// Events that are kept of it.
        kept: u64,
        /// Events that follow from its journal.
        told: u64,
    },
    /// They are older than those that it was begun under, and do not know what came since.
    #[error(
        "the run was begun by a newer Quarry, under revision {begun} of its rules, and this server knows {known} of them: \
         it cannot go on here, nor be forked. Use that Quarry, or a newer one. What is kept of it can be read here, and it \
         can be deleted as it is"
    )]
    Newer {
        /// The revision that it was begun under.
        begun: u32,
        /// The newest that is known here.
        known: u32,
    },
}

/// Milliseconds for which a run is its creator's to begin, where they have its key.
const HEAD_START_MS: u64 = 5_000;

/// A run as it is created: whose it is, and the key that its request came with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Owner {
    /// Whose; none: whoever knows the id.
    pub caller: Option<String>,
    /// The key.
    pub key: Option<Idempotency>,
}

impl Run {
    /// Takes the next entry of a journal in, and gives what the run told of it.
    ///
    /// # Errors
    /// [`NotAsked`] when it is the first and does not say what was asked for.
    pub fn fold(
        run: &mut Option<Run>,
        whose: Whose,
        input: RunInput,
        at: Timestamp,
    ) -> Result<Vec<Event>, NotAsked> {
        let RunReaction { events, .. } = match (run.as_mut(), input) {
            (Some(run), input) => run.handle(input, at),
            (None, RunInput::Asked { brief }) => {
                let Whose { id, origin } = whose;
                let (begun, reaction) = Run::new(Brief { id, origin, ..*brief }, at);
                *run = Some(begun);
                reaction
            }
            (None, _) => return Err(NotAsked),
        };
        Ok(events)
    }

    /// Whether the run, folded up to this entry, can be gone on with where it stands.
    ///
    /// # Errors
    /// [`OtherRules`] when it was begun under newer ones, or has told something else than follows from its journal.
    pub fn goes_on_at(&self, last: u64, stands: &Position) -> Result<(), OtherRules> {
        self.is_known()?;
        let told = self.sequence();
        // Where it was gone on with meanwhile there is nothing to compare.
        if stands.n != last || stands.sequence == told {
            return Ok(());
        }
        Err(OtherRules::Told { kept: stands.sequence, told })
    }

    /// Whether these rules are those that it was begun under, or newer ones.
    ///
    /// # Errors
    /// [`OtherRules::Newer`] when they are older: what it does is not theirs to say.
    pub const fn is_known(&self) -> Result<(), OtherRules> {
        let (begun, known) = (self.brief.revision, Brief::REVISION);
        if begun > known { Err(OtherRules::Newer { begun, known }) } else { Ok(()) }
    }

    /// A run that is asked for, and what is written to create it.
    #[must_use]
    pub fn created(brief: Brief, owner: Owner, now: Timestamp) -> (Run, Birth) {
        let asked = RunInput::Asked { brief: Box::new(brief.clone()) };
        let (run, reaction) = Run::new(brief, now);
        let told = reaction.events.into_iter().map(|event| (1, event)).collect();
        let birth = run.birth(owner, None, (&asked, told), now);
        (run, birth)
    }

    /// A run that goes on from where another was, and what is written to create it: this run is the other, folded
    /// as the new one's up to that entry, with all that it told on the way and the entries of which it told it.
    #[must_use]
    pub fn forked(
        mut self,
        from: Origin,
        mut told: Vec<(u64, Event)>,
        (forked, owner): (RunInput, Owner),
        now: Timestamp,
    ) -> (Run, Birth) {
        let own = self.handle(forked.clone(), now).events;
        told.extend(own.into_iter().map(|event| (from.n + 1, event)));
        let birth = self.birth(owner, Some(from), (&forked, told), now);
        (self, birth)
    }

    /// Where it stands until somebody drives it.
    #[must_use]
    pub fn first_status(&self) -> RunStatus {
        match self.status() {
            RunStatus::Running => RunStatus::Queued,
            other => other,
        }
    }

    /// The state that it begins with, which its first events may tell of. One that is more than a statement carries,
    /// of a fork, is folded once more by whoever drives it first.
    fn first_state(&self) -> Option<Checkpoint> {
        let state = serde_json::to_string(self).ok()?;
        (state.len() <= MOST_BYTES).then(|| Run::FORMAT.seal(state))
    }

    /// From when on anybody may drive it. A caller's own key is with whoever creates the run and nowhere else, so nobody
    /// takes it from them before they had the time to begin.
    fn first_due(&self, now: Timestamp) -> Timestamp {
        let head_start = if self.brief.paid_by_caller.is_empty() { 0 } else { HEAD_START_MS };
        Timestamp(now.0.saturating_add(head_start))
    }

    fn birth(
        &self,
        owner: Owner,
        origin: Option<Origin>,
        (input, events): (&RunInput, Vec<(u64, Event)>),
        now: Timestamp,
    ) -> Birth {
        let mut entries = Pack::default();
        entries.push(now, input.kind(), Json::of(input));
        Birth {
            run: self.brief.id,
            caller: owner.caller,
            // Until somebody drives it; what cannot begin waits already.
            status: self.first_status(),
            task: self.brief.task.clone(),
            model: self.brief.models.name(),
            now,
            due_at: self.due_at(now).map(|due| due.max(self.first_due(now))),
            key: owner.key.map(|key| (key.key, key.asked)),
            summary: Json::of(&RunRecord { status: self.first_status(), ..self.listed(now) }),
            origin,
            entries,
            events,
            checkpoint: self.first_state(),
        }
    }
}
