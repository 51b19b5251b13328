//! What a request asks for, whichever door it came through.
//!
//! Border: what needs no configuration has been checked. Whether the model exists, a key is at
//! hand or a continuation is ours is for the callee to say.

use crate::{ConsultRequest, GivenKey, OwnName, Refusal, Reply, knowledge, mcp, responses, runs};
use quarry_types::{CollectionName, ReasoningEffort};
use std::fmt;

/// What is to be done.
#[derive(Debug, Clone, PartialEq)]
pub enum Order {
    /// Start an ask and tell its events.
    Start(Box<AskRequest>),
    /// Join an ask's stream.
    Rejoin {
        /// The ask's id.
        id: String,
        /// The number of the last event seen; 0: none.
        after: u64,
    },
    /// End an ask early.
    Stop {
        /// The ask's id.
        id: String,
    },
    /// Join the stream of the ask that its sender gave this name, from its beginning; nothing, where there is none or
    /// it ended a while ago.
    RejoinNamed(OwnName),
    /// End that ask early.
    StopNamed(OwnName),
    /// Ask documents of one's own, and tell the events.
    Consult(Box<ConsultRequest>),
    /// Do something with a response that was begun.
    Response(responses::Order),
    /// Do what a message of the Model Context Protocol wants.
    Mcp(Box<mcp::Order>),
    /// Do something with a run.
    Run(Box<runs::Order>),
    /// Do something with documents of one's own.
    Knowledge(Box<knowledge::Order>),
    /// List the models that may be asked for, or show one.
    Models(Option<String>),
    /// Look how the server is.
    Health,
    /// Nothing: the answer is known.
    Reply(Reply),
}

/// A question, and who asks it. Printed, it shows no secret.
#[derive(Clone, PartialEq)]
pub struct AskRequest {
    /// The question; empty only with `resume`.
    pub query: String,
    /// What the caller wants beside it.
    pub wish: Wish,
    /// How its door deals with its caller.
    pub manners: Manners,
    /// `provider:name`.
    pub model: Option<String>,
    /// The caller's own provider key.
    pub api_key: Option<String>,
    /// For the comparison with the operator's access secret.
    pub access_secret: Option<String>,
    /// A Google ID token.
    pub google_token: Option<String>,
    /// Go on from an interrupted ask.
    pub resume: Option<Continuation>,
    /// Hard limits.
    pub budget: Budget,
    /// Tool iterations at most.
    pub max_iterations: Option<u32>,
    /// Where evidence may come from.
    pub sources: Sources,
    /// The documents of whoever names no collection; none: as the ask that it goes on from, else the default ones.
    pub collection: Option<CollectionName>,
    /// Sites of the web that count, with all that is below their names; none: all.
    pub domains: Vec<String>,
    /// Tool calls of all iterations at most.
    pub max_tool_calls: Option<u32>,
    /// Whether the model judges the citations that the check could neither confirm nor refute; none: as the ask that it
    /// goes on from, else not.
    pub verify_with_model: Option<bool>,
}

impl fmt::Debug for AskRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AskRequest")
            .field("query", &self.query)
            .field("wish", &self.wish)
            .field("manners", &self.manners)
            .field("model", &self.model)
            .field("budget", &self.budget)
            .field("max_iterations", &self.max_iterations)
            .field("sources", &self.sources)
            .field("collection", &self.collection)
            .field("domains", &self.domains)
            .field("max_tool_calls", &self.max_tool_calls)
            .field("verify_with_model", &self.verify_with_model)
            .finish_non_exhaustive()
    }
}

/// Who said something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Speaker {
    /// The one who asks.
    User,
    /// The one who answers.
    Assistant,
}

/// A turn of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    /// Who said it.
    pub by: Speaker,
    /// What.
    pub text: String,
}

/// The form of an answer that a program reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Form {
    /// One JSON object.
    JsonObject,
    /// One JSON object that fits a schema.
    JsonSchema {
        /// Letters, digits, `_` and `-`.
        name: String,
        /// JSON Schema that can be checked, one JSON text.
        schema: String,
        /// Whether the provider is to hold the model to it as it writes, where it can.
        strict: bool,
    },
}

