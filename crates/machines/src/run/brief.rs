//! What a run was asked for, as its journal's first entry holds it: everything but keys.

use super::NodeId;
use super::input::Purpose;
use super::room::Wishes;
use super::turn::{Checkpoints, EACH_UNTIL};
use crate::core::{Budget, Fence, ModelSheet};
use quarry_events::run::{Role, RunModels};
use quarry_journal::CHECKPOINT_SHARE;
use quarry_tools::Sources;
use quarry_types::{CollectionName, Knobs, ModelId, Provider, ReasoningEffort, RunId};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a run was asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Brief {
    /// Its id.
    pub id: RunId,
    /// What is to be found out.
    pub task: String,
    /// Its bounds.
    pub knobs: Knobs,
    /// Who does what.
    pub models: Models,
    /// Hard limits.
    pub budget: Budget,
    /// Where evidence may come from.
    pub sources: Sources,
    /// Which documents are searched; none: the default ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub collection: Option<CollectionName>,
    /// How long models think that take such a wish; none: as they do by themselves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasoning_effort: Option<ReasoningEffort>,
    /// Marks text from outside.
    pub fence: Fence,
    /// What a person said before it began.
    pub guidance: Option<String>,
    /// Models that the caller's own key pays for; the key itself is kept nowhere.
    pub paid_by_caller: Vec<String>,
    /// The version of each policy when it was asked for.
    #[serde(default = "super::policy::versions")]
    pub policies: BTreeMap<String, u32>,
    /// Models that others stand in for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replaced>,
    /// Whether what its caller's other runs found may be taken, and they may take what it finds: only callers with a
    /// name have others.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub shares_searches: bool,
    /// Whether the operator pays for the vectors of questions to documents.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub operator_keys: bool,
    /// Whether the turn of a node that an end cuts off is kept, for whoever goes on with the run. Runs that were asked
    /// for before that was begin it anew, as their journals say.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keeps_visits: bool,
    /// The revision of these rules that it was asked for under. What later ones do otherwise they do for runs that were
    /// asked for since: the journals of others say what they did.
    #[serde(default, skip_serializing_if = "crate::core::is_zero")]
    pub revision: u32,
    /// The run that it shares its first entries with. The record has it, and no entry: that of the origin stands
    /// in both journals.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub origin: Option<RunId>,
}

/// A model that was asked for and that nobody can pay for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replaced {
    /// `provider:name`.
    pub requested: String,
    /// The one that stands in for it.
    pub instead: String,
    /// Why, in a sentence.
    pub reason: String,
}

impl Brief {
    /// Of these rules. Since 1 vectors are held to the budget, a contradiction counts as named by whoever names it, a run
    /// that may have no more sources neither plans nor parts, each source keeps a part of what was read of it, and a
    /// report checks what findings are unsure of and names the models that were of use. Since 2 a call that may have been
    /// paid for is tried again by the run, and on its record; a provider's limits have an end; what is verified takes the
    /// place of what was not; and a lost search of documents may have paid for a vector. Since 3 what models wrote of pages
    /// stands between fences in every prompt; a search of documents that fails may have paid for a vector; a claim that is
    /// found again rests on all who say it, and what is verified is counted once; of what was begun twice it is told what
    /// became of the first try; who has a run go on that goes on already changes none of its bounds; and a report tells the
    /// newest date by days. Since 4 what an earlier finding came to rest on is compared with what others say; of two who
    /// have a run go on each has its bounds; a report is in the language of its task or says nothing of it; of copies the older or
    /// the primary one is the original, whichever was found first; a reply that cannot be read is a call that failed, and
    /// an empty list an answer; what a node searches for next does not depend on which search ends first; states are kept
    /// at every border of a round and of the report; and who agrees is quoted. Since 5 what was asked before and is asked
    /// anew gets no answer that the web's reader kept, and what a person adds reaches every prompt and the rules' queries. Since 6
    /// what a model read for a node is read again only where a person, other knobs or another model ask for it, and a node about
    /// which nothing new was found is judged as before; each place ends its own search, and what failed does not count; providers
    /// that were away count once each; what a lost call may have cost is told at once; fallbacks are named with their provider;
    /// a parent is not open for what kept its parts from being parted; a fork says what it is about; and a report for machines
    /// has the text of its sections. Since 7 a report's prompt names the passages of all findings as it names them itself; of
    /// what a person says at more length than a prompt holds both ends are told; doubts of the rules are told as theirs; and a
    /// fork within the report has its time. Since 8 a report that broke off and is written again is its second try; wishes
    /// share their room; what is said while the run waits reaches the call that waited, what is said while the report is
    /// written is told as not in it; and a fork reserves what its searches under way may pay. Since 9 a node whose parts
    /// brought nothing keeps its verdict; what a vector cost, or may have, is told when its search ends; contradictions are
    /// weighed again where there is new evidence alone; and a run that waits for a larger budget says anew how large where
    /// a person adds something. Since 10 other knobs have nothing read again, and another threshold has questions judged
    /// again; what a person says, and bounds that grow, are reasons for another round though the one before brought nothing;
    /// the vector of a search that is sent again is held to the budget; a call of which a try had failed goes on with its
    /// next one behind an abort; and what rules chose for a report stands before the note that they did. Since 11 what people
    /// say has the room that a model's context leaves, the newest first, and a report says what was too long; it is told
    /// whose source the newest is; a report lists a quotation once whatever sign ends it, and speaks of quotations only
    /// where there are any; tokens that went in and came out are told apart; and what was searched for is searched for
    /// again where more results are wanted by now. Since 12 that is told by how many it was sent for, all that the prompt of a
    /// report holds has room in a small context, a run whose bounds have grown says why no round uses them, and what a
    /// node's call cost, or why it failed, names the node. Since 13 what another run found takes the place of fewer results
    /// though these are newer; larger bounds that come while the report is written are told to have no use there; a task
    /// has as much room in a prompt as the model's context leaves, and it is told where that is not all of it; a run whose
    /// time is over writes its report when it is resumed; and a search that waits asks for no more results than the knobs
    /// by then have it. Since 14 a state is kept behind a node when a 16th of the run is new, not a 64th. Since 15 it is kept behind
    /// every node until the run has grown long; and the web and documents share the queries of a node's turn, of which there
    /// are no more than may be: one that both get is one. Since 16 a report that rules alone made tells no tokens and no cost.
    /// Since 17 what a document says that was replaced while the run went on comes in beside what it said before.
    pub const REVISION: u32 = 17;

