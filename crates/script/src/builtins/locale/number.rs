//! Numbers as text: decimal, percent, currency, unit; standard, compact, scientific, engineering.
//!
//! Border: takes checked options and gives text. Decimal digits are Latin in every locale.

use fixed_decimal::{UnsignedDecimal, UnsignedRoundingMode};

pub(crate) use super::style::{
    CURRENCIES, CurrencyDisplay, Digits, Grouping, Notation, SignDisplay, Style, UNITS, Width,
    minor_digits,
};
use super::{
    locales::{Field, Locale},
    style::NARROW,
};

/// A number by its sign and size.
#[derive(Debug, Clone)]
pub(crate) struct Number {
    negative: bool,
    size: Size,
}

#[derive(Debug, Clone)]
enum Size {
    Nan,
    Infinity,
    Finite(UnsignedDecimal),
}

impl Number {
    /// A double is taken by its shortest digits, as ICU does: 1.005 is 1.005, not the binary
    /// fraction a little below.
    pub(crate) fn from_f64(number: f64) -> Self {
        let size = match UnsignedDecimal::try_from_str(&number.abs().to_string()) {
            Ok(decimal) => Size::Finite(decimal),
            Err(_) if number.is_nan() => Size::Nan,
            Err(_) => Size::Infinity,
        };
        Self { negative: number.is_sign_negative() && !number.is_nan(), size }
    }

    /// From the digits of an integer, with a `-` in front when it is negative; [`None`] when it has
    /// more than some 32,000 of them.
    pub(crate) fn from_integer(text: &str) -> Option<Self> {
        let decimal = UnsignedDecimal::try_from_str(text.trim_start_matches('-')).ok()?;
        Some(Self { negative: text.starts_with('-'), size: Size::Finite(decimal) })
    }
}

/// All of it.
#[derive(Debug, Clone)]
pub(crate) struct NumberFormat {
    pub(crate) locale: Locale,
    pub(crate) style: Style,
    pub(crate) notation: Notation,
    /// Whether a compact one has words.
    pub(crate) long: bool,
    pub(crate) sign: SignDisplay,
    pub(crate) grouping: Grouping,
    /// Digits before the point, at least.
    pub(crate) integer: u8,
    pub(crate) digits: Digits,
}

impl NumberFormat {
    /// As `toLocaleString()` does without options.
    pub(crate) fn plain(locale: Locale) -> Self {
        Self {
            locale,
            style: Style::Decimal,
            notation: Notation::Standard,
            long: false,
            sign: SignDisplay::Auto,
            grouping: Grouping::Auto,
            integer: 1,
            digits: Digits::Fraction(0, 3),
        }
    }

    /// The text of a number.
    pub(crate) fn text(&self, number: &Number) -> String {
        let (text, one, zero) = match &number.size {
            Size::Nan => (self.locale.text(Field::Nan).to_owned(), false, true),
            Size::Infinity => ("∞".to_owned(), false, false),
            Size::Finite(decimal) => {
                let mut decimal = decimal.clone();
                if self.style == Style::Percent {
                    decimal.multiply_pow10(2);
                }
                let (text, one) = match self.notation {
                    Notation::Standard => {
                        self.round(&mut decimal);
                        self.write(&mut decimal)
                    }
                    Notation::Scientific | Notation::Engineering => {
                        (self.exponential(&mut decimal), false)
                    }
                    Notation::Compact => self.compact(&mut decimal),
                };
                (text, one, decimal.is_zero())
            }
        };
        self.surround(&text, self.sign(number.negative, zero), one)
    }

