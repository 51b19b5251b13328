//! What the check of citations is measured on, in the component and natively: records, and an answer of which half of the
//! sentences say what their passage says, a quarter is said by another passage, and a quarter by none.

/// Passages of the evidence.
pub const PASSAGES: usize = 40;
/// Sentences of a passage: 1,500 bytes.
pub const OF_PASSAGE: usize = 12;
/// Sentences of the answer.
pub const SENTENCES: usize = 60;

/// A word that belongs to one passage, so that a search for it finds that one.
pub fn name(passage: usize) -> String {
    let letter = |at: usize| ["ba", "de", "fi", "go", "ku", "la", "me"].get(at % 7).copied();
    [passage, passage / 7, passage + 3].into_iter().filter_map(letter).collect()
}

/// A sentence of about 120 bytes.
pub fn sentence(passage: usize, at: usize) -> String {
    let (name, year) = (name(passage), 1_800 + passage * OF_PASSAGE + at);
    let what = ["harbour", "mill", "tower", "market", "school", "quay"];
    let what = what.get(at % 6).copied().unwrap_or_default();
    format!(
        "In {year} the keepers of {name} rebuilt the {what} number {at} with good grey stone from the quarry of {name} hill for {} crowns.",
        year * 3
    )
}

/// The sentence of the answer at a place, without its end, where it cites this passage.
pub fn written(at: usize, passage: usize) -> String {
    let of = match at % 4 {
        2 => (passage + 1) % PASSAGES,
        3 => PASSAGES,
        _ => passage,
    };
    sentence(of, at % OF_PASSAGE).trim_end_matches('.').to_owned()
}
