//! Units of measure, as far as texts name them behind a number.

use crate::text::{Gate, Shape, Token};

/// What a number measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names say it")]
pub enum Unit {
    Percent,
    PercentagePoint,
    Dollar,
    CanadianDollar,
    AustralianDollar,
    NewZealandDollar,
    HongKongDollar,
    SingaporeDollar,
    TaiwanDollar,
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
    NauticalMile,
    Knot,
    SquareMillimetre,
    SquareCentimetre,
    SquareMetre,
    SquareKilometre,
    SquareInch,
    SquareFoot,
    SquareYard,
    SquareMile,
    CubicMillimetre,
    CubicCentimetre,
    CubicMetre,
    CubicKilometre,
    CubicInch,
    CubicFoot,
    CubicYard,
    CubicMile,
    Hectare,
    Acre,
    Microgram,
    Milligram,
    Gram,
    Kilogram,
    Tonne,
    Kilotonne,
    Ounce,
    Millilitre,
    Centilitre,
    Decilitre,
    Litre,
    Hectolitre,
    Gallon,
    /// An hour before noon: `10 am`.
    BeforeNoon,
    /// One behind it: `10 pm`.
    AfterNoon,
    Millisecond,
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
    (Unit::CanadianDollar, &["cad"]),
    (Unit::AustralianDollar, &["aud"]),
    (Unit::NewZealandDollar, &["nzd"]),
    (Unit::HongKongDollar, &["hkd"]),
    (Unit::SingaporeDollar, &["sgd"]),
    (Unit::TaiwanDollar, &["twd"]),
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
    (
        Unit::Kilometre,
        &["km", "kilometre", "kilometres", "kilometer", "kilometers", "kph", "kmh", "kmph"],
    ),
    (Unit::Inch, &["inch", "inches"]),
    (Unit::Foot, &["ft", "foot", "feet"]),
    (Unit::Yard, &["yd", "yard", "yards"]),
    (Unit::Mile, &["mi", "mile", "miles", "mph"]),
    (Unit::NauticalMile, &["nmi"]),
    (Unit::Knot, &["knot", "knots"]),
    (Unit::SquareMillimetre, &["mm2"]),
    (Unit::SquareCentimetre, &["cm2"]),
    (Unit::SquareMetre, &["m2", "sqm", "quadratmeter"]),
    (Unit::SquareKilometre, &["km2", "sqkm", "quadratkilometer"]),
    (Unit::SquareFoot, &["ft2", "sqft"]),
    (Unit::SquareMile, &["mi2"]),
    (Unit::CubicMillimetre, &["mm3"]),
    (Unit::CubicCentimetre, &["cm3"]),
    (Unit::CubicMetre, &["m3", "kubikmeter"]),
    (Unit::CubicKilometre, &["km3", "kubikkilometer"]),
    (Unit::CubicFoot, &["ft3"]),
    (Unit::Hectare, &["ha", "hectare", "hectares"]),
    (Unit::Acre, &["acre", "acres"]),
    (Unit::Microgram, &["µg", "μg", "mcg", "microgram", "micrograms"]),
    (Unit::Milligram, &["mg", "milligram", "milligrams"]),
    (Unit::Gram, &["gram", "grams"]),
    (Unit::Kilogram, &["kg", "kilogram", "kilograms", "kilo", "kilos"]),
    (Unit::Tonne, &["tonne", "tonnes", "ton", "tons"]),
    (Unit::Kilotonne, &["kilotonne", "kilotonnes", "kiloton", "kilotons"]),
    (Unit::Ounce, &["oz", "ounce", "ounces"]),
    (Unit::Millilitre, &["ml", "millilitre", "millilitres", "milliliter", "milliliters"]),
    (Unit::Centilitre, &["cl", "centilitre", "centilitres", "centiliter", "centiliters"]),
    (Unit::Decilitre, &["dl", "decilitre", "decilitres", "deciliter", "deciliters"]),
    (Unit::Hectolitre, &["hl", "hectolitre", "hectolitres", "hectoliter", "hectoliters"]),
    (Unit::BeforeNoon, &["am"]),
    (Unit::AfterNoon, &["pm"]),
    (Unit::Litre, &["litre", "litres", "liter", "liters"]),
    (Unit::Gallon, &["gallon", "gallons"]),
    (Unit::Millisecond, &["ms", "msec", "millisecond", "milliseconds"]),
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

const fn gate_of(names: &[(Unit, &[&str])]) -> Gate {
    let (mut gate, mut rest) = (Gate::of(&[]), names);
    while let [(_, row), others @ ..] = rest {
        let mut row = *row;
        while let [name, more @ ..] = row {
            gate = gate.with(name);
            row = more;
        }
        rest = others;
    }
    gate
}

fn named(word: &str) -> Option<Unit> {
    const GATE: Gate = gate_of(NAMES);
    if !GATE.may_have(word) {
        return None;
    }
    NAMES.iter().find(|(_, names)| names.contains(&word)).map(|(unit, _)| *unit)
}

/// The currency that the sign before a number stands for: `$`, `HK$`, `CAD`.
#[must_use]
pub fn currency(before: &[Token]) -> Option<Unit> {
    let sign = before.last()?;
    let word = sign.word.as_str();
    if word == "$" {
        let land = before.len().checked_sub(2).and_then(|at| before.get(at));
        let land = land.filter(|it| it.is_name() && it.touches(sign));
        return Some(match land.map_or("", |it| it.word.as_str()) {
            "c" | "ca" | "cad" => Unit::CanadianDollar,
            "a" | "au" | "aud" => Unit::AustralianDollar,
            "nz" | "nzd" => Unit::NewZealandDollar,
            "hk" | "hkd" => Unit::HongKongDollar,
            "s" | "sgd" => Unit::SingaporeDollar,
            "nt" | "twd" => Unit::TaiwanDollar,
            _ => Unit::Dollar,
        });
    }
    let is_sign = matches!(word, "€" | "£" | "¥" | "₹")
        || matches!(
            word,
            "usd" | "eur" | "gbp" | "jpy" | "inr" | "chf" | "nok" | "sek" | "dkk" | "cny" | "rmb"
        )
        || matches!(word, "cad" | "aud" | "nzd" | "hkd" | "sgd" | "twd");
    is_sign.then(|| named(word))?
}

/// What a length is taken to.
#[derive(Debug, Clone, Copy)]
enum Power {
    Square,
    Cubic,
}

impl Unit {
    /// Whether it measures a way: so much an hour is another thing than so much.
    #[must_use]
    pub const fn is_way(self) -> bool {
        matches!(self, Unit::Metre | Unit::Kilometre | Unit::Foot | Unit::Mile | Unit::NauticalMile)
    }

