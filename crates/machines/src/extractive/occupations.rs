//! What people are: occupations and offices, and those who live somewhere.
//!
//! Border: plain lists and their look-ups.

use super::kind::names_a_place;

/// Occupations and offices, lower case. Sorted.
const OCCUPATIONS: [&str; 134] = [
    "abbess",
    "abbot",
    "accountant",
    "actor",
    "actress",
    "administrator",
    "admiral",
    "advocate",
    "ambassador",
    "apprentice",
    "archbishop",
    "architect",
    "artist",
    "attorney",
    "auditor",
    "author",
    "baker",
    "banker",
    "barber",
    "bishop",
    "blacksmith",
    "bookkeeper",
    "brewer",
    "builder",
    "butcher",
    "captain",
    "cardinal",
    "caretaker",
    "carpenter",
    "cashier",
    "chairman",
    "chairperson",
    "chairwoman",
    "chancellor",
    "chaplain",
    "chef",
    "chemist",
    "clerk",
    "coach",
    "colonel",
    "commander",
    "commissioner",
    "composer",
    "conductor",
    "constable",
    "consul",
    "cook",
    "councillor",
    "curate",
    "curator",
    "custodian",
    "dean",
    "dentist",
    "deputy",
    "designer",
    "director",
    "doctor",
    "editor",
    "electrician",
    "emperor",
    "empress",
    "engineer",
    "farmer",
    "firefighter",
    "fisherman",
    "foreman",
    "gardener",
    "governor",
    "guard",
    "guardian",
    "harbourmaster",
    "headmaster",
    "headmistress",
    "headteacher",
    "inspector",
    "janitor",
    "journalist",
    "judge",
    "keeper",
    "king",
    "lawyer",
    "leader",
    "lecturer",
    "librarian",
    "lieutenant",
    "lighthousekeeper",
    "magistrate",
    "major",
    "manager",
    "mathematician",
    "mayor",
    "mechanic",
    "midwife",
    "miller",
    "miner",
    "minister",
    "monk",
    "musician",
    "nun",
    "nurse",
    "officer",
    "organist",
    "painter",
    "pastor",
    "philosopher",
    "photographer",
    "physician",
    "physicist",
    "poet",
    "pope",
    "postmaster",
    "premier",
    "president",
    "priest",
    "principal",
    "professor",
    "prosecutor",
    "queen",
    "ranger",
    "rector",
    "sailor",
    "scientist",
    "secretary",
    "senator",
    "sergeant",
    "sheriff",
    "shopkeeper",
    "singer",
    "surgeon",
    "teacher",
    "treasurer",
    "vicar",
    "warden",
    "writer",
];

/// Offices that are things as well.
const OFFICES: [&str; 3] = ["chair", "head", "speaker"];

/// Words, lower case, of who lives somewhere.
const LIVING: [&str; 17] = [
    "census",
    "citizens",
    "dwell",
    "dwellers",
    "inhabitant",
    "inhabitants",
    "inhabited",
    "live",
    "lived",
    "lives",
    "populated",
    "population",
    "residence",
    "resident",
    "residents",
    "settlers",
    "souls",
];

/// Whether a word, lower case, says what somebody does or which office they hold.
pub(super) fn is_occupation(word: &str) -> bool {
    OCCUPATIONS.binary_search(&word).is_ok()
}

/// Whether somebody holds an office in these words, lower case, behind `how long`: `was Una Marsh bishop of Kiel`,
/// `was she chair`, but not `is the chair`.
pub(super) fn hold_an_office(words: &[String]) -> bool {
    let is_article = |word: &String| matches!(word.as_str(), "a" | "an" | "the" | "this" | "that");
    let [_, rest @ ..] = words else { return false };
    let names_thing = rest.first().is_some_and(is_article);
    rest.iter().enumerate().skip(1).any(|(at, word)| {
        let before = rest.get(..at).unwrap_or_default();
        let next = rest.get(at + 1).map(String::as_str);
        let is_last = next.is_none_or(|next| matches!(next, "at" | "for" | "in" | "of"));
        // Of `the letter of the bishop` it is the letter.
        let is_other = before.iter().any(|word| word == "of");
        let is_thing = before.iter().any(is_article);
        // `the Ford Ranger` and `the river Dean` are things, and in `was she the mayor` there is somebody first.
        let is_office = (!names_thing && is_occupation(word))
            || (!is_thing && OFFICES.contains(&word.as_str()));
        let has_holder = !before.iter().all(is_article);
        is_last && has_holder && !is_other && is_office
    })
}

/// Whether a word, lower case, says that people live somewhere, or is what those are called: `islanders`, `townspeople`.
pub(super) fn tells_of_living(word: &str) -> bool {
    const BEHIND_PLACES: [&str; 6] = ["ers", "er", "speople", "sfolk", "folk", "people"];
    let is_place = |place: &str| names_a_place(place) || names_a_place(&format!("{place}e"));
    LIVING.contains(&word)
        || BEHIND_PLACES.iter().filter_map(|ending| word.strip_suffix(ending)).any(is_place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn occupations_are_sorted_for_the_search() {
        assert!(OCCUPATIONS.is_sorted());
    }

    #[test]
    fn who_holds_an_office_has_no_article() {
        for (words, holds) in [
            ("was Una Marsh bishop of Kiel", true),
            ("was she the mayor of Kiel", true),
            ("was she chair", true),
            ("is the Ford Ranger", false),
            ("is the USS Ranger", false),
            ("is the river Dean", false),
            ("is the chair", false),
        ] {
            assert_eq!(hold_an_office(&crate::extractive::words::words(words)), holds, "{words}");
        }
    }

    #[test]
    fn who_lives_in_a_place_is_called_after_it() {
        for word in ["islanders", "villagers", "townspeople", "townsfolk", "residents", "lived"] {
            assert!(tells_of_living(word), "{word}");
        }
        for word in ["island", "passengers", "crew", "people", "er", "liver"] {
            assert!(!tells_of_living(word), "{word}");
        }
    }
}
