//! What the index of a collection is made of: which parts, under which names.
//!
//! Border: JSON in and out. The parts themselves are blobs that never change; a change names other ones.

use crate::rank::segment::Damaged;
use quarry_types::fnv;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The form of manifests and of chunks that this version writes. A collection of another is made anew by a reindex.
const FORM: u32 = 1;

/// How this version tells words apart ([`crate::rank::terms`]). Where an index was made by another way, some words of questions
/// are none of its own, until it is made anew.
const TERMS: u32 = 3;

/// The parts of an index.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    form: u32,
    #[serde(default, skip_serializing_if = "is_none")]
    terms: u32,
    /// Which reindex made it; none: loads alone. Whoever waited for one that others made sees by it that there is another.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) made: Option<String>,
    /// In the order of its chunks.
    pub(super) segments: Vec<SegmentPart>,
    /// What meaning was learned.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) model: Option<ModelPart>,
    /// Whose directions chunks have beside those; none: nobody's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) embedding: Option<Embeddings>,
}

/// The provider's model that a collection remembers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Embeddings {
    /// `provider:name`.
    pub model: String,
    /// Numbers of a vector.
    pub dimension: usize,
    /// Chunks that have one.
    pub vectors: u32,
}

impl Embeddings {
    /// What tells its vectors from those of another.
    pub(super) fn id(&self) -> u32 {
        fnv::bits32(self.model.bytes().chain(self.dimension.to_le_bytes()))
    }

    /// Whether vectors of both may stand side by side.
    pub(super) fn is_like(&self, other: &Embeddings) -> bool {
        self.model == other.model && self.dimension == other.dimension
    }
}

/// A segment and the directions of its chunks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SegmentPart {
    pub segment: Part,
    /// None where there was no model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<Part>,
    /// None where the collection has no provider's model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub embedded: Option<Part>,
}

/// A model.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ModelPart {
    pub part: Part,
    /// Chunks of the collection when it was trained.
    pub trained_on: u32,
    /// Chunks that came or went since then: where others take their place, as many are there as before.
    #[serde(default, skip_serializing_if = "is_none")]
    pub changed: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as serde asks")]
const fn is_none(changed: &u32) -> bool {
    *changed == 0
}

/// A blob.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Part {
    /// Nobody else's.
    pub name: String,
    pub bytes: usize,
}

impl Part {
    /// What tells it from all others.
    pub fn key(&self) -> (&str, usize) {
        (&self.name, self.bytes)
    }
}

impl Default for Manifest {
    fn default() -> Self {
        Manifest {
            form: FORM,
            terms: TERMS,
            made: None,
            segments: Vec::new(),
            model: None,
            embedding: None,
        }
    }
}

impl Manifest {
    /// Reads one.
    ///
    /// # Errors
    /// Where it is none, or of another version.
    pub fn read(text: &str) -> Result<Manifest, Damaged> {
        let manifest: Option<Manifest> = serde_json::from_str(text).ok();
        manifest.filter(|manifest| manifest.form == FORM).ok_or(Damaged("manifest"))
    }

    /// An empty one for what comes after another, of which parts stay: its words are told apart as they were.
    pub(super) fn after(other: &Manifest) -> Manifest {
        let terms = if other.has_other_words() { other.terms } else { TERMS };
        Manifest { terms, made: other.made.clone(), ..Manifest::default() }
    }

    /// An empty one for what a reindex makes.
    pub(super) fn made_by(token: &str) -> Manifest {
        Manifest { made: Some(token.to_owned()), ..Manifest::default() }
    }

    /// Whether its words were told apart in another way than a question's are.
    pub(super) const fn has_other_words(&self) -> bool {
        self.terms != TERMS && !self.segments.is_empty()
    }

    /// The text that a store keeps.
    #[must_use]
    pub fn write(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// Every part.
    pub(super) fn parts(&self) -> impl Iterator<Item = &Part> {
        let segments = self.segments.iter();
        let segments = segments
            .flat_map(|part| [Some(&part.segment), part.vectors.as_ref(), part.embedded.as_ref()]);
        segments.chain([self.model.as_ref().map(|model| &model.part)]).flatten()
    }

    /// The names of the parts that another does not have.
    pub(super) fn without(&self, other: &Manifest) -> Vec<String> {
        let stays: BTreeSet<&str> = other.parts().map(|part| part.name.as_str()).collect();
        let gone = self.parts().filter(|part| !stays.contains(part.name.as_str()));
        gone.map(|part| part.name.clone()).collect()
    }

    /// Bytes of all parts.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts().map(|part| u64::try_from(part.bytes).unwrap_or(u64::MAX)).sum()
    }

    /// Segments.
    #[must_use]
    pub fn segments(&self) -> u32 {
        u32::try_from(self.segments.len()).unwrap_or(u32::MAX)
    }

    /// Chunks that meaning was learned from.
    #[must_use]
    pub fn trained_on(&self) -> Option<u32> {
        self.model.as_ref().map(|model| model.trained_on)
    }
}
