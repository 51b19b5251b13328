//! The doors of `/runs`: research that goes on by itself.
//!
//! Border: requests read and checked, answers written. Whose a run is, and what becomes of it, is for the
//! callee to say. Source: the contract of runs.

pub(crate) mod body;
pub(crate) mod head;
pub(crate) mod knobs;
#[cfg(feature = "schema")]
mod operation;
mod order;
mod reply;
mod voice;

pub use body::{MAX_BODY_BYTES, MAX_GUIDANCE_CHARACTERS, MAX_MODELS, MAX_TASK_CHARACTERS};
pub use order::{Branch, Call, Credentials, Filter, Gate, Order, Request, Resumption, Roles, Then};
pub use reply::{ReportForm, accepted, begun, driven, report, seen, shown, trace_head};
pub use voice::{Format, Telling};

pub(crate) use head::is_token;

use quarry_types::RunId;

use crate::door::{Door, Opened, Voice};
use crate::native::wish::Place;
#[cfg(feature = "schema")]
use crate::openapi::Operation;
use crate::service::plain;
use crate::{Head, Refusal};

/// What is done at an address of runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Runs {
    /// `POST /runs`.
    Create,
    /// `GET /runs`.
    List,
    /// `POST /runs/drive`.
    DriveDue,
    /// `GET /runs/{id}`.
    Show,
    /// `DELETE /runs/{id}`.
    Delete,
    /// `GET /runs/{id}/events`.
    Events,
    /// `POST /runs/{id}/abort`.
    Abort,
    /// `POST /runs/{id}/resume`.
    Resume,
    /// `POST /runs/{id}/guidance`.
    Guide,
    /// `POST /runs/{id}/fork`.
    Fork,
    /// `GET /runs/{id}/report`.
    Report,
    /// `GET /runs/{id}/trace`.
    Trace,
    /// `POST /runs/{id}/drive`.
    Drive,
}

impl Door for Runs {
    #[cfg(feature = "schema")]
    fn operation(&self) -> Operation {
        operation::operation(*self)
    }

    fn body_limit(&self) -> Option<usize> {
        match self {
            Runs::Create | Runs::Resume | Runs::Guide | Runs::Fork => Some(MAX_BODY_BYTES),
            Runs::Abort => Some(body::Proof::MOST_BYTES),
            Runs::List
            | Runs::DriveDue
            | Runs::Show
            | Runs::Delete
            | Runs::Events
            | Runs::Report
            | Runs::Trace
            | Runs::Drive => None,
        }
    }

    /// A refusal is one JSON object with a real status, also where a stream was asked for.
    fn voice(&self, _: &Head) -> Box<dyn Voice> {
        plain(self)
    }

    fn open(&self, head: &Head, id: &str, body: &[u8]) -> Opened {
        let order = self.order(head, id, body);
        let order = order.map(|order| crate::Order::Run(Box::new(order)));
        Opened { order, voice: plain(self) }
    }
}

impl Runs {
    fn order(self, head: &Head, id: &str, body: &[u8]) -> Result<Order, Refusal> {
        let (call, in_body) = self.call(head, id, body)?;
        Ok(Order { credentials: in_body.or(head::credentials(head)), call })
    }

    fn call(self, head: &Head, id: &str, body: &[u8]) -> Result<(Call, Credentials), Refusal> {
        let call = match self {
            Runs::Create => {
                let key = head::idempotency_key(head)?;
                let (request, credentials) = body::Create::read(body, key)?;
                return Ok((Call::Create(Box::new(request), head::then(head)), credentials));
            }
            Runs::Resume => {
                let id = run(id)?;
                let (resumption, credentials) = body::Resume::read(body)?;
                return Ok((Call::Resume(id, resumption), credentials));
            }
            Runs::Guide => {
                let id = run(id)?;
                let (text, credentials) = body::Guide::read(body)?;
                return Ok((Call::Guide(id, text), credentials));
            }
            Runs::Fork => {
                let id = run(id)?;
                let key = head::idempotency_key(head)?;
                let (branch, credentials) = body::Fork::read(body, key)?;
                return Ok((Call::Fork(id, branch), credentials));
            }
            Runs::Abort => {
                let id = run(id)?;
                return Ok((Call::Abort(id), body::Proof::read(body)?));
            }
            Runs::List => Call::List(head::filter(head)?),
            Runs::DriveDue => Call::DriveDue,
            Runs::Show => Call::Snapshot(run(id)?, head::includes_findings(head)?),
            Runs::Delete => Call::Delete(run(id)?),
            Runs::Events => {
                Call::Events(run(id)?, Place::read(head)?.after, head::event_format(head))
            }
            Runs::Report => {
                Call::Report(run(id)?, head::report_form(head)?, head::is_partial(head)?)
            }
            Runs::Trace => Call::Trace(run(id)?, head::is_bundle(head)?),
            Runs::Drive => Call::Drive(run(id)?, head::baton(head)),
        };
        Ok((call, Credentials::default()))
    }
}

/// The id of a run; what cannot be one is nobody's.
fn run(id: &str) -> Result<String, Refusal> {
    let no_such = || Refusal::NotFound("there is no such run".to_owned());
    RunId::parse(id).map(|id| id.to_string()).ok_or_else(no_such)
}

#[cfg(test)]
mod tests;
