//! Prices: the table in the build, and the one that is refreshed into key-value.
//!
//! Border: performs what `quarry_providers::pricing::refresh` decides. No chat call comes through
//! here, and a description waits for the store but never for a fetch.

use crate::http::{self, Body};
use crate::settings::{self, Timeouts};
use futures::future::{Either, select};
use quarry_providers::Address;
use quarry_providers::pricing::refresh::{self, Status};
use quarry_providers::pricing::{Entry, Table};
use quarry_providers::request;
use quarry_types::{ChatError, ModelId, Provider};
use spin_sdk::key_value::Store;
use spin_sdk::wasip3::clocks::{monotonic_clock, system_clock};
use std::pin::pin;

const VARIABLE: &str = "pricing_url";
/// For the file as a whole; nobody waits for it.
const FETCH_LIMIT_NANOSECONDS: u64 = 15_000_000_000;
const TIMEOUTS: Timeouts = Timeouts {
    connect: 5_000_000_000,
    first_byte: 10_000_000_000,
    between_bytes: 10_000_000_000,
    total: FETCH_LIMIT_NANOSECONDS,
};

/// What is known about a model. Where the fetched table has nothing, the one in the build counts.
pub async fn find(model: &ModelId) -> Option<Entry> {
    // The built-in model is nobody's to price.
    if model.provider != Provider::Local
        && let Some(url) = url().await
        && let Ok(store) = Store::open_default().await
    {
        let now = now();
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

async fn url() -> Option<String> {
    settings::get(VARIABLE).await.ok().flatten()
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
                    eprintln!("{VARIABLE}: {issue}");
                }
                for (key, value) in &fetched.values {
                    if store.set(key, value).await.is_err() {
                        return;
                    }
                }
                let done = Status::fetched(url, &fetched.as_of, now);
                let _ = store.set(refresh::STATUS_KEY, done.write()).await;
            }
            None => eprintln!("{VARIABLE}: the file there holds no price that can be read"),
        },
        Err(error) => eprintln!("{VARIABLE}: {error}"),
    }
}

async fn fetch(url: &str) -> Result<Vec<u8>, ChatError> {
    let address = Address::parse(url, VARIABLE)?;
    let fetching = pin!(async {
        let response = http::send(request::get(address), TIMEOUTS).await?;
        let status = response.get_status_code();
        if status != 200 {
            return Err(ChatError::Other { message: format!("the server answered {status}") });
        }
        let body = Body::of(response).whole(refresh::FILE_LIMIT).await?;
        body.ok_or_else(|| ChatError::Other { message: "the file there is too long".to_owned() })
    });
    let limit = pin!(monotonic_clock::wait_for(TIMEOUTS.total));
    match select(fetching, limit).await {
        Either::Left((outcome, _)) => outcome,
        Either::Right(((), _)) => {
            Err(ChatError::Timeout { message: "the file did not come in time".to_owned() })
        }
    }
}

fn now() -> u64 {
    u64::try_from(system_clock::now().seconds).unwrap_or(0)
}
