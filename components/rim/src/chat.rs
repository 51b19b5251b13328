//! Why a call of a model failed. Each component has types of its own for it, made from the same interface.

/// Makes the function `chat_error` of a component, from its bindings of `quarry:models/chat`: their error as ours. Each
/// case has its own line, so that a new one is missed nowhere.
#[macro_export]
macro_rules! read_chat_error {
    ($chat:ident) => {
        /// Why a call of a model failed.
        pub fn chat_error(error: $chat::ChatError) -> ::quarry_types::ChatError {
            use ::quarry_types::ChatError as Read;
            match error {
                $chat::ChatError::RateLimited(limit) => {
                    Read::rate_limited(limit.wait_ms, limit.message)
                }
                $chat::ChatError::NoCredit(message) => Read::NoCredit { message },
                $chat::ChatError::Unauthorized(message) => Read::Unauthorized { message },
                $chat::ChatError::MissingKey(message) => Read::MissingKey { message },
                $chat::ChatError::UnknownModel(message) => Read::UnknownModel { message },
                $chat::ChatError::ContextTooLong(message) => Read::ContextTooLong { message },
                $chat::ChatError::Rejected(error) => {
                    Read::Rejected { status: error.status, message: error.message }
                }
                $chat::ChatError::Timeout(message) => Read::Timeout { message },
                $chat::ChatError::Connection(message) => Read::Connection { message },
                $chat::ChatError::Unreached(message) => Read::Unreached { message },
                $chat::ChatError::Unsent(message) => Read::Unsent { message },
                $chat::ChatError::ProviderFailed(error) => {
                    Read::ProviderFailed { status: error.status, message: error.message }
                }
                $chat::ChatError::Malformed(message) => Read::Malformed { message },
                $chat::ChatError::Other(message) => Read::Other { message },
            }
        }
    };
}
