//! Steps that were refused, because persons had said something that they leave out.

use super::*;

#[test]
fn a_step_that_was_not_heard_is_made_anew_behind_what_was_said() {
    let machine = Counter::to(3);
    let mut slice = slice(machine.clone(), 1).of_new();
    slice.happened(Input::One);
    let Some(SliceCommand::Write(append)) = slice.poll(at(0)) else { panic!("nothing") };
    assert_eq!((append.n, append.entries.len(), append.parts), (2, 2, None));
    slice.written(Written::Unheard, at(1));
    // Meanwhile more happens.
    slice.happened(Input::Clock);
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Reload));
    assert_eq!(slice.poll(at(1)), None, "once");
    slice.reloaded(None, at(2));
    assert_eq!(slice.poll(at(2)), None, "a store that fails is left alone for a while");
    let again = slice.wake_at(at(2));
    assert!(again > at(2) && again <= at(1_002));
    assert_eq!(slice.poll(again), Some(SliceCommand::Reload));
    slice.reloaded(Some((machine, 1)), again);
    assert_eq!(slice.poll(again), Some(SliceCommand::Look));
    assert_eq!(slice.poll(again), None, "nothing is written before it has looked");
    slice.looked(Some(vec![("a".to_owned(), Input::TakenUp)]), again);
    let Some(SliceCommand::Write(append)) = slice.poll(again) else { panic!("nothing") };
    let inputs: Vec<Input> = append.entries.into_iter().map(|(_, input)| input).collect();
    assert_eq!(inputs, [Input::TakenUp, Input::One, Input::Clock, Input::Begun]);
    assert_eq!((append.n, append.inbox, append.parts), (2, vec!["a".to_owned()], None));
    // It is not heard a second time, and its name goes with the next try.
    slice.written(Written::Unheard, again);
    assert_eq!(slice.poll(again), Some(SliceCommand::Reload));
    slice.reloaded(Some((Counter::to(3), 1)), again);
    assert_eq!(slice.poll(again), Some(SliceCommand::Look));
    let both = [("a", Input::TakenUp), ("b", Input::Stop)];
    slice.looked(Some(both.map(|(id, it)| (id.to_owned(), it)).into()), again);
    let Some(SliceCommand::Write(append)) = slice.poll(again) else { panic!("nothing") };
    assert_eq!((append.entries.len(), append.inbox), (4, vec!["a".to_owned(), "b".to_owned()]));
    // Who finds that somebody else went on with the run leaves.
    slice.written(Written::Unheard, again);
    assert_eq!(slice.poll(again), Some(SliceCommand::Reload));
    slice.reloaded(Some((Counter::to(3), 2)), again);
    assert_eq!(slice.poll(again), Some(SliceCommand::Leave(Leave::Lost)));
}

/// What is paid for is on the record, though the end that it came before was refused meanwhile.
#[test]
fn what_came_while_an_end_was_refused_is_taken_in_before_it() {
    let machine = Counter { begun: true, due: false, ..Counter::to(3) };
    let mut slice = slice(machine.clone(), 1);
    slice.opening.clear();
    slice.looked(Some(vec![("a".to_owned(), Input::Stop)]), at(0));
    assert_eq!(entries(slice.poll(at(0))).1, [Input::Stop]);
    slice.written(Written::Unheard, at(1));
    slice.happened(Input::One);
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Reload));
    slice.reloaded(Some((machine, 1)), at(2));
    assert_eq!(slice.poll(at(2)), Some(SliceCommand::Look));
    slice.looked(Some(vec![("b".to_owned(), Input::Clock)]), at(3));
    let (_, again, events) = entries(slice.poll(at(3)));
    assert_eq!(again, [Input::Clock, Input::One, Input::Stop]);
    assert_eq!(events, ["1"]);
}

/// A person who says one thing after the other is heard in that order, whatever was refused in between.
#[test]
fn words_of_a_step_that_was_refused_come_before_what_was_said_later() {
    let mut slice = slice(Counter::to(3), 1);
    slice.looked(Some(vec![("a".to_owned(), Input::TakenUp)]), at(0));
    assert_eq!(entries(slice.poll(at(0))).1, [Input::TakenUp, Input::Begun]);
    slice.written(Written::Unheard, at(1));
    slice.happened(Input::One);
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Reload));
    slice.reloaded(Some((Counter::to(3), 1)), at(2));
    assert_eq!(slice.poll(at(2)), Some(SliceCommand::Look));
    let both = [("a", Input::TakenUp), ("b", Input::Clock)];
    slice.looked(Some(both.map(|(id, it)| (id.to_owned(), it)).into()), at(3));
    let again = entries(slice.poll(at(3))).1;
    assert_eq!(again, [Input::TakenUp, Input::Clock, Input::One, Input::Begun]);
}

