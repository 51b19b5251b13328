//! Why a message has no result: the errors of JSON-RPC and of the protocol, with the statuses that each era gives them.
//!
//! Border: values in, replies out. In a stream there are none of these: trouble there is a result.

use quarry_events::FailureKind;
use serde::Serialize;
use serde_json::{Value, json};

use super::era::{UNSUPPORTED, Version};
use super::message::Id;
use crate::reply::{challenge, retry_after};
use crate::{Headers, Refusal, Reply};

/// The body is no JSON.
pub(super) const PARSE_ERROR: i32 = -32_700;
/// It is JSON and no message.
pub(super) const INVALID_REQUEST: i32 = -32_600;
/// There is no such method.
pub(super) const NO_METHOD: i32 = -32_601;
/// A method cannot do anything with its parameters.
pub(super) const INVALID_PARAMS: i32 = -32_602;
/// We are at fault.
const INTERNAL: i32 = -32_603;
/// The caller is refused; the status says why.
pub(super) const REFUSED: i32 = -32_000;
/// There is no such resource, in the words of the old era.
const NO_RESOURCE: i32 = -32_002;
/// The client did not say that it can what this needs.
const NO_CAPABILITY: i32 = -32_021;
/// Headers do not say what the body says.
pub(super) const HEADER_MISMATCH: i32 = -32_020;

/// Why there is no result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failure {
    status: u16,
    words: Box<Words>,
    headers: Headers,
}

/// An error of JSON-RPC. Without `id` it is about no request that could be read.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "McpError"))]
pub(super) struct Body<'a> {
    /// Always `2.0`.
    jsonrpc: &'static str,
    /// The request's.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a Id>,
    /// What is wrong.
    error: &'a Words,
}

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(super) struct Words {
    /// For programs.
    code: i32,
    /// What is wrong and what to do.
    message: String,
    /// More for programs: `supported` versions, the `type` of a refusal, the `uri` that is nobody's.
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<Value>,
}

impl Failure {
    pub fn new(status: u16, code: i32, message: impl Into<String>) -> Failure {
        let words = Words { code, message: message.into(), data: None };
        Failure { status, words: Box::new(words), headers: Headers::new() }
    }

    fn with(mut self, data: Value) -> Failure {
        self.words.data = Some(data);
        self
    }

    #[cfg(test)]
    pub const fn code(&self) -> i32 {
        self.words.code
    }

    /// Parameters that nothing can be done with, of a request that is one.
    pub fn params(message: impl Into<String>) -> Failure {
        Failure::new(200, INVALID_PARAMS, message)
    }

    /// The era knows no such method.
    pub fn no_method(method: &str, version: Version) -> Failure {
        let known: String = method.chars().take(64).collect();
        let status = if version.is_modern() { 404 } else { 200 };
        Failure::new(status, NO_METHOD, format!("there is no method `{known}` here"))
    }

    /// Nothing lives at this address.
    pub fn no_resource(uri: &str, version: Version) -> Failure {
        let code = if version.is_modern() { INVALID_PARAMS } else { NO_RESOURCE };
        let message = "there is no such resource; resources/templates/list tells which there are, and an ask's go with its log";
        Failure::new(200, code, message).with(json!({ "uri": uri }))
    }

    /// A version that is not spoken here.
    pub fn no_version(requested: &str) -> Failure {
        let supported = Version::ALL.map(Version::as_str);
        let message =
            "this version of the protocol is not spoken here; `supported` lists which are";
        let data = json!({ "supported": supported, "requested": requested });
        Failure::new(400, UNSUPPORTED, message).with(data)
    }

    /// What only a client with the extension of tasks may ask for.
    pub fn no_tasks(extension: &str) -> Failure {
        let extensions = serde_json::Map::from_iter([(extension.to_owned(), json!({}))]);
        let message =
            "this wants a client that says it knows tasks; `requiredCapabilities` lists how";
        let data = json!({ "requiredCapabilities": { "extensions": extensions } });
        Failure::new(400, NO_CAPABILITY, message).with(data)
    }

    /// A page of another origin.
    pub fn foreign() -> Failure {
        Failure::new(
            403,
            REFUSED,
            "pages of this origin may not call; the operator can list it in mcp_allowed_origins",
        )
    }

    /// A request that is not carried out.
    pub fn refused(refusal: &Refusal) -> Failure {
        let code = match refusal {
            Refusal::Internal(_) => INTERNAL,
            _ => REFUSED,
        };
        let (status, kind, message) = match refusal.of_bearer() {
            Some(message) => (401, FailureKind::Unauthorized, message),
            None => (refusal.status(), refusal.kind(), refusal.in_head().to_string()),
        };
        let mut failure = Failure::new(status, code, message).with(json!({ "type": kind }));
        if kind == FailureKind::Unauthorized {
            failure.headers.push(challenge());
        }
        if let Refusal::MethodNotAllowed { allow } = refusal {
            failure.headers.push(("allow", allow.clone().into()));
        }
        failure.headers.extend(refusal.retry_after().map(retry_after));
        failure
    }

    /// The answer to the request with this id.
    pub fn reply(&self, id: Option<&Id>) -> Reply {
        let body = Body { jsonrpc: "2.0", id, error: &self.words };
        let mut reply = Reply::json(self.status, serde_json::to_string(&body).unwrap_or_default());
        reply.headers.extend(self.headers.iter().cloned());
        reply
    }
}