    /// How many of the least unit of its row it has, with which row that is: `km` and `m` are of one.
    #[must_use]
    pub const fn in_least(self) -> Option<(Unit, f64)> {
        Some(match self {
            Unit::Millimetre => (Unit::Millimetre, 1.0),
            Unit::Centimetre => (Unit::Millimetre, 10.0),
            Unit::Metre => (Unit::Millimetre, 1e3),
            Unit::Kilometre => (Unit::Millimetre, 1e6),
            Unit::Milligram => (Unit::Milligram, 1.0),
            Unit::Gram => (Unit::Milligram, 1e3),
            Unit::Kilogram => (Unit::Milligram, 1e6),
            Unit::Tonne => (Unit::Milligram, 1e9),
            Unit::Millilitre => (Unit::Millilitre, 1.0),
            Unit::Litre => (Unit::Millilitre, 1e3),
            Unit::Millisecond => (Unit::Millisecond, 1.0),
            Unit::Second => (Unit::Millisecond, 1e3),
            Unit::Minute => (Unit::Millisecond, 6e4),
            Unit::Hour => (Unit::Millisecond, 3.6e6),
            Unit::Watt => (Unit::Watt, 1.0),
            Unit::Kilowatt => (Unit::Watt, 1e3),
            Unit::Megawatt => (Unit::Watt, 1e6),
            Unit::Gigawatt => (Unit::Watt, 1e9),
            _ => return None,
        })
    }

    /// Whether it is an hour of a day, of which a text may name several for one thing.
    #[must_use]
    pub const fn is_hour_of_day(self) -> bool {
        matches!(self, Unit::BeforeNoon | Unit::AfterNoon)
    }

    /// Whether it is money.
    #[must_use]
    pub const fn is_currency(self) -> bool {
        matches!(
            self,
            Unit::Dollar
                | Unit::Euro
                | Unit::Pound
                | Unit::Yen
                | Unit::Rupee
                | Unit::Crown
                | Unit::Franc
                | Unit::Yuan
        ) || self.is_dollar_of_a_land()
    }

    const fn is_dollar_of_a_land(self) -> bool {
        matches!(
            self,
            Unit::CanadianDollar
                | Unit::AustralianDollar
                | Unit::NewZealandDollar
                | Unit::HongKongDollar
                | Unit::SingaporeDollar
                | Unit::TaiwanDollar
        )
    }