    /// The sign to write, or nothing.
    fn sign(&self, negative: bool, zero: bool) -> &'static str {
        let written = match self.sign {
            SignDisplay::Never => false,
            SignDisplay::Auto => negative,
            SignDisplay::Negative => negative && !zero,
            SignDisplay::Always => true,
            SignDisplay::ExceptZero => !zero,
        };
        match (written, negative) {
            (false, _) => "",
            (true, true) => self.locale.text(Field::Minus),
            (true, false) => "+",
        }
    }

    /// To the nearest, a half away from zero.
    fn round(&self, number: &mut UnsignedDecimal) {
        let magnitude = number.nonzero_magnitude_start();
        let position = match self.digits {
            Digits::Fraction(_, most) => -i16::from(most),
            Digits::Significant(_, most) => magnitude + 1 - i16::from(most),
            Digits::Compact if magnitude >= 1 => 0,
            Digits::Compact => magnitude - 1,
        };
        number.round_with_mode(position, UnsignedRoundingMode::HalfExpand);
        number.trim_end();
    }

    /// Writes what is rounded; says whether the text counts as one of its kind.
    fn write(&self, number: &mut UnsignedDecimal) -> (String, bool) {
        number.pad_end(match self.digits {
            Digits::Fraction(least, _) => -i16::from(least),
            Digits::Significant(least, _) => {
                (number.nonzero_magnitude_start() + 1 - i16::from(least)).min(0)
            }
            Digits::Compact => 0,
        });
        number.pad_start(self.integer.into());
        let text = number.to_string();
        let (integer, fraction) = text.split_once('.').unwrap_or((&text, ""));
        let mut written = self.group(integer);
        if !fraction.is_empty() {
            written += self.locale.text(Field::Decimal);
            written += fraction;
        }
        let integer = integer.trim_start_matches('0');
        let one = match self.locale.language() {
            "ja" => false,
            "fr" => matches!(integer, "" | "1"),
            "es" => integer == "1" && fraction.bytes().all(|digit| digit == b'0'),
            _ => integer == "1" && fraction.is_empty(),
        };
        (written, one)
    }

    /// The integer's digits in groups.
    fn group(&self, integer: &str) -> String {
        let least = match self.grouping {
            Grouping::Never => usize::MAX,
            Grouping::Always => 1,
            Grouping::Min2 => 2,
            Grouping::Auto => self.locale.text(Field::MinGroup).parse().unwrap_or(1),
        };
        if integer.len() < least.saturating_add(3) {
            return integer.to_owned();
        }
        let upper = if self.locale.text(Field::Indian) == "true" { 2 } else { 3 };
        let (head, last) = integer.split_at(integer.len() - 3);
        let mut written = String::new();
        for (index, digit) in head.chars().enumerate() {
            if index > 0 && (head.len() - index).is_multiple_of(upper) {
                written += self.locale.text(Field::Group);
            }
            written.push(digit);
        }
        written + self.locale.text(Field::Group) + last
    }

    fn exponential(&self, number: &mut UnsignedDecimal) -> String {
        let exponent = |number: &UnsignedDecimal| match number.nonzero_magnitude_start() {
            magnitude if self.notation == Notation::Engineering => magnitude.div_euclid(3) * 3,
            magnitude => magnitude,
        };
        let before = exponent(number);
        number.multiply_pow10(-before);
        self.round(number);
        // Rounding 9.99 gives 10, which is 1 × 10¹.
        let after = exponent(number);
        number.multiply_pow10(-after);
        number.trim_end();
        let (digits, _) = self.write(number);
        let power = before + after;
        let minus = if power < 0 { self.locale.text(Field::Minus) } else { "" };
        format!("{digits}E{minus}{}", power.unsigned_abs())
    }

    fn compact(&self, number: &mut UnsignedDecimal) -> (String, bool) {
        let field = if self.long { Field::CompactLong } else { Field::CompactShort };
        let original = number.clone();
        let mut magnitude = number.nonzero_magnitude_start();
        // Twice at most: rounding can lead to the next power of ten.
        loop {
            let (power, index) = self.compact_power(field, magnitude);
            *number = original.clone().multiplied_pow10(-power);
            self.round(number);
            let reached = number.nonzero_magnitude_start() + power;
            if reached > magnitude && !number.is_zero() {
                magnitude = reached;
                continue;
            }
            let (text, one) = self.write(number);
            let Some(index) = index else { return (text, one) };
            let several = self.locale.item(field, index + 12);
            let single = self.locale.item(field, index);
            let pattern = if one || several.is_empty() { single } else { several };
            return (text + pattern.trim_start_matches(|c: char| c.is_ascii_digit()), one);
        }
    }

    /// The power of ten that a compact word stands for, and where its pattern is.
    fn compact_power(&self, field: Field, magnitude: i16) -> (i16, Option<usize>) {
        let Ok(index) = usize::try_from(magnitude.min(14) - 3) else { return (0, None) };
        let pattern = self.locale.item(field, index);
        let zeros: i16 =
            pattern.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(1);
        (magnitude.min(14) + 1 - zeros, Some(index))
    }

    /// Puts sign, currency, percent sign or unit around the digits.
    fn surround(&self, digits: &str, sign: &str, one: bool) -> String {
        match &self.style {
            Style::Decimal => format!("{sign}{digits}"),
            Style::Percent => {
                let percent = self.locale.text(Field::Percent);
                format!("{sign}{}", percent.replace('#', digits))
            }
            Style::Currency { code, display, accounting } => {
                self.currency(digits, sign, one, (code, *display, *accounting))
            }
            Style::Unit { unit, width } => {
                format!("{sign}{digits}{}", self.unit(*unit, *width, one))
            }
        }
    }

    /// The unit's name with the space before it.
    fn unit(&self, unit: usize, width: Width, one: bool) -> &'static str {
        let wanted = match width {
            Width::Short => Field::UnitsShort,
            Width::Long => Field::UnitsLong,
            Width::Narrow => Field::UnitsNarrow,
        };
        let field = if self.locale.text(wanted) == "-" { Field::UnitsShort } else { wanted };
        let several = self.locale.item(field, unit * 2 + 1);
        if one || several.is_empty() { self.locale.item(field, unit * 2) } else { several }
    }

    fn currency(
        &self,
        digits: &str,
        sign: &str,
        one: bool,
        (code, display, accounting): (&str, CurrencyDisplay, bool),
    ) -> String {
        let known = CURRENCIES.iter().position(|known| *known == code);
        let mark = match (known, display) {
            (Some(at), CurrencyDisplay::Symbol) => self.locale.item(Field::Symbols, at),
            (Some(at), CurrencyDisplay::NarrowSymbol) => {
                NARROW.get(at).copied().unwrap_or_default()
            }
            (Some(at), CurrencyDisplay::Name) => {
                self.locale.item(Field::CurrencyNames, at * 2 + usize::from(!one))
            }
            _ => code,
        };
        if display == CurrencyDisplay::Name {
            return format!("{sign}{digits}{}{mark}", self.locale.text(Field::NameGlue));
        }
        let pattern = match sign {
            "" => self.locale.item(Field::Currency, 0),
            "+" => self.locale.item(Field::Currency, 1),
            _ if accounting => self.locale.item(Field::Currency, 2),
            _ => self.locale.item(Field::Currency, 1),
        };
        // Letters do not touch digits.
        let blank = if mark.ends_with(char::is_alphabetic) { "¤\u{a0}#" } else { "¤#" };
        let pattern = pattern.replace("¤#", blank).replace('-', sign);
        pattern.replace('¤', mark).replace('#', digits)
    }
}
