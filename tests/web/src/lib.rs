//! A small local web, for demo mode and tests: linked pages about an invented island and a
//! search that answers as SearXNG does.
//!
//! Border: it serves the files in `pages/`, fails to serve those in `failing/` and `redirecting/`, which
//! its search knows all the same, and knows nothing of Quarry. Each page belongs to a [site](hosts). At
//! an address of this machine they all share one host; asked at [`hosts::SEARCH_HOST`], the search
//! tells each at the host of its site. One site is slow (`bridge-act.html`), one breaks off in the
//! middle (`radio-orrin-shelves.html`).
//!
//! `tests/world.rs` holds what follows.
//!
//! Some pages contradict each other:
//!
//! | what | pages | why |
//! |---|---|---|
//! | height of the tower, steps | `orrin-head-light`, `weekend-on-orrin` | to the gallery or to the vane; a guess |
//! | cost of the bridge | `orrin-bridge`, `bridge-cost` | with or without the roads |
//! | share of the array | `tidal-array`, `energy-report-2024` | a claim, and meter readings |
//! | remaining life of the welds | `bridge-inspection-2024`, `bridge-inspection-corrigendum` | a later correction |
//! | lorries a day | `hauliers-statement`, `traffic-counts` | another unit: each way, or crossings |
//! | clearance | `orrin-bridge`, `notice-31-2025` | another reference level |
//! | population falls or grows | `orrin-compendium`, `school-roll` | another base year |
//! | who paid for the swimming hall | `courier-swimming-hall`, `community-fund-minutes-2025-06` | a retelling, and the record |
//! | what the rotors earned | `post-tidal-millions`, `cooperative-accounts-2024` | revenue taken for surplus |
//! | lorries' share of the damage | `bridge-inspection-2024`, `stay-cable-fatigue` | open; `parliament-answer-4127` says so |
//!
//! Out of date are `ferry-timetable`, `tariff-2022`, `freight-shuttle-trial` and `council-members-2021`. Copies are
//! `courier-weight-limit` and `post-weight-limit` of `weight-limit-release`, and `bridge-inspection-2024-print` of the page it
//! names as canonical. Injected instructions stand openly in `visitors-board`, hidden in a cell and in a picture's text in
//! `visit-orrin`.

mod body;
pub mod hosts;
mod page;
mod search;
mod server;
mod site;

pub use page::{Conduct, Page};
pub use search::{Hit, search};
pub use server::DemoWeb;
pub use site::{Answer, DemoSite};
