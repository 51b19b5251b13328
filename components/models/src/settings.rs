//! Configuration, read when it is needed and no more than is needed.
//!
//! Border: Spin variables in, typed settings out. Keys are read here and nowhere else.

use quarry_providers::target::{self, Target, TimeSetting};
use quarry_rim::clock;
use quarry_rim::http::Timeouts;
use quarry_rim::variables::Variables;
use quarry_types::{ChatError, Credential, ModelId, Provider};
use std::time::Duration;

pub struct CallSettings {
    pub target: Target,
    pub timeouts: Timeouts,
    /// For the whole call, all its tries and waits included.
    pub total: Duration,
}

/// A setting; none when it is not set.
pub async fn get(variables: &Variables, name: &str) -> Result<Option<String>, ChatError> {
    variables.word(name).await.map_err(|error| ChatError::Unsent { message: error.to_string() })
}

async fn time(variables: &Variables, setting: TimeSetting) -> Result<Duration, ChatError> {
    setting.read(get(variables, setting.variable).await?.as_deref()).map(Duration::from_millis)
}

/// `time_limit`: for the whole call; none: as long as the operator's variable says.
pub async fn for_call(
    model: &ModelId,
    credential: Credential,
    time_limit: Option<Duration>,
) -> Result<CallSettings, ChatError> {
    let variables = &Variables::current(clock::now());
    let provider = model.provider;
    let url_variable = provider.base_url_variable();
    let (base_url, key, connect, first_byte, between_bytes, total) = futures::join!(
        get(variables, &url_variable),
        key(variables, provider, credential),
        time(variables, target::CONNECT_TIMEOUT),
        get(variables, target::FIRST_BYTE_TIMEOUT.variable),
        get(variables, target::BETWEEN_BYTES_TIMEOUT.variable),
        time(variables, target::TOTAL_TIMEOUT),
    );
    let total = time_limit.unwrap_or(total?);
    let total_ms = u64::try_from(total.as_millis()).unwrap_or(u64::MAX);
    let (first_byte, between_bytes) = (first_byte?, between_bytes?);
    let silences = [first_byte.as_deref(), between_bytes.as_deref()];
    let [first_byte, between_bytes] =
        target::silences(model, silences, total_ms)?.map(Duration::from_millis);
    Ok(CallSettings {
        target: Target::of(provider, base_url?.as_deref(), key?)?,
        timeouts: Timeouts { connect: connect?, first_byte, between_bytes },
        total,
    })
}

async fn key(
    variables: &Variables,
    provider: Provider,
    credential: Credential,
) -> Result<Option<String>, ChatError> {
    match credential {
        Credential::Operator => get(variables, &provider.key_variable()).await,
        Credential::Caller(key) => Ok(Some(key)),
    }
}
