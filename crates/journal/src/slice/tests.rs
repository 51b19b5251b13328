//! A driver's turn, with a machine that counts.

mod refused;

use super::*;

/// Counts to a goal: each effect brings one more.
#[derive(Debug, Clone, Default, PartialEq)]
struct Counter {
    goal: u32,
    count: u32,
    due: bool,
    begun: bool,
    lost: u32,
    stopped: bool,
    /// When its time is over.
    ends_at: Option<Timestamp>,
    waits_until: Option<Timestamp>,
    /// Whether others may find again what came.
    finds: bool,
    /// When it was last told anything; none: long ago.
    updated: Option<Timestamp>,
}

#[derive(Debug, Clone, PartialEq)]
enum Input {
    One,
    Begun,
    TakenUp,
    Clock,
    Stop,
    Stale,
}

impl Counter {
    fn to(goal: u32) -> Self {
        Counter { goal, due: true, ..Counter::default() }
    }
}

impl Driven for Counter {
    type Input = Input;
    type Effect = u32;
    type Event = String;

    fn take(&mut self, input: Input, _: Timestamp) -> Taken<String> {
        match &input {
            Input::One => {
                self.count += 1;
                self.begun = false;
                self.due = self.count < self.goal;
            }
            Input::Begun => (self.due, self.begun) = (false, true),
            Input::TakenUp => {
                self.lost += 1;
                (self.due, self.begun) = (true, false);
            }
            Input::Clock => {
                self.stopped |= self.ends_at.is_some();
                self.waits_until = None;
            }
            Input::Stop => self.stopped = true,
            Input::Stale => {}
        }
        let events = if input == Input::One { vec![self.count.to_string()] } else { Vec::new() };
        let searched = (self.finds && input == Input::One).then(|| Searched {
            intent: "sker".to_owned(),
            query: "sker".to_owned(),
            until: Timestamp(0),
            results: 6,
        });
        Taken { events, checkpoint: false, parts: BTreeSet::new(), searched }
    }

    fn due(&self) -> Vec<u32> {
        if self.due && !self.stopped && self.waits_until.is_none() {
            vec![self.count + 1]
        } else {
            Vec::new()
        }
    }

    fn has_begun(&self) -> bool {
        self.begun
    }

    fn begun(_: &[u32]) -> Input {
        Input::Begun
    }

    fn taken_up(_: Option<Timestamp>) -> Input {
        Input::TakenUp
    }

    fn clock() -> Input {
        Input::Clock
    }

    fn lets_go(input: &Input) -> bool {
        *input == Input::Stop
    }

    fn is_stale(&self, input: &Input) -> bool {
        *input == Input::Stale || (*input == Input::One && self.stopped)
    }

    fn rest(&self) -> Rest {
        if self.stopped || self.count >= self.goal {
            Rest::Over
        } else if self.waits_until.is_some() {
            Rest::Waits { until: self.waits_until }
        } else {
            Rest::Works { wake_at: self.ends_at }
        }
    }

    fn updated(&self) -> Timestamp {
        self.updated.unwrap_or(Timestamp(0))
    }
}

const LIMITS: SliceLimits =
    SliceLimits { slice_ms: 20_000, lease_ms: 15_000, wait_ms: SHORT_WAIT_MS };

type Step = Option<SliceCommand<Input, String, u32>>;

fn slice(machine: Counter, last: u64) -> Slice<Counter> {
    let mut slice = Slice::new(machine, last, LIMITS, Timestamp(25_000), Timestamp(10_000));
    slice.looked(Some(Vec::new()), Timestamp(10_000));
    slice
}

fn at(ms: u64) -> Timestamp {
    Timestamp(10_000 + ms)
}

fn entries(step: Step) -> (u64, Vec<Input>, Vec<String>) {
    let Some(SliceCommand::Write(append)) = step else { panic!("{step:?}") };
    (append.n, append.entries.into_iter().map(|(_, input)| input).collect(), append.events)
}

