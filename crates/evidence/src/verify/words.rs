//! What the check knows of English words: which say little, which are one, which are opposites.
//!
//! Border: data and look-ups; no text. Tables are sorted where they are searched.

pub use super::forms::{is_alone, root};
use super::roots::Roots;
use crate::text::{self, Gate, Token};
use std::sync::LazyLock;

/// Words that say little beside those that no comparison counts.
const FUNCTION_WORDS: &[&str] = &[
    "according",
    "additionally",
    "although",
    "among",
    "because",
    "being",
    "both",
    "de",
    "during",
    "each",
    "either",
    "et",
    "etc",
    "ever",
    "every",
    "further",
    "furthermore",
    "he",
    "hence",
    "her",
    "here",
    "hers",
    "herself",
    "him",
    "himself",
    "his",
    "however",
    "including",
    "just",
    "la",
    "le",
    "like",
    "may",
    "meanwhile",
    "might",
    "moreover",
    "must",
    "namely",
    "nor",
    "off",
    "onto",
    "other",
    "ours",
    "out",
    "overall",
    "per",
    "rather",
    "respectively",
    "several",
    "shall",
    "she",
    "since",
    "such",
    "thereby",
    "therefore",
    "though",
    "through",
    "thus",
    "too",
    "until",
    "up",
    "upon",
    "us",
    "very",
    "via",
    "well",
    "whereas",
    "whether",
    "while",
    "whom",
    "whose",
    "within",
    "without",
    "yet",
];

/// Words that are said in many ways, or say little: they tell less than others.
const LIGHT: &str = "\
    able actual add ago aim alongside already apart appear apply arise around aspect away back \
    base become begin behind belong besides bring call career carry case certain character choose \
    come comprise concern consider consist contain continue course current deal decide derive \
    describe despite detail different do done due early effort else elsewhere enough etc even \
    eventual ever example exist experience face fact famous feature feel find follow forward \
    further general get give go group happen help hold idea include individual industry instead \
    intend involve issue item job keep kind know late later like likely list locate look lot main \
    mainly make manage manner matter mean meanwhile method moment name near need note now nowadays \
    number obtain occur offer often once over part participate particular people person \
    perspective piece place point portion position possess process provide put quality quite range \
    reach reason receive recent refer regard relate relationship remain represent result role run \
    say section see seek seem series serve set several share show side simple sit sometimes soon \
    sort specific spend stage stand start state still story strive style subject take talk tell \
    tend term then there thing think time today together topic towards try turn type under undergo \
    us use usual utilize value variety various version view want way well whole widely wish work \
    yet";

/// Their roots.
static LIGHT_ROOTS: LazyLock<Roots> = LazyLock::new(|| Roots::of(LIGHT.split_whitespace()));

/// Words with which a speaker turns to another; they are no names, though they begin sentences.
const FILLERS: &[&str] = &[
    "absolutely",
    "actually",
    "ah",
    "basically",
    "certainly",
    "definitely",
    "essentially",
    "haha",
    "hello",
    "hey",
    "hi",
    "hmm",
    "indeed",
    "obviously",
    "oh",
    "ok",
    "okay",
    "sure",
    "wow",
    "yea",
    "yeah",
    "yep",
    "yes",
    "yup",
];

/// Words that turn a statement around.
const NEGATIONS: &[&str] = &[
    "aucun",
    "aucune",
    "barely",
    "cannot",
    "cease",
    "ceased",
    "ceases",
    "denied",
    "denies",
    "deny",
    "denying",
    "ei",
    "eivat",
    "fail",
    "failed",
    "fails",
    "false",
    "geen",
    "hardly",
    "ikke",
    "inte",
    "jamais",
    "kein",
    "keine",
    "keinem",
    "keinen",
    "keiner",
    "keines",
    "lack",
    "lacked",
    "lacks",
    "myth",
    "nao",
    "neither",
    "never",
    "nicht",
    "nie",
    "niemals",
    "niet",
    "nigdy",
    "no",
    "nobody",
    "non",
    "none",
    "nor",
    "not",
    "nothing",
    "nowhere",
    "nunca",
    "pas",
    "rarely",
    "refused",
    "refuses",
    "seldom",
    "stopped",
    "tampoco",
    "unable",
    "without",
    "не",
    "нет",
    "ни",
    "никогда",
    "غير",
    "ليس",
    "ليست",
    "नही",
    "नहीं",
];

