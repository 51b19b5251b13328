//! What a browser does for a page of another origin: preflights, and keeping answers from pages
//! that may not see them.

use quarry_scenarios::client::{self, Open};
use serde_json::{Number, Value};

/// A tab with a page of this origin.
pub struct Browser {
    origin: String,
    server: String,
}

impl Browser {
    pub fn new(origin: &str, server: &str) -> Browser {
        Browser { origin: origin.to_owned(), server: server.to_owned() }
    }

    /// `fetch` with a JSON body; the error is why the page sees nothing.
    pub async fn post(&self, path: &str, body: &Value) -> Result<String, String> {
        // `accept` needs no leave, `content-type: application/json` does.
        self.preflight(path, "POST", &["content-type"]).await?;
        // What other pages of that time sent besides.
        self.preflight(path, "POST", &["accept", "authorization", "cache-control", "content-type"])
            .await?;
        let headers = [("accept", "text/event-stream"), ("content-type", "application/json")];
        self.send("POST", path, &headers, body.to_string()).await
    }

    /// `fetch` with a body of text: no preflight, no word about the form of the answer.
    pub async fn simple_post(&self, path: &str, body: &Value) -> Result<String, String> {
        let headers = [("accept", "*/*"), ("content-type", "text/plain;charset=UTF-8")];
        self.send("POST", path, &headers, body.to_string()).await
    }

    pub async fn get(&self, path: &str) -> Result<String, String> {
        self.send("GET", path, &[("accept", "text/event-stream")], String::new()).await
    }

    async fn preflight(&self, path: &str, method: &str, asked: &[&str]) -> Result<(), String> {
        let asked_for = asked.join(",");
        let headers = [
            ("accept", "*/*"),
            ("origin", self.origin.as_str()),
            ("access-control-request-method", method),
            ("access-control-request-headers", asked_for.as_str()),
            ("sec-fetch-mode", "cors"),
        ];
        let url = format!("{}{path}", self.server);
        let open = client::send("OPTIONS", &url, &headers, String::new()).await.unwrap();
        let listed = |name: &str| -> Vec<String> {
            let value = open.header(name).unwrap_or_default();
            value.split(',').map(|item| item.trim().to_ascii_lowercase()).collect()
        };
        if !open.status.is_success() || !self.may_see(&open) {
            return Err(format!("the preflight was refused: {}", open.status));
        }
        let methods = listed("access-control-allow-methods");
        let headers = listed("access-control-allow-headers");
        if !methods.contains(&method.to_ascii_lowercase()) {
            return Err(format!("the preflight does not allow {method}"));
        }
        match asked.iter().find(|name| !headers.contains(&(**name).to_owned())) {
            Some(name) => Err(format!("the preflight does not allow the header {name}")),
            None => Ok(()),
        }
    }

    fn may_see(&self, open: &Open) -> bool {
        let allowed = open.header("access-control-allow-origin");
        allowed == Some("*") || allowed == Some(self.origin.as_str())
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: String,
    ) -> Result<String, String> {
        let mut headers = headers.to_vec();
        headers.push(("origin", &self.origin));
        headers.push(("sec-fetch-mode", "cors"));
        let url = format!("{}{path}", self.server);
        let open = client::send(method, &url, &headers, body).await.unwrap();
        if !self.may_see(&open) {
            return Err("the answer is not for this origin".to_owned());
        }
        assert_eq!(open.status, 200, "the original page looks at nothing but the stream");
        let media_type = open.header("content-type").unwrap_or_default().to_owned();
        assert!(media_type.starts_with("text/event-stream"), "{media_type}");
        Ok(open.text().await.unwrap())
    }
}

/// What `JSON.parse` and `JSON.stringify` leave of a value: whole numbers lose their fraction.
pub fn through_javascript(value: &Value) -> Value {
    match value {
        Value::Number(number) => match number.as_f64() {
            Some(float) if float.fract() == 0.0 && float.abs() < 9.0e15 => {
                Value::Number(Number::from(float as i64))
            }
            _ => value.clone(),
        },
        Value::Array(items) => items.iter().map(through_javascript).collect(),
        Value::Object(fields) => {
            let each = |(name, field): (&String, &Value)| (name.clone(), through_javascript(field));
            Value::Object(fields.iter().map(each).collect())
        }
        other => other.clone(),
    }
}
