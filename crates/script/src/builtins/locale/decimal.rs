//! A number as decimal digits, and rounding.
//!
//! Border: no locale. A double is taken by its shortest digits, as ICU does: 1.005 is 1.005, not
//! the binary fraction a little below.

/// How a digit that is cut changes the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// Towards positive infinity.
    Ceil,
    /// Towards negative infinity.
    Floor,
    /// Away from zero.
    Expand,
    /// Towards zero.
    Trunc,
    /// To the nearest, a half towards positive infinity.
    HalfCeil,
    /// To the nearest, a half towards negative infinity.
    HalfFloor,
    /// To the nearest, a half away from zero.
    HalfExpand,
    /// To the nearest, a half towards zero.
    HalfTrunc,
    /// To the nearest, a half to the even digit.
    HalfEven,
}

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
        let negative = number.is_sign_negative() && !number.is_nan();
        let mut decimal = Self { negative, special, digits: Vec::new(), exponent: 0 };
        if special.is_none() {
            let text = format!("{:e}", number.abs());
            let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
            decimal.digits =
                digits.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
            decimal.exponent = exponent.parse::<i64>().unwrap_or(0) + 1;
        }
        decimal.trim();
        decimal
    }

    /// From the digits of an integer, with a `-` in front when it is negative.
    pub(crate) fn from_integer(text: &str) -> Self {
        let negative = text.starts_with('-');
        let digits: Vec<u8> =
            text.bytes().filter(u8::is_ascii_digit).map(|byte| byte - b'0').collect();
        let exponent = i64::try_from(digits.len()).unwrap_or(i64::MAX);
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
    pub(crate) fn round_fraction(&mut self, digits: i64, mode: Rounding) {
        self.keep(self.exponent.saturating_add(digits), mode);
    }

    /// Rounds to so many digits in all.
    pub(crate) fn round_significant(&mut self, digits: i64, mode: Rounding) {
        self.keep(digits, mode);
    }

    fn keep(&mut self, count: i64, mode: Rounding) {
        let Ok(length) = i64::try_from(self.digits.len()) else { return };
        if self.digits.is_empty() || count >= length {
            return;
        }
        let kept = usize::try_from(count).unwrap_or(0);
        let up = self.goes_up(count, kept, mode);
        self.digits.truncate(kept);
        if !up {
            self.trim();
            return;
        }
        if count < 0 {
            // Everything was cut, and rounding up leaves one unit of the last kept place.
            self.exponent -= count;
            self.exponent += 1;
            self.digits.push(1);
            return;
        }
        let mut at = kept;
        loop {
            let Some(before) = at.checked_sub(1) else {
                self.digits.insert(0, 1);
                self.exponent += 1;
                break;
            };
            at = before;
            match self.digits.get_mut(at) {
                Some(digit) if *digit == 9 => *digit = 0,
                Some(digit) => {
                    *digit += 1;
                    break;
                }
                None => break,
            }
        }
        self.trim();
    }

    /// Whether the size grows by one unit of the last kept place.
    fn goes_up(&self, count: i64, kept: usize, mode: Rounding) -> bool {
        let first = if count < 0 { 0 } else { self.digits.get(kept).copied().unwrap_or(0) };
        let more = count < 0 || self.digits.len() > kept + 1;
        let half = match first.cmp(&5) {
            std::cmp::Ordering::Less => std::cmp::Ordering::Less,
            std::cmp::Ordering::Equal if !more => std::cmp::Ordering::Equal,
            _ => std::cmp::Ordering::Greater,
        };
        let at_half = |up: bool| half.is_gt() || (half.is_eq() && up);
        let last = kept.checked_sub(1).and_then(|at| self.digits.get(at)).copied().unwrap_or(0);
        match mode {
            Rounding::Ceil => !self.negative,
            Rounding::Floor => self.negative,
            Rounding::Expand => true,
            Rounding::Trunc => false,
            Rounding::HalfCeil => at_half(!self.negative),
            Rounding::HalfFloor => at_half(self.negative),
            Rounding::HalfExpand => at_half(true),
            Rounding::HalfTrunc => at_half(false),
            Rounding::HalfEven => at_half(last % 2 == 1),
        }
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
        if whole == 0 {
            return ("0".into(), text);
        }
        match text.split_at_checked(whole) {
            Some((integer, fraction)) => (integer.into(), fraction.into()),
            None => (format!("{text:0<whole$}"), String::new()),
        }
    }
}
