//! Words that compare: amounts, or by a degree, and what they are degrees of.

/// A word that compares by a degree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Degree {
    /// As it compares.
    pub word: &'static str,
    /// What is compared.
    pub of: &'static str,
    /// Whether it means more of that.
    pub is_more: bool,
}

const fn more(word: &'static str, of: &'static str) -> Degree {
    Degree { word, of, is_more: true }
}

const fn less(word: &'static str, of: &'static str) -> Degree {
    Degree { is_more: false, ..more(word, of) }
}

/// All of them. One that ends as another does stands before it.
pub(super) const DEGREES: [Degree; 16] = [
    more("bigger", "big"),
    less("colder", "cold"),
    more("deeper", "deep"),
    more("faster", "fast"),
    more("heavier", "heavy"),
    more("higher", "high"),
    more("hotter", "hot"),
    more("larger", "large"),
    more("longer", "long"),
    more("more expensive", "expensive"),
    more("older", "old"),
    less("shorter", "long"),
    more("taller", "tall"),
    more("thicker", "thick"),
    more("warmer", "warm"),
    more("wider", "wide"),
];

/// Whether a word, lower case, compares amounts.
pub(super) fn compares_amounts(word: &str) -> bool {
    matches!(word, "fewer" | "less" | "more")
}

/// Whether a word, lower case, compares amounts, or by a degree that is known.
pub(super) fn is_comparative(word: &str) -> bool {
    compares_amounts(word) || DEGREES.iter().any(|degree| degree.word == word)
}

/// Whether a word, lower case, ends as those do that compare by a degree, known or not. So do others: `either`, `paper`.
pub(super) fn ends_as_comparative(word: &str) -> bool {
    word.len() > 4 && word.ends_with("er")
}

/// `Which is higher, … or …?`
pub(super) fn is_comparing(words: &[String]) -> bool {
    let has = |wanted: &str| words.iter().any(|word| word == wanted);
    let compares = words.iter().any(|word| {
        ends_as_comparative(word)
            || compares_amounts(word)
            || matches!(word.as_str(), "better" | "worse" | "difference")
    });
    let asks =
        words.first().is_some_and(|word| matches!(word.as_str(), "which" | "what" | "who" | "is"));
    asks && ((has("or") && compares) || (has("difference") && has("between")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_compare_are_known_or_end_so() {
        for (word, is_known, ends_so) in [
            ("more", true, false),
            ("fewer", true, true),
            ("taller", true, true),
            ("lower", false, true),
            ("over", false, false),
        ] {
            assert_eq!(
                (is_comparative(word), ends_as_comparative(word)),
                (is_known, ends_so),
                "{word}"
            );
        }
    }

    #[test]
    fn each_is_found_by_its_end_before_any_other() {
        for degree in DEGREES {
            let found = DEGREES.into_iter().find(|it| degree.word.ends_with(it.word));
            assert_eq!(found, Some(degree));
        }
    }
}
