//! What the check knows of English words: which say little, which are one, which are opposites.
//!
//! Border: data and look-ups; no text. Tables are sorted where they are searched.

use super::roots::Roots;
use crate::text::{self, Gate, Token};
use std::borrow::Cow;
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

/// Forms that no stemmer unites, by the form that stands for them.
const FORMS: &[(&str, &str)] = &[
    ("aeroplane", "airplane"),
    ("american", "america"),
    ("ate", "eat"),
    ("became", "become"),
    ("began", "begin"),
    ("begun", "begin"),
    ("belgian", "belgium"),
    ("born", "birth"),
    ("bought", "buy"),
    ("brazilian", "brazil"),
    ("british", "britain"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("came", "come"),
    ("caught", "catch"),
    ("chairman", "chair"),
    ("children", "child"),
    ("chinese", "china"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("dead", "die"),
    ("death", "die"),
    ("deaths", "die"),
    ("did", "do"),
    ("died", "die"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("dutch", "netherlands"),
    ("dying", "die"),
    ("fallen", "fall"),
    ("fed", "feed"),
    ("feet", "foot"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("film", "movie"),
    ("films", "movie"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("fought", "fight"),
    ("found", "find"),
    ("french", "france"),
    ("gave", "give"),
    ("german", "germany"),
    ("given", "give"),
    ("gone", "go"),
    ("got", "get"),
    ("greek", "greece"),
    ("grew", "grow"),
    ("grey", "gray"),
    ("grown", "grow"),
    ("held", "hold"),
    ("hid", "hide"),
    ("indian", "india"),
    ("irish", "ireland"),
    ("italian", "italy"),
    // By its stem it would be "it", to whom something is done.
    ("its", "their"),
    ("japanese", "japan"),
    ("kept", "keep"),
    ("knew", "know"),
    ("known", "know"),
    ("laid", "lay"),
    ("led", "lead"),
    ("left", "leave"),
    ("lives", "life"),
    ("lost", "lose"),
    ("made", "make"),
    ("meant", "mean"),
    ("men", "man"),
    ("met", "meet"),
    ("mexican", "mexico"),
    ("movies", "movie"),
    ("norwegian", "norway"),
    ("paid", "pay"),
    ("people", "person"),
    ("peoples", "person"),
    ("polish", "poland"),
    ("ran", "run"),
    ("risen", "rise"),
    ("rose", "rise"),
    ("russian", "russia"),
    ("said", "say"),
    ("sang", "sing"),
    ("sank", "sink"),
    ("sat", "sit"),
    ("saw", "see"),
    ("scottish", "scotland"),
    ("seen", "see"),
    ("sent", "send"),
    ("shot", "shoot"),
    ("shown", "show"),
    ("sold", "sell"),
    ("spanish", "spain"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("sung", "sing"),
    ("swedish", "sweden"),
    ("swiss", "switzerland"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thought", "think"),
    ("told", "tell"),
    ("took", "take"),
    ("turkish", "turkey"),
    ("understood", "understand"),
    ("welsh", "wales"),
    ("went", "go"),
    ("wives", "wife"),
    ("women", "woman"),
    ("won", "win"),
    ("wore", "wear"),
    ("worn", "wear"),
    ("written", "write"),
    ("wrote", "write"),
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
    "ceased",
    "denied",
    "denies",
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
    "neither",
    "never",
    "nicht",
    "nie",
    "niemals",
    "niet",
    "nigdy",
    "no",
    "nobody",
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
    "unable",
    "without",
    "не",
    "нет",
    "ни",
    "никогда",
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

/// What stands for a folded word and all its forms.
pub fn root(word: &str) -> Cow<'_, str> {
    const GATE: Gate = gate_of_forms(FORMS);
    let is_form = GATE.may_have(word);
    let form = is_form.then(|| FORMS.binary_search_by_key(&word, |(form, _)| *form).ok());
    match form.flatten().and_then(|at| FORMS.get(at)) {
        Some((_, form)) => text::stem(form),
        None => text::stem(&american(word)).into_owned().into(),
    }
}

const fn gate_of_forms(forms: &[(&str, &str)]) -> Gate {
    let (mut gate, mut rest) = (Gate::of(&[]), forms);
    while let [(form, _), others @ ..] = rest {
        gate = gate.with(form);
        rest = others;
    }
    gate
}

/// A British spelling as an American one, where a rule tells.
fn american(word: &str) -> Cow<'_, str> {
    let swaps = [
        ("our", "or"),
        ("ours", "ors"),
        ("oured", "ored"),
        ("tre", "ter"),
        ("tres", "ters"),
        ("ise", "ize"),
        ("ised", "ized"),
        ("ising", "izing"),
        ("isation", "ization"),
    ];
    let swap = swaps.iter().find_map(|(ours, theirs)| {
        let rest = word.strip_suffix(ours).filter(|rest| rest.len() > 1)?;
        Some(Cow::Owned(format!("{rest}{theirs}")))
    });
    swap.unwrap_or(Cow::Borrowed(word))
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
        assert!(FORMS.is_sorted());
        assert!(FILLERS.is_sorted());
        assert!(NEGATIONS.is_sorted());
    }

    #[test]
    fn a_character_denies_where_it_is_no_part_of_a_word() {
        assert!(is_wide_negation("不", "好") && is_wide_negation("没", "有"));
        assert!(!is_wide_negation("不", "同") && !is_wide_negation("未", "来"));
        assert!(!is_wide_negation("不", "") && !is_wide_negation("好", "不"));
    }

    #[test]
    fn forms_of_a_word_have_one_root() {
        for (one, other) in [
            ("won", "wins"),
            ("colour", "colors"),
            ("centre", "center"),
            ("organised", "organize"),
            ("women", "woman"),
            ("French", "France"),
            ("films", "movie"),
            ("died", "death"),
        ] {
            let root = |word: &str| super::root(&word.to_lowercase()).into_owned();
            assert_eq!(root(one), root(other), "{one} {other}");
        }
    }
}
