//! What the rules hold against a finding that stands, in the languages of reports.
//!
//! Border: as in [`super::assessed`], but one that is not known here is a model's.

use super::Language;
use super::assessed::filled;

/// Each as [`crate::run::policy::synthesis`] writes it, and in German, French and Spanish.
const DOUBTS: [[&str; 4]; 6] = [
    [
        "Its sources say it in part; they lack: {}.",
        "Ihre Quellen sagen es zum Teil; es fehlt dort: {}.",
        "Ses sources le disent en partie ; il y manque : {}.",
        "Sus fuentes lo dicen en parte; allí falta: {}.",
    ],
    [
        "Its sources do not name there what it names.",
        "Ihre Quellen nennen dort nicht, was sie nennt.",
        "Ses sources n’y nomment pas ce qu’il nomme.",
        "Sus fuentes no nombran allí lo que nombra.",
    ],
    [
        "Its sources say it of the other.",
        "Ihre Quellen sagen es von dem anderen.",
        "Ses sources le disent de l’autre.",
        "Sus fuentes lo dicen del otro.",
    ],
    [
        "Its sources use a word that means the contrary.",
        "Ihre Quellen gebrauchen ein Wort, das das Gegenteil bedeutet.",
        "Ses sources emploient un mot qui veut dire le contraire.",
        "Sus fuentes usan una palabra que significa lo contrario.",
    ],
    [
        "It leaves no exception where its sources do not say so.",
        "Sie lässt keine Ausnahme zu, wo ihre Quellen das nicht sagen.",
        "Il ne laisse aucune exception là où ses sources ne le disent pas.",
        "No deja excepción donde sus fuentes no lo dicen.",
    ],
    [
        "Its sources say it with reserve.",
        "Ihre Quellen sagen es mit Vorbehalt.",
        "Ses sources le disent avec réserve.",
        "Sus fuentes lo dicen con reserva.",
    ],
];

/// A doubt of the rules' own in the language of a report; none of what a model is unsure of, which is checked.
pub fn doubted(language: Language, sentence: &str) -> Option<String> {
    filled(&DOUBTS, language, sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_own_doubts_are_known_from_a_models() {
        let lacks = "Its sources say it in part; they lack: 1911, Turm.";
        let german = doubted(Language::De, lacks);
        assert_eq!(
            german.as_deref(),
            Some("Ihre Quellen sagen es zum Teil; es fehlt dort: 1911, Turm.")
        );
        assert_eq!(doubted(Language::En, lacks).as_deref(), Some(lacks));
        assert_eq!(doubted(Language::De, "The date may be another."), None);
    }
}
