//! A stream that stays open and tells how tasks stand; nothing else ever changes here without being asked for.
//!
//! Border: a request's parameters in, frames out. What stands is for the caller to find out.

use quarry_types::json::put;
use serde_json::{Map, Value, json};

use super::address::is_id;
use super::failure::Failure;
use super::message::Id;
use super::reply;
use super::tasks::{EXTENSION, Task};
use crate::{Headers, stream_head};

/// Tasks that one stream tells of.
const MOST_TASKS: usize = 32;

/// By what a client knows to which of its streams a message belongs.
const SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// A line without an empty one behind it.
const SIGN_OF_LIFE: &[u8] = b":\n";

/// A stream that was asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Listen {
    id: Id,
    /// The tasks that are told of, each once.
    pub tasks: Vec<String>,
}

impl Listen {
    /// Reads what is to be told. `knows` is whether the client knows tasks.
    ///
    /// # Errors
    /// [`Failure`] for what is no list of tasks, and for tasks that the client does not know.
    pub(super) fn read(
        id: &Id,
        params: &Map<String, Value>,
        knows: bool,
    ) -> Result<Listen, Failure> {
        let wanted = params.get("notifications").and_then(Value::as_object);
        let wanted = wanted.ok_or_else(|| Failure::params("`notifications` wants an object"))?;
        let mut tasks: Vec<String> = Vec::new();
        if let Some(named) = wanted.get("taskIds").filter(|named| !named.is_null()) {
            if !knows {
                return Err(Failure::no_tasks(EXTENSION));
            }
            let named = named.as_array().filter(|named| named.len() <= MOST_TASKS);
            let wants =
                || format!("`notifications.taskIds` wants a list of {MOST_TASKS} ids at most");
            for task in named.ok_or_else(|| Failure::params(wants()))? {
                let task = task.as_str().ok_or_else(|| Failure::params(wants()))?;
                if is_id(task) && !tasks.iter().any(|known| known == task) {
                    tasks.push(task.to_owned());
                }
            }
        }
        Ok(Listen { id: id.clone(), tasks })
    }

    /// Headers of the stream.
    #[must_use]
    pub fn head(&self) -> Headers {
        stream_head()
    }

    /// The first frame: what will be told, of what there is.
    #[must_use]
    pub fn acknowledged(&self) -> Vec<u8> {
        let mut notifications = Map::new();
        if !self.tasks.is_empty() {
            notifications.insert("taskIds".to_owned(), json!(self.tasks));
        }
        let params = json!({ "_meta": self.meta(), "notifications": notifications });
        frame("notifications/subscriptions/acknowledged", &params)
    }

    /// The frame that says how a task stands.
    #[must_use]
    pub fn told(&self, Task(task): &Task) -> Vec<u8> {
        let mut params = json!({ "_meta": self.meta() });
        if let (Some(params), Some(task)) = (params.as_object_mut(), task.as_object()) {
            params.extend(task.iter().map(|(name, value)| (name.clone(), value.clone())));
        }
        frame("notifications/tasks", &params)
    }

    /// The line that shows a silent stream's reader that somebody is there.
    #[must_use]
    pub fn sign_of_life(&self) -> Vec<u8> {
        SIGN_OF_LIFE.to_vec()
    }

    /// The last frame: the answer to the request.
    #[must_use]
    pub fn ended(&self) -> Vec<u8> {
        let mut result = json!({ "resultType": "complete" });
        let mut meta = self.meta();
        put(&mut meta, reply::SERVER, reply::server());
        put(&mut result, "_meta", meta);
        let message = json!({ "jsonrpc": "2.0", "id": self.id, "result": result });
        format!("data: {message}\n\n").into_bytes()
    }

    fn meta(&self) -> Value {
        Value::Object(Map::from_iter([(SUBSCRIPTION.to_owned(), json!(self.id))]))
    }
}

fn frame(method: &str, params: &Value) -> Vec<u8> {
    let message = json!({ "jsonrpc": "2.0", "method": method, "params": params });
    format!("data: {message}\n\n").into_bytes()
}
