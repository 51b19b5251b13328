//! What addresses and headers of requests about runs may say.
//!
//! Border: reads the query string and headers. Values that we know are plain ASCII, so nothing is
//! percent-decoded; keys that we do not know are left alone, as browsers and proxies add their own.

use quarry_events::run::RunStatus;

use super::order::{Credentials, Filter, Then};
use super::reply::ReportForm;
use super::voice::Format;
use crate::accept::{EVENT_STREAM, JSON, LINES, best};
use crate::native::{MAX_KEY_CHARACTERS, MAX_TOKEN_CHARACTERS};
use crate::{Head, Hidden, Refusal};

/// Runs of a page, where nobody says how many.
pub(super) const PAGE: u32 = 20;
/// Runs that a page may have.
pub(super) const MAX_PAGE: u32 = 100;
/// Seconds that an answer may wait for a run's end.
pub(super) const MAX_WAIT_SECONDS: u32 = 60;
/// Characters that a key against doing a thing twice may have.
pub(super) const MAX_IDEMPOTENCY_CHARACTERS: usize = 255;
/// Characters that a cursor may have.
pub(super) const MAX_CURSOR_CHARACTERS: usize = 200;

/// The last value of a key in the address; an empty one is not given.
pub(crate) fn value<'h>(head: &'h Head, key: &str) -> Option<&'h str> {
    let pairs = head.query.as_deref().unwrap_or_default().split('&');
    let mut values = pairs.filter_map(|pair| {
        let (known, value) = pair.split_once('=').unwrap_or((pair, ""));
        (known == key).then_some(value)
    });
    values.next_back().filter(|value| !value.is_empty())
}

/// `?status=`, `?limit=`, `?cursor=`.
pub(super) fn filter(head: &Head) -> Result<Filter, Refusal> {
    let status = match value(head, "status") {
        None => None,
        Some(word) => Some(RunStatus::parse(word).ok_or_else(|| {
            let words = RunStatus::ALL.map(RunStatus::as_str);
            Refusal::field("status", &format!("wants one of {}", words.join(", ")))
        })?),
    };
    let limit = match value(head, "limit") {
        None => PAGE,
        Some(number) => {
            let number = number.parse().ok().filter(|number| (1..=MAX_PAGE).contains(number));
            let wants = || format!("wants a whole number from 1 to {MAX_PAGE}");
            number.ok_or_else(|| Refusal::field("limit", &wants()))?
        }
    };
    let cursor = value(head, "cursor").map(str::to_owned);
    if cursor.as_deref().is_some_and(|cursor| !is_cursor(cursor)) {
        let wants = "wants the `next_cursor` of the page before, unchanged";
        return Err(Refusal::field("cursor", wants));
    }
    Ok(Filter { status, limit, cursor })
}

fn is_cursor(text: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    text.len() <= MAX_CURSOR_CHARACTERS && text.bytes().all(plain)
}

/// `?include=findings`.
pub(super) fn includes_findings(head: &Head) -> Result<bool, Refusal> {
    match value(head, "include") {
        None => Ok(false),
        Some("findings") => Ok(true),
        Some(_) => Err(Refusal::field("include", "wants findings")),
    }
}

/// `?partial=true`.
pub(super) fn is_partial(head: &Head) -> Result<bool, Refusal> {
    match value(head, "partial") {
        None | Some("false" | "0") => Ok(false),
        Some("true" | "1") => Ok(true),
        Some(_) => Err(Refusal::field("partial", "wants true or false")),
    }
}

/// `?form=bundle`.
pub(super) fn is_bundle(head: &Head) -> Result<bool, Refusal> {
    match value(head, "form") {
        None | Some("lines") => Ok(false),
        Some("bundle") => Ok(true),
        Some(_) => Err(Refusal::field("form", "wants lines or bundle")),
    }
}

/// The form of a report that is liked best. Of a trace the address names a form, so it is tried here, too.
pub(super) fn report_form(head: &Head) -> Result<ReportForm, Refusal> {
    if value(head, "form").is_some() {
        let wants = "is not chosen in the address of a report; send the header Accept with application/json, text/markdown or text/html";
        return Err(Refusal::field("form", wants));
    }
    let offers = ReportForm::ALL.map(ReportForm::media_type);
    let chosen = best(head.accept.as_deref(), &offers);
    chosen
        .and_then(|place| ReportForm::ALL.get(place).copied())
        .ok_or(Refusal::NotAcceptable("application/json, text/markdown and text/html"))
}

/// The form of events that is liked best; whoever takes neither gets frames, as at `/ask`.
pub(super) fn event_format(head: &Head) -> Format {
    match best(head.accept.as_deref(), &[EVENT_STREAM, LINES]) {
        Some(1) => Format::Lines,
        _ => Format::Frames,
    }
}

/// What follows when a run has begun: its events, where they are liked better than one object; else the
/// answer, at once or after a wait.
pub(super) fn then(head: &Head) -> Then {
    match best(head.accept.as_deref(), &[JSON, EVENT_STREAM, LINES]) {
        Some(1) => Then::Events(Format::Frames),
        Some(2) => Then::Events(Format::Lines),
        _ => wait(head).map_or(Then::Answer, Then::Wait),
    }
}

