//! A number as decimal digits, and rounding: to the nearest, a half away from zero.
//!
//! Border: no locale. A double is taken by its shortest digits, as ICU does: 1.005 is 1.005, not
//! the binary fraction a little below.

/// What a digit-less number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Special {
    /// Not a number.
    Nan,
    /// Infinity of either sign.
    Infinity,
}

/// 0.d₁d₂d₃… × 10^`exponent`, without zeros at either end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Decimal {
    pub(crate) negative: bool,
    pub(crate) special: Option<Special>,
    /// Values 0 to 9.
    digits: Vec<u8>,
    exponent: i64,
}

impl Decimal {
    pub(crate) fn from_f64(number: f64) -> Self {
        let special = match number {
            number if number.is_nan() => Some(Special::Nan),
            number if number.is_infinite() => Some(Special::Infinity),
            _ => None,
        };
        let text = if special.is_some() { "0e0".into() } else { format!("{:e}", number.abs()) };
        let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
        let negative = number.is_sign_negative() && !number.is_nan();
        Self { special, ..Self::of(negative, digits, exponent.parse().unwrap_or(0) + 1) }
    }

    /// From the digits of an integer, with a `-` in front when it is negative.
    pub(crate) fn from_integer(text: &str) -> Self {
        let digits = text.trim_start_matches('-');
        let exponent = i64::try_from(digits.len()).unwrap_or(i64::MAX);
        Self::of(text.starts_with('-'), digits, exponent)
    }

    fn of(negative: bool, text: &str, exponent: i64) -> Self {
        let digits = text.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
        let mut decimal = Self { negative, special: None, digits, exponent };
        decimal.trim();
        decimal
    }

    pub(crate) fn is_zero(&self) -> bool {
        self.special.is_none() && self.digits.is_empty()
    }

    /// The exponent of its first digit: 3 for 1234; 0 for zero.
    pub(crate) fn magnitude(&self) -> i64 {
        if self.digits.is_empty() { 0 } else { self.exponent - 1 }
    }

    /// Times a power of ten.
    pub(crate) fn scale(&mut self, power: i64) {
        if !self.digits.is_empty() {
            self.exponent += power;
        }
    }

    /// Rounds to so many digits behind the point.
    pub(crate) fn round_fraction(&mut self, digits: i64) {
        self.round_significant(self.exponent.saturating_add(digits));
    }

    /// Rounds to so many digits in all.
    pub(crate) fn round_significant(&mut self, count: i64) {
        let kept = usize::try_from(count).unwrap_or(0);
        if kept >= self.digits.len() {
            return;
        }
        let up = count >= 0 && self.digits.get(kept).is_some_and(|digit| *digit >= 5);
        self.digits.truncate(kept);
        if up {
            let nines = self.digits.iter().rev().take_while(|digit| **digit == 9).count();
            self.digits.truncate(kept - nines);
            match self.digits.last_mut() {
                Some(digit) => *digit += 1,
                None => {
                    self.digits.push(1);
                    self.exponent += 1;
                }
            }
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.digits.last() == Some(&0) {
            self.digits.pop();
        }
        let zeros = self.digits.iter().take_while(|digit| **digit == 0).count();
        self.digits.drain(..zeros);
        self.exponent -= i64::try_from(zeros).unwrap_or(0);
        if self.digits.is_empty() {
            self.exponent = 0;
        }
    }

    /// The digits before the point, at least one, and those behind it.
    pub(crate) fn split(&self) -> (String, String) {
        let text: String = self.digits.iter().map(|digit| char::from(b'0' + digit)).collect();
        let Ok(whole) = usize::try_from(self.exponent) else {
            let zeros = usize::try_from(-self.exponent).unwrap_or(0);
            return ("0".into(), "0".repeat(zeros) + &text);
        };
        match text.split_at_checked(whole) {
            Some(("", fraction)) => ("0".into(), fraction.into()),
            Some((integer, fraction)) => (integer.into(), fraction.into()),
            None => (format!("{text:0<whole$}"), String::new()),
        }
    }
}
