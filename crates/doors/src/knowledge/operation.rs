//! What the OpenAPI document says of the doors here.

use serde_json::json;

use super::filter::CHARACTERS;
use super::outcome::Outcome;
use super::reply::{
    ChunkList, CollectionList, Document, DocumentList, FoundChunks, LoadedDocuments, Stats,
};
use super::{Knowledge, MAX_PAGE, PAGE, body};
use crate::accept::EVENT_STREAM;
use crate::openapi::{Answer, Body, Form, Operation, Parameter, Place, Tag};
use crate::runs::body::Proof;
use crate::status::Status;

/// The operation at an address.
pub(super) fn operation(knowledge: Knowledge) -> Operation {
    match knowledge {
        Knowledge::Load => load(),
        Knowledge::List => list(),
        Knowledge::Show => show(),
        Knowledge::Delete => delete(),
        Knowledge::Chunks => chunks(),
        Knowledge::Search => search(),
        Knowledge::Collections => collections(),
        Knowledge::Stats => stats(),
        Knowledge::Reindex => reindex(),
    }
}

/// What can befall every request.
const ALWAYS: &[Status] = &[
    Status::Unauthorized,
    Status::Forbidden,
    Status::RateLimited,
    Status::Internal,
    Status::Unavailable,
];

fn of_knowledge(
    summary: &'static str,
    description: &'static str,
    answer: Answer,
    failures: &[Status],
) -> Operation {
    Operation {
        summary,
        description: Some(description),
        tag: Tag::Knowledge,
        parameters: Vec::new(),
        body: Body::None,
        answers: vec![answer],
        failures: [ALWAYS, failures].concat(),
    }
}

fn load() -> Operation {
    let one = Form::Json(|shapes| {
        let one = shapes.writes::<Outcome>();
        let several = shapes.writes::<LoadedDocuments>();
        schemars::json_schema!({ "anyOf": [one, several] })
    });
    let frames = Form::Text(
        EVENT_STREAM,
        "A frame `document` for each when it is done, and `done` with how many there were. Before the document's, while a model \
         of embeddings makes its vectors, `progress` with its `name`, with how many `chunks` there are, and with how many \
         have theirs (`done`). Where there is no such model, the same of a long document, by how many are indexed.",
    );
    let lines = Form::Lines(
        "The same as JSON objects, one a line.",
        Some(|shapes| shapes.writes::<Outcome>()),
    );
    let done = "What became of it. Of files: of each, and how many there were; one that cannot be loaded stops none of the others.";
    Operation {
        parameters: vec![collection()],
        body: Body::OrFiles(
            |shapes| shapes.reads::<body::Load>(),
            |shapes| shapes.reads::<body::Files>(),
        ),
        answers: vec![
            Answer::new(200, done, vec![one, frames, lines]),
            Answer::new(
                201,
                "It was not there before.",
                vec![Form::Json(|shapes| shapes.writes::<Outcome>())],
            ),
        ],
        ..of_knowledge(
            "Load documents",
            "The same bytes again change nothing; a changed document takes the place of the old one in one step. Two are one document when they name the same `id`, else when they have the same address or file name, else when the same `title` is sent with them, else the same text. Where that document is not to be replaced it is 409, of files in a batch `failed` with `type` `conflict`: one that is loaded with an `origin` does not take the place of a document with another, nor of another file of its own origin that says the same `id`, unless `replace` is true; where `replace` is false it takes no document's place. Two files of one request that say the same `id` never take each other's. A document may have 20 MiB, a collection 100,000 chunks.",
            Answer::new(200, done, Vec::new()),
            &[
                Status::InvalidRequest,
                Status::PaymentRequired,
                Status::Conflict,
                Status::TooLarge,
                Status::TooSlow,
                Status::ProviderFailed,
            ],
        )
    }
}

fn list() -> Operation {
    let page = Form::Json(|shapes| shapes.writes::<DocumentList>());
    Operation {
        parameters: vec![collection(), category(), limit(), cursor()],
        ..of_knowledge(
            "List documents",
            "Those of a collection, or of one category in it, the one loaded or changed last first.",
            Answer::new(200, "A page of them.", vec![page]),
            &[Status::InvalidRequest, Status::NotFound],
        )
    }
}

fn show() -> Operation {
    let document = Form::Json(|shapes| shapes.writes::<Document>());
    of_knowledge(
        "Show a document",
        "What is known of it.",
        Answer::new(200, "It.", vec![document]),
        &[Status::InvalidRequest, Status::NotFound],
    )
}

