//! What each message wants: methods, tools and resources by their names.
//!
//! Border: heads and bodies in, orders out. Every answer that needs no ask is made here.

use quarry_types::RunEffort;
use serde_json::{Map, Value, json};

use super::address::{self, Address};
use super::arguments::{self, Research};
use super::deep::{ForRun, What};
use super::era::{self, Version};
use super::failure::{Failure, INVALID_REQUEST, REFUSED};
use super::message::{self, Called, Id, Message, Sent, Wrong};
use super::place::Place;
use super::reply::{self, Scope};
use super::tasks::{self, Doing, EXTENSION, OfTask};
use super::voice::{Call, Listening, Wants, no_sessions};
use super::{Listen, One, Order, PATH, Reading, Set, Single};
use crate::accept::{self, EVENT_STREAM, JSON};
use crate::order::Seeks;
use crate::route::allowed;
use crate::talk::{self, Deep};
use crate::{Head, OwnName, Refusal, Reply, responses};

/// Seconds that whoever stops a research waits for its end.
const STOP_WAITS: u64 = 10;
/// The same of whoever joins it again, counted from its birth: clients give a call up after 60.
const JOIN_WAITS: u64 = 55;

/// What is done for a request, and how it is answered.
type Done = Result<(Order, Wants), Failure>;

/// A body that was sent.
pub(super) fn sent(head: &Head, body: &[u8], set: Set) -> One {
    let takes = |kind: &str| accept::best(head.accept.as_deref(), &[kind]).is_some();
    if !(takes(JSON) && takes(EVENT_STREAM)) {
        let message =
            "answers are application/json or text/event-stream; `Accept` has to take both";
        return failed(Call::default(), &Failure::new(406, REFUSED, message));
    }
    match message::read(body) {
        Err(failure) => failed(Call::default(), &failure),
        Ok(Sent::One(message)) => one(head, message, set, false),
        Ok(Sent::Batch(all)) => match Version::of_head(head) {
            Ok(Version::March2025) => {
                let all = all.into_iter().map(|message| one(head, message, set, true).of_runs());
                let all = all.collect();
                One { order: Order::Several(all), call: Call::default() }
            }
            Ok(_) => {
                let message = "this version of the protocol has no batches; send one message";
                failed(Call::default(), &Failure::new(400, INVALID_REQUEST, message))
            }
            Err(failure) => failed(Call::default(), &failure),
        },
    }
}

/// Whoever lost a stream joins it again behind the last frame that it saw. Nothing else is told without being asked.
pub(super) fn joined(head: &Head) -> One {
    match Version::of_head(head) {
        Ok(version) if version.is_modern() => return not_that_method(&no_sessions()),
        Ok(_) => {}
        Err(failure) => return failed(Call::default(), &failure),
    }
    let Some(last) = head.last_event_id.as_deref().filter(|last| !last.is_empty()) else {
        return not_that_method(&Refusal::MethodNotAllowed { allow: allowed(PATH) });
    };
    let Some(Place { ask, id, token, number }) = Place::read(last) else {
        let message = "`Last-Event-ID` wants the id of an event that was sent from here";
        return failed(Call::default(), &Failure::new(400, INVALID_REQUEST, message));
    };
    let listening = Listening { token, wait: JOIN_WAITS, is_numbered: true, after: Some(number) };
    let wants = Wants::Tool(listening);
    One {
        order: Order::Join(ask),
        call: Call { version: Version::November2025, id: Some(id), wants },
    }
}

/// A host says goodbye. Nothing is kept of a session, so there is nothing to end: its researches go on, and end by
/// themselves or when they are cancelled.
pub(super) fn ended(head: &Head) -> One {
    let told = |order: Order| One { order, call: Call::default() };
    match Version::of_head(head) {
        Ok(version) if version.is_modern() => not_that_method(&no_sessions()),
        Err(failure) => failed(Call::default(), &failure),
        Ok(_) if head.mcp.session.as_deref().is_none_or(|session| session.trim().is_empty()) => {
            let message =
                "DELETE ends a session: `Mcp-Session-Id` wants the one that `initialize` gave";
            failed(Call::default(), &Failure::new(400, INVALID_REQUEST, message))
        }
        Ok(_) => told(Order::Known(Reply::empty())),
    }
}

fn not_that_method(refusal: &Refusal) -> One {
    let reply = Failure::refused(refusal).reply(None);
    One { order: Order::Public(reply), call: Call::default() }
}

fn failed(call: Call, failure: &Failure) -> One {
    One { order: Order::Known(failure.reply(call.id.as_ref())), call }
}

