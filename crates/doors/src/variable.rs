//! Settings of the doors, read from the operator's variables.
//!
//! Border: a variable's text in, a value out. One that cannot be used is refused by its name: a
//! silently ignored setting costs hours.

use crate::Refusal;

const MOST_SECONDS: u64 = 3_600;

/// Of silence, where the operator set nothing else.
pub(crate) const KEEP_ALIVE_SECONDS: u64 = 15;

/// For which an ask that nobody reads waits for its client: longer than clients wait before they try again.
pub(crate) const GRACE_SECONDS: u32 = 30;

/// A number of seconds from 1 to an hour; empty: the default.
pub(crate) fn seconds(name: &str, variable: &str, default: u64) -> Result<u64, Refusal> {
    let text = variable.trim();
    if text.is_empty() {
        return Ok(default);
    }
    text.parse().ok().filter(|seconds| (1..=MOST_SECONDS).contains(seconds)).ok_or_else(|| {
        Refusal::Unavailable(format!(
            "this server's {name} must be a whole number from 1 to {MOST_SECONDS}"
        ))
    })
}

/// Reads the variable `keep_alive_seconds`: after how much silence a stream gives a sign of life
/// (empty: 15).
///
/// # Errors
/// [`Refusal::Unavailable`] when it is no number of seconds that makes sense.
pub fn keep_alive_seconds(variable: &str) -> Result<u64, Refusal> {
    seconds("keep_alive_seconds", variable, KEEP_ALIVE_SECONDS)
}

/// Reads the variable `chat_grace_seconds`: for how long an ask waits for a reader whose door waits so long by itself
/// (empty: 30 where that is 30). A door that waits twice as long does so whatever is configured.
///
/// # Errors
/// [`Refusal::Unavailable`] when it is no number of seconds that makes sense.
pub fn grace_seconds(variable: &str, own: u32) -> Result<u32, Refusal> {
    let seconds = seconds("chat_grace_seconds", variable, GRACE_SECONDS.into())?;
    let all = seconds.saturating_mul(own.into()) / u64::from(GRACE_SECONDS);
    Ok(u32::try_from(all).unwrap_or(own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn silence_is_configuration() {
        assert_eq!(keep_alive_seconds(""), Ok(15));
        assert_eq!(keep_alive_seconds(" 3600 "), Ok(3_600));
        for wrong in ["0", "3601", "-1", "soon"] {
            let refusal = keep_alive_seconds(wrong).unwrap_err();
            assert_eq!(refusal.status(), 503, "{wrong}");
            assert!(refusal.to_string().contains("keep_alive_seconds"), "{refusal}");
        }
    }
    #[test]
    fn a_door_that_waits_longer_does_so_whatever_is_configured() {
        assert_eq!(grace_seconds("", 30), Ok(30));
        assert_eq!(grace_seconds("", 60), Ok(60));
        assert_eq!(grace_seconds("5", 60), Ok(10));
        assert!(grace_seconds("never", 30).is_err());
    }
}