/// Seconds of `Prefer: wait=`. A preference that is none is left alone, as RFC 7240 has it.
fn wait(head: &Head) -> Option<u32> {
    let preferences = head.prefer.as_deref()?.split(',');
    let mut seconds = preferences.filter_map(|preference| {
        let (name, value) = preference.split(';').next()?.split_once('=')?;
        name.trim().eq_ignore_ascii_case("wait").then(|| value.trim().trim_matches('"'))
    });
    let digits = seconds.next()?;
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    // What does not fit is more than may be waited.
    let seconds = is_number.then(|| digits.parse().unwrap_or(MAX_WAIT_SECONDS))?;
    (seconds > 0).then_some(seconds.min(MAX_WAIT_SECONDS))
}

/// `Idempotency-Key`.
pub(super) fn idempotency_key(head: &Head) -> Result<Option<String>, Refusal> {
    let Some(key) = &head.idempotency_key else { return Ok(None) };
    let fits = (1..=MAX_IDEMPOTENCY_CHARACTERS).contains(&key.len());
    if !fits || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        let wants = format!("wants 1 to {MAX_IDEMPOTENCY_CHARACTERS} visible ASCII characters");
        return Err(Refusal::field("Idempotency-Key", &wants));
    }
    Ok(Some(key.clone()))
}

/// `X-Quarry-Baton`; what is empty, or too long for a lease and a key, is none.
pub(super) fn baton(head: &Head) -> Option<Hidden> {
    let fits = |characters: usize| (1..=MAX_KEY_CHARACTERS + 64).contains(&characters);
    head.baton.clone().filter(|Hidden(baton)| fits(baton.chars().count()))
}

/// `Authorization: Bearer`: a Google ID token or a secret, as the operator's settings have it. What has another scheme, or is
/// too long for either, proves nothing.
pub(crate) fn credentials(head: &Head) -> Credentials {
    let bearer = head.authorization.as_ref().and_then(|Hidden(text)| {
        let (scheme, token) = text.trim().split_once(' ')?;
        scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
    });
    let bearer = bearer.filter(|token| (1..=MAX_TOKEN_CHARACTERS).contains(&token.len()));
    let bearer = bearer.map(|token| Hidden(token.to_owned()));
    Credentials { bearer, ..Credentials::default() }
}

