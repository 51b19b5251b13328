//! Tokens signed with keys made here, and everything that can be wrong with one.

use std::sync::LazyLock;

use rsa::pkcs1v15::SigningKey;
use rsa::signature::{SignatureEncoding as _, Signer as _};
use rsa::traits::PublicKeyParts as _;
use rsa::{RsaPrivateKey, rand_core::OsRng};
use serde_json::{Value, json};

use super::*;

const NOW: u64 = 1_800_000_000;

static GOOGLE: LazyLock<RsaPrivateKey> = LazyLock::new(|| private_key(2048));
static OTHER: LazyLock<RsaPrivateKey> = LazyLock::new(|| private_key(2048));
static SHORT: LazyLock<RsaPrivateKey> = LazyLock::new(|| private_key(1024));

fn private_key(bits: usize) -> RsaPrivateKey {
    RsaPrivateKey::new(&mut OsRng, bits).unwrap()
}

fn encode(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn jwk(kid: &str, key: &RsaPrivateKey, extra: Value) -> Value {
    let mut jwk = json!({
        "kid": kid, "kty": "RSA", "alg": "RS256", "use": "sig",
        "n": encode(key.n().to_bytes_be()), "e": encode(key.e().to_bytes_be()),
    });
    jwk.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
    jwk
}

fn keys() -> KeySet {
    let set = json!({ "keys": [
        jwk("g1", &GOOGLE, json!({ "x5c": ["ignored"] })),
        jwk("short", &SHORT, json!({})),
        jwk("encryption", &GOOGLE, json!({ "use": "enc" })),
        jwk("rs512", &GOOGLE, json!({ "alg": "RS512" })),
        jwk("broken", &GOOGLE, json!({ "n": "!!" })),
        { "kid": "curve", "kty": "EC", "crv": "P-256" },
    ]});
    KeySet::read(set.to_string().as_bytes()).unwrap()
}

fn claims() -> Value {
    json!({
        "iss": "https://accounts.google.com", "aud": "client", "exp": NOW + 3600,
        "iat": NOW - 10, "email": "ada@example.org", "email_verified": true, "name": "Ada",
        "sub": "1",
    })
}

fn with(field: &str, value: Value) -> Value {
    let mut claims = claims();
    claims[field] = value;
    claims
}

fn without(field: &str) -> Value {
    let mut claims = claims();
    claims.as_object_mut().unwrap().remove(field);
    claims
}

fn sign(header: &Value, claims: &Value, key: &RsaPrivateKey) -> String {
    let signed = format!("{}.{}", encode(header.to_string()), encode(claims.to_string()));
    let signature = SigningKey::<Sha256>::new(key.clone()).sign(signed.as_bytes());
    format!("{signed}.{}", encode(signature.to_bytes()))
}

fn google(claims: &Value) -> String {
    sign(&json!({ "alg": "RS256", "kid": "g1", "typ": "JWT" }), claims, &GOOGLE)
}

fn verify(token: &str) -> Result<Identity, TokenError> {
    let audiences = ["client".to_owned(), "second".to_owned()];
    Token::parse(token)?.verify(&keys(), &audiences, NOW)
}

#[test]
fn a_good_token_names_its_owner() {
    let ada = Identity {
        email: EmailAddress::parse("ada@example.org").unwrap(),
        name: Some("Ada".into()),
    };
    assert_eq!(verify(&google(&claims())), Ok(ada.clone()));
    for same in [
        with("iss", json!("accounts.google.com")),
        with("aud", json!("second")),
        with("aud", json!(["x", "client"])),
        with("email_verified", json!("true")),
        // Clocks differ.
        with("exp", json!(NOW - 59)),
        with("iat", json!(NOW + 59)),
    ] {
        assert_eq!(verify(&google(&same)), Ok(ada.clone()), "{same}");
    }
    assert_eq!(verify(&google(&without("name"))).unwrap().name, None);
}

#[test]
fn what_a_token_says_must_be_right() {
    for (claims, error) in [
        (with("exp", json!(NOW - 60)), TokenError::Expired),
        (with("exp", json!("tomorrow")), TokenError::Malformed),
        (without("exp"), TokenError::Malformed),
        (with("aud", json!("clien")), TokenError::Audience),
        (with("aud", json!([])), TokenError::Audience),
        (without("aud"), TokenError::Malformed),
        (with("iss", json!("https://accounts.google.com.evil.org")), TokenError::Issuer),
        (with("iat", json!(NOW + 61)), TokenError::NotYet),
        (with("nbf", json!(NOW + 61)), TokenError::NotYet),
        (with("email_verified", json!(false)), TokenError::Email),
        (with("email", json!("ada@evil.com@example.org")), TokenError::Email),
        (with("email", json!("ada @example.org")), TokenError::Email),
        (with("email", json!("example.org")), TokenError::Email),
        (with("email_verified", json!("false")), TokenError::Email),
        (without("email_verified"), TokenError::Email),
        (without("email"), TokenError::Email),
        (with("email", json!("")), TokenError::Email),
    ] {
        assert_eq!(verify(&google(&claims)), Err(error), "{claims}");
    }
}

#[test]
fn only_rs256_by_a_published_key_counts() {
    let header = |alg: &str, kid: &str| json!({ "alg": alg, "kid": kid });
    for (token, error) in [
        (sign(&header("RS256", "g1"), &claims(), &OTHER), TokenError::Signature),
        (sign(&header("RS256", "g2"), &claims(), &GOOGLE), TokenError::UnknownKey),
        (sign(&json!({ "alg": "RS256" }), &claims(), &GOOGLE), TokenError::UnknownKey),
        (sign(&header("RS256", "short"), &claims(), &SHORT), TokenError::UnknownKey),
        (sign(&header("RS256", "encryption"), &claims(), &GOOGLE), TokenError::UnknownKey),
        (sign(&header("RS256", "rs512"), &claims(), &GOOGLE), TokenError::UnknownKey),
        (sign(&header("RS256", "broken"), &claims(), &GOOGLE), TokenError::UnknownKey),
        (sign(&header("RS256", "curve"), &claims(), &GOOGLE), TokenError::UnknownKey),
        (sign(&header("none", "g1"), &claims(), &GOOGLE), TokenError::Algorithm),
        (sign(&header("rs256", "g1"), &claims(), &GOOGLE), TokenError::Algorithm),
        (sign(&header("RS512", "g1"), &claims(), &GOOGLE), TokenError::Algorithm),
        (
            sign(&json!({ "alg": "RS256", "kid": "g1", "crit": ["x"] }), &claims(), &GOOGLE),
            TokenError::Algorithm,
        ),
    ] {
        assert_eq!(verify(&token), Err(error), "{token}");
    }
}

#[test]
fn a_token_without_signature_or_with_a_hash_of_the_public_key_is_refused() {
    let none =
        format!("{}.{}.", encode(r#"{"alg":"none","kid":"g1"}"#), encode(claims().to_string()));
    assert_eq!(verify(&none), Err(TokenError::Algorithm));
    let unsigned =
        format!("{}.{}.", encode(r#"{"alg":"RS256","kid":"g1"}"#), encode(claims().to_string()));
    assert_eq!(verify(&unsigned), Err(TokenError::Signature));
    // The classic confusion: the public key taken as the secret of an HMAC.
    use sha2::Digest as _;
    let signed =
        format!("{}.{}", encode(r#"{"alg":"HS256","kid":"g1"}"#), encode(claims().to_string()));
    let mac = Sha256::digest([GOOGLE.n().to_bytes_be(), signed.clone().into_bytes()].concat());
    let confused = format!("{signed}.{}", encode(mac));
    assert_eq!(verify(&confused), Err(TokenError::Algorithm));
}

#[test]
fn changed_claims_break_the_signature() {
    let token = google(&claims());
    let [header, _, signature] = token.split('.').collect::<Vec<_>>()[..] else { panic!() };
    let forged = encode(with("email", json!("eve@example.org")).to_string());
    assert_eq!(verify(&format!("{header}.{forged}.{signature}")), Err(TokenError::Signature));
}

#[test]
fn what_is_no_token_is_refused() {
    let long = "a".repeat(MAX_TOKEN_BYTES + 1);
    for text in ["", "a", "a.b", "a.b.c", "..", "e30.e30.e30", "!.!.!", "a.b.c.d", &long] {
        assert_eq!(verify(text), Err(TokenError::Malformed), "{text}");
    }
}

#[test]
fn keys_are_kept_while_they_serve() {
    let cache = KeyCache::new("u", keys(), 600, NOW);
    assert!(cache.serves("u", "g1", NOW));
    assert!(cache.serves("u", "g1", NOW + 599));
    assert!(!cache.serves("u", "g1", NOW + 600), "too old");
    assert!(!cache.serves("u", "g1", NOW - 1), "from the future");
    assert!(!cache.serves("v", "g1", NOW), "from elsewhere");
    assert!(cache.serves("u", "new", NOW + 59), "just fetched: the key does not exist");
    assert!(!cache.serves("u", "new", NOW + 60), "keys may have been renewed");
    assert_eq!(KeyCache::from_bytes(&cache.to_bytes()), Some(cache));
    assert_eq!(KeyCache::from_bytes(b"{}"), None);
}

#[test]
fn keys_that_were_missed_are_not_fetched_for_everybody() {
    let missed = KeysMissed::new("u", NOW);
    assert!(missed.holds("u", NOW) && missed.holds("u", NOW + 9));
    assert!(!missed.holds("u", NOW + 10), "somebody may try again");
    assert!(!missed.holds("u", NOW - 1), "from the future");
    assert!(!missed.holds("v", NOW), "elsewhere they may be had");
    // Whoever tries again keeps the others out for as long as that may take, and so does its failure.
    let tries = KeysMissed::trying("u", 15, NOW);
    assert!(tries.holds("u", NOW + 24) && !tries.holds("u", NOW + 25));
    assert_eq!(KeysMissed::from_bytes(&missed.to_bytes()), Some(missed));
    assert_eq!(KeysMissed::from_bytes(b"{}"), None);
}

#[test]
fn the_response_says_how_long() {
    for (cache_control, age, seconds) in [
        ("public, max-age=19845, must-revalidate", "", 19_845),
        ("Max-Age=\"700\"", "100", 600),
        ("max-age=0", "", 60),
        ("max-age=99999999", "", 86_400),
        ("no-store", "", 300),
        ("s-maxage=900", "", 300),
        ("", "", 300),
    ] {
        assert_eq!(max_age_seconds(cache_control, age), seconds, "{cache_control:?}");
    }
}
