//! HTTP in and out: routes, validation, callers, event streams.
