//! Links of Markdown, where they stand in a line.

use quarry_types::text::first_bytes;

/// The longest words of a link, and the longest address, that are looked through, in bytes: the scan stays
/// linear on any text.
const MOST_LABEL: usize = 500;
const MOST_ADDRESS: usize = 8_192;

/// `[words](address)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Link<'l> {
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Its words.
    pub label: &'l str,
    /// Where it leads.
    pub address: &'l str,
}

/// The links of a line, in order.
pub fn links(line: &str) -> impl Iterator<Item = Link<'_>> {
    let mut from = 0;
    std::iter::from_fn(move || {
        while let Some(open) = line.get(from..)?.find('[') {
            let start = from + open;
            if let Some(link) = link(line, start) {
                from = link.end;
                return Some(link);
            }
            from = start + 1;
        }
        None
    })
}

fn link(line: &str, start: usize) -> Option<Link<'_>> {
    let rest = line.get(start + 1..)?;
    let label = first_bytes(rest, MOST_LABEL);
    let label = label.get(..label.find(['[', ']'])?)?;
    let behind = rest.get(label.len()..)?.strip_prefix("](")?;
    let target = first_bytes(behind, MOST_ADDRESS);
    let target = target.get(..closing(target)?)?;
    let address = target.split_whitespace().next().unwrap_or_default();
    let address = address.trim_start_matches('<').trim_end_matches('>');
    let end = start + 1 + label.len() + 2 + target.len() + 1;
    Some(Link { start, end, label, address })
}

/// Where a link's target ends: addresses may hold brackets of their own, in pairs.
fn closing(target: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (at, character) in target.char_indices() {
        match character {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Whether an address leads away from the page that shows it, however it is written: also `//host`, `ftp:`, behind
/// backslashes or with character references, which whoever shows it takes away, or as part of another.
pub fn leads_elsewhere(address: &str) -> bool {
    let lower = address.to_ascii_lowercase();
    let is_web = lower.starts_with("http") || lower.contains("://") || lower.contains("www.");
    let is_bent = address.contains(['\\', '<', '`'])
        || address.contains(char::is_control)
        || (address.contains('&') && address.contains(';'));
    let is_near = address.starts_with('#')
        || (address.starts_with('/') && !address.starts_with("//"))
        || !address.contains([':', '&', '/']);
    is_web || is_bent || !is_near
}

/// Whether what stands in the parentheses behind a bracket leads nowhere else, be it the target of a link or words.
pub fn stays(target: &str) -> bool {
    let mut words = target.split_whitespace();
    if words.next().is_some_and(leads_elsewhere) || target.contains(['<', '`']) {
        return false;
    }
    // More than one make no link for some, and are read as words.
    words.next().is_none()
        || target.split_whitespace().all(|word| !word.contains("//") && !leads_elsewhere(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn links_are_found_where_they_stand() {
        let line =
            "Ünlit [1](https://a.example/x#lamp), [S [w](<https://b.example/wiki/S_(i)>) [3] [x](y";
        let found: Vec<_> = links(line)
            .map(|link| (&line[link.start..link.end], link.label, link.address))
            .collect();
        assert_eq!(
            found,
            [
                ("[1](https://a.example/x#lamp)", "1", "https://a.example/x#lamp"),
                ("[w](<https://b.example/wiki/S_(i)>)", "w", "https://b.example/wiki/S_(i)"),
            ]
        );
    }

    proptest! {
        #[test]
        fn links_of_any_text_stand_one_after_the_other(
            parts in prop::collection::vec(
                prop_oneof![
                    Just("[a](b)".to_owned()), Just("[".to_owned()), Just("](".to_owned()), Just("é".to_owned()),
                    ".{0,5}",
                ],
                0..30,
            )
        ) {
            let line = parts.concat();
            let mut last = 0;
            for link in links(&line) {
                prop_assert!(last <= link.start && link.start < link.end && link.end <= line.len());
                let whole = &line[link.start..link.end];
                prop_assert!(whole.starts_with('[') && whole.ends_with(')'));
                last = link.end;
            }
        }
    }
}
