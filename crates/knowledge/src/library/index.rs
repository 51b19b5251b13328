//! The index of a collection in memory: put together from its parts, and changed into the next version.
//!
//! Border: blobs in; blobs and a manifest out. A version never changes: a change is planned from one, written beside
//! it, and becomes the next when it was committed. Eight small segments beside one another are joined, and eight of
//! those, and so on: so many loads write each chunk a few times, not once for every load after it.

use super::manifest::{Embeddings, Manifest, ModelPart, Part, SegmentPart};
use crate::rank::lsa::{LEAST, Model, Vectors};
use crate::rank::search::Collection;
use crate::rank::segment::{ChunkKey, Damaged, SEGMENT_CHUNKS, Segment};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// A version of a collection's index.
#[derive(Debug, Default)]
pub struct Index {
    /// The collection's number.
    pub(super) collection: u64,
    pub(super) version: u64,
    pub(super) manifest: Manifest,
    pub(super) content: Collection,
}

/// The next version, planned.
pub(super) struct Planned {
    pub manifest: Manifest,
    /// Parts to write, by name.
    pub puts: Vec<(String, Vec<u8>)>,
    /// Parts that nobody needs any more.
    pub gone: Vec<String>,
    slots: Vec<Slot>,
    /// None: the one of this version.
    model: Option<Model>,
}

/// A segment with the directions of its chunks.
#[derive(Default)]
pub(super) struct Fresh {
    pub segment: Segment,
    /// Those that were learned.
    pub learned: Vectors,
    /// Those of a provider's model; none where the collection has none.
    pub embedded: Vectors,
}

/// A segment of the next version.
enum Slot {
    /// One of this version.
    Kept(usize),
    New(Box<Fresh>),
}

/// Segments that will be one: those of this version by their places, and those that are added by theirs.
struct Joined {
    chunks: usize,
    from: Vec<From>,
}

impl Joined {
    fn and(mut self, next: Joined) -> Joined {
        self.chunks += next.chunks;
        self.from.extend(next.from);
        self
    }

    /// How large it is, in steps of eight times.
    const fn level(&self) -> u32 {
        match self.chunks {
            0..8 => 0,
            8..64 => 1,
            64..512 => 2,
            _ => 3,
        }
    }
}

/// Segments of one size that are joined.
const TOGETHER: usize = 8;

/// Which of these are to be one: eight at the end that are not larger than the last, or those before the last that
/// leave no room for it.
fn together(all: &[Joined]) -> Option<(usize, usize)> {
    let (last, before) = all.split_last()?;
    let mut chunks = 0;
    let fits = |joined: &&Joined| {
        chunks += joined.chunks;
        joined.level() <= last.level() && chunks <= SEGMENT_CHUNKS
    };
    let run: Vec<&Joined> = before.iter().rev().take_while(fits).collect();
    let own = run.iter().map(|joined| joined.chunks).sum::<usize>() + last.chunks;
    let from = before.len() - run.len();
    if own <= SEGMENT_CHUNKS {
        return (run.len() + 1 >= TOGETHER).then_some((from, all.len()));
    }
    (run.len() >= 2).then_some((from, before.len()))
}

#[derive(Clone, Copy)]
enum From {
    Old { at: usize, loses: bool },
    Added(usize),
}

impl Index {
    /// The blobs that are needed for a version beside those of another that is at hand.
    pub(super) fn missing(manifest: &Manifest, at_hand: Option<&Index>) -> Vec<Part> {
        let known: BTreeSet<(&str, usize)> =
            at_hand.into_iter().flat_map(|index| index.manifest.parts()).map(Part::key).collect();
        manifest.parts().filter(|part| !known.contains(&part.key())).cloned().collect()
    }

