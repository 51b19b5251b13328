//! Which version of the protocol a message is of, and whether its headers say what it says.
//!
//! Border: heads and messages in, versions or failures out. From 2026-07-28 on each message says of itself what its
//! client can; before, a handshake said so once.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::failure::{Failure, HEADER_MISMATCH, INVALID_PARAMS};
use super::message::Called;
use crate::Head;

/// A version that is not spoken here.
pub(super) const UNSUPPORTED: i32 = -32_022;

const PROTOCOL: &str = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";

/// What stands around a header's value that is no plain text.
const OPENS: &str = "=?base64?";
const CLOSES: &str = "?=";

/// A version of the protocol, the oldest first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Version {
    /// With batches, and without a header that names it.
    #[default]
    March2025,
    /// With structured results.
    June2025,
    /// With streams that can be joined again.
    November2025,
    /// Without sessions.
    July2026,
}

impl Version {
    /// The newest first.
    pub const ALL: [Version; 4] =
        [Version::July2026, Version::November2025, Version::June2025, Version::March2025];

    /// As it is written.
    pub const fn as_str(self) -> &'static str {
        match self {
            Version::March2025 => "2025-03-26",
            Version::June2025 => "2025-06-18",
            Version::November2025 => "2025-11-25",
            Version::July2026 => "2026-07-28",
        }
    }

    /// The version that is written so.
    pub fn parse(text: &str) -> Option<Version> {
        Version::ALL.into_iter().find(|version| version.as_str() == text)
    }

    /// Whether each message says of itself what its client can.
    pub const fn is_modern(self) -> bool {
        matches!(self, Version::July2026)
    }

    /// The version that a handshake comes to.
    pub fn agreed(wanted: &str) -> Version {
        Version::parse(wanted)
            .filter(|version| !version.is_modern())
            .unwrap_or(Version::November2025)
    }

    /// What the head says, where nothing else does.
    ///
    /// # Errors
    /// [`Failure`] for a version that is not spoken here.
    pub fn of_head(head: &Head) -> Result<Version, Failure> {
        match head.mcp.version.as_deref().map(str::trim) {
            None => Ok(Version::March2025),
            Some(text) => Version::parse(text).ok_or_else(|| Failure::no_version(text)),
        }
    }

    /// Of a message, whose headers then say what it says.
    ///
    /// # Errors
    /// [`Failure`] for headers that do not, for what a message lacks, and for an unknown version.
    pub fn of(head: &Head, call: &Called, is_request: bool) -> Result<Version, Failure> {
        let Some(told) = call.meta(PROTOCOL) else {
            let version = Version::of_head(head)?;
            if version.is_modern() && is_request {
                return Err(lacks(PROTOCOL));
            }
            return Ok(version);
        };
        let Value::String(told) = told else { return Err(lacks(PROTOCOL)) };
        if head.mcp.version.as_deref().map(str::trim) != Some(told) {
            return Err(mismatch("MCP-Protocol-Version", PROTOCOL));
        }
        let version = Version::parse(told).ok_or_else(|| Failure::no_version(told))?;
        if !version.is_modern() {
            return Ok(version);
        }
        if is_request && !call.meta(CAPABILITIES).is_some_and(Value::is_object) {
            return Err(lacks(CAPABILITIES));
        }
        if head.mcp.method.as_deref() != Some(&call.method) {
            return Err(mismatch("Mcp-Method", "method"));
        }
        if let Some((field, name)) = named(call).filter(|_| is_request)
            && head.mcp.name.as_deref().and_then(decoded).as_deref() != Some(name)
        {
            return Err(mismatch("Mcp-Name", field));
        }
        Ok(version)
    }
}

/// Whether a client says with this message that it knows an extension.
pub(super) fn knows(call: &Called, extension: &str) -> bool {
    let extensions = call.meta(CAPABILITIES).and_then(|all| all.get("extensions"));
    extensions.and_then(|all| all.get(extension)).is_some_and(Value::is_object)
}

/// What `Mcp-Name` repeats.
fn named(call: &Called) -> Option<(&'static str, &str)> {
    match call.method.as_str() {
        "tools/call" | "prompts/get" => Some(("params.name", call.text("name")?)),
        "resources/read" => Some(("params.uri", call.text("uri")?)),
        "tasks/get" | "tasks/cancel" | "tasks/update" => {
            Some(("params.taskId", call.text("taskId")?))
        }
        _ => None,
    }
}

/// A header's value as it is meant. None where its letters mean nothing.
fn decoded(value: &str) -> Option<String> {
    let Some(inner) = value.strip_prefix(OPENS).and_then(|rest| rest.strip_suffix(CLOSES)) else {
        return Some(value.to_owned());
    };
    String::from_utf8(STANDARD.decode(inner).ok()?).ok()
}

