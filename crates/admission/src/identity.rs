//! Google ID tokens, verified: signature, issuer, audience, time, address.
//!
//! Border: a token, Google's keys and the clock in, an identity out. Fetching keys and keeping
//! them is the component's; when to do it is decided here ([`KeyCache`]).

mod keys;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rsa::pkcs1v15::{Signature, VerifyingKey};
use rsa::signature::Verifier as _;
use serde::Deserialize;
use sha2::Sha256;

use crate::{Denial, EmailAddress, Proof, Unproven};
pub use keys::{KeyCache, KeySet, KeysMissed, MAX_KEYS_BYTES, max_age_seconds};

const GOOGLE_KEYS_URL: &str = "https://www.googleapis.com/oauth2/v3/certs";

const ISSUERS: [&str; 2] = ["accounts.google.com", "https://accounts.google.com"];
/// Seconds by which clocks may differ.
const LEEWAY: u64 = 60;
/// Google's tokens have about 1,200 bytes.
const MAX_TOKEN_BYTES: usize = 8 * 1024;

/// Who a token speaks of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// Verified by Google.
    pub email: EmailAddress,
    /// As the account shows it.
    pub name: Option<String>,
}

/// Why a token counts for nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TokenError {
    /// Not three base64url parts of JSON.
    #[error("is no ID token")]
    Malformed,
    /// Signed in another way than Google does, or not at all.
    #[error("is not signed with RS256")]
    Algorithm,
    /// Signed with a key that Google does not publish.
    #[error("is signed with an unknown key")]
    UnknownKey,
    /// The signature does not fit.
    #[error("has a signature that does not fit")]
    Signature,
    /// Issued by somebody else.
    #[error("was not issued by Google")]
    Issuer,
    /// Issued for another application.
    #[error("was issued for another application")]
    Audience,
    /// Too late.
    #[error("has expired; sign in again")]
    Expired,
    /// Too early.
    #[error("is not valid yet; check the clocks")]
    NotYet,
    /// The token has no address, or one that is not confirmed, or what is none.
    #[error("has no verified e-mail address")]
    Email,
}

impl From<TokenError> for Denial {
    fn from(error: TokenError) -> Self {
        let proof = match error {
            TokenError::Expired => Proof::ExpiredToken,
            _ => Proof::Token,
        };
        Denial::Unauthorized(Unproven::new(proof, format!("`google_token` {error}")))
    }
}

/// Reads the variable `google_keys_url` (empty: Google's own address).
#[must_use]
pub fn keys_url(variable: &str) -> &str {
    if variable.is_empty() { GOOGLE_KEYS_URL } else { variable }
}

/// A token whose form is right and whose signature is not yet checked.
#[derive(Debug)]
pub struct Token<'t> {
    key_id: String,
    signed: &'t str,
    claims: &'t str,
    signature: Vec<u8>,
}

#[derive(Deserialize)]
struct Header {
    alg: String,
    kid: Option<String>,
    /// Extensions that must be understood; we understand none.
    crit: Option<serde_json::Value>,
}

#[derive(Deserialize)]
struct Claims {
    iss: String,
    aud: Audience,
    exp: f64,
    nbf: Option<f64>,
    iat: Option<f64>,
    email: Option<String>,
    email_verified: Option<Flag>,
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// Google has sent both spellings.
#[derive(Deserialize)]
#[serde(untagged)]
enum Flag {
    Bool(bool),
    Text(String),
}

impl<'t> Token<'t> {
    /// Reads a token's form.
    ///
    /// # Errors
    /// [`TokenError::Malformed`], [`TokenError::Algorithm`], or [`TokenError::UnknownKey`] when it names
    /// no key.
    pub fn parse(token: &'t str) -> Result<Token<'t>, TokenError> {
        if token.len() > MAX_TOKEN_BYTES {
            return Err(TokenError::Malformed);
        }
        let (signed, signature) = token.rsplit_once('.').ok_or(TokenError::Malformed)?;
        let (header, claims) = signed.split_once('.').ok_or(TokenError::Malformed)?;
        let header: Header = part(header)?;
        // The algorithm is ours to choose, never the token's.
        if header.alg != "RS256" || header.crit.is_some() {
            return Err(TokenError::Algorithm);
        }
        Ok(Token {
            key_id: header.kid.ok_or(TokenError::UnknownKey)?,
            signed,
            claims,
            signature: decode(signature)?,
        })
    }

    /// Which of Google's keys it says to be signed with.
    #[must_use]
    pub fn key_id(&self) -> &str {
        &self.key_id
    }

    /// Verifies the signature and then everything that the token says.
    ///
    /// # Errors
    /// Any [`TokenError`].
    pub fn verify(
        &self,
        keys: &KeySet,
        audiences: &[String],
        now_seconds: u64,
    ) -> Result<Identity, TokenError> {
        let key = keys.find(&self.key_id).ok_or(TokenError::UnknownKey)?;
        let signature =
            Signature::try_from(self.signature.as_slice()).map_err(|_| TokenError::Signature)?;
        VerifyingKey::<Sha256>::new(key)
            .verify(self.signed.as_bytes(), &signature)
            .map_err(|_| TokenError::Signature)?;
        part::<Claims>(self.claims)?.check(audiences, now_seconds)
    }
}

impl Claims {
    fn check(self, audiences: &[String], now_seconds: u64) -> Result<Identity, TokenError> {
        if !ISSUERS.contains(&self.iss.as_str()) {
            return Err(TokenError::Issuer);
        }
        let ours = match &self.aud {
            Audience::One(one) => audiences.contains(one),
            Audience::Many(many) => many.iter().any(|one| audiences.contains(one)),
        };
        if !ours {
            return Err(TokenError::Audience);
        }
        #[expect(clippy::cast_precision_loss, reason = "seconds since 1970 fit")]
        let (now, leeway) = (now_seconds as f64, LEEWAY as f64);
        if self.exp + leeway <= now {
            return Err(TokenError::Expired);
        }
        if [self.nbf, self.iat].into_iter().flatten().any(|begin| begin > now + leeway) {
            return Err(TokenError::NotYet);
        }
        let verified = match self.email_verified {
            Some(Flag::Bool(flag)) => flag,
            Some(Flag::Text(text)) => text == "true",
            None => false,
        };
        // What Google verified is an address; whatever is none was not made by Google.
        let email = self.email.filter(|_| verified).and_then(|text| EmailAddress::parse(&text));
        email.map(|email| Identity { email, name: self.name }).ok_or(TokenError::Email)
    }
}

fn part<T: serde::de::DeserializeOwned>(text: &str) -> Result<T, TokenError> {
    serde_json::from_slice(&decode(text)?).map_err(|_| TokenError::Malformed)
}

fn decode(text: &str) -> Result<Vec<u8>, TokenError> {
    URL_SAFE_NO_PAD.decode(text).map_err(|_| TokenError::Malformed)
}

#[cfg(test)]
mod tests;
