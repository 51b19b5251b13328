//! Numbers as text: decimal, percent, currency, unit; standard, compact, scientific, engineering.
//!
//! Border: takes checked options and gives parts. Decimal digits are Latin in every locale.

pub(crate) use super::style::{
    CURRENCIES, CurrencyDisplay, Digits, Grouping, Notation, SignDisplay, Style, UNITS, Width,
    minor_digits,
};
use super::{
    Part,
    decimal::{Decimal, Special},
    locales::{Field, Locale},
    style::NARROW,
};

/// All of it.
#[derive(Debug, Clone)]
pub(crate) struct NumberFormat {
    pub(crate) locale: Locale,
    pub(crate) style: Style,
    pub(crate) notation: Notation,
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
            sign: SignDisplay::Auto,
            grouping: Grouping::Auto,
            integer: 1,
            digits: Digits::Fraction(0, 3),
        }
    }

    /// The parts of a formatted number.
    pub(crate) fn parts(&self, number: &Decimal) -> Vec<Part> {
        let mut number = number.clone();
        if self.style == Style::Percent {
            number.scale(2);
        }
        let negative = number.negative;
        let mut parts = Vec::new();
        let one = match number.special {
            Some(Special::Nan) => {
                parts.push(Part::new("nan", self.locale.text(Field::Nan)));
                false
            }
            Some(Special::Infinity) => {
                parts.push(Part::new("infinity", "∞"));
                false
            }
            None => self.digits(&mut number, &mut parts),
        };
        let zero = number.is_zero() || number.special == Some(Special::Nan);
        self.surround(parts, self.sign(negative, zero), one)
    }

    fn sign(&self, negative: bool, zero: bool) -> Option<Part> {
        let minus = || Part::new("minusSign", self.locale.text(Field::Minus));
        let plus = || Part::new("plusSign", "+");
        match self.sign {
            SignDisplay::Never => None,
            SignDisplay::Auto => negative.then(minus),
            SignDisplay::Negative => (negative && !zero).then(minus),
            SignDisplay::Always => Some(if negative { minus() } else { plus() }),
            SignDisplay::ExceptZero if zero => None,
            SignDisplay::ExceptZero => Some(if negative { minus() } else { plus() }),
        }
    }

    /// Rounds and writes the digits; says whether the text counts as one of its kind.
    fn digits(&self, number: &mut Decimal, parts: &mut Vec<Part>) -> bool {
        match self.notation {
            Notation::Standard => {
                self.round(number);
                self.write(number, parts)
            }
            Notation::Scientific | Notation::Engineering => {
                self.exponential(number, parts);
                false
            }
            Notation::CompactShort | Notation::CompactLong => self.compact(number, parts),
        }
    }

    fn round(&self, number: &mut Decimal) {
        match self.digits {
            Digits::Fraction(_, most) => number.round_fraction(most.into()),
            Digits::Significant(_, most) => number.round_significant(most.into()),
            Digits::Compact if number.magnitude() >= 1 => number.round_fraction(0),
            Digits::Compact => number.round_significant(2),
        }
    }

    /// Writes what is rounded.
    fn write(&self, number: &Decimal, parts: &mut Vec<Part>) -> bool {
        let (integer, mut fraction) = number.split();
        let least = match self.digits {
            Digits::Fraction(least, _) => least.into(),
            Digits::Significant(least, _) => {
                usize::try_from(i64::from(least) - 1 - number.magnitude()).unwrap_or(0)
            }
            Digits::Compact => 0,
        };
        if fraction.len() < least {
            fraction.push_str(&"0".repeat(least - fraction.len()));
        }
        let integer = format!("{integer:0>width$}", width = self.integer.into());
        self.group(&integer, parts);
        if !fraction.is_empty() {
            parts.push(Part::new("decimal", self.locale.text(Field::Decimal)));
            parts.push(Part::new("fraction", fraction.as_str()));
        }
        self.is_one(&integer, &fraction)
    }

    fn is_one(&self, integer: &str, fraction: &str) -> bool {
        let integer = integer.trim_start_matches('0');
        match self.locale.language() {
            "ja" => false,
            "fr" => matches!(integer, "" | "1"),
            "es" => integer == "1" && fraction.bytes().all(|digit| digit == b'0'),
            _ => integer == "1" && fraction.is_empty(),
        }
    }

    /// The integer's digits in groups, from the left.
    fn group(&self, integer: &str, parts: &mut Vec<Part>) {
        let least = match self.grouping {
            Grouping::Never => usize::MAX,
            Grouping::Always => 1,
            Grouping::Min2 => 2,
            Grouping::Auto => self.locale.text(Field::MinGroup).parse().unwrap_or(1),
        };
        if integer.len() < least.saturating_add(3) {
            parts.push(Part::new("integer", integer));
            return;
        }
        let upper = if self.locale.text(Field::Indian) == "true" { 2 } else { 3 };
        let separator = self.locale.text(Field::Group);
        let (mut rest, last) = integer.split_at(integer.len() - 3);
        let first = match rest.len() % upper {
            0 => upper,
            other => other,
        };
        let mut size = first;
        while let Some((head, tail)) = rest.split_at_checked(size).filter(|(h, _)| !h.is_empty()) {
            parts.push(Part::new("integer", head));
            parts.push(Part::new("group", separator));
            rest = tail;
            size = upper;
        }
        parts.push(Part::new("integer", last));
    }

    fn exponential(&self, number: &mut Decimal, parts: &mut Vec<Part>) {
        let exponent = |number: &Decimal| {
            let magnitude = number.magnitude();
            if self.notation == Notation::Engineering {
                magnitude.div_euclid(3) * 3
            } else {
                magnitude
            }
        };
        let before = exponent(number);
        number.scale(-before);
        self.round(number);
        // Rounding 9.99 gives 10, which is 1 × 10¹.
        let after = exponent(number);
        number.scale(-after);
        self.write(number, parts);
        let power = before + after;
        parts.push(Part::new("exponentSeparator", "E"));
        if power < 0 {
            parts.push(Part::new("exponentMinusSign", self.locale.text(Field::Minus)));
        }
        parts.push(Part::new("exponentInteger", power.unsigned_abs().to_string()));
    }

    fn compact(&self, number: &mut Decimal, parts: &mut Vec<Part>) -> bool {
        let field = match self.notation {
            Notation::CompactLong => Field::CompactLong,
            _ => Field::CompactShort,
        };
        let original = number.clone();
        let mut magnitude = number.magnitude();
        // Twice at most: rounding can lead to the next power of ten.
        loop {
            let (power, index) = self.compact_power(field, magnitude);
            *number = original.clone();
            number.scale(-power);
            self.round(number);
            let reached = number.magnitude() + power;
            if reached > magnitude && !number.is_zero() {
                magnitude = reached;
                continue;
            }
            let one = self.write(number, parts);
            let Some(index) = index else { return one };
            let several = self.locale.item(field, index + 12);
            let single = self.locale.item(field, index);
            let pattern = if one || several.is_empty() { single } else { several };
            let word = pattern.trim_start_matches(|c: char| c.is_ascii_digit());
            let name = word.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
            let space = word.get(..word.len() - name.len()).unwrap_or_default();
            if !name.is_empty() {
                if !space.is_empty() {
                    parts.push(Part::new("literal", space));
                }
                parts.push(Part::new("compact", name));
            }
            return one;
        }
    }

    /// The power of ten that a compact word stands for, and where its pattern is.
    fn compact_power(&self, field: Field, magnitude: i64) -> (i64, Option<usize>) {
        let Ok(index) = usize::try_from(magnitude.min(14) - 3) else { return (0, None) };
        let pattern = self.locale.item(field, index);
        let zeros: i64 =
            pattern.trim_end_matches(|c: char| !c.is_ascii_digit()).parse().unwrap_or(1);
        (magnitude.min(14) + 1 - zeros, Some(index))
    }

    /// Puts sign, currency, percent sign or unit around the digits.
    fn surround(&self, digits: Vec<Part>, sign: Option<Part>, one: bool) -> Vec<Part> {
        match &self.style {
            Style::Decimal => sign.into_iter().chain(digits).collect(),
            Style::Percent => {
                let pattern = format!("-{}", self.locale.text(Field::Percent));
                place(&pattern, &digits, sign.as_ref(), &Part::new("percentSign", "%"))
            }
            Style::Currency { code, display, accounting } => {
                self.currency(digits, sign, one, (code, *display, *accounting))
            }
            Style::Unit { unit, width } => {
                let text = self.unit(*unit, *width, one);
                let name = text.trim_start_matches([' ', '\u{a0}', '\u{202f}']);
                let space = text.get(..text.len() - name.len()).unwrap_or_default();
                let mut parts: Vec<Part> = sign.into_iter().chain(digits).collect();
                if !space.is_empty() {
                    parts.push(Part::new("literal", space));
                }
                let kind = if name == "%" { "percentSign" } else { "unit" };
                parts.push(Part::new(kind, name));
                parts
            }
        }
    }

    /// The unit's name with the space before it.
    pub(crate) fn unit(&self, unit: usize, width: Width, one: bool) -> &'static str {
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
        digits: Vec<Part>,
        sign: Option<Part>,
        one: bool,
        (code, display, accounting): (&str, CurrencyDisplay, bool),
    ) -> Vec<Part> {
        let known = CURRENCIES.iter().position(|known| *known == code);
        let text = match (known, display) {
            (Some(at), CurrencyDisplay::Symbol) => self.locale.item(Field::Symbols, at),
            (Some(at), CurrencyDisplay::NarrowSymbol) => {
                NARROW.get(at).copied().unwrap_or_default()
            }
            (Some(at), CurrencyDisplay::Name) => {
                self.locale.item(Field::CurrencyNames, at * 2 + usize::from(!one))
            }
            _ => code,
        };
        let mark = Part::new("currency", text);
        if display == CurrencyDisplay::Name {
            let mut parts: Vec<Part> = sign.into_iter().chain(digits).collect();
            parts.push(Part::new("literal", self.locale.text(Field::NameGlue)));
            parts.push(mark);
            return parts;
        }
        let minus = sign.as_ref().is_some_and(|sign| sign.kind == "minusSign");
        let pattern = match &sign {
            None => self.locale.item(Field::Currency, 0),
            Some(_) if accounting && minus => self.locale.item(Field::Currency, 2),
            Some(_) => self.locale.item(Field::Currency, 1),
        };
        // Letters do not touch digits.
        let touching = pattern.contains("¤#") && text.ends_with(char::is_alphabetic);
        let pattern =
            if touching { pattern.replace("¤#", "¤\u{a0}#") } else { pattern.to_owned() };
        place(&pattern, &digits, sign.as_ref(), &mark)
    }
}

/// Fills a pattern: `#` digits, `-` sign, `¤` or `%` the mark, all else as it stands.
fn place(pattern: &str, digits: &[Part], sign: Option<&Part>, mark: &Part) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for c in pattern.chars() {
        match c {
            '#' => parts.extend_from_slice(digits),
            '-' => parts.extend(sign.cloned()),
            '¤' | '%' => parts.push(mark.clone()),
            _ => match parts.last_mut() {
                Some(last) if last.kind == "literal" => last.text.push(c),
                _ => parts.push(Part::new("literal", c)),
            },
        }
    }
    parts
}
