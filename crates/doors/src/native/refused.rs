//! What a stream says that is refused: one `error`, and before it whatever a front end of the
//! original needs to show anything at all.
//!
//! Border: a refusal and the clock in, events out. Their numbers begin at 1, as in a stream of
//! an ask that began; no log has them.

use quarry_events::{At, Failure, Init, Log, Payload};
use quarry_types::Timestamp;

use crate::refusal::Keyless;
use crate::{Event, Refusal};

/// The events of a refused stream.
#[must_use]
pub fn events(refusal: &Refusal, now: Timestamp) -> Vec<Event> {
    let mut events = match refusal {
        Refusal::MissingKey(keyless) => introduction(keyless, now).to_vec(),
        Refusal::InvalidJson(_)
        | Refusal::NoObject { .. }
        | Refusal::NeedsKey(_)
        | Refusal::NotAcceptable(_)
        | Refusal::Conflict { .. }
        | Refusal::Taken(_)
        | Refusal::ReusedKey
        | Refusal::InvalidField { .. }
        | Refusal::BadContinuation(_)
        | Refusal::Unauthorized(_)
        | Refusal::Forbidden(_)
        | Refusal::ForeignPage(_)
        | Refusal::NotFound(_)
        | Refusal::MethodNotAllowed { .. }
        | Refusal::TooLarge { .. }
        | Refusal::BrokeOff
        | Refusal::TooSlow { .. }
        | Refusal::RateLimited { .. }
        | Refusal::Busy { .. }
        | Refusal::Provider { .. }
        | Refusal::Internal(_)
        | Refusal::TooMuch(_)
        | Refusal::NoDocument(_)
        | Refusal::Unavailable(_) => Vec::new(),
    };
    events.push(error(refusal, now));
    for (number, event) in (1..).zip(&mut events) {
        event.sequence = Some(number);
    }
    events
}

/// The `error` event, without a number.
#[must_use]
pub fn error(refusal: &Refusal, now: Timestamp) -> Event {
    let failure = Failure::new(refusal.kind(), refusal.to_string(), now);
    let (wait_time, code) = (refusal.retry_after(), refusal.code().to_owned());
    event(&Failure { wait_time, code, ..failure })
}

/// `log` and `init` of an ask that never begins: the original's page shows nothing before them.
fn introduction(keyless: &Keyless, now: Timestamp) -> [Event; 2] {
    let timestamp = At(now);
    let message = "Quarry cannot take the question: there is no key for its model.".to_owned();
    let init = Init {
        id: None,
        query: keyless.query.clone(),
        model: keyless.model.clone(),
        user: keyless.user.clone(),
        allow_env_fallback: keyless.operator_keys,
        // What is built in needs no key.
        language_model: true,
        context_profile: keyless.context_profile.to_owned(),
        question: keyless.query.clone(),
        turns: 0,
        turns_left_out: 0,
        asked: None,
        fallback: None,
        timestamp,
    };
    [event(&Log { message, timestamp }), event(&init)]
}

fn event<P: Payload>(payload: &P) -> Event {
    let quarry_events::Event { name, data, .. } = quarry_events::Event::new(0, payload);
    Event { sequence: None, name, data }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quarry_events::User;
    use serde_json::{Value, json};

    const NOW: Timestamp = Timestamp(1_792_532_100_007);

    fn told(refusal: &Refusal) -> Vec<(u64, &'static str, Value)> {
        let told = |event: Event| {
            (
                event.sequence.unwrap(),
                event.name.as_str(),
                serde_json::from_str(&event.data).unwrap(),
            )
        };
        events(refusal, NOW).into_iter().map(told).collect()
    }

    #[test]
    fn most_refusals_are_one_error() {
        let at = NOW.iso();
        let error = json!({
            "error": "`model` wants provider:name", "type": "invalid_field",
            "code": "INVALID_FIELD", "timestamp": at,
        });
        let refusal = Refusal::field("model", "wants provider:name");
        assert_eq!(told(&refusal), [(1, "error", error)]);
        let limited = told(&Refusal::RateLimited { retry_after: 7 });
        assert_eq!(limited[0].2["waitTime"], 7);
    }

    #[test]
    fn before_a_missing_key_stands_what_was_asked() {
        let user = User { email: Some("ada@example.org".into()), name: None };
        let keyless = Keyless {
            message: "send apiKey".into(),
            query: "why?".into(),
            model: "openai:x".into(),
            context_profile: "roomy",
            user: Some(user.clone()),
            operator_keys: true,
        };
        let told = told(&Refusal::MissingKey(Box::new(keyless)));
        let names: Vec<_> = told.iter().map(|(number, name, _)| (*number, *name)).collect();
        assert_eq!(names, [(1, "log"), (2, "init"), (3, "error")]);
        assert_eq!(
            told[1].2,
            json!({
                "id": null, "query": "why?", "model": "openai:x", "user": user,
                "allowEnvFallback": true, "languageModel": true, "contextProfile": "roomy",
                "question": "why?", "turns": 0,
                "timestamp": NOW.iso(),
            })
        );
        assert_eq!(
            (&told[2].2["type"], &told[2].2["code"]),
            (&json!("missing_key"), &json!("NO_API_KEY"))
        );
    }
}
