//! HTTP in and out: routes, validation, callers, event streams.
//!
//! Border: every decision is made in `quarry-http`; this component reads requests and variables,
//! calls `quarry:agent/ask`, and writes what comes.

mod bindings;
mod convert;
mod events;
mod fetch;
mod gate;
mod incoming;
mod now;
mod outgoing;
mod settings;

use futures::join;
use quarry_http::{
    Collector, Cors, OPENAPI, Parsed, Refusal, Reply, Route, health, place, route, stopping,
    streams, wants_stream,
};
use spin_sdk::wasip3;
use spin_sdk::wasip3::http::types::{ErrorCode, Request, Response};

use bindings::quarry::agent::ask;
use bindings::quarry::web::network;
use events::{Events, Next};
use incoming::Incoming;
use outgoing::Answer;
use settings::Settings;

/// How long the head of a stream waits for the first events, in nanoseconds.
const HEAD_WAITS: u64 = 50_000_000;

struct Gateway;

wasip3::http::service::export!(Gateway);

impl wasip3::exports::http::handler::Guest for Gateway {
    async fn handle(request: Request) -> Result<Response, ErrorCode> {
        let incoming = Incoming::new(request);
        let origin = incoming.origin.clone();
        let (mut answer, cors) = join!(answer(incoming), settings::cors());
        let mut headers = answer.headers();
        // Without its rule no other origin is let in; the answer itself stands.
        cors.unwrap_or(Cors::Listed(Vec::new())).apply(origin.as_deref(), &mut headers);
        answer.send(headers)
    }
}

async fn answer(incoming: Incoming) -> Answer {
    let accept = incoming.accept.clone();
    let place = place(incoming.query.as_deref(), incoming.last_event_id.as_deref());
    let in_address = place.as_ref().ok().and_then(|place| place.stream);
    // What answers with JSON only has no stream to tell a refusal in.
    let may_stream = streams(&incoming.path);
    let wants = |in_body| may_stream && wants_stream(in_body, in_address, accept.as_deref());
    let mut streams = wants(None);
    let answered = match route(&incoming.method, &incoming.path) {
        Ok(Route::Ask) => match place {
            Ok(_) => start(incoming, wants, &mut streams).await,
            Err(refusal) => Err(refusal),
        },
        Ok(Route::Events { id }) => match place {
            Ok(place) => rejoin(id, place.after).await,
            Err(refusal) => Err(refusal),
        },
        Ok(Route::Stop { id }) => stop(id).await,
        Ok(Route::Health) => Ok(Answer::Whole(health(convert::network(network::state().await)))),
        Ok(Route::OpenApi) => Ok(Answer::Whole(Reply::json(200, OPENAPI))),
        Ok(Route::Preflight) => Ok(Answer::Whole(Reply::preflight())),
        Err(refusal) => Err(refusal),
    };
    answered.unwrap_or_else(|refusal| Answer::Whole(Reply::refusal(&refusal, streams, &now::iso())))
}

/// `streams` is told as soon as the body has said how to answer, even when it is refused.
async fn start(
    incoming: Incoming,
    wants: impl Fn(Option<bool>) -> bool,
    streams: &mut bool,
) -> Result<Answer, Refusal> {
    let client_address = incoming.client_address.clone();
    let (body, settings) = join!(incoming.body(), Settings::read());
    let parsed = Parsed::read(&body?);
    *streams = wants(parsed.stream);
    let (request, settings) = (parsed.request?, settings?);
    let caller = gate::admit(&settings, &request, client_address.as_deref()).await?;
    let started = ask::start(convert::request(request), convert::caller(caller)).await;
    let (id, stream, ended) = started.map_err(convert::refusal)?;
    let events = Events::new(stream, ended, settings.silence);
    if *streams { stream_of(events).await } else { Ok(collect(id, events).await) }
}

async fn rejoin(id: String, after: u64) -> Result<Answer, Refusal> {
    let silence = settings::silence().await?;
    let (stream, ended) = ask::rejoin(id, after).await.map_err(convert::refusal)?;
    stream_of(Events::new(stream, ended, silence)).await
}

async fn stop(id: String) -> Result<Answer, Refusal> {
    ask::stop(id.clone()).await.map_err(convert::refusal)?;
    Ok(Answer::Whole(stopping(&id)))
}

async fn stream_of(mut events: Events) -> Result<Answer, Refusal> {
    match events.first(HEAD_WAITS).await {
        Next::Batch(first) => Ok(Answer::Stream { first, rest: events }),
        Next::Silence => Ok(Answer::Stream { first: Vec::new(), rest: events }),
        // 204 tells a browser's EventSource that there is nothing to come back for.
        Next::End(None) => Ok(Answer::Whole(Reply::empty())),
        Next::End(Some(refusal)) => Err(refusal),
    }
}

async fn collect(id: String, mut events: Events) -> Answer {
    let mut collector = Collector::new(id);
    loop {
        match events.next().await {
            Next::Batch(batch) => batch.into_iter().for_each(|event| collector.take(event)),
            Next::Silence => {}
            Next::End(broke) => return Answer::Whole(collector.finish(broke.as_ref())),
        }
    }
}
