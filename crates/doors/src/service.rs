//! Doors about the server itself: is it alive, and what does it answer?

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
        Opened { order: Ok(Order::Health), voice: Box::new(Plain) }
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
