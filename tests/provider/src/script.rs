//! Scripts: what the provider replies to which request.

use crate::record::{Phase, Recorded};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

/// Rules, tried from the first to the last.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Script {
    /// The rules for model calls. A call that no rule answers gets status 418 and is a mistake
    /// in the script.
    pub rules: Vec<Rule>,
    /// The key that callers must send; none: any or no key will do.
    pub key: Option<String>,
    /// Names in the model list.
    pub models: Vec<String>,
    /// Bodies served for `GET`, by path: pricing tables and the like, as JSON.
    pub files: BTreeMap<String, Value>,
    /// Record nothing: for long measurements.
    pub unrecorded: bool,
    /// What replies where no rule does; none unless set by [`Script::by`].
    #[serde(skip)]
    pub model: Option<Model>,
}

/// Replies that are made of what is asked.
#[derive(Clone)]
pub struct Model(Arc<Replies>);

type Replies = dyn Fn(&Recorded) -> Option<Reply> + Send + Sync;

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Model")
    }
}

/// Replies for the requests that match.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Which requests.
    #[serde(default)]
    pub when: Match,
    /// One after the other; a rule whose replies are used up passes on to the next rule.
    pub replies: Vec<Reply>,
    /// Go on with the last reply for ever.
    #[serde(default)]
    pub repeat: bool,
}

/// A condition on a request.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Match {
    /// Every request.
    #[default]
    Any,
    /// Requests of this phase.
    Phase(Phase),
    /// Calls with tools, whichever iteration it is.
    AnyIteration,
    /// Requests whose messages contain this text.
    Text(String),
    /// Requests for this model (the provider's own name for it).
    Model(String),
    /// Requests that fit all of these.
    All(Vec<Match>),
}

impl Match {
    pub(crate) fn fits(&self, request: &Recorded) -> bool {
        match self {
            Match::Any => true,
            Match::Phase(phase) => request.phase() == Some(*phase),
            Match::AnyIteration => matches!(request.phase(), Some(Phase::Iteration(_))),
            Match::Text(text) => request.text().contains(text),
            Match::Model(model) => {
                request.body.get("model").is_some_and(|asked| asked == model.as_str())
            }
            Match::All(conditions) => conditions.iter().all(|condition| condition.fits(request)),
        }
    }
}

/// One reply. Without a fault or a status it is a completion with the text, then the calls.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Reply {
    /// The answer's text.
    pub text: String,
    /// Tool calls.
    pub calls: Vec<Call>,
    /// What the model thought before, as nobody else can read it: of Responses, for who asks for it.
    pub sealed: Option<String>,
    /// What is reported as used.
    pub usage: Usage,
    /// Leave the usage out, as some providers do.
    pub no_usage: bool,
    /// The finish reason in the wire's own word; none: what follows from the content.
    pub finish: Option<String>,
    /// How the bytes are cut up on their way.
    pub split: Split,
    /// Characters of text in one frame at most; none: few.
    pub piece: Option<usize>,
    /// Answer with this status and an error instead.
    pub status: Option<u16>,
    /// The error's message.
    pub message: String,
    /// The error's code (`insufficient_quota` and the like).
    pub code: Option<String>,
    /// Headers to add.
    pub headers: BTreeMap<String, String>,
    /// Send this instead of anything well-formed.
    pub raw: Option<String>,
    /// The media type of `raw`.
    pub media_type: Option<String>,
    /// What goes wrong.
    pub fault: Option<Fault>,
    /// What is wrong with embeddings.
    pub misfit: Option<Misfit>,
    /// Numbers of an embedding; none: 256.
    pub dimension: Option<usize>,
    /// Wait for this signal before replying.
    pub hold: Option<String>,
    /// Wait for this signal after the second write: of Chat Completions after the first piece of content.
    pub hold_midway: Option<String>,
}

/// A tool call in a reply.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The tool's name; may be one that nobody offered.
    pub name: String,
    /// The arguments: a JSON value, or a string to be sent as it is, well-formed or not.
    pub arguments: Value,
    /// None: an id is made from the name and the place.
    #[serde(default)]
    pub id: Option<String>,
}

