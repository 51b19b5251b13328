//! Beginning an ask where its request may have come before.
//!
//! Border: what it began then is found in `again`; what is begun begins in `start`.

use crate::again::{self, Before, Found, Over, Unsaid};
use crate::asked::Asked;
use crate::bindings::exports::quarry::agent::ask::{AskError, Begun, Caller};
use crate::rejoin::{self, Rejoined};
use crate::shelf::Shelf;
use crate::start::{Once, begin, link, try_once};
use crate::{settings, slot};
use quarry_rim::clock;
use quarry_schema::trouble::Defect;
use quarry_types::{AskId, Timestamp};

/// How often the same request, sent by many at once, looks who of them was first.
const CLAIMS: u32 = 3;

/// How often a request that found neither a place nor a note of its own looks for both.
const LOOKS: u32 = 2;

/// Begins an ask where the same request began none before. Most did not: then its note and its place are one statement,
/// and nothing else is looked at.
pub async fn begin_once(
    once: Once<'_>,
    mut asked: Asked,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Begun, AskError> {
    // Without a store no note leads there.
    let is_storeless = Shelf::open(id).await.is_err_and(|error| error.is_for_good());
    if !is_storeless {
        asked.require_log();
    }
    let (mut looks, key) = (0, once.key);
    let found = loop {
        let refusal = match try_first(once, &asked, &caller, id, now).await {
            Ok(begun) => return Ok(begun),
            Err(refusal) => refusal,
        };
        // Whatever kept it from beginning: what it began before counts for more.
        looks += 1;
        let found = match (began_before(key, &asked, now).await, refusal) {
            (Err(_), Some(refusal)) => return Err(refusal),
            (Err(unsaid), None) => return Err(unsaid),
            // A note of its own that came late leads nowhere.
            (Ok(before), refusal) => (before.filter(|found| found.noted != id), refusal),
        };
        match found {
            (None | Some(Found { before: Before::Over, .. }), Some(refusal)) => {
                return Err(refusal);
            }
            (Some(found), _) => break found,
            (None, None) if looks == LOOKS => return nowhere(now).await,
            // The note may have been taken back since then.
            (None, None) => {}
        }
    };
    settle(once, found, asked, caller, id, now).await
}

/// Joins what the same request began, or goes on with it. Where it began nothing, nothing begins.
pub async fn only_again(
    key: &str,
    asked: Asked,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Begun, AskError> {
    match began_before(key, &asked, now).await? {
        None | Some(Found { before: Before::Over, .. }) => {
            Err(AskError::NotFound("the same request began nothing that is kept".to_owned()))
        }
        Some(found) => {
            let once = Once { key, may_have_come: true, says_so: true, own: None, is_noted: false };
            settle(once, found, asked, caller, id, now).await
        }
    }
}

/// What becomes of an ask that is under way and that its readers left, where the same request comes again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Left {
    /// It is joined.
    Joined,
    /// It is left alone: another one is wanted.
    Alone,
}

impl Left {
    /// What is taken up of what came before, where anything is.
    const fn takes_up(self, before: Before) -> Option<Before> {
        match (self, before) {
            (Left::Alone, Before::Joins(_)) => None,
            (Left::Alone, Before::Silent { id, .. }) => {
                Some(Before::Silent { id, is_joined: false })
            }
            (Left::Alone | Left::Joined, before) => Some(before),
        }
    }
}

/// Begins an ask, but takes up what the same request began where that was left unfinished. Most began nothing: then its
/// note and its place are one statement here, too.
pub async fn take_up(
    key: &str,
    left: Left,
    asked: Asked,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Begun, AskError> {
    let once = Once { key, may_have_come: false, says_so: false, own: None, is_noted: false };
    let refusal = match try_first(once, &asked, &caller, id, now).await {
        Ok(begun) => return Ok(begun),
        Err(refusal) => refusal,
    };
    // Many who are refused must not keep the store busy: where no note stands, nothing but that is looked at.
    if refusal.is_none() && slot::is_full() {
        again::invalidate(key, now).await;
        return nowhere(now).await;
    }
    // A note stands, or nothing can begin: while nobody knows what became of the one that is noted, nobody pays for another.
    let found = clock::within(slot::PATIENCE, again::unfinished(key, now)).await;
    let (noted, unfinished) = match found {
        Some(Ok(found)) => found,
        Some(Err(Unsaid(Some(defect)))) => {
            return Err(refusal.unwrap_or_else(|| slot::unnoted(Some(defect), false)));
        }
        Some(Err(Unsaid(None))) | None => return Err(refusal.unwrap_or_else(slot::unsaid)),
    };
    let taken_up = unfinished.and_then(|before| left.takes_up(before));
    if let (Some(noted), Some(before)) = (noted, taken_up) {
        return settle(once, Found { noted, before }, asked, caller, id, now).await;
    }
    let anew = match refusal {
        Some(refusal) => Err(refusal),
        None => begin(None, asked, caller, id, now).await,
    };
    match (&anew, noted) {
        (Ok(_), seen) => again::note(key, id, Over::Earlier { seen }, now).await,
        // What was answered before is no answer to a retry of what is refused now.
        (Err(_), Some(noted)) => again::forget_ended(key, noted, now).await,
        (Err(_), None) => {}
    }
    anew
}

/// Begins it as if it had not come before.
///
/// # Errors
/// Why it is refused; none: there is no place, or a note says that the same began something.
async fn try_first(
    once: Once<'_>,
    asked: &Asked,
    caller: &Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Begun, Option<AskError>> {
    let begun = try_once(Some(once), asked.clone(), caller.clone(), id, now).await;
    begun.map_err(Some)?.ok_or(None)
}

/// What the same request began before. What goes on with another ask and failed, or was stopped, is no reason not to go on
/// with that one; and a question to documents that failed left nothing to join, but often says when to send it again.
///
/// # Errors
/// That the store fails, or takes too long, to say it: whoever says that it came before does not pay twice unseen.
async fn began_before(key: &str, asked: &Asked, now: Timestamp) -> Result<Option<Found>, AskError> {
    let found = clock::within(slot::PATIENCE, again::before(key, now)).await;
    let begins_again = asked.goes_on_with().is_some() || asked.is_question();
    let found = found.and_then(Result::ok).ok_or_else(slot::unsaid)?;
    Ok(found.map(|found| match found.before {
        Before::Failed(_) if begins_again => Found { before: Before::Over, ..found },
        _ => found,
    }))
}

/// Joins what was begun before, or goes on with it.
async fn settle(
    once: Once<'_>,
    found: Found,
    mut asked: Asked,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Begun, AskError> {
    let key = once.key;
    let earlier = match place(once, found, &asked, id, now).await? {
        Placed::Joined(begun) => {
            // Another request may have begun it, or what it goes on with.
            if let (Some(own), Some(joined), true) =
                (once.own, AskId::parse(&begun.id), begun.is_continuation)
            {
                own.joins(joined, now).await;
            }
            link(asked.takes_up(), &begun).await;
            return Ok(begun);
        }
        Placed::First(earlier) => earlier,
    };
    // Its claim stands.
    asked.require_log();
    let begun = match earlier {
        Some(earlier) => go_on(once, earlier, asked, caller, id, now).await,
        None => begin(Some(once), asked, caller, id, now).await,
    };
    match (&begun, earlier) {
        (Ok(begun), _) => {
            if let Some(joined) = AskId::parse(&begun.id).filter(|joined| *joined != id) {
                again::note(key, joined, Over::Own(id), now).await;
            }
        }
        // The next try goes on with it, as this one would have.
        (Err(_), Some(earlier)) => again::note(key, earlier, Over::Own(id), now).await,
        (Err(_), None) => again::take_back(key, id, now).await,
    }
    begun
}

/// Goes on with an ask. Others may do so as well, by its id; then all of them have one, where they ask the same.
async fn go_on(
    once: Once<'_>,
    earlier: AskId,
    mut asked: Asked,
    caller: Caller,
    id: AskId,
    now: Timestamp,
) -> Result<Begun, AskError> {
    asked.go_on(earlier);
    asked.know_its_question().await?;
    let Some(key) = asked.continuation_key() else {
        return begin(Some(once), asked, caller, id, now).await;
    };
    let once = Once { key: &key, may_have_come: true, ..once };
    Box::pin(begin_once(once, asked, caller, id, now)).await
}

/// What there is to do for a request that may have come before.
enum Placed {
    /// Nothing: it reads what it began then.
    Joined(Begun),
    /// It is begun, or gone on with from this ask, and nobody else does the same.
    First(Option<AskId>),
}

/// Joins what this request began before, or claims to be the one that begins it.
async fn place(
    Once { key, says_so, .. }: Once<'_>,
    found: Found,
    asked: &Asked,
    id: AskId,
    now: Timestamp,
) -> Result<Placed, AskError> {
    let (mut found, since) = (Some(found), clock::monotonic());
    let unnoted = |defect| slot::unnoted(defect, says_so);
    for _ in 0..CLAIMS {
        let (noted, before) = match found {
            Some(Found { noted, before }) => {
                // Whoever is noted next may seem dead, too: that is waited for once.
                let before = again::certain(before, since).await.map_err(unnoted)?;
                (Some(noted), Some(before))
            }
            None => (None, None),
        };
        if let Some(Before::Joins(earlier) | Before::JoinsNext(earlier) | Before::Failed(earlier)) =
            before
        {
            let is_continuation =
                matches!(before, Some(Before::JoinsNext(_))) || asked.goes_on_with().is_some();
            match rejoin::join(earlier).await {
                Ok(Rejoined { events, outcome, held_up }) => {
                    // It is found for as long as it is read.
                    if let Some(noted) = noted {
                        let found_on = again::claim(key, noted, Some(noted), now);
                        clock::within(slot::PATIENCE, found_on).await;
                    }
                    let (id, is_joined, model) = (earlier.to_string(), true, None);
                    return Ok(Placed::Joined(Begun {
                        id,
                        is_joined,
                        is_continuation,
                        model,
                        events,
                        outcome,
                        held_up,
                    }));
                }
                // Nobody knows whether its log is gone.
                Err(AskError::Unavailable(_) | AskError::Busy(_)) => return Err(slot::unsaid()),
                // One whose log is gone is asked again.
                Err(_) => {}
            }
        }
        if claims(key, id, noted, now).await.map_err(unnoted)? {
            return Ok(Placed::First(match before {
                Some(Before::GoesOn(earlier)) => Some(earlier),
                _ => None,
            }));
        }
        found = began_before(key, asked, now).await?;
    }
    Err(begun_elsewhere())
}

/// Claims to be the one that begins it, where the store says so in time: a claim that comes late is given up.
async fn claims(
    key: &str,
    id: AskId,
    noted: Option<AskId>,
    now: Timestamp,
) -> Result<bool, Option<Defect>> {
    let (key, own) = (key.to_owned(), key.to_owned());
    let claiming = async move { again::claim(&key, id, noted, now).await };
    let late = async move |is_claimed: bool| {
        if is_claimed {
            again::unclaim(&own, id, noted, now).await;
        }
    };
    slot::patiently(claiming, late).await
}

/// Why a request that no note tells of did not begin.
async fn nowhere(now: Timestamp) -> Result<Begun, AskError> {
    Err(match settings::read(now).await?.max_asks {
        0 => begun_elsewhere(),
        places => slot::full(places),
    })
}

fn begun_elsewhere() -> AskError {
    let message = "the same request is being begun by somebody else; send it again";
    AskError::Unavailable(message.to_owned())
}
