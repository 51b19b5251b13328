//! What persons may have a run do, and what is refused and why.

use super::{Models, Node, Replaced, Run, RunInput, Stage, policy};
use crate::core::Budget;
use quarry_events::run::{RunStatus, WaitReason};
use quarry_journal::run::Waiting;
use quarry_types::{Backoff, Knobs, RunId, Timestamp};
use serde::{Deserialize, Serialize};

/// How a run that waits, failed or was aborted is to go on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Resumption {
    /// Knobs in place of those it has, one JSON object.
    pub config: String,
    /// Limits in place of those it has.
    pub budget: Budget,
    /// Go on although policies have changed.
    pub force: bool,
    /// Whether it comes with a key of the caller's, which stays with whoever drives.
    pub has_key: bool,
    /// Whether the operator pays from here on for what a key of a caller's was to pay for that is missing or refused. It
    /// comes without one then, from somebody who may use the operator's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub operator_pays: bool,
}

/// What is told of a run that is to go on, and that another may drive until then.
#[must_use]
pub fn held(until: Timestamp) -> String {
    format!(
        "whoever drove the run last has it until {}: it goes on with them if they are there, and by itself after that if \
         they are not",
        until.iso()
    )
}

/// What lies in a run's inbox until somebody drives it: the wish, and never the key that it came with.
#[derive(Serialize, Deserialize)]
struct Left {
    resume: Resumption,
}

impl Resumption {
    /// The name under which it lies in the inbox, where there is one at most.
    pub const WISH: &str = "resume";

    /// What is left for whoever drives the run next.
    ///
    /// # Errors
    /// None that are known: it is plain data.
    pub fn left(&self) -> serde_json::Result<String> {
        serde_json::to_string(&Left { resume: self.clone() })
    }

    /// Whether it asks for nothing but that the run goes on.
    fn is_plain(&self) -> bool {
        let is_none = |config: &str| matches!(config.trim(), "" | "{}");
        self.budget == Budget::default() && is_none(&self.config)
    }
}

/// How a run goes on that a person resumes.
#[derive(Debug, Clone, PartialEq)]
pub enum GoesOn {
    /// Whoever drives it tells it this.
    Told(Box<RunInput>),
    /// As it is: it neither waits nor has ended, so whoever drives it goes on with it, or the next one does.
    AsItIs,
}

impl GoesOn {
    /// The same beside what lies in the run's inbox, with the name under which the same wish does: it is heard once. Whoever
    /// only wants the run to go on has what they want where any does. `left` is read behind the run.
    ///
    /// # Errors
    /// [`Refused::Conflict`] where another wish lies there: told behind it, this would have the bounds of before. The same
    /// where an abort does: whoever is told that the run goes on would see it end.
    pub fn beside(
        self,
        wanted: &Resumption,
        left: &[Waiting],
    ) -> Result<(GoesOn, Option<String>), Refused> {
        let is_abort = |it: &Waiting| RunInput::said(it.body.as_deref()) == RunInput::Abort;
        if self == GoesOn::AsItIs && left.iter().any(is_abort) {
            let message = "the run is being aborted; resume it when it is";
            return Err(Refused::Conflict(message.to_owned()));
        }
        let is_wish = |it: &&Waiting| it.body.as_deref().is_some_and(is_left_wish);
        let Some(lies) = left.iter().find(is_wish).filter(|_| self != GoesOn::AsItIs) else {
            return Ok((self, None));
        };
        if wanted.left().ok() == lies.body {
            return Ok((self, Some(lies.id.clone())));
        }
        match wanted.is_plain() && !wanted.force && !wanted.has_key {
            true => Ok((GoesOn::AsItIs, None)),
            false => Err(Refused::another_wish()),
        }
    }
}

/// What becomes of a bound that would be smaller with a wish.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Smaller {
    /// The wish is refused.
    Refused,
    /// It stays as it is: the wish was taken before the bound grew.
    Kept,
}

