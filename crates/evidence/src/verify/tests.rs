//! Claims as models write them against passages as pages have them.

use super::*;
use proptest::prelude::*;

mod bound;
mod figures;
mod joints;
mod narrower;
mod proviso;
mod quoted;
mod rivals;
mod roles;
mod turned;
mod unreal;
mod voice;

const LAMP: &str = "The lighthouse of Sker stands on the north side of the island. It was built by Ann Marsh \
    between 1821 and 1823 and lit for the first time on 3 March 1823. The tower is 38 metres high and \
    has 196 steps. \"It was loud and cold,\" the keeper wrote. In 2019 some 1.2 million people visited \
    the island, 12 % more than the year before. The museum is not open in winter. Marsh sold the company \
    to Tom Reed in 1840. The museum may show a brass lamp of 1823.";

fn check(claim: &str) -> Check {
    let context = "Sker lighthouse";
    let other = Text { context: "Bread", text: "Bread is made of flour, water and salt." };
    let index = Index::new([other, Text { context, text: LAMP }]);
    index.check(&Claim::new(claim), 1).unwrap()
}

fn verdict(claim: &str, source: &str) -> Verdict {
    Index::new([Text { context: "", text: source }]).best(&Claim::new(claim)).unwrap().verdict
}

/// Claims, sources that only seem to say them, and sources that do.
fn are_told_apart(rows: &[(&str, &[&str], &[&str])]) {
    for (claim, others, saying) in rows {
        for source in *others {
            assert_ne!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
        }
        for source in *saying {
            assert_eq!(verdict(claim, source), Verdict::Supported, "{claim} by {source}");
        }
    }
}

fn vetoes(claim: &str) -> Vec<Veto> {
    check(claim).vetoes.into_iter().collect()
}

#[test]
fn a_sentence_that_the_passage_says_is_supported_in_whatever_writing() {
    for claim in [
        "The lighthouse was built by Ann Marsh between 1821 and 1823.",
        "The lighthouse of Sker was lit for the first time on March 3rd, 1823.",
        "Its tower is 38 meters high and has 196 steps.",
        "Some 1,200,000 people visited the island in 2019, 12 percent more than the year before.",
        "The keeper wrote: “It was loud and cold”.",
        "The museum isn’t open in winter on the island.",
        "The lighthouse was built by Ann Marsh in the years 1821–23.",
    ] {
        let check = check(claim);
        assert_eq!(check.verdict, Verdict::Supported, "{claim} {check:?}");
    }
}

#[test]
fn one_wrong_detail_takes_the_verdict() {
    for (claim, veto) in [
        ("The tower is 39 metres high and has 196 steps.", Veto::Number),
        ("The lighthouse was built by Ann Marsh in the years 1821–24.", Veto::Number),
        ("The lighthouse was lit for the first time on 4 March 1823.", Veto::Date),
        ("The lighthouse was lit for the second time on 3 March 1823.", Veto::Ordinal),
        ("The tower is 38 feet high and has 196 steps.", Veto::Unit),
        ("In 2019 some 1.2 billion people visited the island of Sker.", Veto::Number),
        ("The lighthouse was built by Ann Miller between 1821 and 1823.", Veto::Entity),
        ("The museum on the island is open in winter.", Veto::Polarity),
        ("The lighthouse was not lit on 3 March 1823.", Veto::Polarity),
        ("Marsh bought the company of Tom Reed in 1840.", Veto::Antonym),
        ("The lighthouse stands on the south side of the island.", Veto::Antonym),
        (
            "The lighthouse of Sker is the only tower on the north side of the island.",
            Veto::Absolute,
        ),
        ("The museum never had 196 steps in the tower of 38 metres.", Veto::Absolute),
        ("Tom Reed sold the company to Marsh in 1840.", Veto::Swapped),
        ("The museum on the island shows a brass lamp of 1823.", Veto::Reserve),
        ("Is the tower 38 metres high with 196 steps?", Veto::Question),
        ("The tower is tall.", Veto::TooShort),
        ("It is high.", Veto::TooShort),
    ] {
        let check = check(claim);
        assert_ne!(check.verdict, Verdict::Supported, "{claim}");
        assert!(check.vetoes.contains(&veto), "{claim} {check:?}");
    }
}

