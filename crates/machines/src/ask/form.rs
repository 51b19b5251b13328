//! An answer as JSON: one call that puts what is written and checked into the form that is wanted, and one more where
//! what came does not fit. Nobody is shown any of it before it fits.
//!
//! Border: what fits a schema is decided in `quarry_types::json::shape`.

use super::answer::LEAST_ANSWER_TOKENS;
use super::ending::Answer;
use super::research::Research;
use super::wish::Form;
use super::{Ask, Phase, Stage};
use crate::core::{
    Draft, Turn, estimate, failure_kind, failure_message, numbered, request_estimate,
};
use quarry_events::{FailureKind, Finish, StageName};
use quarry_prompts as prompts;
use quarry_types::json::{self, shape};
use quarry_types::text::cut;
use quarry_types::{
    ChatError, ChatRequest, Completion, FinishReason, Message, ReplySchema, tokens,
};
use serde::{Deserialize, Serialize};

/// Why no answer is begun where rules would have to write it.
pub(super) const NO_WRITER: &str = "The answer is wanted as JSON, and no language model is there that could write it. Choose another model, or ask without a form.";

/// The temperature of putting words into a form: nothing is to be thought of.
const TEMPERATURE: f64 = 0.0;

/// Characters of an answer below which it is not cut further to fit a budget.
const LEAST_CHARACTERS: usize = 160;

/// Characters of a reply that its writer is shown again.
const SHOWN_AGAIN: usize = 20_000;

/// What stands between an answer and the sources that it cites.
const SOURCES: &str = "\n\nSources:\n";

/// What an object without a name is called.
const UNNAMED: &str = "answer";

/// An answer that is put into its form.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Forming {
    pub(super) answer: Answer,
    /// What was asked, to be asked again with what is wrong.
    request: ChatRequest,
    /// Whether what came first did not fit.
    pub(super) is_repair: bool,
}

impl Ask {
    /// Whether a form is wanted that nobody here can write.
    pub(super) fn cannot_form(&self) -> bool {
        self.brief.wish.form.is_some() && !self.calls.sheet().is_language_model
    }

    /// The least that must be left when the answer is written; nothing where words are wanted.
    pub(super) fn least_form(&self) -> u64 {
        let Some(frame) = self.form_frame() else { return 0 };
        frame.saturating_add(2 * LEAST_ANSWER_TOKENS)
    }

    /// What the form of this answer takes when nothing of it is cut off; nothing where words are wanted. That call reads
    /// the answer, and writes about as much.
    pub(super) fn form_of(&self, answer: &Answer) -> u64 {
        let Some(frame) = self.form_frame() else { return 0 };
        let words = answer.draft.with_numbers();
        let read = tokens::estimate(&[&words, SOURCES, &listed(answer).join("\n")].concat());
        let written = tokens::estimate(&words).max(LEAST_ANSWER_TOKENS);
        frame.saturating_add(read).saturating_add(written).max(self.least_form())
    }

    /// What an answer may have of so many tokens, when its form is to be paid of them, too: that call reads it, and
    /// writes about as much.
    pub(super) fn beside_form(&self, tokens: u64) -> u64 {
        let Some(frame) = self.form_frame() else { return tokens };
        tokens.saturating_sub(frame) / 3
    }

    /// Estimated tokens of all that the call for the form has beside the answer.
    fn form_frame(&self) -> Option<u64> {
        let schema = self.reply_schema(self.brief.wish.form.as_ref()?);
        let schema = schema.map_or(0, |schema| tokens::estimate(schema.schema.text()));
        Some(estimate(&self.form_messages("")) + schema)
    }

    fn reply_schema(&self, form: &Form) -> Option<ReplySchema> {
        match form {
            Form::JsonObject => None,
            Form::JsonSchema { name, schema, strict } => {
                let (name, schema) = (name.clone(), schema.clone());
                Some(ReplySchema { name, schema, strict: *strict, in_words: false })
            }
        }
    }

    fn form_messages(&self, answer: &str) -> Vec<Message> {
        let fence = &self.brief.fence;
        let system = prompts::FinalFormatSystem { fence: fence.mark() }.render();
        let answer = fence.around("the answer", answer);
        // As it was asked: it may say what the object is to have.
        let user = prompts::FinalFormat { query: &self.brief.query, answer: &answer }.render();
        let user = [Some(user), self.wishes()].into_iter().flatten().collect::<Vec<_>>();
        vec![Message::system(system), Message::user(user.join("\n\n"))]
    }