    /// Puts a version together from blobs, by name, and from what another had.
    pub(super) fn assemble(
        (collection, version): (u64, u64),
        manifest: Manifest,
        at_hand: Option<Index>,
        mut blobs: BTreeMap<String, Vec<u8>>,
    ) -> Result<Index, Damaged> {
        let mut known = at_hand.map(Known::of).unwrap_or_default();
        let mut content = Collection::default();
        for part in &manifest.segments {
            let segment = match known.segments.remove(&part.segment.name) {
                Some(segment) => segment,
                None => Segment::from_bytes(&take(&mut blobs, &part.segment, "segment")?)?,
            };
            let vectors = match &part.vectors {
                None => Vectors::default(),
                Some(part) => match known.vectors.remove(&part.name) {
                    Some(vectors) => vectors,
                    None => Vectors::from_bytes(&take(&mut blobs, part, "vectors")?)?,
                },
            };
            let embedded = match &part.embedded {
                None => Vectors::default(),
                Some(part) => match known.vectors.remove(&part.name) {
                    Some(vectors) => vectors,
                    None => Vectors::from_bytes(&take(&mut blobs, part, "embeddings")?)?,
                },
            };
            content.segments.push(segment);
            content.vectors.push(vectors);
            content.embedded.push(embedded);
        }
        content.model = match (&manifest.model, known.model) {
            (None, _) => None,
            (Some(part), Some((name, model))) if name == part.part.name => Some(model),
            (Some(part), _) => Some(Model::from_bytes(&take(&mut blobs, &part.part, "model")?)?),
        };
        Ok(Index { collection, version, manifest, content })
    }

    /// Bytes of memory that it takes.
    pub(super) fn bytes(&self) -> usize {
        self.content.bytes()
    }

    /// Whether vectors of this model, or none, can be added to it.
    pub(super) fn takes(&self, embedding: Option<&Embeddings>) -> bool {
        match (&self.manifest.embedding, embedding) {
            _ if self.chunks() == 0 => true,
            (None, None) => true,
            (Some(own), Some(other)) => own.is_like(other),
            (Some(_), None) | (None, Some(_)) => false,
        }
    }

    /// Chunks.
    pub(super) fn chunks(&self) -> usize {
        self.content.segments.iter().map(|segment| segment.entries().len()).sum()
    }

    /// The numbers of its documents.
    pub(super) fn documents(&self) -> BTreeSet<u64> {
        let entries = self.content.segments.iter().flat_map(|segment| segment.entries());
        entries.map(|entry| entry.key.document).collect()
    }

    /// Whether meaning should be learned anew.
    pub(super) fn is_stale(&self) -> bool {
        let chunks = self.chunks();
        match &self.content.model {
            None => chunks >= LEAST,
            Some(_) if chunks < LEAST => true,
            Some(model) => model.is_stale(small(chunks)) || self.has_changed_by(10),
        }
    }

    /// Chunks that came or went since meaning was learned.
    fn changed(&self) -> u32 {
        self.manifest.model.as_ref().map_or(0, |model| model.changed)
    }

    /// Whether more than one of so many chunks is another than meaning was learned from.
    fn has_changed_by(&self, one_of: u64) -> bool {
        let trained_on = self.manifest.trained_on().unwrap_or_default();
        u64::from(self.changed()) * one_of > u64::from(trained_on)
    }

    /// Plans that a document goes, and that segments are added, with whose directions from now on.
    pub(super) fn change(
        &self,
        goes: Option<u64>,
        added: &[Fresh],
        embedding: Option<Embeddings>,
        token: &str,
    ) -> Planned {
        let id = embedding.as_ref().map(|of| (of.id(), of.dimension));
        let joined = self.joined(goes, added);
        let slots: Vec<Slot> = joined
            .iter()
            .filter_map(|joined| match joined.from.as_slice() {
                [From::Old { at, loses: false }] => Some(Slot::Kept(*at)),
                from => self.join(from, goes, added, id).map(Box::new).map(Slot::New),
            })
            .collect();
        let model = goes.and_then(|number| self.without_words_of(number, &slots));
        let gone = goes.map_or(0, |number| self.count_of(number));
        let came = added.iter().map(|fresh| fresh.segment.entries().len()).sum();
        let changed = self.changed().saturating_add(small(gone.max(came)));
        self.planned(slots, (model, changed), embedding, token)
    }

    /// Chunks of a document.
    fn count_of(&self, document: u64) -> usize {
        let entries = self.content.segments.iter().flat_map(|segment| segment.entries());
        entries.filter(|entry| entry.key.document == document).count()
    }

    /// From what meaning is learned anew; none: from nothing. Where less than two thirds are what they were, it would see
    /// the new from the old.
    pub(super) fn learns_from(&self) -> Option<Model> {
        self.content.model.as_ref().filter(|_| !self.has_changed_by(3)).cloned()
    }