fn delete() -> Operation {
    of_knowledge(
        "Delete a document",
        "From everything that was made of it; its words are overwritten.",
        Answer::new(204, "It is gone.", vec![Form::Empty]),
        &[Status::InvalidRequest, Status::NotFound],
    )
}

fn chunks() -> Operation {
    let chunks = Form::Json(|shapes| shapes.writes::<ChunkList>());
    Operation {
        parameters: vec![from(), limit(), as_of()],
        ..of_knowledge(
            "Show a document's chunks",
            "In their order, from a number on: a citation's address opens its chunk so. Where its document was changed since, `changed` says it.",
            Answer::new(200, "They.", vec![chunks]),
            &[Status::InvalidRequest, Status::NotFound],
        )
    }
}

fn search() -> Operation {
    let found = Form::Json(|shapes| shapes.writes::<FoundChunks>());
    Operation {
        parameters: vec![collection()],
        body: Body::Needed(|shapes| shapes.reads::<body::Search>()),
        ..of_knowledge(
            "Search documents",
            "By words and by meaning. No model is asked, but one of embeddings where one is set: `embedding` says what that cost. A word that no document has is looked up as the one that looks most like it: `notes` names both.",
            Answer::new(200, "The chunks that fit; none is no error.", vec![found]),
            &[Status::InvalidRequest, Status::NotFound, Status::TooLarge, Status::TooSlow],
        )
    }
}

fn collections() -> Operation {
    let list = Form::Json(|shapes| shapes.writes::<CollectionList>());
    of_knowledge(
        "List collections",
        "The caller's. Whoever has an account sees its own; all who have none share theirs.",
        Answer::new(200, "All of them.", vec![list]),
        &[Status::InvalidRequest],
    )
}

fn stats() -> Operation {
    let stats = Form::Json(|shapes| shapes.writes::<Stats>());
    of_knowledge(
        "Show what a collection is made of",
        "Its documents, chunks, bytes and categories, and its index.",
        Answer::new(200, "As it stands now.", vec![stats]),
        &[Status::InvalidRequest, Status::NotFound],
    )
}

fn reindex() -> Operation {
    let stats = Form::Json(|shapes| shapes.writes::<Stats>());
    Operation {
        body: Body::Optional(|shapes| shapes.reads::<Proof>()),
        ..of_knowledge(
            "Make a collection's index anew",
            "From its chunks. Searches have the old one until then.",
            Answer::new(200, "As it stands now.", vec![stats]),
            &[
                Status::InvalidRequest,
                Status::PaymentRequired,
                Status::NotFound,
                Status::TooLarge,
                Status::TooSlow,
                Status::ProviderFailed,
            ],
        )
    }
}

/// What stands behind the `?` of an operation's address.
#[cfg(test)]
pub(crate) fn in_query(operation: &Operation) -> Vec<&'static str> {
    let parameters = operation.parameters.iter();
    let in_query = parameters.filter(|parameter| matches!(parameter.place, Place::Query));
    in_query.map(|parameter| parameter.name).collect()
}

/// Which collection, where the address names it.
pub(crate) fn collection() -> Parameter {
    Parameter {
        component: "Collection",
        name: "collection",
        place: Place::Query,
        description: "The collection's name.",
        schema: json!({ "type": "string", "pattern": "^[a-z0-9_-]{1,64}$", "default": "default" }),
    }
}

fn category() -> Parameter {
    Parameter {
        component: "DocumentCategory",
        name: "category",
        place: Place::Query,
        description: "Of this category alone, as documents write it, whatever its case.",
        schema: json!({ "type": "string", "maxLength": CHARACTERS }),
    }
}

fn limit() -> Parameter {
    Parameter {
        component: "KnowledgeLimit",
        name: "limit",
        place: Place::Query,
        description: "Documents or chunks of a page, at most.",
        schema: json!({ "type": "integer", "minimum": 1, "maximum": MAX_PAGE, "default": PAGE }),
    }
}

fn cursor() -> Parameter {
    Parameter {
        component: "DocumentCursor",
        name: "cursor",
        place: Place::Query,
        description: "`next_cursor` of the page before.",
        schema: json!({ "type": "string", "pattern": "^[0-9]{1,20}$" }),
    }
}

fn as_of() -> Parameter {
    Parameter {
        component: "AsOf",
        name: "as_of",
        place: Place::Query,
        description: "The mark of the state in which the document was cited, as a citation's address has it.",
        schema: json!({ "type": "string" }),
    }
}

fn from() -> Parameter {
    Parameter {
        component: "FromChunk",
        name: "from",
        place: Place::Query,
        description: "The number of the first chunk.",
        schema: json!({ "type": "integer", "minimum": 0, "default": 0 }),
    }
}
