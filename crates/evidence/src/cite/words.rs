//! Words that tell what a sentence says something of.
//!
//! Border: lists, sorted for the search, folded as tokens are.

/// What a verb is said with, and stands for one itself.
pub const AUXILIARIES: &[&str] = &[
    "are", "avait", "became", "become", "becomes", "began", "bekam", "bleibt", "blieb", "can",
    "cannot", "could", "did", "do", "does", "era", "eran", "est", "esta", "estaba", "etait", "fue",
    "fueron", "fut", "gab", "ging", "haben", "had", "has", "hatte", "hatten", "have", "is", "ist",
    "kam", "kann", "konnte", "lag", "liegt", "may", "might", "muss", "must", "ont", "sera",
    "shall", "should", "sind", "soll", "sollte", "sont", "tiene", "tuvo", "waren", "was", "werden",
    "were", "will", "wird", "would", "wurde", "wurden",
];

/// Past tenses that do not end as most do.
pub const PAST: &[&str] = &[
    "arose",
    "ate",
    "beat",
    "bought",
    "broke",
    "brought",
    "built",
    "burnt",
    "came",
    "caught",
    "chose",
    "dealt",
    "drew",
    "drove",
    "fell",
    "felt",
    "fled",
    "flew",
    "forbade",
    "forgot",
    "fought",
    "found",
    "gave",
    "got",
    "grew",
    "held",
    "hid",
    "kept",
    "knew",
    "laid",
    "lay",
    "led",
    "left",
    "lent",
    "lost",
    "made",
    "meant",
    "met",
    "paid",
    "ran",
    "rang",
    "rose",
    "said",
    "sang",
    "sank",
    "sat",
    "saw",
    "sent",
    "shook",
    "shot",
    "shrank",
    "slept",
    "sold",
    "spent",
    "spoke",
    "sprang",
    "spun",
    "stole",
    "stood",
    "struck",
    "swam",
    "swept",
    "swore",
    "taught",
    "thought",
    "threw",
    "told",
    "took",
    "understood",
    "went",
    "withdrew",
    "woke",
    "won",
    "wore",
    "wove",
    "wrote",
];

/// What ends as a past tense and is none, or begins names.
pub const NO_PARTICIPLES: &[&str] = &[
    "advanced",
    "allied",
    "applied",
    "armed",
    "associated",
    "breed",
    "consolidated",
    "embed",
    "estimated",
    "federated",
    "hundred",
    "indeed",
    "infrared",
    "integrated",
    "kindred",
    "limited",
    "mixed",
    "naked",
    "related",
    "sacred",
    "speed",
    "unified",
    "united",
    "wicked",
];

/// What begins the name of a thing.
pub const DETERMINERS: &[&str] = &[
    "a", "all", "an", "another", "any", "both", "das", "dem", "den", "der", "des", "die", "each",
    "een", "ein", "eine", "einem", "einen", "einer", "eines", "el", "every", "few", "gli", "het",
    "il", "kein", "keine", "la", "las", "le", "les", "lo", "los", "many", "most", "much", "my",
    "no", "one", "other", "our", "several", "some", "such", "the", "these", "this", "those", "un",
    "una", "une", "your",
];

/// What stands for what was named before.
pub const PRONOUNS: &[&str] = &[
    "ella", "elle", "elles", "ellos", "er", "he", "her", "his", "ihr", "ihre", "il", "ils", "it",
    "its", "sein", "seine", "ses", "she", "sie", "sus", "their", "they",
];

/// What begins a clause about what stands before it.
pub const RELATIVES: &[&str] =
    &["dont", "qui", "welche", "welcher", "welches", "which", "who", "whom", "whose"];

/// What begins a clause with a subject of its own.
pub const CLAUSES: &[&str] = &[
    "after", "als", "although", "as", "because", "before", "cuando", "denn", "lorsque", "nachdem",
    "obwohl", "once", "parce", "porque", "quand", "since", "though", "until", "wahrend", "weil",
    "when", "where", "whereas", "while",
];

/// What stands before a place or a time.
pub const PREPOSITIONS: &[&str] = &[
    "about", "above", "across", "against", "along", "am", "among", "an", "around", "at", "auf",
    "aus", "avec", "behind", "bei", "below", "beside", "between", "beyond", "by", "chez", "con",
    "dans", "de", "desde", "du", "durch", "during", "en", "for", "from", "fur", "gegen", "hasta",
    "im", "in", "inside", "into", "mit", "nach", "near", "of", "off", "on", "onto", "out",
    "outside", "over", "par", "para", "por", "pour", "seit", "sur", "through", "to", "toward",
    "towards", "uber", "um", "under", "unter", "up", "via", "vom", "von", "vor", "with", "within",
    "without", "zu", "zum", "zur",
];

/// What joins a part to the one before.
pub const CONNECTIVES: &[&str] = &[
    "aber",
    "afterwards",
    "again",
    "also",
    "and",
    "auch",
    "but",
    "danach",
    "dann",
    "e",
    "et",
    "eventually",
    "finally",
    "later",
    "luego",
    "mais",
    "never",
    "not",
    "now",
    "oder",
    "only",
    "or",
    "ou",
    "pero",
    "puis",
    "so",
    "soon",
    "sowie",
    "spater",
    "still",
    "subsequently",
    "tambien",
    "then",
    "thereby",
    "therefore",
    "thus",
    "too",
    "und",
    "y",
    "yet",
];

/// What calls false what it leads to.
pub const FALSE: &[&str] = &[
    "debunked",
    "disproved",
    "disproven",
    "fake",
    "falsch",
    "false",
    "falsehoods",
    "falso",
    "faux",
    "fictitious",
    "hoax",
    "hoaxes",
    "inaccurate",
    "incorrect",
    "irrtumer",
    "misconception",
    "misconceptions",
    "misinformation",
    "myth",
    "mythen",
    "myths",
    "refuted",
    "rumors",
    "rumours",
    "unfounded",
    "untrue",
    "wrong",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_sorted_for_the_search() {
        let lists = [
            AUXILIARIES,
            PAST,
            NO_PARTICIPLES,
            DETERMINERS,
            PRONOUNS,
            RELATIVES,
            CLAUSES,
            PREPOSITIONS,
            CONNECTIVES,
            FALSE,
        ];
        for words in lists {
            assert!(words.is_sorted(), "{words:?}");
        }
    }
}