/// Tokens as reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Usage {
    /// Input, cached included.
    pub input: u64,
    /// Output, reasoning included.
    pub output: u64,
    /// Input that was cached.
    pub cached: u64,
    /// Output that was reasoning.
    pub reasoning: u64,
}

impl Default for Usage {
    fn default() -> Self {
        Usage { input: 120, output: 40, cached: 0, reasoning: 0 }
    }
}

/// How a stream's bytes are cut into writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Split {
    /// One write: the fastest.
    #[default]
    Whole,
    /// One write for each frame.
    Frames,
    /// Writes of a few bytes, so that cuts fall inside characters, JSON and frames; comment lines
    /// and carriage returns as well.
    Awkward,
}

/// What goes wrong with a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// Nothing ever comes.
    Hang,
    /// Half of the bytes come, then nothing.
    HangMidway,
    /// The connection breaks before the head.
    Refuse,
    /// The connection breaks after half of the bytes.
    Cut,
    /// The stream ends in good order after half of the frames: no finish reason, no end mark.
    Truncate,
    /// One frame in the middle holds broken JSON.
    BrokenFrame,
    /// An error object comes in the middle of the stream, as some providers send it.
    ErrorFrame,
}

/// What is wrong with embeddings that come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Misfit {
    /// The last one is missing.
    Count,
    /// The last one is shorter than the others.
    Dimension,
    /// A number of the last one is none.
    NotANumber,
    /// The last one has no numbers.
    Empty,
}

impl Reply {
    /// Embeddings with so many numbers.
    pub fn embeddings(dimension: usize) -> Reply {
        Reply { dimension: Some(dimension), ..Reply::default() }
    }

    /// Embeddings with which this is wrong.
    pub fn misfit(misfit: Misfit) -> Reply {
        Reply { misfit: Some(misfit), ..Reply::default() }
    }

    /// A completion that is text.
    pub fn text(text: impl Into<String>) -> Reply {
        Reply { text: text.into(), ..Reply::default() }
    }

    /// A completion whose text is this JSON.
    pub fn json(value: &Value) -> Reply {
        Reply::text(value.to_string())
    }

    /// A completion with one tool call.
    pub fn call(name: &str, arguments: Value) -> Reply {
        Reply::default().and_call(name, arguments)
    }

    /// With one more tool call.
    pub fn and_call(mut self, name: &str, arguments: Value) -> Reply {
        self.calls.push(Call { name: name.to_owned(), arguments, id: None });
        self
    }

    /// An error.
    pub fn status(status: u16, message: impl Into<String>) -> Reply {
        Reply { status: Some(status), message: message.into(), ..Reply::default() }
    }

    /// Status 429 with a `Retry-After` of so many seconds.
    pub fn rate_limited(retry_after: &str) -> Reply {
        Reply::status(429, "Rate limit reached").header("retry-after", retry_after)
    }

    /// With a header.
    pub fn header(mut self, name: &str, value: &str) -> Reply {
        self.headers.insert(name.to_owned(), value.to_owned());
        self
    }

    /// After these thoughts.
    pub fn sealed(mut self, thoughts: &str) -> Reply {
        self.sealed = Some(thoughts.to_owned());
        self
    }

    /// With this usage.
    pub fn usage(mut self, usage: Usage) -> Reply {
        self.usage = usage;
        self
    }

    /// Cut up like this.
    pub fn split(mut self, split: Split) -> Reply {
        self.split = split;
        self
    }

    /// In frames of so many characters.
    pub fn pieces_of(mut self, characters: usize) -> Reply {
        self.piece = Some(characters);
        self
    }

    /// With this fault.
    pub fn fault(mut self, fault: Fault) -> Reply {
        self.fault = Some(fault);
        self
    }

    /// Held back until the signal is given.
    pub fn hold(mut self, signal: &str) -> Reply {
        self.hold = Some(signal.to_owned());
        self
    }

    /// Held after its second write until the signal is given.
    pub fn hold_midway(mut self, signal: &str) -> Reply {
        self.hold_midway = Some(signal.to_owned());
        self
    }
}

