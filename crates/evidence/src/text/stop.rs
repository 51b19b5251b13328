//! What a full stop belongs to: the end of a sentence, or the word before it.
//!
//! Border: what stands before a stop, and the word behind it, in; whether the sentence is over out. Where either may
//! be, a sentence that is too long is the smaller evil: what is checked of one that was cut says something else.

/// The longest word that is looked at, in bytes: no abbreviation is longer.
const MOST: usize = 16;

/// What a full stop does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stop {
    /// It ends the sentence.
    Ends,
    /// It belongs to the word before it.
    GoesOn,
    /// Which of both, the next word tells: [`goes_on`].
    Open,
}

/// What stands before a stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    /// What always stands before something: `e.g.`, `Gov.`.
    Joins,
    /// What may end a sentence as well: `p.m.`, `Inc.`, `Jan.`
    Short,
    /// What stands before a number: `no.`, `Fig.`
    Counts,
    /// A number that may be a place in a row: `3. März`.
    Place,
    /// The same, behind a word that makes it one: `am 3. Platz`.
    Ordinal,
}

const JOINS: &[&str] = &[
    "approx", "bijv", "bspw", "bzw", "ca", "cf", "d.h", "dr", "e.g", "evtl", "exkl", "ggf", "i.e",
    "inkl", "insb", "mlle", "mme", "mr", "mrs", "prof", "sog", "u.a", "v", "vgl", "vs", "z.b",
];

/// The same, where they begin with a capital: else they are words.
const TITLES: &[&str] = &[
    "adm", "amb", "brig", "capt", "cdr", "cmdr", "col", "cpl", "det", "fr", "frl", "gen", "gov",
    "hl", "hon", "hr", "insp", "lt", "mag", "maj", "messrs", "ms", "mx", "pfc", "pres", "pvt",
    "rep", "rev", "sen", "sgt", "sig", "sra", "supt",
];

const SHORT: &[&str] = &[
    "al", "assn", "bros", "co", "corp", "dept", "ecc", "ed", "eds", "enz", "etc", "inc", "jh",
    "jhd", "jr", "ltd", "mio", "mrd", "sr", "tsd", "univ", "usw",
];

/// The same, where they begin with a capital: months, days, streets, states.
const CAPITALS: &[&str] = &[
    "abs", "apr", "ariz", "aug", "ave", "blvd", "calif", "chr", "colo", "conn", "dec", "dez",
    "feb", "febr", "fla", "fri", "ft", "ga", "hwy", "ill", "jan", "jul", "jun", "mar", "mass",
    "md", "mich", "minn", "mon", "mt", "mär", "nov", "oct", "okla", "okt", "ont", "pa", "penn",
    "rd", "sep", "sept", "st", "ste", "str", "tenn", "thu", "thur", "thurs", "tue", "tues", "va",
    "wash", "wed", "wis",
];

/// Units that take a stop, behind a number.
const UNITS: &[&str] = &[
    "bn", "cu", "ft", "hr", "hrs", "in", "lb", "lbs", "mi", "mill", "min", "oz", "sec", "sek",
    "sq", "std", "yd", "yds",
];

const COUNTS: &[&str] = &[
    "abb", "abs", "art", "bd", "ch", "fig", "figs", "kap", "no", "nos", "nr", "op", "para", "pp",
    "pt", "sec", "sect", "tab", "vol", "vols", "ziff",
];

/// What stands before a place in a row, in German: elsewhere no noun begins with a capital behind one.
const BEFORE_ORDINAL: &[&str] =
    &["am", "beim", "das", "dem", "den", "der", "des", "die", "im", "ins", "vom", "zum", "zur"];

/// What a number stands before as a place in a row, in German.
const ORDINAL: &[&str] = &[
    "apr",
    "april",
    "auflage",
    "aug",
    "august",
    "bundesliga",
    "dez",
    "dezember",
    "etage",
    "feb",
    "februar",
    "geburtstag",
    "halbjahr",
    "jahrestag",
    "jahrhundert",
    "jahrhunderte",
    "jahrhunderts",
    "jahrtausend",
    "jahrtausends",
    "jan",
    "januar",
    "jh",
    "jhd",
    "juli",
    "juni",
    "jänner",
    "kapitel",
    "klasse",
    "lebensjahr",
    "liga",
    "mai",
    "märz",
    "nov",
    "november",
    "okt",
    "oktober",
    "platz",
    "quartal",
    "quartals",
    "rang",
    "sep",
    "sept",
    "september",
    "spieltag",
    "stock",
    "todestag",
    "weltkrieg",
    "weltkriege",
    "weltkriegs",
];

