//! Why texts did not become vectors.

use quarry_types::text;

/// What went wrong, in a sentence that names the model and what to do. What was embedded before is kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// All of it would cost more than a load may. Nothing was paid for.
    #[error(
        "embedding it by {model} takes about {}, and `embedding_max_cost` pays for {budget}; raise \
         `embedding_max_cost`, or load less at once",
        text::count(*.wanted, "token", "tokens")
    )]
    TooDear {
        /// `provider:name`.
        model: String,
        /// Tokens by estimate.
        wanted: u64,
        /// Tokens that may be paid for.
        budget: u64,
    },
    /// The next text would cost more than is left.
    #[error(
        "what a load may cost is used up: it has paid for {} of {model}, and {} without a vector; raise \
         `embedding_max_cost` and load again, what is embedded is not paid for twice",
        text::count(*.spent, "token", "tokens"),
        count(*.missing, "text is", "texts are")
    )]
    Budget {
        /// `provider:name`.
        model: String,
        /// Tokens paid for.
        spent: u64,
        /// Texts without a vector.
        missing: usize,
    },
    /// As many vectors as texts were wanted.
    #[error(
        "{model} gave {} for {}; load again, or choose another `embedding_model`",
        count(*.came, "embedding", "embeddings"),
        count(*.wanted, "text", "texts")
    )]
    Count {
        /// `provider:name`.
        model: String,
        /// Texts that were sent.
        wanted: usize,
        /// Vectors that came.
        came: usize,
    },
    /// Vectors of two dimensions cannot be compared, and a collection has those of one.
    #[error(
        "{model} gave an embedding of {} where the collection has {wanted}; reindex the collection, or choose the \
         `embedding_model` that it was made with",
        count(*.came, "number", "numbers")
    )]
    Dimension {
        /// `provider:name`.
        model: String,
        /// Numbers that the collection's vectors have.
        wanted: usize,
        /// Numbers that came.
        came: usize,
    },
    /// Of one model, and for one load: no collection has settled which of the two is right.
    #[error(
        "{model} gave an embedding of {} behind others of {wanted}; load again, or choose another \
         `embedding_model`",
        count(*.came, "number", "numbers")
    )]
    Mixed {
        /// `provider:name`.
        model: String,
        /// Numbers that those before have.
        wanted: usize,
        /// Numbers that came.
        came: usize,
    },
    /// Nothing, or nothing but zeros.
    #[error("{model} gave an empty embedding; load again, or choose another `embedding_model`")]
    Empty {
        /// `provider:name`.
        model: String,
    },
    /// Not a number, or one without end.
    #[error(
        "{model} gave an embedding with numbers that are none; load again, or choose another `embedding_model`"
    )]
    NotFinite {
        /// `provider:name`.
        model: String,
    },
}

fn count(number: usize, one: &str, many: &str) -> String {
    text::count(u64::try_from(number).unwrap_or(u64::MAX), one, many)
}
