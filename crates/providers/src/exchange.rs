//! One try of a call: a response as it arrives, whatever its status.
//!
//! Border: sans I/O. A head and bytes in, text as soon as there is some, then the reply or why
//! there is none.

use crate::catalogue::Wire;
use crate::failure::{self, Failure};
use crate::reply::{Progress, Reply, ReplyReader};
use crate::wait::Header;
use quarry_types::ChatError;

/// Bytes of an error's body that are read.
const ERROR_BODY_LIMIT: usize = 64 * 1024;

/// Why there is no response, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lost {
    /// A header has a sign that headers cannot have.
    Unsendable,
    /// The address is none that can be called.
    NoAddress,
    /// The host's rules forbid the address.
    Forbidden,
    /// No connection in time.
    Connect,
    /// No head of a response in time.
    FirstByte,
    /// The body fell silent.
    Silence,
    /// The time for everything is over.
    Total,
    /// There was no connection; the words are for people.
    Unreached(String),
    /// It broke; the words are for people.
    Broken(String),
}

/// Says which setting decides, where one does.
impl From<Lost> for ChatError {
    fn from(lost: Lost) -> Self {
        let timeout = |what: &str| ChatError::Timeout { message: what.to_owned() };
        let unsent = |what: &str| ChatError::Unsent { message: what.to_owned() };
        match lost {
            Lost::Unsendable => unsent("the key or the request cannot be sent as HTTP headers"),
            Lost::NoAddress => {
                unsent("the provider's base URL is not an address that can be called")
            }
            Lost::Forbidden => unsent(
                "this host may not be called; add it to allowed_outbound_hosts in spin.toml, \
                 and check block_networks in the runtime configuration",
            ),
            Lost::Connect => {
                let message = "none was made in time (provider_connect_timeout_ms)".to_owned();
                ChatError::Unreached { message }
            }
            Lost::FirstByte => timeout(
                "the provider did not begin to answer in time (provider_first_byte_timeout_ms)",
            ),
            Lost::Silence => {
                timeout("the provider fell silent for too long (provider_between_bytes_timeout_ms)")
            }
            Lost::Total => timeout("the answer did not come in time"),
            Lost::Unreached(message) => ChatError::Unreached { message },
            Lost::Broken(message) => ChatError::Connection { message },
        }
    }
}

impl From<Lost> for Failure {
    fn from(lost: Lost) -> Self {
        ChatError::from(lost).into()
    }
}

/// A response that is arriving.
#[derive(Debug)]
pub struct Exchange {
    form: Form,
    /// Bytes of the text that were given out; none: it is given with the reply and not before.
    given: Option<usize>,
}

#[derive(Debug)]
enum Form {
    Reply(Box<ReplyReader>),
    Refused { status: u16, headers: Vec<Header>, body: Vec<u8> },
}

impl Exchange {
    /// A response in this wire format that begins so, whose text is given out as it comes or not. Only
    /// a refusal's headers are asked for.
    pub(crate) fn new(
        wire: Wire,
        streams_text: bool,
        status: u16,
        headers: impl FnOnce() -> Vec<Header>,
    ) -> Self {
        let form = match status {
            200..300 => Form::Reply(Box::new(ReplyReader::new(wire))),
            _ => Form::Refused { status, headers: headers(), body: Vec::new() },
        };
        Exchange { form, given: streams_text.then_some(0) }
    }

    /// Takes bytes of the body in, cut anywhere. With [`Progress::Done`] the rest need not be read.
    ///
    /// # Errors
    /// What the provider says inside its stream, or what cannot be understood.
    pub fn push(&mut self, bytes: &[u8]) -> Result<Progress, Failure> {
        match &mut self.form {
            Form::Reply(reader) => reader.push(bytes),
            Form::Refused { body, .. } => {
                body.extend_from_slice(bytes);
                let is_enough = body.len() >= ERROR_BODY_LIMIT;
                Ok(if is_enough { Progress::Done } else { Progress::More })
            }
        }
    }

