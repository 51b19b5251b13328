//! Words that compare by a degree, and what they are degrees of.

/// Such a word.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_found_by_its_end_before_any_other() {
        for degree in DEGREES {
            let found = DEGREES.into_iter().find(|it| degree.word.ends_with(it.word));
            assert_eq!(found, Some(degree));
        }
    }
}
