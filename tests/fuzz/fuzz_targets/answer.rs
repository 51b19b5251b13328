//! Any answer of a model against any evidence: what leaves does not depend on how the stream was cut, a
//! citation is told before the text that shows it, and says what its passage says.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_evidence::cite::{Answer, Known, Out, Proof};
use quarry_evidence::{Content, Finding, Source, conflicts};

/// Passages, one a line, up to a line with `---`; then the answer.
const END: &str = "\n---\n";

fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let (evidence, answer) =
        text.split_once(END).unwrap_or(("The lamp was lit by Ann in 1823.", &text));
    let source = |(at, line): (usize, &str)| {
        let content = Content::Text(line.to_owned());
        let url = format!("https://{at}.example/(a)");
        Source::new(at + 1, Finding { url, content, ..Finding::default() })
    };
    let sources: Vec<Source> = evidence.lines().enumerate().map(source).collect();
    let known = Known::new(&sources);
    let (whole, proof) = write(&known, [answer]);
    let pieces = answer.split_inclusive([' ', '[', '`', 'h', '\n']);
    assert_eq!((&whole, &proof), (&write(&known, pieces).0, &proof), "cut otherwise");
    hold(&whole, &proof, &sources);
    let found = conflicts(&proof, &known);
    assert!(found.iter().all(|it| it.one.url != it.other.url));
});

/// What leaves, with the pieces of text between two citations as one.
fn write<'p>(known: &Known, pieces: impl IntoIterator<Item = &'p str>) -> (Vec<Out>, Proof) {
    let mut answer = Answer::default();
    let mut out = Vec::new();
    for piece in pieces {
        out.extend(answer.push(piece, known));
    }
    let (rest, proof) = answer.finish(known);
    out.extend(rest);
    let mut merged: Vec<Out> = Vec::new();
    for out in out {
        match (merged.last_mut(), out) {
            (Some(Out::Text(text)), Out::Text(more)) => text.push_str(&more),
            (_, out) => merged.push(out),
        }
    }
    (merged, proof)
}

fn hold(out: &[Out], proof: &Proof, sources: &[Source]) {
    let mut given = 0;
    let mut told = Vec::new();
    let mut content = String::new();
    for out in out {
        match out {
            Out::Text(text) => {
                given += text.chars().count();
                content.push_str(text);
            }
            Out::Citation(citation) => {
                assert_eq!(citation.start, given);
                told.push(citation);
            }
        }
    }
    assert!(told.iter().map(|citation| &***citation).eq(&proof.citations));
    for citation in told {
        let length = citation.end - citation.start;
        let marker: String = content.chars().skip(citation.start).take(length).collect();
        assert_eq!(marker.starts_with('['), citation.n.is_some(), "{marker}");
        let quote = citation.quote.trim_end_matches('…');
        assert!(sources.iter().any(|source| source.body().contains(quote)), "{quote:?} is nowhere");
    }
}
