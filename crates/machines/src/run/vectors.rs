//! Vectors of questions to documents of one's own: each is paid for, so the budget must have room for it before it is
//! made. Who pays nothing for them has them for nothing, and none is held to anything.
//!
//! Border: what a question is searched for with is the knowledge component's; what it cost comes with what was found.

use super::calls::{Calls, VECTORS};
use super::input::Purpose;
use super::queue::Search;
use super::share::for_research;
use super::tree::SearchError;
use super::turn::Turn;
use super::{Brief, NodeId, Run};
use crate::core::{Reservation, Room};
use quarry_events::run::{SearchedIn, StepFailed};
use quarry_tools::{FailureKind, Outcome};
use quarry_types::{Price, Usage, Usd, tokens};

/// US dollars for a million tokens where nobody has paid for any yet: more than models of embeddings cost.
const MOST_USUAL: Usd = 1.0;

/// Why a query to documents is not sent.
const NO_ROOM: &str = "the budget has no room for the vector of a question to your documents";

/// What becomes of a search whose vector has no room.
pub(super) fn without_room() -> Outcome {
    Outcome::failed(FailureKind::Failed, NO_ROOM)
}

/// Whether a search of documents that failed so may have had a vector made before.
pub(super) const fn may_have_paid(kind: FailureKind) -> bool {
    match kind {
        FailureKind::Timeout
        | FailureKind::Unavailable
        | FailureKind::Busy { .. }
        | FailureKind::Failed => true,
        FailureKind::RefusedArguments
        | FailureKind::UnknownTool
        | FailureKind::Refused
        | FailureKind::NotFound
        | FailureKind::Threw
        | FailureKind::Limit
        | FailureKind::NotConfigured => false,
    }
}

/// The budget has no room for a vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NoRoom;

impl Calls {
    /// Reserves what the vector of a question may cost, where one may be made.
    pub fn reserve_vector(
        &mut self,
        brief: &Brief,
        (place, query): (SearchedIn, &str),
        must_fit: bool,
    ) -> Result<Option<Reservation>, NoRoom> {
        if place.is_web() || !brief.operator_keys || !brief.is_since(1) {
            return Ok(None);
        }
        let input = self.vector_price().unwrap_or(MOST_USUAL);
        let price = Price { input, output: 0.0, cached_input: None, reasoning: None };
        let most = tokens::estimate(query);
        let budget = for_research(brief.budget);
        let fits = self.ledger().room(&budget, Some(&price), most, 0) != Room::DoesNotFit;
        (fits || !must_fit)
            .then(|| Some(self.ledger_mut().reserve(Some(&price), most, 0)))
            .ok_or(NoRoom)
    }

    /// Counts what a tool paid for the vector of its question, and tells it. In runs of before the next call's event
    /// told of it.
    pub fn paid_by_tool(
        &mut self,
        (brief, purpose): (&Brief, Purpose),
        outcome: &Outcome,
        turn: &mut Turn,
    ) {
        let Some(spent) = outcome.spent() else { return };
        self.ledger_mut().count(spent.cost, &Usage { input: spent.tokens, ..Usage::default() });
        if brief.is_since(1)
            && let Some(cost) = spent.cost
        {
            #[expect(clippy::cast_precision_loss, reason = "tokens of a question are few")]
            let price = cost * 1e6 / spent.tokens.max(1) as f64;
            self.note_vector_price(price);
        }
        if brief.is_since(9) {
            let told = self.told(VECTORS, spent.model.clone(), spent.cost, spent.tokens);
            turn.emit(brief.node_of(purpose), &told);
        }
    }
}

impl Run {
    /// A query that is not sent to one's documents, for want of money; what else there is is searched all the same.
    pub(super) fn leave_unasked(
        &mut self,
        node: NodeId,
        search: &mut Search,
        query: String,
        turn: &mut Turn,
    ) {
        search.fails_for_good(SearchError { message: NO_ROOM.to_owned(), is_lasting: true });
        let told = StepFailed {
            step: format!("{node}/query"),
            message: NO_ROOM.to_owned(),
            attempts: 0,
            fallback: format!("they are not searched for: {query}"),
        };
        turn.tell_of(node, &told);
    }
}
