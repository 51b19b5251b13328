//! Whose key pays for what of a run, and what a key that comes with a resumption changes.
//!
//! Border: whether somebody may use the operator's keys, and whether there are any, is known to whoever asks. A key itself
//! never comes here.

use super::steering::Refused;
use super::{Models, Resumption, Run, RunInput};
use quarry_events::run::WaitReason;
use std::collections::BTreeSet;

impl Run {
    /// The models that a key of the caller's pays for from here on; none: those that it pays for now.
    pub(super) fn paid_after(&self, wanted: &Resumption) -> Result<Option<Vec<String>>, Refused> {
        match (wanted.has_key, wanted.operator_pays) {
            (true, _) => self.paid_by_key(),
            (false, true) => Ok((!self.wants_key_for().is_empty()).then(Vec::new)),
            (false, false) => Ok(None),
        }
    }

    /// The models that a key of the caller's was to pay for which is missing or refused, `provider:name`: where the
    /// operator pays for them, the run needs none.
    #[must_use]
    pub fn wants_key_for(&self) -> &[String] {
        match self.waits_for_key() {
            true => &self.brief.paid_by_caller,
            false => &[],
        }
    }

    fn waits_for_key(&self) -> bool {
        self.clockwork.waiting().is_some_and(|waiting| waiting.reason == WaitReason::NeedsKey)
    }

    /// Whether whoever brings a key takes the run from its driver, who would go on with another one or without: it waits,
    /// and nothing is under way that would be lost.
    #[must_use]
    pub fn may_change_hands(&self) -> bool {
        self.clockwork.waiting().is_some() && !self.has_begun()
    }

    /// The models that a key pays for which comes with a resumption; none: it has no use here.
    fn paid_by_key(&self) -> Result<Option<Vec<String>>, Refused> {
        let Some(provider) = self.brief.key_provider() else { return Ok(None) };
        let mut held = self.calls.held();
        if self.waits_for_key()
            && let Some(other) = held.find(|model| model.provider != provider)
        {
            let (other, variable) = (other.provider, other.provider.key_variable());
            let why = format!(
                "goes to {provider} alone, and the run waits for a key of {other}: set the variable {variable}, and \
                 resume the run"
            );
            return Err(Refused::field("apiKey", why));
        }
        let paid = self.brief.models.of_provider(provider);
        Ok((!paid.is_empty()).then_some(paid))
    }

    /// Whether a key of the caller's pays for any of its models once it was told this.
    #[must_use]
    pub fn needs_key_after(&self, said: Option<&RunInput>) -> bool {
        !self.paid_by_caller_after(said).is_empty()
    }

    /// The models that no key of the caller's pays for once it was told this, `provider:name`.
    #[must_use]
    pub fn paid_by_operator_after(&self, said: Option<&RunInput>) -> BTreeSet<String> {
        let paid = self.paid_by_caller_after(said);
        let Models { plan, read, judge, write } = &self.brief.models;
        let all = [plan, read, judge, write].into_iter().flatten();
        all.map(|sheet| sheet.id.to_string()).filter(|model| !paid.contains(model)).collect()
    }

    fn paid_by_caller_after<'r>(&'r self, said: Option<&'r RunInput>) -> &'r [String] {
        match said {
            Some(RunInput::Resumed { paid_by_caller: Some(paid), .. }) => paid,
            _ => &self.brief.paid_by_caller,
        }
    }
}
