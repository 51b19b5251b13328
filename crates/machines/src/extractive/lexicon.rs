//! What English words have to do with each other: forms of irregular words, words that answer for each
//! other, and units by what they measure.
//!
//! Border: plain tables and their look-ups; nothing here knows a text.

/// Irregular forms and the word that they are forms of. Sorted by form.
const IRREGULAR: [(&str, &str); 132] = [
    ("ate", "eat"),
    ("beaten", "beat"),
    ("became", "become"),
    ("began", "begin"),
    ("begun", "begin"),
    ("bent", "bend"),
    ("bitten", "bite"),
    ("bled", "bleed"),
    ("blew", "blow"),
    ("blown", "blow"),
    ("bought", "buy"),
    ("broke", "break"),
    ("broken", "break"),
    ("brought", "bring"),
    ("built", "build"),
    ("came", "come"),
    ("caught", "catch"),
    ("children", "child"),
    ("chose", "choose"),
    ("chosen", "choose"),
    ("cities", "city"),
    ("crept", "creep"),
    ("dead", "die"),
    ("dealt", "deal"),
    ("death", "die"),
    ("deaths", "die"),
    ("did", "do"),
    ("died", "die"),
    ("dies", "die"),
    ("done", "do"),
    ("drawn", "draw"),
    ("drew", "draw"),
    ("driven", "drive"),
    ("drove", "drive"),
    ("dug", "dig"),
    ("dying", "die"),
    ("eaten", "eat"),
    ("fallen", "fall"),
    ("fed", "feed"),
    ("feet", "foot"),
    ("fell", "fall"),
    ("felt", "feel"),
    ("fled", "flee"),
    ("flew", "fly"),
    ("flown", "fly"),
    ("forgot", "forget"),
    ("forgotten", "forget"),
    ("fought", "fight"),
    ("found", "find"),
    ("froze", "freeze"),
    ("frozen", "freeze"),
    ("gave", "give"),
    ("given", "give"),
    ("gone", "go"),
    ("got", "get"),
    ("grew", "grow"),
    ("grown", "grow"),
    ("heard", "hear"),
    ("held", "hold"),
    ("hid", "hide"),
    ("hidden", "hide"),
    ("hung", "hang"),
    ("kept", "keep"),
    ("knew", "know"),
    ("known", "know"),
    ("laid", "lay"),
    ("led", "lead"),
    ("left", "leave"),
    ("lent", "lend"),
    ("lit", "light"),
    ("lost", "lose"),
    ("made", "make"),
    ("meant", "mean"),
    ("men", "man"),
    ("met", "meet"),
    ("overcame", "overcome"),
    ("paid", "pay"),
    ("ran", "run"),
    ("rang", "ring"),
    ("ridden", "ride"),
    ("risen", "rise"),
    ("rode", "ride"),
    ("rose", "rise"),
    ("said", "say"),
    ("sang", "sing"),
    ("sank", "sink"),
    ("saw", "see"),
    ("seen", "see"),
    ("sent", "send"),
    ("shaken", "shake"),
    ("shook", "shake"),
    ("shot", "shoot"),
    ("slept", "sleep"),
    ("sold", "sell"),
    ("sought", "seek"),
    ("spent", "spend"),
    ("spoke", "speak"),
    ("spoken", "speak"),
    ("spun", "spin"),
    ("stole", "steal"),
    ("stolen", "steal"),
    ("stood", "stand"),
    ("struck", "strike"),
    ("stuck", "stick"),
    ("sung", "sing"),
    ("sunk", "sink"),
    ("swam", "swim"),
    ("swept", "sweep"),
    ("swore", "swear"),
    ("sworn", "swear"),
    ("taken", "take"),
    ("taught", "teach"),
    ("thought", "think"),
    ("threw", "throw"),
    ("thrown", "throw"),
    ("told", "tell"),
    ("took", "take"),
    ("tore", "tear"),
    ("torn", "tear"),
    ("understood", "understand"),
    ("used", "use"),
    ("went", "go"),
    ("withdrawn", "withdraw"),
    ("withdrew", "withdraw"),
    ("wives", "wife"),
    ("woke", "wake"),
    ("women", "woman"),
    ("won", "win"),
    ("wore", "wear"),
    ("worn", "wear"),
    ("written", "write"),
    ("wrote", "write"),
];

