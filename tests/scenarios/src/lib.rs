//! Scenarios on the built components, over HTTP.
