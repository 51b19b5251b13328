//! What kind of answer a question wants.
//!
//! Border: the words of a question in, a kind out; no text of a source is read here.

use super::degrees::is_comparing;
use super::lexicon::{self, Dimension};
use super::occupations::hold_an_office;
use super::words;

/// What would answer a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A person, or whoever did it.
    Person,
    /// A date, or a time.
    Time,
    /// A number of what the question names.
    Count,
    /// An amount: of one of these dimensions, or of any where there are none.
    Amount(&'static [Dimension]),
    /// A place.
    Place,
    /// A reason.
    Reason,
    /// Yes or no.
    Polar,
    /// Several things.
    List,
    /// Two things beside each other.
    Compare,
    /// What something is.
    Definition,
    /// Anything else.
    Fact,
}

use Dimension::{Age, Area, Duration, Frequency, Length, Money, Share, Speed, Temperature, Weight};

/// What stands behind `how`.
const HOW: [(&str, Kind); 25] = [
    ("big", Kind::Amount(&[Area, Length, Weight])),
    ("broad", Kind::Amount(&[Length])),
    ("close", Kind::Amount(&[Length])),
    ("cold", Kind::Amount(&[Temperature])),
    ("deep", Kind::Amount(&[Length])),
    ("expensive", Kind::Amount(&[Money])),
    ("far", Kind::Amount(&[Length])),
    ("fast", Kind::Amount(&[Speed])),
    ("frequently", Kind::Amount(&[Frequency])),
    ("heavy", Kind::Amount(&[Weight])),
    ("high", Kind::Amount(&[Length])),
    ("hot", Kind::Amount(&[Temperature])),
    ("large", Kind::Amount(&[Area, Length, Weight])),
    ("late", Kind::Time),
    ("long", Kind::Amount(&[Length, Duration])),
    ("many", Kind::Count),
    ("much", Kind::Amount(&[])),
    ("often", Kind::Amount(&[Frequency])),
    ("old", Kind::Amount(&[Age])),
    ("soon", Kind::Time),
    ("strong", Kind::Amount(&[])),
    ("tall", Kind::Amount(&[Length])),
    ("thick", Kind::Amount(&[Length])),
    ("warm", Kind::Amount(&[Temperature])),
    ("wide", Kind::Amount(&[Length])),
];

