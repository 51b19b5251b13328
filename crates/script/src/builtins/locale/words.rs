//! Plurals, lists and relative times.
//!
//! Border: relative times are English in every locale.

use super::{Part, locales::Locale, number::Width};

/// The plural category of a number, with the digits behind its point as they are written.
pub(crate) fn plural(language: &str, number: f64, fraction: usize, ordinal: bool) -> &'static str {
    let number = number.abs();
    let whole = fraction == 0 && number.fract() == 0.0;
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
        "fr" | "es" if whole && number > 0.0 && number % 1e6 == 0.0 => "many",
        "es" if number == 1.0 => "one",
        _ if whole && number == 1.0 => "one",
        _ => "other",
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
        "sv" => ("och", "eller"),
        _ => ("and", "or"),
    };
    let english = locale.language() == "en";
    let american = matches!(locale.tag, "en-US" | "en-CA");
    let word = match (kind, width) {
        (ListKind::Disjunction, _) => format!(" {or} "),
        (ListKind::Conjunction, Width::Short) if american => " & ".into(),
        (ListKind::Conjunction, Width::Narrow) if american => ", ".into(),
        (ListKind::Unit, Width::Narrow) => " ".into(),
        (ListKind::Unit, _) if english || width == Width::Short => ", ".into(),
        (ListKind::Conjunction | ListKind::Unit, _) => format!(" {and} "),
    };
    let comma = if (kind, width) == (ListKind::Unit, Width::Narrow) { " " } else { ", " };
    let serial = american && items.len() > 2 && kind != ListKind::Unit && word != ", ";
    let mut parts = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 && index + 1 < items.len() {
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
    let shown = if width == Width::Long { name } else { short };
    Some(match (number, *name) {
        (0.0, "second") => "now".into(),
        (0.0, "minute" | "hour") => format!("this {name}"),
        (_, "second" | "minute" | "hour") => return None,
        (-1.0, "day") => "yesterday".into(),
        (0.0, "day") => "today".into(),
        (1.0, "day") => "tomorrow".into(),
        (-1.0, _) => format!("last {shown}"),
        (0.0, _) => format!("this {shown}"),
        (1.0, _) => format!("next {shown}"),
        _ => return None,
    })
}

/// `in 3 days` or `3 days ago`, around a number that is already text.
pub(crate) fn relative(number: &str, past: bool, span: usize, width: Width) -> String {
    let Some((name, short, narrow)) = SPANS.get(span) else { return String::new() };
    let plural = if number == "1" { "" } else { "s" };
    let quantity = match (width, *name) {
        (Width::Long, _) | (Width::Short, "day") => format!("{number} {name}{plural}"),
        (Width::Short, "quarter") if number != "1" => format!("{number} qtrs."),
        (Width::Short, _) => format!("{number} {short}"),
        (Width::Narrow, _) => format!("{number}{narrow}"),
    };
    if past { format!("{quantity} ago") } else { format!("in {quantity}") }
}
