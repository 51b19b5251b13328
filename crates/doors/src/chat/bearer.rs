//! What a Bearer token stands for: the operator's secret, a sign-in, or the caller's own key for a provider.
//!
//! Border: the head, the operator's rules and the variable `bearer` in; who proves what out. No token is ever sent
//! on to a provider that the operator pays for.

use quarry_admission::Access;

use crate::native::{MAX_KEY_CHARACTERS, MAX_TOKEN_CHARACTERS};
use crate::own_key::{is_one_line, own_key};
use crate::runs::is_token;
use crate::{Head, Hidden, Refusal};

/// What the operator takes tokens for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BearerRule {
    /// A secret or a sign-in where either is set up, else a key where the operator has none.
    Auto,
    /// A secret or a sign-in, and nothing else.
    Secret,
    /// A key, whatever sign-in is set up.
    ProviderKey,
}

impl BearerRule {
    /// Reads the variable `bearer`: `auto` (or empty), `secret` or `provider-key`.
    ///
    /// # Errors
    /// [`Refusal::Unavailable`] for another word, and for `provider-key` where a secret is wanted: a Bearer is all that
    /// clients of these doors send it by, so nobody would be let in.
    pub fn read(variable: &str, access: &Access) -> Result<BearerRule, Refusal> {
        match variable.trim() {
            "" | "auto" => Ok(BearerRule::Auto),
            "secret" => Ok(BearerRule::Secret),
            "provider-key" if access.has_secret() => Err(Refusal::Unavailable(
                "this server's bearer must not be provider-key where access_secret is set: no Bearer could be that secret; its operator sets bearer to auto, and callers send keys of their own as X-Provider-Key"
                    .to_owned(),
            )),
            "provider-key" => Ok(BearerRule::ProviderKey),
            _ => Err(Refusal::Unavailable(
                "this server's bearer must be auto, secret or provider-key".to_owned(),
            )),
        }
    }
}

/// What a caller sent to prove itself or to pay with.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proofs {
    /// For the comparison with the operator's access secret.
    pub secret: Option<Hidden>,
    /// A Google ID token.
    pub google_token: Option<Hidden>,
    /// A key for the model's provider.
    pub key: Option<Hidden>,
    /// Whether that key counts only where nobody else pays: clients without one send any word.
    pub is_spare: bool,
}

impl Proofs {
    /// Who the head says it is, by these rules, where nothing is paid for.
    #[must_use]
    pub fn read(head: &Head, rule: BearerRule, access: &Access) -> Proofs {
        let proofs = Proofs::of(bearer(head).filter(fits_a_token), None, rule, access);
        Proofs { key: None, is_spare: false, ..proofs }
    }

    /// What the head says, by these rules.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] for an own key that cannot be one: without it another would pay.
    pub fn paying(head: &Head, rule: BearerRule, access: &Access) -> Result<Proofs, Refusal> {
        let own = usable(head.provider_key.clone(), "X-Provider-Key")?;
        let Some(token) = bearer(head) else {
            return Ok(Proofs { key: own, ..Proofs::default() });
        };
        if rule == BearerRule::ProviderKey && own.is_none() {
            let key = usable(Some(token), "Authorization")?;
            return Ok(Proofs { key, ..Proofs::default() });
        }
        Ok(Proofs::of(Some(token).filter(fits_a_token), own, rule, access))
    }

    fn of(token: Option<Hidden>, own: Option<Hidden>, rule: BearerRule, access: &Access) -> Proofs {
        let Some(token) = token else { return Proofs { key: own, ..Proofs::default() } };
        let is_closed = access.has_secret() || access.reads_tokens();
        match rule {
            BearerRule::Auto | BearerRule::Secret if is_closed => {
                let signs_in =
                    access.reads_tokens() && (is_token(&token.0) || !access.has_secret());
                let (secret, google_token) =
                    if signs_in { (None, Some(token)) } else { (Some(token), None) };
                Proofs { secret, google_token, key: own, is_spare: false }
            }
            BearerRule::Secret | BearerRule::ProviderKey => {
                Proofs { key: own, ..Proofs::default() }
            }
            BearerRule::Auto => {
                let is_spare = own.is_none();
                Proofs {
                    key: own.or(Some(token).filter(fits_a_key)),
                    is_spare,
                    ..Proofs::default()
                }
            }
        }
    }
}