/// What `what` or `which` asks for, by the noun behind it.
const NOUNS: [(&str, Kind); 99] = [
    ("actor", Kind::Person),
    ("actress", Kind::Person),
    ("age", Kind::Amount(&[Age])),
    ("altitude", Kind::Amount(&[Length])),
    ("amount", Kind::Amount(&[])),
    ("architect", Kind::Person),
    ("area", Kind::Amount(&[Area])),
    ("artist", Kind::Person),
    ("author", Kind::Person),
    ("budget", Kind::Amount(&[Money])),
    ("capacity", Kind::Amount(&[])),
    ("captain", Kind::Person),
    ("cause", Kind::Reason),
    ("caused", Kind::Reason),
    ("century", Kind::Time),
    ("chemist", Kind::Person),
    ("cities", Kind::Place),
    ("city", Kind::Place),
    ("coach", Kind::Person),
    ("commander", Kind::Person),
    ("composer", Kind::Person),
    ("conductor", Kind::Person),
    ("continent", Kind::Place),
    ("cost", Kind::Amount(&[Money])),
    ("country", Kind::Place),
    ("county", Kind::Place),
    ("date", Kind::Time),
    ("day", Kind::Time),
    ("decade", Kind::Time),
    ("depth", Kind::Amount(&[Length])),
    ("diameter", Kind::Amount(&[Length])),
    ("director", Kind::Person),
    ("distance", Kind::Amount(&[Length])),
    ("duration", Kind::Amount(&[Duration])),
    ("elevation", Kind::Amount(&[Length])),
    ("emperor", Kind::Person),
    ("engineer", Kind::Person),
    ("fare", Kind::Amount(&[Money])),
    ("fee", Kind::Amount(&[Money])),
    ("founder", Kind::Person),
    ("general", Kind::Person),
    ("height", Kind::Amount(&[Length])),
    ("inventor", Kind::Person),
    ("island", Kind::Place),
    ("king", Kind::Person),
    ("leader", Kind::Person),
    ("length", Kind::Amount(&[Length, Duration])),
    ("location", Kind::Place),
    ("mathematician", Kind::Person),
    ("mayor", Kind::Person),
    ("minister", Kind::Person),
    ("month", Kind::Time),
    ("nation", Kind::Place),
    ("number", Kind::Count),
    ("owner", Kind::Person),
    ("painter", Kind::Person),
    ("percent", Kind::Amount(&[Share])),
    ("percentage", Kind::Amount(&[Share])),
    ("person", Kind::Person),
    ("philosopher", Kind::Person),
    ("physicist", Kind::Person),
    ("place", Kind::Place),
    ("player", Kind::Person),
    ("poet", Kind::Person),
    ("pope", Kind::Person),
    ("population", Kind::Count),
    ("power", Kind::Amount(&[])),
    ("president", Kind::Person),
    ("pressure", Kind::Amount(&[])),
    ("price", Kind::Amount(&[Money])),
    ("proportion", Kind::Amount(&[Share])),
    ("province", Kind::Place),
    ("queen", Kind::Person),
    ("reason", Kind::Reason),
    ("region", Kind::Place),
    ("rent", Kind::Amount(&[Money])),
    ("salary", Kind::Amount(&[Money])),
    ("scientist", Kind::Person),
    ("share", Kind::Amount(&[Share])),
    ("singer", Kind::Person),
    ("size", Kind::Amount(&[Area, Length, Weight])),
    ("speed", Kind::Amount(&[Speed])),
    ("state", Kind::Place),
    ("street", Kind::Place),
    ("temperature", Kind::Amount(&[Temperature])),
    ("time", Kind::Time),
    ("toll", Kind::Amount(&[Money])),
    ("total", Kind::Amount(&[])),
    ("town", Kind::Place),
    ("tuition", Kind::Amount(&[Money])),
    ("village", Kind::Place),
    ("volume", Kind::Amount(&[])),
    ("wage", Kind::Amount(&[Money])),
    ("weight", Kind::Amount(&[Weight])),
    ("whose", Kind::Person),
    ("width", Kind::Amount(&[Length])),
    ("writer", Kind::Person),
    ("year", Kind::Time),
    ("years", Kind::Time),
];

/// Words of money in a question without a number word.
const MONEY: [&str; 14] = [
    "admission",
    "charge",
    "cost",
    "costs",
    "expensive",
    "fare",
    "fee",
    "paid",
    "pay",
    "price",
    "salary",
    "spent",
    "ticket",
    "toll",
];

/// Words of who asks for money without saying that they do.
const DEALING: [&str; 11] = [
    "earn", "earned", "earns", "money", "pays", "prices", "sold", "spend", "spends", "wage",
    "worth",
];

/// Words that turn `how long` into a question for time.
const LASTING: [&str; 24] = [
    "been",
    "contract",
    "course",
    "crossing",
    "did",
    "does",
    "film",
    "for",
    "guarantee",
    "hold",
    "holds",
    "journey",
    "keep",
    "last",
    "lasted",
    "lease",
    "lesson",
    "lived",
    "take",
    "taken",
    "took",
    "trial",
    "valid",
    "warranty",
];

/// The same where no other noun follows: `the service tunnel` has a length.
const PERIODS: [&str; 8] = ["closure", "open", "reign", "service", "siege", "stay", "wait", "war"];

/// What is done to a thing once, and is no state of it: `the bridge that Ada Holm designed`.
const MAKING: [&str; 8] =
    ["built", "called", "completed", "constructed", "designed", "finished", "named", "opened"];

/// Words that turn it back: a wall that did stretch.
const STRETCHING: [&str; 4] = ["extend", "measure", "reach", "stretch"];