    /// A request for JSON, as long as it may be; none where not even a short reply fits.
    fn form_request(&self, messages: Vec<Message>) -> Option<ChatRequest> {
        let wish = &self.brief.wish;
        let ceiling = self.most(self.config.ceilings.high);
        let request = ChatRequest {
            json: true,
            schema: wish.form.as_ref().and_then(|form| self.reply_schema(form)),
            top_p: wish.top_p,
            ..self.calls.request(messages, ceiling)
        };
        self.within_room(request)
    }

    /// The request with what is left for its reply, where that is enough for one.
    fn within_room(&self, request: ChatRequest) -> Option<ChatRequest> {
        let ceiling = self.most(request.max_output_tokens);
        let fits = self.calls.output_that_fits(request_estimate(&request));
        let output = u32::try_from(fits).unwrap_or(u32::MAX).min(ceiling);
        let least = u32::try_from(LEAST_ANSWER_TOKENS).unwrap_or(u32::MAX).min(ceiling);
        (output >= least).then_some(ChatRequest { max_output_tokens: output, ..request })
    }

    /// Has the model put an answer into its form.
    pub(super) fn begin_form(&mut self, mut answer: Answer, turn: &mut Turn) {
        let sources = listed(&answer);
        let words = answer.draft.with_numbers();
        let (mut characters, mut listed) = (words.chars().count(), sources.len());
        let request = loop {
            let words = cut(&words, characters);
            let sources = sources.get(..listed).unwrap_or_default().join("\n");
            let gap = if sources.is_empty() { "" } else { SOURCES };
            let request = self.form_request(self.form_messages(&[&words, gap, &sources].concat()));
            if request.is_some() || characters <= LEAST_CHARACTERS && listed == 0 {
                break request;
            }
            // The tail of an answer tells more than the addresses of its sources.
            if listed > 0 {
                listed = 0;
            } else {
                characters = (characters / 2).max(LEAST_CHARACTERS);
                answer.research.partial = true;
            }
        };
        let Some(request) = request else {
            self.stage = Stage::Researching(answer.research);
            self.fail_for_room(turn);
            return;
        };
        turn.log("Putting the answer into the form that is wanted");
        let temperature = self.brief.wish.temperature;
        let ours = self.brief.wish.top_p.is_none().then_some(TEMPERATURE);
        let request = ChatRequest { temperature: temperature.or(ours), ..request };
        self.ask_for_form(Forming { answer, request, is_repair: false }, turn);
    }

    /// Lets the model answer at once, in the form that is wanted.
    pub(super) fn begin_direct_form(&mut self, research: Research, turn: &mut Turn) {
        let name = match &self.brief.wish.form {
            Some(Form::JsonSchema { name, .. }) => name,
            Some(Form::JsonObject) | None => UNNAMED,
        };
        let form = Message::system(prompts::FinalFormatDirect { name }.render());
        let mut messages = self.direct_messages();
        // Some servers take one message of the system alone.
        match messages.first_mut().filter(|first| first.role == form.role) {
            Some(first) => first.content = format!("{}\n\n{}", first.content, form.content),
            None => messages.insert(0, form),
        }
        let Some(request) = self.form_request(messages) else {
            self.stage = Stage::Researching(research);
            self.fail_for_room(turn);
            return;
        };
        turn.begin_stage(StageName::Answer, None);
        turn.log("Answering without research");
        let request = ChatRequest { temperature: self.brief.wish.temperature, ..request };
        let answer = Answer::new(research, Draft::silent(), Finish::Stop);
        self.ask_for_form(Forming { answer, request, is_repair: false }, turn);
    }

    fn ask_for_form(&mut self, forming: Forming, turn: &mut Turn) {
        let request = forming.request.clone();
        self.stage = Stage::Forming(Box::new(forming));
        self.calls.start(Phase::FinalFormat, request, 0, turn);
    }

    /// Goes on where what came first did not fit, and asking again was interrupted: that reply is paid for, and so is what is
    /// known to be wrong with it. Where there is no room for both, the answer is put into its form anew.
    pub(super) fn form_again_later(&mut self, forming: Forming, turn: &mut Turn) {
        turn.begin_stage(StageName::Answer, None);
        turn.log("Going on with the form of the answer that was written before");
        let Forming { mut answer, request, is_repair } = forming;
        answer.draft.silence();
        let ChatRequest { messages, temperature, .. } = request;
        match self.form_request(messages) {
            Some(request) => {
                let request = ChatRequest { temperature, ..request };
                self.ask_for_form(Forming { answer, request, is_repair }, turn);
            }
            None if self.brief.wish.is_direct => self.begin_direct_form(answer.research, turn),
            None => self.begin_form(answer, turn),
        }
    }

