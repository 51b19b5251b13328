//! Research without a language model: it plans with the question's own words, looks up what they
//! name, and answers with ranked quotations and where they stand.
//!
//! Border: typed questions and evidence in, decisions and Markdown out; the same input always
//! gives the same output. No prompt is read here, so no prompt can change it. It is what
//! `local:extractive` stands for, and what a machine falls back on when its provider is gone.

mod ages;
mod alike;
mod alone;
mod amounts;
mod answer;
mod answering;
mod arithmetic;
mod bounds;
mod changes;
mod choice;
mod cite;
mod closing;
mod columns;
mod comparing;
mod comparisons;
mod contrasts;
mod counts;
mod dates;
mod degrees;
mod disagree;
mod formula;
mod frequencies;
mod gather;
mod holders;
mod kind;
mod lexicon;
mod lines;
mod marks;
mod members;
mod must;
mod names;
mod near;
mod occupations;
mod offers;
mod orders;
mod parts;
mod plan;
mod polar;
mod question;
mod rank;
mod ranking;
mod research;
mod told;
mod trust;
mod units;
mod unsaid;
mod values;
mod verbs;
mod whose;
mod words;
mod years;

use quarry_evidence::{Content, Passage, Published, Source};
use std::cmp::Ordering;

/// Which rules these are. Runs keep it with their versions of policies, since rules stand in where no model answers:
/// raise it when an answer of this module changes for the same input, its order and what is gathered included.
/// Since 2 sources are newer or older by their days, however they write them. Since 3 who gives another figure is not
/// said to say the same. Since 4 a figure counts what is asked, an answer speaks of it in a statement, and what it is
/// not stands last. Since 5 what stands by itself is of the years and the member that were asked for, or nothing does.
/// Since 6 a share is one of what was asked for, a price that of one, a count not of those alone to whom something was
/// done, and tables of Markdown are tables. Since 7 an empty cell holds its column's place, a figure is told with what its
/// table counts in, and what answers stands with the verb that was asked for. Since 8 by how much something went up is no
/// figure that it went up to, a clause with `who` or `which` has days and figures of its own, a part of a number is told
/// from the whole, a figure goes with the old or the new as it was asked, and a figure without its unit is told with it;
/// nor is it that of what a thing is compared with, of another year than its clause or of another thing of its sentence.
/// Since 9 dates in digits are dates, and areas, litres, speeds and dollars of lands are measures. Since 10 figures agree and
/// differ by what they come to in whatever unit, days by the day and names by the name; an answer that compares says which
/// is more and by how much; an office of any name is held for a time; arithmetic has percents; and lists are answers.
/// Since 11 figures within the bounds of another (`over 250`) do not differ from it, and opposed bounds do not agree.
/// Since 12 what is denied or only planned is no answer, nor what is said of another; a day stands in its own column; a
/// figure is told with its bounds; one host has one voice; and `current` need not be said.
pub const RULES: u32 = 12;

pub use alone::{parts, queries};
pub use answer::{Asked, Length, Why, answer, digest};
pub use choice::{Choice, Chosen, Differing, choices};
pub use disagree::explains;
pub use plan::{PlanAdvice, SetupAdvice, plan, setup};
pub use ranking::{PartRanking, RankedSentence, ranking};
pub use research::{Call, Offered, ResearchView, next_calls};

/// A source that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct EvidenceSource<'a> {
    /// Its number in the evidence: what tells it from the others.
    pub n: usize,
    /// Its title; empty: its address stands for it.
    pub title: &'a str,
    /// Its address. Only `http`, `https` and documents of one's own are linked to.
    pub url: &'a str,
    /// `YYYY-MM-DD`, or as much of it as is known.
    pub date: Option<&'a str>,
    /// What the search engine said of it; quoted where nothing was read.
    pub description: &'a str,
    /// Its passages; none where nothing was read, or nobody cut it into passages.
    pub passages: &'a [Passage],
    /// Its text where it has no passages, plain or Markdown; empty when nothing was read.
    pub text: &'a str,
}

impl<'a> EvidenceSource<'a> {
    /// What is quoted of it where it has no passages.
    fn body(&self) -> &'a str {
        if self.text.trim_start().is_empty() { self.description } else { self.text }
    }

    fn was_read(&self) -> bool {
        !self.passages.is_empty() || !self.text.trim_start().is_empty()
    }

    /// Which of two was published later. None where their dates do not tell.
    fn compare_published(&self, other: &EvidenceSource<'_>) -> Option<Ordering> {
        Published::compared(self.date, other.date)
    }
}

impl<'a> From<&'a Source> for EvidenceSource<'a> {
    fn from(source: &'a Source) -> Self {
        EvidenceSource {
            n: source.n,
            title: &source.title,
            url: &source.url,
            date: source.date.as_deref(),
            description: &source.description,
            passages: source.content.passages(),
            text: match &source.content {
                Content::Text(text) => text,
                Content::Unread | Content::Passages(_) => "",
            },
        }
    }
}

/// A program that ran, and what it printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Calculation<'a> {
    /// The program.
    pub code: &'a str,
    /// What it printed.
    pub result: &'a str,
}

#[cfg(test)]
mod tests;
