//! What an operator set for questions to the documents.
//!
//! Border: texts of variables in, typed settings out. What they share with asks is read as asks read it.

use crate::ask::AskSettings;
use quarry_knowledge::asking::{Categories, MAX_RETRIES};
use quarry_types::setting::{SettingError, text};
use quarry_types::{Backoff, ReasoningEffort, Retries};

/// What an operator set for questions to the documents.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsultSettings {
    /// Tokens of an answer at most.
    pub ceiling: u32,
    /// For reasoning models.
    pub reasoning_effort: Option<ReasoningEffort>,
    /// What categories are called to clients.
    pub categories: Categories,
}

impl ConsultSettings {
    /// The variable that is read beside those of asks: a JSON object from a category as documents name it to what
    /// clients are told.
    pub const CATEGORIES: &'static str = "knowledge_categories";

    /// How a model call that failed is tried again: a second, doubled, ten at most, three times. A wait that the
    /// provider names takes the place of ours, and is no longer than the longest of them: a question has no state
    /// that a later one could go on from.
    pub const RETRIES: Retries = Retries {
        backoff: Backoff { attempts: MAX_RETRIES + 1, base_ms: 1_000, max_ms: 10_000 },
        longest_named_ms: 10_000,
        lost_tries: u32::MAX,
    };

    /// Reads the text of [`Self::CATEGORIES`], empty where it is not set, beside the settings of asks.
    ///
    /// # Errors
    /// When it is no such object.
    pub fn read(asks: &AskSettings, categories: &str) -> Result<Self, SettingError> {
        let categories = match text(categories) {
            Some(map) => serde_json::from_str(map).map_err(|_| {
                SettingError::wrong(Self::CATEGORIES, "a JSON object from category to name")
            })?,
            None => Categories::default(),
        };
        Ok(ConsultSettings {
            ceiling: asks.config.ceilings.medium,
            reasoning_effort: asks.config.reasoning_effort,
            categories,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_tried_again_three_times() {
        let Retries { backoff, longest_named_ms, .. } = ConsultSettings::RETRIES;
        let Backoff { attempts, base_ms, max_ms } = backoff;
        assert_eq!((attempts, base_ms, max_ms, longest_named_ms), (4, 1_000, 10_000, 10_000));
    }

    #[test]
    fn categories_are_the_operators_or_the_usual_ones() {
        let asks = AskSettings::default();
        let read = |text| ConsultSettings::read(&asks, text);
        assert_eq!(read("").unwrap().categories.name("01_regulatory"), "regulatory");
        assert_eq!(read(r#"{"rota": "staff"}"#).unwrap().categories.name("rota"), "staff");
        let wrong = read("staff").unwrap_err().to_string();
        assert!(wrong.starts_with("knowledge_categories") && wrong.contains("JSON"), "{wrong}");
    }
}