/// Who has a run go on by what they left is heard where it lies, and not behind what was said later.
#[test]
fn what_opens_a_slice_is_heard_where_it_lies_whatever_was_refused_in_between() {
    let mut slice = slice(Counter::to(3), 1);
    slice.said("b".to_owned(), Input::One);
    assert_eq!(slice.poll(at(0)), Some(SliceCommand::Look));
    assert_eq!(slice.poll(at(0)), None, "nothing is written before");
    let said = |names: &[&str]| {
        let all = [("a", Input::Clock), ("b", Input::Stale), ("c", Input::TakenUp)];
        let said = all.into_iter().filter(|(name, _)| names.contains(name));
        Some(said.map(|(name, input)| (name.to_owned(), input)).collect())
    };
    slice.looked(said(&["a", "b"]), at(1));
    let told = entries(slice.poll(at(1))).1;
    assert_eq!(told, [Input::Clock, Input::One, Input::Begun]);
    slice.written(Written::Unheard, at(2));
    assert_eq!(slice.poll(at(2)), Some(SliceCommand::Reload));
    slice.reloaded(Some((Counter::to(3), 1)), at(3));
    assert_eq!(slice.poll(at(3)), Some(SliceCommand::Look));
    slice.looked(said(&["a", "b", "c"]), at(4));
    let Some(SliceCommand::Write(append)) = slice.poll(at(4)) else { panic!("nothing") };
    let told: Vec<Input> = append.entries.into_iter().map(|(_, input)| input).collect();
    assert_eq!(told, [Input::Clock, Input::One, Input::TakenUp, Input::Begun]);
    assert_eq!(append.inbox, ["a", "b", "c"].map(str::to_owned));
}

/// A slice whose first step was refused, and that has read its machine anew and found this.
fn refused(mut slice: Slice<Counter>, machine: Counter, said: &[Input]) -> Slice<Counter> {
    assert!(matches!(slice.poll(at(0)), Some(SliceCommand::Write(_))));
    slice.written(Written::Unheard, at(1));
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Reload));
    slice.reloaded(Some((machine, 1)), at(2));
    assert_eq!(slice.poll(at(2)), Some(SliceCommand::Look));
    let said = said.iter().enumerate().map(|(nth, input)| (nth.to_string(), input.clone()));
    slice.looked(Some(said.collect()), at(3));
    slice
}

#[test]
fn what_is_told_first_stays_before_what_was_said() {
    let machine = Counter { begun: true, due: false, ..Counter::to(3) };
    let mut slice = slice(machine.clone(), 1);
    slice.happened(Input::One);
    let mut slice = refused(slice, machine, &[Input::Clock]);
    let again = entries(slice.poll(at(3)));
    assert_eq!(again.1, [Input::TakenUp, Input::Clock, Input::One, Input::Begun]);
}

#[test]
fn a_look_that_comes_late_has_nothing_heard_twice() {
    let mut slice = slice(Counter::to(3), 1);
    slice.looked = Timestamp(0);
    assert_eq!(slice.poll(at(0)), Some(SliceCommand::Look));
    let mut slice = refused(slice, Counter::to(3), &[Input::Clock]);
    assert_eq!(entries(slice.poll(at(3))).1, [Input::Clock, Input::Begun]);
    let said = || Some(vec![("0".to_owned(), Input::Clock)]);
    slice.looked(said(), at(3));
    slice.written(Written::Yes, at(4));
    assert!(matches!(slice.poll(at(4)), Some(SliceCommand::Begin(_))));
    assert_eq!(slice.poll(at(4)), Some(SliceCommand::Look), "it could not be heard meanwhile");
    assert_eq!(slice.poll(at(4)), None);
    // The first look, at last. Whatever lies there is taken out.
    slice.looked(said(), at(5));
    let Some(SliceCommand::Write(append)) = slice.poll(at(5)) else { panic!("nothing") };
    assert_eq!((append.n, append.entries, append.inbox), (4, vec![], vec!["0".to_owned()]));
}

