//! A scripted model provider for tests and the benchmark, which can also misbehave.
//!
//! It speaks the Chat Completions, the Responses and the Messages wire formats, embeds texts in the
//! forms of OpenAI and Ollama, serves a model list, a key set for ID tokens and files, and records
//! every request. What it replies is a [`Script`]: rules that look at the request's phase, so that
//! one script serves many asks at once.
//!
//! [`ScriptRun`] is the same provider without a socket, for tests on virtual time.
//!
//! Border: HTTP on a free port of this machine. It knows our prompts only as far as [`Phase::of`]
//! says, and nothing else of Quarry.
//!
//! ```no_run
//! # async fn example() -> anyhow::Result<()> {
//! use quarry_test_provider::{Match, Phase, Reply, Script, ScriptedProvider};
//! let script = Script::ordinary()
//!     .first(Match::Phase(Phase::Planning), [Reply::rate_limited("20")]);
//! let provider = ScriptedProvider::start(script).await?;
//! println!("{}", provider.openai_base_url());
//! # Ok(())
//! # }
//! ```

mod anthropic;
mod connection;
mod embeddings;
mod gates;
mod identity;
mod openai;
mod pieces;
mod playback;
mod record;
mod responses;
mod run;
mod script;
mod server;

pub use gates::{FOREVER, Gates};
pub use identity::{Signer, key_set, sign, sign_with};
pub use playback::{End, Playback, Response, Write};
pub use record::{Phase, Recorded, Wire};
pub use run::ScriptRun;
pub use script::{Call, Fault, Match, Misfit, Model, Reply, Rule, Script, Split, Usage};
pub use server::{Manner, ScriptedProvider};