/// Verbs in the past that do not end in "ed".
const PAST: &[&str] = &[
    "beat", "began", "bit", "bought", "broke", "brought", "built", "came", "caught", "chose",
    "drew", "drove", "fed", "fell", "flew", "fought", "found", "gave", "grew", "held", "hid",
    "hit", "hurt", "kept", "knew", "led", "left", "lost", "made", "met", "paid", "ran", "rose",
    "sang", "sank", "saw", "sent", "shot", "sold", "spent", "spoke", "stole", "struck", "sued",
    "taught", "threw", "told", "took", "went", "won", "wore", "wrote",
];

/// Words that leave no exception, in rows that say the same.
const ABSOLUTES: &[&[&str]] = &[
    &["first", "earliest", "1st", "initially", "debut", "original", "originally", "pioneer"],
    &["only", "sole", "solely", "exclusively", "just", "alone", "single", "unique", "except"],
    &["most", "majority", "mostly"],
    &[
        "all",
        "every",
        "each",
        "entire",
        "entirely",
        "everything",
        "everyone",
        "whole",
        "always",
        "throughout",
        "any",
        "both",
    ],
    &["never", "no", "not", "none"],
    &["always", "every", "all", "constantly"],
    &["none", "no", "not", "nobody", "never", "nothing"],
    &["last", "final", "latest", "end", "lastly"],
    &["best"],
    &["worst"],
    &["exclusively", "only", "sole", "solely"],
    &["entirely", "wholly", "completely", "fully", "all"],
];

/// Whether a folded word says too little to be looked for. Not so whoever speaks of themselves: a passage
/// does not say that.
pub fn is_function_word(word: &str) -> bool {
    const GATE: Gate = Gate::of(FUNCTION_WORDS);
    (text::is_stop_word(word) && !matches!(word, "me" | "my" | "am"))
        || (GATE.may_have(word) && FUNCTION_WORDS.binary_search(&word).is_ok())
}

/// Whether a token is a word that says something by itself.
pub fn tells(token: &Token) -> bool {
    token.is_word() && !is_function_word(&token.word)
}

/// Whether a folded word is a form of a verb in the past that no ending tells.
pub fn is_past(word: &str) -> bool {
    const GATE: Gate = Gate::of(PAST);
    GATE.may_have(word) && PAST.binary_search(&word).is_ok()
}

/// Whether a root is said in many ways.
pub fn is_light(root: &str) -> bool {
    LIGHT_ROOTS.has(root)
}

/// Whether a folded word only turns to whoever listens.
pub fn is_filler(word: &str) -> bool {
    const GATE: Gate = Gate::of(FILLERS);
    GATE.may_have(word) && FILLERS.binary_search(&word).is_ok()
}

/// Whether a folded word turns a statement around.
pub fn is_negation(word: &str) -> bool {
    const GATE: Gate = Gate::of(NEGATIONS);
    GATE.may_have(word) && NEGATIONS.binary_search(&word).is_ok()
}

/// Whether a character turns what follows around, in Chinese, where it is not part of another word: `不好`, and not `不同`.
pub fn is_wide_negation(word: &str, next: &str) -> bool {
    let is_other = match word {
        "不" => "一仅僅但光单單只久同少得断斷止管论論足过過",
        "没" | "沒" => "收",
        "停" => return next == "止",
        "未" => "来來",
        _ => return false,
    };
    !next.is_empty() && !is_other.contains(next)
}

/// For a folded word that leaves no exception: the roots that say the same.
pub fn absolute(word: &str) -> Option<impl Iterator<Item = String>> {
    const GATE: Gate = gate_of_rows(ABSOLUTES);
    let is_first = |row: &&&[&str]| GATE.may_have(word) && row.first() == Some(&word);
    let row = ABSOLUTES.iter().find(is_first)?;
    Some(row.iter().map(|word| root(word).into_owned()))
}

const fn gate_of_rows(rows: &[&[&str]]) -> Gate {
    let (mut gate, mut rest) = (Gate::of(&[]), rows);
    while let [row, others @ ..] = rest {
        if let [first, ..] = row {
            gate = gate.with(first);
        }
        rest = others;
    }
    gate
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_the_search() {
        assert!(FUNCTION_WORDS.is_sorted());
        assert!(FILLERS.is_sorted());
        assert!(NEGATIONS.is_sorted() && PAST.is_sorted());
    }

    #[test]
    fn a_character_denies_where_it_is_no_part_of_a_word() {
        assert!(is_wide_negation("不", "好") && is_wide_negation("没", "有"));
        assert!(!is_wide_negation("不", "同") && !is_wide_negation("未", "来"));
        assert!(!is_wide_negation("不", "") && !is_wide_negation("好", "不"));
    }
}
