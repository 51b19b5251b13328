//! The known locales, and which of them a language tag means.
//!
//! Border: data and lookup; what a field means is known by those who format.

use icu_locale_core::Locale as Tag;

/// The lines of a data file, in this order. A line `^` is the same as in the first file of the
/// language. A `|` separates items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Field {
    Decimal,          // The decimal sign
    Group,            // Between groups of digits
    Minus,            // The minus sign
    MinGroup,         // Digits that must stand before the first group
    Indian,           // Whether groups above the first have two digits
    Percent,          // The percent pattern
    Nan,              // How a number that is none is written
    Currency, // Currency patterns: positive, negative, accounting, with an unknown currency's code
    Symbols,  // The symbols of [`super::number::CURRENCIES`]
    CurrencyNames, // Their names, for one and for several
    NameGlue, // Between a number and a currency's name
    CompactShort, // Compact patterns from 10³ to 10¹⁴, for one and for several
    CompactLong, // The same in words
    UnitsShort, // The short forms of [`super::number::UNITS`], for one and for several
    UnitsLong, // The long forms, or `-`
    UnitsNarrow, // The narrow forms, or `-`
    Months,   // Names of months beside a day
    MonthsAlone, // Names of months alone
    MonthsShort, // Short names of months beside a day
    MonthsShortAlone, // Short names of months alone
    Weekdays, // Names of weekdays from Sunday
    WeekdaysShort, // Short names of weekdays
    WeekdaysShortIn, // Short names of weekdays beside other fields
    Dates,    // Date patterns, see [`super::date`]
    Twelve,   // Whether a day has twice twelve hours
    Times,    // Time patterns: hour, minutes, seconds, with twelve hours and with 24
    MinuteSecond, // Minutes and seconds
    Periods,  // The halves of the day
    DateStyles, // Patterns of `dateStyle`: full, long, medium, short
    TimeStyles, // Patterns of `timeStyle`
    Glue,     // Between date and time: numeric, short, long month, weekday; styles short to full
    Gmt,      // How an offset from UTC begins, and its minus sign
    Zones,    // Zone abbreviations in use here: `CET60` or `CET60=MEZ`
    ZonesLong, // Names of zones: `CET60=…`
}

macro_rules! files {
    ($($tag:literal),*) => {
        &[$(($tag, include_str!(concat!("data/", $tag, ".txt")))),*]
    };
}

/// The first of a language stands for it. Sweden's and Canada's dates are how programs ask for
/// `2024-03-07`.
const FILES: &[(&str, &str)] = files![
    "en-US", "en-GB", "en-CA", "en-IN", "de-DE", "de-CH", "fr-FR", "es-ES", "ja-JP", "sv-SE"
];

/// One locale's data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Locale {
    /// Its tag, for example `en-US`.
    pub(crate) tag: &'static str,
    own: &'static str,
    base: &'static str,
}

impl Locale {
    /// `en-US`.
    pub(crate) fn default() -> Self {
        let (tag, own) = FILES.first().copied().unwrap_or_default();
        Self { tag, own, base: own }
    }

    /// The language part of its tag.
    pub(crate) fn language(&self) -> &'static str {
        language(self.tag)
    }

    /// A whole field.
    pub(crate) fn text(&self, field: Field) -> &'static str {
        let at = field as usize;
        match self.own.lines().nth(at) {
            Some("^") => self.base.lines().nth(at).unwrap_or_default(),
            line => line.unwrap_or_default(),
        }
    }

    /// One item of a field; empty when there is none.
    pub(crate) fn item(&self, field: Field, index: usize) -> &'static str {
        self.text(field).split('|').nth(index).unwrap_or_default()
    }

    /// The value of `key` among items `key=value`.
    pub(crate) fn value(&self, field: Field, key: &str) -> Option<&'static str> {
        let mut items = self.text(field).split('|');
        items.find_map(|item| match item.split_once('=') {
            Some((name, value)) => (name == key).then_some(value),
            None => (item == key).then(|| item.trim_end_matches(|c: char| !c.is_alphabetic())),
        })
    }
}

fn language(tag: &str) -> &str {
    tag.split('-').next().unwrap_or_default()
}

/// The data for a tag: the tag's own, else its language's; `None` for other languages.
pub(crate) fn find(tag: &Tag) -> Option<Locale> {
    let spoken = tag.id.language.as_str();
    let (first, base) = FILES.iter().find(|(known, _)| language(known) == spoken).copied()?;
    let wanted = match tag.id.to_string().as_str() {
        // English outside America is nearer to the British.
        "en-AU" | "en-NZ" | "en-IE" | "en-ZA" | "en-SG" | "en-HK" | "en-150" | "en-001" => {
            "en-GB".to_owned()
        }
        other => other.to_owned(),
    };
    let own = FILES.iter().find(|(known, _)| *known == wanted);
    let (tag, own) = own.copied().unwrap_or((first, base));
    Some(Locale { tag, own, base })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_has_every_field() {
        for (tag, text) in FILES {
            assert_eq!(text.lines().count(), Field::ZonesLong as usize + 1, "{tag}");
        }
    }
}