    /// The version that was planned, when it was committed.
    pub(super) fn after(self, planned: Planned) -> Index {
        let Collection { segments, vectors, model, embedded } = self.content;
        let old = segments.into_iter().zip(vectors).zip(embedded);
        let old = old.map(|((segment, learned), embedded)| Fresh { segment, learned, embedded });
        let mut old: Vec<Option<Fresh>> = old.map(Some).collect();
        let mut content = Collection::default();
        let keeps = planned.manifest.embedding.is_some();
        let mut take = |at: usize| {
            let fresh = old.get_mut(at).and_then(Option::take)?;
            let embedded = if keeps { fresh.embedded } else { Vectors::default() };
            Some(Fresh { embedded, ..fresh })
        };
        for slot in planned.slots {
            let fresh = match slot {
                Slot::Kept(at) => take(at),
                Slot::New(fresh) => Some(*fresh),
            };
            if let Some(Fresh { segment, learned, embedded }) = fresh {
                content.segments.push(segment);
                content.vectors.push(learned);
                content.embedded.push(embedded);
            }
        }
        content.model = planned.model.or(model);
        let (collection, version) = (self.collection, self.version + 1);
        Index { collection, version, manifest: planned.manifest, content }
    }

    fn joined(&self, goes: Option<u64>, added: &[Fresh]) -> Vec<Joined> {
        let old = self.content.segments.iter().enumerate().map(|(at, segment)| {
            let entries = segment.entries();
            let goes = goes.map_or(0, |goes| {
                entries.iter().filter(|entry| entry.key.document == goes).count()
            });
            let from = From::Old { at, loses: goes > 0 };
            Joined { chunks: entries.len() - goes, from: vec![from] }
        });
        let new = added.iter().enumerate().map(|(at, fresh)| Joined {
            chunks: fresh.segment.entries().len(),
            from: vec![From::Added(at)],
        });
        let mut all: Vec<Joined> = Vec::new();
        for next in old.chain(new) {
            all.push(next);
            while let Some((from, to)) = together(&all) {
                let joined = all.drain(from..to).reduce(Joined::and);
                joined.into_iter().for_each(|joined| all.insert(from, joined));
            }
        }
        all
    }

    /// None when nothing stays.
    fn join(
        &self,
        from: &[From],
        goes: Option<u64>,
        added: &[Fresh],
        id: Option<(u32, usize)>,
    ) -> Option<Fresh> {
        let of = |source: &From| match source {
            From::Old { at, .. } => self.content.segments.get(*at),
            From::Added(at) => added.get(*at).map(|new| &new.segment),
        };
        let stays = |key: ChunkKey| Some(key.document) != goes;
        let segments: Vec<&Segment> = from.iter().filter_map(of).collect();
        let segment = match (from, segments.as_slice()) {
            ([From::Added(_)], [segment]) => (*segment).clone(),
            _ => Segment::joined(&segments, stays),
        };
        if segment.entries().is_empty() {
            return None;
        }
        let model = self.content.model.as_ref();
        let new = |model: &Model| Vectors::new(model.id(), model.width());
        let mut learned = model.map(new).unwrap_or_default();
        let mut embedded = id.map(|(id, width)| Vectors::new(id, width)).unwrap_or_default();
        for source in from {
            let of = of(source)?;
            let (known, given) = match source {
                From::Old { at, .. } => {
                    (self.content.vectors.get(*at), self.content.embedded.get(*at))
                }
                From::Added(at) => (None, added.get(*at).map(|new| &new.embedded)),
            };
            if let Some(model) = model {
                // What this model has said of a chunk once, it would say again.
                let known = known.filter(|known| {
                    known.model() == model.id() && known.len() == of.entries().len()
                });
                let known = known.map_or_else(|| Cow::Owned(model.vectors(of)), Cow::Borrowed);
                learned.push_those(&known, of, stays);
            }
            if id.is_some() {
                embedded.push_those(given.unwrap_or(&Vectors::default()), of, stays);
            }
        }
        learned.trim();
        embedded.trim();
        Some(Fresh { segment, learned, embedded })
    }

