//! Drives runs as the orchestrator does, on virtual time, and lets drivers die.

use crate::asked::owner;
pub use crate::asked::{brief, with_models};
use crate::driver::Live;
use crate::models::Script;
pub use crate::plan::{Passing, Performed, Plan};
use crate::store::Store;
use crate::waits::with_key;
use crate::world::{Web, hash};
use quarry_events::run::{Event, RunStatus};
use quarry_journal::{KEPT_WAIT_MS, Leave, SHORT_WAIT_MS, Slice, SliceLimits};
use quarry_machines::core::Budget;
use quarry_machines::run::{Brief, GoesOn, Refused, Resumption, Run, RunInput, policy};
use quarry_types::{Knobs, RunId, Timestamp};

/// 2026-11-22, 18:30.
pub const START: Timestamp = Timestamp(1_795_372_200_000);
pub const LIMITS: SliceLimits =
    SliceLimits { slice_ms: 20_000, lease_ms: 15_000, wait_ms: SHORT_WAIT_MS };

/// Turns after which a run counts as one that never ends.
const MOST_TURNS: usize = 60_000;

/// A world with one run in it.
pub struct Sim {
    pub id: RunId,
    pub now: Timestamp,
    pub store: Store,
    pub web: Web,
    /// Whether one's documents are ranked by their words alone: nobody pays for the vector of a question.
    pub by_words: bool,
    pub script: Script,
    pub plan: Plan,
    pub points: u64,
    pub performed: Vec<Performed>,
    /// Every state that was kept, with its entry.
    pub kept: Vec<(RunId, u64, String)>,
    /// Whether drivers have the caller's key.
    pub has_key: bool,
    /// Whether drivers are of the version that began the run, whatever that says of its policies.
    pub is_old: bool,
    pub lefts: Vec<Leave>,
    /// What the database said that had no room for a step.
    pub fulls: Vec<String>,
    /// The longest that a driver lived.
    pub longest_ms: u64,
    /// How long a model takes to reply.
    pub model_ms: u64,
    /// How long the errand with this id takes.
    pub errand_ms: Box<dyn Fn(&str) -> u64>,
    /// How long nobody drove the run, and how long whoever died had not been seen to.
    pub undriven: (u64, u64),
    /// When the last driver died, and was seen last.
    died: Option<(Timestamp, Timestamp)>,
    /// What was said as planned, while the run had not ended, and the last entry of its journal then.
    pub heard: Vec<(RunInput, u64)>,
    /// What was promised as planned.
    pub promised: Vec<Resumption>,
    pub limits: SliceLimits,
    /// Runs that may be driven at once; 0: any number.
    pub most_driven: u64,
    /// Who took the run with a key of their own, and when.
    pub rekeyed: Vec<(String, Timestamp)>,
    /// Drivers that died, and that others took the run from, or that left it because their store failed.
    pub deaths: usize,
    pub taken: usize,
    drivers: usize,
    pub happenings: usize,
}

impl Sim {
    /// A run that was just asked for.
    pub fn new(brief: Brief, script: Script, web: Web) -> Self {
        Sim::of(None, brief, script, web)
    }

    /// The same of a caller with a name.
    pub fn of(caller: Option<&str>, brief: Brief, script: Script, web: Web) -> Self {
        let store = Store::new();
        let (id, now) = (brief.id, START);
        let (run, birth) = Run::created(brief, owner(caller), now);
        store.create(birth);
        Sim {
            id,
            now,
            store,
            web,
            by_words: false,
            script,
            plan: Plan::default(),
            points: 0,
            performed: Vec::new(),
            kept: vec![(id, 1, serde_json::to_string(&run).unwrap())],
            has_key: true,
            is_old: false,
            lefts: Vec::new(),
            fulls: Vec::new(),
            longest_ms: 0,
            model_ms: 1_500,
            errand_ms: Box::new(|id| 100 + hash(id) % 400),
            undriven: (0, 0),
            died: None,
            heard: Vec::new(),
            promised: Vec::new(),
            limits: LIMITS,
            most_driven: 0,
            rekeyed: Vec::new(),
            deaths: 0,
            taken: 0,
            drivers: 0,
            happenings: 0,
        }
    }

