//! The three readings of a text: one byte a character, one unit a character, and pairs of
//! surrogates as one. Positions are units throughout.

/// The text to search, as JavaScript strings are stored.
#[derive(Clone, Copy, Debug)]
pub enum Input<'a> {
    /// Every unit is below 256.
    Latin1(&'a [u8]),
    /// UTF-16 units, lone surrogates included.
    Utf16(&'a [u16]),
}

impl Input<'_> {
    /// The length in UTF-16 units.
    pub fn len(&self) -> usize {
        match self {
            Self::Latin1(units) => units.len(),
            Self::Utf16(units) => units.len(),
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Reads characters at positions.
pub(crate) trait Text: Copy {
    /// The length in units.
    fn len(self) -> usize;
    /// The character at `at` and its units; `None` at the end.
    fn get(self, at: usize) -> Option<(u32, usize)>;
    /// Where the character before `at` begins.
    fn back(self, at: usize) -> usize;
    /// The unit before `at`.
    fn unit_before(self, at: usize) -> Option<u32>;
    /// Where `unit` comes next, from `at` on.
    fn next_unit(self, at: usize, unit: u8) -> Option<usize>;
}

/// One byte a character.
#[derive(Clone, Copy)]
pub(crate) struct Bytes<'a>(pub(crate) &'a [u8]);

impl Text for Bytes<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn get(self, at: usize) -> Option<(u32, usize)> {
        self.0.get(at).map(|byte| (u32::from(*byte), 1))
    }

    #[inline(always)]
    fn back(self, at: usize) -> usize {
        at.saturating_sub(1)
    }

    #[inline(always)]
    fn unit_before(self, at: usize) -> Option<u32> {
        self.0.get(at.checked_sub(1)?).map(|byte| u32::from(*byte))
    }

    fn next_unit(self, at: usize, unit: u8) -> Option<usize> {
        Some(at + self.0.get(at..)?.iter().position(|byte| *byte == unit)?)
    }
}

/// One UTF-16 unit a character.
#[derive(Clone, Copy)]
pub(crate) struct Units<'a>(pub(crate) &'a [u16]);

impl Text for Units<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn get(self, at: usize) -> Option<(u32, usize)> {
        self.0.get(at).map(|unit| (u32::from(*unit), 1))
    }

    #[inline(always)]
    fn back(self, at: usize) -> usize {
        at.saturating_sub(1)
    }

    #[inline(always)]
    fn unit_before(self, at: usize) -> Option<u32> {
        self.0.get(at.checked_sub(1)?).map(|unit| u32::from(*unit))
    }

    fn next_unit(self, at: usize, unit: u8) -> Option<usize> {
        Some(at + self.0.get(at..)?.iter().position(|other| *other == u16::from(unit))?)
    }
}

/// UTF-16 with surrogate pairs as one character.
#[derive(Clone, Copy)]
pub(crate) struct Pairs<'a>(pub(crate) &'a [u16]);

impl Pairs<'_> {
    /// Whether `at` lies between the two halves of a pair.
    pub(crate) fn splits_pair(self, at: usize) -> bool {
        let before = at.checked_sub(1).and_then(|before| self.0.get(before));
        matches!((before, self.0.get(at)), (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)))
    }
}

impl Text for Pairs<'_> {
    #[inline(always)]
    fn len(self) -> usize {
        self.0.len()
    }

    #[inline(always)]
    fn get(self, at: usize) -> Option<(u32, usize)> {
        let unit = *self.0.get(at)?;
        if unit & 0xFC00 == 0xD800
            && let Some(low @ 0xDC00..=0xDFFF) = self.0.get(at + 1)
        {
            return Some((join(unit, *low), 2));
        }
        Some((u32::from(unit), 1))
    }

    #[inline(always)]
    fn back(self, at: usize) -> usize {
        // A high half always takes the low half behind it, and `at` never splits a pair.
        let before = at.saturating_sub(1);
        before - usize::from(self.splits_pair(before))
    }

    #[inline(always)]
    fn unit_before(self, at: usize) -> Option<u32> {
        // Half a pair is no letter of a word and no line end, so it need not be joined.
        self.0.get(at.checked_sub(1)?).map(|unit| u32::from(*unit))
    }

    fn next_unit(self, at: usize, unit: u8) -> Option<usize> {
        Units(self.0).next_unit(at, unit)
    }
}

/// The code point of a pair of surrogates.
pub(crate) fn join(high: u16, low: u16) -> u32 {
    0x1_0000 + ((u32::from(high) & 0x3FF) << 10) + (u32::from(low) & 0x3FF)
}