/// Words with which sentences begin, and hardly ever a name: behind what may end a sentence they tell that it did.
const OPENERS: &[&str] = &[
    "a",
    "aber",
    "according",
    "additionally",
    "after",
    "all",
    "also",
    "although",
    "am",
    "an",
    "and",
    "another",
    "are",
    "as",
    "at",
    "auch",
    "auf",
    "aus",
    "because",
    "before",
    "bei",
    "both",
    "but",
    "by",
    "ce",
    "ces",
    "cette",
    "damit",
    "danach",
    "dann",
    "das",
    "dass",
    "dazu",
    "der",
    "did",
    "die",
    "dies",
    "diese",
    "dieser",
    "dieses",
    "doch",
    "does",
    "dort",
    "during",
    "each",
    "ein",
    "eine",
    "einer",
    "elle",
    "elles",
    "en",
    "er",
    "es",
    "every",
    "few",
    "finally",
    "for",
    "four",
    "from",
    "furthermore",
    "has",
    "he",
    "her",
    "here",
    "heute",
    "hier",
    "his",
    "how",
    "however",
    "i",
    "ich",
    "if",
    "ihr",
    "ihre",
    "il",
    "ils",
    "im",
    "in",
    "is",
    "it",
    "its",
    "la",
    "las",
    "later",
    "le",
    "les",
    "los",
    "mais",
    "many",
    "meanwhile",
    "mit",
    "moreover",
    "most",
    "nach",
    "no",
    "nobody",
    "none",
    "not",
    "nothing",
    "now",
    "of",
    "on",
    "one",
    "only",
    "or",
    "other",
    "others",
    "our",
    "pero",
    "seit",
    "several",
    "she",
    "sie",
    "sin",
    "since",
    "so",
    "some",
    "such",
    "that",
    "the",
    "their",
    "then",
    "there",
    "therefore",
    "these",
    "they",
    "this",
    "those",
    "though",
    "three",
    "thus",
    "to",
    "today",
    "two",
    "un",
    "und",
    "under",
    "une",
    "unter",
    "until",
    "von",
    "vor",
    "was",
    "we",
    "were",
    "what",
    "when",
    "where",
    "which",
    "while",
    "who",
    "whoever",
    "why",
    "with",
    "without",
    "yes",
    "yet",
    "you",
    "zu",
    "zum",
    "zur",
    "über",
];

/// What a full stop behind this text does.
#[must_use]
pub fn stop(before: &str) -> Stop {
    match kind(before) {
        Kind::Word => Stop::Ends,
        Kind::Joins => Stop::GoesOn,
        Kind::Short | Kind::Counts | Kind::Place | Kind::Ordinal => Stop::Open,
    }
}

/// Whether the sentence goes on behind a full stop that stands behind this text and before this word, which is empty
/// where none is there.
#[must_use]
pub fn goes_on(before: &str, next: &str) -> bool {
    let is_number = next.starts_with(|c: char| c.is_ascii_digit());
    let lower = next.to_lowercase();
    let opens = || OPENERS.binary_search(&lower.as_str()).is_ok();
    let is_placed = || ORDINAL.binary_search(&lower.as_str()).is_ok();
    match kind(before) {
        Kind::Word => false,
        Kind::Joins => true,
        Kind::Short => is_number || !opens(),
        Kind::Counts => is_number || next.is_empty() || is_roman(next),
        Kind::Place => is_placed(),
        Kind::Ordinal => is_placed() || (!is_number && !next.is_empty() && !opens()),
    }
}