    /// Asks for another run, which is driven from here on. Its model begins anew.
    pub fn another(&mut self, caller: Option<&str>, brief: Brief, script: Script) {
        (self.id, self.script) = (brief.id, script);
        self.performed.clear();
        let (run, birth) = Run::created(brief, owner(caller), self.now);
        self.kept.push((self.id, 1, serde_json::to_string(&run).unwrap()));
        self.store.create(birth);
    }

    pub fn run(&self) -> Run {
        self.store.load(self.id, u64::MAX).0
    }

    pub fn events(&self) -> Vec<Event> {
        self.store.events(self.id)
    }

    /// The point at which the first call for this purpose was made.
    pub fn points_of(&self, purpose: &str) -> u64 {
        self.performed.iter().find(|it| it.id.starts_with(purpose)).unwrap().point
    }

    pub fn status(&self) -> RunStatus {
        self.store.record(self.id).status
    }

    /// Drives the run until it has ended, or waits for somebody. Whoever died is followed by another.
    pub fn drive(&mut self) {
        for _ in 0..1_000 {
            let record = self.store.record(self.id);
            if record.status.has_ended() {
                return;
            }
            if !self.store.is_due(self.id, self.now) {
                let next = record.due_at.into_iter().chain(record.until).max();
                let Some(next) = next.filter(|_| record.due_at.is_some()) else { return };
                self.now = next.max(Timestamp(self.now.0 + 1));
                continue;
            }
            let live = self.taken_up();
            self.live(live.into_iter().collect());
        }
        panic!("the run never ends: {:?}", self.lefts);
    }

    /// Lets one driver work until it leaves or dies.
    pub fn drive_until_dead(&mut self) {
        let live = self.taken_up();
        self.live(live.into_iter().collect());
    }

    /// A driver that has taken the lease.
    fn taken_up(&mut self) -> Option<Live> {
        let (holder, until) = self.holder(0);
        if !self.store.take(self.id, &holder, self.now, until) {
            return None;
        }
        if let Some((died, seen)) = self.died.take() {
            self.undriven.0 += self.now.since(died);
            self.undriven.1 += died.since(seen);
        }
        Some(self.live_of(holder, until, Vec::new()))
    }

    fn holder(&mut self, ahead: u64) -> (String, Timestamp) {
        self.drivers += 1;
        (format!("d{}", self.drivers), Timestamp(self.now.0 + ahead + self.limits.lease_ms))
    }

    fn live_of(&self, holder: String, until: Timestamp, inputs: Vec<RunInput>) -> Live {
        self.live_with(self.has_key, holder, until, inputs)
    }

    fn live_with(
        &self,
        has_key: bool,
        holder: String,
        until: Timestamp,
        inputs: Vec<RunInput>,
    ) -> Live {
        let (run, last) = self.store.load(self.id, u64::MAX);
        // Whoever resumes it says which policies are meant.
        let changed = run.told_of_policies().filter(|_| inputs.is_empty() && !self.is_old);
        let is_kept = has_key && run.needs_key_after(inputs.last());
        let wait_ms = if is_kept { KEPT_WAIT_MS } else { SHORT_WAIT_MS };
        let limits = SliceLimits { wait_ms, ..self.limits };
        let mut slice = Slice::new(run, last, limits, until, self.now)
            .driven_until(self.store.record(self.id).updated_at);
        changed.into_iter().for_each(|changed| slice.told_first(changed));
        let record = self.store.record(self.id);
        if record.updated_at == record.created_at {
            slice = slice.of_new();
        }
        inputs.into_iter().for_each(|input| slice.happened(input));
        Live::new(holder, slice, has_key, self.now)
    }

    /// Leaves something for whoever drives; false when the run has ended.
    pub fn say(&mut self, input: &RunInput) -> bool {
        self.happenings += 1;
        self.store.leave(self.id, &format!("i{}", self.happenings), self.now, input)
    }

    /// Resumes as the door does: whoever has the run, or nobody.
    pub fn resume(&mut self, knobs: Option<Knobs>, budget: Option<Budget>) {
        self.goes_on(resumed_with(knobs, budget));
    }

    /// The same with what a person wants, if the run does that.
    pub fn resume_as(&mut self, wanted: Resumption) -> Result<(), Refused> {
        match self.run().resumption(wanted, self.now)? {
            GoesOn::Told(input) => self.goes_on(*input),
            GoesOn::AsItIs => self.drive(),
        }
        Ok(())
    }

