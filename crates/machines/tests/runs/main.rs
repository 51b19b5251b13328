//! Runs from request to report: the machine and its driver on the database's own statements, with a scripted web
//! and model, on virtual time. Drivers die where a test wants them to.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::cast_sign_loss,
    clippy::indexing_slicing,
    reason = "tests, where a panic is the report"
)]

mod acceptance;
mod agreed;
mod asked;
mod bounds;
mod branching;
mod cut_off;
mod demo;
mod drive;
mod driver;
mod fenced;
mod forks;
mod full;
mod heard;
mod hybrid;
mod keys;
mod kills;
mod limits;
mod logs;
mod models;
mod orders;
mod pace;
mod plan;
mod promised;
mod reasons;
mod refused;
mod replay;
mod replies;
mod resumed;
mod searches;
mod store;
mod stream;
mod too_late;
mod twice;
mod waits;
mod world;
mod written;
