//! What stands for a word and all its forms.
//!
//! Border: folded words in, roots out. Tables are sorted for the search.

use crate::text::{self, Gate};
use std::borrow::Cow;

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

/// Words that are no form of the one whose stem they have, by the form that stands for them and is not stemmed.
const KEPT: &[(&str, &str)] = &[
    ("authorities", "authority"),
    ("authority", "authority"),
    ("communist", "communist"),
    ("communists", "communist"),
    ("consul", "consul"),
    ("consuls", "consul"),
    ("contractor", "contractor"),
    ("contractors", "contractor"),
    ("defendant", "defendant"),
    ("defendants", "defendant"),
    ("employee", "employee"),
    ("employees", "employee"),
    ("executive", "executive"),
    ("executives", "executive"),
    ("experiment", "experiment"),
    ("experimental", "experiment"),
    ("experiments", "experiment"),
    ("factories", "factory"),
    ("factory", "factory"),
    ("general", "general"),
    ("generals", "general"),
    ("importance", "important"),
    ("important", "important"),
    ("infantry", "infantry"),
    ("investigate", "investigate"),
    ("investigated", "investigate"),
    ("investigates", "investigate"),
    ("investigating", "investigate"),
    ("investigation", "investigate"),
    ("investigations", "investigate"),
    ("investigator", "investigate"),
    ("investigators", "investigate"),
    ("organ", "organ"),
    ("organs", "organ"),
    ("policies", "policy"),
    ("policy", "policy"),
    ("secretaries", "secretary"),
    ("secretary", "secretary"),
    ("trainee", "trainee"),
    ("trainees", "trainee"),
    ("universities", "university"),
    ("university", "university"),
];

/// What stands for a folded word and all its forms.
pub fn root(word: &str) -> Cow<'_, str> {
    const GATE: Gate = gate_of_forms(FORMS);
    const KEPT_GATE: Gate = gate_of_forms(KEPT);
    let kept = KEPT_GATE.may_have(word);
    let kept = kept.then(|| KEPT.binary_search_by_key(&word, |(form, _)| *form).ok());
    if let Some((_, form)) = kept.flatten().and_then(|at| KEPT.get(at)) {
        return Cow::Borrowed(form);
    }
    let is_form = GATE.may_have(word);
    let form = is_form.then(|| FORMS.binary_search_by_key(&word, |(form, _)| *form).ok());
    match form.flatten().and_then(|at| FORMS.get(at)) {
        Some((_, form)) => text::stem(form),
        None => text::stem(&american(word)).into_owned().into(),
    }
}

/// Whether a root is that of a word which no other is of the family of, however alike they are.
pub fn is_alone(root: &str) -> bool {
    const GATE: Gate = gate_of_forms(KEPT);
    GATE.may_have(root) && KEPT.binary_search_by_key(&root, |(form, _)| *form).is_ok()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_the_search() {
        assert!(FORMS.is_sorted() && KEPT.is_sorted());
    }

    #[test]
    fn words_that_only_look_like_forms_of_another_keep_their_own_root() {
        for (one, other) in [
            ("executive", "executed"),
            ("important", "import"),
            ("university", "universe"),
            ("general", "generation"),
            ("policy", "police"),
        ] {
            assert_ne!(root(one), root(other), "{one} {other}");
            assert!(is_alone(&root(one)), "{one}");
        }
        assert_eq!(root("universities"), root("university"));
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
