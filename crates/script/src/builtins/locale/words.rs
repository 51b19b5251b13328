//! Plurals, lists and relative times.
//!
//! Border: lists in the languages below, relative times in English.

use super::{Part, locales::Locale, number::Width};

/// The plural category of a number, with the digits behind its point as they are written.
pub(crate) fn plural(language: &str, number: f64, fraction: usize, ordinal: bool) -> &'static str {
    let number = number.abs();
    let whole = fraction == 0 && number.fract() == 0.0;
    let (ten, hundred) = (number % 10.0, number % 100.0);
    let teen = |digit: f64| hundred == 10.0 + digit;
    if ordinal {
        return match language {
            "en" if ten == 1.0 && !teen(1.0) => "one",
            "en" if ten == 2.0 && !teen(2.0) => "two",
            "en" if ten == 3.0 && !teen(3.0) => "few",
            "fr" if number == 1.0 => "one",
            "it" if [8.0, 11.0, 80.0, 800.0].contains(&number) => "many",
            "sv" if (ten == 1.0 && !teen(1.0)) || (ten == 2.0 && !teen(2.0)) => "one",
            _ => "other",
        };
    }
    match language {
        "ja" | "zh" | "ko" => "other",
        "fr" | "pt" if number < 2.0 => "one",
        "fr" | "pt" | "es" | "it" if whole && number > 0.0 && number % 1e6 == 0.0 => "many",
        "es" | "da" | "nb" | "tr" if number == 1.0 => "one",
        "ru" | "pl" if !whole => "other",
        "pl" if number == 1.0 => "one",
        "ru" if ten == 1.0 && !teen(1.0) => "one",
        "ru" | "pl" if (2.0..=4.0).contains(&ten) && !(12.0..=14.0).contains(&hundred) => "few",
        "ru" | "pl" => "many",
        _ if whole && number == 1.0 => "one",
        _ => "other",
    }
}

/// Every category that a language has.
pub(crate) fn categories(language: &str, ordinal: bool) -> &'static [&'static str] {
    match (language, ordinal) {
        ("en", true) => &["few", "one", "two", "other"],
        ("fr" | "sv", true) => &["one", "other"],
        ("it", true) => &["many", "other"],
        (_, true) | ("ja" | "zh" | "ko", false) => &["other"],
        ("fr" | "pt" | "es" | "it", false) => &["one", "many", "other"],
        ("ru" | "pl", false) => &["few", "many", "one", "other"],
        (_, false) => &["one", "other"],
    }
}

/// What joins a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ListKind {
    Conjunction,
    Disjunction,
    Unit,
}

/// The items and what stands between them.
pub(crate) fn list(locale: &Locale, kind: ListKind, width: Width, items: &[String]) -> Vec<Part> {
    let (and, or) = match locale.language() {
        "de" => ("und", "oder"),
        "fr" => ("et", "ou"),
        "es" => ("y", "o"),
        "it" => ("e", "o"),
        "pt" => ("e", "ou"),
        "nl" => ("en", "of"),
        "sv" => ("och", "eller"),
        "da" | "nb" => ("og", "eller"),
        "pl" => ("i", "lub"),
        "ru" => ("и", "или"),
        "tr" => ("ve", "veya"),
        _ => ("and", "or"),
    };
    let english = locale.language() == "en";
    let american = matches!(locale.tag, "en-US" | "en-CA");
    let word = match (kind, width) {
        (ListKind::Disjunction, _) => format!(" {or} "),
        (ListKind::Conjunction, Width::Short) if american => " & ".into(),
        (ListKind::Conjunction, Width::Narrow) if american => ", ".into(),
        (ListKind::Conjunction, _) => format!(" {and} "),
        (ListKind::Unit, Width::Narrow) => " ".into(),
        (ListKind::Unit, Width::Long) if !english => format!(" {and} "),
        (ListKind::Unit, _) => ", ".into(),
    };
    let comma = if (kind, width) == (ListKind::Unit, Width::Narrow) { " " } else { ", " };
    let serial = american && items.len() > 2 && kind != ListKind::Unit && word != ", ";
    let mut parts = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let left = items.len() - index;
        if index > 0 && left > 1 {
            parts.push(Part::new("literal", comma));
        } else if index > 0 {
            let word = if serial { format!(",{word}") } else { word.clone() };
            parts.push(Part::new("literal", word));
        }
        parts.push(Part::new("element", item.as_str()));
    }
    parts
}

/// The units of relative times, with their short and narrow English forms.
const SPANS: &[(&str, &str, &str)] = &[
    ("second", "sec.", "s"),
    ("minute", "min.", "m"),
    ("hour", "hr.", "h"),
    ("day", "day", "d"),
    ("week", "wk.", "w"),
    ("month", "mo.", "mo"),
    ("quarter", "qtr.", "q"),
    ("year", "yr.", "y"),
];

/// A unit's place among the known ones; plural forms are the same unit.
pub(crate) fn span(unit: &str) -> Option<usize> {
    let unit = unit.strip_suffix('s').unwrap_or(unit);
    SPANS.iter().position(|(known, ..)| *known == unit)
}

/// The word for a unit's neighbours: `tomorrow`.
pub(crate) fn nearby(number: f64, span: usize, width: Width) -> Option<String> {
    let (name, short, _) = SPANS.get(span)?;
    let name = if width == Width::Long || *name == "day" { name } else { short };
    match (number, *name) {
        (0.0, "second" | "sec.") => Some("now".into()),
        (-1.0, "day") => Some("yesterday".into()),
        (0.0, "day") => Some("today".into()),
        (1.0, "day") => Some("tomorrow".into()),
        (0.0, "minute" | "min." | "hour" | "hr.") => {
            let (name, ..) = SPANS.get(span)?;
            Some(format!("this {name}"))
        }
        (_, "second" | "sec." | "minute" | "min." | "hour" | "hr.") => None,
        (-1.0, name) => Some(format!("last {name}")),
        (0.0, name) => Some(format!("this {name}")),
        (1.0, name) => Some(format!("next {name}")),
        _ => None,
    }
}

/// `in 3 days` or `3 days ago`, around a number that is already text.
pub(crate) fn relative(number: &str, past: bool, one: bool, span: usize, width: Width) -> String {
    let Some((name, short, narrow)) = SPANS.get(span) else { return String::new() };
    let plural = if one { "" } else { "s" };
    let quantity = match width {
        Width::Long => format!("{number} {name}{plural}"),
        Width::Short => match *name {
            "day" => format!("{number} {name}{plural}"),
            "quarter" if !one => format!("{number} qtrs."),
            _ => format!("{number} {short}"),
        },
        Width::Narrow => format!("{number}{narrow}"),
    };
    if past { format!("{quantity} ago") } else { format!("in {quantity}") }
}
