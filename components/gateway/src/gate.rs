//! Who asks, and whether it may now: identity, rate limit, admission, in this order.
//!
//! The limit comes before the comparison of the secret, so that guesses count, too.
//!
//! Border: fetches, reads and stores; who is let in, and what is kept for how long, is decided in
//! `quarry-admission`.

use std::rc::Rc;
use std::time::Duration;

use quarry_admission::identity::{
    Identity, KeyCache, KeySet, KeysMissed, MAX_KEYS_BYTES, Token, keys_url, max_age_seconds,
};
use quarry_admission::{Caller, CallerKey, Denial, DriveSecret, Rate, Verdict};
use quarry_doors::Refusal;
use quarry_rim::clock;
use quarry_rim::http::{self, Request, Timeouts};
use quarry_rim::store::Store;
use quarry_rim::variables::Variables;

use crate::settings::{Settings, variable};

/// For each part of fetching Google's keys, and for all of it.
const KEYS_PART: Duration = Duration::from_secs(5);
const KEYS_WHOLE: Duration = Duration::from_secs(15);

/// Who asks, when it is let in.
pub async fn admit(
    settings: &Settings,
    google_token: Option<&str>,
    access_secret: Option<&str>,
    client_address: Option<&str>,
    variables: &Variables,
) -> Result<Caller, Refusal> {
    let identity = identity(settings, google_token, client_address, variables).await?;
    let_in(settings, identity, access_secret, client_address, None).await
}

/// The same, where it is known by then who it is, and perhaps as whom it was counted before.
pub async fn let_in(
    settings: &Settings,
    identity: Option<Identity>,
    access_secret: Option<&str>,
    client_address: Option<&str>,
    before: Option<&CallerKey>,
) -> Result<Caller, Refusal> {
    let email = identity.as_ref().map(|identity| identity.email.as_str());
    counted(settings, email, client_address, before).await?;
    Ok(settings.access.admit(access_secret, identity)?)
}

/// As whom a request is counted. One that was counted as the same before is not counted twice.
pub async fn counted(
    settings: &Settings,
    email: Option<&str>,
    client_address: Option<&str>,
    before: Option<&CallerKey>,
) -> Result<CallerKey, Refusal> {
    let key = CallerKey::new(email, client_address);
    if let Some(rate) = settings.rate.filter(|_| before != Some(&key)) {
        count(rate, &key).await?;
    }
    Ok(key)
}

/// Who looks at what it began, when it may. Whoever looks again and again is not counted; whoever guesses is, and is told
/// nothing more once that was too often, not even that a guess is right.
pub async fn may_read(
    settings: &Settings,
    google_token: Option<&str>,
    access_secret: Option<&str>,
    client_address: Option<&str>,
    variables: &Variables,
) -> Result<Caller, Refusal> {
    let identity = identity(settings, google_token, client_address, variables).await?;
    let guesses = settings.rate.map(|rate| (rate, CallerKey::guessing(client_address)));
    if let Some((rate, key)) = guesses.as_ref().filter(|_| access_secret.is_some()) {
        may_guess(*rate, key).await?;
    }
    match (settings.access.admit(access_secret, identity), guesses) {
        (Ok(caller), _) => Ok(caller),
        (Err(denial), None) => Err(denial.into()),
        (Err(denial), Some((rate, key))) => {
            count(rate, &key).await?;
            count(rate, &CallerKey::new(None, client_address)).await?;
            Err(denial.into())
        }
    }
}

/// Whether fewer guesses were wrong than may be. A store that fails keeps nobody out who knows the secret: then each
/// wrong guess is refused for the store's sake.
async fn may_guess(rate: Rate, key: &CallerKey) -> Result<(), Refusal> {
    let Ok(store) = Store::open().await else { return Ok(()) };
    let stored = store.get(key.as_str()).await.ok().flatten();
    match rate.count(stored.as_deref(), key, clock::unix_seconds()) {
        Verdict::Refused { retry_after } => Err(Denial::RateLimited { retry_after }.into()),
        Verdict::Admitted(_) => Ok(()),
    }
}

/// Who asks, where nothing but that matters: a token that is of no use here says nothing.
pub async fn identified(
    settings: &Settings,
    google_token: Option<&str>,
    client_address: Option<&str>,
    variables: &Variables,
) -> Result<Caller, Refusal> {
    let identity = identity(settings, google_token, client_address, variables).await?;
    Ok(identity.map(Caller::known).unwrap_or_default())
}

/// Whether the caller may have every run that is due taken up.
pub async fn may_drive(
    settings: &Settings,
    secret: Option<&str>,
    client_address: Option<&str>,
    variables: &Variables,
) -> Result<(), Refusal> {
    if let Some(rate) = settings.rate {
        count(rate, &CallerKey::new(None, client_address)).await?;
    }
    let rule = DriveSecret::read(&variable(variables, "drive_secret").await?);
    Ok(rule.admit(secret)?)
}