fn lacks(field: &str) -> Failure {
    let message = format!("`params._meta` wants `{field}` with every request of this version");
    Failure::new(400, INVALID_PARAMS, message)
}

fn mismatch(header: &str, field: &str) -> Failure {
    let message = format!("the header {header} must be there and say the same as `{field}`");
    Failure::new(400, HEADER_MISMATCH, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::head::McpHead;
    use serde_json::json;

    fn head(version: Option<&str>, method: Option<&str>, name: Option<&str>) -> Head {
        let owned = |text: Option<&str>| text.map(str::to_owned);
        let mcp = McpHead {
            version: owned(version),
            method: owned(method),
            name: owned(name),
            session: None,
        };
        Head { mcp, ..Head::default() }
    }

    fn call(method: &str, params: Value) -> Called {
        let Value::Object(params) = params else { panic!("{params}") };
        Called { method: method.to_owned(), params }
    }

    fn modern(params: Value) -> Value {
        let mut params = params;
        params["_meta"] = json!({ PROTOCOL: "2026-07-28", CAPABILITIES: {} });
        params
    }

    #[test]
    fn without_words_of_its_own_a_message_is_of_the_heads_version() {
        let ping = call("ping", json!({}));
        for (header, version) in [
            (None, Version::March2025),
            (Some("2025-06-18"), Version::June2025),
            (Some(" 2025-11-25 "), Version::November2025),
        ] {
            assert_eq!(Version::of(&head(header, None, None), &ping, true), Ok(version));
        }
        let unknown = Version::of(&head(Some("1999-01-01"), None, None), &ping, true);
        assert_eq!(unknown.unwrap_err().code(), UNSUPPORTED);
        let bare = head(Some("2026-07-28"), None, None);
        assert_eq!(Version::of(&bare, &ping, true).unwrap_err().code(), INVALID_PARAMS);
        assert_eq!(Version::of(&bare, &ping, false), Ok(Version::July2026));
    }

    #[test]
    fn headers_say_what_the_message_says() {
        let new = Some("2026-07-28");
        let tool = call("tools/call", modern(json!({ "name": "research" })));
        let read = call("resources/read", modern(json!({ "uri": "quarry://ü" })));
        let list = call("tools/list", modern(json!({})));
        for (head, call, code) in [
            (head(new, Some("tools/call"), Some("research")), &tool, 0),
            (head(new, Some("tools/call"), Some("=?base64?cmVzZWFyY2g=?=")), &tool, 0),
            (head(new, Some("resources/read"), Some("=?base64?cXVhcnJ5Oi8vw7w=?=")), &read, 0),
            (head(new, Some("tools/list"), None), &list, 0),
            (head(None, Some("tools/list"), None), &list, HEADER_MISMATCH),
            (head(Some("2025-11-25"), Some("tools/list"), None), &list, HEADER_MISMATCH),
            (head(new, None, None), &list, HEADER_MISMATCH),
            (head(new, Some("Tools/List"), None), &list, HEADER_MISMATCH),
            (head(new, Some("tools/call"), None), &tool, HEADER_MISMATCH),
            (head(new, Some("tools/call"), Some("=?base64?!?=")), &tool, HEADER_MISMATCH),
            (head(new, Some("tools/call"), Some("research_stop")), &tool, HEADER_MISMATCH),
        ] {
            let read = Version::of(&head, call, true).map_or_else(|failure| failure.code(), |_| 0);
            assert_eq!(read, code, "{head:?}");
        }
    }

    #[test]
    fn a_message_says_what_its_client_can_in_a_version_that_is_spoken() {
        let meta = |meta: Value| call("ping", json!({ "_meta": meta }));
        let at = |version: &str| head(Some(version), Some("ping"), None);
        let wrong = |head: &Head, call: &Called| Version::of(head, call, true).unwrap_err().code();
        let newer = meta(json!({ PROTOCOL: "2031-01-01", CAPABILITIES: {} }));
        assert_eq!(wrong(&at("2031-01-01"), &newer), UNSUPPORTED);
        let silent = meta(json!({ PROTOCOL: "2026-07-28" }));
        assert_eq!(wrong(&at("2026-07-28"), &silent), INVALID_PARAMS);
        assert_eq!(wrong(&at("2026-07-28"), &meta(json!({ PROTOCOL: 1 }))), INVALID_PARAMS);
    }

    #[test]
    fn a_handshake_comes_to_a_version_that_has_one() {
        for (wanted, agreed) in [
            ("2025-03-26", Version::March2025),
            ("2026-07-28", Version::November2025),
            ("2024-11-05", Version::November2025),
        ] {
            assert_eq!(Version::agreed(wanted), agreed, "{wanted}");
        }
    }
}
