//! What takes long is not done in silence.

use std::pin::pin;
use std::time::{Duration, Instant};
use xtask::silence::{Silence, line};

/// Something that is waited for.
pub struct Waiting(&'static str);

impl Waiting {
    /// Says what it is, as it goes on from "12 s: ".
    pub fn for_(step: &'static str) -> Waiting {
        Waiting(step)
    }

    /// Waits, with a line on standard error whenever it was silent for too long.
    pub async fn over<T>(self, work: impl Future<Output = T>) -> T {
        let begun = Instant::now();
        let mut silence = Silence::begin(Duration::ZERO);
        let mut work = pin!(work);
        loop {
            tokio::select! {
                done = &mut work => return done,
                () = tokio::time::sleep(silence.left(begun.elapsed())) => {
                    let now = begun.elapsed();
                    if silence.is_over(now) {
                        eprintln!("{}", line(now, self.0));
                    }
                }
            }
        }
    }
}
