//! Has a run go on as one of its own, as the door does.

use crate::drive::Sim;
use quarry_journal::run::Origin;
use quarry_machines::run::{Brief, Owner, Run, RunInput, Whose, policy};
use quarry_types::RunId;
use std::collections::BTreeSet;

impl Sim {
    /// Goes on from an event as a run of its own.
    pub fn fork(
        &mut self,
        at: Option<u64>,
        task: Option<&str>,
        change: impl Fn(&mut Brief),
    ) -> RunId {
        let from = self.id;
        let n = match at {
            None => self.store.position(from).n,
            Some(sequence) => self.store.entry_of(from, sequence),
        };
        let id = RunId::new(self.now.0, 8 + u128::from(n));
        let (mut run, mut told, mut shared) = (None, Vec::new(), BTreeSet::new());
        let whose = Whose { id, origin: Some(from) };
        for entry in self.store.journal(from, 0).iter().filter(|entry| entry.n <= n) {
            let input = serde_json::from_str(entry.body.text()).unwrap();
            let events = Run::fold(&mut run, whose, input, entry.at).unwrap();
            told.extend(events.into_iter().map(|event| (entry.n, event)));
            if let Ok(RunInput::Model { ticket, .. }) = serde_json::from_str(entry.body.text()) {
                shared.insert(ticket.0);
            }
        }
        self.script.forget_but(&shared);
        let run = run.unwrap();
        let mut brief = run.brief().clone();
        change(&mut brief);
        let models = (brief.models != run.brief().models)
            .then(|| Box::new((brief.models.clone(), Vec::new())));
        let task = task.map(str::to_owned);
        let policies = Some(policy::versions());
        let forked = RunInput::Forked {
            from,
            task,
            knobs: Box::new(brief.knobs),
            models,
            policies,
            replaced: brief.replaced,
            operator_keys: Some(brief.operator_keys),
        };
        let origin = Origin { run: from, n };
        let (run, birth) = run.forked(origin, told, (forked, Owner::default()), self.now);
        self.kept.push((id, n + 1, serde_json::to_string(&run).unwrap()));
        self.store.create(birth);
        self.id = id;
        id
    }
}
