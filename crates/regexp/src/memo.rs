//! What was explored already: one bit for each choice of the program and each position.

/// Bytes that a memo may take.
const BYTES: usize = 8 << 20;

/// Marks for the positions from a base on.
#[derive(Debug)]
pub(crate) struct Memo {
    words: Vec<u64>,
    base: usize,
    width: usize,
}

impl Memo {
    /// A memo of `rows` for the positions from `base` to `end`; `None` when it would be too large.
    pub(crate) fn new(rows: u32, base: usize, end: usize) -> Option<Self> {
        let width = end.checked_sub(base)?.checked_add(1)?;
        let bits = width.checked_mul(rows as usize)?;
        (bits <= BYTES * 8).then(|| Self { words: vec![0; bits.div_ceil(64)], base, width })
    }

    /// Marks a choice at a position. `false` when it was marked before.
    #[inline]
    pub(crate) fn enter(&mut self, row: u32, at: usize) -> bool {
        let bit = row as usize * self.width + at.saturating_sub(self.base);
        let Some(word) = self.words.get_mut(bit / 64) else {
            return true;
        };
        let mark = 1 << (bit % 64);
        let new = *word & mark == 0;
        *word |= mark;
        new
    }
}
