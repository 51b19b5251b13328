//! How much of a body is taken in, how long it may take, and how many values it may hold.
//!
//! Border: counts bytes, and values before they are read; reading them is the component's. A body that is refused is still let in
//! up to a bound: a server that closes a connection with unread bytes in it resets the
//! connection, and its client may lose the answer.

use crate::Refusal;
use crate::variable::seconds;

/// Bytes that are read and thrown away behind an answer that did not need them.
pub const DRAIN_BYTES: usize = 8 * 1024 * 1024;
/// Seconds that this may take.
pub const DRAIN_SECONDS: u64 = 5;

/// Bytes to have room for when nobody says how many will come.
const CHUNK: usize = 16 * 1024;
/// The same on an announcement alone: to announce more costs nothing.
const ANNOUNCED: usize = 64 * 1024;

/// Bytes a second of a body that is waited for beyond its time: documents may be large, and lines slow.
const PACE: u64 = 16 * 1024;

/// Values of a body. A value takes many times the memory of the two bytes that it is written with, and whoever sends it is
/// not known before it is read.
const MANY_VALUES: usize = 100_000;

/// Whether JSON holds no more values than are read. What is shorter than so many values are is not looked at.
///
/// # Errors
/// What it holds too many of, in words.
pub(crate) fn few_values(json: &[u8]) -> Result<(), String> {
    match json.len() > MANY_VALUES && values(json) > MANY_VALUES {
        true => Err(format!("it holds more than {MANY_VALUES} values")),
        false => Ok(()),
    }
}

/// How many values JSON holds, at most: what follows a comma or opens a list or an object, outside of texts.
fn values(json: &[u8]) -> usize {
    let (mut count, mut in_text, mut is_escaped) = (1, false, false);
    for byte in json {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = in_text,
            b'"' => in_text = !in_text,
            b',' | b'[' | b'{' if !in_text => count += 1,
            _ => {}
        }
    }
    count
}

/// A body on its way in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Intake {
    limit: usize,
    announced: Option<usize>,
}

impl Intake {
    /// Of a body that may have so many bytes. `announced` is its `Content-Length`.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] when more is announced.
    pub fn new(limit: usize, announced: Option<u64>) -> Result<Intake, Refusal> {
        let announced = announced.map(|bytes| usize::try_from(bytes).unwrap_or(usize::MAX));
        if announced.is_some_and(|bytes| bytes > limit) {
            return Err(Refusal::TooLarge { limit });
        }
        Ok(Intake { limit, announced })
    }

    /// Bytes to have room for at first: one more than announced, because the read that sees the
    /// end needs room, too. The rest gets its room as it comes.
    #[must_use]
    pub fn room(&self) -> usize {
        self.announced.map_or(CHUNK, |bytes| bytes.saturating_add(1).min(ANNOUNCED))
    }

    /// Bytes to make room for when so many have come and there is none left: as many again, but no more than are
    /// announced, or than are let in.
    #[must_use]
    pub fn more_room(&self, come: usize) -> usize {
        let most = self.announced.unwrap_or(self.limit).saturating_add(1);
        come.max(CHUNK).min(most.saturating_sub(come).max(1))
    }

    /// Whether a body is waited for once more as long, of which so many bytes came in these seconds.
    #[must_use]
    pub fn keeps_pace(come: usize, seconds: u64) -> bool {
        u64::try_from(come).unwrap_or(u64::MAX) >= seconds.saturating_mul(PACE)
    }

    /// Whether so many bytes are all that was announced.
    ///
    /// # Errors
    /// [`Refusal::TooLarge`] when they are over the limit.
    pub fn is_whole(&self, bytes: usize) -> Result<bool, Refusal> {
        if bytes > self.limit {
            return Err(Refusal::TooLarge { limit: self.limit });
        }
        Ok(self.announced == Some(bytes))
    }
}

/// Reads the variable `body_timeout_seconds`: how long a body may take, or so much of it as keeps pace (empty: 30).
///
/// # Errors
/// [`Refusal::Unavailable`] when it is no number of seconds that makes sense.
pub fn body_timeout_seconds(variable: &str) -> Result<u64, Refusal> {
    seconds("body_timeout_seconds", variable, 30)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_counts_whether_it_is_announced_or_met() {
        let too_large = Refusal::TooLarge { limit: 10 };
        assert_eq!(Intake::new(10, Some(11)), Err(too_large.clone()));
        assert_eq!(Intake::new(10, Some(u64::MAX)), Err(too_large.clone()));
        let unannounced = Intake::new(10, None).unwrap();
        assert_eq!(unannounced.is_whole(10), Ok(false), "more may come");
        assert_eq!(unannounced.is_whole(11), Err(too_large));
        let announced = Intake::new(10, Some(10)).unwrap();
        assert_eq!([9, 10].map(|bytes| announced.is_whole(bytes)), [Ok(false), Ok(true)]);
        assert_eq!(announced.room(), 11);
    }

    #[test]
    fn room_is_made_for_what_has_come_and_not_for_what_is_announced() {
        let mib = 1024 * 1024;
        for announced in [None, Some(32 * 1024 * 1024)] {
            let intake = Intake::new(32 * mib, announced).unwrap();
            let (mut come, mut rooms) = (0, 0);
            let mut room = intake.room();
            assert!(room <= ANNOUNCED, "{room}");
            while room <= 32 * mib {
                come = room;
                room += intake.more_room(come);
                assert!(room <= 2 * come.max(CHUNK), "{room} for {come}");
                rooms += 1;
            }
            assert_eq!((room, rooms < 16), (32 * mib + 1, true), "{rooms}");
            assert!(come < 32 * mib + 1);
        }
    }

    #[test]
    fn what_comes_on_a_slow_line_is_waited_for_and_what_trickles_is_not() {
        // A megabit a second.
        assert!(Intake::keeps_pace(30 * 125_000, 30));
        assert!(Intake::keeps_pace(16 * 1024, 1) && !Intake::keeps_pace(16 * 1024 - 1, 1));
        assert!(!Intake::keeps_pace(30, 30) && !Intake::keeps_pace(0, 1));
        assert!(!Intake::keeps_pace(usize::MAX / 2, u64::MAX));
    }

    #[test]
    fn values_are_counted_before_they_are_read_and_texts_hold_none() {
        let many = |value: &str| format!("[{}]", vec![value; MANY_VALUES].join(","));
        for value in ["0", "[]", "{}", "\"\"", r#""a,\"[""#] {
            let why = few_values(many(value).as_bytes()).unwrap_err();
            assert!(why.contains("100000 values"), "{why}");
        }
        let text = |inner: &str| format!("{{\"query\":\"{}\"}}", inner.repeat(MANY_VALUES));
        for inner in [",", "[", "{", r#"\","#, r"\\,"] {
            assert_eq!(few_values(text(inner).as_bytes()), Ok(()), "{inner}");
        }
        assert_eq!(few_values(&b"[0".repeat(MANY_VALUES / 2)), Ok(()));
        assert_eq!(few_values(b""), Ok(()));
    }

    #[test]
    fn the_time_is_configuration() {
        assert_eq!(body_timeout_seconds(""), Ok(30));
        assert_eq!(body_timeout_seconds("2"), Ok(2));
        let refusal = body_timeout_seconds("soon").unwrap_err();
        assert_eq!(refusal.status(), 503);
        assert!(refusal.to_string().contains("body_timeout_seconds"));
    }
}
