//! Cuts replies into the pieces in which a provider streams them.

/// Characters of text in one frame, unless a reply says otherwise. Small, so that even short answers
/// come in several.
pub(crate) const TEXT_CHARS: usize = 24;

/// Cuts text at character borders into pieces of so many; an empty text has no piece.
pub(crate) fn of_text(text: &str, most: Option<usize>) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters
        .chunks(most.unwrap_or(TEXT_CHARS).max(1))
        .map(|chunk| chunk.iter().collect())
        .collect()
}

/// Cuts bytes into writes of changing small sizes, so that some cuts fall inside characters.
pub(crate) fn awkward(bytes: &[u8]) -> Vec<Vec<u8>> {
    let mut sizes = [1, 2, 3, 5, 1, 7, 11, 13].into_iter().cycle();
    let mut rest = bytes;
    let mut writes = Vec::new();
    while !rest.is_empty() {
        let size = sizes.next().unwrap_or(1).min(rest.len());
        let (write, after) = rest.split_at(size);
        writes.push(write.to_vec());
        rest = after;
    }
    writes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_add_up() {
        let text = "Ein Leuchtturm, ein Kabel — und 1 284 Meter Brücke über den Sund.";
        assert_eq!(of_text(text, None).concat(), text);
        assert!(of_text(text, None).len() > 1);
        assert_eq!(awkward(text.as_bytes()).concat(), text.as_bytes());
        assert!(of_text("", None).is_empty());
    }

    #[test]
    fn some_cut_falls_inside_a_character() {
        let cuts = awkward("äöü".repeat(9).as_bytes());
        assert!(cuts.iter().any(|cut| std::str::from_utf8(cut).is_err()));
    }
}
