//! The search policy: what to search for, whether to, how much to ask for, and when to stop.
//!
//! Border: questions, queries and what they brought in, decisions out; nothing here searches.
//!
//! | rule | in figures |
//! |---|---|
//! | queries of a node | 1 to `max_queries_per_node`, at most 400 characters each, no two of one intent |
//! | queries of a turn | `max_queries_per_node` different ones that are sent, broader forms counted; since revision 15 one that the web and documents both get is one, before each place had as many of its own |
//! | who proposes them | the model; the question's own words where it gave none that can be used |
//! | intent | the set of stems without function words, and words of time; equal intents are one query |
//! | rerun: `new` | nobody asked it before |
//! | rerun: `recheck` | the model says so, which knows what the person has added |
//! | rerun: `failed_before` | the last time it failed |
//! | rerun: `time_sensitive` | what it asks changes, by its words or the model's, and 900 s are over |
//! | rerun: `stale` | `cache_ttl` is over |
//! | rerun: `more_results` | `search_results_per_query` is more by now than it was sent for; since revision 11 |
//! | else `cached` | what the earlier one brought is used |
//! | what is known of an intent | the newest answer; since revision 13 an older one, of another run's, that more results were asked for |
//! | before a query is sent | the caller's other runs are asked, unless it is a `recheck`: as fresh as its own would have to be, of as many results at least, with a page that was read |
//! | results of attempt *a* | `search_results_per_query` × (1, 2, 3), at most 50 |
//! | attempt *a* is broader | *a* - 1 of the narrowest terms are dropped: operators and quoted phrases, then the longest words, then numbers and words of time; names stay, and two words at least |
//! | end of a node's search | `max_no_gain_retries` queries in a row that brought no new passage; since revision 6 of each place by itself, and what failed does not count |

mod broaden;
mod choose;
mod fresh;
mod intent;
mod memory;
mod reuse;
mod time;

pub use broaden::{broader, wanted};
pub use choose::{Proposal, choose, read_reply};
pub use fresh::Freshness;
pub use intent::Intent;
pub use memory::{Asked, Decision, Gain, Memory, Older};
pub use reuse::{reuse, shared};
pub use time::is_time_sensitive;

/// Of these rules. A run that was begun under another is resumed only when that is asked for.
pub const VERSION: u32 = 2;

#[cfg(test)]
mod tests;
