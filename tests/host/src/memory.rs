//! How much linear memory components have had: noted when a memory grows, and nowhere else.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The most bytes that instances of a component have had.
#[derive(Debug, Default)]
pub(crate) struct Peak {
    /// In one of their memories: a component that is composed of others has one for each.
    one: AtomicUsize,
    /// In all memories of one instance.
    all: AtomicUsize,
}

impl Peak {
    /// A memory has so many bytes now, and its instance's memories together so many.
    pub fn note(&self, one: usize, all: usize) {
        self.one.fetch_max(one, Ordering::Relaxed);
        self.all.fetch_max(all, Ordering::Relaxed);
    }

    /// All memories of one instance.
    pub fn all(&self) -> usize {
        self.all.load(Ordering::Relaxed)
    }
}

/// The peaks of all components.
#[derive(Debug, Clone, Default)]
pub(crate) struct Peaks(BTreeMap<String, Arc<Peak>>);

impl Peaks {
    /// For these components.
    pub fn of<'a>(components: impl Iterator<Item = &'a String>) -> Self {
        Self(components.map(|id| (id.clone(), Arc::default())).collect())
    }

    pub fn component(&self, id: &str) -> Option<&Arc<Peak>> {
        self.0.get(id)
    }

    /// Begins anew, and gives what was: an instance counts again when one of its memories grows.
    pub fn take(&self) -> Taken {
        let taken = |(id, peak): (&String, &Arc<Peak>)| {
            let take = |bytes: &AtomicUsize| bytes.swap(0, Ordering::Relaxed);
            (id.clone(), [take(&peak.one), take(&peak.all)])
        };
        Taken(self.0.iter().map(taken).collect())
    }
}

/// What was taken: by component the largest memory, and the most that an instance had in all of its memories.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Taken(BTreeMap<String, [usize; 2]>);

/// A line a component: its name and both numbers of bytes; a tab between them.
impl Display for Taken {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|(id, [one, all])| writeln!(f, "{id}\t{one}\t{all}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_counts_until_it_is_told() {
        let name = "quarry".to_owned();
        let peaks = Peaks::of([&name].into_iter());
        let peak = peaks.component("quarry").unwrap();
        peak.note(1 << 16, 1 << 16);
        peak.note(3 << 16, 4 << 16);
        peak.note(2 << 16, 6 << 16);
        assert_eq!(peak.all(), 6 << 16);
        assert_eq!(peaks.take().to_string(), "quarry\t196608\t393216\n");
        assert_eq!(peaks.take().to_string(), "quarry\t0\t0\n");
    }
}
