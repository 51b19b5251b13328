//! What research has found, and what an answer cites of it.
//!
//! Border: typed findings in; numbered sources with their passages, evidence for prompts, citations out. Knows no tool,
//! no model and no event.

pub mod address;
pub mod cite;
mod confidence;
mod conflict;
mod content;
mod held;
mod hosts;
mod learning;
mod own;
mod passage;
mod published;
mod sections;
mod source;
mod store;
pub mod text;
mod tier;
pub mod verify;

/// Which rules these are. Runs keep it with their versions of policies: what a journal tells follows from it. Raise it
/// when an answer of this crate changes for the same input: a verdict, what vetoes a quotation, a date, a tier, an
/// order. A mend that no journal can meet needs none. Since 2 near units, dates, negations and plans of a source speak
/// against a claim, and a day contradicts another year. Since 3 a letter of a name stands behind
/// it, and who says a word with its opposite opposes neither. Since 4 letters of other alphabets are compared without
/// their marks, and sentences end by their stops. Since 5 short statements and those to the reader need a source, too,
/// and what turns a sentence round with its own words is not said. Since 6 figures count where a sentence is looked for,
/// no quotation goes on beyond a heading, a number that is named to deny it is not said, and what another clause denies
/// takes nothing from what stands word for word. Since 7 areas, rooms, litres, knots, dollars of lands and hours of a day
/// are units, what holds for a day is not said of a week, `40k euros` are thousands, one of what the passage counts
/// otherwise is not said, and dates in digits are dates; a title is a marker however short or long it is, and of several
/// sources that have it whichever fits is meant; a heading and what leads to a list are looked at where they are sentences,
/// the name of a page is no statement of it, and no passage is named twice in a row;
/// a word between any marks is a quotation; "will" keeps no reserve, and conditions, critics, "up to" and exceptions that a
/// claim drops speak against it, as do small words that turn it round, ends that changed places, and numbers and years that
/// stand beside something else. Since 8 code of an answer is what all who show Markdown take for code, and what else would
/// lead a reader elsewhere is taken out or made text: links whose words hold brackets, names of addresses, markup.
/// Since 9 an answer keeps its comparison signs, its addresses with places to fill in and the words in front of what is no
/// address; times of a day and counts are read in more of their writings, what somebody says is said by a passage where it
/// names them as its voice, and who did what to whom is looked at for names and for nouns.
/// Since 10 a bare `10:00` does not say `10 pm`, `no more than` is a bound from above, a number that counts one thing is not
/// said of another that is named beside it, and words that are looked for by their roots are all found.
/// Since 11 a bound is kept by no year and by no bound on its other side.
/// Since 12 no sentence is cut at an abbreviation or at the day of a date, a part and an item are checked with what they say
/// something of and with what denies them, elements of markup are no words, what asks claims nothing, several numbers in
/// brackets are taken out as one is, and a marker stays with the sentence that it stands before; a number is that of the
/// name, month or year in its clause, what is asked, wanted, tried or rejected is not said to be so, words that touch a
/// superlative, an office or a name count, and shares and units are read in more of their writings.
/// Since 13 a number is that of the word in the same place, of the column and of the time it is given for, whoever is only
/// named as kin or as a former office did not do it, and what another word stands for is opposed by nothing further off.
pub const RULES: u32 = 13;

pub use confidence::{Confidence, Level, Signals, confidence, years};
pub use conflict::{
    Conflict, Difference, Parsed, Reason, Side, Statement, conflicts, contradiction, settled,
};
pub use content::{Content, Replaced};
pub use hosts::Publisher;
pub use own::{OWN_DOCUMENTS, is_own};
pub use passage::{Anchor, Passage};
pub use published::Published;
pub use quarry_types::Signal;
pub use source::{Calculation, Finding, Source};
pub use store::Evidence;
pub use tier::{Standing, Tier, standing, standing_of_page, tier_reasons, voice};
