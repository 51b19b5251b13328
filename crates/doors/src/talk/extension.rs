//! `quarry`: the field by which requests of other protocols say what only Quarry knows.
//!
//! Border: the types here are the parser and the schema of the document at once.

use quarry_types::CollectionName;
use serde::Deserialize;
use serde_json::Value;

use crate::bounds::{Limits, SourceNames, budget, sources};
use crate::json_field::{Field, Given, Known, Object, Whole};
use crate::native::MAX_ITERATIONS;
use crate::{Budget, Refusal, Sources};

/// Where a reader is told what goes on before the answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Where the protocol has reasoning.
    #[default]
    Reasoning,
    /// In the answer's text, between `<think>` and `</think>`.
    Think,
    /// Nowhere.
    None,
}

/// What only Quarry knows.
#[derive(Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
pub(crate) struct Extension {
    /// Hard limits.
    budget: Given<Object<Limits>>,
    /// Tool iterations at most.
    max_iterations: Given<Whole<MAX_ITERATIONS>>,
    /// Where evidence may come from. Default: the web, and documents where `/v1/responses` is asked.
    sources: Given<SourceNames>,
    /// Which collection of documents is searched where a search names none itself; documents have to be among those
    /// places. Default: `default`.
    collection: Given<CollectionName>,
    /// Where the stream tells what goes on: `reasoning` (default), `think` or `none`. `think` puts it into the
    /// content of a chat completion; other doors do not take it.
    progress: Given<ProgressWord>,
    /// Whether the model judges citations that the check could neither confirm nor refute.
    verify_with_model: Given<bool>,
}

#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
struct ProgressWord(#[cfg_attr(feature = "schema", schemars(with = "String"))] Progress);

impl Field for ProgressWord {
    fn read(value: Value) -> Result<Option<Self>, String> {
        let progress = match value.as_str() {
            Some("reasoning") => Progress::Reasoning,
            Some("think") => Progress::Think,
            Some("none") => Progress::None,
            _ => return Err("wants reasoning, think or none".to_owned()),
        };
        Ok(Some(ProgressWord(progress)))
    }
}

/// The same, read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Wanted {
    /// Hard limits.
    pub budget: Budget,
    /// Tool iterations at most.
    pub max_iterations: Option<u32>,
    /// Where evidence may come from.
    pub sources: Sources,
    /// The documents of whoever names no collection.
    pub collection: Option<CollectionName>,
    /// Whether it was said where.
    pub names_sources: bool,
    /// See [`Progress`].
    pub progress: Progress,
    /// Whether the model judges doubtful citations.
    pub verify_with_model: Option<bool>,
}

impl Extension {
    /// Reads it where the protocol has a place of its own for thoughts, which are called so.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] as below, and where thoughts are wanted in the answer.
    pub(crate) fn beside(
        given: Given<Known<Extension>>,
        place: &str,
        thoughts: &str,
    ) -> Result<Wanted, Refusal> {
        let extension = given.named(place)?.map(|Known(extension)| extension);
        let wanted = extension.unwrap_or_default().wanted(place)?;
        if wanted.progress == Progress::Think {
            let wants =
                format!("wants reasoning or none: this protocol has {thoughts} for thoughts");
            return Err(Refusal::field(&format!("{place}.progress"), &wants));
        }
        Ok(wanted)
    }

    /// Reads it. `place` is the field's name, with dots for nesting.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] with the name that the wrong field has there.
    pub(crate) fn wanted(self, place: &str) -> Result<Wanted, Refusal> {
        let at = |name: &str| format!("{place}.{name}");
        let there = |refusal: Refusal| match refusal {
            Refusal::InvalidField { field, message } => {
                Refusal::InvalidField { field: at(&field), message }
            }
            other => other,
        };
        let progress = self.progress.named(&at("progress"))?;
        let names_sources = self.sources.is_given();
        let limits = self.budget.named(&at("budget"))?.map(|limits| limits.0);
        Ok(Wanted {
            progress: progress.map(|word| word.0).unwrap_or_default(),
            budget: budget(limits).map_err(there)?,
            max_iterations: self.max_iterations.named(&at("max_iterations"))?.map(|most| most.0),
            sources: sources(self.sources).map_err(there)?,
            collection: self.collection.named(&at("collection"))?,
            names_sources,
            verify_with_model: self.verify_with_model.named(&at("verify_with_model"))?,
        })
    }
}