/// Whether what lies in an inbox is a wish that a run goes on.
fn is_left_wish(body: &str) -> bool {
    body.starts_with(r#"{"resume":"#)
}

/// What differs in a run that shares another's beginning.
#[derive(Debug, Clone, PartialEq)]
pub struct Branch {
    /// The other.
    pub from: RunId,
    /// Another task; none: the same.
    pub task: Option<String>,
    /// Knobs in place of those it has, one JSON object.
    pub config: String,
    /// The models that the new one asks, and those of them that the caller's own key pays for.
    pub models: (Models, Vec<String>),
    /// Models that others stand in for.
    pub replaced: Vec<Replaced>,
    /// Whether the operator pays for its vectors, for whoever forks.
    pub operator_keys: bool,
}

/// Why a run does not do what a person wants.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It is in no state for it.
    #[error("{0}")]
    Conflict(String),
    /// A field has an unusable value.
    #[error("{field} {message}")]
    Field {
        /// Which, with dots for nesting.
        field: String,
        /// What it wants, to follow its name.
        message: String,
    },
}

impl Refused {
    pub(super) fn field(field: impl Into<String>, message: impl Into<String>) -> Self {
        Refused::Field { field: field.into(), message: message.into() }
    }

    /// That the run has ended so.
    #[must_use]
    pub fn ended(status: RunStatus) -> Self {
        Refused::Conflict(format!("the run has ended: it is {}", status.as_str()))
    }

    /// That somebody else wants it to go on otherwise.
    #[must_use]
    pub fn another_wish() -> Self {
        Refused::Conflict("another wish to resume the run lies there already".to_owned())
    }
}

/// Whether a run that stands so is to be told that a person ends it; false: somebody has.
///
/// # Errors
/// [`Refused::Conflict`] when it has ended by itself.
pub fn is_to_be_aborted(status: RunStatus) -> Result<bool, Refused> {
    match status {
        RunStatus::Completed | RunStatus::Failed => Err(Refused::ended(status)),
        RunStatus::Aborted => Ok(false),
        RunStatus::Queued | RunStatus::Running => Ok(true),
    }
}

impl Run {
    /// What the run is told of what a person left for it. A wish to have it go on is what it was when it was left, and is
    /// looked at as it stands now: where another was heard since, it has the larger bounds of both.
    #[must_use]
    pub fn hears(&self, body: Option<&str>, now: Timestamp) -> RunInput {
        let left = body.filter(|body| is_left_wish(body));
        let Some(Left { resume }) = left.and_then(|body| serde_json::from_str(body).ok()) else {
            return RunInput::said(body);
        };
        let goes_on = !self.has_ended() && self.clockwork.waiting().is_none();
        if goes_on && self.brief.is_since(4) {
            return self.grows(resume);
        }
        match self.resumed(resume, Smaller::Kept, now) {
            Ok(GoesOn::Told(input)) => *input,
            // It does already, or is completed: somebody was faster.
            Err(Refused::Conflict(_)) if self.clockwork.waiting().is_none() => RunInput::Clock,
            Ok(GoesOn::AsItIs) => RunInput::Clock,
            Err(why) => RunInput::Unreadable { message: format!("it does not go on so: {why}") },
        }
    }

    /// What a run is told that goes on already, of a wish that was promised while it waited: its bounds, and nothing of a
    /// key, which it does without.
    fn grows(&self, wanted: Resumption) -> RunInput {
        let own = &self.brief;
        let budget = own.budget.at_least(wanted.budget);
        match own.knobs.at_least(&wanted.config) {
            Ok(knobs) if knobs == own.knobs && budget == own.budget => RunInput::Clock,
            Ok(knobs) => RunInput::Resumed {
                by_request: true,
                knobs: Some(Box::new(knobs)),
                named: Some(wanted.config),
                budget: Some(budget),
                policies: None,
                paid_by_caller: None,
            },
            Err(why) => RunInput::Unreadable { message: format!("it does not go on so: {why}") },
        }
    }