impl Script {
    /// A script without rules.
    pub fn new() -> Script {
        Script::default()
    }

    /// The ordinary case: setup, planning, two iterations that run JavaScript, synthesis.
    pub fn ordinary() -> Script {
        let run = |code: &str| Reply::call("execute_javascript", json!({ "code": code }));
        Script::new()
            .always(Match::Phase(Phase::Setup), Reply::json(&setup()))
            .always(Match::Phase(Phase::Planning), Reply::json(&plan()))
            .always(Match::Phase(Phase::Iteration(1)), run("console.log(6 * 7); 6 * 7"))
            .always(Match::Phase(Phase::Iteration(2)), run("console.log(24.6 / (9 * 8.76))"))
            .always(Match::AnyIteration, Reply::text("That is enough to answer."))
            .always(Match::Phase(Phase::Digest), Reply::text("A digest of the results."))
            .always(
                Match::Phase(Phase::Synthesis),
                Reply::text("The product is 42, and the capacity factor is 31.2 percent."),
            )
    }

    /// A script whose replies are made of what is asked, where no rule has one.
    pub fn by(model: impl Fn(&Recorded) -> Option<Reply> + Send + Sync + 'static) -> Script {
        Script { model: Some(Model(Arc::new(model))), ..Script::default() }
    }

    /// Adds a rule after the others, with replies for one request each.
    pub fn then(mut self, when: Match, replies: impl IntoIterator<Item = Reply>) -> Script {
        self.rules.push(Rule { when, replies: replies.into_iter().collect(), repeat: false });
        self
    }

    /// Adds a rule after the others whose one reply serves every request.
    pub fn always(mut self, when: Match, reply: Reply) -> Script {
        self.rules.push(Rule { when, replies: vec![reply], repeat: true });
        self
    }

    /// Puts a rule before the others, with replies for one request each.
    pub fn first(mut self, when: Match, replies: impl IntoIterator<Item = Reply>) -> Script {
        let replies = replies.into_iter().collect();
        self.rules.insert(0, Rule { when, replies, repeat: false });
        self
    }

    /// Puts a rule before the others whose one reply serves every request.
    pub fn first_always(mut self, when: Match, reply: Reply) -> Script {
        self.rules.insert(0, Rule { when, replies: vec![reply], repeat: true });
        self
    }

    /// The same replies, each frame of a stream a piece of its own.
    pub fn in_frames(mut self) -> Script {
        for reply in self.rules.iter_mut().flat_map(|rule| &mut rule.replies) {
            reply.split = Split::Frames;
        }
        self
    }

    /// Requires this key.
    pub fn key(mut self, key: &str) -> Script {
        self.key = Some(key.to_owned());
        self
    }

    /// Serves this JSON under a path.
    pub fn file(mut self, path: &str, body: Value) -> Script {
        self.files.insert(path.to_owned(), body);
        self
    }

    /// The reply to a request; `used` counts the replies taken from each rule.
    pub(crate) fn reply(&self, request: &Recorded, used: &mut Vec<usize>) -> Option<Reply> {
        used.resize(self.rules.len(), 0);
        for (rule, used) in self.rules.iter().zip(used) {
            if !rule.when.fits(request) {
                continue;
            }
            let last = rule.repeat.then(|| rule.replies.last()).flatten();
            if let Some(reply) = rule.replies.get(*used).or(last) {
                *used += 1;
                return Some(reply.clone());
            }
        }
        self.model.as_ref().and_then(|Model(reply)| reply(request))
    }
}

fn setup() -> Value {
    json!({
        "persona": "an engineer who checks figures",
        "questions": ["What is asked?", "Which figures are needed?", "How do they fit?"],
        "response_length": "short",
        "reasoning_level": "basic",
        "temperature": 0.2,
    })
}

fn plan() -> Value {
    json!({
        "research_questions": ["What is the product?", "What is the capacity factor?"],
        "optimal_persona": "You are an engineer who checks figures.",
        "reasoning": "Both figures can be calculated.",
        "complexity_assessment": "low",
    })
}
