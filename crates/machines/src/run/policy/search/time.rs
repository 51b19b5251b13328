//! Whether what is asked changes with time, by the words of the question.
//!
//! Border: text and the present in. English, German, French and Spanish; of another language only years and
//! what it borrows are known.

use quarry_evidence::text::{Shape, Token, tokens};
use quarry_types::Timestamp;
use quarry_types::order::Gather;
use std::collections::BTreeSet;

/// Words, folded, whose answers change. Sorted.
const WORDS: &[&str] = &[
    "actualidad",
    "actualite",
    "actualites",
    "actualmente",
    "actuel",
    "actuelle",
    "actuellement",
    "actuelles",
    "actuels",
    "ahora",
    "aktuell",
    "aktuelle",
    "aktuellen",
    "aktueller",
    "aktuelles",
    "aujourdhui",
    "ayer",
    "breaking",
    "bulletin",
    "current",
    "currently",
    "demain",
    "derzeit",
    "forecast",
    "forecasts",
    "gegenwartig",
    "gestern",
    "heute",
    "heutige",
    "heutigen",
    "hier",
    "hoy",
    "jetzt",
    "jungst",
    "kurzlich",
    "latest",
    "maintenant",
    "manana",
    "meteo",
    "momentan",
    "nachrichten",
    "neueste",
    "neuesten",
    "neuester",
    "neuestes",
    "neuste",
    "neusten",
    "newest",
    "news",
    "noticias",
    "now",
    "nowadays",
    "ongoing",
    "precio",
    "precios",
    "preis",
    "preise",
    "presently",
    "price",
    "prices",
    "pricing",
    "prix",
    "recemment",
    "recent",
    "recente",
    "recentes",
    "recently",
    "recents",
    "reciente",
    "recientemente",
    "recientes",
    "today",
    "todays",
    "tomorrow",
    "tonight",
    "upcoming",
    "vorhersage",
    "weather",
    "wetter",
    "yesterday",
    "zurzeit",
];
/// The first of two words that together name a time near the present. Sorted.
const NEAR: &[&str] = &[
    "ce",
    "cet",
    "cette",
    "dernier",
    "derniere",
    "dernieres",
    "derniers",
    "diese",
    "diesem",
    "diesen",
    "dieser",
    "dieses",
    "esta",
    "este",
    "last",
    "laufende",
    "laufenden",
    "letzte",
    "letzten",
    "letzter",
    "letztes",
    "nachste",
    "nachsten",
    "nachstes",
    "next",
    "past",
    "prochain",
    "prochaine",
    "proxima",
    "proximo",
    "this",
    "ultima",
    "ultimas",
    "ultimo",
    "ultimos",
];
/// The second. Sorted.
const SPANS: &[&str] = &[
    "annee",
    "annees",
    "ano",
    "anos",
    "day",
    "days",
    "dias",
    "evening",
    "hours",
    "jahr",
    "jahre",
    "jahren",
    "jahres",
    "jours",
    "mes",
    "meses",
    "mois",
    "monat",
    "monate",
    "monaten",
    "monats",
    "month",
    "months",
    "morning",
    "noticias",
    "nouvelles",
    "quarter",
    "release",
    "releases",
    "saison",
    "season",
    "semaine",
    "semaines",
    "semana",
    "semanas",
    "spring",
    "stand",
    "summer",
    "tage",
    "tagen",
    "version",
    "versions",
    "week",
    "weekend",
    "weeks",
    "winter",
    "woche",
    "wochen",
    "year",
    "years",
];
/// Other pairs. Sorted.
const PAIRS: &[(&str, &str)] = &[
    ("en", "cours"),
    ("exchange", "rate"),
    ("most", "recent"),
    ("right", "now"),
    ("so", "far"),
    ("the", "moment"),
    ("to", "date"),
    ("up", "coming"),
    ("wechselkurs", "zum"),
];
/// Years later than this are numbers.
const LAST_YEAR: u32 = 2100;

/// Whether what a question asks may have another answer soon: it names a year that is not over for long, or
/// the present.
#[must_use]
pub fn is_time_sensitive(question: &str, now: Timestamp) -> bool {
    let tokens = tokens(question);
    let names_year = years(&tokens).any(|year| f64::from(year) >= now.year().floor() - 1.0);
    names_year || words_of(&tokens).next().is_some()
}