fn one(head: &Head, message: Result<Message, Wrong>, set: Set, in_batch: bool) -> One {
    let told = |order: Order| One { order, call: Call::default() };
    match message {
        Err(Wrong { id, failure }) => failed(Call { id, ..Call::default() }, &failure),
        Ok(Message::Response) => told(Order::Known(reply::accepted())),
        Ok(Message::Notification(call)) => match Version::of(head, &call, false) {
            Ok(version) => told(notified(head, &call, version)),
            Err(failure) => failed(Call::default(), &failure),
        },
        Ok(Message::Request { id, call }) => {
            let version = match Version::of(head, &call, true) {
                Ok(version) => version,
                Err(failure) => {
                    return failed(Call { id: Some(id), ..Call::default() }, &failure);
                }
            };
            let asked = Asked { head, id: &id, version, set, in_batch };
            let done = asked.done(&call);
            let known = Call { version, id: Some(id), wants: Wants::Words };
            match done {
                Ok((order, wants)) => begun(order, Call { wants, ..known }),
                Err(failure) => failed(known, &failure),
            }
        }
    }
}

/// What is done for a request, with how it is answered where that goes along.
fn begun(order: Order, call: Call) -> One {
    let order = match order {
        Order::ForRun(ForRun { what, .. }) => Order::ForRun(ForRun { what, call: call.clone() }),
        other => other,
    };
    One { order, call }
}

/// Of all that can be told, only that a request is no longer wanted means something. In the new era closing its
/// stream says so.
fn notified(head: &Head, call: &Called, version: Version) -> Order {
    let id = call.params.get("requestId").and_then(Id::read);
    match (call.method.as_str(), id, head.mcp.session.as_deref()) {
        ("notifications/cancelled", Some(id), Some(session)) if !version.is_modern() => {
            Order::Cancel(name(head, session, &id))
        }
        _ => Order::Known(reply::accepted()),
    }
}

/// By what the ask behind a request of a session is known.
fn name(head: &Head, session: &str, id: &Id) -> OwnName {
    talk::named(head, "mcp", &[session.as_bytes(), id.json().as_bytes()])
}

/// A request, and where it came from.
struct Asked<'a> {
    head: &'a Head,
    id: &'a Id,
    version: Version,
    set: Set,
    in_batch: bool,
}