    /// How the run goes on with whoever promised a wish and could not have it then; none where it has ended since, and is
    /// not brought back to life. Whoever drives it hears what lies in its inbox, and is told only what belongs to a key, which
    /// lies nowhere; of a run that works the key drives. `lies_there`: nobody has taken the wish out of the inbox.
    ///
    /// # Errors
    /// As of [`resumption`](Self::resumption).
    pub fn promised(
        &self,
        wanted: Resumption,
        lies_there: bool,
        now: Timestamp,
    ) -> Result<Option<GoesOn>, Refused> {
        let waits = self.clockwork.waiting().map(|waiting| waiting.reason);
        match (wanted.has_key, lies_there, waits) {
            _ if self.has_ended() => Ok(None),
            (true, true, Some(_)) => self.resumption(wanted, now).map(Some),
            // All but the key was heard by somebody who did not have it.
            (true, false, Some(WaitReason::NeedsKey)) => {
                let (config, budget) = ("{}".to_owned(), Budget::default());
                self.resumption(Resumption { config, budget, ..wanted }, now).map(Some)
            }
            _ => Ok(Some(GoesOn::AsItIs)),
        }
    }

    /// What the run is told, so that it goes on like this.
    ///
    /// # Errors
    /// [`Refused`] when it is completed, when it goes on and is to do so otherwise, or when a bound would be smaller or
    /// is used up.
    pub fn resumption(&self, wanted: Resumption, now: Timestamp) -> Result<GoesOn, Refused> {
        self.resumed(wanted, Smaller::Refused, now)
    }

    fn resumed(
        &self,
        wanted: Resumption,
        smaller: Smaller,
        now: Timestamp,
    ) -> Result<GoesOn, Refused> {
        let refused = |message: &str| Err(Refused::Conflict(message.to_owned()));
        match (self.status(), self.clockwork.waiting().is_some()) {
            (RunStatus::Completed, _) => {
                return refused("the run is completed; fork it to go on from it");
            }
            (RunStatus::Queued | RunStatus::Running, false) => {
                return match wanted.is_plain() {
                    true => Ok(GoesOn::AsItIs),
                    false => refused(
                        "the run goes on already; its bounds can grow when it waits, failed or was aborted",
                    ),
                };
            }
            (RunStatus::Failed | RunStatus::Aborted, _) | (_, true) => {}
        }
        let changed = self.changed_policies();
        if !wanted.force && !changed.is_empty() {
            return refused(&format!(
                "policies have changed since the run began ({}); resume it with \"force\": true",
                changed.join(", ")
            ));
        }
        let knobs = match smaller {
            Smaller::Refused => self.brief.knobs.grown(&wanted.config),
            Smaller::Kept => self.brief.knobs.at_least(&wanted.config).map_err(|why| ("", why)),
        };
        let knobs = knobs.map_err(|(knob, why)| {
            let of = |knob: &str| format!("config.{knob}");
            Refused::field(if knob.is_empty() { "config".to_owned() } else { of(knob) }, why)
        })?;
        self.has_usable_retries(&knobs)?;
        let budget = self.grown_budget(match smaller {
            Smaller::Refused => wanted.budget,
            Smaller::Kept => wanted.budget.at_least(self.brief.budget),
        })?;
        let (limit, worked) = (knobs.timeouts.run.saturating_mul(1_000), self.worked_ms(now));
        // A report has a time of its own.
        let is_left =
            matches!(self.stage, Stage::Writing(_)) || self.may_write_late(&knobs, budget);
        if worked >= limit && !is_left {
            let seconds = worked.div_ceil(1_000);
            let why = format!("must be more than the {seconds} s that the run has worked");
            return Err(Refused::field("config.timeouts.run", why));
        }
        let paid_by_caller = self.paid_after(&wanted)?;
        let policies = (!changed.is_empty()).then(policy::versions);
        let (by_request, named) = (true, Some(wanted.config));
        let (knobs, budget) = (Some(Box::new(knobs)), Some(budget));
        let told = RunInput::Resumed { by_request, knobs, named, budget, policies, paid_by_caller };
        Ok(GoesOn::Told(Box::new(told)))
    }

