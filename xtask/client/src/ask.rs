//! Sends a question, follows its stream to the end and shows it.

use crate::again::{self, PAUSE};
use crate::client::Client;
use crate::replies::{self, Frame, Frames, Refused};
use crate::show::{Screen, Style, duration};
use crate::terminal;
use crate::waiting::aloud_in_pipes;
use crate::words;
use anyhow::{Context, Error, Result};
use hyper::Response;
use hyper::body::Incoming;
use quarry_events::{AnyPayload, EventName};
use serde_json::json;
use std::process::ExitCode;
use std::time::Duration;
use xtask::options::ask::Options;
use xtask::program::print;

/// Times in a row that a stream is joined which brings nothing.
const REJOIN_TRIES: u32 = 6;

/// Asks the Quarry at this address, with its access secret if there is one, and says by the exit code whether there was
/// an answer.
///
/// # Errors
/// When it cannot be reached, refuses, or breaks off for good.
pub async fn ask(options: &Options, url: &str, secret: Option<String>) -> Result<ExitCode> {
    let has_answer = Asker::new(options, secret).ask(url.trim_end_matches('/')).await?;
    Ok(if has_answer { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// How a stream came to its end.
enum End {
    Complete,
    Error,
    /// A rate limit: seconds to wait and the state to send back.
    Quota(f64, serde_json::Value),
    /// No last event: the connection broke.
    Broken,
}

struct Asker<'a> {
    options: &'a Options,
    secret: Option<String>,
    client: Client,
    screen: Screen,
    id: Option<String>,
    /// The number of the last event that was seen.
    seen: String,
}

impl<'a> Asker<'a> {
    fn new(options: &'a Options, secret: Option<String>) -> Asker<'a> {
        let style = if terminal::has_colours() { Style::Terminal } else { Style::Plain };
        let client = Client::pooled();
        let screen = Screen::new(style).within(terminal::width());
        Asker { options, secret, client, screen, id: None, seen: String::new() }
    }

    /// Follows an ask to its last event, over broken connections and rate limits.
    async fn ask(&mut self, url: &str) -> Result<bool> {
        let mut body = self.body();
        body.insert("query".to_owned(), json!(self.options.question));
        loop {
            (self.id, self.seen) = (None, String::new());
            let body_now = serde_json::Value::Object(body.clone());
            let mut end = self.begin(url, &body_now).await?;
            if matches!(end, End::Broken) {
                end = self.rejoin(url).await.map_err(|why| self.left(why, url))?;
            }
            match end {
                End::Complete => return Ok(true),
                End::Error | End::Broken => return Ok(false),
                End::Quota(seconds, state) => {
                    if !self.wait(seconds).await {
                        return Ok(false);
                    }
                    body = self.body();
                    body.insert("continuation".to_owned(), json!(true));
                    body.insert("continuationContext".to_owned(), state);
                }
            }
        }
    }

    /// Sends the question, with the same key each time: what has begun though its answer was lost is joined, and paid for
    /// once.
    async fn begin(&mut self, url: &str, body: &serde_json::Value) -> Result<End> {
        let key = again::key();
        let headers = [("accept", "text/event-stream"), (again::KEY, key.as_str())];
        for tries in 1.. {
            let sent = self.client.post(&format!("{url}/"), &headers, body).await;
            let why = match sent {
                Ok(response) => match self.follow(response).await {
                    Ok(End::Broken) if self.id.is_none() => replies::broken(),
                    Ok(end) => return Ok(end),
                    Err(why) if self.id.is_some() => return Err(self.left(why, url)),
                    Err(why) if why.is::<Refused>() => why,
                    Err(why) => return Err(why),
                },
                Err(why) => why,
            };
            let pause = again::pause(why, tries, "the ask")?;
            self.say("the connection broke before the ask had begun; sending it again …")?;
            tokio::time::sleep(pause).await;
        }
        Ok(End::Broken)
    }

    /// An error behind the beginning of an ask, with where that is to be had.
    fn left(&self, why: Error, url: &str) -> Error {
        let id = self.id.as_deref().map(|id| words::shorten(id, words::BRIEF)).unwrap_or_default();
        why.context(format!(
            "the ask {id} cannot be followed any more, and goes on; look at it at {url}/console/#{id}, or join it by \
             GET {url}/ask/{id}/events"
        ))
    }

    /// A line beside what is shown.
    fn say(&mut self, line: &str) -> Result<()> {
        print(&self.screen.cleared())?;
        eprintln!("{line}");
        Ok(())
    }

    fn body(&self) -> serde_json::Map<String, serde_json::Value> {
        let mut body = serde_json::Map::new();
        let options = self.options;
        if let Some(model) = &options.model {
            body.insert("model".to_owned(), json!(model));
        }
        if let Some(usd) = options.budget {
            body.insert("budget".to_owned(), json!({ "usd": usd }));
        }
        if let Some(iterations) = options.iterations {
            body.insert("max_iterations".to_owned(), json!(iterations));
        }
        if let Some(sources) = options.sources {
            body.insert("sources".to_owned(), json!(sources.word()));
        }
        if let Some(collection) = &options.collection {
            body.insert("collection".to_owned(), json!(collection));
        }
        if options.verify_with_model {
            body.insert("verify_with_model".to_owned(), json!(true));
        }
        if let Some(secret) = &self.secret {
            body.insert("accessSecret".to_owned(), json!(secret));
        }
        body
    }

    /// Reads a stream until its last event or its break.
    async fn follow(&mut self, response: Response<Incoming>) -> Result<End> {
        let Some(mut frames) = Frames::of(response).await? else { return Ok(End::Broken) };
        while let Some(Frame { id, name, data }) =
            aloud_in_pipes("the next event", frames.next()).await?
        {
            if let Some(end) = self.take(id, &name, &data)? {
                return Ok(end);
            }
        }
        Ok(End::Broken)
    }

    /// Shows one event.
    fn take(&mut self, id: String, name: &str, data: &str) -> Result<Option<End>> {
        let text = data;
        let data: serde_json::Value = serde_json::from_str(text)
            .with_context(|| format!("event {id} ({name}) is no JSON"))?;
        let known = EventName::parse(name);
        if self.options.json {
            let sequence = id.parse::<u64>().ok();
            print(&format!("{}\n", json!({ "id": sequence, "event": name, "data": data })))?;
        }
        let payload = known.map(|known| AnyPayload::parse(known, text));
        if let Some(Ok(AnyPayload::Error(failure))) = &payload
            && self.id.is_none()
            && let Some(refused) = replies::refusal(failure)
        {
            return Err(refused.into());
        }
        if let Some(payload) = payload.filter(|_| !self.options.json) {
            match payload {
                Ok(payload) => print(&self.screen.event(&payload))?,
                // Another version's, perhaps; what follows may still be of use.
                Err(error) => {
                    let line = words::left_out(&id, &error);
                    self.say(&line)?;
                }
            }
        }
        self.seen = id;
        if known == Some(EventName::Init) {
            self.id = data.get("id").and_then(serde_json::Value::as_str).map(str::to_owned);
        }
        Ok(match known {
            Some(EventName::Complete) => Some(End::Complete),
            Some(EventName::Error) => Some(End::Error),
            Some(EventName::QuotaExceeded) => {
                let seconds = data.get("waitTime").and_then(serde_json::Value::as_f64);
                let state = data.get("continuationState").cloned().unwrap_or_default();
                Some(End::Quota(seconds.unwrap_or(60.0), state))
            }
            _ => None,
        })
    }

    /// Joins the stream again after a break; the answer goes on being made meanwhile.
    async fn rejoin(&mut self, url: &str) -> Result<End> {
        let id = self.id.clone().unwrap_or_default();
        let (mut usual, mut tries) = (PAUSE, 0);
        let mut why = replies::broken();
        loop {
            tries += 1;
            let Some(pause) = replies::pause(&why, usual).filter(|_| tries <= REJOIN_TRIES) else {
                return Err(why);
            };
            self.say("the connection broke; joining again …")?;
            tokio::time::sleep(pause).await;
            usual *= 2;
            let seen = self.seen.clone();
            why = match self.join(url, &id).await {
                Ok(End::Broken) => replies::broken(),
                Ok(end) => return Ok(end),
                Err(why) => why,
            };
            // What brings something is no dead end.
            if self.seen != seen {
                (usual, tries) = (PAUSE, 0);
            }
        }
    }

    async fn join(&mut self, url: &str, id: &str) -> Result<End> {
        let seen = self.seen.clone();
        let headers = [("accept", "text/event-stream"), ("last-event-id", seen.as_str())];
        let response = self.client.get(&format!("{url}/ask/{id}/events"), &headers).await?;
        self.follow(response).await
    }

    /// Waits out a rate limit; false when that is not wanted.
    async fn wait(&mut self, seconds: f64) -> bool {
        let shown = duration(seconds);
        if !self.options.wait {
            eprintln!("The provider accepts calls again in {shown}; ask again without --no-wait.");
            return false;
        }
        eprintln!("Resuming in {shown}; interrupt to give up.");
        let pause = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::from_secs(60));
        tokio::time::sleep(pause).await;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::again::tests::{Served, refusal};

    fn asker(options: &Options) -> Asker<'_> {
        Asker::new(options, None)
    }

    fn options() -> Options {
        let asked = lexopt::Parser::from_args(["Who built it?", "--json"]);
        Options::parse(asked).unwrap().unwrap()
    }

    /// An ask whose stream has these events.
    fn stream(events: &[(&str, &str)]) -> String {
        let head =
            "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
        let frames = events.iter().zip(1..);
        let frames =
            frames.map(|((name, data), n)| format!("id: {n}\nevent: {name}\ndata: {data}\n\n"));
        head.to_owned() + &frames.collect::<String>()
    }

    const INIT: (&str, &str) = ("init", r#"{"id":"01ab"}"#);

    #[tokio::test]
    async fn an_ask_whose_answer_is_lost_is_sent_again_with_its_key_and_joined_where_it_broke() {
        let whole = stream(&[("complete", "{}")]);
        let replies = [String::new(), refusal(503, 0), stream(&[INIT]), refusal(503, 0), whole];
        let served = Served::begin(replies).await;
        assert!(asker(&options()).ask(&served.url).await.unwrap());
        let requests = served.end().await;
        let sent: Vec<_> = requests.iter().filter(|it| it.starts_with("POST / ")).collect();
        assert_eq!(sent.len(), 3, "{requests:?}");
        assert!(sent.iter().all(|it| *it == sent[0] && it.contains(again::KEY)), "{sent:?}");
        for joined in &requests[3..] {
            assert!(joined.starts_with("GET /ask/01ab/events "), "{joined}");
            assert!(joined.contains("last-event-id: 1\r\n"), "{joined}");
        }
    }

    #[tokio::test]
    async fn a_stream_that_only_refuses_tells_an_error_and_options_that_are_wrong() {
        let refused = |kind: &str| {
            let now = "2026-01-02T03:04:05.678Z";
            let data = json!({ "error": "`model` cannot be used", "type": kind, "code": "X", "timestamp": now });
            stream(&[("error", &data.to_string())])
        };
        for (kind, is_wrong) in [("invalid_field", true), ("unauthorized", false)] {
            let served = Served::begin([refused(kind)]).await;
            let told = asker(&options()).ask(&served.url).await.unwrap_err();
            assert!(told.to_string().ends_with(": `model` cannot be used"), "{told:#}");
            assert_eq!(xtask::options::is_wrong(&replies::judged(told)), is_wrong);
            served.end().await;
        }
        // What fails for another reason is told as a failure of the ask.
        let served = Served::begin([refused("internal")]).await;
        assert!(!asker(&options()).ask(&served.url).await.unwrap());
    }

    #[tokio::test]
    async fn what_is_refused_at_first_began_nothing_and_is_not_sent_again() {
        let served = Served::begin([refusal(429, 0)]).await;
        let told = asker(&options()).ask(&served.url).await.unwrap_err();
        assert!(told.is::<Refused>(), "{told:#}");
        assert_eq!(served.end().await.len(), 1);
    }
}
