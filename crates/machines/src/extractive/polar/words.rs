//! What judging a sentence for yes or no knows of English words: which carry a sentence and which turn it.
//!
//! Border: words in lower case in, what they are out; no text, and no subject.

use super::super::lexicon;
use quarry_evidence::text::is_stop_word;
use quarry_evidence::verify;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// Whether a table of words, with blanks between them, has a word.
fn has(table: &str, word: &str) -> bool {
    table.split_ascii_whitespace().any(|known| known == word)
}

/// Whether a word is a form of *be*.
pub(super) fn is_be(word: &str) -> bool {
    matches!(word, "am" | "is" | "are" | "was" | "were" | "be" | "been" | "being")
}

/// Whether a word is a form of *have*.
pub(super) fn is_have(word: &str) -> bool {
    matches!(word, "has" | "have" | "had" | "having")
}

/// Whether a word says how likely, allowed or wanted something is.
pub(super) fn is_modal(word: &str) -> bool {
    is_future(word)
        || matches!(
            word,
            "can" | "cannot" | "could" | "may" | "might" | "must" | "should" | "would" | "ought"
        )
}

pub(super) fn is_future(word: &str) -> bool {
    matches!(word, "will" | "shall")
}

/// Whether a word can begin the verbs of a clause.
pub(super) fn is_auxiliary(word: &str) -> bool {
    is_be(word) || is_have(word) || is_modal(word) || matches!(word, "do" | "does" | "did")
}

/// Whether a word of some length looks like a verb in the past, or carries a clause.
pub(super) fn is_verb_like(word: &str) -> bool {
    const NOT: [&str; 9] =
        ["bed", "breed", "hundred", "need", "red", "seed", "speed", "found", "kindred"];
    // `children`, `men` and `cities` are among the irregular forms.
    const NOUNS: [&str; 10] = [
        "children", "cities", "dead", "death", "deaths", "feet", "men", "wives", "women", "thought",
    ];
    is_auxiliary(word)
        || (word.len() > 3 && word.ends_with("ed") && !NOT.contains(&word))
        || (lexicon::base(word).is_some() && !NOUNS.contains(&word))
        || word == "found"
}

/// Whether a verb is the same in the past.
pub(super) fn never_changes(word: &str) -> bool {
    matches!(
        word,
        "cost" | "cut" | "put" | "set" | "hit" | "let" | "shut" | "read" | "hurt" | "spread"
    )
}

/// Whether a word only says which one.
pub(super) fn is_determiner(word: &str) -> bool {
    is_possessive(word)
        || matches!(
            word,
            "the"
                | "a"
                | "an"
                | "this"
                | "these"
                | "that"
                | "those"
                | "all"
                | "every"
                | "each"
                | "both"
                | "any"
        )
}

/// Whether a word says whose without naming them.
pub(super) fn is_possessive(word: &str) -> bool {
    matches!(word, "its" | "their" | "his" | "her" | "our" | "your" | "my")
}

/// Whether a word stands for what a clause is about.
pub(super) fn is_pronoun(word: &str) -> bool {
    matches!(word, "it" | "they" | "he" | "she")
}

/// Whether a word stands for what something is done to.
pub(super) fn is_object(word: &str) -> bool {
    matches!(word, "it" | "them" | "him" | "her")
}

/// Whether a word stands for what is named right before it.
pub(super) fn is_relative(word: &str) -> bool {
    matches!(word, "which" | "who" | "that")
}

/// Whether a word means whoever reads.
pub(super) fn is_anyone(word: &str) -> bool {
    matches!(
        word,
        "i" | "you"
            | "we"
            | "one"
            | "people"
            | "anyone"
            | "anybody"
            | "everyone"
            | "everybody"
            | "visitors"
            | "guests"
            | "users"
            | "customers"
    )
}

const PREPOSITIONS: &str = "\
    of in at on near with among between behind beside during inside outside around along \
    across within as since until till before after about beyond via per throughout upon \
    towards toward like than together";

