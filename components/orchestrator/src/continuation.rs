//! Where an ask goes on from: a state that its client sends, or that of an earlier ask which is kept.
//!
//! Border: what a state means is the machine's; whether an ask is dead, `again`'s.

use crate::again::{self, Alive};
use crate::bindings::exports::quarry::agent::ask::{AskError, Continuation};
use crate::rejoin;
use crate::settings::Settings;
use crate::slot;
use crate::snapshot::{self, Missing};
use quarry_machines::ask::{Ask, Earlier};
use quarry_machines::core::Machine;
use quarry_types::AskId;

/// Reads where an ask goes on from.
pub async fn read(continuation: &Continuation, settings: &Settings) -> Result<Earlier, AskError> {
    match continuation {
        Continuation::State(text) => Earlier::from_client(text, settings.ask.secret.get())
            .map_err(|error| AskError::BadContinuation(error.to_string())),
        Continuation::Kept(id) => read_kept(id).await,
    }
}

/// The state of an ask that has ended so, or is dead: from that of one that is under way a second would be paid for.
async fn read_kept(id: &str) -> Result<Earlier, AskError> {
    let mut ask = kept(id).await?;
    if !ask.has_ended()
        && let Some(id) = AskId::parse(id)
    {
        match again::alive(id).await.map_err(rejoin::unavailable)? {
            Alive::No => {}
            Alive::Yes => return Err(under_way(id)),
            Alive::Unsaid(defect) => return Err(slot::undecided(defect)),
        }
        // It may have come to another end while that was looked at, and leaves nothing then.
        ask = kept(&id.to_string()).await?;
    }
    Ok(Earlier::Checkpoint(Box::new(ask)))
}

async fn kept(id: &str) -> Result<Ask, AskError> {
    snapshot::kept(id).await.map_err(|missing| match missing {
        Missing::Nothing => AskError::NotFound(
            "nothing is kept under this id: it is unknown, has ended or expired; ask again"
                .to_owned(),
        ),
        Missing::Unusable(why) => AskError::BadContinuation(why),
        Missing::Unavailable(error) => rejoin::unavailable(error),
    })
}

fn under_way(id: AskId) -> AskError {
    AskError::UnderWay(format!(
        "this ask is still running, and nothing was begun beside it: join it with GET /ask/{id}/events; if its process has \
         died, that stream ends with `interrupted` within a minute, and it can be gone on with from then on"
    ))
}
