//! Google's keys, and how long they may be kept.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rsa::traits::PublicKeyParts as _;
use rsa::{BigUint, RsaPublicKey};
use serde::{Deserialize, Serialize};

/// Bytes that the key set may have; Google's has about 1,500.
pub const MAX_KEYS_BYTES: usize = 64 * 1024;

const SHORTEST_SECONDS: u64 = 60;
const LONGEST_SECONDS: u64 = 24 * 60 * 60;
/// Keys whose response says nothing about its age.
const DEFAULT_SECONDS: u64 = 5 * 60;
/// An unknown key id makes us look again, but not more often than this.
const RETRY_SECONDS: u64 = 60;
/// Who could not fetch the keys does not try again before that, and nobody else does.
const MISSED_SECONDS: u64 = 10;
/// Keys below this are not to be trusted; the crate itself refuses those above 4,096 bits.
const FEWEST_BITS: usize = 2048;

/// A JSON Web Key Set, reduced to what we use.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeySet {
    keys: Vec<Key>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    #[serde(default)]
    kid: String,
    #[serde(default)]
    kty: String,
    #[serde(default)]
    alg: Option<String>,
    #[serde(default, rename = "use")]
    usage: Option<String>,
    #[serde(default)]
    n: String,
    #[serde(default)]
    e: String,
}

impl KeySet {
    /// Reads a key set.
    ///
    /// # Errors
    /// When it is not one.
    pub fn read(body: &[u8]) -> Result<KeySet, serde_json::Error> {
        serde_json::from_slice(body)
    }

    /// The key with this id, if it is one for RS256 signatures.
    pub(super) fn find(&self, key_id: &str) -> Option<RsaPublicKey> {
        let key = self.keys.iter().find(|key| key.kid == key_id)?;
        let fits = key.kty == "RSA"
            && key.alg.as_deref().is_none_or(|alg| alg == "RS256")
            && key.usage.as_deref().is_none_or(|usage| usage == "sig");
        if !fits {
            return None;
        }
        let number = |text: &str| {
            URL_SAFE_NO_PAD.decode(text).ok().map(|bytes| BigUint::from_bytes_be(&bytes))
        };
        let key = RsaPublicKey::new(number(&key.n)?, number(&key.e)?).ok()?;
        (key.n().bits() >= FEWEST_BITS).then_some(key)
    }

    fn has(&self, key_id: &str) -> bool {
        self.keys.iter().any(|key| key.kid == key_id)
    }
}

/// A key set as it is kept in the store.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyCache {
    /// Where it came from: another configuration must not use it.
    url: String,
    fetched_at: u64,
    expires_at: u64,
    set: KeySet,
}

impl KeyCache {
    /// The store's key.
    pub const STORE_KEY: &str = "gateway:google-keys";

    /// A set that was fetched now.
    #[must_use]
    pub fn new(url: &str, set: KeySet, max_age_seconds: u64, now_seconds: u64) -> Self {
        let expires_at = now_seconds.saturating_add(max_age_seconds);
        KeyCache { url: url.to_owned(), fetched_at: now_seconds, expires_at, set }
    }

    /// Whether the set serves for this key id, or must be fetched again: it is too old, or does
    /// not have the key and could have been renewed since.
    #[must_use]
    pub fn serves(&self, url: &str, key_id: &str, now_seconds: u64) -> bool {
        let fresh = (self.fetched_at..self.expires_at).contains(&now_seconds);
        let just_fetched = now_seconds < self.fetched_at.saturating_add(RETRY_SECONDS);
        self.url == url && fresh && (self.set.has(key_id) || just_fetched)
    }

    /// Reads what was stored; none when it is of another version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<KeyCache> {
        serde_json::from_slice(bytes).ok()
    }

    /// What to store.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The set.
    #[must_use]
    pub const fn keys(&self) -> &KeySet {
        &self.set
    }
}

/// That the keys could not be had, as it is kept in the store: else each token, good or not, would cost a fetch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysMissed {
    /// Where they were missed: another configuration may have them.
    url: String,
    noted_at: u64,
    until: u64,
}

impl KeysMissed {
    /// The store's key.
    pub const STORE_KEY: &str = "gateway:google-keys-missed";

    /// They could not be fetched now.
    #[must_use]
    pub fn new(url: &str, now_seconds: u64) -> Self {
        Self::trying(url, 0, now_seconds)
    }

    /// They were missed, and somebody tries again, which may take so many seconds: the others wait for what comes of it.
    #[must_use]
    pub fn trying(url: &str, takes_seconds: u64, now_seconds: u64) -> Self {
        let until = now_seconds.saturating_add(takes_seconds).saturating_add(MISSED_SECONDS);
        KeysMissed { url: url.to_owned(), noted_at: now_seconds, until }
    }

    /// Whether nobody is to try now. A note of the future comes from a clock that was set back.
    #[must_use]
    pub fn holds(&self, url: &str, now_seconds: u64) -> bool {
        self.url == url && (self.noted_at..self.until).contains(&now_seconds)
    }

    /// Reads what was stored; none when it is of another version.
    #[must_use]
    pub fn from_bytes(bytes: &[u8]) -> Option<KeysMissed> {
        serde_json::from_slice(bytes).ok()
    }

    /// What to store.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }
}

/// How long a response may be kept, by its `Cache-Control` and `Age`; empty where it has none.
#[must_use]
pub fn max_age_seconds(cache_control: &str, age: &str) -> u64 {
    let max_age = cache_control.split(',').find_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        if !name.trim().eq_ignore_ascii_case("max-age") {
            return None;
        }
        value.trim().trim_matches('"').parse::<u64>().ok()
    });
    let age = age.trim().parse().unwrap_or(0);
    let left = max_age.map_or(DEFAULT_SECONDS, |max_age| max_age.saturating_sub(age));
    left.clamp(SHORTEST_SECONDS, LONGEST_SECONDS)
}
