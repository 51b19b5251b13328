//! Answers about runs.
//!
//! Border: JSON of the callee's passes through as it is; status and headers are decided here.

use quarry_events::run::RunStatus;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::voice::{Format, head};
use crate::accept::JSON;
use crate::{Headers, Reply};

/// What a browser may do with a report: show it. It is made of what strangers wrote.
const REPORT_POLICY: &str =
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

/// How a report is written down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReportForm {
    /// Its sections, and what programs read of them.
    Json,
    /// A text.
    Markdown,
    /// A page without scripts.
    Html,
}

impl ReportForm {
    /// Every form; the first is for who says nothing.
    pub const ALL: [ReportForm; 3] = [ReportForm::Json, ReportForm::Markdown, ReportForm::Html];

    pub(super) const fn media_type(self) -> &'static str {
        match self {
            ReportForm::Json => JSON,
            ReportForm::Markdown => "text/markdown",
            ReportForm::Html => "text/html",
        }
    }
}

/// The address of a run.
pub(super) fn location(id: &str) -> String {
    format!("/runs/{id}")
}

/// What is read of a snapshot.
#[derive(Deserialize)]
struct Standing {
    status: RunStatus,
    #[serde(default)]
    sequence: u64,
}

/// The number of the last event that a snapshot knows of; 0: none.
#[must_use]
pub fn seen(snapshot: &str) -> u64 {
    serde_json::from_str::<Standing>(snapshot).map_or(0, |standing| standing.sequence)
}

/// A run has begun. `waited` is for how many seconds the answer was to wait for its end: 200 when it has
/// ended, else 202.
#[must_use]
pub fn begun(id: &str, snapshot: String, waited: Option<u32>) -> Reply {
    let standing = serde_json::from_str::<Standing>(&snapshot);
    let has_ended = standing.is_ok_and(|standing| standing.status.has_ended());
    let status = if waited.is_some() && has_ended { 200 } else { 202 };
    let mut reply = Reply::json(status, snapshot);
    reply.headers.push(("location", location(id).into()));
    if let Some(seconds) = waited {
        reply.headers.push(("preference-applied", format!("wait={seconds}").into()));
    }
    reply
}

/// What was asked for, as it is.
#[must_use]
pub fn shown(json: String) -> Reply {
    Reply::json(200, json)
}

/// What was asked for is under way; this is the run's snapshot.
#[must_use]
pub fn accepted(snapshot: String) -> Reply {
    Reply::json(202, snapshot)
}

/// A report.
#[must_use]
pub fn report(form: ReportForm, text: String) -> Reply {
    let mut reply = Reply::json(200, text);
    reply.headers = report_head(form);
    reply
}

pub(super) fn report_head(form: ReportForm) -> Headers {
    let kind = match form {
        // JSON is UTF-8 by its nature.
        ReportForm::Json => JSON.into(),
        other => format!("{}; charset=utf-8", other.media_type()).into(),
    };
    let mut headers = vec![
        ("content-type", kind),
        ("cache-control", "no-cache".into()),
        ("vary", "Accept".into()),
    ];
    if form == ReportForm::Html {
        headers.push(("content-security-policy", REPORT_POLICY.into()));
    }
    headers
}

/// Headers of a trace.
#[must_use]
pub fn trace_head() -> Headers {
    head(Format::Lines)
}

/// So many runs were taken up.
#[must_use]
pub fn driven(runs: u32) -> Reply {
    Reply::json(200, json!(Driven { driven: runs }).to_string())
}

/// Runs that were taken up.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct Driven {
    /// How many.
    driven: u32,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header<'r>(reply: &'r Reply, name: &str) -> Option<&'r str> {
        reply.headers.iter().find(|(known, _)| *known == name).map(|(_, value)| &**value)
    }

    #[test]
    fn a_run_that_has_begun_is_accepted_and_one_that_has_ended_is_there() {
        for (status, waited, expected) in [
            ("queued", None, 202),
            ("running", Some(5), 202),
            ("completed", Some(5), 200),
            ("failed", Some(60), 200),
            // Whoever does not wait is answered alike, also where the run was there before.
            ("completed", None, 202),
        ] {
            let reply = begun("0af3", json!({ "status": status }).to_string(), waited);
            assert_eq!(reply.status, expected, "{status} {waited:?}");
            assert_eq!(header(&reply, "location"), Some("/runs/0af3"));
            let applied = waited.map(|seconds| format!("wait={seconds}"));
            assert_eq!(header(&reply, "preference-applied"), applied.as_deref());
        }
        assert_eq!(begun("0af3", "no JSON".to_owned(), Some(5)).status, 202);
    }

    #[test]
    fn who_waits_for_the_end_reads_nothing_twice() {
        assert_eq!(seen(r#"{"status":"running","sequence":7,"nodes":[]}"#), 7);
        assert_eq!([seen(r#"{"status":"running"}"#), seen("no JSON")], [0, 0]);
    }

    #[test]
    fn a_report_says_what_it_is_and_a_page_may_do_nothing() {
        for (form, kind) in [
            (ReportForm::Json, "application/json"),
            (ReportForm::Markdown, "text/markdown; charset=utf-8"),
            (ReportForm::Html, "text/html; charset=utf-8"),
        ] {
            let reply = report(form, "é".to_owned());
            assert_eq!((reply.status, header(&reply, "content-type")), (200, Some(kind)));
            assert_eq!(header(&reply, "vary"), Some("Accept"));
            assert_eq!(&*reply.body, "é".as_bytes());
            let policy = header(&reply, "content-security-policy");
            assert_eq!(policy.is_some(), form == ReportForm::Html);
            if let Some(policy) = policy {
                assert!(policy.starts_with("default-src 'none'; style-src 'unsafe-inline'"));
            }
        }
    }

    #[test]
    fn what_was_taken_up_is_counted() {
        let reply = driven(3);
        assert_eq!((reply.status, &*reply.body), (200, br#"{"driven":3}"#.as_slice()));
    }
}
