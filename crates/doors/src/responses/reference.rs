//! Items of earlier responses that an input refers to by their ids: whose they are, and what they say.
//!
//! An item's id has a hash of its ask's in it and does not open the ask. It leads there by a note whose key is made of
//! that hash and of who began the ask, so that nobody else's id leads anywhere.
//!
//! Border: ids and what is known of asks in, a history out. Notes are read and written by whoever calls.

use std::collections::VecDeque;

use quarry_admission::shared::{shared_key, shared_name};

use super::record::Record;
use super::run::EarlierRun;
use super::shown::{Earlier, InputOf};
use super::turns::{By, is_cut};
use super::wire::{Item, Part};
use crate::order::{AskRequest, Said, Speaker};
use crate::talk::ids;
use crate::{OwnName, Refusal};

/// Responses that one input may refer to.
const MAX_RESPONSES: usize = 64;

/// Items that one input may refer to.
pub(super) const MAX_REFERENCES: usize = 1_024;

/// An item that an input refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference {
    /// Turns of the request's own history that stand before it.
    pub(crate) at: usize,
    /// The item's id.
    pub(crate) id: String,
}

impl Reference {
    /// What its response is known by: the second of the three parts of its id.
    fn of(&self) -> Option<&str> {
        let (_, rest) = self.id.split_once('_')?;
        let (of, _) = rest.split_once('_')?;
        let is_hash = of.len() == ids::KEPT && of.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_hash.then_some(of)
    }
}

/// The key of the note that leads to what was begun, by who began it and by the name it has in `resp_`.
#[must_use]
pub fn key_of(by: &str, named: &str) -> String {
    shared_key(by, &shared_name(named))
}

/// What is known of a response.
pub enum Found {
    /// One with an ask behind it.
    Ask(Earlier),
    /// One with a run behind it.
    Run(EarlierRun),
}

/// The items of a request are looked for, one response after the other.
pub struct Finding {
    by: String,
    references: Vec<Reference>,
    /// Responses that are still to be looked at, by the hash in their items' ids.
    wanted: VecDeque<String>,
    /// By the item's id, what it says; none: nothing that belongs to a conversation.
    said: Vec<(String, Option<Said>)>,
}

impl Finding {
    /// Of a request that the gate has let in. None: it refers to nothing.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] for what is no item's id, and for too many responses.
    pub fn of(request: &mut AskRequest) -> Result<Option<Finding>, Refusal> {
        let references = std::mem::take(&mut request.manners.refers);
        let mut wanted = VecDeque::new();
        for reference in &references {
            let of = reference.of().ok_or_else(|| unknown(&reference.id))?;
            if !wanted.iter().any(|known| known == of) {
                wanted.push_back(of.to_owned());
            }
        }
        if wanted.len() > MAX_RESPONSES {
            let wants = format!("refers to items of more than {MAX_RESPONSES} responses");
            return Err(Refusal::field("input", &wants));
        }
        let by = request.manners.finds.as_ref().map(OwnName::key).unwrap_or_default();
        let is_any = !references.is_empty();
        Ok(is_any.then_some(Finding { by, references, wanted, said: Vec::new() }))
    }

    /// The key of the note that leads to the next response; none: all were found.
    #[must_use]
    pub fn wanted(&self) -> Option<String> {
        self.wanted.front().map(|of| shared_key(&self.by, of))
    }

    /// There is none: [`Refusal::InvalidField`] names the first item that is missing.
    #[must_use]
    pub fn missing(&self) -> Refusal {
        let of = self.wanted.front().map(String::as_str);
        let missing = self.references.iter().find(|reference| reference.of() == of);
        unknown(missing.map_or("", |reference| reference.id.as_str()))
    }

    /// This is what is known of it.
    ///
    /// # Errors
    /// [`Refusal::InvalidField`] where an item is none of its, or it is under way or was not to be kept.
    pub fn found(&mut self, named: &str, found: &Found) -> Result<(), Refusal> {
        let Some(of) = self.wanted.pop_front() else { return Ok(()) };
        let known = match found {
            Found::Ask(earlier) => earlier.items(named),
            Found::Run(earlier) => earlier.items_of(named),
        };
        for Reference { id, .. } in self.references.iter().filter(|one| one.of() == Some(&of)) {
            let Some(Items { input, output, has_ended }) = &known else { return Err(unknown(id)) };
            if !has_ended {
                let wants = format!(
                    "refers to the item {id} of a response that is under way; wait for its end, or cancel it"
                );
                return Err(Refusal::field("input", &wants));
            }
            let asked = input.iter().find(|(known, _)| known == id);
            let said = match asked.map(|(_, asked)| (asked.by, &asked.text)) {
                Some((By::Speaker(_), text)) if is_cut(text) => return Err(cut(id)),
                Some((By::Speaker(by), text)) => Some(Said { by, text: text.clone() }),
                Some((By::Instructor(_), _)) => return Err(instructs(id)),
                None => {
                    let item = output.iter().find(|item| item.id() == id);
                    told(item.ok_or_else(|| unknown(id))?)
                }
            };
            self.said.push((id.clone(), said));
        }
        Ok(())
    }

