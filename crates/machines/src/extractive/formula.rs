//! Arithmetic as it is written, put as JavaScript works it out.
//!
//! Border: the text of an expression in; how it is shown and how it is computed, out. What can be read in two ways
//! is none.

/// Brackets that stand within each other at most.
const DEEPEST: usize = 32;
/// Digits of an exponent up to which powers of whole numbers are worked out to the last digit.
const EXPONENT_DIGITS: usize = 3;
/// Characters of what powers are worked out of to the last digit.
const BASE_CHARACTERS: usize = 20;

/// An expression that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Formula {
    /// As people read it; JavaScript does, too.
    pub shown: String,
    /// The same for numbers without a limit, where all are whole and stay so.
    pub whole: Option<String>,
}

/// A formula with what decides how it may be joined to others.
struct Term {
    formula: Formula,
    /// Whether it is a number by itself.
    is_number: bool,
    /// Whether it is so many percent.
    is_percent: bool,
    /// Whether it is a power: a sign before it is not its base's.
    is_power: bool,
    /// Signs that join numbers in it.
    signs: usize,
}

impl Formula {
    /// What a function makes of a number, and no whole one.
    pub(super) fn of_function(name: &str, argument: &str) -> Self {
        Formula { shown: format!("{name}({argument})"), whole: None }
    }

    /// The formula of an expression with one sign between numbers at least.
    pub(super) fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text, depth: 0 };
        let term = reader.sum()?;
        reader.skip_blanks();
        let is_whole = reader.rest.is_empty() && term.signs > 0 && !term.is_percent;
        is_whole.then_some(term.formula)
    }

    /// Both, written by the same rule.
    fn map(&self, write: impl Fn(&str) -> String) -> Self {
        Formula { shown: write(&self.shown), whole: self.whole.as_deref().map(write) }
    }

    fn joined(&self, sign: &str, other: &Formula, stays_whole: bool) -> Self {
        let join = |one: &str, other: &str| format!("{one} {sign} {other}");
        let whole = self.whole.as_ref().zip(other.whole.as_ref()).filter(|_| stays_whole);
        Formula {
            shown: join(&self.shown, &other.shown),
            whole: whole.map(|(one, other)| join(one, other)),
        }
    }
}

impl Term {
    /// Two terms with a sign between them. Percents are joined by rules of their own.
    fn joined(self, sign: &str, other: &Term, stays_whole: bool) -> Option<Term> {
        (!self.is_percent && !other.is_percent).then(|| Term {
            formula: self.formula.joined(sign, &other.formula, stays_whole),
            is_number: false,
            is_percent: false,
            is_power: sign == "**",
            signs: self.signs + other.signs + 1,
        })
    }

