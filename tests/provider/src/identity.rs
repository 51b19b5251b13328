//! ID tokens for tests, and the key set that verifies them.

use anyhow::{Context, Result, anyhow};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::rsa::{KeyPair, PublicKeyComponents};
use ring::signature::{KeyPair as _, RSA_PKCS1_SHA256};
use serde_json::{Value, json};

const KEY_ID: &str = "quarry-test-1";

/// Which of the two test keys signs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signer {
    /// The one in the key set.
    Known,
    /// One that nobody published.
    Unknown,
}

impl Signer {
    fn key(self) -> Result<KeyPair> {
        let bytes: &[u8] = match self {
            Signer::Known => include_bytes!("../keys/test-only.der"),
            Signer::Unknown => include_bytes!("../keys/test-only-other.der"),
        };
        KeyPair::from_der(bytes).map_err(|error| anyhow!("the test key is unusable: {error}"))
    }
}

/// The key set with the public half of the known key, as Google serves its own.
pub fn key_set() -> Result<Value> {
    let key = Signer::Known.key()?;
    let public: PublicKeyComponents<Vec<u8>> = key.public_key().into();
    Ok(json!({ "keys": [{
        "kty": "RSA", "alg": "RS256", "use": "sig", "kid": KEY_ID,
        "n": URL_SAFE_NO_PAD.encode(&public.n),
        "e": URL_SAFE_NO_PAD.encode(&public.e),
    }] }))
}

/// An ID token with these claims, in good order.
pub fn sign(claims: &Value) -> Result<String> {
    sign_with(Signer::Known, &json!({ "alg": "RS256", "kid": KEY_ID, "typ": "JWT" }), claims)
}

/// An ID token with a header of the test's making.
pub fn sign_with(signer: Signer, header: &Value, claims: &Value) -> Result<String> {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let signed = format!("{}.{}", part(header), part(claims));
    let key = signer.key()?;
    let mut signature = vec![0; key.public().modulus_len()];
    key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), signed.as_bytes(), &mut signature)
        .ok()
        .context("the test key does not sign")?;
    Ok(format!("{signed}.{}", URL_SAFE_NO_PAD.encode(signature)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use ring::signature::{RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents};

    fn verifies(token: &str) -> bool {
        let set = key_set().unwrap();
        let field =
            |name: &str| URL_SAFE_NO_PAD.decode(set["keys"][0][name].as_str().unwrap()).unwrap();
        let (signed, signature) = token.rsplit_once('.').unwrap();
        let signature = URL_SAFE_NO_PAD.decode(signature).unwrap();
        RsaPublicKeyComponents { n: field("n"), e: field("e") }
            .verify(&RSA_PKCS1_2048_8192_SHA256, signed.as_bytes(), &signature)
            .is_ok()
    }

    #[test]
    fn the_key_set_verifies_what_the_known_key_signed_and_nothing_else() {
        let claims = json!({ "email": "a@example.org" });
        let token = sign(&claims).unwrap();
        assert!(verifies(&token));
        assert!(!verifies(&token.replacen("ey", "eX", 1)));
        let header = json!({ "alg": "RS256", "kid": KEY_ID });
        assert!(!verifies(&sign_with(Signer::Unknown, &header, &claims).unwrap()));
    }
}
