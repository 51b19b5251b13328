//! What a request asks of a run, whichever address it came to.
//!
//! Border: what needs no configuration has been checked. Whose a run is, whether a model exists and
//! whether a key is at hand is for the callee to say.

use quarry_admission::Access;
use quarry_events::run::RunStatus;
use quarry_types::CollectionName;

use super::head::is_token;
use super::reply::ReportForm;
use super::voice::Format;
use crate::Hidden;
use crate::hidden::letters;
use crate::order::{Budget, Sources};

/// What is to be done with a run, and who asks for it.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// By what the caller proves who it is.
    pub credentials: Credentials,
    /// What is to be done.
    pub call: Call,
}

/// By what a caller proves who it is.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Credentials {
    /// For the comparison with one of the operator's secrets.
    pub secret: Option<Hidden>,
    /// A Google ID token.
    pub google_token: Option<Hidden>,
    /// What the head says, whichever of both it is.
    pub bearer: Option<Hidden>,
}

impl Credentials {
    /// Those of a body, and what it leaves out from the head.
    pub(crate) fn or(self, in_head: Credentials) -> Credentials {
        Credentials {
            secret: self.secret.or(in_head.secret),
            google_token: self.google_token.or(in_head.google_token),
            bearer: self.bearer.or(in_head.bearer),
        }
    }

    /// The secret and the token in their letters, for whoever compares and verifies them. What the head says is a token by
    /// its form where tokens are read, else a secret. What the body says counts first: a proxy may add a header of its own.
    #[must_use]
    pub fn letters(&self, access: &Access) -> (Option<&str>, Option<&str>) {
        let bearer = self.bearer();
        let signs_in = access.reads_tokens() && bearer.is_some_and(is_token);
        let (secret, token) = if signs_in { (None, bearer) } else { (bearer, None) };
        (letters(self.secret.as_ref()).or(secret), letters(self.google_token.as_ref()).or(token))
    }

    /// What the head says in its letters, for whoever compares it with a secret and takes no token.
    #[must_use]
    pub fn bearer(&self) -> Option<&str> {
        letters(self.bearer.as_ref())
    }

    /// Whether nothing was sent.
    #[must_use]
    pub const fn are_none(&self) -> bool {
        self.secret.is_none() && self.google_token.is_none() && self.bearer.is_none()
    }
}

/// What is to be done with a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Call {
    /// Begin one.
    Create(Box<Request>, Then),
    /// List the caller's.
    List(Filter),
    /// Show one; with its findings.
    Snapshot(String, bool),
    /// Tell its events after the one of this number.
    Events(String, u64, Format),
    /// End it early.
    Abort(String),
    /// Take it up again.
    Resume(String, Resumption),
    /// Steer it by this text.
    Guide(String, String),
    /// Begin another that shares its beginning.
    Fork(String, Branch),
    /// Show its report; before its end, what can be said now.
    Report(String, ReportForm, bool),
    /// Show every input and effect; as a bundle for a replay.
    Trace(String, bool),
    /// Forget it.
    Delete(String),
    /// Take up every run that is due.
    DriveDue,
    /// Take up this one as far as nobody drives it, or because it is handed over with this.
    Drive(String, Option<Hidden>),
}

/// What a caller has to pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gate {
    /// What who asks has to pass: identity, rate limit, access secret.
    Access,
    /// Nothing, for who knows the id; an identity that is sent is verified, because a run that belongs to
    /// an account is shown to it alone.
    Identity,
    /// The rate limit, and the secret of whoever may have runs taken up.
    DriveSecret,
    /// Nothing.
    Open,
}

impl Call {
    /// What its caller has to pass. Whatever may cost something, shows more than one run, shows prompts, or
    /// cannot be undone wants what an ask wants.
    #[must_use]
    pub const fn gate(&self) -> Gate {
        match self {
            Call::Create(..)
            | Call::List(_)
            | Call::Resume(..)
            | Call::Guide(..)
            | Call::Fork(..)
            | Call::Trace(..)
            | Call::Delete(_) => Gate::Access,
            Call::Snapshot(..) | Call::Events(..) | Call::Abort(_) | Call::Report(..) => {
                Gate::Identity
            }
            Call::DriveDue => Gate::DriveSecret,
            Call::Drive(..) => Gate::Open,
        }
    }
}