fn kind(before: &str) -> Kind {
    let parts =
        |c: char| c.is_whitespace() || matches!(c, '(' | '[' | '"' | '“' | '„' | '«' | '/' | '–');
    let written = before.rsplit(parts).next().unwrap_or_default();
    let last = written.trim_matches(['*', '_', '\'', '‘']);
    if last.len() > MOST || last.is_empty() {
        return Kind::Word;
    }
    let rest = before.get(..before.len() - written.len()).unwrap_or_default();
    let word_before = || rest.trim_end().rsplit(parts).next().unwrap_or_default();
    let is_counted = || word_before().ends_with(|c: char| c.is_ascii_digit());
    if last.bytes().all(|byte| byte.is_ascii_digit()) {
        return if last.len() <= 3 { place(rest, word_before()) } else { Kind::Word };
    }
    let lower = last.to_lowercase();
    let is_in = |words: &[&str]| words.binary_search(&lower.as_str()).is_ok();
    let is_capital = last.starts_with(char::is_uppercase);
    if is_in(JOINS) || (is_capital && is_in(TITLES)) {
        Kind::Joins
    } else if is_in(SHORT) || (is_capital && is_in(CAPITALS)) || are_initials(last) {
        Kind::Short
    } else if is_in(COUNTS) {
        Kind::Counts
    } else if is_in(UNITS) && is_counted() {
        Kind::Short
    } else if last.chars().all(char::is_alphabetic) && last.chars().nth(1).is_none() {
        // A small letter behind a number is a unit, and takes no stop.
        if !is_capital && is_counted() { Kind::Word } else { Kind::Short }
    } else {
        Kind::Word
    }
}

/// What a short number is, behind this text, of which this is the last word.
fn place(rest: &str, word: &str) -> Kind {
    let lower = word.to_lowercase();
    // "I am 3." is English.
    let speaks = || rest.trim_end().ends_with("I am");
    let is_ordinal = BEFORE_ORDINAL.binary_search(&lower.as_str()).is_ok() && !speaks();
    if is_ordinal { Kind::Ordinal } else { Kind::Place }
}

/// Whether a word is made of letters with stops between them: `U.K`, `p.m`, `Ph.D`.
fn are_initials(word: &str) -> bool {
    let is_part = |part: &str| {
        (1..=3).contains(&part.chars().count()) && part.chars().all(char::is_alphabetic)
    };
    word.contains('.')
        && word.split('.').all(is_part)
        && word.split('.').any(|part| part.chars().count() == 1)
}

fn is_roman(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| matches!(byte, b'I' | b'V' | b'X' | b'L' | b'C'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_the_search() {
        let lists =
            [JOINS, TITLES, SHORT, CAPITALS, UNITS, COUNTS, BEFORE_ORDINAL, ORDINAL, OPENERS];
        for words in lists {
            assert!(words.is_sorted(), "{words:?}");
        }
    }

    #[test]
    fn a_stop_of_a_word_ends_nothing() {
        for (before, next) in [
            ("It was sold by Gov", "Tom"),
            ("It was sold by **Gov", "Tom"),
            ("killed Lt", "Col"),
            ("led by Sen", "Ann"),
            ("sold on Jan", "5"),
            ("In Sept", "2020"),
            ("closes at 9 p.m", "Monday"),
            ("in the U.K", "Tom"),
            ("A Ph.D", "Thesis"),
            ("wurde am 3", "März"),
            ("Montag, 3", "März"),
            ("Am 3", "Oktober"),
            ("im 19", "Jahrhundert"),
            ("Sie gewann den 3", "Preis"),
            ("von 1,5 Mio", "Euro"),
            ("see Sec", "40"),
            ("Louis no", "XIV"),
            ("Smith et al", "Nature"),
            ("It is 6 ft", "Tom"),
            ("e.g", "The"),
            ("J", "Reed"),
        ] {
            assert!(goes_on(before, next), "{before}. {next}");
            assert_ne!(stop(before), Stop::Ends, "{before}. {next}");
        }
    }

    #[test]
    fn a_stop_behind_a_sentence_ends_it_though_its_last_word_is_short() {
        for (before, next) in [
            ("He paid 5", "Then"),
            ("in 1990", "Tom"),
            ("He was 3", "Tom"),
            ("I am 3", "Tom"),
            ("Er kam am 3", "Danach"),
            ("He lives in the U.S", "The"),
            ("It closes at 9 p.m", "It"),
            ("He works for Marsh Inc", "In"),
            ("He said no", "Tom"),
            ("This is art", "Tom"),
            ("He moved in", "Tom"),
            ("It is 5 m", "Tom"),
            ("It is 300 ms", "Tom"),
            ("It is 5 km", "Tom"),
            ("She has vitamin C", "It"),
            ("He is a sales rep", "Tom"),
            ("in the sun", "Tom"),
            ("next to McDonald's", "Behind"),
            ("next to McDonald's", "Tom"),
            ("1", "Tom"),
            ("12", "The"),
        ] {
            assert!(!goes_on(before, next), "{before}. {next}");
            assert_ne!(stop(before), Stop::GoesOn, "{before}. {next}");
        }
    }
}
