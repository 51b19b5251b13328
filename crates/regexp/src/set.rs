//! Sets of characters: built as sorted ranges, matched through a bitmap for the first 256.
//! What a class means in JavaScript (case, negation, escapes) is decided in `class`.

/// The last code point.
pub(crate) const LAST: u32 = 0x0010_FFFF;

/// Characters as sorted, disjoint, non-adjacent ranges.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Ranges(Vec<(u32, u32)>);

impl Ranges {
    /// The set of these ranges, in any order.
    pub(crate) fn of(ranges: &[(u32, u32)]) -> Self {
        let mut set = Self(ranges.to_vec());
        set.normalise();
        set
    }

    /// Adds every character of `other`.
    pub(crate) fn add(&mut self, other: &Self) {
        self.0.extend_from_slice(&other.0);
        self.normalise();
    }

    /// Every character that is not in this set.
    pub(crate) fn complement(&self) -> Self {
        let mut gaps = Vec::with_capacity(self.0.len() + 1);
        let mut from = 0;
        for &(first, last) in &self.0 {
            if first > from {
                gaps.push((from, first - 1));
            }
            from = last + 1;
        }
        if from <= LAST {
            gaps.push((from, LAST));
        }
        Self(gaps)
    }

    /// Whether `c` is in the set.
    pub(crate) fn contains(&self, c: u32) -> bool {
        within(&self.0, c)
    }

    /// The ranges, sorted.
    pub(crate) fn ranges(&self) -> &[(u32, u32)] {
        &self.0
    }

    fn normalise(&mut self) {
        self.0.sort_unstable();
        let mut joined: Vec<(u32, u32)> = Vec::with_capacity(self.0.len());
        for &(first, last) in &self.0 {
            match joined.last_mut() {
                Some(end) if first <= end.1.saturating_add(1) => end.1 = end.1.max(last),
                _ => joined.push((first, last)),
            }
        }
        self.0 = joined;
    }
}

/// A set ready for matching.
#[derive(Clone, Debug)]
pub(crate) struct Set {
    low: Low,
    high: Box<[(u32, u32)]>,
}

impl Set {
    /// Whether `c` is in the set.
    #[inline(always)]
    pub(crate) fn contains(&self, c: u32) -> bool {
        if c < 256 { self.low.contains(c) } else { within(&self.high, c) }
    }

    /// The members below 256.
    pub(crate) fn low(&self) -> &Low {
        &self.low
    }

    /// Whether there are members from 256 on.
    pub(crate) fn has_high(&self) -> bool {
        !self.high.is_empty()
    }
}

impl From<&Ranges> for Set {
    fn from(ranges: &Ranges) -> Self {
        let mut low = Low::default();
        let mut high = Vec::new();
        for &(first, last) in ranges.ranges() {
            for c in first..=last.min(255) {
                low.insert(c);
            }
            if last > 255 {
                high.push((first.max(256), last));
            }
        }
        Self { low, high: high.into() }
    }
}

/// A set of characters below 256.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Low([u64; 4]);

impl Low {
    /// No character.
    pub(crate) const NONE: Self = Self([0; 4]);

    /// Whether `c` is in the set; `false` from 256 on.
    #[inline(always)]
    pub(crate) fn contains(&self, c: u32) -> bool {
        self.0.get((c >> 6) as usize).is_some_and(|word| word >> (c & 63) & 1 != 0)
    }

    /// Adds `c`, which is below 256.
    pub(crate) fn insert(&mut self, c: u32) {
        if let Some(word) = self.0.get_mut((c >> 6) as usize) {
            *word |= 1 << (c & 63);
        }
    }

    /// Adds every member of `other`.
    pub(crate) fn add(&mut self, other: &Self) {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
    }

    /// Whether no character is in both.
    pub(crate) fn disjoint(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).all(|(a, b)| a & b == 0)
    }

    /// The only member, when there is exactly one.
    pub(crate) fn only(&self) -> Option<u8> {
        let count: u32 = self.0.iter().map(|word| word.count_ones()).sum();
        (count == 1).then(|| (0..=u8::MAX).find(|c| self.contains(u32::from(*c))))?
    }
}

fn within(ranges: &[(u32, u32)], c: u32) -> bool {
    let after = ranges.partition_point(|range| range.0 <= c);
    after > 0 && ranges.get(after - 1).is_some_and(|range| c <= range.1)
}
