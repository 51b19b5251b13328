//! The points at which a process may die: before and after each write to a run's journal or record, and each request
//! that one of its effects makes.

use quarry_host::{Deed, Moment, When};
use quarry_schema::run as statements;

/// What of a run is written, and the word for it.
const WRITES: [(&str, &str); 7] = [
    (statements::CREATE, "birth"),
    (statements::TAKE, "lease"),
    (statements::TAKE_OVER, "lease"),
    (statements::PUT_BLOBS, "bodies"),
    (statements::STEP, "append"),
    (statements::RELEASE, "release"),
    (statements::INBOX_PUT, "wish"),
];

/// Where the entries of a step stand among its texts: behind run and holder.
const ENTRIES: usize = 2;

/// The component that drives runs.
const DRIVER: &str = "quarry";

/// What is done, in a word or two; none for what is no point.
pub fn label(moment: &Moment<'_>) -> Option<String> {
    if moment.component != DRIVER {
        return None;
    }
    let deed = match moment.deed {
        Deed::Opening(_) => return None,
        Deed::Statement(statement, texts) => {
            // A lease that is renewed by itself is no step of the run: a slow machine has more of them.
            if statement == statements::STEP && texts.get(ENTRIES).is_some_and(|it| it == "[]") {
                return None;
            }
            let (_, word) = WRITES.iter().find(|(known, _)| *known == statement)?;
            (*word).to_owned()
        }
        Deed::Request(uri) => match uri.host()?.strip_suffix(".spin.internal") {
            Some(component) if component == DRIVER => "hand-over".to_owned(),
            Some(component) => format!("request to {component}"),
            None => "model call".to_owned(),
        },
    };
    let when = match moment.when {
        When::Before => "before",
        When::Done | When::Failed => "after",
    };
    Some(format!("{when} {deed}"))
}

/// Whether what somebody wants of a run (an end, guidance) is about to be written, or is.
pub fn is_wish(moment: &Moment<'_>) -> bool {
    matches!(moment.deed, Deed::Statement(statement, _) if statement == statements::INBOX_PUT)
}
