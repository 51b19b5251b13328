//! The tools that models may call: one file each, one line in the list below.
//!
//! A tool is its arguments: their type gives the schema that models are told, reads what they
//! write, says what is to be done outside, and turns the outcome into an output, into evidence and
//! into a line for people. Names and parameters are a stable contract (reference section 6).
//! Border: nothing here performs anything.

mod call;
mod domains;
mod errand;
mod execute_javascript;
mod failures;
mod list;
mod outcome;
mod ran;
mod scrape_web_content;
mod search_knowledge;
mod search_web;
mod settled;
mod tool;

pub use call::{Call, line, presentable, read_call};
pub use domains::Domains;
pub use errand::{Errand, KnowledgeFilter, KnowledgeQuery, Share};
pub use failures::{KnowledgeFailure, PageFailure, RunFailure, SearchFailure};
pub use list::*;
pub use outcome::{
    Digest, FailureKind, Found, Hit, Outcome, OutputLimits, OwnPassage, Page, Passages, Program,
    Spent, ToolFailure,
};
pub use ran::{Level, Ran, RanLimit, RanValue, Thrown};
pub use search_knowledge::findings;
pub use tool::{Sources, Tool};