    /// The unit of areas or of rooms that it makes.
    const fn raised(self, power: Power) -> Option<Unit> {
        Some(match (power, self) {
            (Power::Square, Unit::Millimetre) => Unit::SquareMillimetre,
            (Power::Square, Unit::Centimetre) => Unit::SquareCentimetre,
            (Power::Square, Unit::Metre) => Unit::SquareMetre,
            (Power::Square, Unit::Kilometre) => Unit::SquareKilometre,
            (Power::Square, Unit::Inch) => Unit::SquareInch,
            (Power::Square, Unit::Foot) => Unit::SquareFoot,
            (Power::Square, Unit::Yard) => Unit::SquareYard,
            (Power::Square, Unit::Mile) => Unit::SquareMile,
            (Power::Cubic, Unit::Millimetre) => Unit::CubicMillimetre,
            (Power::Cubic, Unit::Centimetre) => Unit::CubicCentimetre,
            (Power::Cubic, Unit::Metre) => Unit::CubicMetre,
            (Power::Cubic, Unit::Kilometre) => Unit::CubicKilometre,
            (Power::Cubic, Unit::Inch) => Unit::CubicInch,
            (Power::Cubic, Unit::Foot) => Unit::CubicFoot,
            (Power::Cubic, Unit::Yard) => Unit::CubicYard,
            (Power::Cubic, Unit::Mile) => Unit::CubicMile,
            _ => return None,
        })
    }
}

/// Whether the token behind a unit says that it is so much of it an hour or the like.
#[must_use]
pub fn begins_rate(token: &Token) -> bool {
    let is_divisor = token.before == '/' && token.is_word();
    let is_word = matches!(token.word.as_str(), "per" | "a" | "an" | "each" | "every");
    is_divisor || (!token.opens && !token.begins && (is_word || token.word.ends_with("ly")))
}

/// The unit that these tokens, behind a number, begin with, and how many of them name it. Some single letters are
/// units only right behind it.
#[must_use]
pub fn of(tokens: &[Token], is_touching: bool) -> Option<(Unit, usize)> {
    let first = tokens.first()?;
    let next = tokens.get(1).map(|token| token.word.as_str());
    let raised = |power: Power| Some((length(next?)?.raised(power)?, 2));
    match (first.word.as_str(), next) {
        ("pour", Some("cent")) | ("por", Some("ciento")) | ("per", Some("cento")) => {
            Some((Unit::Percent, 2))
        }
        ("per", Some("cent")) => Some((Unit::Percent, 2)),
        ("percentage", Some("point" | "points")) => Some((Unit::PercentagePoint, 2)),
        ("°" | "degree" | "degrees", Some("c" | "celsius")) => Some((Unit::Celsius, 2)),
        ("°" | "degree" | "degrees", Some("f" | "fahrenheit")) => Some((Unit::Fahrenheit, 2)),
        ("square" | "sq", _) => raised(Power::Square),
        ("cubic", _) => raised(Power::Cubic),
        ("nautical", Some("mile" | "miles")) => Some((Unit::NauticalMile, 2)),
        // Of `a.m.` the stops are no tokens.
        ("a", Some("m")) if first.after == '.' => stopped(tokens).then_some((Unit::BeforeNoon, 2)),
        ("p", Some("m")) if first.after == '.' => stopped(tokens).then_some((Unit::AfterNoon, 2)),
        ("g", _) if is_touching || first.shape == Shape::Lower => Some((Unit::Gram, 1)),
        ("l", _) => Some((Unit::Litre, 1)),
        ("s", _) if is_touching => Some((Unit::Second, 1)),
        ("w", _) if is_touching => Some((Unit::Watt, 1)),
        ("v", _) if is_touching => Some((Unit::Volt, 1)),
        (word, _) => dollars(tokens).or_else(|| {
            let unit = length(word)?;
            Some(raised_behind(unit, tokens).unwrap_or((unit, 1)))
        }),
    }
}

/// A unit of one word; that of a length may be a letter.
fn length(word: &str) -> Option<Unit> {
    if word == "m" { Some(Unit::Metre) } else { named(word) }
}

/// Whether the second token stands right behind the stop of the first: `p.m.`.
const fn stopped(tokens: &[Token]) -> bool {
    matches!(tokens, [first, second, ..] if second.start == first.end + 1)
}

/// Dollars, with the land whose they are: `Hong Kong dollars`.
fn dollars(tokens: &[Token]) -> Option<(Unit, usize)> {
    let word = |at: usize| tokens.get(at).map_or("", |token| token.word.as_str());
    let (unit, words) = match (word(0), word(1)) {
        ("us" | "american", _) => (Unit::Dollar, 1),
        ("united", "states") => (Unit::Dollar, 2),
        ("canadian", _) => (Unit::CanadianDollar, 1),
        ("australian", _) => (Unit::AustralianDollar, 1),
        ("singapore", _) => (Unit::SingaporeDollar, 1),
        ("new", "zealand") => (Unit::NewZealandDollar, 2),
        ("hong", "kong") => (Unit::HongKongDollar, 2),
        ("new", "taiwan") => (Unit::TaiwanDollar, 2),
        _ => return None,
    };
    matches!(word(words), "dollar" | "dollars").then_some((unit, words + 1))
}

/// The unit of areas or of rooms that stands here with its power behind it: `m²`, `metres squared`.
fn raised_behind(unit: Unit, tokens: &[Token]) -> Option<(Unit, usize)> {
    let first = tokens.first()?;
    let next = tokens.get(1).filter(|it| !it.opens && !it.begins);
    let (power, used) = match (first.after, next.map_or("", |it| it.word.as_str())) {
        ('²', _) => (Power::Square, 1),
        ('³', _) => (Power::Cubic, 1),
        (_, "squared") => (Power::Square, 2),
        (_, "cubed") => (Power::Cubic, 2),
        _ => return None,
    };
    Some((unit.raised(power)?, used))
}
