//! An ask as it is asked for: what a request leaves open is filled in from the ask that it goes on
//! from and from the operator's settings, and what cannot be held is refused.
//!
//! Border: who pays is decided elsewhere, between [`AskRequest::going_on`], which says what is asked
//! of which model, and [`AskRequest::params`], which is told who answers.

use super::{AskConfig, AskParams, AskSettings, Earlier, Own, Wish};
use crate::core::{Budget, Fence, ModelSheet, NoDocuments};
use quarry_events::{Fallback, User};
use quarry_tools::{Domains, Sources};
use quarry_types::{AskId, CollectionName, ReasoningEffort};

/// What a request asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct AskRequest {
    /// The question; blank: that of the ask that it goes on from.
    pub query: String,
    /// What the caller wants beside it.
    pub wish: Wish,
    /// `provider:name`; none: the model of the ask that it goes on from, else the configured one.
    pub model: Option<String>,
    /// Hard limits.
    pub budget: Budget,
    /// Tool iterations at most; none: as the ask that it goes on from, else by its effort.
    pub max_iterations: Option<u32>,
    /// Where evidence may come from.
    pub sources: Sources,
    /// The documents of whoever names no collection; none: as the ask that it goes on from, else the default ones.
    pub collection: Option<CollectionName>,
    /// Where the web may be searched and read.
    pub domains: Domains,
    /// Tool calls of all iterations at most.
    pub max_tool_calls: Option<u32>,
    /// Whether the model judges the citations that the check could neither confirm nor refute; none:
    /// as the ask that it goes on from, else not.
    pub verify_with_model: Option<bool>,
}

/// Who asks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Asker {
    /// As identified.
    pub email: Option<String>,
    /// As identified.
    pub name: Option<String>,
    /// Whether the operator's keys may be used.
    pub operator_keys: bool,
}

/// Who answers.
#[derive(Debug, Clone, PartialEq)]
pub struct Answering {
    /// The model.
    pub model: ModelSheet,
    /// Set when another model answers than was asked for.
    pub fallback: Option<Fallback>,
}

/// Why a request is refused, in words about its [field](Refusal::field).
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// There is no question, not even in an ask that it goes on from.
    #[error("must not be empty")]
    NoQuestion,
    /// It may use none of what a research is made with.
    #[error("names no place to look in; use \"web\", \"knowledge\" or both")]
    NoSources,
    /// It names documents, and has none searched.
    #[error(transparent)]
    NoDocuments(#[from] NoDocuments),
    /// It has a budget in dollars, and nobody knows what the model costs.
    #[error("cannot be held: no price is known for this model; use budget.tokens")]
    NoPrice,
    /// It wants a language model's judgement of citations, and asks one that is none.
    #[error("needs a language model; choose another model, or leave it out")]
    NoJudge,
    /// It wants JSON, and no language model answers.
    #[error(
        "needs a language model, and local:extractive is none; choose another model, or leave it out"
    )]
    NoForm,
    /// What was said before is longer than it can be told, and it wants all of it told.
    #[error(
        "cannot be `disabled` with a conversation that is longer than this model is shown of it; send `auto`, which leaves the \
         oldest turns out, or less"
    )]
    TooLong,
}

impl Refusal {
    /// The field of the request that cannot be used.
    #[must_use]
    pub const fn field(self) -> &'static str {
        match self {
            Refusal::NoQuestion => "query",
            Refusal::NoSources => "sources",
            Refusal::NoDocuments(_) => NoDocuments::FIELD,
            Refusal::NoPrice => "budget.usd",
            Refusal::NoJudge => "verify_with_model",
            Refusal::NoForm => "format",
            Refusal::TooLong => "truncation",
        }
    }
}

impl AskRequest {
    /// The request with the question and the model of the ask that it goes on from, where it names
    /// none itself. The same question in other spacing is that question.
    ///
    /// # Errors
    /// [`Refusal::NoQuestion`] when neither has a question, [`Refusal::NoDocuments`] when it names a collection of
    /// documents that neither has searched.
    pub fn going_on(mut self, earlier: Option<&Earlier>) -> Result<Self, Refusal> {
        if let Some(earlier) = earlier.filter(|earlier| earlier.is_asked_by(&self.query)) {
            earlier.query().clone_into(&mut self.query);
        }
        if self.query.trim().is_empty() {
            return Err(Refusal::NoQuestion);
        }
        NoDocuments::check(self.collection.as_ref(), self.searched(earlier))?;
        let kept = earlier.map(Earlier::model).filter(|model| !model.is_empty());
        self.model = self.model.or(kept);
        Ok(self)
    }

    /// What will be searched, where it goes on from this ask.
    fn searched(&self, earlier: Option<&Earlier>) -> Sources {
        let before = earlier.filter(|earlier| earlier.query() == self.query);
        before.map_or(self.sources, |before| before.searched_by(self.sources))
    }

    /// The ask as it is accepted. The random bits mark text from outside.
    ///
    /// # Errors
    /// [`Refusal`] when it wants what there is not, or a limit that cannot be held.
    pub fn params(
        self,
        id: AskId,
        random: u64,
        answering: Answering,
        asker: Asker,
        settings: &AskSettings,
    ) -> Result<AskParams, Refusal> {
        let Answering { model, fallback } = answering;
        let Sources { web, knowledge, program } = self.sources;
        if !web && !knowledge && !program && !self.wish.is_direct {
            return Err(Refusal::NoSources);
        }
        if self.budget.usd.is_some() && model.price.is_none() {
            return Err(Refusal::NoPrice);
        }
        let is_checked = self.verify_with_model.unwrap_or_default();
        // Where another model stands in that is none, the answer is worth more than its check.
        if is_checked && !model.is_language_model && fallback.is_none() {
            return Err(Refusal::NoJudge);
        }
        // Rules quote; they cannot write what a program reads, whoever they stand in for.
        if self.wish.form.is_some() && !model.is_language_model {
            return Err(Refusal::NoForm);
        }
        let wish = self.wish.within(model.context_window);
        if wish.wants_all_said && wish.left_out > 0 {
            return Err(Refusal::TooLong);
        }
        let effort = wish.effort;
        let usual = rounds(settings.config.max_iterations, effort);
        let own =
            Own { max_iterations: self.max_iterations, verify_with_model: self.verify_with_model };
        let config = AskConfig {
            max_iterations: self.max_iterations.unwrap_or(usual),
            reasoning_effort: effort.or(settings.config.reasoning_effort),
            profile: settings.profile(model.context_window),
            budget: self.budget,
            sources: self.sources,
            collection: self.collection,
            domains: self.domains,
            max_tool_calls: self.max_tool_calls,
            verify_with_model: is_checked,
            ..settings.config.clone()
        };
        let Asker { email, name, operator_keys } = asker;
        let is_identified = email.is_some() || name.is_some();
        Ok(AskParams {
            id,
            query: self.query,
            wish,
            model,
            fallback,
            user: is_identified.then_some(User { email, name }),
            operator_keys,
            config,
            own,
            fence: Fence::of(random),
            secret: settings.secret.0.clone(),
        })
    }
}

/// Tool iterations for an effort: half of the configured ones, all, or twice as many.
const fn rounds(configured: u32, effort: Option<ReasoningEffort>) -> u32 {
    match effort {
        Some(ReasoningEffort::Low) => configured.div_ceil(2),
        Some(ReasoningEffort::High) => configured.saturating_mul(2),
        Some(ReasoningEffort::Medium) | None => configured,
    }
}

#[cfg(test)]
mod tests;
