//! The markers of an answer, as a terminal shows them: by their numbers, without the addresses behind.
//!
//! Border: pieces of an answer, and the citations told before them, in; text out. A marker is known by its
//! place, so that it may be cut anywhere.

use super::Style;
use super::words::is_plain;
use quarry_events::Citation;
use quarry_evidence::verify::Verdict;
use std::collections::BTreeMap;

/// Turns the pieces of one answer into what is printed of it.
#[derive(Default)]
pub struct Markers {
    /// Those that were told and not met yet, by where they begin: one that is told again is there once.
    ahead: BTreeMap<usize, Marker>,
    /// Where the one ends in which the last piece ended, in code points.
    inside: Option<usize>,
}

struct Marker {
    end: usize,
    shown: String,
}

impl Markers {
    /// Those of a whole answer.
    pub fn of(citations: &[Citation], style: Style) -> Markers {
        let mut markers = Markers::default();
        citations.iter().for_each(|citation| markers.expect(citation, style));
        markers
    }

    /// Takes note of a citation whose marker comes; what was told of that place before is forgotten.
    pub fn expect(&mut self, citation: &Citation, style: Style) {
        let shown = style.paint(color(citation.verdict), &name(citation));
        self.ahead.insert(citation.start, Marker { end: citation.end, shown });
    }

    /// A piece that begins behind so many code points, as it is printed. What would move the cursor or change
    /// its colour is left out: a model may have read it on a page.
    pub fn show(&mut self, at: usize, piece: &str) -> String {
        let mut out = String::with_capacity(piece.len());
        for (place, c) in (at..).zip(piece.chars()) {
            if self.inside.is_some_and(|end| place < end) {
                continue;
            }
            self.inside = None;
            let is_marker = matches!(c, '[' | '(');
            if let Some(marker) = is_marker.then(|| self.ahead.remove(&place)).flatten() {
                out.push_str(&marker.shown);
                self.inside = Some(marker.end);
            } else if is_plain(c) || matches!(c, '\n' | '\t') {
                out.push(c);
            }
        }
        out
    }
}

/// How a citation is called in the answer.
pub fn name(citation: &Citation) -> String {
    match (citation.n, citation.verdict) {
        (None, _) => "(unverified)".to_owned(),
        (Some(n), Verdict::Supported) => format!("[{n}]"),
        (Some(n), Verdict::Partly | Verdict::NotFound) => format!("[{n}?]"),
    }
}

const fn color(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Supported => "36",
        Verdict::Partly => "33",
        Verdict::NotFound => "31",
    }
}
