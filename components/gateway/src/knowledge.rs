//! Orders about documents, performed.
//!
//! Border: calls `quarry:knowledge` and hands on what comes; what a caller has to pass, and how it is answered, is
//! decided in `quarry-doors`.

use quarry_doors::knowledge::{
    self as doors, Batch, Call, Count, Listing, Order, Outcome, Source, Telling,
};
use quarry_doors::{Head, Hidden, Refusal, Reply};
use quarry_rim::variables::Variables;
use spin_sdk::wasip3::wit_stream;
use std::iter::Peekable;
use std::vec::IntoIter;
use wit_bindgen::{StreamWriter, spawn};

use crate::bindings::quarry::agent::types::Caller;
use crate::bindings::quarry::knowledge::{collections, documents, search};
use crate::convert::{self, knowledge as wit};
use crate::gate;
use crate::outgoing::Answer;
use crate::settings::Settings;

pub async fn perform(order: Order, head: &Head, variables: &Variables) -> Result<Answer, Refusal> {
    let settings = Settings::read(variables).await?;
    let secret = order.credentials.secret.as_ref().map(|Hidden(secret)| secret.as_str());
    let token = order.credentials.google_token.as_ref().map(|Hidden(token)| token.as_str());
    let address = head.client_address.as_deref();
    let caller = gate::admit(&settings, token, secret, address, variables).await?;
    let caller = convert::caller(caller);
    let reply = match order.call {
        Call::Load(batch) => return load(batch, caller).await,
        Call::List(listing) => list(listing, caller).await,
        Call::Show(id) => {
            documents::get(id, caller).await.map(|document| doors::shown(&wit::document(document)))
        }
        Call::Chunks(id, from, limit) => {
            documents::chunks(id, from, limit, caller).await.map(|page| {
                doors::chunks(page.chunks.into_iter().map(wit::chunk).collect(), page.next)
            })
        }
        Call::Delete(id) => documents::delete(id, caller).await.map(|()| Reply::empty()),
        Call::Search(query) => search::search(wit::query(*query), caller).await.map(wit::findings),
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
    let Listing { collection, limit, cursor } = listing;
    let page = documents::list(documents::Listing { collection, limit, cursor }, caller).await?;
    let documents = page.documents.into_iter().map(wit::document).collect();
    Ok(doors::listed(documents, page.cursor))
}

async fn load(batch: Batch, caller: Caller) -> Result<Answer, Refusal> {
    let Batch { sources, telling } = batch;
    if let Some(headers) = telling.head() {
        let (writer, bytes) = wit_stream::new();
        spawn(tell(sources, telling, caller, writer));
        let ended = Box::pin(async { true });
        return Ok(Answer::Bytes { headers, bytes, ended });
    }
    let (mut loads, mut outcomes) = (Loads::new(sources, caller), Vec::new());
    while let Some((outcome, refused)) = loads.next().await {
        if let (Telling::One, Some(why)) = (telling, refused) {
            return Err(why);
        }
        outcomes.push(outcome);
    }
    Ok(Answer::Whole(match (telling, outcomes.as_slice()) {
        (Telling::One, [outcome]) => outcome.reply(),
        _ => doors::loaded(outcomes, loads.count),
    }))
}

/// Loads documents and tells of each. A client that leaves stops nothing.
async fn tell(
    sources: Vec<Source>,
    telling: Telling,
    caller: Caller,
    mut writer: StreamWriter<u8>,
) {
    let (mut loads, mut listens) = (Loads::new(sources, caller), true);
    while let Some((outcome, _)) = loads.next().await {
        // Who writes to a reader that has left ends the instance, and all who are served by it.
        if listens {
            listens = writer.write_all(telling.tell(&outcome)).await.is_empty();
        }
    }
    if listens {
        drop(writer.write_all(telling.end(&loads.count)).await);
    }
}

/// Documents that are loaded one after the other.
struct Loads {
    sources: Peekable<IntoIter<Source>>,
    caller: Caller,
    /// What became of those that were.
    count: Count,
}

impl Loads {
    fn new(sources: Vec<Source>, caller: Caller) -> Self {
        Loads { sources: sources.into_iter().peekable(), caller, count: Count::default() }
    }

    /// Loads the next: what became of it, and why where it was not loaded.
    async fn next(&mut self) -> Option<(Outcome, Option<Refusal>)> {
        let source = self.sources.next()?;
        let source = wit::source(source, self.sources.peek().is_some(), self.count.tokens());
        let name = wit::name(&source.content);
        let loaded = documents::load(source, self.caller.clone()).await;
        let (outcome, refused) = match loaded.map_err(wit::not_loaded) {
            Ok(loaded) => (wit::loaded(name, loaded), None),
            Err((why, spent)) => (Outcome::failed(name, &why, spent), Some(why)),
        };
        self.count.add(&outcome);
        Some((outcome, refused))
    }
}