    /// Puts what the items say where the request refers to them.
    pub fn put(self, request: &mut AskRequest) {
        let own = std::mem::take(&mut request.wish.history);
        let (turns, mut put) = (own.len(), Vec::new());
        let mut own = own.into_iter().enumerate().peekable();
        let mut history = Vec::new();
        for Reference { at, id } in &self.references {
            while let Some((_, said)) = own.next_if(|(before, _)| before < at) {
                history.push(said);
            }
            let said = self.said.iter().find(|(known, _)| known == id);
            let said = said.and_then(|(_, said)| said.clone());
            put.extend(said.is_some().then_some(*at));
            history.extend(said);
        }
        history.extend(own.map(|(_, said)| said));
        request.wish.history = history;
        let kept = request.manners.keeps.take();
        if let Some(mut own) = kept.and_then(|kept| Record::unchecked(&kept)) {
            for instructing in &mut own.instructing {
                instructing.has_behind(turns, &put);
            }
            request.manners.keeps = Some(own.write(&request.query, &request.wish.history));
        }
    }
}

/// What may be referred to of a response.
pub(super) struct Items {
    /// What it was asked with, by the ids of the messages.
    pub input: InputOf,
    /// What came of it.
    pub output: Vec<Item>,
    pub has_ended: bool,
}

/// What an item says in a conversation. Of the way to an answer nothing is said again.
fn told(item: &Item) -> Option<Said> {
    let text = match item {
        Item::Message { .. } => item.part().map(Part::text)?,
        Item::Reasoning { .. }
        | Item::WebSearchCall { .. }
        | Item::CodeInterpreterCall { .. }
        | Item::FileSearchCall { .. } => return None,
    };
    let is_said = !text.trim().is_empty();
    is_said.then(|| Said { by: Speaker::Assistant, text: text.to_owned() })
}

/// Nobody who follows is held to what was said of how to answer.
fn instructs(id: &str) -> Refusal {
    let wants = format!(
        "refers to the item {id} of a system or a developer, which says how to answer; send its text as a message"
    );
    Refusal::field("input", &wants)
}

/// Who refers to a message means all of it.
fn cut(id: &str) -> Refusal {
    let wants = format!(
        "refers to the item {id}, of which only the beginning is kept; send its text as a message"
    );
    Refusal::field("input", &wants)
}