#[test]
fn nothing_begins_before_the_journal_says_so() {
    let mut slice = slice(Counter::to(2), 1);
    assert_eq!(entries(slice.poll(at(0))), (2, vec![Input::Begun], vec![]));
    assert_eq!(slice.poll(at(1)), None, "not before it is written");
    slice.written(Written::Yes, at(1));
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Begin(vec![1])));
    assert_eq!(slice.poll(at(1)), None);
    slice.happened(Input::One);
    let (n, inputs, events) = entries(slice.poll(at(2)));
    assert_eq!((n, inputs), (3, vec![Input::One, Input::Begun]));
    assert_eq!(events, ["1"]);
    slice.written(Written::Yes, at(2));
    assert_eq!(slice.poll(at(2)), Some(SliceCommand::Begin(vec![2])));
    slice.happened(Input::One);
    assert_eq!(entries(slice.poll(at(3))).1, [Input::One]);
    slice.written(Written::Yes, at(3));
    assert_eq!(slice.poll(at(3)), Some(SliceCommand::Leave(Leave::Over)));
}

#[test]
fn a_key_is_waited_with_and_handed_on_in_time() {
    let waits = |wait_ms, slice_ms, until| {
        let limits = SliceLimits { slice_ms, wait_ms, lease_ms: 900_000 };
        let machine = Counter { waits_until: Some(at(until)), ..Counter::to(1) };
        let mut slice = Slice::new(machine, 1, limits, at(900_000), at(0));
        slice.looked(Some(Vec::new()), at(0));
        move |ms| {
            slice.looked(Some(Vec::new()), at(ms));
            slice.poll(at(ms))
        }
    };
    let leaves = |left| Some(SliceCommand::Leave(left));
    let gone = Leave::Waits { until: Some(at(60_000)) };
    assert_eq!(waits(SHORT_WAIT_MS, 20_000, 60_000)(0), leaves(gone), "the run goes on without it");
    let mut kept = waits(KEPT_WAIT_MS, 20_000, 60_000);
    assert_eq!([kept(0), kept(19_999)], [None, None]);
    assert_eq!(kept(20_000), leaves(Leave::HandOver), "no request lasts longer than a slice");
    let mut hasty = waits(KEPT_WAIT_MS, 0, 60_000);
    assert_eq!((hasty(0), hasty(999)), (None, None), "it is not handed over without end");
    assert_eq!(hasty(1_000), leaves(Leave::HandOver));
    let gone = Leave::Waits { until: Some(at(KEPT_WAIT_MS + 1)) };
    assert_eq!(waits(KEPT_WAIT_MS, 20_000, KEPT_WAIT_MS + 1)(0), leaves(gone));
    let mut short = waits(SHORT_WAIT_MS, 5_000, 9_000);
    assert_eq!([short(0), short(5_000)], [None, None], "a short wait is no reason to let go");
}

#[test]
fn a_key_is_waited_with_when_the_clock_is_set_back_meanwhile() {
    let hour = 3_600_000;
    let noon = Timestamp(12 * hour);
    let until = Some(Timestamp(noon.0 + 300_000));
    let leaves = |wait_ms, now: Timestamp, ms| {
        let machine = Counter { waits_until: until, updated: Some(noon), ..Counter::to(1) };
        let limits = SliceLimits { wait_ms, ..LIMITS };
        let mut slice = Slice::new(machine, 1, limits, Timestamp(now.0 + 900_000), now);
        let later = Timestamp(now.0 + ms);
        slice.looked(Some(Vec::new()), later);
        slice.poll(later)
    };
    // An hour back: also for whoever it was handed on to since.
    let back = Timestamp(noon.0 - hour);
    assert_eq!(leaves(KEPT_WAIT_MS, back, 0), None);
    let handed_on = Some(SliceCommand::Leave(Leave::HandOver));
    assert_eq!(leaves(KEPT_WAIT_MS, back, 20_000), handed_on);
    // Who has nothing to lose sits no hour with a run that another can take up.
    let gone = Some(SliceCommand::Leave(Leave::Waits { until }));
    assert_eq!(leaves(SHORT_WAIT_MS, back, 0), gone);
}