    /// Whether what came with this revision holds for it.
    #[must_use]
    pub const fn is_since(&self, revision: u32) -> bool {
        self.revision >= revision
    }

    /// When a state is kept behind a node.
    #[must_use]
    pub const fn checkpoints(&self) -> Checkpoints {
        let (each_until, share) = match self.revision {
            0..=13 => (0, 64),
            14 => (0, CHECKPOINT_SHARE),
            _ => (EACH_UNTIL, CHECKPOINT_SHARE),
        };
        Checkpoints { each_until, share }
    }

    /// The node that is named where it is told what a call came to.
    #[must_use]
    pub fn node_of(&self, purpose: Purpose) -> Option<NodeId> {
        purpose.node().filter(|_| self.is_since(12))
    }

    /// Which of what people say has room in a prompt.
    #[must_use]
    pub const fn wishes(&self) -> Wishes {
        match self.revision {
            0..=7 => Wishes::Listed,
            8..=10 => Wishes::Shared,
            _ => Wishes::NewestFirst,
        }
    }

    /// The provider that a key of the caller's goes to, and to no other: the one that it was sent for, else that of
    /// the run's model.
    #[must_use]
    pub fn key_provider(&self) -> Option<Provider> {
        let paid = self.paid_by_caller.first().and_then(|model| model.parse::<ModelId>().ok());
        let named = || self.models.write.first().map(|sheet| sheet.id.provider);
        paid.map(|model| model.provider).or_else(named)
    }

    /// Whether the caller's own key pays for this model, `provider:name`.
    #[must_use]
    pub fn is_paid_by_caller(&self, model: &str) -> bool {
        self.paid_by_caller.iter().any(|paid| paid == model)
    }
}

/// Models by what they do, each list in order of preference and never empty.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Models {
    /// Choose queries and parts.
    pub plan: Vec<ModelSheet>,
    /// Read sources.
    pub read: Vec<ModelSheet>,
    /// Judge.
    pub judge: Vec<ModelSheet>,
    /// Write the report.
    pub write: Vec<ModelSheet>,
}

impl Models {
    /// One model for everything.
    #[must_use]
    pub fn all(sheet: &ModelSheet) -> Self {
        let one = || vec![sheet.clone()];
        Models { plan: one(), read: one(), judge: one(), write: one() }
    }

    /// Those of a role.
    #[must_use]
    pub fn of(&self, role: Role) -> &[ModelSheet] {
        match role {
            Role::Plan => &self.plan,
            Role::Read => &self.read,
            Role::Judge => &self.judge,
            Role::Write => &self.write,
        }
    }

    /// Whether any of them is a language model.
    #[must_use]
    pub fn has_language_model(&self) -> bool {
        let all = [&self.plan, &self.read, &self.judge, &self.write];
        all.into_iter().flatten().any(|sheet| sheet.is_language_model)
    }

    /// Whether a price is known for each language model.
    #[must_use]
    pub fn are_priced(&self) -> bool {
        let all = [&self.plan, &self.read, &self.judge, &self.write];
        all.into_iter().flatten().all(|sheet| sheet.price.is_some() || !sheet.is_language_model)
    }

    /// The language models of this provider, each once: `provider:name`.
    #[must_use]
    pub fn of_provider(&self, provider: Provider) -> Vec<String> {
        let all = [&self.plan, &self.read, &self.judge, &self.write];
        let own = all.into_iter().flatten();
        let own = own.filter(|sheet| sheet.is_language_model && sheet.id.provider == provider);
        let mut named: Vec<String> = Vec::new();
        for name in own.map(|sheet| sheet.id.to_string()) {
            if !named.contains(&name) {
                named.push(name);
            }
        }
        named
    }

    /// Their names, where not all of them are the one that stands for the run.
    #[must_use]
    pub fn named(&self) -> Option<RunModels> {
        let names = |role: Role| self.of(role).iter().map(|sheet| sheet.id.to_string()).collect();
        let models = RunModels {
            plan: names(Role::Plan),
            read: names(Role::Read),
            judge: names(Role::Judge),
            write: names(Role::Write),
        };
        let one = [self.name()];
        let all = [&models.plan, &models.read, &models.judge, &models.write];
        let is_one = all.iter().all(|names| names.as_slice() == one);
        (!is_one).then_some(models)
    }

    /// The model that stands for the run: the first that writes.
    #[must_use]
    pub fn name(&self) -> String {
        self.write.first().map(|sheet| sheet.id.to_string()).unwrap_or_default()
    }
}