/// A key that stands in a header of this name; what is blank is none.
fn usable(key: Option<Hidden>, header: &str) -> Result<Option<Hidden>, Refusal> {
    if key.as_ref().is_some_and(|key| !is_short(key)) {
        let wants = format!("is too long for a key; send at most {MAX_KEY_CHARACTERS} characters");
        return Err(Refusal::field(header, &wants));
    }
    if key.as_ref().is_some_and(|Hidden(key)| key.contains(char::REPLACEMENT_CHARACTER)) {
        return Err(Refusal::field(header, "is no text; send the key as its provider wrote it"));
    }
    Ok(own_key(key.map(|Hidden(key)| key), header)?.map(Hidden))
}

fn fits_a_token(token: &Hidden) -> bool {
    token.0.len() <= MAX_TOKEN_CHARACTERS
}

fn fits_a_key(key: &Hidden) -> bool {
    is_short(key) && is_one_line(&key.0)
}

fn is_short(key: &Hidden) -> bool {
    key.0.chars().count() <= MAX_KEY_CHARACTERS
}

/// The token, in whichever header a client of this protocol sends it.
fn bearer(head: &Head) -> Option<Hidden> {
    let of_scheme = head.authorization.as_ref().and_then(|Hidden(text)| {
        let (scheme, token) = text.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let alone = head.plain_key.as_ref().map(|Hidden(text)| text.trim());
    let token = of_scheme.or(alone).filter(|token| !token.is_empty());
    token.map(|token| Hidden(token.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "eyJhbGciOiJSUzI1NiJ9.e30.c2ln";

    fn head(token: &str) -> Head {
        Head { authorization: Some(Hidden(format!("Bearer {token}"))), ..Head::default() }
    }

    fn hidden(text: &str) -> Option<Hidden> {
        Some(Hidden(text.to_owned()))
    }

    fn read(head: &Head, rule: BearerRule, access: &Access) -> Proofs {
        Proofs::paying(head, rule, access).unwrap()
    }

    fn access(secret: &str, client_id: &str) -> Access {
        Access::read(secret, "", client_id).unwrap()
    }

    #[test]
    fn where_a_secret_is_set_a_token_is_never_a_key() {
        for rule in [BearerRule::Auto, BearerRule::Secret] {
            let proofs = read(&head("sk-1"), rule, &access("sesame", ""));
            assert_eq!(proofs, Proofs { secret: hidden("sk-1"), ..Proofs::default() });
            let proofs = read(&head(TOKEN), rule, &access("sesame", "id"));
            assert_eq!(proofs, Proofs { google_token: hidden(TOKEN), ..Proofs::default() });
            let proofs = read(&head("sk-1"), rule, &access("", "id"));
            assert_eq!(proofs, Proofs { google_token: hidden("sk-1"), ..Proofs::default() });
            let proofs = read(&head(TOKEN), rule, &access("sesame", ""));
            assert_eq!(proofs, Proofs { secret: hidden(TOKEN), ..Proofs::default() });
        }
        let with_key = Head { provider_key: hidden("sk-own"), ..head("sesame") };
        let proofs = read(&with_key, BearerRule::Auto, &access("sesame", ""));
        assert_eq!((proofs.secret, proofs.key), (hidden("sesame"), hidden("sk-own")));
    }

    #[test]
    fn an_open_server_takes_it_for_a_spare_key_or_for_nothing() {
        let open = access("", "");
        let proofs = read(&head("sk-1"), BearerRule::Auto, &open);
        assert_eq!(proofs, Proofs { key: hidden("sk-1"), is_spare: true, ..Proofs::default() });
        assert_eq!(read(&head("sk-1"), BearerRule::Secret, &open), Proofs::default());
        let proofs = read(&head("sk-1"), BearerRule::ProviderKey, &open);
        assert_eq!(proofs, Proofs { key: hidden("sk-1"), ..Proofs::default() });
        let azure = Head { plain_key: hidden("sk-2"), ..Head::default() };
        assert_eq!(read(&azure, BearerRule::Auto, &open).key, hidden("sk-2"));
        assert_eq!(read(&Head::default(), BearerRule::Auto, &open), Proofs::default());
    }

    #[test]
    fn an_own_key_that_cannot_be_one_is_refused_and_nobody_else_pays() {
        let own = |key: &str| Head { provider_key: hidden(key), ..head("sesame") };
        let long = "k".repeat(MAX_KEY_CHARACTERS);
        for rule in [BearerRule::Auto, BearerRule::Secret] {
            for closed in [access("sesame", ""), access("", "")] {
                for key in [format!("{long}k"), "sk-\u{fffd}".to_owned(), "sk-\u{1}-".to_owned()] {
                    match Proofs::paying(&own(&key), rule, &closed) {
                        Err(Refusal::InvalidField { field, message }) => {
                            assert_eq!(field, "X-Provider-Key");
                            assert!(!message.contains("kkk") && !message.contains("sk-"));
                        }
                        other => panic!("{other:?}"),
                    }
                }
                assert_eq!(read(&own(&long), rule, &closed).key, hidden(&long));
                assert_eq!(read(&own(" sk-own\t"), rule, &closed).key, hidden("sk-own"));
            }
        }
        for token in ["k".repeat(MAX_KEY_CHARACTERS + 1), "k".repeat(MAX_TOKEN_CHARACTERS + 1)] {
            let refused = Proofs::paying(&head(&token), BearerRule::ProviderKey, &access("", ""));
            assert!(refused.unwrap_err().to_string().contains("`Authorization` is too long"));
            // Nobody means it for a key where that is not the rule.
            assert_eq!(read(&head(&token), BearerRule::Auto, &access("", "")).key, None);
        }
        // Who pays for nothing says who it is all the same.
        let looking = Proofs::read(&own("sk-\u{fffd}"), BearerRule::Auto, &access("sesame", ""));
        assert_eq!(looking, Proofs { secret: hidden("sesame"), ..Proofs::default() });
        // A proxy may set it to nothing.
        assert_eq!(read(&own(" "), BearerRule::Secret, &access("sesame", "")).key, None);
    }

    #[test]
    fn the_rule_is_one_of_three_words() {
        let open = access("", "");
        assert_eq!(BearerRule::read(" ", &open), Ok(BearerRule::Auto));
        assert_eq!(BearerRule::read("provider-key", &open), Ok(BearerRule::ProviderKey));
        assert!(BearerRule::read("key", &open).unwrap_err().to_string().contains("bearer"));
    }

    #[test]
    fn a_rule_that_would_let_nobody_in_is_refused_by_its_names() {
        for closed in [access("sesame", ""), access("sesame", "id")] {
            let refusal = BearerRule::read("provider-key", &closed).unwrap_err();
            assert_eq!(refusal.status(), 503);
            let told = refusal.to_string();
            for name in ["bearer", "provider-key", "access_secret", "auto", "X-Provider-Key"] {
                assert!(told.contains(name), "{name}: {told}");
            }
            assert_eq!(BearerRule::read("secret", &closed), Ok(BearerRule::Secret));
        }
        // Sign-in alone keeps nobody out: who brings a key pays.
        let signed_in = access("", "id");
        assert_eq!(BearerRule::read("provider-key", &signed_in), Ok(BearerRule::ProviderKey));
    }
}