/// What a caller wants beside its question.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Wish {
    /// What was said before the question, oldest first.
    pub history: Vec<Said>,
    /// How the caller wants to be answered.
    pub instructions: Option<String>,
    /// How much thought and research there is; none: as configured.
    pub effort: Option<ReasoningEffort>,
    /// Output tokens of the answer at most.
    pub max_tokens: Option<u32>,
    /// Of the answer, 0 to 2.
    pub temperature: Option<f64>,
    /// The share of likely words that the answer is drawn from, 0 to 1.
    pub top_p: Option<f64>,
    /// The answer ends before the first of these.
    pub stop: Vec<String>,
    /// The form of the answer; none: words.
    pub form: Option<Form>,
    /// One call and no research.
    pub is_direct: bool,
    /// Whether it is refused rather than answered without the oldest of what was said.
    pub wants_all_said: bool,
}

/// How a door deals with its caller.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manners {
    /// A model's name that only the operator's settings can tell the meaning of.
    pub alias: Option<String>,
    /// It is what a chat program asks beside its user's questions.
    pub is_side_task: bool,
    /// Whether the head's Bearer token counts; else the body alone says who asks.
    pub reads_bearer: bool,
    /// The caller's key counts only where nobody else pays.
    pub is_spare_key: bool,
    /// Seconds after which the ask ends when nobody reads it any more; none: it goes on, unless configuration
    /// says otherwise.
    pub grace_seconds: Option<u32>,
    /// The same request, sent again, joins this ask.
    pub join: Option<Join>,
    /// Why it is refused where nothing was begun before that it can join or go on with; none: it begins then.
    pub only_again: Option<Refusal>,
    /// By what that is the same request, whatever comes to be known of its sender.
    pub sent_as: Option<OwnName>,
    /// The key that its sender gave it, whatever is asked with it and whatever comes to be known of its sender.
    pub keyed: Option<GivenKey>,
    /// The name by which its sender finds what it begins or joins, whatever had it before.
    pub called: Option<OwnName>,
    /// Whether it goes on without a reader, whatever is configured.
    pub goes_on: bool,
    /// The ask whose conversation goes on with this one.
    pub follows: Option<String>,
    /// What its door keeps beside the log: a JSON text without any secret.
    pub keeps: Option<String>,
    /// What becomes of it where that cannot be kept.
    pub unkept: Unkept,
    /// How long its log is kept after its end, in milliseconds, where that is shorter than configured.
    pub lasts_ms: Option<u64>,
    /// By what its sender finds what it began before, by ids that people share.
    pub finds: Option<OwnName>,
    /// Whether this is found so, too.
    pub is_found: bool,
    /// What of earlier responses belongs to what was said before, in this order.
    pub refers: Vec<responses::Reference>,
}

/// What becomes of an ask where what its door keeps of it cannot be kept.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unkept {
    /// It is not begun.
    #[default]
    Refused,
    /// It is begun and leaves no log: what is kept would have said that nobody is to be shown it. Where a note would lead
    /// whoever sends the request again to it, it is not begun.
    Unlogged,
    /// It is begun all the same: what is kept is a small thing of it.
    Begun,
}

/// By what an ask is known to be the one that was asked for before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Join {
    /// A hash: it tells nothing of what was asked.
    pub key: String,
    /// What of such an ask is looked for.
    pub seeks: Seeks,
    /// Whether it says that it came before by what whoever asks anew can leave out: a key of its sender's, or a count of
    /// tries.
    pub says_so: bool,
    /// A hash of the key that its sender gave it and of who that is: with another request it is refused. None: it has
    /// none, or others may have given theirs the same.
    pub own: Option<String>,
}

/// What a request looks for that may have come before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Seeks {
    /// Nothing: what it begins is noted, whatever was noted before.
    Nothing,
    /// What ended before its answer so that it can be gone on with: it says that it wants another ask, and what was paid
    /// for is there.
    Halted,
    /// What was begun and left before its end: nobody says whether a program tries again or a person asks again.
    Unfinished,
    /// Whatever was begun: it says that it came before.
    Anything,
}

/// Hard limits of an ask.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Budget {
    /// US dollars.
    pub usd: Option<f64>,
    /// Input and output together.
    pub tokens: Option<u64>,
}

/// Where evidence may come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sources {
    /// The public web.
    pub web: bool,
    /// The private knowledge base.
    pub knowledge: bool,
    /// What programs of the model's compute.
    pub program: bool,
}

/// Where an interrupted ask goes on from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Continuation {
    /// The id of an ask whose state the server keeps.
    Kept(String),
    /// The state as the client received it, one JSON text.
    State(String),
}