impl Asked<'_> {
    fn done(&self, call: &Called) -> Done {
        let is_modern = self.version.is_modern();
        match call.method.as_str() {
            "initialize" if !is_modern => self.greeted(call),
            "ping" if !is_modern => Ok(self.known(json!({}))),
            "server/discover" => Ok(self.known(reply::discovered(self.version, self.set))),
            "tools/list" if self.set == Set::Connector => self.list(call, "tools", reply::pair),
            "tools/call" if self.set == Set::Connector => self.pair(call),
            other if self.set == Set::Connector => Err(Failure::no_method(other, self.version)),
            "tools/list" => self.list(call, "tools", reply::tools),
            "prompts/list" => self.list(call, "prompts", reply::prompts),
            "resources/list" => self.list(call, "resources", address::listed),
            "resources/templates/list" => self.list(call, "resourceTemplates", address::templates),
            "prompts/get" => self.prompt(call),
            "resources/read" => self.resource(call),
            "tools/call" => self.tool(call),
            "tasks/get" if is_modern => self.task(call, Doing::Get),
            "tasks/cancel" if is_modern => self.task(call, Doing::Cancel),
            "tasks/update" if is_modern => self.task(call, Doing::Update),
            "subscriptions/listen" if is_modern => self.listen(call),
            other => Err(Failure::no_method(other, self.version)),
        }
    }

    fn reply(&self, result: Value) -> Reply {
        reply::result(self.id, self.version, result)
    }

    fn known(&self, result: Value) -> (Order, Wants) {
        (Order::Known(self.reply(result)), Wants::Words)
    }

    fn greeted(&self, call: &Called) -> Done {
        if self.in_batch {
            let message = "initialize has to come alone, not in a batch";
            return Err(Failure::new(400, INVALID_REQUEST, message));
        }
        let version = Version::agreed(call.needed("protocolVersion")?);
        let reply = reply::result(self.id, version, reply::greeting(version, self.set));
        Ok((Order::Greet(reply), Wants::Words))
    }

    fn list(&self, call: &Called, name: &str, all: fn() -> Value) -> Done {
        // Every list is one page, so no cursor was ever given.
        if call.params.get("cursor").is_some_and(|cursor| !cursor.is_null()) {
            return Err(Failure::params("`cursor` is none that was given here"));
        }
        let listed = Map::from_iter([(name.to_owned(), all())]);
        Ok(self.known(reply::kept(self.version, Scope::Public, listed.into())))
    }

    fn prompt(&self, call: &Called) -> Done {
        if call.needed("name")? != reply::PROMPT {
            return Err(Failure::params(
                "there is no prompt of this name; prompts/list lists them",
            ));
        }
        let arguments = reply::arguments(&call.params)
            .ok_or_else(|| Failure::params("`arguments` wants an object"))?;
        let wrong = |refusal: Refusal| Failure::params(refusal.to_string());
        let (question, context) = arguments::prompt(&arguments).map_err(wrong)?;
        Ok(self.known(reply::prompt(&question, context.as_deref())))
    }

    fn resource(&self, call: &Called) -> Done {
        let uri = call.needed("uri")?;
        match Address::read(uri) {
            None => Err(Failure::no_resource(uri, self.version)),
            Some(Address::Guide) => {
                Ok(self.known(reply::kept(self.version, Scope::Public, reply::guide(uri))))
            }
            Some(Address::Ask(ask, part)) => {
                let wants = Wants::Resource(uri.to_owned());
                let (version, id) = (self.version, Some(self.id.clone()));
                let call = Call { version, id, wants: wants.clone() };
                Ok((Order::Read(Reading { ask: ask.to_owned(), call, part }), wants))
            }
        }
    }

    fn tool(&self, call: &Called) -> Done {
        let arguments = reply::arguments(&call.params)
            .ok_or_else(|| Failure::params("`arguments` wants an object"))?;
        let (order, wait) = match call.needed("name")? {
            "research" => match arguments::research(&arguments) {
                Ok(research) => {
                    let wait = research.wait;
                    let order = self.research(research, call);
                    if self.version.is_modern() && era::knows(call, EXTENSION) {
                        return Ok((order, Wants::Task));
                    }
                    (order, wait)
                }
                Err(refusal) => return Ok(self.known(reply::trouble(&refusal))),
            },
            "research_result" => match arguments::result(&arguments) {
                Ok((id, wait)) => (Order::Look(id), wait),
                Err(refusal) => return Ok(self.known(reply::trouble(&refusal))),
            },
            "research_stop" => match arguments::stop(&arguments) {
                Ok(id) => (Order::Stop(id), STOP_WAITS),
                Err(refusal) => return Ok(self.known(reply::trouble(&refusal))),
            },
            other => return self.single(other, &arguments),
        };
        // What a run that is looked at did is told as it stands now, and its frames have other numbers later.
        let is_run =
            matches!(&order, Order::Look(id) | Order::Stop(id) if responses::run_of(id).is_some());
        let can_join = !is_run && self.version == Version::November2025;
        let listening = Listening {
            token: call.meta("progressToken").and_then(Id::read),
            wait: if self.in_batch { 0 } else { wait },
            is_numbered: can_join,
            after: None,
        };
        Ok((order, Wants::Tool(listening)))
    }

    fn pair(&self, call: &Called) -> Done {
        let arguments = reply::arguments(&call.params)
            .ok_or_else(|| Failure::params("`arguments` wants an object"))?;
        self.called(Single::of_pair(call.needed("name")?, &arguments, self.id, self.version))
    }

    fn single(&self, name: &str, arguments: &Map<String, Value>) -> Done {
        self.called(Single::read(name, arguments, self.id, self.version))
    }

    fn called(&self, read: Option<Result<Single, Refusal>>) -> Done {
        match read {
            None => Err(Failure::params("there is no tool of this name; tools/list lists them")),
            Some(Ok(call)) => Ok((Order::Call(call), Wants::Words)),
            Some(Err(refusal)) => Ok(self.known(reply::trouble(&refusal))),
        }
    }

    /// Something about a task.
    fn task(&self, call: &Called, doing: Doing) -> Done {
        if !era::knows(call, EXTENSION) {
            return Err(Failure::no_tasks(EXTENSION));
        }
        let id = call.needed("taskId")?;
        if !address::is_id(id) {
            return Err(tasks::no_task(id));
        }
        let (version, asked) = (self.version, Some(self.id.clone()));
        let call = Call { version, id: asked, wants: Wants::Words };
        Ok((Order::OfTask(OfTask { id: id.to_owned(), doing, call }), Wants::Words))
    }

    fn listen(&self, call: &Called) -> Done {
        let knows = era::knows(call, EXTENSION);
        let listen = Listen::read(self.id, &call.params, knows)?;
        Ok((Order::Listen(listen), Wants::Words))
    }

    /// The ask or the run behind a call: told of, or answered with a task where the client knows them.
    fn research(&self, research: Research, call: &Called) -> Order {
        let Research { request, is_deep, .. } = research;
        let is_task = self.version.is_modern() && era::knows(call, EXTENSION);
        let mut request = self.mannered(request);
        if is_task {
            let manners = &mut request.manners;
            (manners.grace_seconds, manners.goes_on) = (None, true);
            manners.keeps = Some(responses::kept(&request.query, &request.wish.history));
        }
        match (is_deep, is_task) {
            (true, _) => {
                let deep = Deep::of_door(request, RunEffort::Deep);
                let what = What::Begin(Box::new(deep));
                Order::ForRun(ForRun { what, call: Call::default() })
            }
            (false, true) => Order::Task(Box::new(request), self.id.clone()),
            (false, false) => Order::Ask(Box::new(request)),
        }
    }

    /// In the new era closing its stream ends what a call began; before, it goes on, and only words end it.
    fn mannered(&self, mut request: crate::AskRequest) -> crate::AskRequest {
        let manners = &mut request.manners;
        manners.grace_seconds = self.version.is_modern().then_some(0);
        manners.goes_on = !self.version.is_modern();
        let session = self.head.mcp.session.as_deref().filter(|_| !self.version.is_modern());
        if let Some(session) = session {
            manners.named(name(self.head, session, self.id), Seeks::Nothing);
        }
        request
    }
}
