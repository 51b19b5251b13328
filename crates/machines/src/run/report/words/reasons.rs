//! Why a source has its tier, in the languages of reports.
//!
//! Border: the sentence that events carry, in English, in; the same in the language of a report out. One that is
//! not known here stays as it is.

use super::Language;

/// Each reason in English, German, French and Spanish.
const REASONS: [[&str; 4]; 31] = [
    ["public authority", "Behörde", "autorité publique", "autoridad pública"],
    ["central bank", "Zentralbank", "banque centrale", "banco central"],
    [
        "standards body",
        "Normungsgremium",
        "organisme de normalisation",
        "organismo de normalización",
    ],
    [
        "registry: the record itself",
        "Register: der Eintrag selbst",
        "registre : l’inscription même",
        "registro: el propio asiento",
    ],
    ["statistics office", "Statistikamt", "office de statistique", "oficina de estadística"],
    ["court", "Gericht", "tribunal", "tribunal"],
    [
        "intergovernmental organisation",
        "zwischenstaatliche Organisation",
        "organisation intergouvernementale",
        "organización intergubernamental",
    ],
    ["university", "Universität", "université", "universidad"],
    [
        "journal or research repository",
        "Fachzeitschrift oder Forschungsarchiv",
        "revue ou archive de recherche",
        "revista o repositorio científico",
    ],
    [
        "research institute or learned society",
        "Forschungsinstitut oder Fachgesellschaft",
        "institut de recherche ou société savante",
        "instituto de investigación o sociedad científica",
    ],
    [
        "national library, archive, museum or heritage body",
        "Nationalbibliothek, Archiv, Museum oder Denkmalpflege",
        "bibliothèque nationale, archives, musée ou service du patrimoine",
        "biblioteca nacional, archivo, museo u organismo de patrimonio",
    ],
    [
        "governing body of its sport",
        "Dachverband seiner Sportart",
        "fédération de son sport",
        "federación de su deporte",
    ],
    [
        "documentation of its maker",
        "Dokumentation des Herstellers",
        "documentation de son auteur",
        "documentación de su fabricante",
    ],
    [
        "known research organisation with a view of its own",
        "bekannte Forschungsorganisation mit eigener Sicht",
        "organisme de recherche connu, avec un point de vue propre",
        "organización de investigación conocida, con opinión propia",
    ],
    [
        "known medical reference",
        "bekanntes medizinisches Nachschlagewerk",
        "référence médicale connue",
        "referencia médica conocida",
    ],
    ["news agency", "Nachrichtenagentur", "agence de presse", "agencia de noticias"],
    [
        "broadcaster with a newsroom",
        "Sender mit Redaktion",
        "radiodiffuseur avec une rédaction",
        "emisora con redacción",
    ],
    [
        "newspaper or magazine of record",
        "maßgebliche Zeitung oder Zeitschrift",
        "journal ou magazine de référence",
        "periódico o revista de referencia",
    ],
    [
        "encyclopaedia or reference work",
        "Enzyklopädie oder Nachschlagewerk",
        "encyclopédie ou ouvrage de référence",
        "enciclopedia u obra de consulta",
    ],
    ["trade press", "Fachpresse", "presse spécialisée", "prensa especializada"],
    [
        "press releases, whoever pays",
        "Pressemitteilungen, wer auch zahlt",
        "communiqués de presse, quel que soit le payeur",
        "notas de prensa, pague quien pague",
    ],
    [
        "anyone may publish there",
        "dort darf jeder veröffentlichen",
        "tout le monde peut y publier",
        "cualquiera puede publicar allí",
    ],
    [
        "the subject's own site",
        "die eigene Seite dessen, worum es geht",
        "le site du sujet lui-même",
        "el sitio del propio sujeto",
    ],
    ["no address", "keine Adresse", "aucune adresse", "sin dirección"],
    [
        "its address has a DOI",
        "in der Adresse steht eine DOI",
        "son adresse contient un DOI",
        "su dirección contiene un DOI",
    ],
    [
        "nothing is known of its host",
        "über die Website ist nichts bekannt",
        "rien n’est connu de son site",
        "no se sabe nada de su sitio",
    ],
    [
        "its page names its journal and its DOI",
        "die Seite nennt Zeitschrift und DOI",
        "la page nomme sa revue et son DOI",
        "la página nombra su revista y su DOI",
    ],
    [
        "its page names a public body as its publisher",
        "die Seite nennt eine öffentliche Stelle als Herausgeber",
        "la page nomme un organisme public comme éditeur",
        "la página nombra a un organismo público como editor",
    ],
    [
        "a scholarly article with its author's name",
        "ein wissenschaftlicher Artikel mit Namen des Verfassers",
        "un article scientifique signé",
        "un artículo científico firmado",
    ],
    [
        "a news article with its author's name",
        "ein Nachrichtenartikel mit Namen des Verfassers",
        "un article de presse signé",
        "un artículo periodístico firmado",
    ],
    ["by its host", "nach der Website", "d’après son site", "por su sitio"],
];

/// A reason in the language of a report.
pub fn tier_reason(language: Language, reason: &str) -> &str {
    let at = match language {
        Language::En => 0,
        Language::De => 1,
        Language::Fr => 2,
        Language::Es => 3,
    };
    let known = REASONS.iter().find(|row| row.first() == Some(&reason));
    known.and_then(|row| row.get(at)).copied().unwrap_or(reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_of_the_rules_is_there_in_every_language() {
        let mut reasons = quarry_evidence::tier_reasons();
        reasons.push(crate::run::policy::quality::OWN_SITE);
        assert!(reasons.len() > 25);
        for reason in reasons {
            for language in [Language::De, Language::Fr, Language::Es] {
                assert_ne!(tier_reason(language, reason), reason, "{language:?}");
            }
            assert_eq!(tier_reason(Language::En, reason), reason);
        }
        assert_eq!(tier_reason(Language::De, "because"), "because");
    }
}
