//! Asks search providers.
//! Border: who is asked when, who has to wait, and what an answer says is decided in `quarry-search`.

use crate::convert;
use crate::fetch::{self, Ask};
use crate::kept::Kept;
use crate::remaining_ms;
use futures::future::join_all;
use quarry_rim::clock;
use quarry_search::searching::{MAX_ANSWER, Outcome};
use quarry_search::standing::{self, Standing};
use quarry_search::{Failure, Found, Next, Query, Reach, SearchFailed, Searching, Settings};
use std::time::{Duration, Instant};

/// A search, and what it is done with.
pub struct Asked<'a> {
    pub settings: &'a Settings,
    pub query: &'a Query,
    pub deadline: Instant,
    pub user_agent: &'a str,
    /// Where the providers' standing is kept.
    pub store: &'a Kept,
}

impl Asked<'_> {
    /// Runs the search to its end.
    pub async fn search(&self) -> Result<Found, SearchFailed> {
        let mut searching = Searching::new(self.query, &self.settings.plan, self.settings.fusion)?;
        loop {
            match searching.next(remaining_ms(self.deadline)) {
                Next::Ended(found) => return found,
                Next::Ask { providers, within_ms } => {
                    let until = Instant::now() + Duration::from_millis(within_ms);
                    let asked = providers.iter().map(|reach| self.ask(reach, until));
                    for (reach, outcome) in providers.iter().zip(join_all(asked).await) {
                        searching.heard(reach.provider, outcome);
                    }
                }
            }
        }
    }

    /// Asks one, if it may be asked now.
    async fn ask(&self, reach: &Reach, until: Instant) -> Outcome {
        let key = standing::key(reach.provider);
        let kept = self.store.get(&key).await;
        let mut standing = Standing::read(kept.as_deref());
        let before = standing.clone();
        let limit = self.settings.limits.of(reach.provider);
        standing.admit(limit, clock::unix_milliseconds()).map_err(Failure::Wait)?;
        // Written before the answer comes: others ask meanwhile.
        self.keep(&key, &before, &standing).await;
        let (outcome, pause) = self.exchange(reach, until).await;
        let before = standing.clone();
        standing.heard(&outcome, pause, clock::unix_milliseconds());
        self.keep(&key, &before, &standing).await;
        outcome
    }

    /// What a provider says, and for how many seconds it wants to be left alone.
    async fn exchange(&self, reach: &Reach, deadline: Instant) -> (Outcome, Option<u64>) {
        let request = reach.request(self.query);
        let mut headers = request.headers;
        headers.push(("user-agent", self.user_agent.to_owned()));
        let ask = Ask { url: &request.url, headers, body: request.body, deadline };
        match fetch::fetch(ask, MAX_ANSWER).await {
            Ok(response) => {
                let body = String::from_utf8_lossy(&response.body);
                let parsed = reach.provider.parse(response.status, &body);
                let pause = standing::pause(|name| response.header(name));
                (parsed.map_err(Failure::Answer), pause)
            }
            Err(error) => (Err(convert::search_failure(error)), None),
        }
    }

    async fn keep(&self, key: &str, before: &Standing, standing: &Standing) {
        if standing != before {
            // What cannot be kept is forgotten: the provider will say it again.
            self.store.set(key, standing.write()).await;
        }
    }
}
