//! Units of measure, as far as texts name them behind a number.

use crate::text::Token;

/// What a number measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Unit {
    Percent,
    PercentagePoint,
    Dollar,
    Euro,
    Pound,
    Yen,
    Rupee,
    Crown,
    Franc,
    Yuan,
    Millimetre,
    Centimetre,
    Metre,
    Kilometre,
    Inch,
    Foot,
    Yard,
    Mile,
    Hectare,
    Acre,
    Microgram,
    Milligram,
    Gram,
    Kilogram,
    Tonne,
    Kilotonne,
    Ounce,
    Litre,
    Gallon,
    Second,
    Minute,
    Hour,
    Day,
    Week,
    Month,
    Year,
    Decade,
    Century,
    Celsius,
    Fahrenheit,
    Kelvin,
    Watt,
    Kilowatt,
    Megawatt,
    Gigawatt,
    WattHour,
    KilowattHour,
    MegawattHour,
    GigawattHour,
    Volt,
    Hertz,
    Megahertz,
    Gigahertz,
    Kilobyte,
    Megabyte,
    Gigabyte,
    Terabyte,
}

/// The names of units, singular and plural.
const NAMES: &[(Unit, &[&str])] = &[
    (Unit::Percent, &["%", "percent", "pct", "prozent", "procent"]),
    (Unit::Dollar, &["$", "dollar", "dollars", "usd"]),
    (Unit::Euro, &["€", "euro", "euros", "eur"]),
    (Unit::Pound, &["£", "pound", "pounds", "gbp", "lb", "lbs"]),
    (Unit::Yen, &["¥", "yen", "jpy"]),
    (Unit::Rupee, &["₹", "rupee", "rupees", "inr"]),
    (Unit::Crown, &["krone", "kroner", "krona", "kronor", "nok", "sek", "dkk"]),
    (Unit::Franc, &["franc", "francs", "chf"]),
    (Unit::Yuan, &["yuan", "renminbi", "cny", "rmb"]),
    (Unit::Millimetre, &["mm", "millimetre", "millimetres", "millimeter", "millimeters"]),
    (Unit::Centimetre, &["cm", "centimetre", "centimetres", "centimeter", "centimeters"]),
    (Unit::Metre, &["metre", "metres", "meter", "meters"]),
    (Unit::Kilometre, &["km", "kilometre", "kilometres", "kilometer", "kilometers"]),
    (Unit::Inch, &["inch", "inches"]),
    (Unit::Foot, &["ft", "foot", "feet"]),
    (Unit::Yard, &["yd", "yard", "yards"]),
    (Unit::Mile, &["mi", "mile", "miles"]),
    (Unit::Hectare, &["ha", "hectare", "hectares"]),
    (Unit::Acre, &["acre", "acres"]),
    (Unit::Microgram, &["µg", "μg", "mcg", "microgram", "micrograms"]),
    (Unit::Milligram, &["mg", "milligram", "milligrams"]),
    (Unit::Gram, &["gram", "grams"]),
    (Unit::Kilogram, &["kg", "kilogram", "kilograms", "kilo", "kilos"]),
    (Unit::Tonne, &["tonne", "tonnes", "ton", "tons"]),
    (Unit::Kilotonne, &["kilotonne", "kilotonnes", "kiloton", "kilotons"]),
    (Unit::Ounce, &["oz", "ounce", "ounces"]),
    (Unit::Litre, &["litre", "litres", "liter", "liters"]),
    (Unit::Gallon, &["gallon", "gallons"]),
    (Unit::Second, &["sec", "second", "seconds"]),
    (Unit::Minute, &["min", "minute", "minutes"]),
    (Unit::Hour, &["hr", "hour", "hours"]),
    (Unit::Day, &["day", "days"]),
    (Unit::Week, &["week", "weeks"]),
    (Unit::Month, &["month", "months"]),
    (Unit::Year, &["yr", "year", "years"]),
    (Unit::Decade, &["decade", "decades"]),
    (Unit::Century, &["century", "centuries"]),
    (Unit::Celsius, &["celsius", "centigrade"]),
    (Unit::Fahrenheit, &["fahrenheit"]),
    (Unit::Kelvin, &["kelvin"]),
    (Unit::Watt, &["watt", "watts"]),
    (Unit::Kilowatt, &["kw", "kilowatt", "kilowatts"]),
    (Unit::Megawatt, &["mw", "megawatt", "megawatts"]),
    (Unit::Gigawatt, &["gw", "gigawatt", "gigawatts"]),
    (Unit::WattHour, &["wh"]),
    (Unit::KilowattHour, &["kwh"]),
    (Unit::MegawattHour, &["mwh"]),
    (Unit::GigawattHour, &["gwh"]),
    (Unit::Volt, &["volt", "volts"]),
    (Unit::Hertz, &["hz", "hertz"]),
    (Unit::Megahertz, &["mhz", "megahertz"]),
    (Unit::Gigahertz, &["ghz", "gigahertz"]),
    (Unit::Kilobyte, &["kb", "kilobyte", "kilobytes"]),
    (Unit::Megabyte, &["mb", "megabyte", "megabytes"]),
    (Unit::Gigabyte, &["gb", "gigabyte", "gigabytes"]),
    (Unit::Terabyte, &["tb", "terabyte", "terabytes"]),
];

