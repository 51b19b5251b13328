//! Why a report can be relied on as far as it can, in the languages of reports.
//!
//! Border: a sentence of the rules, in English, as events and companions carry it, in; the same in the language of
//! a report out. One that is not known here stays as it is.

use super::{Language, fill};
use std::borrow::Cow;

/// Each sentence in English, German, French and Spanish; `{}` stands for what is filled in.
const SENTENCES: [[&str; 4]; 38] = [
    [
        "{} of {} findings stand in their sources.",
        "{} von {} Erkenntnissen stehen in ihren Quellen.",
        "{} constats sur {} figurent dans leurs sources.",
        "{} de {} hallazgos constan en sus fuentes.",
    ],
    [
        "{} of {} questions are answered.",
        "{} von {} Fragen sind beantwortet.",
        "{} questions sur {} ont une réponse.",
        "{} de {} preguntas tienen respuesta.",
    ],
    [
        "Verified findings rest on official or primary sources ({}), reputable secondary ones ({}), others ({}).",
        "Bestätigte Erkenntnisse beruhen auf amtlichen oder ersten Quellen ({}), angesehenen zweiten ({}), anderen ({}).",
        "Les constats vérifiés reposent sur des sources officielles ou primaires ({}), secondaires réputées ({}), autres ({}).",
        "Los hallazgos comprobados se apoyan en fuentes oficiales o primarias ({}), secundarias acreditadas ({}), otras ({}).",
    ],
    [
        "A verified finding has {} independent voices on average.",
        "Eine bestätigte Erkenntnis hat im Mittel {} unabhängige Stimmen.",
        "Un constat vérifié a {} voix indépendantes en moyenne.",
        "Un hallazgo comprobado tiene {} voces independientes de media.",
    ],
    [
        "No contradiction is open.",
        "Kein Widerspruch ist offen.",
        "Aucune contradiction n’est ouverte.",
        "Ninguna contradicción está abierta.",
    ],
    [
        "One contradiction is open.",
        "Ein Widerspruch ist offen.",
        "Une contradiction est ouverte.",
        "Una contradicción está abierta.",
    ],
    [
        "{} contradictions are open.",
        "{} Widersprüche sind offen.",
        "{} contradictions sont ouvertes.",
        "{} contradicciones están abiertas.",
    ],
    [
        "The task asks for what is new; the newest source is {} years old.",
        "Gefragt ist nach Neuem; die neueste Quelle ist {} Jahre alt.",
        "La demande porte sur du récent ; la source la plus récente a {} ans.",
        "La tarea pide lo reciente; la fuente más nueva tiene {} años.",
    ],
    [
        "The newest source is {} years old.",
        "Die neueste Quelle ist {} Jahre alt.",
        "La source la plus récente a {} ans.",
        "La fuente más nueva tiene {} años.",
    ],
    [
        "The task asks for what is new, and no source says how old it is.",
        "Gefragt ist nach Neuem, und keine Quelle sagt, wie alt sie ist.",
        "La demande porte sur du récent, et aucune source ne dit son âge.",
        "La tarea pide lo reciente, y ninguna fuente dice su fecha.",
    ],
    [
        "No source says how old it is.",
        "Keine Quelle sagt, wie alt sie ist.",
        "Aucune source ne dit son âge.",
        "Ninguna fuente dice su fecha.",
    ],
    [
        "The task asks for what is new; the newest source of a verified finding is {} years old.",
        "Gefragt ist nach Neuem; die neueste Quelle einer bestätigten Erkenntnis ist {} Jahre alt.",
        "La demande porte sur du récent ; la source la plus récente d’un constat vérifié a {} ans.",
        "La tarea pide lo reciente; la fuente más nueva de un hallazgo comprobado tiene {} años.",
    ],
    [
        "The newest source of a verified finding is {} years old.",
        "Die neueste Quelle einer bestätigten Erkenntnis ist {} Jahre alt.",
        "La source la plus récente d’un constat vérifié a {} ans.",
        "La fuente más nueva de un hallazgo comprobado tiene {} años.",
    ],
    [
        "The task asks for what is new, and no source of a verified finding says how old it is.",
        "Gefragt ist nach Neuem, und keine Quelle einer bestätigten Erkenntnis sagt, wie alt sie ist.",
        "La demande porte sur du récent, et aucune source d’un constat vérifié ne dit son âge.",
        "La tarea pide lo reciente, y ninguna fuente de un hallazgo comprobado dice su fecha.",
    ],
    [
        "No source of a verified finding says how old it is.",
        "Keine Quelle einer bestätigten Erkenntnis sagt, wie alt sie ist.",
        "Aucune source d’un constat vérifié ne dit son âge.",
        "Ninguna fuente de un hallazgo comprobado dice su fecha.",
    ],
    [
        "One provider was away.",
        "Ein Anbieter war nicht da.",
        "Un fournisseur était absent.",
        "Un proveedor no estaba disponible.",
    ],
    [
        "{} providers were away.",
        "{} Anbieter waren nicht da.",
        "{} fournisseurs étaient absents.",
        "{} proveedores no estaban disponibles.",
    ],
    [
        "One step was done by rules in a model's place.",
        "Einen Schritt taten Regeln anstelle eines Modells.",
        "Une étape a été faite par des règles à la place d’un modèle.",
        "Un paso lo hicieron reglas en lugar de un modelo.",
    ],
    [
        "{} steps were done by rules in a model's place.",
        "{} Schritte taten Regeln anstelle eines Modells.",
        "{} étapes ont été faites par des règles à la place d’un modèle.",
        "{} pasos los hicieron reglas en lugar de un modelo.",
    ],
    [
        "Time or budget ended the research before it was done.",
        "Zeit oder Budget beendete die Recherche, bevor sie fertig war.",
        "Le temps ou le budget a mis fin à la recherche avant son terme.",
        "El tiempo o el presupuesto acabó la investigación antes de tiempo.",
    ],
    [
        "No finding is verified.",
        "Keine Erkenntnis ist bestätigt.",
        "Aucun constat n’est vérifié.",
        "Ningún hallazgo está comprobado.",
    ],
    [
        "No question is answered as the rules ask for.",
        "Keine Frage ist so beantwortet, wie es die Regeln verlangen.",
        "Aucune question n’a la réponse que les règles exigent.",
        "Ninguna pregunta tiene la respuesta que piden las reglas.",
    ],
    [
        "Rules chose the sentences; whether they answer is not theirs to say.",
        "Regeln wählten die Sätze; ob diese antworten, können sie nicht sagen.",
        "Des règles ont choisi les phrases ; elles ne peuvent dire si celles-ci répondent.",
        "Las frases las eligieron reglas; si responden no les toca decirlo.",
    ],
    ["Nothing is certain.", "Nichts ist gewiss.", "Rien n’est certain.", "Nada es seguro."],
    [
        "Nothing is ruled out.",
        "Nichts ist ausgeschlossen.",
        "Rien n’est exclu.",
        "Nada queda descartado.",
    ],
    [
        "a search failed: {}",
        "eine Suche schlug fehl: {}",
        "une recherche a échoué : {}",
        "una búsqueda falló: {}",
    ],
    [
        "{} could not be used: {}",
        "{} war nicht zu gebrauchen: {}",
        "{} n’a pas pu servir : {}",
        "{} no se pudo usar: {}",
    ],
    [
        "{} stands in for {}: {}",
        "{} steht für {} ein: {}",
        "{} remplace {} : {}",
        "{} sustituye a {}: {}",
    ],
    ["verified", "bestätigt", "vérifié", "comprobado"],
    ["answered", "beantwortet", "répondu", "respondido"],
    ["tiers", "Rang der Quellen", "rang des sources", "rango de las fuentes"],
    ["independence", "Unabhängigkeit", "indépendance", "independencia"],
    ["agreement", "Einigkeit", "accord", "acuerdo"],
    ["recency", "Aktualität", "actualité", "actualidad"],
    ["outages", "Ausfälle", "pannes", "fallos"],
    ["fallbacks", "Ersatz", "remplacements", "sustituciones"],
    ["partial", "abgekürzt", "abrégé", "abreviado"],
    ["limit", "Grenze", "limite", "límite"],
];

