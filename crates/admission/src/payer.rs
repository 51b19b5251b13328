//! Who pays for an ask: the caller, the operator, or nobody, and then perhaps another model answers.
//!
//! Border: what is known about the model's provider, the caller and the request in; a decision
//! out. No key of the operator's passes through here.

use quarry_types::Credential;

/// What decides on the payment.
#[derive(Debug, Clone, Copy)]
pub struct Payer<'a> {
    /// The model, `provider:name`.
    pub model: &'a str,
    /// Whether its provider needs a key at all.
    pub needs_key: bool,
    /// Whether the operator has one for it.
    pub has_operator_key: bool,
    /// Whether this caller may use the operator's keys.
    pub operator_keys: bool,
    /// The caller's own key.
    pub own_key: Option<OwnKey<'a>>,
    /// The operator's variable `fallback_model`, as it was set.
    pub fallback: Option<&'a str>,
}

/// A caller's own key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OwnKey<'a> {
    /// As it was sent.
    pub text: &'a str,
    /// Whether it pays only where nobody else does: clients that need no key send some word all the same.
    pub is_spare: bool,
}

/// Who pays.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Payment {
    /// This key.
    Pays(Credential),
    /// Nobody: this model is to answer instead. Whether somebody pays for it is asked again.
    FallBack {
        /// `provider:name`.
        model: String,
        /// Why the one that was asked for does not answer: a clause without a full stop.
        reason: String,
    },
    /// Nobody: the ask is refused.
    Refuse {
        /// What to do about it.
        message: String,
    },
}

/// Bytes of a key: every provider's are longer than this.
const SHORTEST_KEY: usize = 24;

impl Payer<'_> {
    /// Whether somebody pays without the caller's own key. A provider that needs none may still have one (custom,
    /// ollama): it is the operator's, and for those who may use it.
    const fn is_paid(&self) -> bool {
        match self.operator_keys {
            true => self.has_operator_key || !self.needs_key,
            false => !self.has_operator_key && !self.needs_key,
        }
    }

    /// The caller's own key, where it is to pay: one that is spare not where somebody else does, and not where it is too
    /// short for a key and another model would answer.
    fn paying_key(&self) -> Option<&str> {
        let OwnKey { text, is_spare } = self.own_key?;
        let key = given(Some(text))?;
        let is_word = key.len() < SHORTEST_KEY && given(self.fallback).is_some();
        (!is_spare || !self.is_paid() && !is_word).then_some(key)
    }
}

/// Decides who pays. Only callers who may use the operator's keys ever get them.
#[must_use]
pub fn payment(payer: Payer<'_>) -> Payment {
    if let Some(key) = payer.paying_key() {
        return Payment::Pays(Credential::Caller(key.to_owned()));
    }
    if payer.is_paid() {
        return Payment::Pays(Credential::Operator);
    }
    let provider = payer.model.split(':').next().unwrap_or_default();
    if let Some(model) = given(payer.fallback).filter(|model| *model != payer.model) {
        let reason = match payer.operator_keys {
            true => format!("there is no key for {provider}"),
            false => format!("the caller sent no key for {provider}"),
        };
        return Payment::FallBack { model: model.to_owned(), reason };
    }
    let message = match payer.operator_keys {
        true => format!(
            "no key for {provider}: send apiKey, or set SPIN_VARIABLE_{}_API_KEY",
            provider.to_uppercase()
        ),
        false => format!(
            "send apiKey, your own key for {provider}: this server's keys are not yours to use"
        ),
    };
    Payment::Refuse { message }
}

/// Decides who pays for the model that is to answer instead; the error says what to do about it.
/// A caller's own key was sent for another provider and never goes to this one, and nothing answers
/// instead of what answers instead.
///
/// # Errors
/// The words of a refusal, when nobody pays.
pub fn payment_instead(payer: Payer<'_>) -> Result<Credential, String> {
    match payment(Payer { own_key: None, fallback: None, ..payer }) {
        Payment::Pays(credential) => Ok(credential),
        Payment::FallBack { reason: message, .. } | Payment::Refuse { message } => Err(message),
    }
}

