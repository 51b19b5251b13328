//! A clock that is never set back.
//!
//! Border: what the wall shows in, the time to wait by out.

use quarry_types::Timestamp;

/// Goes on as before when its wall clock is set back: whatever waits for a time of the old clock would else wait for as
/// long again, and signs of life with it.
#[derive(Debug, Clone, Copy)]
pub struct Steady {
    wall: Timestamp,
    /// Milliseconds that it is ahead.
    ahead: u64,
}

impl Steady {
    /// Begins with what the wall shows.
    #[must_use]
    pub const fn from(wall: Timestamp) -> Self {
        Steady { wall, ahead: 0 }
    }

    /// The time, by what the wall shows now.
    pub const fn read(&mut self, wall: Timestamp) -> Timestamp {
        self.ahead = self.ahead.saturating_add(self.wall.since(wall));
        self.wall = wall;
        Timestamp(wall.0.saturating_add(self.ahead))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_goes_on_however_the_wall_is_set() {
        let mut steady = Steady::from(Timestamp(90_000));
        let walls = [90_000, 90_200, 30_200, 30_500, 29_500, 29_500, 99_500];
        let read = walls.map(|wall| steady.read(Timestamp(wall)).0);
        assert_eq!(read, [90_000, 90_200, 90_200, 90_500, 90_500, 90_500, 160_500]);
        assert_eq!(Steady::from(Timestamp(u64::MAX)).read(Timestamp(0)), Timestamp(u64::MAX));
    }
}
