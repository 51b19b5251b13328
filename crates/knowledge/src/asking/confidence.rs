//! How far an answer can be relied on, by what was found for it. It says nothing of whether the chunks say what the
//! answer says: that is for the check of citations.

use super::context::RetrievedChunk;
use super::enrich::Stats;
use serde::Serialize;

/// How far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Level {
    /// Three chunks or more, with ½ on average.
    High,
    /// Two or more, with 0.3.
    Medium,
    /// Whatever else.
    Low,
}

/// How far an answer can be relied on, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Confidence {
    /// How far.
    pub level: Level,
    /// For people.
    pub reason: String,
}

/// By the number of chunks and the mean of their scores.
#[must_use]
pub fn calculate_confidence(chunks: &[RetrievedChunk], citations: Stats) -> Confidence {
    let count = chunks.len();
    #[allow(clippy::cast_precision_loss, reason = "chunks are few")]
    let mean = chunks.iter().map(|chunk| chunk.score).sum::<f64>() / count.max(1) as f64;
    let level = match count {
        3.. if mean >= 0.5 => Level::High,
        2.. if mean >= 0.3 => Level::Medium,
        _ => Level::Low,
    };
    let found = match count {
        0 => "no chunk was found".to_owned(),
        1 => format!("1 chunk, with a score of {mean:.2}"),
        _ => format!("{count} chunks, with {mean:.2} on average"),
    };
    let cited = match (level, citations.matched) {
        (Level::High, 1) => "; 1 citation matches one of them".to_owned(),
        (Level::High, matched @ 2..) => format!("; {matched} citations match them"),
        _ => String::new(),
    };
    Confidence { level, reason: format!("{found}{cited}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn count_and_mean_decide() {
        let level = |scores: &[f64]| {
            let chunk = |score: &f64| RetrievedChunk { score: *score, ..RetrievedChunk::default() };
            let chunks: Vec<RetrievedChunk> = scores.iter().map(chunk).collect();
            calculate_confidence(&chunks, Stats { total: 3, matched: 2, unmatched: 1 })
        };
        for (scores, expected, reason) in [
            (
                &[0.5, 0.5, 0.5][..],
                Level::High,
                "3 chunks, with 0.50 on average; 2 citations match them",
            ),
            (
                &[1.0, 0.25, 0.25],
                Level::High,
                "3 chunks, with 0.50 on average; 2 citations match them",
            ),
            (&[0.5, 0.5, 0.49], Level::Medium, "3 chunks, with 0.50 on average"),
            (&[1.0, 1.0], Level::Medium, "2 chunks, with 1.00 on average"),
            (&[0.3, 0.3], Level::Medium, "2 chunks, with 0.30 on average"),
            (&[0.3, 0.29], Level::Low, "2 chunks, with 0.29 on average"),
            (&[0.2, 0.2, 0.2, 0.2], Level::Low, "4 chunks, with 0.20 on average"),
            (&[1.0], Level::Low, "1 chunk, with a score of 1.00"),
            (&[], Level::Low, "no chunk was found"),
        ] {
            let found = level(scores);
            assert_eq!((found.level, found.reason.as_str()), (expected, reason), "{scores:?}");
        }
        assert_eq!(serde_json::to_string(&level(&[]).level).unwrap(), "\"Low\"");
    }
}