/// The word that an irregular form is a form of.
pub(super) fn base(form: &str) -> Option<&'static str> {
    let at = IRREGULAR.binary_search_by(|(known, _)| (*known).cmp(form)).ok()?;
    IRREGULAR.get(at).map(|(_, base)| *base)
}

/// Whether a word, lower case, looks like what somebody has done.
pub(super) fn is_done(word: &str) -> bool {
    word.ends_with("ed") || base(word).is_some()
}

/// Whether a word, lower case, ends as what was done does: no `bed` and no `speed`.
pub(super) fn ends_as_done(word: &str) -> bool {
    word.len() > 4 && word.ends_with("ed") && !word.ends_with("eed")
}

/// Irregular forms with the words that they are forms of.
pub(super) fn irregular() -> impl Iterator<Item = (&'static str, &'static str)> {
    IRREGULAR.into_iter()
}

/// Words that speak of one thing: who asks with one of them may be answered with another.
const GROUPS: &[&[&str]] = &[
    &["abolish", "end", "scrap", "lift", "remove", "no"],
    &["allow", "permit", "may", "let"],
    &["area", "size", "square", "surface"],
    &["author", "write", "writer"],
    &["award", "medal", "prize", "honour", "honor"],
    &["bear", "born", "birth", "birthplace"],
    &["begin", "start", "open", "launch", "commence"],
    &["big", "large", "size", "area", "square"],
    &["build", "construct", "erect", "architect", "engineer", "design", "builder", "construction"],
    &["buy", "purchase", "acquire", "sell", "buyer"],
    &["capacity", "room", "seat", "hold"],
    &["car", "vehicle", "automobile"],
    &["carry", "transport", "cargo", "load", "bound"],
    &["cause", "reason", "because", "due", "result"],
    &["close", "end", "discontinue", "shut", "cease", "stop", "until"],
    &["child", "daughter", "kid", "son"],
    &["cost", "price", "fee", "fare", "charge", "admission", "expensive", "worth"],
    &["create", "make", "produce", "form", "creator"],
    &["cyclist", "bicycle", "bike", "cycle"],
    &["daily", "day"],
    &["decide", "resolve", "agree", "vote", "adopt"],
    &["decline", "fall", "decrease", "drop", "shrink"],
    &["deep", "depth", "water"],
    &["design", "designer", "architect", "plan"],
    &["die", "drown", "kill", "perish", "fatal", "life"],
    &["discover", "find", "discoverer", "discovery"],
    &["eat", "feed", "food", "diet", "prey"],
    &["electricity", "current", "power"],
    &["end", "finish", "over", "stop"],
    &["far", "distance", "away", "range", "reach"],
    &["fast", "speed", "quick"],
    &["find", "discover", "locate"],
    &["forbid", "ban", "prohibit"],
    &["found", "establish", "founder", "foundation", "set"],
    &["fund", "pay", "finance", "grant"],
    &["happen", "occur", "place"],
    &["harm", "damage", "injure", "hurt", "kill", "effect"],
    &["heavy", "weight", "weigh", "mass"],
    &["high", "height", "tall", "reach"],
    &["kwh", "kilowatt"],
    &["invent", "inventor", "invention", "devise"],
    &["join", "enter", "connect"],
    &["kind", "type", "sort"],
    &["large", "area", "size", "square", "cover"],
    &["last", "take", "duration"],
    &["lend", "loan", "borrow"],
    &["lead", "leader", "head", "command", "commander", "chief"],
    &["live", "inhabit", "inhabitant", "population", "people", "resident"],
    &["long", "length", "last", "take"],
    &["lose", "loss", "wreck"],
    &["marry", "wife", "husband", "marriage", "spouse", "wed"],
    &["material", "stone", "wood", "metal", "concrete", "brick"],
    &["member", "belong"],
    &["metal", "iron", "steel", "bronze", "copper", "aluminium"],
    &["monthly", "month"],
    &["name", "call", "title"],
    &["often", "every", "time", "daily", "hourly"],
    &["old", "age", "year"],
    &["pay", "salary", "fund", "finance"],
    &["people", "person", "inhabitant", "man", "woman", "passenger"],
    &["percentage", "percent", "share", "proportion"],
    &["population", "people", "inhabitant", "resident", "census"],
    &["produce", "yield", "output", "generate", "production", "manufacture"],
    &["protect", "preserve", "guard"],
    &["receive", "get", "award", "earn", "win"],
    &["replace", "succeed", "way", "instead"],
    &["return", "back", "come"],
    &["rise", "increase", "grow", "growth"],
    &["say", "tell", "claim", "state"],
    &["see", "view", "visible"],
    &["ship", "vessel", "boat"],
    &["sink", "wreck", "drown", "strike", "lose"],
    &["situate", "locate", "stand", "lie", "location"],
    &["stone", "granite", "marble", "limestone", "sandstone", "slate", "basalt"],
    &["stop", "give", "end", "cease"],
    &["student", "pupil"],
    &["study", "research", "survey", "work"],
    &["supply", "provide", "deliver", "cover", "give"],
    &["survive", "survivor", "rescue", "save", "reach"],
    &["tall", "height", "high"],
    &["teach", "teacher", "study", "student", "professor", "under"],
    &["temperature", "degree", "hot", "cold"],
    &["use", "employ", "utilise", "utilize"],
    &["visit", "visitor", "tourist", "guest"],
    &["weekly", "week"],
    &["wide", "width", "across", "measure"],
    &["win", "victory", "defeat", "beat", "winner"],
    &["work", "job", "worker", "employee"],
    &["yearly", "year", "annual", "annually"],
];

