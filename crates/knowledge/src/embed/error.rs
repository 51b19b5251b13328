//! Why texts did not become vectors.

/// What went wrong, in a sentence that names the model and what to do. What was embedded before is kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmbedError {
    /// The next text would cost more than is left.
    #[error(
        "the budget for embeddings by {model} is used up: {spent} tokens were paid for, {missing} texts are \
         missing; load again with a larger budget, what is embedded is not paid for twice"
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
        "{model} gave {came} embeddings for {wanted} texts; load again, or choose another `embedding_model`"
    )]
    Count {
        /// `provider:name`.
        model: String,
        /// Texts that were sent.
        wanted: usize,
        /// Vectors that came.
        came: usize,
    },
    /// Vectors of two dimensions cannot be compared.
    #[error(
        "{model} gave an embedding of {came} numbers where the collection has {wanted}; reindex the collection, \
         or choose the `embedding_model` that it was made with"
    )]
    Dimension {
        /// `provider:name`.
        model: String,
        /// Numbers that the collection's vectors have.
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
