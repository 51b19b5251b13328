//! What a number format can be asked for: styles, notations, signs, digits; currencies and units.
//!
//! Border: words only; [`super::number`] acts on them.

use strum::{EnumString, VariantNames};

/// The currencies whose symbols and names the data knows; others are written by their code.
pub(crate) const CURRENCIES: &[&str] =
    &["USD", "EUR", "GBP", "JPY", "CHF", "CNY", "INR", "CAD", "AUD", "KRW", "BRL", "MXN"];

/// Symbols where the country is clear, in the order of [`CURRENCIES`].
pub(super) const NARROW: &[&str] = &["$", "€", "£", "¥", "CHF", "¥", "₹", "$", "$", "₩", "R$", "$"];

/// Currencies without decimals.
const WHOLE: &[&str] = &[
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
    "VUV", "XAF", "XOF", "XPF",
];

/// Currencies with three.
const THOUSANDTHS: &[&str] = &["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"];

/// The units that the data knows, in its order.
pub(crate) const UNITS: &str = "kilometer meter centimeter millimeter mile yard foot inch kilogram gram pound ounce liter \
    milliliter gallon celsius fahrenheit percent millisecond second minute hour day week month \
    year bit byte kilobyte megabyte gigabyte terabyte degree hectare acre kilometer-per-hour \
    mile-per-hour meter-per-second";

/// Digits behind the point that a currency has.
pub(crate) fn minor_digits(currency: &str) -> u8 {
    if WHOLE.contains(&currency) {
        0
    } else if THOUSANDTHS.contains(&currency) {
        3
    } else {
        2
    }
}

/// How wide names are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Width {
    Short,
    Long,
    Narrow,
}

/// How a currency is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum CurrencyDisplay {
    Symbol,
    NarrowSymbol,
    Code,
    Name,
}

/// What the number counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Style {
    Decimal,
    Percent,
    Currency {
        code: String,
        display: CurrencyDisplay,
        accounting: bool,
    },
    /// A place among [`UNITS`].
    Unit {
        unit: usize,
        width: Width,
    },
}

/// How large and small numbers are shortened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum Notation {
    Standard,
    Scientific,
    Engineering,
    Compact,
}

/// When a sign is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, EnumString, VariantNames)]
#[strum(serialize_all = "camelCase")]
pub(crate) enum SignDisplay {
    Auto,
    Always,
    Never,
    ExceptZero,
    Negative,
}

/// When digits are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grouping {
    Never,
    /// As the locale does.
    Auto,
    Always,
    /// Only where two digits stand before the first group.
    Min2,
}

/// How many digits are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Digits {
    /// Behind the point, at least and at most.
    Fraction(u8, u8),
    /// In all, at least and at most.
    Significant(u8, u8),
    /// Two digits in all, or more when they stand before the point.
    Compact,
}