/// A sentence in the language of a report.
pub fn assessed(language: Language, sentence: &str) -> Cow<'_, str> {
    let known = || filled(&SENTENCES, language, sentence);
    // Each stands there as it is.
    let other = if language == Language::En { None } else { known() };
    other.map_or(Cow::Borrowed(sentence), Cow::Owned)
}

/// The row that an English sentence is of, in the language of a report with what it fills in; none where it is of no row.
pub(super) fn filled(rows: &[[&str; 4]], language: Language, sentence: &str) -> Option<String> {
    let at = match language {
        Language::En => 0,
        Language::De => 1,
        Language::Fr => 2,
        Language::Es => 3,
    };
    let (words, values) = rows.iter().find_map(|row| {
        let [english, ..] = row;
        Some((row.get(at)?, holes(english, sentence)?))
    })?;
    if at == 0 {
        return Some(sentence.to_owned());
    }
    let values: Vec<String> = values.into_iter().map(decimal).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    Some(fill(words, &values))
}

/// What stands in the holes of a form; none where the text has another form.
fn holes<'t>(form: &str, text: &'t str) -> Option<Vec<&'t str>> {
    let mut pieces = form.split("{}");
    let mut rest = text.strip_prefix(pieces.next()?)?;
    let mut values = Vec::new();
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let is_last = pieces.peek().is_none();
        let (value, behind) = match (is_last, piece) {
            (true, _) => (rest.strip_suffix(piece)?, ""),
            (false, _) => rest.split_once(piece)?,
        };
        values.push(value);
        rest = behind;
    }
    rest.is_empty().then_some(values)
}

