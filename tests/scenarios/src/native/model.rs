//! Model calls: what the `models` component performs, against the script's replies, on virtual time.
//!
//! Requests, replies, tries and waits are decided by `quarry-providers`. The script says what the
//! provider sends and how that ends; here it is only dated: a piece a millisecond, and a silence
//! lasts as long as the settings let it.

use super::drive::{Agenda, Due};
use super::variables::Variables;
use anyhow::{Result, bail};
use quarry_machines::core::{Input, Ticket};
use quarry_providers::target::{self, Target, TimeSetting};
use quarry_providers::{Call, Exchange, HttpRequest, Lost, Next, Progress};
use quarry_test_provider::{End, Playback, Recorded, Response, Script, ScriptRun};
use quarry_types::setting::word;
use quarry_types::{ChatError, ChatRequest, Credential, ModelId, Retries};
use std::collections::BTreeMap;

/// Milliseconds from one piece to the next.
const PIECE_MS: u64 = 1;

/// Neither the beginning nor the end of what jitter may do to a wait.
const HALF: f64 = 0.5;

/// The provider, and the calls that are under way.
pub struct Models<'a> {
    variables: &'a Variables,
    credential: Credential,
    provider: ScriptRun,
    calls: BTreeMap<Ticket, Calling>,
}

struct Calling {
    call: Call,
    /// The try under way, from 1: what is left of an earlier one comes too late.
    current: u32,
    exchange: Option<Exchange>,
    passed_on: bool,
    timeouts: Timeouts,
}

#[derive(Clone, Copy)]
struct Timeouts {
    first_byte_ms: u64,
    between_bytes_ms: u64,
}

/// What happens to a call.
#[derive(Debug)]
pub enum Step {
    /// It is sent.
    Send,
    /// Something comes of a try.
    Comes(u32, Arrival),
    /// Its time as a whole is over.
    TooLong,
}

/// What comes of a try.
#[derive(Debug)]
pub enum Arrival {
    /// The head of a response.
    Head(u16, Vec<(String, Vec<u8>)>),
    /// A piece of its body.
    Piece(Vec<u8>),
    /// The body's end.
    End,
    /// Why nothing more comes.
    Lost(Lost),
}

impl<'a> Models<'a> {
    /// A provider that replies by a script.
    pub fn new(variables: &'a Variables, credential: Credential, script: Script) -> Models<'a> {
        let provider = ScriptRun::new(script);
        Models { variables, credential, provider, calls: BTreeMap::new() }
    }

    /// All that the provider was asked.
    pub fn requests(&self) -> Vec<Recorded> {
        self.provider.requests().to_vec()
    }

    /// Begins a call.
    pub fn begin(
        &mut self,
        ticket: Ticket,
        request: ChatRequest,
        retries: Retries,
        agenda: &mut Agenda,
    ) {
        match self.settings(&request.model) {
            Ok((target, timeouts, total_ms)) => {
                let call = Call::new(request, target).with_retries(retries);
                let calling =
                    Calling { call, current: 0, exchange: None, passed_on: false, timeouts };
                self.calls.insert(ticket, calling);
                agenda.put(0, Due::Call(ticket, Step::Send));
                agenda.put(total_ms, Due::Call(ticket, Step::TooLong));
            }
            Err(error) => {
                agenda.put(0, Due::Input(Input::ModelDone { ticket, result: Err(error) }));
            }
        }
    }

    fn settings(&self, model: &ModelId) -> Result<(Target, Timeouts, u64), ChatError> {
        let text = |name: &str| word(self.variables.get(name)).map(str::to_owned);
        let time = |setting: TimeSetting| setting.read(text(setting.variable).as_deref());
        let base_url = text(&model.provider.base_url_variable());
        let key = match &self.credential {
            Credential::Operator => text(&model.provider.key_variable()),
            Credential::Caller(key) => Some(key.clone()),
        };
        // Whoever listens in the script is there at once.
        time(target::CONNECT_TIMEOUT)?;
        let total_ms = time(target::TOTAL_TIMEOUT)?;
        let silences = [target::FIRST_BYTE_TIMEOUT, target::BETWEEN_BYTES_TIMEOUT]
            .map(|setting| text(setting.variable));
        let [first_byte_ms, between_bytes_ms] =
            target::silences(model, silences.each_ref().map(Option::as_deref), total_ms)?;
        let timeouts = Timeouts { first_byte_ms, between_bytes_ms };
        Ok((Target::of(model.provider, base_url.as_deref(), key)?, timeouts, total_ms))
    }

    /// Takes a step of a call: what the machine is told.
    pub fn step(&mut self, ticket: Ticket, step: Step, agenda: &mut Agenda) -> Result<Vec<Input>> {
        let Some(calling) = self.calls.get_mut(&ticket) else { return Ok(Vec::new()) };
        match step {
            Step::Send => {
                let Some(playback) = self.provider.answer(recorded(&calling.call.outgoing()))
                else {
                    bail!("what was sent is no model call");
                };
                calling.current += 1;
                calling.exchange = None;
                let current = calling.current;
                for (at, arrival) in dated(playback, calling.timeouts) {
                    agenda.put(at, Due::Call(ticket, Step::Comes(current, arrival)));
                }
                Ok(Vec::new())
            }
            Step::Comes(of, arrival) if of == calling.current => {
                let (inputs, ended) = calling.take(ticket, arrival, agenda);
                if ended {
                    self.calls.remove(&ticket);
                }
                Ok(inputs)
            }
            Step::Comes(..) => Ok(Vec::new()),
            Step::TooLong => {
                self.calls.remove(&ticket);
                Ok(vec![Input::ModelDone { ticket, result: Err(Call::too_long()) }])
            }
        }
    }
}

impl Calling {
    /// Takes what comes of the current try: what the machine is told, and whether the call has ended.
    fn take(
        &mut self,
        ticket: Ticket,
        arrival: Arrival,
        agenda: &mut Agenda,
    ) -> (Vec<Input>, bool) {
        let mut inputs = Vec::new();
        let tried = match (arrival, self.exchange.take()) {
            (Arrival::Head(status, headers), _) => {
                self.exchange = Some(self.call.answered(status, || headers));
                return (inputs, false);
            }
            (Arrival::Lost(lost), None) => Err(lost.into()),
            (Arrival::Piece(_) | Arrival::End, None) => return (inputs, false),
            (Arrival::Piece(bytes), Some(mut exchange)) => {
                let progress = exchange.push(&bytes);
                self.pass_on(ticket, exchange.text(), &mut inputs);
                match progress {
                    Ok(Progress::More) => {
                        self.exchange = Some(exchange);
                        return (inputs, false);
                    }
                    Ok(Progress::Done) => exchange.end(None, || seconds(agenda)),
                    Err(failure) => Err(failure),
                }
            }
            (Arrival::End, Some(exchange)) => exchange.end(None, || seconds(agenda)),
            (Arrival::Lost(lost), Some(exchange)) => exchange.end(Some(lost), || seconds(agenda)),
        };
        let tried = tried.map(|(reply, rest)| {
            self.pass_on(ticket, &rest, &mut inputs);
            reply
        });
        // What is still on its way of this try comes too late.
        self.current += 1;
        match self.call.tried(tried, self.passed_on, || u64::MAX, || HALF) {
            Next::Ended(result) => {
                inputs.push(Input::ModelDone { ticket, result });
                (inputs, true)
            }
            Next::Again { wait_ms, reason, may_be_paid, .. } => {
                inputs.push(Input::ModelRetry { ticket, wait_ms, reason, may_be_paid });
                agenda.put(wait_ms, Due::Call(ticket, Step::Send));
                (inputs, false)
            }
        }
    }

