//! Plurals, lists and relative times.
//!
//! Border: relative times are English in every locale.

use super::locales::Locale;

/// The plural category of a number.
pub(crate) fn plural(language: &str, number: f64, ordinal: bool) -> &'static str {
    let number = number.abs();
    if ordinal {
        let teen = (11.0..=13.0).contains(&(number % 100.0));
        return match (language, number % 10.0) {
            ("en", 1.0) if !teen => "one",
            ("en", 2.0) if !teen => "two",
            ("en", 3.0) if !teen => "few",
            ("fr", _) if number == 1.0 => "one",
            ("sv", 1.0 | 2.0) if !teen => "one",
            _ => "other",
        };
    }
    match language {
        "ja" => "other",
        "fr" if number < 2.0 => "one",
        "fr" | "es" if number > 0.0 && number % 1e6 == 0.0 => "many",
        _ if number == 1.0 => "one",
        _ => "other",
    }
}

/// A list as a sentence has it; with `or` when only one of them is meant.
pub(crate) fn list(locale: &Locale, one: bool, items: &[String]) -> String {
    let (comma, and, or) = match locale.language() {
        "de" => (", ", " und ", " oder "),
        "fr" => (", ", " et ", " ou "),
        "es" => (", ", " y ", " o "),
        "sv" => (", ", " och ", " eller "),
        "ja" => ("、", "、", "、または"),
        _ => (", ", " and ", " or "),
    };
    let Some((last, before)) = items.split_last().filter(|(_, before)| !before.is_empty()) else {
        return items.concat();
    };
    let serial = matches!(locale.tag, "en-US" | "en-CA") && before.len() > 1;
    let serial = if serial { "," } else { "" };
    format!("{}{serial}{}{last}", before.join(comma), if one { or } else { and })
}

/// The units of relative times.
const SPANS: [&str; 8] = ["second", "minute", "hour", "day", "week", "month", "quarter", "year"];

/// A unit by its name in singular or plural.
pub(crate) fn span(unit: &str) -> Option<&'static str> {
    let unit = unit.strip_suffix('s').unwrap_or(unit);
    SPANS.into_iter().find(|known| *known == unit)
}

/// The word for a unit's neighbours: `tomorrow`.
pub(crate) fn nearby(number: f64, span: &str) -> Option<String> {
    Some(match (number, span) {
        (0.0, "second") => "now".into(),
        (0.0, "minute" | "hour") => format!("this {span}"),
        (_, "second" | "minute" | "hour") => return None,
        (-1.0, "day") => "yesterday".into(),
        (0.0, "day") => "today".into(),
        (1.0, "day") => "tomorrow".into(),
        (-1.0, _) => format!("last {span}"),
        (0.0, _) => format!("this {span}"),
        (1.0, _) => format!("next {span}"),
        _ => return None,
    })
}

/// `in 3 days` or `3 days ago`, around a number that is already text.
pub(crate) fn relative(number: &str, past: bool, span: &str) -> String {
    let plural = if number == "1" { "" } else { "s" };
    if past {
        format!("{number} {span}{plural} ago")
    } else {
        format!("in {number} {span}{plural}")
    }
}
