//! How a run begins that shares what another has done.

use super::clockwork::Clockwork;
use super::turn::Turn;
use super::{Models, NodeId, Run, Stage};
use quarry_events::run::RunResumed;
use quarry_types::{Knobs, RunId};

impl Run {
    /// Goes on as a run of its own, which has paid for nothing so far.
    pub(super) fn fork(
        &mut self,
        from: RunId,
        task: Option<String>,
        knobs: Knobs,
        models: Option<(Models, Vec<String>)>,
        turn: &mut Turn,
    ) {
        self.forked_from = Some(from);
        turn.hides_ends(self.is_shared());
        self.set_knobs(knobs);
        let is_other = task.is_some();
        if let Some(task) = task {
            self.tree.rename_root(&task);
            self.drop_cut_off(NodeId::ROOT);
            self.brief.task = task;
        }
        if let Some((models, paid_by_caller)) = models {
            // Another may see in a page what the one before did not.
            if models != self.brief.models {
                self.tree.forget_read();
            }
            (self.brief.models, self.brief.paid_by_caller) = (models, paid_by_caller);
        }
        let most_ms = self.brief.knobs.timeouts.query.saturating_mul(1_000);
        let mut under_way = std::mem::take(&mut self.calls);
        let calls = under_way.fork(&self.brief, most_ms, |purpose, errand| {
            self.bound_errand(purpose, errand);
        });
        self.calls = under_way;
        self.clockwork = Clockwork::new(turn.now);
        if matches!(self.stage, Stage::Writing(_)) && self.brief.is_since(7) {
            self.clockwork.begin_writing(turn.now);
        }
        let is_told = self.brief.is_since(6);
        let told = RunResumed {
            by_request: true,
            forked_from: is_told.then(|| from.to_string()),
            task: is_told.then(|| self.brief.task.clone()),
            model: is_told.then(|| self.brief.models.name()),
            config: is_told.then(|| self.brief.knobs.clone()),
        };
        self.tell_resumed(&told, turn);
        self.tell_replaced(&self.brief.replaced.clone(), turn);
        self.tell_long_task(turn);
        let has_researched = !matches!(self.stage, Stage::Visit(_));
        if self.has_ended() || (is_other && has_researched) {
            return self.go_on_with_what_is_open(turn);
        }
        for (role, purpose) in calls {
            self.ask(role, purpose, 0, turn);
        }
        self.search_again(turn);
    }
}