/// Whoever has another's id learns no more than who made one up.
fn unknown(id: &str) -> Refusal {
    let id: String = id.chars().take(64).collect();
    let wants = format!(
        "refers to the item {id}, which is not kept: it is unknown, its response was not stored or has expired, or \
         others began it; send its text as a message"
    );
    Refusal::field("input", &wants)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::talk::{self, Extension, Talk};
    use crate::{Event, Head, Hidden};
    use quarry_events::EventName;
    use serde_json::{Value, json};

    const ASK: &str = "019a00000000abcdef00000000000000";

    fn asker(token: &str) -> OwnName {
        let head = Head { authorization: Some(Hidden(token.into())), ..Head::default() };
        talk::named(&head, "items", &[])
    }

    fn request(references: &[(usize, &str)]) -> AskRequest {
        let said = |by, text: &str| Said { by, text: text.to_owned() };
        let history = vec![said(Speaker::User, "first"), said(Speaker::User, "second")];
        let talk = Talk { question: "And?".into(), history, ..Talk::default() };
        let mut request = talk::request(talk, "quarry", Extension::default().wanted("").unwrap());
        let reference = |&(at, id): &(usize, &str)| Reference { at, id: id.to_owned() };
        request.manners.refers = references.iter().map(reference).collect();
        request.manners.finds = Some(asker("Bearer a"));
        request.manners.keeps = Some(Record::default().write("And?", &request.wish.history));
        request
    }

    fn answered() -> Earlier {
        let event = |name, data: Value| Event { sequence: None, name, data: data.to_string() };
        let question = "How tall is it?";
        Earlier {
            kept: Some(Record::default().write(question, &[])),
            events: vec![
                event(EventName::AnswerDelta, json!({ "text": "Forty metres." })),
                event(
                    EventName::FinalAnswer,
                    json!({ "content": "Forty metres.", "finish": "stop", "citations": [], "sources": [] }),
                ),
                event(EventName::Complete, json!({})),
            ],
            has_ended: true,
        }
    }

    /// The same, asked as this door is, with a word on how to answer before the question.
    fn instructed() -> Earlier {
        let input = json!([
            { "role": "system", "content": "Be brief." },
            { "role": "user", "content": "How tall is it?" },
        ]);
        let body = json!({ "input": input }).to_string();
        let parsed = crate::responses::body::Parsed::read(body.as_bytes());
        let request = parsed.request.as_ref().unwrap();
        let kept = parsed.record.write(&request.query, &request.wish.history);
        Earlier { kept: Some(kept), ..answered() }
    }

    fn id(rest: &str) -> String {
        format!("{}_{rest}", ids::of("msg_", ASK))
    }

    #[test]
    fn items_stand_where_an_input_refers_to_them() {
        let (question, answer) = (id("in_0"), id("0"));
        let mut request = request(&[(0, &question), (1, &answer)]);
        let mut finding = Finding::of(&mut request).unwrap().unwrap();
        let key = finding.wanted().unwrap();
        assert_eq!(key, key_of(&asker("Bearer a").key(), ASK));
        assert_ne!(key, key_of(&asker("Bearer b").key(), ASK), "others find nothing by it");
        finding.found(ASK, &Found::Ask(answered())).unwrap();
        assert_eq!(finding.wanted(), None);
        finding.put(&mut request);
        let said: Vec<(Speaker, &str)> =
            request.wish.history.iter().map(|said| (said.by, said.text.as_str())).collect();
        let expected = [
            (Speaker::User, "How tall is it?"),
            (Speaker::User, "first"),
            (Speaker::Assistant, "Forty metres."),
            (Speaker::User, "second"),
        ];
        assert_eq!(said, expected);
        // What is kept of the new response has them, too.
        let kept = Record::read(request.manners.keeps.as_deref()).unwrap();
        assert_eq!(kept.history().len(), 5);
    }

    #[test]
    fn a_message_of_which_only_the_beginning_is_kept_is_not_taken_for_all_of_it() {
        let said = |by, text: &str| Said { by, text: text.to_owned() };
        let long =
            [said(Speaker::User, "Who built it?"), said(Speaker::Assistant, &"x".repeat(70_000))];
        let first = Record::default().write("And who paid?", &long);
        // Nor by the id that it has in what follows.
        let history = Record::unchecked(&first).unwrap().history();
        let next = Record::default().write("When?", &history);
        for kept in [first, next] {
            let refers = |item: &str| {
                let mut finding = Finding::of(&mut request(&[(0, &id(item))])).unwrap().unwrap();
                let earlier = Earlier { kept: Some(kept.clone()), ..answered() };
                finding.found(ASK, &Found::Ask(earlier))
            };
            let told = refers("in_1").unwrap_err().to_string();
            assert!(told.contains("only the beginning is kept") && told.contains(&id("in_1")));
            assert_eq!((refers("in_0"), refers("in_2")), (Ok(()), Ok(())));
        }
    }

    #[test]
    fn what_leads_nowhere_is_named() {
        let refused = |result: Result<(), Refusal>, wants: &str| match result {
            Err(Refusal::InvalidField { field, message }) => {
                assert_eq!(field, "input");
                assert!(message.contains(wants), "{message}");
            }
            other => panic!("{other:?}"),
        };
        for wrong in ["", "msg_1", "resp_019a", "msg_zzzzzzzzzzzzzzzzzzzzzzzz_0"] {
            let found = Finding::of(&mut request(&[(0, wrong)]));
            refused(found.map(drop), "not kept");
        }
        let finding = |id: &str| Finding::of(&mut request(&[(0, id)])).unwrap().unwrap();
        refused(Err(finding(&id("0")).missing()), &id("0"));
        refused(finding(&id("9")).found(ASK, &Found::Ask(answered())), &id("9"));
        let mut unkept = Record::default();
        unkept.echo.store = false;
        let unkept = Earlier { kept: Some(unkept.write("q", &[])), ..answered() };
        refused(finding(&id("0")).found(ASK, &Found::Ask(unkept)), "not kept");
        let mut under_way = answered();
        under_way.has_ended = false;
        drop(under_way.events.pop());
        refused(finding(&id("0")).found(ASK, &Found::Ask(under_way)), "under way");
        assert!(Finding::of(&mut request(&[])).unwrap().is_none());
        let how = finding(&id("in_0")).found(ASK, &Found::Ask(instructed()));
        refused(how, "says how to answer");
        finding(&id("in_1")).found(ASK, &Found::Ask(instructed())).unwrap();
    }
}
