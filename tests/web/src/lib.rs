//! A small local web, for demo mode and tests: linked pages about an invented island and a
//! search that answers as SearXNG does.
//!
//! Border: it serves the files in `pages/` and knows nothing of Quarry. Some pages contradict each
//! other, one is out of date (`ferry-timetable.html`) and one carries an injected instruction
//! (`visitors-board.html`).

mod page;
mod search;
mod server;
mod site;

pub use page::Page;
pub use search::{Hit, search};
pub use server::DemoWeb;
pub use site::{Answer, DemoSite};