/// Whether it has the form of a JSON Web Token: three parts, of which the first is a JSON object.
pub(crate) fn is_token(bearer: &str) -> bool {
    bearer.starts_with("eyJ") && bearer.split('.').count() == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    fn query(query: &str) -> Head {
        Head { query: Some(query.to_owned()), ..Head::default() }
    }

    fn accepting(accept: &str) -> Head {
        Head { accept: Some(accept.to_owned()), ..Head::default() }
    }

    fn field<T: std::fmt::Debug>(refused: Result<T, Refusal>) -> String {
        match refused {
            Err(Refusal::InvalidField { field, .. }) => field,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_list_is_narrowed_by_its_address() {
        let all = Filter { status: None, limit: 20, cursor: None };
        for empty in ["", "status=&limit=&cursor=", "utm_source=x"] {
            assert_eq!(filter(&query(empty)), Ok(all.clone()), "{empty}");
        }
        let narrow = filter(&query("limit=100&status=failed&cursor=a-B_9")).unwrap();
        assert_eq!((narrow.status, narrow.limit), (Some(RunStatus::Failed), 100));
        assert_eq!(narrow.cursor.as_deref(), Some("a-B_9"));
        for (wrong, named) in [
            ("status=done", "status"),
            ("limit=0", "limit"),
            ("limit=101", "limit"),
            ("limit=ten", "limit"),
            ("cursor=a%20b", "cursor"),
            ("cursor=a b", "cursor"),
        ] {
            assert_eq!(field(filter(&query(wrong))), named, "{wrong}");
        }
        let long = format!("cursor={}", "a".repeat(MAX_CURSOR_CHARACTERS + 1));
        assert_eq!(field(filter(&query(&long))), "cursor");
    }

    #[test]
    fn flags_in_the_address_are_words_that_we_know() {
        assert_eq!(includes_findings(&query("include=findings")), Ok(true));
        assert_eq!(includes_findings(&query("")), Ok(false));
        assert_eq!(field(includes_findings(&query("include=finding"))), "include");
        assert_eq!(is_partial(&query("partial=true")), Ok(true));
        assert_eq!(is_partial(&query("partial=0")), Ok(false));
        assert_eq!(field(is_partial(&query("partial=yes"))), "partial");
        assert_eq!(is_bundle(&query("form=bundle")), Ok(true));
        assert_eq!(is_bundle(&Head::default()), Ok(false));
        assert_eq!(field(is_bundle(&query("form=zip"))), "form");
    }

    #[test]
    fn a_report_has_the_form_that_is_liked_best() {
        for (accept, form) in [
            ("*/*", ReportForm::Json),
            ("text/markdown", ReportForm::Markdown),
            ("text/html,application/xhtml+xml,*/*;q=0.8", ReportForm::Html),
            ("application/json;q=0.1, text/*;q=0.2", ReportForm::Markdown),
        ] {
            assert_eq!(report_form(&accepting(accept)), Ok(form), "{accept}");
        }
        let refusal = report_form(&accepting("application/pdf")).unwrap_err();
        assert_eq!(refusal.status(), 406);
        for form in ReportForm::ALL {
            assert!(refusal.to_string().contains(form.media_type()), "{refusal}");
        }
        let named = Head { query: Some("form=html".to_owned()), ..accepting("text/html") };
        let refusal = report_form(&named).unwrap_err();
        assert_eq!(refusal.status(), 400);
        for form in ReportForm::ALL {
            assert!(refusal.to_string().contains(form.media_type()), "{refusal}");
        }
    }

    #[test]
    fn a_new_run_is_answered_by_an_object_at_once_or_later_or_by_its_events() {
        let asked = |accept: &str, prefer: &str| {
            let prefer = (!prefer.is_empty()).then(|| prefer.to_owned());
            then(&Head { prefer, ..accepting(accept) })
        };
        for (accept, prefer, expected) in [
            ("*/*", "", Then::Answer),
            ("image/png", "", Then::Answer),
            ("*/*", "wait=10", Then::Wait(10)),
            ("*/*", "respond-async, Wait = \"5\"; x=1", Then::Wait(5)),
            ("*/*", "wait=60", Then::Wait(60)),
            ("*/*", "wait=61", Then::Wait(60)),
            ("*/*", "wait=99999999999999999999", Then::Wait(60)),
            ("*/*", "wait=0", Then::Answer),
            ("*/*", "wait=-1", Then::Answer),
            ("*/*", "wait=soon", Then::Answer),
            ("*/*", "waiting=3", Then::Answer),
            ("text/event-stream", "", Then::Events(Format::Frames)),
            ("text/event-stream", "wait=5", Then::Events(Format::Frames)),
            ("application/x-ndjson, */*;q=0.1", "", Then::Events(Format::Lines)),
        ] {
            assert_eq!(asked(accept, prefer), expected, "{accept} {prefer}");
        }
        assert_eq!(event_format(&Head::default()), Format::Frames);
        assert_eq!(event_format(&accepting("application/x-ndjson")), Format::Lines);
        assert_eq!(event_format(&accepting("application/json")), Format::Frames);
    }

    #[test]
    fn a_key_against_doing_it_twice_is_visible_ascii() {
        let read = |key: &str| {
            idempotency_key(&Head { idempotency_key: Some(key.to_owned()), ..Head::default() })
        };
        assert_eq!(idempotency_key(&Head::default()), Ok(None));
        for good in ["x", "a-b_c~!", &"k".repeat(255)] {
            assert_eq!(read(good), Ok(Some(good.to_owned())));
        }
        for wrong in ["", "a b", "ü", "\u{fffd}", "a\tb", &"k".repeat(256)] {
            assert_eq!(field(read(wrong)), "Idempotency-Key", "{wrong}");
        }
    }

    #[test]
    fn a_baton_has_the_length_of_one() {
        let read =
            |text: &str| baton(&Head { baton: Some(Hidden(text.to_owned())), ..Head::default() });
        assert_eq!(read("0af3 sk-x"), Some(Hidden("0af3 sk-x".to_owned())));
        assert_eq!((read(""), baton(&Head::default())), (None, None));
        assert!(read(&"k".repeat(MAX_KEY_CHARACTERS)).is_some());
        assert_eq!(read(&"k".repeat(MAX_KEY_CHARACTERS + 65)), None);
    }

    #[test]
    fn a_bearer_is_handed_on_whatever_it_looks_like() {
        let read = |text: &str| {
            credentials(&Head { authorization: Some(Hidden(text.to_owned())), ..Head::default() })
        };
        let long = "a".repeat(MAX_TOKEN_CHARACTERS);
        for bearer in ["eyJhbGciOiJSUzI1NiJ9.e30.c2ln", "open sesame", "a.b.c", "eyJ", &long] {
            let expected =
                Credentials { bearer: Some(Hidden(bearer.to_owned())), ..Credentials::default() };
            assert_eq!(read(&format!("bearer {bearer} ")), expected, "{bearer}");
        }
        for nothing in ["Basic YTpi", "Bearer", "Bearer  ", "", &format!("Bearer a{long}")] {
            assert_eq!(read(nothing), Credentials::default(), "{nothing}");
        }
    }

    #[test]
    fn a_token_has_three_parts_and_begins_as_an_object() {
        assert!(is_token("eyJhbGciOiJSUzI1NiJ9.e30.c2ln"));
        for other in ["open sesame", "a.b.c", "eyJ", "eyJ.a", "eyJ.a.b.c"] {
            assert!(!is_token(other), "{other}");
        }
    }
}
