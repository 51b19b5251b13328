//! A question to the documents as it is asked for, and as it is accepted.
//!
//! Border: who pays is decided elsewhere; the door has checked what its fields may hold.

use super::ConsultSettings;
use crate::ask::{Answering, Asker, Refusal};
use crate::core::{Budget, Fence, ModelSheet};
use quarry_events::{Fallback, User};
use quarry_knowledge::asking::Categories;
use quarry_tools::{KnowledgeFilter, KnowledgeQuery, Share};
use quarry_types::{AskId, ReasoningEffort};

/// What a request asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsultRequest {
    /// The question.
    pub query: String,
    /// Which collection; none: the default one.
    pub collection: Option<String>,
    /// Chunks at most, 1 to 100.
    pub top_k: u32,
    /// The least score that a chunk may have, 0 to 1.
    pub threshold: f64,
    /// Documents that count.
    pub filter: KnowledgeFilter,
    /// Hard limits.
    pub budget: Budget,
    /// Whether the model judges the citations that the check could neither confirm nor refute.
    pub verify_with_model: bool,
}

/// A question as it is accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsultParams {
    /// Its id.
    pub id: AskId,
    /// What is asked of the documents.
    pub query: KnowledgeQuery,
    /// The model that writes.
    pub model: ModelSheet,
    /// Set when another model answers than was asked for.
    pub fallback: Option<Fallback>,
    /// The caller, when identified.
    pub user: Option<User>,
    /// Whether the operator's keys may be used.
    pub operator_keys: bool,
    /// Hard limits.
    pub budget: Budget,
    /// Tokens of an answer at most.
    pub ceiling: u32,
    /// For reasoning models.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// What categories are called to clients.
    pub categories: Categories,
    /// Whether the model judges the citations that the check could neither confirm nor refute.
    pub verify_with_model: bool,
    /// Marks text from outside; new for each question.
    pub fence: Fence,
}

impl ConsultRequest {
    /// The question as it is accepted. The random bits mark text from outside.
    ///
    /// # Errors
    /// [`Refusal`] when it is empty, or wants a limit that cannot be held, or a judgement of no model.
    pub fn params(
        self,
        id: AskId,
        random: u64,
        answering: Answering,
        asker: Asker,
        settings: ConsultSettings,
    ) -> Result<ConsultParams, Refusal> {
        let Answering { model, fallback } = answering;
        if self.query.trim().is_empty() {
            return Err(Refusal::NoQuestion);
        }
        if self.budget.usd.is_some() && model.price.is_none() {
            return Err(Refusal::NoPrice);
        }
        // Where another model stands in that is none, the answer is worth more than its check.
        if self.verify_with_model && !model.is_language_model && fallback.is_none() {
            return Err(Refusal::NoJudge);
        }
        let Asker { email, name, operator_keys } = asker;
        let is_identified = email.is_some() || name.is_some();
        Ok(ConsultParams {
            id,
            query: KnowledgeQuery {
                text: self.query,
                collection: self.collection,
                limit: self.top_k,
                threshold: Share::of(self.threshold),
                filter: self.filter,
            },
            model,
            fallback,
            user: is_identified.then_some(User { email, name }),
            operator_keys,
            budget: self.budget,
            ceiling: settings.ceiling,
            reasoning_effort: settings.reasoning_effort,
            categories: settings.categories,
            verify_with_model: self.verify_with_model,
            fence: Fence::of(random),
        })
    }
}
