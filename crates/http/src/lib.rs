//! The HTTP contract: routes, validation, CORS, identity, frames, the OpenAPI document.
