//! Ranking by words: BM25 over the segments of a collection.
//!
//! Source: S. Robertson, H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009.

use super::segment::Segment;

/// How soon a repeated word counts no more.
const K1: f32 = 1.5;
/// How much a long chunk is held against it.
const B: f32 = 0.75;

/// What of a collection decides how rare a word and how long a chunk is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures {
    /// Chunks.
    pub chunks: u32,
    /// Words of a chunk on average, each as often as it counts.
    pub mean: f32,
}

impl Measures {
    /// Of all segments of a collection.
    #[must_use]
    pub fn of(segments: &[Segment]) -> Measures {
        let lengths = segments.iter().flat_map(|segment| segment.entries());
        let (chunks, words) = lengths.fold((0_u32, 0_u64), |(chunks, words), entry| {
            (chunks + 1, words + u64::from(entry.length))
        });
        #[allow(clippy::cast_precision_loss, reason = "a mean needs no more digits")]
        let mean = words as f32 / chunks.max(1) as f32;
        Measures { chunks, mean }
    }

    /// How much a word tells that stands in so many chunks: ln(1 + (N − df + ½) / (df + ½)).
    #[must_use]
    pub fn rarity(&self, frequency: u32) -> f32 {
        let with = f64::from(frequency);
        let without = f64::from(self.chunks) - with;
        #[allow(clippy::cast_possible_truncation, reason = "a weight needs no more digits")]
        let rarity = libm::log(1.0 + (without + 0.5).max(0.5) / (with + 0.5)) as f32;
        rarity
    }
}

/// How well the words of a question fit each chunk, segment after segment: 0 where none stands there.
#[must_use]
pub fn scores<'t>(segments: &[Segment], question: impl Iterator<Item = &'t str>) -> Vec<f32> {
    let measures = Measures::of(segments);
    let mean = measures.mean.max(1.0);
    let mut scores = vec![0.0; usize::try_from(measures.chunks).unwrap_or_default()];
    for term in question {
        let lists: Vec<Option<u32>> =
            segments.iter().map(|segment| segment.words().find(term)).collect();
        let counts = segments.iter().zip(&lists);
        let counts = counts.filter_map(|(segment, list)| Some(segment.count((*list)?)));
        let rarity = measures.rarity(counts.sum());
        let mut rest = scores.as_mut_slice();
        for (segment, list) in segments.iter().zip(lists) {
            let entries = segment.entries();
            let Some((here, after)) = rest.split_at_mut_checked(entries.len()) else { break };
            rest = after;
            for (at, count) in list.into_iter().flat_map(|list| segment.list(list)) {
                let at = usize::try_from(at).unwrap_or(usize::MAX);
                let (Some(score), Some(entry)) = (here.get_mut(at), entries.get(at)) else {
                    continue;
                };
                #[allow(clippy::cast_precision_loss, reason = "a chunk has few words")]
                let (count, length) = (count as f32, entry.length as f32);
                let long = K1 * (1.0 - B + B * length / mean);
                *score += rarity * count * (K1 + 1.0) / (count + long);
            }
        }
    }
    scores
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rank::segment::{Builder, ChunkKey, Indexed};

    /// Two chunks, each a segment of its own: what counts is the collection.
    fn segments() -> Vec<Segment> {
        let headings = ["Late quays".to_owned()];
        let chunks = [("Fees", &headings[..], "Quays charge fees"), ("Notes", &[][..], "Boats")];
        let mut builder = Builder::default();
        let segment = |(at, (title, headings, body)): (u32, (_, _, _))| {
            let key = ChunkKey { document: 1, number: at };
            builder.add(&Indexed { key, title, headings, body });
            builder.finish()
        };
        (0..).zip(chunks).map(segment).collect()
    }

    #[test]
    fn words_count_by_the_formula_with_titles_three_times_and_headings_twice() {
        // `fee` 3 + 1, `late` 2, `quai` 2 + 1, `charg` 1; and `note` 3, `boat` 1.
        let (lengths, mean) = ([10.0, 4.0], 7.0);
        let idf = (1.0_f64 + (2.0 - 1.0 + 0.5) / (1.0 + 0.5)).ln();
        let bm25 = |count: f64, length: f64| {
            idf * count * 2.5 / (count + 1.5 * (0.25 + 0.75 * length / mean))
        };
        for (question, expected) in [
            (&["fee"][..], [bm25(4.0, lengths[0]), 0.0]),
            (&["quai", "late"], [bm25(3.0, lengths[0]) + bm25(2.0, lengths[0]), 0.0]),
            (&["boat"], [0.0, bm25(1.0, lengths[1])]),
            (&["nobody"], [0.0, 0.0]),
        ] {
            let found = scores(&segments(), question.iter().copied());
            for (found, expected) in found.iter().zip(expected) {
                assert!((f64::from(*found) - expected).abs() < 1e-5, "{question:?}: {found}");
            }
        }
    }
}
