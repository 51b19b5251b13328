//! Single flight: of all who want the same work at once one does it, and the others wait for what is told of it.
//!
//! Border: who does it, what was told, and whose bells are dropped then. What the work is, what a bell is, and for how long
//! it is waited for is decided by whoever wants it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

/// The work that is under way, by what tells one from another. `T` is told of it; a bell is a `B`.
#[derive(Debug)]
pub struct SingleFlight<K, T, B>(BTreeMap<K, Weak<Flight<T, B>>>);

#[derive(Debug)]
struct Flight<T, B> {
    told: Rc<RefCell<Option<T>>>,
    bells: RefCell<Vec<B>>,
}

/// What falls to whoever wants work done.
#[derive(Debug)]
pub enum Role<T, B> {
    /// To do it.
    Leads(Leader<T, B>),
    /// To wait for whoever does it.
    Waits(Waiter<T, B>),
}

/// Whoever does the work. However it ends, the next who wants it leads, and all bells are dropped.
#[derive(Debug)]
pub struct Leader<T, B>(Rc<Flight<T, B>>);

/// Whoever waits for it.
#[derive(Debug)]
pub struct Waiter<T, B> {
    told: Rc<RefCell<Option<T>>>,
    flight: Weak<Flight<T, B>>,
}

impl<K, T, B> Default for SingleFlight<K, T, B> {
    fn default() -> Self {
        SingleFlight(BTreeMap::new())
    }
}

impl<K: Ord, T, B> SingleFlight<K, T, B> {
    /// Waits for whoever does this work, or leads where nobody does.
    pub fn join(&mut self, key: K) -> Role<T, B> {
        self.0.retain(|_, flight| flight.strong_count() > 0);
        if let Some(flight) = self.0.get(&key).and_then(Weak::upgrade) {
            return Role::Waits(Waiter::of(&flight));
        }
        let flight = Rc::new(Flight { told: Rc::default(), bells: RefCell::default() });
        self.0.insert(key, Rc::downgrade(&flight));
        Role::Leads(Leader(flight))
    }
}

impl<T, B> Leader<T, B> {
    /// Somebody who waits for it as all others do: whoever began what goes on by itself.
    #[must_use]
    pub fn waiter(&self) -> Waiter<T, B> {
        Waiter::of(&self.0)
    }

    /// Tells those who wait, and those who come before it has ended.
    pub fn tell(&self, told: T) {
        self.0.told.replace(Some(told));
        drop(self.0.bells.take());
    }
}

impl<T, B> Waiter<T, B> {
    fn of(flight: &Rc<Flight<T, B>>) -> Self {
        Waiter { told: Rc::clone(&flight.told), flight: Rc::downgrade(flight) }
    }

    /// Leaves a bell, which is dropped at the next word of it and at its end; at once where it has ended.
    pub fn leave(&self, bell: B) {
        if let Some(flight) = self.flight.upgrade() {
            flight.bells.borrow_mut().push(bell);
        }
    }
}

impl<T: Clone, B> Waiter<T, B> {
    /// What was told of it last. None behind its end: nobody knows what came of it.
    #[must_use]
    pub fn told(&self) -> Option<T> {
        self.told.borrow().clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Work = SingleFlight<u64, &'static str, Rc<()>>;

    fn leads(work: &mut Work, key: u64) -> Leader<&'static str, Rc<()>> {
        match work.join(key) {
            Role::Leads(leader) => leader,
            Role::Waits(_) => panic!("somebody does it"),
        }
    }

    fn waits(work: &mut Work, key: u64) -> Waiter<&'static str, Rc<()>> {
        match work.join(key) {
            Role::Leads(_) => panic!("nobody does it"),
            Role::Waits(waiter) => waiter,
        }
    }

    #[test]
    fn bells_are_dropped_when_whoever_leads_is_gone_and_the_next_leads() {
        let (mut work, bell) = (Work::default(), Rc::new(()));
        let leader = leads(&mut work, 1);
        let _other = leads(&mut work, 2);
        let waiter = waits(&mut work, 1);
        for waiter in [&waiter, &waits(&mut work, 1), &leader.waiter()] {
            waiter.leave(Rc::clone(&bell));
        }
        assert_eq!(Rc::strong_count(&bell), 4);
        drop(leader);
        assert_eq!((Rc::strong_count(&bell), waiter.told()), (1, None));
        waiter.leave(Rc::clone(&bell));
        assert_eq!(Rc::strong_count(&bell), 1, "nobody is there to drop it later");
        drop(leads(&mut work, 1));
        waits(&mut work, 2);
    }

    #[test]
    fn what_is_told_is_heard_by_who_waits_by_who_comes_and_behind_the_end() {
        let (mut work, bell) = (Work::default(), Rc::new(()));
        let leader = leads(&mut work, 1);
        let began = leader.waiter();
        began.leave(Rc::clone(&bell));
        leader.tell("it takes long");
        assert_eq!((Rc::strong_count(&bell), began.told()), (1, Some("it takes long")));
        let came = waits(&mut work, 1);
        assert_eq!(came.told(), Some("it takes long"));
        came.leave(Rc::clone(&bell));
        leader.tell("it is done");
        assert_eq!(Rc::strong_count(&bell), 1);
        drop(leader);
        assert_eq!([began.told(), came.told()], [Some("it is done"); 2]);
        assert_eq!(leads(&mut work, 1).waiter().told(), None, "told of another");
    }
}