    pub(super) fn after_form(&mut self, result: Result<Completion, ChatError>, turn: &mut Turn) {
        if let Err(ChatError::RateLimited { wait_seconds, message }) = &result {
            self.quota_exceeded(*wait_seconds, message, turn);
            return;
        }
        let mut forming = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Forming(forming) => forming,
            other => {
                self.stage = other;
                return;
            }
        };
        let completion = match result {
            Ok(completion) => completion,
            Err(error) => {
                self.form_failed(*forming, &error, turn);
                return;
            }
        };
        if completion.finish_reason == FinishReason::ContentFilter {
            forming.answer.finish = Finish::Filter;
            forming.answer.draft.put_in_form("", turn);
            self.tell(forming.answer, turn);
            return;
        }
        match read(&completion, self.brief.wish.form.as_ref()) {
            Ok(text) => {
                forming.answer.draft.put_in_form(&text, turn);
                self.tell(forming.answer, turn);
            }
            Err(problems) => self.form_again(*forming, &completion, &problems, turn),
        }
    }

    /// The call failed. A schema that the provider refuses is said to the model in words instead.
    fn form_failed(&mut self, mut forming: Forming, error: &ChatError, turn: &mut Turn) {
        if matches!(error, ChatError::Rejected { .. })
            && let Some(schema) = forming.request.schema.as_mut().filter(|schema| !schema.in_words)
        {
            schema.in_words = true;
            turn.log(format!(
                "The provider does not take the schema ({error}); saying it in words"
            ));
            self.ask_for_form(forming, turn);
            return;
        }
        self.stage = Stage::Researching(forming.answer.research);
        self.fail(failure_kind(error), &failure_message(error), turn);
    }

    /// What came does not fit: the model is told why, once.
    fn form_again(
        &mut self,
        forming: Forming,
        completion: &Completion,
        problems: &[String],
        turn: &mut Turn,
    ) {
        let Forming { answer, mut request, is_repair } = forming;
        let problems = problems.join("; ");
        let written = cut(&completion.text, SHOWN_AGAIN);
        let again = prompts::FinalFormatAgain { problems: &problems }.render();
        if !completion.text.trim().is_empty() {
            request.messages.push(Message::assistant(written, Vec::new()));
        }
        request.messages.push(Message::user(again));
        // What was written, and what is wrong with it, take of the room.
        if !is_repair && let Some(request) = self.within_room(request) {
            turn.log(format!(
                "The answer does not have the form that is wanted ({problems}); asking again"
            ));
            self.ask_for_form(Forming { answer, request, is_repair: true }, turn);
            return;
        }
        let why = if is_repair {
            "twice"
        } else {
            "and neither budget nor context leave room for another try"
        };
        let message =
            format!("The model did not write the JSON that was asked for, {why}: {problems}.");
        self.stage = Stage::Researching(answer.research);
        self.fail(FailureKind::InvalidOutput, &message, turn);
    }
}

/// The sources that an answer cites, each in a line of its own.
fn listed(answer: &Answer) -> Vec<String> {
    let evidence = answer.research.inquiry.evidence();
    let cited = answer.draft.proof().numbers.places();
    let sources = numbered(evidence.sources(), cited);
    let cited = sources.iter().take(cited.len());
    cited.map(|source| format!("[{}] {} — {}", source.n, source.title, source.url)).collect()
}

/// The JSON text of a reply, or what is wrong with it.
fn read(completion: &Completion, form: Option<&Form>) -> Result<String, Vec<String>> {
    if completion.finish_reason == FinishReason::Length {
        return Err(vec!["it was cut off at its length limit; write a shorter one".to_owned()]);
    }
    let text = completion.text.trim();
    // As the model wrote it where that is JSON: figures keep all their digits.
    let standard = serde_json::from_str(text).ok();
    let (value, text) = match standard {
        Some(value) => (value, text.to_owned()),
        None => {
            let value = json::read_whole(text)
                .ok_or_else(|| vec!["it is not one whole JSON object".to_owned()])?;
            let text = value.to_string();
            (value, text)
        }
    };
    if !value.is_object() {
        return Err(vec!["it is not a JSON object".to_owned()]);
    }
    let misfits = match form {
        Some(Form::JsonSchema { schema, .. }) => shape::misfits(&schema.value(), &value),
        Some(Form::JsonObject) | None => Vec::new(),
    };
    if misfits.is_empty() { Ok(text) } else { Err(misfits) }
}
