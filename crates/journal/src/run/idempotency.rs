//! Keys against doing a thing twice: whose they are, and what they stand for.

use std::iter::successors;

use super::Hash;

/// Characters of a key of a caller's without a name. Whoever guesses key and request gets the run, and its id is all
/// that protects it; a random UUID has 36.
pub const LEAST_NAMELESS: usize = 16;

/// A key that is too easily guessed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "wants at least {LEAST_NAMELESS} characters that nobody guesses where there is no account, as those of a random \
     UUID: who sends the same key and the same request gets the same run"
)]
pub struct Guessable;

/// A key that came with a request, as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Idempotency {
    /// Under which the caller's run is found.
    pub key: String,
    /// A hash of what was asked with it.
    pub asked: String,
    /// Whether its sender gave it to a door, which tells in its own words that it means another request.
    pub is_senders: bool,
    /// As what earlier versions kept it. Nothing is kept so any more.
    former: Option<Box<Idempotency>>,
}

impl Idempotency {
    /// A key of a caller's who asks this. Callers without a name share one space of keys, so theirs must be such as no
    /// stranger uses by chance, and is kept as a hash: whoever has it, and asks the same, has the run.
    ///
    /// # Errors
    /// [`Guessable`] for a short one of a caller without a name.
    pub fn of(caller: Option<&str>, key: &str, asked: &str) -> Result<Self, Guessable> {
        let hashed = Hash::of(asked).to_string();
        let kept = |key: String, former: Option<Box<Self>>| Idempotency {
            key,
            asked: hashed.clone(),
            is_senders: false,
            former,
        };
        match caller {
            Some(_) => Ok(kept(key.to_owned(), None)),
            None if key.chars().count() < LEAST_NAMELESS => Err(Guessable),
            None => {
                // Keys of callers without a name were kept together with what was asked.
                let former = kept(Hash::of(&format!("{key}\n{asked}")).to_string(), None);
                Ok(kept(Hash::of(key).to_string(), Some(Box::new(former))))
            }
        }
    }

    /// As what its run may be found, in this order.
    pub fn kept(&self) -> impl Iterator<Item = &Idempotency> {
        successors(Some(self), |kept| kept.former.as_deref())
    }

    /// A key that a door made of who asks, and of what that is: nobody guesses it, and it is found by itself.
    #[must_use]
    pub fn of_door(key: &str, asked: &str) -> Self {
        let key = Hash::of(&format!("door\n{key}")).to_string();
        Idempotency { key, asked: Hash::of(asked).to_string(), is_senders: false, former: None }
    }

    /// A key of a sender's at a door, by a hash of it and of whose it is, and what its door made of the request. `former`
    /// is the request by its door's key alone, as whose run it was kept before senders' keys were.
    #[must_use]
    pub fn of_sender(own: &str, request: &str, former: Self) -> Self {
        let former = Some(Box::new(former));
        Idempotency { is_senders: true, former, ..Self::of_door(own, request) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Guessable, Idempotency};

    #[test]
    fn a_doors_key_is_found_by_itself_and_is_no_callers() {
        let [one, other] = ["a", "b"].map(|asked| Idempotency::of_door("k", asked));
        assert_eq!((&one.key, one.asked == other.asked), (&other.key, false));
        assert_ne!(one.key, Idempotency::of_door("l", "a").key);
        assert_ne!(one.key, Idempotency::of(Some("ada"), "k", "a").unwrap().key);
    }

    #[test]
    fn whoever_sends_a_key_with_another_wish_is_told_that_it_stands_for_something_else() {
        let of = |caller, key, asked| Idempotency::of(caller, key, asked).unwrap();
        let [key, other] = ["7d9f0c2e-55a1-4b", "7d9f0c2e-55a1-4c"];
        for caller in [None, Some("ada")] {
            assert_eq!(of(caller, key, "a"), of(caller, key, "a"));
            assert_ne!(of(caller, key, "a").key, of(caller, other, "a").key);
            let (one, another) = (of(caller, key, "a"), of(caller, key, "b"));
            assert_eq!(one.key, another.key);
            assert_ne!(one.asked, another.asked);
        }
        assert_eq!(of(Some("ada"), "k", "a").key, "k");
        assert!(!of(None, key, "a").key.contains(key), "what opens a run is not kept");
    }

    #[test]
    fn a_key_that_was_kept_with_what_was_asked_is_still_known() {
        let of = |caller, asked| Idempotency::of(caller, "7d9f0c2e-55a1-4b", asked).unwrap();
        let kept_then = "d6f82b46929104058eafc1cd394b8c1dcb93e3bb1689fb3ada8bb9f33166a1f0";
        let now = of(None, "a");
        let kept: Vec<_> = now.kept().map(|kept| (kept.key.as_str(), &kept.asked)).collect();
        assert_eq!(kept, [(now.key.as_str(), &now.asked), (kept_then, &now.asked)]);
        assert_ne!(of(None, "b").former, of(None, "a").former);
        assert_eq!(of(Some("ada"), "a").former, None, "those were always kept as they are");
        assert_eq!(Idempotency::of_door("k", "a").former, None);
    }

    #[test]
    fn a_senders_key_finds_the_run_that_was_kept_by_its_request_alone() {
        let request = "5f2c".repeat(16);
        let a = "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb";
        for (caller, kept_then) in [
            (Some("ada"), vec![request.as_str()]),
            (
                None,
                vec![
                    "280ffc17c2504e31848882b9f42f854f2f2775f229a77e065b2f5feb7c28943f",
                    "f4f4eb51c404808bfb0aa311ad66e3b52dda3287e9b8b9eb1bd32daf095290b8",
                ],
            ),
        ] {
            let former = Idempotency::of(caller, &request, "a").unwrap();
            let now = Idempotency::of_sender("own", &request, former);
            let door = Idempotency::of_door("own", &request);
            let kept: Vec<_> =
                now.kept().map(|kept| (kept.key.as_str(), kept.asked.as_str())).collect();
            let then = kept_then.into_iter().map(|key| (key, a));
            let all: Vec<_> =
                [(door.key.as_str(), door.asked.as_str())].into_iter().chain(then).collect();
            assert_eq!(kept, all, "{caller:?}");
        }
    }

    #[test]
    fn a_key_that_strangers_may_have_by_chance_is_refused_to_who_has_no_name() {
        for guessable in ["1", "retry-1", "123456789012345", "ääääääääääääääa"] {
            assert_eq!(Idempotency::of(None, guessable, "a"), Err(Guessable), "{guessable}");
            assert!(Idempotency::of(Some("ada"), guessable, "a").is_ok());
        }
        assert!(Guessable.to_string().contains("at least 16 characters"));
    }
}
