//! One call: a record as JSON there, a result as JSON back.

use quarry_admission::crowded::Tries;
use quarry_rim::clock;
use quarry_rim::http::{self, HttpError, Request, Timeouts};
use quarry_types::in_head::{self, OUTCOME, PROGRAM};
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use std::time::Duration;

/// The far side may need this much longer than the work itself.
const GRACE: Duration = Duration::from_secs(5);

/// The header in which what a driver hands on goes from instance to instance.
const HANDED: &str = "x-quarry-baton";

/// Bytes of an answer at most: some pages with their passages, and then some.
const ANSWER: usize = 64 * 1024 * 1024;

/// Why a call did not come back.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// The component crashed, ran out of memory, or answered with an error status.
    #[error("the component failed (status {0})")]
    Crashed(u16),
    /// It could not be reached or did not answer in time.
    #[error("the component could not be reached ({0})")]
    Unreachable(#[from] HttpError),
    /// It broke off, or answered more than anything that is asked of it can be.
    #[error("the component's answer broke off")]
    BrokeOff,
    /// It answered something else than the interface says.
    #[error("the component's answer is malformed ({0})")]
    Malformed(#[from] serde_json::Error),
}

impl Lost {
    /// The same, said of a document that was to be read within some time.
    pub fn of_a_document(&self, within: Duration) -> String {
        match self {
            Lost::Unreachable(HttpError::FirstByte | HttpError::Silence | HttpError::Total) => {
                let seconds = within.as_secs();
                format!(
                    "to read it takes longer than {seconds} seconds; send it by itself, or part it"
                )
            }
            Lost::Crashed(status) => format!(
                "whoever reads it failed (status {status}), as where it takes more memory than there is; send it by \
                 itself, or part it"
            ),
            Lost::Unreachable(_) | Lost::BrokeOff | Lost::Malformed(_) => self.to_string(),
        }
    }
}

/// How records travel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Way {
    /// As bodies.
    Bodies,
    /// In heads where they are small, else as bodies. The far side has to know of it.
    Heads,
}

/// Calls `component`'s function at `path`; `within` is how long the work itself may take. A call that
/// found no instance is made again: nothing that goes through here changes anything. All tries together have the
/// time of one. `parameter` is what is sent when so much of it has passed; none: too much has.
pub async fn carry<P: Serialize, R: DeserializeOwned>(
    component: &str,
    path: &str,
    parameter: impl Fn(Duration) -> Option<P>,
    way: Way,
    within: Duration,
) -> Result<R, Lost> {
    let address = format!("http://{component}.spin.internal{path}");
    let total = within + GRACE;
    let begun = clock::monotonic();
    let (mut tries, mut passed) = (Tries::default(), Duration::ZERO);
    let mut asked = parameter(passed).ok_or(HttpError::Total)?;
    loop {
        let carried = once(&address, &asked, way, total.saturating_sub(passed)).await;
        let Err(Lost::Crashed(status)) = carried else { return carried };
        let so_far = clock::monotonic().saturating_sub(begun);
        let wait = tries.again_after(status, so_far.saturating_sub(passed));
        let Some(wait) = wait else { return carried };
        passed = so_far + wait;
        let Some(next) = parameter(passed).filter(|_| passed < total) else { return carried };
        clock::sleep(wait).await;
        // A sleep may take longer than it was asked to.
        passed = passed.max(clock::monotonic().saturating_sub(begun));
        asked = next;
    }
}

/// The same with bytes of a media type, once: they are not kept for another try.
pub async fn carry_bytes<R: DeserializeOwned>(
    component: &str,
    path: &str,
    bytes: Vec<u8>,
    media_type: &str,
    within: Duration,
) -> Result<R, Lost> {
    let address = format!("http://{component}.spin.internal{path}");
    let total = within + GRACE;
    let request = Request::post(&address, bytes)?.header("content-type", media_type);
    let answer = http::fetch_bare(request, Timeouts::each(total), total, ANSWER).await?;
    if answer.status != 200 {
        return Err(Lost::Crashed(answer.status));
    }
    if answer.cut {
        return Err(Lost::BrokeOff);
    }
    Ok(serde_json::from_slice(&answer.body)?)
}

async fn once<P: Serialize, R: DeserializeOwned>(
    address: &str,
    parameter: &P,
    way: Way,
    total: Duration,
) -> Result<R, Lost> {
    let timeouts = Timeouts::each(total);
    let record = serde_json::to_vec(parameter)?;
    let answer = if way == Way::Heads && in_head::fits(&record) {
        let mut request = Request::get(address)?;
        request.headers.push((PROGRAM.to_owned(), record));
        let body = |headers: &_| http::header(headers, OUTCOME).is_empty();
        http::fetch(request, timeouts, total, |headers| if body(headers) { ANSWER } else { 0 })
            .await?
    } else {
        let request = Request::post(address, record)?.header("content-type", "application/json");
        http::fetch_bare(request, timeouts, total, ANSWER).await?
    };
    if answer.status != 200 {
        return Err(Lost::Crashed(answer.status));
    }
    if answer.cut {
        return Err(Lost::BrokeOff);
    }
    let json = match answer.header(OUTCOME) {
        "" => &answer.body,
        outcome => outcome.as_bytes(),
    };
    Ok(serde_json::from_slice(json)?)
}

/// How long whoever takes a run up may take to say so.
const PASSING: Duration = Duration::from_secs(10);

/// What comes of a run that is handed over: how many were taken up.
#[derive(Deserialize)]
struct Driven {
    driven: u32,
}

/// Asks whichever instance answers to drive a run. The baton goes along in a header, inside the process.
pub async fn pass(run: &str, baton: String) -> Result<(), Lost> {
    let address = format!("http://quarry.spin.internal/runs/{run}/drive");
    let mut request = Request::post(&address, Vec::new())?;
    request.headers.push((HANDED.to_owned(), baton.into_bytes()));
    let answer = http::fetch_bare(request, Timeouts::each(PASSING), PASSING, ANSWER).await?;
    if answer.status >= 300 {
        return Err(Lost::Crashed(answer.status));
    }
    match serde_json::from_slice(&answer.body)? {
        Driven { driven: 0 } => Err(Lost::Crashed(answer.status)),
        Driven { .. } => Ok(()),
    }
}