    /// Its limits with these in their place: none is smaller than the one it has, or than what is spent, and none is new.
    /// What is not given stays.
    fn grown_budget(&self, given: Budget) -> Result<Budget, Refused> {
        let own = self.brief.budget;
        let ledger = self.calls.ledger();
        let (cost, used) = (ledger.total_cost(), ledger.tokens().total);
        let refused =
            |field: &str, why: String| Err(Refused::field(format!("budget.{field}"), why));
        // A run without a limit has the largest there is.
        if own.usd.is_none() && given.usd.is_some() {
            return refused("usd", NO_LIMIT.to_owned());
        }
        if own.tokens.is_none() && given.tokens.is_some() {
            return refused("tokens", NO_LIMIT.to_owned());
        }
        if let Some(least) = own.usd.filter(|own| given.usd.is_some_and(|usd| usd < *own)) {
            return refused("usd", only_grows(least));
        }
        if let Some(least) = own.tokens.filter(|own| given.tokens.is_some_and(|most| most < *own)) {
            return refused("tokens", only_grows(least));
        }
        let budget = Budget { usd: given.usd.or(own.usd), tokens: given.tokens.or(own.tokens) };
        if budget.usd.is_some_and(|usd| usd < cost) {
            return refused("usd", format!("must be at least the {cost} that is spent"));
        }
        if budget.tokens.is_some_and(|most| most < used) {
            return refused("tokens", format!("must be at least the {used} that are used"));
        }
        Ok(budget)
    }

    /// What the run is told, so that it goes on as one of its own.
    ///
    /// # Errors
    /// [`Refused`] when a knob has an unusable value, or one that what is shared exceeds; when the budget cannot be held
    /// with its model; or when the fork would have newer rules than these, as the run has.
    pub fn branch(&self, branch: Branch) -> Result<RunInput, Refused> {
        self.is_known().map_err(|newer| Refused::Conflict(newer.to_string()))?;
        let Branch { from, task, config, models, replaced, operator_keys } = branch;
        let knobs = self.brief.knobs.with(&config);
        let knobs = knobs.map_err(|why| Refused::field("config", why))?;
        self.has_usable_retries(&knobs)?;
        if let Some((knob, used, _)) =
            self.used(&knobs).into_iter().find(|(_, used, most)| *used > u64::from(*most))
        {
            let why = format!(
                "must be at least {used}: so much is used by the steps that the run shares; name that, or an earlier event as `at`"
            );
            return Err(Refused::field(format!("config.{knob}"), why));
        }
        if let Some(usd) = self.brief.budget.usd.filter(|_| !models.0.are_priced()) {
            let why = format!(
                "has no known price, and without one the run's budget of {usd} US dollars cannot be held; name another"
            );
            return Err(Refused::field("model", why));
        }
        Ok(RunInput::Forked {
            from,
            task,
            knobs: Box::new(knobs),
            models: Some(Box::new(models)),
            policies: Some(policy::versions()),
            replaced,
            operator_keys: Some(operator_keys),
        })
    }
}

impl Run {
    /// Whether waits that these knobs name otherwise can be kept to. Runs of before may have what is refused now.
    fn has_usable_retries(&self, knobs: &Knobs) -> Result<(), Refused> {
        let policy = Some(knobs.retry_policy).filter(|new| *new != self.brief.knobs.retry_policy);
        match policy.and_then(|policy| policy.why_not()) {
            Some(why) => Err(Refused::field(format!("config.{}", Backoff::LONGEST), why)),
            None => Ok(()),
        }
    }

    /// What the run has used of its bounds, each with what these knobs allow.
    fn used(&self, knobs: &Knobs) -> [(&'static str, u64, u32); 6] {
        let nodes = self.tree.nodes();
        let most = |of: fn(&Node) -> usize| nodes.iter().map(of).max().unwrap_or(0) as u64;
        let queries = self.search().map_or(0, |search| search.queries(self.brief.sources));
        let sources = self.gathered.evidence.sources().len() as u64;
        [
            ("max_depth", most(|node| node.depth as usize), knobs.max_depth),
            ("max_rounds", self.round.number.into(), knobs.max_rounds),
            ("max_queries_per_node", queries.into(), knobs.max_queries_per_node),
            (
                "decompose_max_children",
                most(|node| node.children.len()),
                knobs.decompose_max_children,
            ),
            ("max_nodes", nodes.len() as u64, knobs.max_nodes),
            ("max_sources", sources, knobs.max_sources),
        ]
    }
}

/// Why a run without a limit gets none.
const NO_LIMIT: &str = "cannot be set now: the run has no such limit, and bounds of a run may only grow; leave it out, or \
                        begin a new run with it";

fn only_grows(least: impl std::fmt::Display) -> String {
    format!("must be at least {least}: bounds of a run may only grow")
}