/// A run whose wait is over, driven since time 0 with this patience.
fn woken(wait_ms: u64) -> Slice<Counter> {
    let limits = SliceLimits { wait_ms, lease_ms: 900_000, ..LIMITS };
    let machine = Counter { waits_until: Some(at(5_000)), ..Counter::to(1) };
    let mut slice = Slice::new(machine, 1, limits, at(900_000), at(0));
    slice.looked(Some(Vec::new()), at(0));
    assert_eq!(slice.poll(at(1)), None);
    slice.looked(Some(Vec::new()), at(5_000));
    assert_eq!(slice.poll(at(5_000)), Some(SliceCommand::Enter), "it has no place while it waits");
    assert_eq!(slice.poll(at(5_000)), None);
    slice
}

#[test]
fn a_run_whose_wait_is_over_goes_on_when_there_is_room() {
    let mut slice = woken(KEPT_WAIT_MS);
    slice.entered(false, at(5_100));
    assert_eq!(slice.poll(at(5_900)), None);
    assert!(slice.wake_at(at(5_900)) > at(5_900), "it does not ask without end");
    slice.looked(Some(Vec::new()), at(6_100));
    assert_eq!(slice.poll(at(6_100)), Some(SliceCommand::Enter));
    slice.entered(true, at(6_110));
    assert_eq!(entries(slice.poll(at(6_110))).1, [Input::Clock, Input::Begun]);
}

#[test]
fn who_finds_no_room_hands_on_what_it_alone_has_and_else_lets_go() {
    let mut kept = woken(KEPT_WAIT_MS);
    kept.entered(false, at(5_100));
    kept.looked(Some(Vec::new()), at(20_000));
    assert_eq!(kept.poll(at(20_000)), Some(SliceCommand::Enter));
    kept.entered(false, at(20_001));
    assert_eq!(kept.poll(at(20_001)), Some(SliceCommand::Leave(Leave::HandOver)));
    let mut free = woken(SHORT_WAIT_MS);
    free.entered(false, at(5_100));
    let gone = Leave::Waits { until: Some(at(5_000)) };
    assert_eq!(free.poll(at(5_100)), Some(SliceCommand::Leave(gone)));
}

#[test]
fn what_is_found_again_is_named_by_the_entry_that_it_is_in() {
    let mut slice = slice(Counter { finds: true, ..Counter::to(3) }, 7);
    slice.happened(Input::One);
    let Some(SliceCommand::Write(append)) = slice.poll(at(0)) else { panic!("nothing") };
    assert_eq!((append.n, append.entries.len()), (8, 2));
    assert_eq!(append.searches.iter().map(|(n, _)| *n).collect::<Vec<_>>(), [8]);
}

#[test]
fn what_is_told_first_comes_before_that_it_was_taken_up() {
    let machine = Counter { begun: true, ..Counter::to(2) };
    let mut slice = slice(machine, 1);
    slice.told_first(Input::Stop);
    assert_eq!(entries(slice.poll(at(0))).1, [Input::Stop, Input::TakenUp]);
}

#[test]
fn a_clock_that_was_set_back_keeps_no_slice_from_renewing_its_lease_and_handing_over() {
    let mut slice = slice(Counter::to(9), 1);
    assert!(matches!(slice.poll(at(0)), Some(SliceCommand::Write(_))));
    slice.written(Written::Yes, at(0));
    assert_eq!(slice.poll(at(0)), Some(SliceCommand::Begin(vec![1])));
    let back = |ms: u64| Timestamp(2_000 + ms);
    let poll = |slice: &mut Slice<Counter>, ms| {
        slice.looked(Some(Vec::new()), back(ms));
        slice.poll(back(ms))
    };
    assert_eq!(poll(&mut slice, 0), None);
    assert_eq!(poll(&mut slice, 9_999), None);
    let renewed = poll(&mut slice, 10_000);
    assert_eq!(entries(renewed), (3, vec![], vec![]), "others take the lease for one of 15 s");
    slice.written(Written::Yes, back(10_000));
    slice.happened(Input::One);
    assert_eq!(entries(poll(&mut slice, 20_000)).1, [Input::One], "nothing begins any more");
    slice.written(Written::Yes, back(20_000));
    assert_eq!(poll(&mut slice, 20_000), Some(SliceCommand::Leave(Leave::HandOver)));
}