const AUXILIARIES: [&str; 27] = [
    "am", "are", "can", "could", "did", "do", "does", "had", "has", "have", "is", "may", "might",
    "must", "shall", "should", "was", "were", "will", "would", "aren", "isn", "wasn", "weren",
    "doesn", "didn", "hasn",
];

/// Whether a word, lower case, can begin a question for yes or no.
pub(super) fn is_auxiliary(word: &str) -> bool {
    AUXILIARIES.contains(&word)
}

/// Whether a word, lower case, asks.
pub(super) fn is_asking(word: &str) -> bool {
    matches!(word, "who" | "whom" | "whose" | "what" | "which" | "when" | "where" | "why" | "how")
}

/// Whether a word, lower case, is a noun for what is measured or counted.
pub(super) fn names_a_measure(word: &str) -> bool {
    noun(word).is_some_and(Kind::is_figure)
}

/// Whether a word, lower case, is a noun for a place.
pub(super) fn names_a_place(word: &str) -> bool {
    noun(word) == Some(Kind::Place)
}

fn noun(word: &str) -> Option<Kind> {
    let known = NOUNS.binary_search_by(|(noun, _)| (*noun).cmp(word)).ok()?;
    NOUNS.get(known).map(|(_, kind)| *kind)
}

impl Kind {
    /// The kind of a question, by its words in lower case.
    pub(super) fn of(words: &[String]) -> Kind {
        let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
        let has = |wanted: &[&str]| words.iter().any(|word| wanted.contains(&word.as_str()));
        let has_money = has(&MONEY) || has(&DEALING);
        if is_comparing(words) {
            return Kind::Compare;
        }
        match word(0) {
            "list" | "name" | "enumerate" => return Kind::List,
            "compare" => return Kind::Compare,
            first if is_auxiliary(first) => return Kind::Polar,
            _ => {}
        }
        let Some(at) = words.iter().position(|word| is_asking(word)) else {
            return of_nouns(words).unwrap_or(Kind::Fact);
        };
        match word(at) {
            "who" if is_name_only(words, at) => Kind::Definition,
            "who" | "whom" | "whose" => Kind::Person,
            "when" => Kind::Time,
            "where" => Kind::Place,
            "why" => Kind::Reason,
            "how" => how(words, at, has_money),
            _ if words.len() > at + 2 && is_definition(words, at) => Kind::Definition,
            _ => {
                let behind = words.get(at + 1..).unwrap_or_default();
                let near = behind.get(..behind.len().min(4)).unwrap_or_default();
                let money = ["cost", "costs"];
                match of_nouns(near) {
                    Some(Kind::Amount([])) if has_money => Kind::Amount(&[Money]),
                    Some(kind) => kind,
                    None if has(&money) => Kind::Amount(&[Money]),
                    None if is_list(words, at) => Kind::List,
                    None => Kind::Fact,
                }
            }
        }
    }

    /// Whether a word, lower case, says no more than what kind of answer is wanted.
    pub(super) fn is_said_by(self, word: &str) -> bool {
        if !self.is_strict() {
            return false;
        }
        HOW.iter().any(|(known, kind)| *known == word && *kind == self)
            || NOUNS.iter().any(|(known, kind)| *known == word && *kind == self)
            || (matches!(self, Kind::Amount([Money])) && MONEY.contains(&word))
            || (matches!(self, Kind::Amount([Duration]))
                && matches!(word, "long" | "take" | "last"))
    }

    /// Whether nothing answers it that holds no amount or date.
    pub(super) const fn is_strict(self) -> bool {
        matches!(self, Kind::Time) || self.is_figure()
    }

    /// Whether a number answers it.
    pub(super) const fn is_figure(self) -> bool {
        matches!(self, Kind::Count | Kind::Amount(_))
    }
}

