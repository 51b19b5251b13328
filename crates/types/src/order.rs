//! Sorting and collecting with little code.
//!
//! The standard library compiles a sort of 6 KB for each type that is sorted, and for each type that is
//! collected into a tree. Here one sort, of places, serves all. For what is sorted seldom or is short.

use std::cmp::Ordering;

/// Sorts; what is equal keeps its order.
pub fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let order = sorted(items.len(), &mut |one, other| match (items.get(one), items.get(other)) {
        (Some(one), Some(other)) => compare(one, other),
        _ => Ordering::Equal,
    });
    rearrange(order, &mut |one, other| items.swap(one, other));
}

/// Sorts by a key; what is equal keeps its order.
pub fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |one, other| key(one).cmp(&key(other)));
}

/// The places in their order.
fn sorted(length: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..length).collect();
    order.sort_by(|one, other| compare(*one, *other));
    order
}

/// Brings to each place what stood at the place that is named for it.
fn rearrange(mut order: Vec<usize>, swap: &mut dyn FnMut(usize, usize)) {
    for start in 0..order.len() {
        let mut at = start;
        while let Some(from) = order.get_mut(at).map(|from| std::mem::replace(from, at)) {
            // A place that was filled names itself.
            if from == start || from == at {
                break;
            }
            swap(at, from);
            at = from;
        }
    }
}

/// Collecting into a tree one by one.
pub trait Gather: Iterator + Sized {
    /// As `collect`, for sets and maps.
    fn gather<C: Default + Extend<Self::Item>>(self) -> C {
        let mut gathered = C::default();
        gathered.extend(self);
        gathered
    }
}

impl<I: Iterator> Gather for I {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn it_is_the_standard_librarys_order(items: Vec<(u8, u32)>) {
            let (mut ours, mut theirs) = (items.clone(), items.clone());
            sort_by(&mut ours, |one, other| other.0.cmp(&one.0));
            theirs.sort_by_key(|item| Reverse(item.0));
            prop_assert_eq!(&ours, &theirs);
            sort_by_key(&mut ours, |item| item.0);
            theirs.sort_by_key(|item| item.0);
            prop_assert_eq!(&ours, &theirs);
            let map: BTreeMap<u8, u32> = items.iter().copied().gather();
            prop_assert_eq!(map, items.into_iter().collect::<BTreeMap<_, _>>());
        }
    }
}