/// The words of time of a text, with those of two words as one: years, `latest`, `this week`.
pub(super) fn time_words(text: &str) -> BTreeSet<String> {
    let tokens = tokens(text);
    words_of(&tokens).chain(years(&tokens).map(|year| year.to_string())).gather()
}

/// Whether a text names a year.
pub(super) fn names_year(text: &str) -> bool {
    years(&tokens(text)).next().is_some()
}

fn words_of(tokens: &[Token]) -> impl Iterator<Item = String> {
    let single = |token: &Token| {
        WORDS.binary_search(&token.word.as_str()).is_ok().then(|| token.word.clone())
    };
    let after = tokens.iter().skip(1).map(Some).chain([None]);
    let pair = move |one: &Token, two: Option<&Token>| {
        let (one, two) = (one.word.as_str(), two?.word.as_str());
        let is_near = NEAR.binary_search(&one).is_ok() && SPANS.binary_search(&two).is_ok();
        (is_near || PAIRS.binary_search(&(one, two)).is_ok()).then(|| format!("{one} {two}"))
    };
    tokens.iter().zip(after).filter_map(move |(one, two)| single(one).or_else(|| pair(one, two)))
}

/// Numbers that are written as years are: four digits, with no unit or sign at them.
fn years(tokens: &[Token]) -> impl Iterator<Item = u32> {
    let at = |at: Option<usize>| at.and_then(|at| tokens.get(at));
    tokens.iter().enumerate().filter_map(move |(place, token)| {
        let before = at(place.checked_sub(1)).filter(|before| before.touches(token));
        let behind = at(place.checked_add(1)).filter(|behind| token.touches(behind));
        let stands_alone = before.is_none() && behind.is_none();
        // Grouped digits are longer where they stand than as a number.
        let is_plain = token.shape == Shape::Number && token.characters == 4;
        let year = token.word.parse().ok().filter(|_| is_plain && stands_alone);
        year.filter(|year| (1000..=LAST_YEAR).contains(year))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// 2026-11-20.
    const NOW: Timestamp = Timestamp(1_795_210_500_000);

    #[test]
    fn word_lists_are_sorted_for_the_search() {
        assert!(WORDS.is_sorted() && NEAR.is_sorted() && SPANS.is_sorted() && PAIRS.is_sorted());
    }

    #[test]
    fn questions_about_the_present_are_time_sensitive() {
        for question in [
            "What is the latest version of Rust?",
            "Copper price",
            "Who is currently mayor of Ulm?",
            "Was geschah diese Woche in Ulm?",
            "Wie ist der aktuelle Stand?",
            "Was kostet Kupfer heute?",
            "Quel est le prix du cuivre aujourd’hui ?",
            "les dernières nouvelles d'Ulm",
            "¿Cuál es el precio del cobre?",
            "las últimas noticias",
            "What changed this year?",
            "elections in 2025",
            "Budget 2027-03",
            "what happened right now",
        ] {
            assert!(is_time_sensitive(question, NOW), "{question}");
        }
    }

    #[test]
    fn questions_about_what_is_over_are_not() {
        for question in [
            "When was the dam built?",
            "What happened in 2024?",
            "Why did the bridge collapse in 1940?",
            "Is 4096 a round number?",
            "How far is 2026km?",
            "What can one buy for $2026?",
            "population of 2,026",
            "El último emperador",
            "Wie hoch ist der Turm?",
            "",
        ] {
            assert!(!is_time_sensitive(question, NOW), "{question}");
        }
    }

    #[test]
    fn a_year_is_near_by_the_present() {
        let in_2030 = Timestamp(1_900_000_000_000);
        assert!(is_time_sensitive("elections in 2025", NOW));
        assert!(!is_time_sensitive("elections in 2025", in_2030));
    }

    proptest! {
        #[test]
        fn any_text_at_any_time_is_told(text in "(\\PC|this |year|20[0-9]{2}){0,40}", now: u64) {
            let told = is_time_sensitive(&text, Timestamp(now));
            prop_assert!(!told || !time_words(&text).is_empty());
        }
    }
}
