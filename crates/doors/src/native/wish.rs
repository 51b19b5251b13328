//! How a caller wants to be answered: as a stream or as one JSON object, and from which event on.
//!
//! Border: reads the query string and two headers. Keys and values of the query string that we
//! know are plain ASCII, so nothing is percent-decoded.

use crate::{Head, Refusal};

/// In the query string: whether the answer is a stream.
pub(super) const STREAM: &str = "stream";
/// In the query string: the number of the last event seen.
pub(crate) const AFTER: &str = "after";
/// The header that says the same.
pub(crate) const LAST_EVENT_ID: &str = "Last-Event-ID";
/// The words for yes and no.
pub(super) const STREAM_WORDS: [(&str, bool); 5] =
    [("true", true), ("false", false), ("1", true), ("0", false), ("", true)];

/// What the address asks for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Place {
    /// `?stream=`.
    pub stream: Option<bool>,
    /// `Last-Event-ID`, else `?after=`, else 0.
    pub after: u64,
}

impl Place {
    /// Reads the address and `Last-Event-ID`.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] when a value is not of its kind.
    pub fn read(head: &Head) -> Result<Place, Refusal> {
        place(head.query.as_deref(), head.last_event_id.as_deref())
    }
}

/// The header wins over `?after=`, because a browser that reconnects keeps the address and adds
/// the header.
fn place(query: Option<&str>, last_event_id: Option<&str>) -> Result<Place, Refusal> {
    let mut place = Place::default();
    for pair in query.unwrap_or_default().split('&') {
        let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
        match key {
            STREAM => place.stream = Some(boolean(value)?),
            AFTER => place.after = number(AFTER, value)?,
            _ => {}
        }
    }
    // A browser sends an empty header when it has seen no event yet.
    if let Some(id) = last_event_id.map(str::trim).filter(|id| !id.is_empty()) {
        place.after = number(LAST_EVENT_ID, id)?;
    }
    Ok(place)
}

fn boolean(value: &str) -> Result<bool, Refusal> {
    let known = STREAM_WORDS.into_iter().find(|(word, _)| *word == value);
    known.map(|(_, means)| means).ok_or_else(|| Refusal::field(STREAM, "wants true or false"))
}

fn number(field: &str, value: &str) -> Result<u64, Refusal> {
    value.parse().map_err(|_| Refusal::field(field, "wants the number of the last event seen"))
}

/// Whether the answer is a stream. The body's word counts most, then the address's, then the
/// `Accept` header's.
#[must_use]
pub fn wants_stream(body: Option<bool>, query: Option<bool>, accept: Option<&str>) -> bool {
    body.or(query).unwrap_or_else(|| accept.is_some_and(names_event_stream))
}

fn names_event_stream(accept: &str) -> bool {
    accept.split(',').any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_it = parts.next().is_some_and(|it| it.eq_ignore_ascii_case("text/event-stream"));
        is_it && !parts.any(refuses)
    })
}

/// Whether a parameter of a range says that it is not wanted: `q=0`.
fn refuses(parameter: &str) -> bool {
    let quality =
        parameter.split_once('=').filter(|(name, _)| name.trim().eq_ignore_ascii_case("q"));
    quality.is_some_and(|(_, value)| value.trim().parse().is_ok_and(|quality: f64| quality <= 0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_counts() {
        let sse = Some("application/json;q=0.5, Text/Event-Stream");
        assert!(wants_stream(None, None, sse));
        assert!(!wants_stream(None, None, Some("application/json")));
        assert!(!wants_stream(None, None, None));
        let refused = Some("text/event-stream;q=0, application/json");
        assert!(!wants_stream(None, None, refused));
        assert!(wants_stream(None, None, Some("text/event-stream; q=0.1")));
        assert!(wants_stream(None, Some(true), None));
        assert!(!wants_stream(None, Some(false), sse));
        assert!(!wants_stream(Some(false), Some(true), sse));
        assert!(wants_stream(Some(true), Some(false), None));
    }

    #[test]
    fn the_place_is_in_the_address_or_the_header() {
        let read = |query, header| place(query, header);
        assert_eq!(read(None, None), Ok(Place::default()));
        assert_eq!(read(Some("after=7&x=1"), None), Ok(Place { stream: None, after: 7 }));
        assert_eq!(
            read(Some("stream=true&after=7"), Some("9")),
            Ok(Place { stream: Some(true), after: 9 })
        );
        assert_eq!(read(Some("after=7"), Some("")), Ok(Place { stream: None, after: 7 }));
        assert_eq!(read(Some("stream"), None), Ok(Place { stream: Some(true), after: 0 }));
        assert_eq!(read(Some("stream=0"), None), Ok(Place { stream: Some(false), after: 0 }));
        for (query, header, field) in [
            (Some("stream=yes"), None, "stream"),
            (Some("after=-1"), None, "after"),
            (None, Some("abc"), "Last-Event-ID"),
        ] {
            let Err(Refusal::InvalidField { field: named, .. }) = read(query, header) else {
                panic!("{query:?} {header:?} was taken")
            };
            assert_eq!(named, field);
        }
    }
}