/// What words come to is told by how the machine stands, and it is ahead of a step that may be refused.
#[test]
fn what_is_found_while_a_step_is_written_is_heard_as_the_run_stands_behind_it() {
    let found = |input| Some(vec![("a".to_owned(), input)]);
    for written in [Written::Yes, Written::Unheard] {
        let mut slice = slice(Counter::to(3), 1);
        slice.looked = Timestamp(0);
        assert_eq!(slice.poll(at(0)), Some(SliceCommand::Look));
        assert_eq!(entries(slice.poll(at(0))).1, [Input::Begun]);
        slice.looked(found(Input::Clock), at(1));
        slice.written(written, at(2));
        match written {
            Written::Yes => assert_eq!(slice.poll(at(2)), Some(SliceCommand::Begin(vec![1]))),
            _ => {
                assert_eq!(slice.poll(at(2)), Some(SliceCommand::Reload));
                slice.looked(found(Input::Clock), at(2));
                slice.reloaded(Some((Counter::to(3), 1)), at(2));
            }
        }
        slice.happened(Input::TakenUp);
        assert_eq!(slice.poll(at(2)), Some(SliceCommand::Look));
        assert_eq!(slice.poll(at(2)), None, "nothing is written before");
        slice.looked(found(Input::One), at(3));
        let told = entries(slice.poll(at(3))).1;
        assert_eq!(told[..2], [Input::One, Input::TakenUp], "{written:?}");
    }
}

#[test]
fn who_cannot_look_does_not_write_what_was_refused_and_leaves_in_the_end() {
    let mut slice = refused(slice(Counter::to(3), 1), Counter::to(3), &[]);
    assert!(matches!(slice.poll(at(3)), Some(SliceCommand::Write(_))));
    slice.written(Written::Unheard, at(4));
    assert_eq!(slice.poll(at(4)), Some(SliceCommand::Reload));
    slice.reloaded(Some((Counter::to(3), 1)), at(5));
    assert_eq!(slice.poll(at(5)), Some(SliceCommand::Look));
    let mut now = 5;
    loop {
        slice.looked(None, at(now));
        match slice.poll(at(now)) {
            Some(SliceCommand::Leave(left)) => break assert_eq!(left, Leave::StoreFails),
            // Its lease cannot be renewed either.
            Some(SliceCommand::Renew(_)) => slice.renewed(Written::Failed, at(now)),
            waits => assert_eq!(waits, None),
        }
        now += 1_000;
        assert_eq!(slice.wake_at(at(now - 1)), at(now), "it does not look without end");
        assert_eq!(slice.poll(at(now)), Some(SliceCommand::Look));
        assert!(now < 120_000);
    }
}

#[test]
fn a_slice_whose_steps_are_refused_for_long_has_begun_nothing_and_is_not_handed_over() {
    let mut slice = slice(Counter::to(3), 1);
    assert!(matches!(slice.poll(at(0)), Some(SliceCommand::Write(_))));
    slice.written(Written::Unheard, at(1));
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Reload));
    slice.reloaded(Some((Counter::to(3), 1)), at(25_000));
    assert_eq!(slice.poll(at(25_000)), Some(SliceCommand::Look));
    slice.looked(Some(Vec::new()), at(25_000));
    assert_eq!(entries(slice.poll(at(25_000))).1, [Input::Begun]);
}

#[test]
fn a_run_whose_step_was_refused_stays_its_drivers_while_the_machine_is_read_anew() {
    let mut slice = slice(Counter::to(3), 1);
    assert!(matches!(slice.poll(at(0)), Some(SliceCommand::Write(_))));
    slice.written(Written::Unheard, at(1));
    assert_eq!(slice.poll(at(1)), Some(SliceCommand::Reload));
    // The journal is long, and the lease lasts until 15 s.
    assert_eq!(slice.poll(at(9_999)), None);
    assert!(slice.wake_at(at(9_999)) <= at(10_999), "it looks at its lease meanwhile");
    assert_eq!(slice.poll(at(10_000)), Some(SliceCommand::Renew(at(25_000))));
    assert_eq!(slice.poll(at(10_001)), None, "once");
    slice.renewed(Written::Failed, at(10_002));
    assert_eq!(slice.poll(at(11_000)), None);
    assert_eq!(slice.poll(at(11_002)), Some(SliceCommand::Renew(at(26_002))));
    slice.renewed(Written::Yes, at(11_003));
    assert_eq!(slice.poll(at(20_000)), None, "it is its own for long enough");
    slice.reloaded(Some((Counter::to(3), 1)), at(20_500));
    // So it is while it cannot look.
    assert_eq!(slice.poll(at(20_500)), Some(SliceCommand::Look));
    slice.looked(None, at(20_501));
    assert_eq!(slice.poll(at(21_400)), Some(SliceCommand::Renew(at(36_400))));
    slice.renewed(Written::Lost, at(21_401));
    assert_eq!(slice.poll(at(21_401)), Some(SliceCommand::Leave(Leave::Lost)));
}