#[test]
fn whoever_loses_the_place_drops_everything_and_leaves() {
    let mut slice = slice(Counter::to(2), 1);
    assert!(matches!(slice.poll(at(0)), Some(SliceCommand::Write(_))));
    slice.written(Written::Lost, at(1));
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Leave(Leave::Lost)));
}

#[test]
fn a_store_that_fails_is_tried_again_with_the_very_same() {
    let mut slice = slice(Counter::to(2), 1);
    let first = slice.poll(at(0));
    slice.written(Written::Failed, at(1));
    slice.happened(Input::One);
    assert_eq!(slice.poll(at(1)), None, "not at once");
    assert!(slice.wake_at(at(1)) <= at(1_000));
    let (Some(SliceCommand::Write(first)), Some(SliceCommand::Write(again))) =
        (first, slice.poll(at(1_000)))
    else {
        panic!("nothing")
    };
    // The run stays its driver's for as long as if it were the first try.
    assert_eq!((first.lease_until, again.lease_until), (at(15_000), at(16_000)));
    assert_eq!(Append { lease_until: first.lease_until, ..again }, first);
    let mut now = 1_000;
    while slice.poll(at(now)) != Some(SliceCommand::Leave(Leave::StoreFails)) {
        slice.written(Written::Failed, at(now));
        now += 6_000;
        assert!(now < 120_000);
    }
}

#[test]
fn what_was_under_way_with_the_driver_before_is_lost_and_said_so() {
    let machine = Counter { begun: true, due: false, ..Counter::to(2) };
    let mut slice = slice(machine, 5);
    assert_eq!(entries(slice.poll(at(0))), (6, vec![Input::TakenUp, Input::Begun], vec![]));
    assert_eq!(slice.machine().lost, 1);
}

#[test]
fn who_takes_up_what_nobody_drove_for_long_says_so_though_nothing_is_lost() {
    let opened = |machine, ms| {
        let now = Timestamp(ms);
        let mut slice = Slice::new(machine, 5, LIMITS, Timestamp(ms + 15_000), now);
        slice.looked(Some(Vec::new()), now);
        entries(slice.poll(now)).1
    };
    assert_eq!(opened(Counter::to(2), 14_999), [Input::Begun]);
    assert_eq!(opened(Counter::to(2), 15_000), [Input::TakenUp, Input::Begun]);
    // What waits stands still already.
    let mut waits = Counter { waits_until: Some(Timestamp(90_000)), ..Counter::to(2) };
    let slice = Slice::new(waits.clone(), 5, LIMITS, Timestamp(35_000), Timestamp(20_000));
    assert!(slice.opening.is_empty());
    waits.begun = true;
    let slice = Slice::new(waits, 5, LIMITS, Timestamp(35_000), Timestamp(20_000));
    assert_eq!(slice.opening, [Input::TakenUp]);
}

#[test]
fn at_the_end_of_a_slice_what_is_under_way_is_waited_for_and_nothing_begins() {
    let mut slice = slice(Counter::to(3), 1);
    slice.poll(at(0));
    slice.written(Written::Yes, at(0));
    slice.poll(at(0));
    // The lease is renewed meanwhile.
    let renewed = slice.poll(at(11_000));
    slice.looked(Some(Vec::new()), at(11_000));
    let renewal = slice.poll(at(11_000));
    assert_eq!(renewed, Some(SliceCommand::Look));
    assert_eq!(entries(renewal), (3, vec![], vec![]));
    slice.written(Written::Yes, at(11_000));
    slice.looked(Some(Vec::new()), at(20_500));
    assert_eq!(slice.poll(at(20_500)), None, "it is under way");
    slice.happened(Input::One);
    assert_eq!(entries(slice.poll(at(20_900))).1, [Input::One], "and no other begins");
    slice.written(Written::Yes, at(20_900));
    assert_eq!(slice.poll(at(20_900)), Some(SliceCommand::Leave(Leave::HandOver)));
    // Whoever goes on begins it.
    let next = slice.machine().clone();
    let mut slice = super::tests::slice(next, 4);
    assert_eq!(entries(slice.poll(at(0))), (5, vec![Input::Begun], vec![]));
}