fn how(words: &[String], at: usize, has_money: bool) -> Kind {
    let behind = words.get(at + 1).map(String::as_str).unwrap_or_default();
    let rest = words.get(at + 2..).unwrap_or_default();
    let has = |known: &[&str]| rest.iter().any(|word| known.contains(&word.as_str()));
    let is_lasting = has(&LASTING) || is_period(rest) || is_done_to(rest) || is_state(rest);
    let known = HOW.iter().find(|(word, _)| *word == behind).map(|(_, kind)| *kind);
    let has_weight =
        rest.iter().any(|word| matches!(word.as_str(), "weigh" | "weighed" | "weighs"));
    let is_share = match rest {
        [per, cent, ..] if per == "per" => cent == "cent",
        [first, ..] => matches!(first.as_str(), "percent" | "percentage"),
        [] => false,
    };
    // `By how much did the fare rise?` may be answered with a sum or with a share.
    let is_by = at.checked_sub(1).and_then(|by| words.get(by)).is_some_and(|word| word == "by");
    match (behind, known) {
        ("many" | "much", Some(_)) if is_share => Kind::Amount(&[Share]),
        ("much", Some(_)) if is_by => Kind::Amount(&[]),
        ("much", Some(_)) if has_weight => Kind::Amount(&[Weight]),
        ("much", Some(_)) if has_money || asks_for_price(rest) => Kind::Amount(&[Money]),
        ("much", Some(_)) if rest.first().is_some_and(|word| word == "of") => {
            Kind::Amount(&[Share])
        }
        ("long", Some(_)) if is_lasting && !has(&STRETCHING) => Kind::Amount(&[Duration]),
        (_, Some(kind)) => kind,
        ("come", None) => Kind::Reason,
        _ => Kind::Fact,
    }
}

/// `How long has the mill …?`, `How long is the museum open on Sundays?`, but not `How long is the open section?`
fn is_period(rest: &[String]) -> bool {
    let is = |word: &String| matches!(word.as_str(), "has" | "have" | "he" | "she");
    let ends = |at: usize| rest.get(at + 1).is_none_or(|next| words::is_stop_word(next));
    rest.iter().take(2).any(is)
        || rest.iter().enumerate().any(|(at, it)| PERIODS.contains(&it.as_str()) && ends(at))
}

/// `How long must it be kneaded?` and `How long can it stay under water?`, but not `How long may it be?`
fn is_done_to(rest: &[String]) -> bool {
    let is_place = |word: &String| matches!(word.as_str(), "at" | "away" | "outside" | "under");
    rest.windows(2).any(|pair| match pair {
        [be, done] => {
            matches!(be.as_str(), "be" | "been" | "remain" | "stay")
                && (lexicon::is_done(done) || is_place(done))
        }
        _ => false,
    })
}

/// `How long was the gate closed?` and `How long was Ada Holm mayor?`, but not `How long is it in feet?`
fn is_state(rest: &[String]) -> bool {
    let [be, .., last] = rest else { return false };
    let is_person = matches!(of_nouns(std::slice::from_ref(last)), Some(Kind::Person));
    let is_form = lexicon::is_done(last) && last.len() > 4 && !MAKING.contains(&last.as_str());
    matches!(be.as_str(), "is" | "are" | "was" | "were")
        && (is_form || is_person || last == "shut" || hold_an_office(rest))
}

/// `How much is a ticket?`, but not `How much is left?`
fn asks_for_price(rest: &[String]) -> bool {
    let is =
        rest.first().is_some_and(|word| matches!(word.as_str(), "is" | "are" | "was" | "were"));
    is && rest.len() > 1 && !rest.last().is_some_and(|word| lexicon::is_done(word))
}

/// The kind that a noun near the asking word names; the first that does.
fn of_nouns(words: &[String]) -> Option<Kind> {
    words.iter().enumerate().find_map(|(at, word)| {
        // A death toll is no price.
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        if word == "toll" && before.is_some_and(|before| before == "death") {
            return None;
        }
        noun(word)
    })
}

/// `What is a starter?`, but not `What is the height of it?`
fn is_definition(words: &[String], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    let is = matches!(word(at + 1), "is" | "are" | "was" | "were");
    is && words.len() <= at + 5
        && words
            .iter()
            .skip(at + 2)
            .all(|word| !matches!(word.as_str(), "of" | "in" | "for" | "made" | "called" | "used"))
        && of_nouns(words.get(at + 2..).unwrap_or_default()).is_none()
}

