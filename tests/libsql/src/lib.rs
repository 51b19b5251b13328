//! libSQL for tests, over HTTP as Spin speaks it: Hrana 3, one cursor a statement.
//!
//! [`ScriptedServer`] answers as libsql-server 0.24 does, on SQLite of its own, and can misbehave: answer late,
//! with an error or not at all, after it did what was asked or before. [`RealServer`] is libsql-server itself,
//! where it is installed.
//!
//! Border: knows no statement of Quarry's. Of Hrana it has the endpoint that Spin's client uses.
//!
//! ```no_run
//! # async fn example(directory: &std::path::Path) -> anyhow::Result<()> {
//! use quarry_test_libsql::{Fault, ScriptedServer};
//! let server = ScriptedServer::start(directory).await?;
//! server.fault("INSERT INTO run_step", 0..1, Fault::CutAfter);
//! println!("{}", server.url());
//! # Ok(())
//! # }
//! ```

mod fault;
mod real;
mod server;
mod statement;
mod streams;
mod tls;
mod wire;

pub use fault::Fault;
pub use real::{Program, RealServer};
pub use server::{ScriptedServer, TOKEN};
