//! An answer without research: one call of the model, with the conversation as it was.

use super::plan::Setup;
use super::research::Research;
use super::wish::Speaker;
use super::{Ask, Phase, Stage};
use crate::core::{Draft, Turn, request_estimate};
use quarry_events::StageName;
use quarry_types::{ChatRequest, Message};

impl Ask {
    /// Lets the model answer at once.
    pub(super) fn begin_direct(&mut self, turn: &mut Turn) {
        let research = Research::unplanned(Setup::fallback(&self.brief.query));
        if self.brief.wish.form.is_some() {
            self.begin_direct_form(research, turn);
            return;
        }
        let request = self.direct_request();
        self.stage = Stage::Answering { research, draft: Box::new(Draft::unsourced(self.stops())) };
        let Some(request) = request else {
            self.fail_for_room(turn);
            return;
        };
        turn.begin_stage(StageName::Answer, None);
        turn.log("Answering without research");
        self.ask_model(Phase::FinalSynthesis, request, turn);
    }

    /// None when budget or context leave no room for a single token.
    fn direct_request(&self) -> Option<ChatRequest> {
        let messages = self.direct_messages();
        let mut request = self.calls.request(messages, self.most(self.config.ceilings.high));
        (request.temperature, request.top_p) = (self.brief.wish.temperature, self.brief.wish.top_p);
        request.streams_text = true;
        let fits = self.calls.output_that_fits(request_estimate(&request));
        let most = self.most_of(&request);
        let output = fits.min(u64::from(most));
        request.max_output_tokens = u32::try_from(output).unwrap_or(most);
        (output > 0).then_some(request)
    }

    /// The conversation as it was, with the question at its end.
    pub(super) fn direct_messages(&self) -> Vec<Message> {
        let wish = &self.brief.wish;
        let instructions = wish.instructions.iter().map(Message::system);
        let history = wish.history.iter().map(|said| match said.by {
            Speaker::User => Message::user(&said.text),
            Speaker::Assistant => Message::assistant(&said.text, Vec::new()),
        });
        let question = [Message::user(&self.brief.query)];
        instructions.chain(history).chain(question).collect()
    }

    /// The same of a request that has room for thoughts: a caller's limit is for thoughts and answer together.
    pub(super) fn most_of(&self, request: &ChatRequest) -> u32 {
        match self.brief.wish.form {
            // Of an answer in a form of its own that form is what the caller's limit is for.
            Some(_) => request.max_output_tokens,
            None => self.most(request.max_output_tokens),
        }
    }

    /// An answer's ceiling: the configured one, or the caller's where that is lower.
    pub(super) fn most(&self, ceiling: u32) -> u32 {
        self.brief.wish.max_tokens.map_or(ceiling, |wanted| wanted.min(ceiling))
    }
}
