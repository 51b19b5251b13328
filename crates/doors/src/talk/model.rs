//! Which model a request means: Quarry's own names, a provider's, or one that the operator gave another name.

use quarry_types::Provider;

use crate::{AskRequest, Refusal};

/// The model that researches, with the operator's default behind it.
const QUARRY: &str = "quarry";
/// The model that answers at once.
const DIRECT: &str = "quarry-direct";
/// The model that has a run behind it. It is not listed: chat programs offer whatever is, and at their door it is refused.
pub(crate) const RUN: &str = "quarry-run";
/// In front of a provider's name.
const OF_PROVIDER: &str = "quarry-";

/// Openings of what chat programs ask beside their users' questions: for titles, tags, follow-ups. One a line.
const SIDE_TASKS: &str = include_str!("side_tasks.txt");

/// What becomes of such a request: the words of the variable `chat_side_tasks`.
const DIRECTLY: &str = "direct";
const RESEARCH: &str = "research";
const REFUSE: &str = "refuse";

/// What a model's name means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Meant {
    /// The operator's default.
    Default,
    /// The same, without research.
    Direct,
    /// A run.
    Run,
    /// A provider's default, or `provider:name`.
    Named(String),
    /// Perhaps a name that the operator gave.
    Other,
}

impl Meant {
    pub fn by(name: &str) -> Meant {
        match name.trim() {
            QUARRY => Meant::Default,
            DIRECT => Meant::Direct,
            RUN => Meant::Run,
            name if name.contains(':') => Meant::Named(name.to_owned()),
            name => match name.strip_prefix(OF_PROVIDER).map(str::parse::<Provider>) {
                Some(Ok(provider)) => Meant::Named(provider.to_string()),
                _ => Meant::Other,
            },
        }
    }
}

/// Whether a text opens as a side task does.
pub(crate) fn is_side_task(question: &str) -> bool {
    let question = question.trim_start();
    SIDE_TASKS.lines().any(|opening| question.starts_with(opening))
}

/// The models that are listed where these providers can be paid for.
pub(crate) fn listed<'p>(providers: impl Iterator<Item = &'p str>) -> Vec<String> {
    let own = [QUARRY, DIRECT].into_iter().map(str::to_owned);
    own.chain(providers.map(|provider| format!("{OF_PROVIDER}{provider}"))).collect()
}

impl AskRequest {
    /// Whether the operator's settings have a say in it.
    #[must_use]
    pub const fn wants_settings(&self) -> bool {
        self.manners.alias.is_some() || self.manners.is_side_task
    }

    /// Settles what the variables `model_aliases` (`name=model` with commas) and `chat_side_tasks` decide.
    ///
    /// # Errors
    /// [`Refusal`] for a model that nobody knows, for a side task where the operator wants none, and for variables
    /// that cannot be used.
    pub fn settle(&mut self, aliases: &str, side_tasks: &str) -> Result<(), Refusal> {
        if let Some(name) = self.manners.alias.take() {
            let meant = match Meant::by(&name) {
                Meant::Run => Meant::Run,
                _ => alias(aliases, &name)?,
            };
            match meant {
                Meant::Default => {}
                Meant::Direct => self.wish.is_direct = true,
                Meant::Named(model) => self.model = Some(model),
                Meant::Run => return Err(elsewhere()),
                Meant::Other => return Err(unknown()),
            }
        }
        if std::mem::take(&mut self.manners.is_side_task) {
            match side_tasks.trim() {
                "" | DIRECTLY => self.wish.is_direct = true,
                RESEARCH => {}
                REFUSE => {
                    return Err(Refusal::field(
                        "messages",
                        "asks for a title, tags or follow-up questions, which is not supported by this server; set another model for such tasks",
                    ));
                }
                _ => {
                    return Err(Refusal::Unavailable(format!(
                        "this server's chat_side_tasks must be {DIRECTLY}, {RESEARCH} or {REFUSE}"
                    )));
                }
            }
        }
        Ok(())
    }
}

fn unknown() -> Refusal {
    Refusal::field(
        "model",
        "names no model that is known here; GET /v1/models lists them, and provider:name is taken too",
    )
}

/// A run is more than another model: whoever wants one says so where one can be had.
fn elsewhere() -> Refusal {
    Refusal::field(
        "model",
        "means quarry-run, which is not supported here; send it to /v1/responses with `background: true`, or the task to POST /runs",
    )
}

/// What the operator means by a name.
///
/// # Errors
/// [`Refusal`] where it means nothing, and where the variable cannot be read.
pub(crate) fn alias(aliases: &str, name: &str) -> Result<Meant, Refusal> {
    for pair in aliases.split(',').map(str::trim).filter(|pair| !pair.is_empty()) {
        let (known, means) = pair.split_once('=').ok_or_else(|| {
            Refusal::Unavailable(
                "this server's model_aliases must be name=model, with commas between".into(),
            )
        })?;
        if known.trim() == name.trim() {
            return Ok(Meant::by(means));
        }
    }
    Err(unknown())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_mean_what_they_say() {
        for (name, meant) in [
            ("quarry", Meant::Default),
            ("quarry-direct", Meant::Direct),
            ("quarry-run", Meant::Run),
            ("quarry-groq", Meant::Named("groq".into())),
            (" groq:x:y ", Meant::Named("groq:x:y".into())),
            ("quarry-nobody", Meant::Other),
            ("groq", Meant::Other),
            ("o3", Meant::Other),
        ] {
            assert_eq!(Meant::by(name), meant, "{name}");
        }
        assert_eq!(listed(["groq"].into_iter()), ["quarry", "quarry-direct", "quarry-groq"]);
    }

    #[test]
    fn a_run_is_no_ask_whatever_it_is_called() {
        for (name, aliases) in [("quarry-run", ""), ("deep", "fast=groq, deep=quarry-run")] {
            let mut request = crate::talk::request(
                crate::talk::Talk::default(),
                name,
                crate::talk::Extension::default().wanted("quarry").unwrap(),
            );
            let told = request.settle(aliases, "").unwrap_err().to_string();
            assert!(told.contains("means quarry-run, which is not supported here"), "{told}");
        }
    }

    #[test]
    fn no_published_name_makes_clients_change_their_protocol() {
        let all = Provider::ALL.map(|provider| provider.to_string());
        assert!(listed(all.iter().map(String::as_str)).iter().all(|name| !name.contains("gpt")));
    }

    #[test]
    fn side_tasks_are_known_by_how_they_begin() {
        assert!(is_side_task("\n### Task:\nGenerate a concise title"));
        assert!(!is_side_task("What is a ### Task: heading?"));
        assert!(SIDE_TASKS.lines().all(|line| line.len() > 8));
    }
}