    /// The model without the words that only a document had; none where it has all of its words.
    fn without_words_of(&self, number: u64, slots: &[Slot]) -> Option<Model> {
        let model = self.content.model.as_ref()?;
        let had =
            |segment: &&Segment| segment.entries().iter().any(|entry| entry.key.document == number);
        let were: Vec<&Segment> = self.content.segments.iter().filter(had).collect();
        let are: Vec<&Segment> = slots.iter().filter_map(|slot| self.segment(slot)).collect();
        let mut pruned = model.clone();
        pruned.prune(&were, &are).then_some(pruned)
    }

    fn segment<'i>(&'i self, slot: &'i Slot) -> Option<&'i Segment> {
        match slot {
            Slot::Kept(at) => self.content.segments.get(*at),
            Slot::New(fresh) => Some(&fresh.segment),
        }
    }

    fn planned(
        &self,
        slots: Vec<Slot>,
        (model, changed): (Option<Model>, u32),
        embedding: Option<Embeddings>,
        token: &str,
    ) -> Planned {
        let mut puts: Vec<(String, Vec<u8>)> = Vec::new();
        let mut put = |bytes: Vec<u8>| {
            let part = Part { name: format!("{token}.{}", puts.len()), bytes: bytes.len() };
            puts.push((part.name.clone(), bytes));
            part
        };
        let mut manifest = Manifest::after(&self.manifest);
        // Of another model's no vector stays.
        let keeps = embedding.is_some();
        let old = |at: &usize| {
            let part = self.manifest.segments.get(*at).cloned()?;
            let embedded = part.embedded.filter(|_| keeps);
            Some(SegmentPart { embedded, ..part })
        };
        for slot in &slots {
            let mut directions =
                |vectors: &Vectors| (!vectors.is_empty()).then(|| put(vectors.to_bytes()));
            let part = match slot {
                Slot::Kept(at) => old(at),
                Slot::New(fresh) => {
                    let Fresh { segment, learned, embedded } = fresh.as_ref();
                    let (vectors, embedded) = (directions(learned), directions(embedded));
                    Some(SegmentPart { segment: put(segment.to_bytes()), vectors, embedded })
                }
            };
            manifest.segments.extend(part);
        }
        manifest.model = match &model {
            None => self.manifest.model.clone().map(|part| ModelPart { changed, ..part }),
            Some(model) => Some(ModelPart {
                part: put(model.to_bytes()),
                trained_on: model.trained_on(),
                changed,
            }),
        };
        // A collection without chunks takes any model.
        let of = |slot| self.segment(slot).map_or(0, |segment| segment.entries().len());
        let vectors = small(slots.iter().map(of).sum());
        manifest.embedding = embedding.filter(|_| vectors > 0);
        if let Some(embedding) = &mut manifest.embedding {
            embedding.vectors = vectors;
        }
        let gone = self.manifest.without(&manifest);
        Planned { manifest, puts, gone, slots, model }
    }
}

fn small(count: usize) -> u32 {
    u32::try_from(count).unwrap_or(u32::MAX)
}

/// The parts of a version, by name.
#[derive(Default)]
struct Known {
    segments: BTreeMap<String, Segment>,
    vectors: BTreeMap<String, Vectors>,
    model: Option<(String, Model)>,
}

impl Known {
    fn of(index: Index) -> Known {
        let mut known = Known::default();
        let Collection { segments, vectors, model, embedded } = index.content;
        let content = segments.into_iter().zip(vectors.into_iter().zip(embedded));
        for (part, (segment, (learned, embedded))) in
            index.manifest.segments.into_iter().zip(content)
        {
            known.segments.insert(part.segment.name, segment);
            known.vectors.extend(part.vectors.map(|part| (part.name, learned)));
            known.vectors.extend(part.embedded.map(|part| (part.name, embedded)));
        }
        known.model = index.manifest.model.map(|part| part.part.name).zip(model);
        known
    }
}

/// A blob that has to be there, of its length.
fn take(
    blobs: &mut BTreeMap<String, Vec<u8>>,
    part: &Part,
    what: &'static str,
) -> Result<Vec<u8>, Damaged> {
    blobs.remove(&part.name).filter(|blob| blob.len() == part.bytes).ok_or(Damaged(what))
}