/// Whether a word ties a noun to what stands before it.
pub(super) fn is_preposition(word: &str) -> bool {
    is_of_direction(word) || has(PREPOSITIONS, word)
}

const DIRECTIONS: &str = "\
    to from by for into onto out off over under above below against without through before \
    after despite";

/// Whether a preposition turns the roles round when it is another.
pub(super) fn is_of_direction(word: &str) -> bool {
    has(DIRECTIONS, word)
}

const CLAUSES: &str = "\
    but while whereas although though because which who whose whom when where so however if \
    unless whether yet";

/// Whether a word begins a clause of its own.
pub(super) fn begins_clause(word: &str) -> bool {
    has(CLAUSES, word)
}

const FILLERS: &str = "\
    also then later now today already again still even indeed therefore thus there here too \
    very just ever currently finally first and or moreover always himself herself itself \
    themselves not never no longer yes instead together completely fully entirely soon \
    originally";

/// Whether a word says no more than when, how far or how surely, and restricts nothing.
pub(super) fn is_filler(word: &str) -> bool {
    has(FILLERS, word)
}

/// Whether a word by itself denies what it stands before.
pub(super) fn is_negation(word: &str) -> bool {
    verify::is_negation(word) && !is_faint(word)
}

/// Whether a word all but denies: nothing follows from it.
fn is_faint(word: &str) -> bool {
    matches!(
        word,
        "barely" | "hardly" | "rarely" | "seldom" | "without" | "lack" | "lacks" | "lacked"
    )
}

const RESTRICTIONS: &str = "\
    only except unless if whether some most few several many half part partly partially mostly \
    mainly almost nearly sometimes occasionally usually often temporarily once formerly \
    previously otherwise solely least provided depending supposed best limited certain";

/// Whether a word makes of a statement one that holds only for a part, in part, or under conditions.
/// Nothing follows from such a statement for a question without the word.
pub(super) fn restricts(word: &str) -> bool {
    is_faint(word) || has(RESTRICTIONS, word)
}

const HEDGES: &str = "\
    said say says claim claims claimed argue argued argues believe believed believes think \
    thinks thought report reports reported rumour rumours myth legend hoped hope hopes want \
    wants wanted planned plan plans expected proposed proposal propose proposes suggested \
    suggests suggest demand demanded demands deny denied denies doubt doubts doubted would \
    should asked intended intends considered wrong false untrue mistaken tried attempted \
    threatened promised wish wished imagine fiction novel story disputed unclear unknown \
    uncertain assume assumed seems seem seemed appears appeared nominated candidate";

/// Whether a word says that somebody says, thinks, wants or fears something: it need not be so.
pub(super) fn hedges(word: &str) -> bool {
    has(HEDGES, word) || (verify::is_reserve(word) && !matches!(word, "may" | "could"))
}

const TAKING_BACK: &str = "\
    former ex retired deputy vice assistant acting honorary fake alleged called future \
    designated anti non semi so quasi pseudo late";

/// Whether an adjective takes back the noun that it stands before: a *former* mayor is none.
pub(super) fn takes_back(word: &str) -> bool {
    has(TAKING_BACK, word)
}

/// Whether a word says something that a statement cannot do without.
pub(super) fn is_content(word: &str) -> bool {
    !is_stop_word(word)
        && !is_determiner(word)
        && !is_auxiliary(word)
        && !is_preposition(word)
        && !is_filler(word)
        && !is_pronoun(word)
        && !is_object(word)
        && !is_negation(word)
        && !begins_clause(word)
        && !(word.len() > 5 && word.ends_with("ly") && word != "family" && word != "monopoly")
}