fn named(word: &str) -> Option<Unit> {
    NAMES.iter().find(|(_, names)| names.contains(&word)).map(|(unit, _)| *unit)
}

/// The currency that a sign before a number stands for.
#[must_use]
pub fn currency(sign: &str) -> Option<Unit> {
    let is_sign = matches!(sign, "$" | "€" | "£" | "¥" | "₹")
        || matches!(
            sign,
            "usd" | "eur" | "gbp" | "jpy" | "inr" | "chf" | "nok" | "sek" | "dkk" | "cny" | "rmb"
        );
    is_sign.then(|| named(sign))?
}

impl Unit {
    /// Whether it measures a way: so much an hour is another thing than so much.
    #[must_use]
    pub const fn is_way(self) -> bool {
        matches!(self, Unit::Metre | Unit::Kilometre | Unit::Foot | Unit::Mile)
    }
}

/// Whether the token behind a unit says that it is so much of it an hour or the like.
#[must_use]
pub fn begins_rate(token: &Token) -> bool {
    let is_divisor = token.before == '/' && token.is_word();
    let is_word = matches!(token.word.as_str(), "per" | "a" | "an" | "each" | "every");
    is_divisor || (!token.opens && !token.begins && (is_word || token.word.ends_with("ly")))
}

/// The unit that these tokens, behind a number, begin with, and how many of them name it. Single letters are
/// units only right behind it.
#[must_use]
pub fn of(tokens: &[Token], is_touching: bool) -> Option<(Unit, usize)> {
    let word = tokens.first()?.word.as_str();
    let next = tokens.get(1).map(|token| token.word.as_str());
    match (word, next) {
        ("pour", Some("cent")) | ("por", Some("ciento")) | ("per", Some("cento")) => {
            Some((Unit::Percent, 2))
        }
        ("per", Some("cent")) => Some((Unit::Percent, 2)),
        ("percentage", Some("point" | "points")) => Some((Unit::PercentagePoint, 2)),
        ("°" | "degree" | "degrees", Some("c" | "celsius")) => Some((Unit::Celsius, 2)),
        ("°" | "degree" | "degrees", Some("f" | "fahrenheit")) => Some((Unit::Fahrenheit, 2)),
        ("us" | "american", Some("dollars")) => Some((Unit::Dollar, 2)),
        ("m", _) => Some((Unit::Metre, 1)),
        ("g", _) if is_touching => Some((Unit::Gram, 1)),
        ("w", _) if is_touching => Some((Unit::Watt, 1)),
        ("v", _) if is_touching => Some((Unit::Volt, 1)),
        _ => named(word).map(|unit| (unit, 1)),
    }
}