#[test]
fn a_quotation_that_nobody_wrote_is_not_found_however_alike_it_is() {
    let check = check("The keeper wrote that it was \"loud and warm\" in the tower of Sker.");
    assert_eq!((check.verdict, check.vetoes.contains(&Veto::Quotation)), (Verdict::NotFound, true));
    assert_eq!(vetoes("The keeper wrote that it was 'loud  and cold' in the tower of Sker."), []);
    let left_out = "The keeper of the lighthouse of Sker wrote \"It was loud [...] and cold\".";
    assert!(!vetoes(left_out).contains(&Veto::Quotation), "{left_out}");
    let title = "The keeper wrote \"A Tower of Noise\" in the tower of Sker.";
    assert_eq!(vetoes(title), [Veto::Entity], "a title is no quotation");
    for (open, close) in [('"', '"'), ('“', '”'), ('„', '“'), ('»', '«'), ('«', '»'), ('‘', '’')]
    {
        let small = format!("The keeper wrote that {open}I am so sad{close} in the tower of Sker.");
        assert!(vetoes(&small).contains(&Veto::Quotation), "{small}");
        let said = format!(
            "The keeper wrote that it was {open}loud and cold{close} in the tower of Sker."
        );
        assert!(!vetoes(&said).contains(&Veto::Quotation), "{said}");
    }
    let nested = "The keeper wrote “he said ‘stop’ and it was warm and sad” in the tower of Sker.";
    assert!(vetoes(nested).contains(&Veto::Quotation), "{nested}");
    let inches = "The 5\" lamp of the tower of Sker was “warm and sad”, wrote the keeper.";
    assert!(vetoes(inches).contains(&Veto::Quotation), "{inches}");
    for none in ["in the ‘90s the workers’ tower", "on Hawai‘i and in the workers’ tower"] {
        let none = format!("The keeper wrote {none} of Sker.");
        assert!(!vetoes(&none).contains(&Veto::Quotation), "{none}");
    }
}