/// Groups of words that may answer for each other.
pub(super) fn groups() -> impl Iterator<Item = &'static [&'static str]> {
    GROUPS.iter().copied()
}

/// What an amount is an amount of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dimension {
    Length,
    Area,
    Duration,
    Speed,
    Weight,
    Temperature,
    Age,
    Money,
    Share,
    Frequency,
}

const LENGTH_UNITS: &[&str] = &[
    "metre",
    "meter",
    "kilometre",
    "kilometer",
    "km",
    "m",
    "cm",
    "mm",
    "centimetre",
    "centimeter",
    "millimetre",
    "millimeter",
    "mile",
    "foot",
    "feet",
    "ft",
    "inch",
    "yard",
    "storey",
    "story",
    "floor",
    "fathom",
    "nautical",
    "light",
];
const AREA_UNITS: &[&str] = &["square", "hectare", "acre", "km²", "m²", "km2", "sq"];
const DURATION_UNITS: &[&str] = &[
    "second",
    "minute",
    "hour",
    "day",
    "night",
    "week",
    "month",
    "year",
    "decade",
    "century",
    "centuries",
    "millennia",
];
const SPEED_UNITS: &[&str] =
    &["kilometre", "kilometer", "km", "mile", "metre", "meter", "knot", "mph", "kph", "m"];
const WEIGHT_UNITS: &[&str] =
    &["gram", "kilogram", "kg", "g", "tonne", "ton", "pound", "ounce", "lb", "milligram", "stone"];
const TEMPERATURE_UNITS: &[&str] =
    &["degree", "°c", "°f", "celsius", "fahrenheit", "kelvin", "c", "f", "k"];