/// `Who is Ada Lovelace?`, but not `Who is the mayor?`
fn is_name_only(words: &[String], at: usize) -> bool {
    let word = |at: usize| words.get(at).map(String::as_str).unwrap_or_default();
    let article = matches!(word(at + 2), "the" | "a" | "an" | "in" | "to" | "its" | "their" | "it");
    (at + 3..=at + 5).contains(&words.len()) && !article && is_definition(words, at)
}

/// `What are the …`, `which … are there`.
fn is_list(words: &[String], at: usize) -> bool {
    words.get(at + 1).is_some_and(|word| matches!(word.as_str(), "are" | "were"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nouns_are_sorted_for_the_search() {
        assert!(NOUNS.is_sorted_by(|one, other| one.0 < other.0));
    }

    #[test]
    fn questions_have_kinds() {
        for (question, kind) in [
            ("Who built it?", Kind::Person),
            ("By whom was it built?", Kind::Person),
            ("Who is the mayor?", Kind::Person),
            ("Who was Ada Lovelace?", Kind::Definition),
            ("When was it built?", Kind::Time),
            ("In what year did it open?", Kind::Time),
            ("How many steps are there?", Kind::Count),
            ("What is the population of Kiel?", Kind::Count),
            ("How much does it cost?", Kind::Amount(&[Money])),
            ("What did the dam cost?", Kind::Amount(&[Money])),
            ("How much is a ticket?", Kind::Amount(&[Money])),
            ("How much was left?", Kind::Amount(&[])),
            ("How much of the water is lost?", Kind::Amount(&[Share])),
            ("How much water does the town use?", Kind::Amount(&[])),
            ("By how much did the fare rise?", Kind::Amount(&[])),
            ("How long is the pass valid?", Kind::Amount(&[Duration])),
            ("How long is the river?", Kind::Amount(&[Length, Duration])),
            ("How long did the siege last?", Kind::Amount(&[Duration])),
            ("How long must the dough be kneaded?", Kind::Amount(&[Duration])),
            ("How long is the warranty?", Kind::Amount(&[Duration])),
            ("How long may the boat be?", Kind::Amount(&[Length, Duration])),
            ("How long may the watch be under water?", Kind::Amount(&[Duration])),
            ("How long was the harbour frozen?", Kind::Amount(&[Duration])),
            ("How long was Una Marsh captain?", Kind::Amount(&[Duration])),
            ("How long was Una Marsh bishop of Kiel?", Kind::Amount(&[Duration])),
            ("How long was Una Marsh chair?", Kind::Amount(&[Duration])),
            ("How long is the chair?", Kind::Amount(&[Length, Duration])),
            ("How long have they been away?", Kind::Amount(&[Duration])),
            ("How long does the pier stretch?", Kind::Amount(&[Length, Duration])),
            ("How long is the jetty in feet?", Kind::Amount(&[Length, Duration])),
            ("How much does the pack weigh?", Kind::Amount(&[Weight])),
            ("How much percent of them voted?", Kind::Amount(&[Share])),
            ("What was the toll in 2016?", Kind::Amount(&[Money])),
            ("What was the death toll?", Kind::Definition),
            ("What percentage of people vote?", Kind::Amount(&[Share])),
            ("What is the height of the tower?", Kind::Amount(&[Length])),
            ("Where is the bell?", Kind::Place),
            ("In which city was she born?", Kind::Place),
            ("Why is the sky blue?", Kind::Reason),
            ("Is it open?", Kind::Polar),
            ("List the lamps.", Kind::List),
            ("What are the parts of a pump?", Kind::List),
            ("Which is taller, the tower or the mast?", Kind::Compare),
            ("What is a barometer?", Kind::Definition),
            ("What replaced it?", Kind::Fact),
            ("", Kind::Fact),
        ] {
            assert_eq!(Kind::of(&words::words(question)), kind, "{question}");
        }
    }
}