#[test]
fn a_word_between_any_marks_is_a_quotation() {
    let rows = [
        (
            "The keeper of Sker called the lamp room \"rotten\" in 1823.",
            "The keeper of Sker called the lamp room sound in 1823.",
            "In 1823 the keeper of Sker called the lamp room rotten.",
        ),
        (
            "The keeper of Sker left the tower 'in a rotten state' in 1823.",
            "The keeper of Sker left the tower in 1823 in a state that was rotten.",
            "In 1823 the keeper of Sker left the tower in a rotten state.",
        ),
        ("斯克尔灯塔的状况“很坏”。", "斯克尔灯塔的状况很好。", "斯克尔灯塔的状况很坏。"),
        ("斯克尔灯塔的状况「很坏」。", "斯克尔灯塔的状况很好。", "斯克尔灯塔的状况很坏。"),
        ("斯克尔灯塔的状况『很坏』。", "斯克尔灯塔的状况很好。", "斯克尔灯塔的状况很坏。"),
    ];
    for (claim, near, said) in rows {
        assert_eq!(verdict(claim, near), Verdict::NotFound, "{claim} by {near}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
    for none in
        ["the keepers' and the workers' tower", "\"Noise\" on the tower", "a 'lamp-lit' tower"]
    {
        let source = "The keeper of Sker wrote of a lamp-lit tower of noise.";
        let index = Index::new([Text { context: "", text: source }]);
        let check =
            index.best(&Claim::new(&format!("The keeper wrote of {none} of Sker."))).unwrap();
        assert!(!check.vetoes.contains(&Veto::Quotation), "{none} {check:?}");
    }
}

#[test]
fn what_is_said_elsewhere_is_not_found_here_and_found_there() {
    let index = Index::new([
        Text { context: "", text: "Bread is made of flour, water and salt." },
        Text { context: "", text: LAMP },
    ]);
    let claim = Claim::new("The tower has 196 steps and is 38 metres high.");
    assert_eq!(index.check(&claim, 0).unwrap().verdict, Verdict::NotFound);
    let best = index.best(&claim).unwrap();
    assert_eq!((best.passage, best.verdict), (1, Verdict::Supported));
    assert_eq!(
        &LAMP[best.window],
        "The tower is 38 metres high and \
        has 196 steps."
    );
}

#[test]
fn a_name_counts_where_it_stands_beside_what_is_said_of_it() {
    let text = "Jim Hale, who came second, met Ann Poole in Lund. Years later, when nobody thought of it, \
        Eva Brandt won the race in Ghent.";
    let index = Index::new([Text { context: "", text }]);
    for (claim, vetoes) in [
        ("Eva Brandt won the race in Ghent.", vec![]),
        ("Jim Hale won the race in Ghent.", vec![Veto::Entity]),
        ("Eva Poole won the race in Ghent.", vec![Veto::Entity]),
        ("Brandt Eva won the race in Ghent.", vec![Veto::Entity]),
    ] {
        let check = index.best(&Claim::new(claim)).unwrap();
        assert_eq!(check.vetoes.iter().copied().collect::<Vec<_>>(), vetoes, "{claim} {check:?}");
    }
}

#[test]
fn a_negation_that_stands_alone_lends_a_sentence_no_word_of_another() {
    let first = Text { context: "", text: "Orrin Bridge carries a railway over the firth." };
    for negated in ["did n't", "did\u{ad}n't", "did\u{200b}n't", "did **n't**", "did**n't**"] {
        let text = format!("The ferry bridge {negated} open in 2012.");
        let index = Index::new([first, Text { context: "", text: &text }]);
        let check = index.check(&Claim::new("Orrin Bridge did not open in 2012."), 1).unwrap();
        assert_eq!(check.missing, ["Orrin"], "{negated:?} {check:?}");
        assert_ne!(check.verdict, Verdict::Supported, "{negated:?}");
        assert!(check.vetoes.contains(&Veto::Entity), "{negated:?} {check:?}");
    }
}

#[test]
fn abbreviations_stand_for_names_and_words_for_their_families() {
    let text = "Poultry production is overseen by the Food and Drug Administration in the US.";
    let index = Index::new([Text { context: "", text }]);
    for claim in [
        "In the United States, poultry production is overseen by the FDA.",
        "The FDA is overseeing poultry producers in the US.",
    ] {
        let check = index.best(&Claim::new(claim)).unwrap();
        assert_eq!(check.verdict, Verdict::Supported, "{check:?}");
    }
}

#[test]
fn the_same_in_other_words_is_supported_if_all_that_tells_is_there() {
    for claim in [
        "The lighthouse of Sker was first lit in the 1820s.",
        "The lighthouse was constructed by Ann Marsh between 1821 and 1823.",
        "Marsh sold the firm to Tom Reed in 1840.",
        "Over 1 million people went to the island in 2019.",
        "The lighthouse was lit in the 19th century for the first time.",
    ] {
        let check = check(claim);
        assert_eq!(check.verdict, Verdict::Supported, "{claim} {check:?}");
    }
    for claim in [
        "The lighthouse of Sker was first lit in the 1830s.",
        "Over 2 million people went to the island in 2019.",
        "The lighthouse was lit in the 18th century for the first time.",
        "The lighthouse was abandoned by Ann Marsh between 1821 and 1823.",
    ] {
        let check = check(claim);
        assert_ne!(check.verdict, Verdict::Supported, "{claim} {check:?}");
    }
}

#[test]
fn one_word_of_a_long_sentence_may_be_missing_but_no_name_and_no_number() {
    let claim = |it: &str| {
        format!(
            "The {it} of Sker, 38 metres high with 196 steps, was built between 1821 and 1823 on the north side \
        of the island and lit for the first time on 3 March 1823."
        )
    };
    assert_eq!(check(&claim("lighthouse")).verdict, Verdict::Supported);
    let bent = check(&claim("crooked lighthouse"));
    assert_eq!((bent.verdict, &*bent.missing), (Verdict::Supported, &["crooked".to_owned()][..]));
    assert_eq!(check(&claim("Muldoon lighthouse")).verdict, Verdict::Partly);
    assert_eq!(check("The tower of Sker is 38 metres high and crooked.").verdict, Verdict::Partly);
}

#[test]
fn names_that_changed_places_are_found_and_a_passive_is_no_change() {
    let text = "The Northern Bank, which had been in trouble for years, was bought by Hale Brothers in Lund. \
        Ann Poole (1790–1861, born in Ghent, a daughter of the painter Jan Poole and Eva Brandt) was a builder.";
    let index = Index::new([Text { context: "", text }]);
    for (claim, verdict) in [
        ("The Northern Bank was bought by Hale Brothers in Lund.", Verdict::Supported),
        ("Hale Brothers bought the Northern Bank in Lund.", Verdict::Supported),
        ("Hale Brothers was bought by the Northern Bank in Lund.", Verdict::Partly),
        ("Ann Poole was a builder born in Ghent.", Verdict::Supported),
    ] {
        let check = index.best(&Claim::new(claim)).unwrap();
        assert_eq!(check.verdict, verdict, "{claim} {check:?}");
    }
}

#[test]
fn words_that_are_not_there_are_told() {
    let check = check("The lighthouse was built cheaply by Ann Marsh from granite.");
    assert_eq!(check.missing, ["cheaply", "granite"]);
    assert_eq!(check.verdict, Verdict::Partly);
}

#[test]
fn a_sentence_without_end_is_not_called_supported() {
    let long: String = (0..400).map(|n| format!("word{n} ")).collect();
    let index = Index::new([Text { context: "", text: &long }]);
    let check = index.best(&Claim::new(&long)).unwrap();
    assert_eq!((check.verdict, check.vetoes.contains(&Veto::TooLong)), (Verdict::Partly, true));
}

#[test]
fn nothing_is_found_in_nothing() {
    assert!(Index::new([]).best(&Claim::new("The tower has 196 steps.")).is_none());
    let empty = Index::new([Text { context: "T", text: "" }]);
    assert!(empty.check(&Claim::new("The tower has 196 steps."), 0).is_none());
    assert!(empty.check(&Claim::new("x"), 7).is_none());
}

fn texts() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("The tower".to_owned()),
        Just(" 1.2 million".to_owned()),
        Just(" not".to_owned()),
        Just("\"it is\" ".to_owned()),
        Just(". ".to_owned()),
        Just("3 March 2020 ".to_owned()),
        Just(" U.S.".to_owned()),
        Just("灯台。".to_owned()),
        " [A-Z][a-z]{0,6}",
        "\\PC{0,6}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn any_claim_and_passage_give_a_window_within_the_passage(
        claim in texts(), context in texts(), passages in prop::collection::vec(texts(), 0..4)
    ) {
        let texts = passages.iter().map(|text| Text { context: &context, text });
        let index = Index::new(texts);
        if let Some(check) = index.best(&Claim::new(&claim)) {
            prop_assert!(passages[check.passage].get(check.window).is_some());
            prop_assert!((0.0..=1.0).contains(&check.coverage));
            prop_assert!(check.verdict != Verdict::Supported || check.vetoes.is_empty());
        }
    }

    #[test]
    fn what_a_passage_says_word_for_word_is_found(before in "[a-z ]{0,30}", after in "[a-z ]{0,30}") {
        // A sentence that begins with a small letter may be the rest of the one before, and its condition that one's.
        let of_condition = |word: &str| ["if", "unless"].contains(&word);
        prop_assume!(!before.split(' ').chain(after.split(' ')).any(of_condition));
        let said = "Ann Marsh built the lighthouse of Sker in 1823.";
        let text = format!("{before}. {said} {after}");
        let index = Index::new([Text { context: "", text: &text }]);
        prop_assert_eq!(index.best(&Claim::new(said)).unwrap().verdict, Verdict::Supported);
    }
}