/// A number with the comma that these languages write.
fn decimal(value: &str) -> String {
    let is_decimal = value.contains('.') && value.parse::<f64>().is_ok();
    if is_decimal { value.replace('.', ",") } else { value.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::policy::confidence::{Signals, assess};

    /// Runs of many kinds, whose sentences are all that the rules can say.
    fn all() -> Vec<Signals> {
        let mut all = vec![Signals::default()];
        for (at, verified) in [(0, 0), (1, 4), (2, 9)] {
            for age in [None, Some(0.5), Some(30.0)] {
                for is_time_sensitive in [false, true] {
                    all.push(Signals {
                        findings: 9,
                        verified,
                        questions: 3,
                        resolved: at,
                        tiers: [verified, 0, 0],
                        voices: 1.5,
                        open_conflicts: at,
                        age,
                        is_time_sensitive,
                        outages: u32::try_from(at).unwrap(),
                        fallbacks: u32::try_from(at).unwrap(),
                        is_partial: at == 1,
                        is_by_rules: at == 0,
                        names_findings: at == 1,
                    });
                }
            }
        }
        all
    }

    #[test]
    fn every_sentence_of_the_rules_is_there_in_every_language() {
        let mut seen = std::collections::BTreeSet::new();
        for signals in all() {
            let assessed_run = assess(&signals);
            let penalties = assessed_run.penalties.iter();
            for sentence in penalties.chain(assessed_run.parts.iter().map(|part| &part.words)) {
                for language in [Language::De, Language::Fr, Language::Es] {
                    assert_ne!(assessed(language, sentence), *sentence, "{language:?}");
                }
                assert_eq!(assessed(Language::En, sentence), *sentence);
                seen.insert(sentence.clone());
            }
            for part in assessed_run.parts {
                assert_ne!(assessed(Language::Es, &part.name), part.name);
            }
        }
        assert!(seen.len() > 15, "{seen:?}");
    }

    #[test]
    fn what_is_filled_in_stays_and_what_is_not_known_too() {
        for (sentence, expected) in [
            (
                "4 of 9 findings stand in their sources.",
                "4 von 9 Erkenntnissen stehen in ihren Quellen.",
            ),
            ("The newest source is 1.5 years old.", "Die neueste Quelle ist 1,5 Jahre alt."),
            ("a search failed: down: 503", "eine Suche schlug fehl: down: 503"),
            ("openai:m could not be used: x: y", "openai:m war nicht zu gebrauchen: x: y"),
            ("Something else.", "Something else."),
            ("", ""),
        ] {
            assert_eq!(assessed(Language::De, sentence), expected);
        }
    }
}
