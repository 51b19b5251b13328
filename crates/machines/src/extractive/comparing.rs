//! Which of two is more, and by how much, where both were measured in one unit.
//!
//! Border: a question that compares and what is shown for its sides in, a sentence out.

use super::answer::Shown;
use super::bounds;
use super::cite::one_line;
use super::parts::{self, Comparing};
use super::rank::Quotation;
use super::values::Amount;
use quarry_evidence::verify::Unit;

/// Characters of a side that are shown.
const SIDE_CHARACTERS: usize = 100;

/// The sentence that an answer to such a question ends with; none where a side has no figure or another unit.
pub(super) fn sentence(question: &str, shown: &[Shown<'_, '_>]) -> Option<String> {
    let Comparing { degree, sides } = parts::comparing(question)?;
    let [one, other] = shown else { return None };
    let (value, unit) = amount(one)?.more_than(&amount(other)?)?;
    let [one, other] = sides.map(side);
    if value.abs() < f64::EPSILON {
        return Some(format!("By these figures neither is {}.", degree.word));
    }
    let winner = if (value > 0.0) == degree.is_more { one } else { other };
    let by = measured(value.abs(), unit)?;
    Some(format!("By these figures **{winner}** is {}, by {by}.", degree.word))
}

fn amount(shown: &Shown<'_, '_>) -> Option<Amount> {
    // What other sources deny settles nothing.
    let lead = shown.lead.as_ref().filter(|_| shown.disagreements.is_empty())?;
    let Quotation { text, span, .. } = lead.quotation;
    // What lies anywhere in a range is not more or less than another by anything.
    if !bounds::is_exact(text, &span.as_ref()?.bytes) {
        return None;
    }
    lead.quotation.amount()
}

/// A side as it was asked for, without marks of Markdown.
fn side(text: &str) -> String {
    one_line(text, SIDE_CHARACTERS).replace(['[', ']', '<', '`', '*', '_'], "")
}

/// So much of a unit, in words: `12 metres`, `26 million euros`. None of a unit of which nobody says so.
fn measured(value: f64, unit: Unit) -> Option<String> {
    const NAMES: [(Unit, &str, &str); 37] = [
        (Unit::Percent, "percentage point", "percentage points"),
        (Unit::Dollar, "dollar", "dollars"),
        (Unit::Euro, "euro", "euros"),
        (Unit::Pound, "pound", "pounds"),
        (Unit::Yen, "yen", "yen"),
        (Unit::Rupee, "rupee", "rupees"),
        (Unit::Franc, "franc", "francs"),
        (Unit::Yuan, "yuan", "yuan"),
        (Unit::Millimetre, "millimetre", "millimetres"),
        (Unit::Centimetre, "centimetre", "centimetres"),
        (Unit::Metre, "metre", "metres"),
        (Unit::Kilometre, "kilometre", "kilometres"),
        (Unit::Inch, "inch", "inches"),
        (Unit::Foot, "foot", "feet"),
        (Unit::Yard, "yard", "yards"),
        (Unit::Mile, "mile", "miles"),
        (Unit::NauticalMile, "nautical mile", "nautical miles"),
        (Unit::Knot, "knot", "knots"),
        (Unit::SquareMetre, "square metre", "square metres"),
        (Unit::SquareKilometre, "square kilometre", "square kilometres"),
        (Unit::SquareMile, "square mile", "square miles"),
        (Unit::Hectare, "hectare", "hectares"),
        (Unit::Acre, "acre", "acres"),
        (Unit::Gram, "gram", "grams"),
        (Unit::Kilogram, "kilogram", "kilograms"),
        (Unit::Tonne, "tonne", "tonnes"),
        (Unit::Ounce, "ounce", "ounces"),
        (Unit::Litre, "litre", "litres"),
        (Unit::Second, "second", "seconds"),
        (Unit::Minute, "minute", "minutes"),
        (Unit::Hour, "hour", "hours"),
        (Unit::Day, "day", "days"),
        (Unit::Week, "week", "weeks"),
        (Unit::Month, "month", "months"),
        (Unit::Year, "year", "years"),
        (Unit::Celsius, "degree Celsius", "degrees Celsius"),
        (Unit::Fahrenheit, "degree Fahrenheit", "degrees Fahrenheit"),
    ];
    let (_, single, plural) = NAMES.iter().find(|(known, ..)| *known == unit)?;
    let (value, scale) = [(1e9, " billion"), (1e6, " million")]
        .into_iter()
        .find(|(least, _)| value >= *least)
        .map_or((value, ""), |(least, scale)| (value / least, scale));
    // Nobody measures more closely than this, and computers write more digits than anybody measured.
    let value = (value * 1e3).round() / 1e3;
    if value < f64::EPSILON {
        return None;
    }
    let name = if (value - 1.0).abs() < f64::EPSILON && scale.is_empty() { single } else { plural };
    Some(format!("{value}{scale} {name}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_told_in_words() {
        for (value, unit, told) in [
            (12.0, Unit::Metre, "12 metres"),
            (1.0, Unit::Foot, "1 foot"),
            (0.1 + 0.2, Unit::Kilogram, "0.3 kilograms"),
            (26e6, Unit::Euro, "26 million euros"),
            (1.5e9, Unit::Dollar, "1.5 billion dollars"),
        ] {
            assert_eq!(measured(value, unit).as_deref(), Some(told));
        }
        assert_eq!(measured(1.0, Unit::AfterNoon), None);
        assert_eq!(measured(1e-5, Unit::Metre), None);
    }
}
