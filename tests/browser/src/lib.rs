//! Drives the console in a headless browser, against the site's own files and scripted asks and runs.
//!
//! Border: no part of the product runs here but the page. The tests hold every stream in their
//! hands, and the page's clock with it, so nothing depends on how fast anything is.

mod browser;
pub mod research;
mod script;
mod server;

pub use browser::{Browser, Key};
pub use research::Research;
pub use script::{Script, answer_of_several_kinds};
pub use server::{Ask, Call, Events, Fake, Rejoin, Reply, Run, Time};