#[test]
fn what_is_said_with_other_small_words_is_said() {
    for (claim, source) in [
        ("The Sker ferry sails 30 minutes a day.", "The Sker ferry sails 30 minutes per day."),
        ("A bed at Sker costs $5 a night.", "A bed at Sker costs 5 dollars per night."),
        ("The Sker quarry gave 6 million tons.", "The Sker quarry gave 6 million metric tons."),
        ("The Sker bridge cost CHF 5 million.", "The Sker bridge cost 5 million Swiss francs."),
        ("The Sker lamp was dark for two years.", "The Sker lamp was dark for two full years."),
        (
            "The Sker toll is €15 million a year.",
            "The Sker toll is €10–15 million annually a year.",
        ),
        ("The Sker fair ran on June 12 and 13.", "The Sker fair ran on June 12 and June 13."),
        (
            "The Sker council seeks to cut its costs by 55 percent.",
            "The Sker council aims to cut its costs by 55 percent, which it seeks.",
        ),
        (
            "Marsh wrote the theory of lamps at Sker in 1905.",
            "Marsh proposed the theory of lamps at Sker, and wrote it in 1905.",
        ),
        ("Маяк Скер действует в 1823 году.", "Маяк Скер не только действует в 1823 году."),
    ] {
        let index = Index::new([Text { context: "", text: source }]);
        let check = index.best(&Claim::new(claim)).unwrap();
        let is_hurt = [Veto::Unit, Veto::Number, Veto::Reserve, Veto::Polarity, Veto::Date];
        assert!(!check.vetoes.iter().any(|veto| is_hurt.contains(veto)), "{claim} {check:?}");
    }
}

