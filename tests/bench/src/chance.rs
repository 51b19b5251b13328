//! Numbers that nobody can foretell and that are the same in each run: Marsaglia's xorshift.

/// Where they have come to.
#[derive(Debug)]
pub struct Chance(u64);

impl Chance {
    /// Those that begin behind a number, which is not 0.
    pub const fn of(seed: u64) -> Chance {
        Chance(seed)
    }

    /// The next.
    pub fn number(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
