//! Orders about documents, performed.
//!
//! Border: calls `quarry:knowledge` and hands on what comes; what a caller has to pass, and how it is answered, is
//! decided in `quarry-doors`.

use quarry_doors::knowledge::{self as doors, Call, Listing, Opening, Order};
use quarry_doors::{Head, Refusal, Reply};
use quarry_rim::variables::Variables;

use crate::bindings::quarry::agent::types::Caller;
use crate::bindings::quarry::knowledge::{collections, documents, search};
use crate::convert::{self, knowledge as wit};
use crate::gate;
use crate::loads::{self, Held};
use crate::outgoing::Answer;
use crate::settings::Settings;

pub async fn perform(
    order: Order,
    head: &Head,
    held: Option<Held>,
    variables: &Variables,
) -> Result<Answer, Refusal> {
    let settings = Settings::read(variables).await?;
    let (secret, token) = order.credentials.letters(&settings.access);
    let address = head.client_address.as_deref();
    let identity = gate::identity(&settings, token, address, variables).await?;
    let before = held.as_ref().map(|held| &held.counted);
    let caller = gate::let_in(&settings, identity, secret, address, before).await?;
    let caller = convert::caller(caller);
    let reply = match order.call {
        Call::Load(batch) => return loads::load(batch, caller, held, settings.silence).await,
        Call::List(listing) => list(listing, caller).await,
        Call::Show(id) => {
            documents::get(id, caller).await.map(|document| doors::shown(&wit::document(document)))
        }
        Call::Chunks(Opening { id, from, limit, as_of }) => {
            documents::chunks(id, from, limit, caller).await.map(|page| {
                let chunks = page.chunks.into_iter().map(wit::chunk).collect();
                doors::chunks(chunks, page.next, page.as_of, as_of)
            })
        }
        Call::Delete(id) => documents::delete(id, caller).await.map(|()| Reply::empty()),
        Call::Search(query) => search::search(wit::query(*query), caller)
            .await
            .map(wit::findings)
            .map_err(|failed| failed.why),
        Call::Collections => collections::list(caller)
            .await
            .map(|all| doors::collections(all.into_iter().map(wit::collection).collect())),
        Call::Stats(name) => {
            collections::stats(name, caller).await.map(|stats| doors::stats(&wit::stats(stats)))
        }
        Call::Reindex(name) => {
            collections::reindex(name, caller).await.map(|stats| doors::stats(&wit::stats(stats)))
        }
    };
    reply.map(Answer::Whole).map_err(wit::refusal)
}

async fn list(listing: Listing, caller: Caller) -> Result<Reply, wit::KnowledgeError> {
    let Listing { collection, category, limit, cursor } = listing;
    let wanted = documents::Listing { collection, category, limit, cursor };
    let page = documents::list(wanted, caller).await?;
    let documents = page.documents.into_iter().map(wit::document).collect();
    Ok(doors::listed(documents, page.cursor))
}
