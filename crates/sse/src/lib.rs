//! Server-sent events: writing frames and reading them from chunks cut anywhere.