#[test]
fn nothing_begins_whose_time_was_over_when_something_else_happened() {
    let machine = Counter { ends_at: Some(at(500)), ..Counter::to(3) };
    let mut slice = slice(machine, 1);
    assert_eq!(entries(slice.poll(at(0))).1, [Input::Begun]);
    slice.written(Written::Yes, at(1));
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Begin(vec![1])));
    slice.happened(Input::One);
    assert_eq!(entries(slice.poll(at(500))).1, [Input::One, Input::Clock]);
}

#[test]
fn what_persons_say_counts_once() {
    let mut slice = slice(Counter::to(2), 1);
    slice.poll(at(0));
    slice.written(Written::Yes, at(0));
    slice.poll(at(0));
    assert_eq!(slice.poll(at(1_000)), Some(SliceCommand::Look));
    assert_eq!(slice.poll(at(1_000)), None);
    let said = || Some(vec![("a".to_owned(), Input::Stop)]);
    slice.looked(said(), at(1_000));
    slice.looked(said(), at(1_000));
    let Some(SliceCommand::Write(append)) = slice.poll(at(1_001)) else { panic!("nothing") };
    assert_eq!((append.entries.len(), append.inbox), (1, vec!["a".to_owned()]));
    slice.written(Written::Yes, at(1_001));
    assert_eq!(slice.poll(at(1_001)), Some(SliceCommand::Leave(Leave::Over)));
}

#[test]
fn a_step_that_is_written_late_does_not_leave_the_run_to_others() {
    let mut slice = slice(Counter::to(2), 1);
    assert!(matches!(slice.poll(at(0)), Some(SliceCommand::Write(_))));
    // The store fails for longer than the lease lasts.
    slice.written(Written::Failed, at(1));
    let Some(SliceCommand::Write(again)) = slice.poll(at(20_000)) else { panic!("nothing") };
    assert_eq!(again.lease_until, at(35_000));
    // Whether this try or the one before was written is not known: the lease is renewed at once.
    slice.written(Written::Yes, at(20_010));
    assert_eq!(slice.poll(at(20_010)), Some(SliceCommand::Begin(vec![1])));
    assert_eq!(slice.poll(at(20_010)), Some(SliceCommand::Look));
    let Some(SliceCommand::Write(renewal)) = slice.poll(at(20_010)) else { panic!("nothing") };
    assert_eq!((renewal.entries.len(), renewal.lease_until), (0, at(35_010)));
}

#[test]
fn what_nothing_comes_of_is_taken_out_and_not_found_for_ever() {
    let machine = Counter { waits_until: Some(at(60_000)), ..Counter::to(1) };
    let mut slice = slice(machine, 1);
    slice.looked(Some(vec![("a".to_owned(), Input::Stale)]), at(0));
    let Some(SliceCommand::Write(append)) = slice.poll(at(0)) else { panic!("nothing") };
    assert_eq!((append.entries, append.inbox), (vec![], vec!["a".to_owned()]));
}

#[test]
fn what_came_before_an_end_is_taken_in_before_it_and_what_comes_later_is_not_written() {
    let mut slice = slice(Counter::to(3), 1);
    slice.poll(at(0));
    slice.written(Written::Yes, at(0));
    slice.poll(at(0));
    assert_eq!(slice.poll(at(1_000)), Some(SliceCommand::Look));
    // Both are known when the next step is made.
    slice.looked(Some(vec![("a".to_owned(), Input::Stop)]), at(1_000));
    slice.happened(Input::One);
    let (_, entries, told) = entries(slice.poll(at(1_001)));
    assert_eq!((entries, told), (vec![Input::One, Input::Stop], vec!["1".to_owned()]));
    // This comes while that is written.
    slice.happened(Input::One);
    slice.written(Written::Yes, at(1_002));
    assert_eq!(slice.poll(at(1_002)), Some(SliceCommand::Leave(Leave::Over)));
}