fn given(text: Option<&str>) -> Option<&str> {
    text.map(str::trim).filter(|text| !text.is_empty())
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
        fallback: None,
    };
    const OPERATOR: Payment = Payment::Pays(Credential::Operator);

    /// Every provider with every caller.
    fn all() -> impl Iterator<Item = Payer<'static>> {
        (0..8).map(|bits| Payer {
            needs_key: bits & 1 > 0,
            has_operator_key: bits & 2 > 0,
            operator_keys: bits & 4 > 0,
            ..NOBODY
        })
    }

    fn sent(text: &str) -> Option<OwnKey<'_>> {
        Some(OwnKey { text, is_spare: false })
    }

    #[test]
    fn a_word_of_a_client_that_needs_no_key_keeps_nobody_else_from_answering() {
        let long = "sk-0123456789abcdef0123456789";
        for payer in all() {
            let with = Payer { fallback: Some("local:extractive"), ..payer };
            let is_paid = matches!(payment(payer), Payment::Pays(_));
            for (text, payer, counts) in [
                ("none", payer, !is_paid),
                ("none", with, false),
                (long, payer, !is_paid),
                (long, with, !is_paid),
            ] {
                let spare = Payer { own_key: Some(OwnKey { text, is_spare: true }), ..payer };
                let own = Payment::Pays(Credential::Caller(text.into()));
                let expected = if counts { own } else { payment(payer) };
                assert_eq!(payment(spare), expected, "{spare:?}");
            }
        }
    }

    fn refused(payer: Payer<'_>) -> String {
        match payment(payer) {
            Payment::Refuse { message } => message,
            other => panic!("{payer:?} gave {other:?}"),
        }
    }

    #[test]
    fn an_own_key_always_pays_and_a_blank_one_is_none() {
        for payer in all() {
            let fallback = Some("local:extractive");
            let own = Payment::Pays(Credential::Caller("own".into()));
            assert_eq!(payment(Payer { own_key: sent(" own \n"), fallback, ..payer }), own);
            assert_eq!(payment(Payer { own_key: sent(" \t"), ..payer }), payment(payer));
        }
    }

    #[test]
    fn the_operators_key_is_for_those_who_may() {
        for payer in all().filter(|payer| payer.has_operator_key) {
            match payer.operator_keys {
                true => assert_eq!(payment(payer), OPERATOR),
                // Not even where the provider could do without one.
                false => assert!(refused(payer).contains("not yours to use"), "{payer:?}"),
            }
        }
    }

    #[test]
    fn what_needs_no_key_and_has_none_is_free_for_all() {
        for payer in all().filter(|payer| !payer.needs_key && !payer.has_operator_key) {
            assert_eq!(payment(payer), OPERATOR);
        }
    }

    #[test]
    fn who_lacks_a_key_is_told_what_to_do() {
        assert_eq!(
            refused(Payer { operator_keys: true, ..NOBODY }),
            "no key for openai: send apiKey, or set SPIN_VARIABLE_OPENAI_API_KEY"
        );
        assert_eq!(
            refused(NOBODY),
            "send apiKey, your own key for openai: this server's keys are not yours to use"
        );
    }

    #[test]
    fn another_model_answers_only_where_the_ask_would_be_refused() {
        for payer in all() {
            let with = Payer { fallback: Some(" local:extractive "), ..payer };
            match (payment(payer), payment(with)) {
                (Payment::Refuse { .. }, Payment::FallBack { model, reason }) => {
                    assert_eq!(model, "local:extractive");
                    assert!(reason.contains("openai"), "{reason}");
                }
                (without, with) => assert_eq!(without, with, "{payer:?}"),
            }
        }
        // Nothing falls back on itself, and an empty variable is none.
        for fallback in ["openai:x", "", " "] {
            refused(Payer { fallback: Some(fallback), ..NOBODY });
        }
    }

    #[test]
    fn what_answers_instead_gets_no_callers_key_and_has_nothing_behind_it() {
        for payer in all() {
            let with = Payer { own_key: sent("own"), fallback: Some("groq:y"), ..payer };
            match payment(payer) {
                Payment::Pays(credential) => assert_eq!(payment_instead(with), Ok(credential)),
                Payment::Refuse { message } => assert_eq!(payment_instead(with), Err(message)),
                Payment::FallBack { .. } => panic!("{payer:?} has no fallback"),
            }
        }
    }
}