    fn pass_on(&mut self, ticket: Ticket, text: &str, inputs: &mut Vec<Input>) {
        if !text.is_empty() {
            self.passed_on = true;
            inputs.push(Input::ModelText { ticket, text: text.to_owned() });
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "times of day stay far below 2^53 ms")]
fn seconds(agenda: &Agenda) -> f64 {
    agenda.now().0 as f64 / 1_000.0
}

fn recorded(request: &HttpRequest) -> Recorded {
    let header = |(name, value): &(String, Vec<u8>)| {
        (name.clone(), String::from_utf8_lossy(value).into_owned())
    };
    let headers = request.headers.iter().map(header).collect();
    Recorded::new("POST", &request.path, headers, &request.body)
}

/// What comes of a reply, each with the milliseconds until then. A signal that a reply waits for is
/// given by nobody here: it is a silence.
fn dated(playback: Playback, timeouts: Timeouts) -> Vec<(u64, Arrival)> {
    let Timeouts { first_byte_ms, between_bytes_ms } = timeouts;
    let broken = || Arrival::Lost(Lost::Broken("the connection was closed".to_owned()));
    let Playback { hold, response, end } = playback;
    let Some(Response { status, headers, writes, .. }) = response.filter(|_| hold.is_none()) else {
        let is_silent = hold.is_some() || end == End::Silence;
        let silence = (first_byte_ms, Arrival::Lost(Lost::FirstByte));
        return vec![if is_silent { silence } else { (PIECE_MS, broken()) }];
    };
    let headers = headers.into_iter().map(|(name, value)| (name, value.into_bytes())).collect();
    let mut at = PIECE_MS;
    let mut arrivals = vec![(at, Arrival::Head(status, headers))];
    for write in writes {
        if write.hold.is_some() {
            arrivals.push((at + between_bytes_ms, Arrival::Lost(Lost::Silence)));
            return arrivals;
        }
        at += PIECE_MS;
        arrivals.push((at, Arrival::Piece(write.bytes)));
    }
    arrivals.push(match end {
        End::Whole => (at + PIECE_MS, Arrival::End),
        End::Cut => (at + PIECE_MS, broken()),
        End::Silence => (at + between_bytes_ms, Arrival::Lost(Lost::Silence)),
    });
    arrivals
}
