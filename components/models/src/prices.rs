//! Prices: the table in the build, and the one that is refreshed into key-value.
//!
//! Border: performs what `quarry_providers::pricing::refresh` decides. No chat call comes through
//! here, and a description waits for the store but never for a fetch.

use crate::{outgoing, settings};
use quarry_providers::Address;
use quarry_providers::pricing::refresh::{self, Status};
use quarry_providers::pricing::{Entry, Table};
use quarry_providers::request;
use quarry_rim::http::{self, Timeouts};
use quarry_rim::store::Store;
use quarry_rim::variables::Variables;
use quarry_rim::{clock, diagnostics};
use quarry_types::{ChatError, ModelId, Provider};
use std::time::Duration;

const VARIABLE: &str = "pricing_url";
/// For the file as a whole; nobody waits for it.
const FETCH_LIMIT: Duration = Duration::from_secs(15);
const TIMEOUTS: Timeouts = Timeouts {
    connect: Duration::from_secs(5),
    first_byte: Duration::from_secs(10),
    between_bytes: Duration::from_secs(10),
};

/// What is known about a model. Where the fetched table has nothing, the one in the build counts.
pub async fn find(model: &ModelId, variables: &Variables) -> Option<Entry> {
    // The built-in model is nobody's to price.
    if model.provider != Provider::Local
        && let Some(url) = settings::get(variables, VARIABLE).await.ok().flatten()
        && let Ok(store) = Store::open().await
    {
        let now = clock::unix_seconds();
        let key = refresh::provider_key(model.provider);
        let (status, stored) = futures::join!(status(&store), store.get(&key));
        if status.is_due(&url, now) {
            let url = url.clone();
            wit_bindgen::spawn(async move {
                refresh_now(&store, &url, &status, now).await;
            });
        }
        let table = stored.ok().flatten().and_then(|bytes| refresh::read_stored(&bytes, &url, now));
        if let Some(entry) = table.as_ref().and_then(|table| table.find(model)) {
            return Some(*entry);
        }
    }
    Table::built_in().find(model).copied()
}

async fn status(store: &Store) -> Status {
    Status::read(store.get(refresh::STATUS_KEY).await.ok().flatten().as_deref())
}

/// Fetches and stores. Failures are remembered, and said in the log.
async fn refresh_now(store: &Store, url: &str, status: &Status, now: u64) {
    // Without this mark the fetch would be repeated by every call meanwhile.
    if store.set(refresh::STATUS_KEY, status.begun(url, now).write()).await.is_err() {
        return;
    }
    match fetch(url).await {
        Ok(bytes) => match refresh::take_in(&bytes, url, now) {
            Some(fetched) => {
                for issue in fetched.issues.iter().take(3) {
                    diagnostics::note(format_args!("{VARIABLE}: {issue}"));
                }
                for (key, value) in &fetched.values {
                    if store.set(key, value).await.is_err() {
                        return;
                    }
                }
                let done = Status::fetched(url, &fetched.as_of, now);
                let _ = store.set(refresh::STATUS_KEY, done.write()).await;
            }
            None => diagnostics::note(format_args!(
                "{VARIABLE}: the file there holds no price that can be read"
            )),
        },
        Err(error) => diagnostics::note(format_args!("{VARIABLE}: {error}")),
    }
}

async fn fetch(url: &str) -> Result<Vec<u8>, ChatError> {
    let address = Address::parse(url, VARIABLE)?;
    let request = outgoing::outgoing(request::get(address));
    let limit = refresh::FILE_LIMIT;
    let file = http::fetch(request, TIMEOUTS, FETCH_LIMIT, |_| limit).await;
    let file = file.map_err(outgoing::lost)?;
    match (file.status, file.cut) {
        (200, false) => Ok(file.body),
        (200, true) => Err(ChatError::Other {
            message: "the file there is too long, or did not come whole".to_owned(),
        }),
        (status, _) => Err(ChatError::Other { message: format!("the server answered {status}") }),
    }
}