#[test]
fn what_is_nearly_the_same_is_not_said() {
    for (claim, near, said) in [
        (
            "The Sker lighthouse opened on 12 June 1932.",
            "The Sker lighthouse opened on 12 June.",
            "The Sker lighthouse opened on 12 June 1932.",
        ),
        (
            "The Sker lighthouse opened in 1990.",
            "The Sker lighthouse opened in the 1990s.",
            "The Sker lighthouse opened in 1990.",
        ),
        (
            "The Sker lighthouse has 3 floors open.",
            "The third floor of the Sker lighthouse is open.",
            "The Sker lighthouse has three open floors.",
        ),
        (
            "The Orrin Bridge cost 5 million euros.",
            "The Orrin Bridge cost 5 million francs.",
            "The Orrin Bridge cost €5 million.",
        ),
        (
            "The toll at Orrin rose by 2 percent.",
            "The toll at Orrin rose by 2 percentage points.",
            "The toll at Orrin rose by 2 %.",
        ),
        (
            "The lamp at Sker uses 5 kW of power.",
            "The lamp at Sker uses 5 kWh of power.",
            "The lamp at Sker uses 5 kilowatts of power.",
        ),
        (
            "The keeper of Sker took 5 mg of quinine.",
            "The keeper of Sker took 5 µg of quinine.",
            "The keeper of Sker took 5 milligrams of quinine.",
        ),
        (
            "The Sker lighthouse is 40 m high above the sea.",
            "The Sker lighthouse is 40 storeys high above the sea.",
            "The Sker lighthouse is 40 metres high above the sea.",
        ),
        (
            "The Sker ferry sailed 50 km on its trial.",
            "The Sker ferry sailed 50 km/h on its trial.",
            "The Sker ferry sailed 50 kilometres on its trial.",
        ),
        (
            "The Sker ferry sails at 20 m/s in a fair wind.",
            "The Sker ferry sails at 20 km/s in a fair wind.",
            "The Sker ferry sails at 20 metres per second in a fair wind, at 20 m/s.",
        ),
        (
            "The keeper of Sker takes 5g/kg of salt in his bread.",
            "The keeper of Sker takes 5mg/kg of salt in his bread.",
            "The keeper of Sker takes 5g/kg of salt in his bread.",
        ),
        (
            "The Orrin Bridge cost 5 million euros.",
            "The Orrin Bridge cost CHF 5 million.",
            "The Orrin Bridge cost EUR 5 million.",
        ),
        (
            "The keeper of Sker counted 12 people.",
            "The keeper of Sker counted people on 12 June.",
            "The keeper of Sker counted twelve people.",
        ),
        (
            "The keeper of Sker counted 1,932 people.",
            "The keeper of Sker counted people on 12 June 1932.",
            "The keeper of Sker counted 1932 people.",
        ),
        (
            "The keeper of Sker was treated for Hepatitis C.",
            "The keeper of Sker was treated for Hepatitis B.",
            "The keeper of Sker was treated for Hepatitis C in his last year.",
        ),
        (
            "The keeper of Sker was treated for Hepatitis A.",
            "The keeper of Sker was treated for Hepatitis B in a ward.",
            "The keeper of Sker was treated for Hepatitis A in a ward.",
        ),
        (
            "The white tower of Sker beside the old harbour wall, with its lamp room, stairs, cellar, garden and fog horn, was drawn by St. Oswin.",
            "The white tower of Sker beside the old harbour wall, with its lamp room, stairs, cellar, garden and fog horn, was drawn by St. Brannoc.",
            "The white tower of Sker beside the old harbour wall, with its lamp room, stairs, cellar, garden and fog horn, was drawn by St. Oswin.",
        ),
        (
            "A second tower of Sker was built in 1911.",
            "A second tower of Sker, planned to be built in 1911, was given up.",
            "A second tower of Sker was built in 1911, too.",
        ),
        (
            "Der Turm von Sker gehört in diesem Jahr dem Bund.",
            "Der Turm von Sker gehört in diesem Jahr keinem Bund.",
            "Der Turm von Sker gehört in diesem Jahr dem Bund.",
        ),
        (
            "Маяк Скер построен в 1823 году.",
            "Маяк Скер не построен в 1823 году.",
            "Маяк Скер построен в 1823 году.",
        ),
        (
            "The lamp room of Sker cools to 5 °C.",
            "The lamp room of Sker cools to –5 °C.",
            "The lamp room of Sker cools to 5 degrees Celsius.",
        ),
        (
            "Ghent beat Lund in the final of 1932.",
            "Lund beat Ghent in the final of 1932.",
            "In the final of 1932 Ghent beat Lund.",
        ),
        (
            "Der Turm von Sker wurde 1823 gebaut.",
            "Der Turm von Sker wurde 1823 nicht gebaut.",
            "Der Turm von Sker wurde 1823 gebaut.",
        ),
        (
            "Ann Marsh designed the Sker lighthouse.",
            "Ann Marsh denied that she designed the Sker lighthouse.",
            "Ann Marsh designed the Sker lighthouse.",
        ),
    ] {
        assert_ne!(verdict(claim, near), Verdict::Supported, "{claim} by {near}");
        assert_eq!(verdict(claim, said), Verdict::Supported, "{claim} by {said}");
    }
}