/// Words of which one is true where the other is not.
const OPPOSITES: &[(&[&str], &[&str])] = &[
    (&["open"], &["closed", "shut"]),
    (
        &["allowed", "permitted", "legal", "lawful"],
        &["forbidden", "banned", "prohibited", "illegal", "unlawful"],
    ),
    (&["allow", "permit"], &["forbid", "forbade", "ban", "prohibit"]),
    (&["possible"], &["impossible"]),
    (&["safe"], &["dangerous", "unsafe"]),
    (&["alive"], &["dead", "extinct"]),
    (&["true"], &["false"]),
    (&["full"], &["empty"]),
    (&["public"], &["private"]),
    (&["optional", "voluntary"], &["mandatory", "compulsory", "obligatory"]),
    (&["accept", "approve", "adopt"], &["refuse", "reject", "decline"]),
    (&["win"], &["lose"]),
    (&["pass", "succeed"], &["fail"]),
    (&["increase", "rise", "grow"], &["decrease", "decline", "fall", "shrink"]),
    (&["support"], &["oppose"]),
    (&["guilty"], &["innocent"]),
];

/// By root: the rows of [`OPPOSITES`] that it stands in, and on which side.
static SIDES: LazyLock<BTreeMap<String, Vec<(usize, bool)>>> = LazyLock::new(|| {
    let mut sides: BTreeMap<String, Vec<(usize, bool)>> = BTreeMap::new();
    for (row, (ones, others)) in OPPOSITES.iter().enumerate() {
        for (words, is_first) in [(ones, true), (others, false)] {
            for word in *words {
                sides.entry(verify::root(word).into_owned()).or_default().push((row, is_first));
            }
        }
    }
    sides
});

/// Whether two words, each with its root, cannot both be true of one thing: `open` and `closed`, `suitable` and
/// `unsuitable`.
pub(super) fn are_opposite(one: (&str, &str), other: (&str, &str)) -> bool {
    let sides = |root: &str| SIDES.get(root).map(Vec::as_slice).unwrap_or_default();
    let in_table = sides(one.1).iter().any(|(row, is_first)| {
        sides(other.1).iter().any(|(its, is_its)| row == its && is_first != is_its)
    });
    in_table || is_denial_of(one.0, other.0) || is_denial_of(other.0, one.0)
}

/// `unsafe` of `safe`, `inaccessible` of `accessible`, `harmless` of `harmful`.
fn is_denial_of(denial: &str, word: &str) -> bool {
    let is_behind = |prefix: &str| {
        denial.strip_prefix(prefix).is_some_and(|rest| rest.trim_start_matches('-') == word)
    };
    // `income` is no denial of `come`.
    let is_adjective = word.len() > 4
        && ["able", "ible", "ent", "ant", "ct", "te", "al", "ve", "ar"]
            .iter()
            .any(|ending| word.ends_with(ending));
    let less = denial.strip_suffix("less").zip(word.strip_suffix("ful"));
    (word.len() > 3 && (is_behind("un") || is_behind("non")))
        || (is_adjective && ["in", "im", "il", "ir"].iter().any(|prefix| is_behind(prefix)))
        || less.is_some_and(|(denied, said)| denied == said)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opposite(one: &str, other: &str) -> bool {
        are_opposite((one, &verify::root(one)), (other, &verify::root(other)))
    }

    #[test]
    fn opposites_go_both_ways_and_forms_of_a_word_are_one() {
        for (one, other) in [
            ("open", "closed"),
            ("forbidden", "allowed"),
            ("suitable", "unsuitable"),
            ("harmless", "harmful"),
            ("accepted", "refused"),
            ("accessible", "inaccessible"),
        ] {
            assert!(opposite(one, other) && opposite(other, one), "{one} {other}");
        }
        for (one, other) in [("open", "opened"), ("come", "income"), ("safe", "safety")] {
            assert!(!opposite(one, other), "{one} {other}");
        }
    }

    #[test]
    fn content_is_what_a_statement_cannot_do_without() {
        let content: Vec<&str> =
            "the bridge is now fully open to heavy lorries but not to the public"
                .split(' ')
                .filter(|word| is_content(word))
                .collect();
        assert_eq!(content, ["bridge", "open", "heavy", "lorries", "public"]);
    }
}
