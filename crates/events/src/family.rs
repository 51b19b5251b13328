//! What follows from a list of events: names, payload types, the closed union.
//!
//! Border: each family of events (an ask's, a run's) is a list in a module of its own; a new event is one
//! line in it and one type among its payloads.

/// Declares the events: `Name = "name" => Payload;`, with `, last` before the arrow where a
/// stream ends after it, and without an arrow where the payload is any JSON.
macro_rules! events {
    ($( $(#[doc = $doc:literal])+ $name:ident = $text:literal $(, $last:ident)? $(=> $payload:ident)?; )+) => {
        /// The payload of one event.
        pub trait Payload: serde::Serialize + serde::de::DeserializeOwned {
            /// The event's name.
            const NAME: EventName;
        }

        /// One event of a stream.
        #[derive(Debug, Clone, PartialEq, Eq)]
        pub struct Event {
            /// 1 for the first event of an ask, then without gaps.
            pub sequence: u64,
            /// Its name.
            pub name: EventName,
            /// Its payload: one line of JSON.
            pub data: String,
        }

        impl Event {
            /// The event with this payload. One that does not serialise (none should) is shown as an
            /// empty object, so that the numbering has no gaps.
            #[must_use]
            pub fn new<P: Payload>(sequence: u64, payload: &P) -> Self {
                let data = serde_json::to_string(payload).unwrap_or_else(|_| "{}".to_owned());
                Event { sequence, name: P::NAME, data }
            }

            /// Its payload, read.
            ///
            /// # Errors
            /// [`Unreadable`] when the payload is not of the declared shape.
            pub fn payload(&self) -> Result<AnyPayload, Unreadable> {
                AnyPayload::parse(self.name, &self.data)
            }
        }

        /// A payload that is not of the shape declared for its event.
        #[derive(Debug, thiserror::Error)]
        #[error("the payload of {} cannot be read: {error}", name.as_str())]
        pub struct Unreadable {
            /// Of which event.
            pub name: EventName,
            /// What is wrong.
            #[source]
            pub error: serde_json::Error,
        }

        /// The name of an event, as it stands in `event:`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
        pub enum EventName {
            $( $(#[doc = $doc])+ #[serde(rename = $text)] $name, )+
        }

        impl EventName {
            /// Every name, in the order of the contract.
            pub const ALL: [EventName; [$($text),+].len()] = [$(EventName::$name),+];

            /// The name on the wire.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $( EventName::$name => $text, )+ }
            }

            /// The name with this spelling.
            #[must_use]
            pub fn parse(text: &str) -> Option<EventName> {
                match text { $( $text => Some(EventName::$name), )+ _ => None }
            }

            /// Whether a stream ends after it.
            #[must_use]
            pub const fn is_last(self) -> bool {
                match self { $( EventName::$name => events!(@last $($last)?), )+ }
            }

            /// Whether the name is kept for old clients and nothing emits it.
            #[must_use]
            pub const fn is_reserved(self) -> bool {
                match self { $( EventName::$name => events!(@reserved $($payload)?), )+ }
            }

            /// What it tells, in a sentence or two.
            #[must_use]
            pub fn description(self) -> &'static str {
                match self { $( EventName::$name => concat!($($doc),+).trim_start(), )+ }
            }
        }

        $( $( impl Payload for payload::$payload {
            const NAME: EventName = EventName::$name;
        }

        #[cfg(feature = "schema")]
        impl crate::schema::Described for payload::$payload {
            const EVENT: &'static str = $text;

            fn description() -> &'static str {
                EventName::$name.description()
            }
        } )? )+

        /// The payload of any event, for clients. Match it without a wildcard: a new event is
        /// then a compile error wherever it must be shown.
        #[derive(Debug, Clone, PartialEq)]
        #[allow(clippy::large_enum_variant, reason = "it lives for one match")]
        pub enum AnyPayload {
            $( $(#[doc = $doc])+ $name(events!(@payload $($payload)?)), )+
        }

        impl AnyPayload {
            /// Reads a payload; fields that are not declared are ignored.
            ///
            /// # Errors
            /// [`Unreadable`] when it is not of the declared shape.
            pub fn parse(name: EventName, data: &str) -> Result<AnyPayload, Unreadable> {
                let read = match name {
                    $( EventName::$name => serde_json::from_str(data).map(AnyPayload::$name), )+
                };
                read.map_err(|error| Unreadable { name, error })
            }

            /// The event's name.
            #[must_use]
            pub const fn name(&self) -> EventName {
                match self { $( AnyPayload::$name(_) => EventName::$name, )+ }
            }
        }

        /// The schema of every payload, made by one generator.
        #[cfg(feature = "schema")]
        pub(crate) fn generate(
            generator: &mut schemars::SchemaGenerator,
        ) -> Vec<(EventName, schemars::Schema)> {
            vec![$( (EventName::$name, events!(@schema generator $name $($payload)?)), )+]
        }
    };
    (@last) => { false };
    (@last last) => { true };
    (@reserved) => { true };
    (@reserved $payload:ident) => { false };
    (@schema $generator:ident $name:ident) => {
        crate::schema::reserved(
            EventName::$name.as_str(),
            EventName::$name.description(),
            $generator,
        )
    };
    (@schema $generator:ident $name:ident $payload:ident) => {
        $generator.subschema_for::<crate::schema::PayloadOf<payload::$payload>>()
    };
    (@payload) => { serde_json::Value };
    (@payload $payload:ident) => { payload::$payload };
}

pub(crate) use events;
