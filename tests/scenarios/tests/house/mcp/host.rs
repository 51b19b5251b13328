//! A client of one version, and what it reads.

use super::{Frame, frames};
use quarry_scenarios::client::{self, Open};
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};

pub const QUESTION: &str = "What is six times seven?";
pub const BOTH: &str = "application/json, text/event-stream";

/// A client of one version.
pub struct Host<'q> {
    quarry: &'q Quarry,
    pub version: &'static str,
    session: Option<String>,
    pub bearer: Option<&'static str>,
}

impl<'q> Host<'q> {
    pub fn modern(quarry: &'q Quarry) -> Host<'q> {
        Host { quarry, version: "2026-07-28", session: None, bearer: None }
    }

    /// After the handshake.
    pub async fn greeted(quarry: &'q Quarry, version: &'static str) -> Host<'q> {
        let mut host = Host { quarry, version, session: None, bearer: None };
        let params = json!({ "protocolVersion": version, "capabilities": {}, "clientInfo": { "name": "t", "version": "1" } });
        let open = host
            .send(&json!({ "jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params }))
            .await;
        host.session = open.header("mcp-session-id").map(str::to_owned);
        assert_eq!(host.session.as_ref().unwrap().len(), 32);
        let greeting = open.json().await.unwrap();
        assert_eq!(greeting["result"]["protocolVersion"], version);
        let told = json!({ "jsonrpc": "2.0", "method": "notifications/initialized" });
        assert_eq!(host.send(&told).await.status, 202);
        host
    }

    pub fn is_modern(&self) -> bool {
        self.version == "2026-07-28"
    }

    pub async fn send(&self, message: &Value) -> Open {
        let bearer = self.bearer.map(|token| format!("Bearer {token}"));
        let mut headers = vec![("accept", BOTH), ("content-type", "application/json")];
        headers.push(("mcp-protocol-version", self.version));
        headers.extend(bearer.as_deref().map(|bearer| ("authorization", bearer)));
        headers.extend(self.session.as_deref().map(|session| ("mcp-session-id", session)));
        let params = &message["params"];
        if self.is_modern() {
            headers.push(("mcp-method", message["method"].as_str().unwrap()));
            let name = params["name"].as_str().or(params["uri"].as_str());
            headers.extend(name.map(|name| ("mcp-name", name)));
        }
        let url = format!("{}/mcp", self.quarry.url);
        let answer = client::send("POST", &url, &headers, message.to_string()).await;
        answer.unwrap_or_else(|error| panic!("{error:#}\n{}", self.quarry.output()))
    }

    pub fn message(&self, id: i64, method: &str, mut params: Value) -> Value {
        if self.is_modern() {
            params["_meta"]["io.modelcontextprotocol/protocolVersion"] = json!(self.version);
            params["_meta"]["io.modelcontextprotocol/clientCapabilities"] = json!({});
        }
        json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })
    }

    pub async fn request(&self, method: &str, params: Value) -> Value {
        let open = self.send(&self.message(1, method, params)).await;
        assert!(open.status == 200 || open.status == 404, "{method}: {}", open.status);
        open.json().await.unwrap()
    }

    pub async fn open(&self, id: i64, tool: &str, arguments: Value) -> Open {
        let params =
            json!({ "name": tool, "arguments": arguments, "_meta": { "progressToken": "t" } });
        self.send(&self.message(id, "tools/call", params)).await
    }

    /// What a tool gives, in a stream or at once, with how often progress was told.
    pub async fn call(&self, tool: &str, arguments: Value) -> (Value, usize) {
        let open = self.open(7, tool, arguments).await;
        assert_eq!(open.status, 200, "{tool}");
        if open.header("content-type") == Some("application/json") {
            return (open.json().await.unwrap()["result"].clone(), 0);
        }
        ended(&frames(&open.text().await.unwrap()))
    }
}

/// The result of a stream, with how often progress was told before it.
pub(super) fn ended(frames: &[Frame]) -> (Value, usize) {
    let (last, before) = frames.split_last().unwrap();
    assert!(before.iter().all(|frame| frame.data["method"] == "notifications/progress"));
    assert_eq!(last.data["id"], 7, "{last:?}");
    (last.data["result"].clone(), before.len())
}

pub fn status(result: &Value) -> &str {
    result["structuredContent"]["status"].as_str().unwrap_or_else(|| panic!("{result}"))
}

pub fn id(result: &Value) -> String {
    result["structuredContent"]["id"].as_str().unwrap().to_owned()
}

pub async fn started(script: Script) -> Quarry {
    Setup::new(script).start().await.unwrap()
}

pub fn held(phase: Phase, name: &str) -> Script {
    Script::ordinary().first(Match::Phase(phase), [Reply::text("late").hold(name)])
}