    /// Leaves it for whoever drives the run next; false where another wish lies there.
    pub fn leaves(&mut self, wanted: &Resumption) -> bool {
        self.happenings += 1;
        let (name, body) = (format!("i{}", self.happenings), wanted.left().unwrap());
        self.store.leave_as(self.id, (&name, Resumption::WISH), self.now, &body)
    }

    fn goes_on(&mut self, input: RunInput) {
        let (holder, until) = self.holder(0);
        let taken = self.store.take(self.id, &holder, self.now, until);
        assert!(taken || self.run().has_ended());
        let live = self.live_of(holder, until, vec![input]);
        self.live(vec![live]);
        self.drive();
    }

    /// Lets drivers work until each has left or died.
    fn live(&mut self, mut drivers: Vec<Live>) {
        for _ in 0..MOST_TURNS {
            let Some(at) = (0..drivers.len()).min_by_key(|at| drivers[*at].next(self.now)) else {
                return;
            };
            self.now = drivers[at].next(self.now).max(self.now);
            match self.turn(&mut drivers[at]) {
                Ok(()) => {}
                Err(left) => {
                    let live = drivers.remove(at);
                    match left {
                        Some(left) => drivers.extend(self.leave(left, &live)),
                        None => {
                            self.deaths += 1;
                            self.died = Some((self.now, self.store.record(self.id).updated_at));
                        }
                    }
                }
            }
            drivers.extend(self.rekeyed());
            let before = self.plan.rivals.len();
            let points = self.points;
            self.plan.rivals.retain(|at| *at > points);
            if self.plan.rivals.len() < before && !self.status().has_ended() {
                // Its clock is ahead, so that it takes the lease for one that ran out.
                let ahead = self.limits.lease_ms + 1;
                let (holder, until) = self.holder(ahead);
                let early = Timestamp(self.now.0 + ahead);
                // A rival before may have taken it for longer.
                if self.store.take(self.id, &holder, early, until) {
                    self.taken += 1;
                    let live = self.live_of(holder, until, Vec::new());
                    drivers.push(live);
                }
            }
        }
        panic!("the run never ends");
    }

    /// Whoever resumes the run with a key of their own, as planned: they have it from whoever waits with it.
    fn rekeyed(&mut self) -> Option<Live> {
        self.plan.rekeys.first().filter(|at| **at <= self.points)?;
        let (run, last) = self.store.load(self.id, u64::MAX);
        if !run.may_change_hands() {
            return None;
        }
        self.plan.rekeys.pop_first();
        let GoesOn::Told(told) = run.resumption(with_key(true), self.now).unwrap() else {
            panic!("it waits")
        };
        let (holder, until) = self.holder(0);
        assert!(self.store.take_behind(self.id, &holder, (self.now, until), Some(last)));
        self.rekeyed.push((holder.clone(), self.now));
        Some(self.live_with(true, holder, until, vec![*told]))
    }

    /// Lets go of the run; or hands over, with the lease and the key.
    fn leave(&mut self, left: Leave, live: &Live) -> Vec<Live> {
        self.lefts.push(left);
        self.longest_ms = self.longest_ms.max(self.now.since(live.since));
        let due = match left {
            Leave::Over => None,
            Leave::Waits { until } => until,
            Leave::HandOver => return self.hand_over(live),
            Leave::Lost => return Vec::new(),
            Leave::StoreFails => {
                self.taken += 1;
                return Vec::new();
            }
        };
        self.store.release(self.id, &live.holder, due);
        Vec::new()
    }

    /// Whoever was asked takes the lease over; and so does who asked them, if they did not hear of it.
    fn hand_over(&mut self, live: &Live) -> Vec<Live> {
        let times = if self.plan.passing == Passing::Heard { 1 } else { 2 };
        let mut drivers = Vec::new();
        for _ in 0..times {
            let (holder, until) = self.holder(0);
            let names = (live.holder.as_str(), holder.as_str());
            if self.store.take_over(self.id, names, self.now, until) {
                drivers.push(self.live_with(live.has_key, holder, until, Vec::new()));
            }
        }
        drivers
    }
}

/// What a run is told that a person has go on, with these in place of its own.
pub fn resumed_with(knobs: Option<Knobs>, budget: Option<Budget>) -> RunInput {
    RunInput::Resumed {
        by_request: true,
        knobs: knobs.map(Box::new),
        named: None,
        budget,
        policies: Some(policy::versions()),
        paid_by_caller: None,
    }
}