/// Who the token says it is, where tokens are read. One that does not say it is counted where it came from, for reading
/// it costs something; while nobody can read any, that is nobody's doing who sends one. That keeps no account out that shares
/// the address: it has a count of its own.
pub async fn identity(
    settings: &Settings,
    google_token: Option<&str>,
    client_address: Option<&str>,
    variables: &Variables,
) -> Result<Option<Identity>, Refusal> {
    let Some(token) = google_token.filter(|_| settings.access.reads_tokens()) else {
        return Ok(None);
    };
    let identified = identify(settings, token, variables).await;
    if let (Err(Refusal::Unauthorized(_)), Some(rate)) = (&identified, settings.rate) {
        count(rate, &CallerKey::new(None, client_address)).await?;
    }
    identified.map(Some)
}

async fn identify(
    settings: &Settings,
    token: &str,
    variables: &Variables,
) -> Result<Identity, Refusal> {
    let audiences = settings.access.audiences()?;
    let token = Token::parse(token).map_err(Denial::from)?;
    let cache = keys(token.key_id(), variables).await?;
    let identity = token.verify(cache.keys(), audiences, clock::unix_seconds());
    Ok(identity.map_err(Denial::from)?)
}

/// Google's keys, from the store while they serve.
async fn keys(key_id: &str, variables: &Variables) -> Result<KeyCache, Refusal> {
    let url = variable(variables, "google_keys_url").await?;
    let url = keys_url(&url);
    // A store that fails, or has no room, costs a fetch and keeps nobody out.
    let store = Store::open().await.ok();
    let kept = match &store {
        Some(store) => store.get(KeyCache::STORE_KEY).await.ok().flatten(),
        None => None,
    };
    let kept = kept.and_then(|bytes| KeyCache::from_bytes(&bytes));
    if let Some(cache) = kept.filter(|cache| cache.serves(url, key_id, clock::unix_seconds())) {
        return Ok(cache);
    }
    let fetched = match &store {
        Some(store) => fetch_in_turn(url, store).await,
        None => fetch(url).await,
    };
    let failed = || Refusal::Unavailable("cannot fetch Google's keys; try again".into());
    let cache = fetched.ok_or_else(failed)?;
    if let Some(store) = store {
        drop(store.set(KeyCache::STORE_KEY, cache.to_bytes()).await);
    }
    Ok(cache)
}

/// The same, where they were not missed a moment ago. Of those who come behind a miss one tries again, and the others
/// are told what they would learn.
async fn fetch_in_turn(url: &str, store: &Store) -> Option<KeyCache> {
    let kept = store.get(KeysMissed::STORE_KEY).await.ok().flatten();
    let missed = kept.and_then(|bytes| KeysMissed::from_bytes(&bytes));
    let is_missed = |missed: &KeysMissed| missed.holds(url, clock::unix_seconds());
    if missed.as_ref().is_some_and(is_missed) {
        return None;
    }
    if missed.is_some() {
        let tries = KeysMissed::trying(url, KEYS_WHOLE.as_secs(), clock::unix_seconds());
        drop(store.set(KeysMissed::STORE_KEY, tries.to_bytes()).await);
    }
    let fetched = fetch(url).await;
    match &fetched {
        Some(_) if missed.is_some() => drop(store.delete(KeysMissed::STORE_KEY).await),
        Some(_) => {}
        None => {
            let missed = KeysMissed::new(url, clock::unix_seconds());
            drop(store.set(KeysMissed::STORE_KEY, missed.to_bytes()).await);
        }
    }
    fetched
}

/// All of them, or none, whatever the reason: callers are told to try again.
async fn fetch(url: &str) -> Option<KeyCache> {
    let request = Request::get(url).ok()?;
    let fetched = http::fetch(request, Timeouts::each(KEYS_PART), KEYS_WHOLE, |_| MAX_KEYS_BYTES)
        .await
        .ok()?;
    let set = KeySet::read(&fetched.body).ok().filter(|_| fetched.status == 200 && !fetched.cut)?;
    let max_age = max_age_seconds(fetched.header("cache-control"), fetched.header("age"));
    Some(KeyCache::new(url, set, max_age, clock::unix_seconds()))
}

async fn count(rate: Rate, key: &CallerKey) -> Result<(), Refusal> {
    let store = open().await?;
    let stored = store.get(key.as_str()).await.map_err(|_| store_failed())?;
    match rate.count(stored.as_deref(), key, clock::unix_seconds()) {
        Verdict::Refused { retry_after } => Err(Denial::RateLimited { retry_after }.into()),
        Verdict::Admitted(bytes) => {
            store.set(key.as_str(), bytes).await.map_err(|_| store_failed())
        }
    }
}

async fn open() -> Result<Rc<Store>, Refusal> {
    Store::open().await.map_err(|_| store_failed())
}

fn store_failed() -> Refusal {
    Refusal::Unavailable("the key-value store does not answer; try again".into())
}
