//! Whose key pays for an ask.
//!
//! Border: what is known about the model's provider, the caller and the request in; a key or a
//! denial out. No key of the operator's passes through here.

use quarry_types::Credential;

use crate::Denial;

/// What decides on the key: the provider, and who asks.
#[derive(Debug, Clone, Copy)]
pub struct Payer<'a> {
    /// `provider:name`.
    pub model: &'a str,
    /// Whether the provider needs a key at all.
    pub needs_key: bool,
    /// Whether the operator has one for it.
    pub has_operator_key: bool,
    /// Whether this caller may use the operator's keys.
    pub operator_keys: bool,
    /// The caller's own key, as it was sent.
    pub own_key: Option<&'a str>,
}

/// Whose key pays. Only callers who may use the operator's keys ever get them.
///
/// # Errors
/// [`Denial::MissingKey`] when there is none that may be used.
pub fn credential(payer: Payer<'_>) -> Result<Credential, Denial> {
    if let Some(key) = payer.own_key.map(str::trim).filter(|key| !key.is_empty()) {
        return Ok(Credential::Caller(key.to_owned()));
    }
    // A provider that needs no key may still have one (custom, ollama): it is the operator's.
    let keyless = !payer.needs_key && !payer.has_operator_key;
    if keyless || (!payer.needs_key && payer.operator_keys) {
        return Ok(Credential::Operator);
    }
    let provider = payer.model.split(':').next().unwrap_or_default();
    if !payer.operator_keys {
        return Err(Denial::MissingKey(format!(
            "send apiKey, your own key for {provider}: this server's keys are not yours to use"
        )));
    }
    if !payer.has_operator_key {
        return Err(Denial::MissingKey(format!(
            "no key for {provider}: send apiKey, or set the variable {provider}_api_key"
        )));
    }
    Ok(Credential::Operator)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOBODY: Payer<'_> = Payer {
        model: "openai:x",
        needs_key: true,
        has_operator_key: false,
        operator_keys: false,
        own_key: None,
    };

    fn denied(payer: Payer<'_>) -> String {
        match credential(payer) {
            Err(Denial::MissingKey(message)) => message,
            other => panic!("{payer:?} gave {other:?}"),
        }
    }

    #[test]
    fn an_own_key_always_pays() {
        for bits in 0..8 {
            let payer = Payer {
                needs_key: bits & 1 > 0,
                has_operator_key: bits & 2 > 0,
                operator_keys: bits & 4 > 0,
                own_key: Some(" own \n"),
                ..NOBODY
            };
            assert_eq!(credential(payer), Ok(Credential::Caller("own".into())), "{payer:?}");
            let blank = Payer { own_key: Some(" \t"), ..payer };
            let none = Payer { own_key: None, ..payer };
            assert_eq!(credential(blank), credential(none), "a blank key is none");
        }
    }

    #[test]
    fn the_operators_key_is_for_those_who_may() {
        let there = Payer { has_operator_key: true, ..NOBODY };
        assert!(denied(there).contains("not yours to use"));
        assert_eq!(credential(Payer { operator_keys: true, ..there }), Ok(Credential::Operator));
        // Nor does a provider that could do without a key give the operator's away.
        let optional = Payer { needs_key: false, ..there };
        assert!(denied(optional).contains("not yours to use"));
        assert_eq!(credential(Payer { operator_keys: true, ..optional }), Ok(Credential::Operator));
    }

    #[test]
    fn what_needs_no_key_and_has_none_is_free_for_all() {
        for operator_keys in [false, true] {
            let payer = Payer { needs_key: false, operator_keys, ..NOBODY };
            assert_eq!(credential(payer), Ok(Credential::Operator));
        }
    }

    #[test]
    fn a_missing_key_is_named_with_its_variable() {
        let message = denied(Payer { operator_keys: true, ..NOBODY });
        assert!(message.contains("openai_api_key"), "{message}");
    }
}
