//! `GET /v1/models` and `GET /v1/models/{id}`: what may stand in a request's `model`.

use serde::Serialize;
use serde_json::json;

use super::failure::Failed;
use crate::talk::model::{Meant, alias, listed};
use crate::{Refusal, Reply};

/// When the models of this build came to be, in seconds since 1970: clients want a number, and sort by it.
const CREATED: u64 = 1_767_225_600;

/// The models.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct ModelList {
    /// Always `list`.
    object: &'static str,
    /// The operator's default model, the one without research, and one for each provider with a key. Other names are taken
    /// and not listed: `provider:name`, and `quarry-run`, which is for `/v1/responses` alone.
    data: Vec<Model>,
}

/// A model.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Model {
    /// What stands in `model`.
    id: String,
    /// Always `model`.
    object: &'static str,
    /// Seconds since 1970; the same for all models of a build.
    created: u64,
    /// Always `quarry`.
    owned_by: &'static str,
}

impl Model {
    const fn named(id: String) -> Model {
        Model { id, object: "model", created: CREATED, owned_by: "quarry" }
    }
}

/// What a name means, by itself or by the variable `model_aliases`.
fn meant(id: &str, aliases: &str) -> Meant {
    match Meant::by(id) {
        Meant::Other => alias(aliases, id).unwrap_or(Meant::Other),
        meant => meant,
    }
}

/// Whether the answer depends on whether runs can be kept: looking for that is a write.
#[must_use]
pub fn means_run(id: Option<&str>, aliases: &str) -> bool {
    id.is_some_and(|id| meant(id, aliases) == Meant::Run)
}

/// The answer to whoever asks for all, or for one. `providers` are those that can be paid for here; `has_runs`: runs
/// can be kept here; `aliases` is the variable `model_aliases`. Neither a run's model nor an alias is listed.
#[must_use]
pub fn models(id: Option<&str>, providers: &[String], has_runs: bool, aliases: &str) -> Reply {
    let Some(id) = id else {
        let known = listed(providers.iter().map(String::as_str));
        let data = known.into_iter().map(Model::named).collect();
        return Reply::json(200, json!(ModelList { object: "list", data }).to_string());
    };
    let of_provider = |model: &str| {
        // The built-in model needs nobody to pay for it.
        if matches!(model, "local" | "local:extractive") {
            return true;
        }
        let provider = model.split(':').next().unwrap_or_default();
        providers.iter().any(|known| known == provider)
    };
    let is_known = match meant(id, aliases) {
        Meant::Default | Meant::Direct => true,
        Meant::Run => has_runs,
        Meant::Named(model) => of_provider(&model),
        Meant::Other => false,
    };
    if is_known {
        return Reply::json(200, json!(Model::named(id.to_owned())).to_string());
    }
    Failed::refused(&Refusal::field(
        "model",
        "names no model that is listed here; GET /v1/models lists them",
    ))
    .reply()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const ALIASES: &str =
        "o3-deep-research=quarry, fast = groq:llama, theirs=openai, deep=quarry-run";

    fn asked(id: Option<&str>) -> (u16, Value) {
        asked_where(id, true)
    }

    fn asked_where(id: Option<&str>, has_runs: bool) -> (u16, Value) {
        let reply = models(id, &["groq".to_owned()], has_runs, ALIASES);
        (reply.status, serde_json::from_slice(&reply.body).unwrap())
    }

    #[test]
    fn the_list_has_the_shape_that_clients_know_and_nothing_else() {
        let (status, body) = asked(None);
        assert_eq!(status, 200);
        let ids: Vec<&Value> =
            body["data"].as_array().unwrap().iter().map(|model| &model["id"]).collect();
        assert_eq!(ids, ["quarry", "quarry-direct", "quarry-groq"]);
        assert_eq!(
            body["data"][0],
            json!({ "id": "quarry", "object": "model", "created": CREATED, "owned_by": "quarry" })
        );
    }

    #[test]
    fn whether_runs_can_be_kept_is_looked_for_where_a_name_means_one() {
        for id in ["quarry-run", " quarry-run ", "deep"] {
            assert!(means_run(Some(id), ALIASES), "{id}");
            assert_ne!(asked_where(Some(id), true), asked_where(Some(id), false), "{id}");
        }
        let others = ["quarry", "groq:llama", "fast", "theirs", "gpt-4o", ""].map(Some);
        for id in others.into_iter().chain([None]) {
            assert!(!means_run(id, ALIASES), "{id:?}");
            assert_eq!(asked_where(id, true), asked_where(id, false), "{id:?}");
        }
        assert!(!means_run(Some("deep"), "broken"));
    }

    #[test]
    fn one_is_found_by_every_name_that_is_taken() {
        for id in [
            "quarry",
            "quarry-direct",
            "quarry-groq",
            "groq:llama:3",
            "o3-deep-research",
            "fast",
            "quarry-run",
            "deep",
            "local:extractive",
            "quarry-local",
        ] {
            assert_eq!(asked(Some(id)).1["id"], id);
        }
        for id in ["quarry-run", "deep"] {
            assert_eq!(asked_where(Some(id), false).0, 404, "{id}");
        }
        for id in ["gpt-4o", "quarry-openai", "openai:x", "local:other", "theirs", ""] {
            let (status, body) = asked(Some(id));
            assert_eq!((status, &body["error"]["code"]), (404, &json!("model_not_found")), "{id}");
        }
    }
}
