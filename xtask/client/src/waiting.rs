//! What takes long is not done in silence.

use std::io::IsTerminal;
use std::pin::pin;
use std::time::{Duration, Instant};
use xtask::silence::{Silence, line};

/// What may have been silent before, such as the last step of the build.
const BEFORE: Duration = Duration::from_secs(3);

/// Waits for something, with a line on standard error whenever it was silent for too long.
pub async fn aloud<T>(step: &str, work: impl Future<Output = T>) -> T {
    let begun = Instant::now();
    let mut silence = Silence::begin(Duration::ZERO);
    let mut work = pin!(work);
    loop {
        tokio::select! {
            done = &mut work => return done,
            () = tokio::time::sleep(silence.left(BEFORE + begun.elapsed())) => {
                let now = begun.elapsed();
                if silence.is_over(BEFORE + now) {
                    eprintln!("{}", line(now, step));
                }
            }
        }
    }
}

/// The same where a person does not see what goes on; on a terminal the screen of an ask shows it.
pub async fn aloud_in_pipes<T>(step: &str, work: impl Future<Output = T>) -> T {
    if std::io::stderr().is_terminal() { work.await } else { aloud(step, work).await }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_waited_for_is_given_on() {
        assert_eq!(aloud("nothing", async { 7 }).await, 7);
        let (sender, receiver) = tokio::sync::oneshot::channel();
        let sent = async { sender.send(1) };
        let (received, _) = tokio::join!(aloud("a word", receiver), sent);
        assert_eq!(received, Ok(1));
    }
}
