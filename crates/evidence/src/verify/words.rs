//! What the check knows of English words: which say little, which are one, which are opposites.
//!
//! Border: data and look-ups; no text. Tables are sorted where they are searched.

use crate::text;
use std::borrow::Cow;

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

/// Roots of words that are said in many ways: they tell half as much as others.
const LIGHT: &[&str] = &[
    "becom", "call", "come", "contain", "describ", "featur", "get", "give", "go", "hold", "includ",
    "involv", "keep", "know", "locat", "mainli", "make", "name", "offer", "own", "part", "place",
    "provid", "refer", "sai", "see", "serv", "set", "show", "start", "state", "take", "thing",
    "type", "us", "wai", "want", "work",
];

/// Words of which no two are true of one thing at once. A word may stand in several rows.
const OPPOSITES: &[&[&str]] = &[
    &["accept", "reject", "refuse", "decline"],
    &["add", "remove"],
    &["advance", "retreat"],
    &["after", "before"],
    &["agree", "disagree", "refuse"],
    &["allow", "ban", "forbid", "prohibit", "prevent"],
    &["above", "below", "beneath"],
    &["ancient", "modern"],
    &["approve", "reject", "veto"],
    &["arrive", "depart", "leave"],
    &["attack", "defend"],
    &["begin", "end", "finish"],
    &["start", "end", "finish", "stop"],
    &["benefit", "harm"],
    &["best", "worst"],
    &["better", "worse"],
    &["big", "small"],
    &["black", "white"],
    &["brother", "sister"],
    &["build", "destroy", "demolish"],
    &["buy", "sell"],
    &["cause", "prevent", "cure"],
    &["cheap", "expensive"],
    &["confirm", "deny"],
    &["create", "destroy"],
    &["domestic", "foreign"],
    &["early", "late"],
    &["earlier", "later"],
    &["east", "west", "north", "south"],
    &["eastern", "western", "northern", "southern"],
    &["easy", "difficult", "hard"],
    &["enter", "exit", "leave"],
    &["expand", "shrink", "contract"],
    &["father", "mother"],
    &["fast", "slow"],
    &["female", "male"],
    &["few", "many"],
    &["find", "lose"],
    &["first", "last"],
    &["fewer", "more"],
    &["gain", "lose"],
    &["girl", "boy"],
    &["good", "bad", "poor"],
    &["guilty", "innocent"],
    &["happy", "sad", "unhappy"],
    &["heavy", "light"],
    &["high", "low"],
    &["higher", "lower"],
    &["highest", "lowest"],
    &["husband", "wife"],
    &["import", "export"],
    &["improve", "worsen", "deteriorate"],
    &["include", "exclude"],
    &["increase", "decrease", "decline", "reduce", "drop"],
    &["inside", "outside"],
    &["internal", "external"],
    &["join", "leave", "quit"],
    &["king", "queen"],
    &["large", "small", "little", "tiny"],
    &["larger", "smaller"],
    &["largest", "smallest"],
    &["legal", "illegal"],
    &["less", "more"],
    &["least", "most"],
    &["long", "short"],
    &["longer", "shorter"],
    &["longest", "shortest"],
    &["love", "hate"],
    &["major", "minor"],
    &["majority", "minority"],
    &["man", "woman"],
    &["maximum", "minimum"],
    &["near", "far"],
    &["negative", "positive"],
    &["new", "old"],
    &["newer", "older"],
    &["open", "close", "shut"],
    &["opponent", "supporter"],
    &["oppose", "support"],
    &["optional", "mandatory", "compulsory"],
    &["over", "under"],
    &["parent", "child"],
    &["pass", "fail"],
    &["permanent", "temporary"],
    &["permit", "forbid", "prohibit"],
    &["popular", "unpopular"],
    &["possible", "impossible"],
    &["prince", "princess"],
    &["private", "public"],
    &["rare", "common"],
    &["receive", "give", "send"],
    &["rich", "poor"],
    &["right", "wrong"],
    &["rise", "fall", "drop", "decline"],
    &["rural", "urban"],
    &["safe", "dangerous"],
    &["separate", "together"],
    &["son", "daughter"],
    &["strong", "weak"],
    &["stronger", "weaker"],
    &["succeed", "fail"],
    &["success", "failure"],
    &["successful", "unsuccessful"],
    &["tall", "short"],
    &["true", "false"],
    &["uncle", "aunt"],
    &["upper", "lower"],
    &["usual", "unusual", "rare"],
    &["victory", "defeat"],
    &["war", "peace"],
    &["win", "lose"],
    &["winner", "loser"],
    &["with", "without"],
    &["young", "old"],
    &["younger", "older"],
    &["youngest", "oldest"],
];

/// Words that turn a statement around.
const NEGATIONS: &[&str] = &[
    "barely", "cannot", "fail", "failed", "fails", "hardly", "lack", "lacked", "lacks", "neither",
    "never", "no", "nobody", "none", "nor", "not", "nothing", "nowhere", "rarely", "refused",
    "refuses", "seldom", "unable", "without",
];

/// Words by which a writer does not vouch for what follows.
const RESERVES: &[&str] = &[
    "alleged",
    "allegedly",
    "apparently",
    "could",
    "likely",
    "may",
    "maybe",
    "might",
    "perhaps",
    "possibly",
    "potentially",
    "presumably",
    "probably",
    "purportedly",
    "reportedly",
    "rumored",
    "rumoured",
    "supposedly",
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
    (text::is_stop_word(word) && !matches!(word, "me" | "my" | "am"))
        || FUNCTION_WORDS.binary_search(&word).is_ok()
}

/// What stands for a folded word and all its forms.
pub fn root(word: &str) -> Cow<'_, str> {
    let form = FORMS.binary_search_by_key(&word, |(form, _)| *form).ok();
    match form.and_then(|at| FORMS.get(at)) {
        Some((_, form)) => text::stem(form),
        None => text::stem(&american(word)).into_owned().into(),
    }
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
    LIGHT.binary_search(&root).is_ok()
}

/// Rows of roots of which no two are true at once.
pub fn opposites() -> impl Iterator<Item = Vec<String>> {
    OPPOSITES.iter().map(|row| row.iter().map(|word| root(word).into_owned()).collect())
}

/// Whether a folded word turns a statement around.
pub fn is_negation(word: &str) -> bool {
    NEGATIONS.binary_search(&word).is_ok()
}

/// Whether by a folded word a writer does not vouch for what follows.
pub fn is_reserve(word: &str) -> bool {
    RESERVES.binary_search(&word).is_ok()
}

/// For a folded word that leaves no exception: the roots that say the same.
pub fn absolute(word: &str) -> Option<impl Iterator<Item = String>> {
    let row = ABSOLUTES.iter().find(|row| row.first() == Some(&word))?;
    Some(row.iter().map(|word| root(word).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_the_search() {
        assert!(FUNCTION_WORDS.is_sorted());
        assert!(FORMS.is_sorted());
        assert!(NEGATIONS.is_sorted());
        assert!(LIGHT.is_sorted());
        assert!(RESERVES.is_sorted());
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