/// A run that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// What is to be found out.
    pub task: String,
    /// `provider:name`.
    pub model: Option<String>,
    /// Models by what they do.
    pub models: Roles,
    /// The caller's own provider key.
    pub api_key: Option<Hidden>,
    /// Every knob, one JSON object.
    pub config: String,
    /// Hard limits.
    pub budget: Budget,
    /// Where evidence may come from.
    pub sources: Sources,
    /// Which documents are searched; none: the default ones.
    pub collection: Option<CollectionName>,
    /// What a person says before it begins.
    pub guidance: Option<String>,
    /// With the same key and request there is one run.
    pub idempotency_key: Option<String>,
    /// The run of that key counts only where it was begun within so many milliseconds; none: however old it is.
    pub key_lasts_ms: Option<u64>,
    /// A hash of the key that the sender gave its request at a door that makes its own of all that is asked, and of who that
    /// is: with another one than first it is refused. None: it gave none, or others may have given theirs the same.
    pub senders_key: Option<String>,
    /// Whether the caller's key counts only where nobody else pays.
    pub is_spare_key: bool,
    /// What its door keeps beside the run: a JSON text without any secret.
    pub keeps: Option<String>,
}

/// For each role the models to use, in order of preference; empty: the run's one model.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roles {
    /// Chooses queries and parts questions.
    pub plan: Vec<String>,
    /// Reads sources and states findings.
    pub read: Vec<String>,
    /// Judges whether a question is answered.
    pub judge: Vec<String>,
    /// Writes the report.
    pub write: Vec<String>,
}

/// What follows when a run has begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Then {
    /// The answer.
    Answer,
    /// The answer, once the run has ended or waits for somebody, or after so many seconds.
    Wait(u32),
    /// Its events.
    Events(Format),
}

/// Which runs are listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Filter {
    /// None: all.
    pub status: Option<RunStatus>,
    /// Runs at most.
    pub limit: u32,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// How a run goes on.
#[derive(Debug, Clone, PartialEq)]
pub struct Resumption {
    /// The caller's own provider key.
    pub api_key: Option<Hidden>,
    /// Limits in place of those it has.
    pub budget: Budget,
    /// The knobs that were given, one JSON object.
    pub config: String,
    /// Go on although a policy has another version than when it began.
    pub force: bool,
}

/// What differs in a run that shares another's beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The last event whose steps are shared; none: all.
    pub at: Option<u64>,
    /// Another task.
    pub task: Option<String>,
    /// Another model.
    pub model: Option<String>,
    /// The caller's own provider key.
    pub api_key: Option<Hidden>,
    /// The knobs that were given, one JSON object.
    pub config: String,
    /// With the same key and the same wish there is one fork.
    pub idempotency_key: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hidden(text: &str) -> Option<Hidden> {
        Some(Hidden(text.to_owned()))
    }

    #[test]
    fn what_the_head_says_is_a_token_by_its_form_where_tokens_are_read() {
        let token = "eyJhbGciOiJSUzI1NiJ9.e30.c2ln";
        let access = |secret, client_id| Access::read(secret, "", client_id).unwrap();
        for (bearer, access, expected) in [
            (token, access("", "id"), (None, Some(token))),
            (token, access("sesame", "id"), (None, Some(token))),
            // A secret may look like one.
            (token, access(token, ""), (Some(token), None)),
            (token, access("", ""), (Some(token), None)),
            ("sesame", access("sesame", "id"), (Some("sesame"), None)),
            ("sesame", access("", "id"), (Some("sesame"), None)),
        ] {
            let sent = Credentials { bearer: hidden(bearer), ..Credentials::default() };
            assert_eq!(sent.letters(&access), expected, "{bearer}");
            assert_eq!(sent.bearer(), Some(bearer), "who takes no token compares it");
        }
    }

    #[test]
    fn what_the_body_says_counts_before_the_head() {
        let access = Access::read("sesame", "", "id").unwrap();
        let (secret, google_token) = (hidden("own"), hidden("eyJ.own.token"));
        let in_body = Credentials { secret, google_token, bearer: None };
        assert!(!in_body.are_none() && Credentials::default().are_none());
        for bearer in ["eyJ.proxys.token", "proxys"] {
            let in_head = Credentials { bearer: hidden(bearer), ..Credentials::default() };
            assert!(!in_head.are_none());
            let both = in_body.clone().or(in_head);
            assert_eq!(both.letters(&access), (Some("own"), Some("eyJ.own.token")));
        }
    }
}