const AGE_UNITS: &[&str] = &["year", "month", "century", "day", "week"];
const MONEY_UNITS: &[&str] = &[
    "euro", "dollar", "pound", "cent", "penny", "pence", "franc", "mark", "yen", "rupee", "yuan",
    "crown", "krone", "krona", "shilling", "guilder", "thaler", "peso", "lira", "rouble", "ruble",
    "usd", "eur", "gbp", "real", "rand", "won", "florin", "ducat", "livre",
];
const FREQUENCY_UNITS: &[&str] = &["time"];
const SHARE_UNITS: &[&str] =
    &["percent", "per", "%", "percentage", "third", "quarter", "half", "fifth"];

impl Dimension {
    /// Words, singular, that follow an amount of it.
    const fn units(self) -> &'static [&'static str] {
        match self {
            Dimension::Length => LENGTH_UNITS,
            Dimension::Area => AREA_UNITS,
            Dimension::Duration => DURATION_UNITS,
            Dimension::Speed => SPEED_UNITS,
            Dimension::Weight => WEIGHT_UNITS,
            Dimension::Temperature => TEMPERATURE_UNITS,
            Dimension::Age => AGE_UNITS,
            Dimension::Money => MONEY_UNITS,
            Dimension::Frequency => FREQUENCY_UNITS,
            Dimension::Share => SHARE_UNITS,
        }
    }

    /// Whether a word, lower case, is a unit of it.
    pub(super) fn has_unit(self, word: &str) -> bool {
        let singular = word.strip_suffix('s').filter(|rest| rest.len() > 1).unwrap_or(word);
        self.units().iter().any(|unit| *unit == word || *unit == singular)
    }
}

/// The numbers that are written as words; sorted.
const NUMBER_WORDS: [&str; 31] = [
    "billion",
    "dozen",
    "eight",
    "eighteen",
    "eighty",
    "eleven",
    "fifteen",
    "fifty",
    "five",
    "forty",
    "four",
    "fourteen",
    "half",
    "hundred",
    "million",
    "nine",
    "nineteen",
    "ninety",
    "seven",
    "seventeen",
    "seventy",
    "six",
    "sixteen",
    "sixty",
    "ten",
    "thirteen",
    "thirty",
    "thousand",
    "three",
    "twelve",
    "two",
];

/// Whether a word, lower case, is a number.
pub(super) fn is_number_word(word: &str) -> bool {
    NUMBER_WORDS.binary_search(&word).is_ok()
        || matches!(
            word,
            "twenty"
                | "once"
                | "twice"
                | "dozens"
                | "hundreds"
                | "thousands"
                | "trillion"
                | "single"
        )
}

/// The number that a word, lower case, is, up to twenty.
pub(super) fn small_number(word: &str) -> Option<f64> {
    quarry_evidence::text::small_number(word).filter(|number| *number <= 20.0)
}

/// Whether a word, lower case, is the name of a month.
pub(super) fn is_month(word: &str) -> bool {
    matches!(
        word,
        "january"
            | "february"
            | "march"
            | "april"
            | "may"
            | "june"
            | "july"
            | "august"
            | "september"
            | "october"
            | "november"
            | "december"
    )
}

/// Whether a word, lower case, is the name of a day.
pub(super) fn is_weekday(word: &str) -> bool {
    word.strip_suffix('s').unwrap_or(word).strip_suffix("day").is_some_and(|day| {
        matches!(day, "mon" | "tues" | "wednes" | "thurs" | "fri" | "satur" | "sun")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_for_the_search() {
        assert!(IRREGULAR.is_sorted());
        assert!(NUMBER_WORDS.is_sorted());
    }

    #[test]
    fn units_are_known_in_both_numbers() {
        for (dimension, word) in [
            (Dimension::Length, "metres"),
            (Dimension::Money, "euros"),
            (Dimension::Duration, "centuries"),
            (Dimension::Share, "percent"),
        ] {
            assert!(dimension.has_unit(word), "{word}");
        }
        assert!(!Dimension::Money.has_unit("metres"));
        assert!(is_weekday("Sundays".to_lowercase().as_str()) && !is_weekday("today"));
    }
}