    /// The text that has come since this was last asked.
    pub fn text(&mut self) -> &str {
        let (Form::Reply(reader), Some(given)) = (&self.form, &mut self.given) else { return "" };
        let fresh = reader.text().get(*given..).unwrap_or_default();
        *given += fresh.len();
        fresh
    }

    /// The body has ended, or is not needed any further; `lost` is why it broke off, if it did. Gives
    /// the reply, and what of its text was not given out yet. `now` is
    /// in Unix seconds, and asked for when it was refused.
    ///
    /// # Errors
    /// What the provider refused the call with, or why the reply is not whole.
    pub fn end(
        self,
        lost: Option<Lost>,
        now: impl FnOnce() -> f64,
    ) -> Result<(Reply, String), Failure> {
        match (self.form, lost) {
            (Form::Refused { status, headers, body }, _) => {
                Err(failure::from_response(status, &headers, &body, now()))
            }
            // A reply that was whole before the connection broke is whole.
            (Form::Reply(reader), Some(lost)) if !reader.is_whole() => Err(lost.into()),
            (Form::Reply(reader), _) => {
                let reply = reader.finish()?;
                let rest = self.given.and_then(|given| reply.text.get(given..)).unwrap_or_default();
                let rest = rest.to_owned();
                Ok((reply, rest))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FRAMES: [&str; 3] = [
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"Forty-\"}}]}\n\n",
        "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"two\"},\"finish_reason\":\"stop\"}]}\n\n",
        "data: [DONE]\n\n",
    ];

    fn begun(status: u16) -> Exchange {
        Exchange::new(Wire::ChatCompletions, true, status, Vec::new)
    }

    #[test]
    fn text_is_given_out_once_and_what_is_left_comes_with_the_reply() {
        let mut exchange = begun(200);
        assert_eq!(exchange.text(), "");
        assert_eq!(exchange.push(FRAMES[0].as_bytes()).unwrap(), Progress::More);
        assert_eq!((exchange.text().to_owned(), exchange.text()), ("Forty-".to_owned(), ""));
        exchange.push(FRAMES[1].as_bytes()).unwrap();
        assert_eq!(exchange.push(FRAMES[2].as_bytes()).unwrap(), Progress::Done);
        let (reply, rest) = exchange.end(None, || 0.0).unwrap();
        assert_eq!((reply.text.as_str(), rest.as_str()), ("Forty-two", "two"));
    }

    #[test]
    fn text_that_nobody_wants_piece_by_piece_comes_with_the_reply_alone() {
        let mut exchange = Exchange::new(Wire::ChatCompletions, false, 200, Vec::new);
        for frame in FRAMES {
            exchange.push(frame.as_bytes()).unwrap();
            assert_eq!(exchange.text(), "");
        }
        let (reply, rest) = exchange.end(None, || 0.0).unwrap();
        assert_eq!((reply.text.as_str(), rest.as_str()), ("Forty-two", ""));
    }

    #[test]
    fn what_breaks_off_before_its_end_is_told_by_why_and_what_was_whole_is_whole() {
        let broken = || Some(Lost::Broken("reset".to_owned()));
        let mut half = begun(200);
        half.push(FRAMES[0].as_bytes()).unwrap();
        let failure = half.end(broken(), || 0.0).unwrap_err();
        assert_eq!(failure.error, ChatError::Connection { message: "reset".to_owned() });
        let mut whole = begun(200);
        whole.push(FRAMES.concat().as_bytes()).unwrap();
        assert_eq!(whole.end(broken(), || 0.0).unwrap().0.text, "Forty-two");
    }

    #[test]
    fn a_refusal_is_told_by_its_status_and_as_much_of_its_body_as_is_read() {
        let mut exchange = begun(429);
        let body = br#"{"error":{"message":"slow down, try again in 3s"}}"#;
        assert_eq!(exchange.push(body).unwrap(), Progress::More);
        assert_eq!(exchange.text(), "");
        let failure = exchange.end(Some(Lost::Silence), || 0.0).unwrap_err();
        assert_eq!(failure.wait_seconds, Some(3.0));
        let mut endless = begun(500);
        assert_eq!(endless.push(&[b' '; ERROR_BODY_LIMIT]).unwrap(), Progress::Done);
    }
}
