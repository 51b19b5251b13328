//! Doors about the server itself: is it alive, and what does it answer?

use serde_json::json;

use crate::door::{Door, Opened, Voice};
use crate::{Head, OPENAPI, Order, Reply};

/// `GET /healthz`.
pub(crate) struct Health;

/// `GET /openapi.json`.
pub(crate) struct Description;

/// One JSON object, or a refusal with a real status.
pub(crate) struct Plain;

impl Voice for Plain {}

impl Door for Health {
    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        Box::new(Plain)
    }

    fn open(&self, _: &Head, _: &str, _: &[u8]) -> Opened {
        let body = json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") });
        let reply = Reply::json(200, body.to_string());
        Opened { order: Ok(Order::Reply(reply)), voice: Box::new(Plain) }
    }
}

impl Door for Description {
    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        Box::new(Plain)
    }

    fn open(&self, _: &Head, _: &str, _: &[u8]) -> Opened {
        Opened { order: Ok(Order::Reply(Reply::json(200, OPENAPI))), voice: Box::new(Plain) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn health_says_the_version() {
        let Ok(Order::Reply(reply)) = Health.open(&Head::default(), "", b"").order else {
            panic!("no reply")
        };
        let body: serde_json::Value = serde_json::from_slice(&reply.body).unwrap();
        assert_eq!(body, json!({ "status": "ok", "version": env!("CARGO_PKG_VERSION") }));
    }
}
