//! Passages as a checkpoint keeps them: by the headings that they stand under, which are said once.
//!
//! Border: for `#[serde(with)]`. A checkpoint is written before each call that costs something.

use crate::{Anchor, Passage};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// Passages in a row under the same headings.
#[derive(Serialize, Deserialize)]
struct Section<'p> {
    headings: Cow<'p, [String]>,
    passages: Vec<Kept<'p>>,
}

/// Anchor, text and fragment.
#[derive(Serialize, Deserialize)]
struct Kept<'p>(Cow<'p, Anchor>, Cow<'p, str>, Cow<'p, str>);

impl<'p> From<&'p Passage> for Kept<'p> {
    fn from(passage: &'p Passage) -> Self {
        let Passage { anchor, text, fragment, .. } = passage;
        Kept(Cow::Borrowed(anchor), text.into(), fragment.into())
    }
}

pub fn serialize<S: Serializer>(passages: &[Passage], to: S) -> Result<S::Ok, S::Error> {
    let sections = passages.chunk_by(|one, next| one.headings == next.headings).map(|passages| {
        let headings = passages.first().map_or(&[][..], |first| &first.headings);
        Section { headings: headings.into(), passages: passages.iter().map(Kept::from).collect() }
    });
    to.collect_seq(sections)
}

pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Passage>, D::Error> {
    let sections: Vec<Section<'static>> = Vec::deserialize(from)?;
    let passages = sections.into_iter().flat_map(|Section { headings, passages }| {
        let headings = headings.into_owned();
        passages.into_iter().map(move |Kept(anchor, text, fragment)| Passage {
            anchor: anchor.into_owned(),
            headings: headings.clone(),
            text: text.into_owned(),
            fragment: fragment.into_owned(),
        })
    });
    Ok(passages.collect())
}
