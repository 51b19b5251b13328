//! What was read of a source, kept once.

use crate::own::state;
use crate::passage::joined;
use crate::{Passage, sections};
use quarry_types::order;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// What was read of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    /// Nothing.
    #[default]
    Unread,
    /// A text that nobody has cut into passages: what a client kept, or a page's own summary.
    Text(String),
    /// The passages of its page, in order.
    Passages(#[serde(with = "sections")] Vec<Passage>),
}

/// What becomes of a passage of a document that was replaced since: a later search brings what it says now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Replaced {
    /// It stays, and what is said now in its place is not taken in: in runs of before revision 17.
    Stays,
    /// It gives way: an answer says what the document says.
    GivesWay,
    /// Both are kept: findings may rest on it.
    IsKeptToo,
}

impl Content {
    /// The content of a page: its passages, and its text only where it has none.
    #[must_use]
    pub fn new(text: &str, passages: Vec<Passage>) -> Self {
        match (passages.is_empty(), text.is_empty()) {
            (false, _) => Content::Passages(passages),
            (true, false) => Content::Text(text.to_owned()),
            (true, true) => Content::Unread,
        }
    }

    /// Whether nothing was read.
    #[must_use]
    pub const fn is_unread(&self) -> bool {
        matches!(self, Content::Unread)
    }

    /// The passages; none where the text is in one piece.
    #[must_use]
    pub fn passages(&self) -> &[Passage] {
        match self {
            Content::Passages(passages) => passages,
            Content::Unread | Content::Text(_) => &[],
        }
    }

    /// All of it as one text. That of passages has the headings above them, in Markdown.
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Content::Unread => Cow::Borrowed(""),
            Content::Text(text) => Cow::Borrowed(text),
            Content::Passages(passages) => Cow::Owned(joined(passages)),
        }
    }

    /// The pieces of it that hold text, without headings.
    pub fn pieces(&self) -> impl Iterator<Item = &str> {
        let whole = match self {
            Content::Text(text) => Some(text.as_str()),
            Content::Unread | Content::Passages(_) => None,
        };
        whole.into_iter().chain(self.passages().iter().map(|passage| passage.text.as_str()))
    }

    /// Bytes of all that is kept of it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        match self {
            Content::Unread => 0,
            Content::Text(text) => text.len(),
            Content::Passages(passages) => passages.iter().map(Passage::bytes).sum(),
        }
    }

    /// Keeps what fits into so many bytes, from the beginning; passages stay whole. Whether anything did not.
    pub(crate) fn fit(&mut self, bytes: usize) -> bool {
        let before = self.bytes();
        match self {
            Content::Unread => {}
            Content::Text(text) => text.truncate(text.floor_char_boundary(bytes)),
            Content::Passages(passages) => {
                let mut left = bytes;
                let fits = |passage: &&Passage| {
                    let rest = left.checked_sub(passage.bytes());
                    left = rest.unwrap_or(left);
                    rest.is_some()
                };
                let kept = passages.iter().take_while(fits).count();
                passages.truncate(kept);
            }
        }
        let kept = self.bytes();
        if kept == 0 {
            *self = Content::Unread;
        }
        kept < before
    }

    /// Adds passages of the same document to those that are here, in the order of their anchors. What is here
    /// stays as it is, unless the document was replaced since; a text in one piece gives way. Whether the document is in a
    /// state of which nothing was here.
    pub(crate) fn add(&mut self, more: Content, replaced: Replaced) -> bool {
        let Content::Passages(more) = more else { return false };
        let mut passages = match std::mem::take(self) {
            Content::Passages(passages) => passages,
            Content::Unread | Content::Text(_) => Vec::new(),
        };
        let is_of = |one: &Passage, other: &Passage| state(&one.fragment) == state(&other.fragment);
        let is_new = |new: &Passage| !passages.iter().any(|known| is_of(known, new));
        let is_replaced = replaced != Replaced::Stays && more.iter().any(is_new);
        for passage in more {
            let is_here = |known: &Passage| {
                let is_same = replaced == Replaced::Stays || is_of(known, &passage);
                known.anchor == passage.anchor && is_same
            };
            if passages.iter().any(is_here) {
                continue;
            }
            if replaced != Replaced::Stays {
                passages.retain(|known| {
                    let is_its = replaced == Replaced::GivesWay && known.anchor == passage.anchor;
                    is_of(known, &passage) || !(is_its || known.says_the_same_as(&passage))
                });
            }
            passages.push(passage);
        }
        order::sort_by(&mut passages, |one, other| one.anchor.cmp(&other.anchor));
        *self = Content::Passages(passages);
        is_replaced
    }

    /// Whether another reading of the same source is to take the place of this one: it says more,
    /// or it has passages and does not say much less.
    pub(crate) fn yields_to(&self, other: &Content) -> bool {
        let said = |content: &Content| content.pieces().map(str::len).sum::<usize>();
        let (here, there) = (said(self), said(other));
        match (self, other) {
            // The marks of Markdown are no text: passages of the same page are shorter.
            (Content::Text(_), Content::Passages(_)) => there * 2 > here,
            (Content::Passages(_), Content::Text(_)) => there > here * 2,
            _ => there > here,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Anchor;
    use proptest::prelude::*;

    fn passages() -> impl Strategy<Value = Vec<Passage>> {
        let headings = prop::collection::vec("[ab]", 0..3);
        let passage =
            (headings, ".{0,20}", "[a-z%]{0,5}").prop_map(|(headings, text, fragment)| {
                let anchor = Anchor::new(format!("p-{}", text.len()));
                Passage { anchor, headings, text, fragment }
            });
        prop::collection::vec(passage, 1..12)
    }

    proptest! {
        #[test]
        fn passages_read_back_as_they_were_kept(passages in passages()) {
            let content = Content::Passages(passages);
            let kept = serde_json::to_string(&content).unwrap();
            prop_assert_eq!(serde_json::from_str::<Content>(&kept).unwrap(), content);
        }

        #[test]
        fn what_fits_is_the_beginning_and_whole(passages in passages(), bytes in 0usize..200) {
            let mut content = Content::Passages(passages.clone());
            content.fit(bytes);
            prop_assert!(content.bytes() <= bytes);
            let kept = content.passages().len();
            prop_assert_eq!(content.passages(), &passages[..kept]);
            let next = passages.get(kept).map(Passage::bytes);
            prop_assert!(next.is_none_or(|next| content.bytes() + next > bytes));
        }
    }

    #[test]
    fn headings_are_kept_once_for_all_that_stands_under_them() {
        let passage = |text: &str| {
            let headings = vec!["Visiting".to_owned()];
            let url = "https://a.example/#x";
            Passage::new(Anchor::new(format!("p-{text}")), headings, text.to_owned(), url)
        };
        let kept = serde_json::to_string(&Content::Passages(vec![passage("a"), passage("b")]));
        assert_eq!(
            kept.unwrap(),
            r#"{"Passages":[{"headings":["Visiting"],"passages":[["p-a","a","x"],["p-b","b","x"]]}]}"#
        );
    }
}
