//! Which of several forms a caller likes best, by its `Accept` header.
//!
//! Border: the header's text in, a choice out. Source: RFC 9110, section 12.5.1.

/// The media type of JSON.
pub(crate) const JSON: &str = "application/json";
/// The media type of an event stream.
pub(crate) const EVENT_STREAM: &str = "text/event-stream";
/// The media type of words.
#[cfg(feature = "schema")]
pub(crate) const TEXT: &str = "text/plain";
/// The media type of JSON values, one a line.
pub(crate) const LINES: &str = "application/x-ndjson";

/// The place of the offer that is liked best; of several the first. None: the caller takes none of
/// them. Whoever says nothing takes everything.
pub(crate) fn best(accept: Option<&str>, offers: &[&str]) -> Option<usize> {
    let accept = accept.map(str::trim).filter(|accept| !accept.is_empty());
    let Some(accept) = accept else { return Some(0) };
    let ranges: Vec<Range<'_>> = accept.split(',').filter_map(Range::read).collect();
    let mut best = None;
    for (place, offer) in offers.iter().enumerate() {
        let of_it =
            ranges.iter().filter_map(|range| range.precision(offer).map(|how| (how, range)));
        // The most precise range says how well it is liked, and of two the later.
        let liked = of_it.max_by_key(|(how, _)| *how).map_or(0, |(_, range)| range.thousandths);
        if liked > 0 && best.is_none_or(|(most, _)| liked > most) {
            best = Some((liked, place));
        }
    }
    best.map(|(_, place)| place)
}

/// One range of the header.
struct Range<'a> {
    kind: &'a str,
    subkind: &'a str,
    /// How well it is liked: the quality value times a thousand, so that values compare exactly.
    thousandths: u32,
}

impl<'a> Range<'a> {
    fn read(text: &'a str) -> Option<Range<'a>> {
        let mut parts = text.split(';').map(str::trim);
        let (kind, subkind) = parts.next()?.split_once('/')?;
        let mut quality = parts.filter_map(|part| part.split_once('='));
        let quality = quality.rfind(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
        Some(Range {
            kind,
            subkind,
            thousandths: quality.map_or(1_000, |(_, value)| thousandths(value.trim())),
        })
    }

    /// How precisely it means an offer; none: it does not.
    fn precision(&self, offer: &str) -> Option<u8> {
        let (kind, subkind) = offer.split_once('/')?;
        match (self.kind, self.subkind) {
            ("*", "*") => Some(0),
            (ours, "*") if ours.eq_ignore_ascii_case(kind) => Some(1),
            (ours, own) if ours.eq_ignore_ascii_case(kind) && own.eq_ignore_ascii_case(subkind) => {
                Some(2)
            }
            _ => None,
        }
    }
}

/// A quality value; one that cannot be read likes as if it were not there.
fn thousandths(value: &str) -> u32 {
    let quality = value.parse().ok().filter(|quality| (0.0..=1.0).contains(quality));
    // Between 0 and 1,000, so the cast is exact after rounding.
    quality.map_or(1_000, |quality: f64| (quality * 1_000.0).round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OFFERS: [&str; 3] = [JSON, "text/markdown", "text/html"];

    #[test]
    fn the_best_liked_form_is_chosen() {
        for (accept, chosen) in [
            (None, Some(0)),
            (Some(" "), Some(0)),
            (Some("*/*"), Some(0)),
            (Some("text/html"), Some(2)),
            (Some("Text/HTML; charset=utf-8"), Some(2)),
            (Some("text/*"), Some(1)),
            (Some("application/json;q=0.5, text/markdown;q=0.7"), Some(1)),
            (Some("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"), Some(2)),
            // What is refused by name is not let in by a wider range.
            (Some("*/*, application/json;q=0"), Some(1)),
            (Some("text/*;q=0.3, text/html;q=0.4, */*;q=0.1"), Some(2)),
            (Some("image/png"), None),
            (Some("application/json;q=0"), None),
            (Some("text/html;q=2"), Some(2)),
            (Some("nonsense, ;;, text/html"), Some(2)),
            (Some("application/json;level=1;q=0.2, text/markdown;Q=0.3"), Some(1)),
        ] {
            assert_eq!(best(accept, &OFFERS), chosen, "{accept:?}");
        }
    }
}
