//! A local host: runs our `spin.toml` as Spin 4.1 would, on the same runtime, for tests, the
//! benchmark and the first try.
//!
//! It implements what our components import and nothing more; what it does not know in a
//! manifest or a runtime configuration it refuses by name. Where Spin has a peculiarity that a
//! component may feel (no `TCP_NODELAY` on its listener, forged `spin-*` headers left in place,
//! nothing that interrupts a busy guest), so has this.
//!
//! ```no_run
//! # async fn example() -> anyhow::Result<()> {
//! let host = quarry_host::Host::builder("spin.toml")
//!     .variable("openai_base_url", "http://127.0.0.1:9000/v1")
//!     .state_dir("target/state")
//!     .start()
//!     .await?;
//! println!("{}", host.url());
//! host.shutdown().await;
//! # Ok(())
//! # }
//! ```

mod alone;
mod bindings;
mod calls;
mod clock;
mod connect;
mod connection;
mod engine;
mod granted;
mod guest;
mod head_first;
mod headers;
mod host;
pub mod hosts;
mod inspect;
mod key_value;
pub mod manifest;
mod memory;
pub mod networks;
mod outbound;
mod output;
pub mod routes;
mod rows;
mod running;
pub mod runtime_config;
mod server;
mod sqlite;
pub mod template;
pub mod variables;
mod witness;

pub use alone::alone;
pub use guest::Reuse;
pub use host::{Host, HostBuilder, KEEP_RESIDENT};
pub use inspect::{ComponentInterface, inspect};
pub use output::Output;
pub use running::RunningHost;
pub use witness::{Deed, Moment, When, Witness};