    /// `200 - 20%`: so many percent of what stands before them.
    fn changed(self, sign: char, percent: &Term) -> Option<Term> {
        // Of `100 + 50 - 20%` nobody knows what it is a share of.
        if !self.is_number || self.is_percent {
            return None;
        }
        let (whole, share) = (&self.formula.shown, &percent.formula.shown);
        let shown = format!("{whole} * (100 {sign} {share}) / 100");
        let formula = Formula { shown, whole: None };
        Some(Term { formula, is_number: false, signs: 1, ..self })
    }
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    /// Whether this comes next, behind blanks; then it is read.
    fn takes(&mut self, sign: &str) -> bool {
        self.skip_blanks();
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn sum(&mut self) -> Option<Term> {
        let mut sum = self.product()?;
        loop {
            let sign = if self.takes("+") {
                '+'
            } else if self.takes("-") {
                // A hyphen without blanks joins years and telephone numbers.
                if self.depth == 0 && !self.rest.starts_with(' ') {
                    return None;
                }
                '-'
            } else {
                return Some(sum);
            };
            let other = self.product()?;
            sum = if other.is_percent {
                sum.changed(sign, &other)?
            } else {
                let sign = sign.to_string();
                sum.joined(&sign, &other, true)?
            };
        }
    }

    fn product(&mut self) -> Option<Term> {
        let mut product = self.signed()?;
        loop {
            if self.takes("*") {
                let other = self.signed()?;
                product = if other.is_percent {
                    let of_hundred = Formula { shown: "100".to_owned(), whole: None };
                    let share = Term { is_percent: false, ..other };
                    let formula = share.formula.joined("/", &of_hundred, false);
                    product.joined("*", &Term { formula, ..share }, false)?
                } else {
                    product.joined("*", &other, true)?
                };
            } else if self.takes("/") {
                let other = self.signed()?;
                product = product.joined("/", &other, false)?;
            } else if self.takes("%") {
                let other = self.signed()?;
                let divisor = other.formula.shown.trim_matches(['(', ')']);
                let is_exact = other.is_number && divisor != "0";
                product = product.joined("%", &other, is_exact)?;
            } else {
                return Some(product);
            }
        }
    }

    /// A power with the sign before it: `-2 ^ 2` is the square of 2, with a sign. Without brackets it is nothing to
    /// JavaScript.
    fn signed(&mut self) -> Option<Term> {
        let is_negative = self.takes("-");
        let power = self.power()?;
        if !is_negative {
            return Some(power);
        }
        let is_power = power.is_power;
        let formula =
            power.formula.map(|it| if is_power { format!("-({it})") } else { format!("-{it}") });
        (!power.is_percent).then_some(Term { formula, is_number: false, is_power: false, ..power })
    }

    fn power(&mut self) -> Option<Term> {
        let base = self.primary()?;
        if !self.takes("**") {
            return Some(base);
        }
        let exponent = self.signed()?;
        let (of, by) = (&base.formula.shown, exponent.formula.shown.trim_matches(['(', ')']));
        let is_small = exponent.is_number && by.len() <= EXPONENT_DIGITS;
        // A power of a power has more digits than anybody reads.
        let is_small = is_small && of.len() <= BASE_CHARACTERS && !of.contains("**");
        base.joined("**", &exponent, is_small)
    }

    fn primary(&mut self) -> Option<Term> {
        if self.takes("(") {
            self.depth += 1;
            let inner = (self.depth <= DEEPEST).then(|| self.sum())??;
            self.depth -= 1;
            let is_closed = self.takes(")") && !inner.is_percent;
            let formula = inner.formula.map(|it| format!("({it})"));
            return is_closed.then_some(Term { formula, is_power: false, ..inner });
        }
        self.skip_blanks();
        let number = number(self.rest)?;
        // JavaScript takes a leading zero for an octal number.
        if number.len() > 1 && number.starts_with('0') && !number.starts_with("0.") {
            return None;
        }
        self.rest = self.rest.get(number.len()..)?;
        let is_percent = self.takes_percent();
        let whole = (!number.contains('.')).then(|| format!("{number}n"));
        let formula = Formula { shown: number.to_owned(), whole };
        Some(Term { formula, is_number: true, is_percent, is_power: false, signs: 0 })
    }

    /// Whether the number before is so many percent, and not divided by what comes with a rest: `17 % 5`.
    fn takes_percent(&mut self) -> bool {
        let Some(behind) = self.rest.trim_start().strip_prefix('%') else { return false };
        let divides =
            behind.trim_start().starts_with(|c: char| c.is_ascii_digit() || c == '(' || c == '.');
        if !divides {
            self.rest = behind;
        }
        !divides
    }
}

/// The number at the beginning of a text.
pub(super) fn number(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text.get(..end)?.trim_end_matches('.');
    (!number.is_empty() && number.parse::<f64>().is_ok()).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_put_as_javascript_reads_it() {
        for (text, shown, whole) in [
            ("17*23", "17 * 23", Some("17n * 23n")),
            ("-2 ** 2", "-(2 ** 2)", Some("-(2n ** 2n)")),
            ("(-2) ** 2", "(-2) ** 2", Some("(-2n) ** 2n")),
            ("2 ** -2", "2 ** -2", None),
            ("2 ** -2 ** 2", "2 ** -(2 ** 2)", None),
            ("2 ** 3 ** 9", "2 ** 3 ** 9", None),
            ("9 ** 9999", "9 ** 9999", None),
            ("-(1 + 2) * 3", "-(1 + 2) * 3", Some("-(1n + 2n) * 3n")),
            ("2 * -3", "2 * -3", Some("2n * -3n")),
            ("1.5 + 2", "1.5 + 2", None),
            ("8 / 2 + 1", "8 / 2 + 1", None),
            ("17 % 5", "17 % 5", Some("17n % 5n")),
            ("17 % 0", "17 % 0", None),
            ("17 % (0)", "17 % (0)", None),
            ("17 % ((0))", "17 % ((0))", None),
            ("2 ** (10)", "2 ** (10)", Some("2n ** (10n)")),
            ("(9 ** 999) ** 99", "(9 ** 999) ** 99", None),
            ("((9 ** 999) ** 999) ** 99", "((9 ** 999) ** 999) ** 99", None),
            ("200 - 20%", "200 * (100 - 20) / 100", None),
            ("200 + 2.5 %", "200 * (100 + 2.5) / 100", None),
            ("200 * 20%", "200 * 20 / 100", None),
        ] {
            let found = Formula::read(text);
            let expected = Formula { shown: shown.to_owned(), whole: whole.map(str::to_owned) };
            assert_eq!(found, Some(expected), "{text}");
        }
    }

    #[test]
    fn what_can_be_read_in_two_ways_is_no_formula() {
        let deep = format!("{}1 + 1{}", "(".repeat(99), ")".repeat(99));
        for text in [
            "100 + 50 - 20%",
            "20% - 5",
            "20% + 5%",
            "5%",
            "7",
            "(3 + 4",
            "3 + 4)",
            "3 +",
            "3 4",
            "1914-1918",
            "007 * 2",
            "2 ** 3%",
            "-20% * 3",
            "1.2.3 + 1",
            &deep,
        ] {
            assert_eq!(Formula::read(text), None, "{text}");
        }
    }
}
