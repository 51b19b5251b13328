//! Amounts in a sentence.
//!
//! Border: a sentence in words and what is measured in, what it offers out.

use super::columns;
use super::lexicon::{self, Dimension};
use super::offers::{Fit, Offer, Sentence, Span};
use super::words;
use std::ops::Range;

/// Words that say which way something extends, those of one way in a row.
const EXTENTS: [&[&str]; 6] = [
    &["away", "distance", "far", "off", "range"],
    &["deep", "depth"],
    &["high", "height", "tall", "above", "clearance"],
    &["length", "long"],
    &["thick", "thickness"],
    &["across", "broad", "diameter", "wide", "width"],
];

/// What has a length, and lasts no time.
const SPANNING: [&str; 16] = [
    "bridge", "canal", "coast", "corridor", "dam", "fence", "jetty", "pier", "pipeline", "railway",
    "river", "road", "rope", "span", "tunnel", "wall",
];

/// What a number is to the question.
enum Measured {
    /// It answers, up to this word.
    Answers { end: usize, is_named: bool },
    /// So it does, and its unit stands elsewhere, in these bytes.
    Leaves { unit: Range<usize>, is_named: bool },
    /// It may, though nothing says what it measures.
    Perhaps,
    /// It measures something else.
    Nothing,
}

impl Sentence<'_> {
    pub(super) fn amount(&self, dimensions: &[Dimension]) -> Offer {
        match dimensions {
            [Dimension::Frequency] => return self.frequency(),
            [Dimension::Age] if !self.asks_for_bound() => return self.age(),
            _ => {}
        }
        let mut spans: Vec<Span> = Vec::new();
        let mut loose = Fit::None;
        let mut at = 0;
        while at < self.tokens.len() {
            let ratio = self.ratio_end(at).filter(|_| dimensions == [Dimension::Share]);
            if let Some(end) = ratio {
                spans.extend(self.span(at, end, true));
                at = end + 1;
                continue;
            }
            let Some(to) = self.number(at) else {
                let is_time = dimensions == [Dimension::Duration] && self.lasts_one(at);
                spans.extend(self.span(at, at + 1, true).filter(|_| is_time));
                at += 1;
                continue;
            };
            match self.measured(at, to, dimensions, spans.last()) {
                Measured::Answers { end, is_named } => {
                    let whole = self.compound_end(at, end);
                    spans.extend(self.span(at, whole, is_named));
                    if whole > end {
                        at = whole + 1;
                        continue;
                    }
                }
                Measured::Leaves { unit, is_named } => {
                    let span = self.span(at, to, is_named);
                    spans.extend(span.map(|span| Span { unit: Some(unit), ..span }));
                }
                Measured::Perhaps => loose = loose.max(Fit::Weak),
                Measured::Nothing => {}
            }
            at = to + 1;
        }
        if dimensions == [Dimension::Share] && self.says_how_much() {
            loose = loose.max(Fit::Weak);
        }
        match dimensions {
            [Dimension::Duration] if self.tells_years() => loose = loose.max(Fit::Weak),
            [Dimension::Money] if spans.is_empty() => {
                let free = (0..self.tokens.len()).find(|at| self.is_free(*at));
                spans.extend(free.and_then(|at| self.span(at, at, true)));
            }
            _ => {}
        }
        Offer::with(spans, loose)
    }

    /// The last word of a share of few that begins here: `one in three`, `two out of five`, `a third of`.
    fn ratio_end(&self, at: usize) -> Option<usize> {
        let is_one = self.lower(at) == "one";
        // `a quarter of an hour`
        let is_measure = matches!(self.lower(at + 3), "a" | "an") && self.is_unit(at + 4);
        let all = match (self.lower(at + 1), self.lower(at + 2)) {
            ("in", _) => at + 2,
            ("out", "of") => at + 3,
            ("third" | "quarter" | "fifth" | "tenth", "of")
                if !is_measure && (is_one || self.lower(at) == "a") =>
            {
                return Some(at + 1);
            }
            _ => return None,
        };
        let value = |at: usize| {
            let word = self.lower(at);
            lexicon::small_number(word).or_else(|| word.parse::<u32>().ok().map(f64::from))
        };
        let is_part = value(at).zip(value(all)).is_some_and(|(part, all)| part < all);
        // `number one in three countries`, `no one in ten villages`
        let is_ranked = matches!(self.before(at), "no" | "number");
        let is_whole = is_part && !is_ranked && !self.is_year(all) && !self.is_unit(all + 1);
        is_whole.then_some(all)
    }

    /// `keeps for a week`, and not `once a week`.
    fn lasts_one(&self, at: usize) -> bool {
        matches!(self.lower(at), "a" | "an" | "one")
            && Dimension::Duration.has_unit(self.lower(at + 1))
            && matches!(
                self.before(at),
                "about"
                    | "for"
                    | "last"
                    | "lasted"
                    | "lasts"
                    | "take"
                    | "takes"
                    | "took"
                    | "within"
            )
    }

    /// `from 1909 to 1936`, `lasted until 1875`
    fn tells_years(&self) -> bool {
        let ends =
            |at: usize| matches!(self.lower(at), "to" | "till" | "until") && self.is_year(at + 1);
        let begins =
            |at: usize| matches!(self.lower(at), "from" | "in" | "since") && self.is_year(at + 1);
        let end = (0..self.tokens.len()).rev().find(|at| ends(*at));
        end.is_some_and(|end| (0..end).any(begins))
    }

    /// `Dogs travel free`, `Bicycle | free`, and no `free parking`, nor who is free to do something or free of it.
    fn is_free(&self, at: usize) -> bool {
        const LEADS: [&str; 9] =
            ["are", "for", "is", "swim", "travel", "travels", "was", "were", "admission"];
        let next = self.lower(at + 1);
        let is_of_charge = next == "of" && matches!(self.lower(at + 2), "charge" | "cost");
        let is_cell = !self.is_joined(at) && self.ends_clause(at) && words::has_cells(self.text);
        let behind = self.lower(at + 2);
        let goes_on = match next {
            "of" => false,
            "to" => words::is_many(behind) || matches!(behind, "all" | "everybody" | "everyone"),
            "from" => {
                self.is_number(at + 2) || self.is_month(at + 2) || lexicon::is_weekday(behind)
            }
            _ => words::is_stop_word(next),
        };
        let is_told = LEADS.contains(&self.before(at)) && (self.ends_clause(at) || goes_on);
        self.lower(at) == "free" && (is_of_charge || is_cell || is_told)
    }

    fn measured(
        &self,
        at: usize,
        to: usize,
        dimensions: &[Dimension],
        last: Option<&Span>,
    ) -> Measured {
        if self.is_clock(at) {
            return Measured::Nothing;
        }
        let unit = self.lower(to + 1);
        // `How long is it?` asks for a length first.
        let is_second = |each: &Dimension| *each == Dimension::Duration && dimensions.len() > 1;
        if let Some(dimension) = dimensions.iter().find(|each| self.fits(at, to, **each)) {
            if is_second(dimension) {
                let is_span = SPANNING.iter().any(|noun| self.is_asked(noun));
                return if is_span { Measured::Nothing } else { Measured::Perhaps };
            }
            let end = if dimension.has_unit(unit) { self.unit_end(to + 1) } else { to };
            if self.is_of_another_extent(at, end) || self.is_between_events(*dimension, end) {
                return Measured::Nothing;
            }
            return Measured::Answers { end, is_named: true };
        }
        if self.is_date(at) || self.measures_no_data(to + 1) {
            return Measured::Nothing;
        }
        match dimensions {
            [] if self.is_asked("much") && !self.wanted.is_of_change && self.is_money(at, to) => {
                Measured::Nothing
            }
            [] => {
                let is_word = self.is_joined(to + 1)
                    && !self.has_sign(at, to)
                    && unit.chars().all(char::is_alphabetic)
                    && !words::is_stop_word(unit);
                let end = if is_word { self.unit_end(to + 1) } else { to };
                Measured::Answers { end, is_named: self.is_unit(to + 1) }
            }
            [Dimension::Money] if last.is_some() && self.leaves_unit_out(at, to) => {
                Measured::Answers { end: to, is_named: true }
            }
            [dimension, ..] => self.unmeasured(at, to, *dimension, last),
        }
    }

    /// What a number is that has no unit beside it.
    fn unmeasured(
        &self,
        at: usize,
        to: usize,
        dimension: Dimension,
        last: Option<&Span>,
    ) -> Measured {
        if let Some(unit) = self.unit_of_later(at, to, dimension) {
            return Measured::Leaves { unit, is_named: true };
        }
        let begin = self.token(at).map(|token| token.at.start).unwrap_or_default();
        let is_alone = self.stands_alone(at, to);
        let declared = columns::declared(self.text, begin, dimension, self.wanted.counted);
        if let Some(unit) = declared.filter(|_| is_alone && self.ends_clause(to)) {
            return Measured::Leaves { unit, is_named: true };
        }
        let repeated = last.and_then(|last| self.repeated(at, dimension, last));
        match repeated.filter(|_| is_alone) {
            Some(unit) => Measured::Leaves { unit, is_named: false },
            None if self.is_bare(at, to) => Measured::Perhaps,
            None => Measured::Nothing,
        }
    }

    /// `50 metres long` says nothing of how deep it is, nor does `at a height of 50 metres`.
    fn is_of_another_extent(&self, from: usize, end: usize) -> bool {
        let is_asked = |words: &&[&str]| words.iter().any(|word| self.is_asked(word));
        // `42 metres of clearance`
        let next = if self.lower(end + 1) == "of" { end + 2 } else { end + 1 };
        let is_led = matches!(self.before(from), "is" | "of" | "was");
        let lead = from.checked_sub(2).filter(|_| is_led).map(|lead| self.lower(lead));
        let said = [self.lower(next), lead.unwrap_or_default()];
        let said = EXTENTS.iter().find(|words| said.iter().any(|said| words.contains(said)));
        said.is_some_and(|said| !is_asked(said) && EXTENTS.iter().any(is_asked))
    }

    /// `seven years after it was signed` is no time that anything lasted.
    fn is_between_events(&self, dimension: Dimension, end: usize) -> bool {
        let lasts = matches!(dimension, Dimension::Duration | Dimension::Age);
        let next = self.lower(end + 1);
        lasts && matches!(next, "after" | "ago" | "before" | "earlier" | "later")
    }

    /// Whether a number stands where a table, a colon or a small word says what it is.
    fn is_bare(&self, at: usize, to: usize) -> bool {
        let unit = self.lower(to + 1);
        let is_given = words::has_cells(self.text)
            || matches!(self.before(at), "of" | "is" | "was" | "to" | "at")
            || !self.is_joined(at);
        is_given && (unit.is_empty() || words::is_stop_word(unit))
    }

    /// Whether a number may leave out the unit of the one before it: `60 euros, and 25 for those …`.
    fn begins_member(&self, at: usize) -> bool {
        at > 0 && (matches!(self.before(at), "which" | "and" | "or" | "add") || !self.is_joined(at))
    }

    fn leaves_unit_out(&self, at: usize, to: usize) -> bool {
        let next = self.lower(to + 1);
        let goes_on = matches!(next, "for" | "to" | "as" | "from") || lexicon::base(next).is_some();
        self.begins_member(at) && goes_on
    }

    /// Whether a number is a sum of money, its unit left out or not.
    fn is_money(&self, at: usize, to: usize) -> bool {
        if self.fits(at, to, Dimension::Money) {
            return true;
        }
        let next = self.lower(to + 1);
        let has_no_unit =
            next.is_empty() || words::is_stop_word(next) || lexicon::base(next).is_some();
        let is_sum =
            |at: usize| self.number(at).is_some_and(|to| self.fits(at, to, Dimension::Money));
        has_no_unit && self.begins_member(at) && (0..at).any(is_sum)
    }

    /// `almost all of it` is a share without a number.
    fn says_how_much(&self) -> bool {
        let is_part = |at: usize| matches!(self.lower(at), "all" | "most" | "none" | "half");
        (0..self.tokens.len()).any(|at| is_part(at) && self.lower(at + 1) == "of")
    }

    /// Whether the number of these words is an amount of a dimension.
    pub(super) fn fits(&self, from: usize, to: usize, dimension: Dimension) -> bool {
        let unit = self.lower(to + 1);
        let sign = self.sign(to);
        match dimension {
            Dimension::Length if matches!(unit, "square" | "cubic") || self.is_rate(to + 1) => {
                false
            }
            Dimension::Speed if matches!(unit, "knot" | "knots" | "mph" | "kph" | "kmh") => true,
            Dimension::Speed => dimension.has_unit(unit) && self.is_rate(to + 1),
            Dimension::Money => {
                sign.starts_with(['€', '$', '£', '¥'])
                    || self.has_currency_before(from)
                    || dimension.has_unit(unit)
            }
            Dimension::Share => sign.starts_with('%') || dimension.has_unit(unit),
            Dimension::Temperature => sign.starts_with('°') || dimension.has_unit(unit),
            _ => dimension.has_unit(unit),
        }
    }

    /// What stands behind a number.
    fn sign(&self, to: usize) -> &str {
        let behind = self.token(to).and_then(|token| self.text.get(token.at.end..));
        behind.map(str::trim_start).unwrap_or_default()
    }

    /// Whether a sign says what a number measures.
    pub(super) fn has_sign(&self, at: usize, to: usize) -> bool {
        self.sign(to).starts_with(['%', '°', '€', '$', '£', '¥']) || self.has_currency_before(at)
    }

    /// Whether a unit goes on as that of a speed: `kilometres an hour`, `km/h`.
    fn is_rate(&self, unit: usize) -> bool {
        let next = self.lower(unit + 1);
        let joins = matches!(next, "an" | "a" | "per") && self.lower(unit + 2) != "half";
        (joins && Dimension::Duration.has_unit(self.lower(unit + 2))) || matches!(next, "h" | "s")
    }

    /// `square kilometres` and `kilometres an hour` are longer than a word.
    fn unit_end(&self, unit: usize) -> usize {
        match (self.lower(unit), self.lower(unit + 1)) {
            ("square" | "cubic" | "nautical", _) => unit + 1,
            // `40 tonnes; a day later …`
            _ if !self.is_joined(unit + 1) => unit,
            ("per", "cent") => unit + 1,
            // `90 km/h`
            (_, "h" | "s") if self.gap(unit + 1) == Some("/") => unit + 1,
            (_, "per") if self.is_small(unit + 2) => unit + 2,
            // `40 tonnes a firm now drives …` ends before the firm.
            (_, "an" | "a") if self.is_small(unit + 2) && self.ends_rate(unit + 2) => unit + 2,
            _ => unit,
        }
    }

    fn is_small(&self, at: usize) -> bool {
        self.token(at).is_some_and(|token| !token.is_capital)
    }

    /// Whether an amount may end with this word: `a day`, `a tent`.
    fn ends_rate(&self, at: usize) -> bool {
        let next = self.lower(at + 1);
        self.is_unit(at) || self.ends_clause(at) || words::is_stop_word(next)
    }

    fn has_currency_before(&self, at: usize) -> bool {
        let before = self.token(at).and_then(|token| self.text.get(..token.at.start));
        before.is_some_and(|before| before.trim_end().ends_with(['€', '$', '£', '¥', '₹']))
    }
}

#[cfg(test)]
mod tests {
    use super::super::offers::found;
    use super::*;

    #[test]
    fn what_spans_lasts_no_time() {
        for (question, fit) in
            [("How long is the rope?", Fit::None), ("How long is the walk?", Fit::Weak)]
        {
            assert_eq!(found(question, &[], "It was built in three years.").0, fit, "{question}");
        }
    }

    #[test]
    fn an_amount_measures_what_is_asked() {
        for (question, text, expected) in [
            ("How long is the pool?", "The pool is 50 metres long.", &["50 metres"][..]),
            ("How far is the isle?", "The isle is 9 miles off, 40 feet above it.", &["9 miles"]),
            ("How far is the isle?", "It has a height of 40 feet.", &[]),
            ("What share of cars is red?", "One in six cars is red.", &["One in six"]),
            ("What share of cars is red?", "Two out of 15 cars are red.", &["Two out of 15"]),
            ("What share of cars is red?", "A third of cars is red.", &["A third"]),
            ("What share of cars is red?", "There were 30 in 2015, 30 in two towns.", &[]),
            ("How heavy is it?", "It weighs 40 tonnes; a day later it left.", &["40 tonnes"]),
            ("How much did it yield?", "It yielded 24; winds were low.", &["24"]),
            ("How long was the pool emptied?", "The pool is 50 metres long.", &[]),
            ("How long was the pool emptied?", "That took six days.", &["six days"]),
            ("How deep is the pool?", "The pool is 50 metres long.", &[]),
            ("How tall is the mast?", "The mast is 38 metres high.", &["38 metres"]),
            (
                "How tall is she?",
                "She is 6 feet 2 inches (188 cm) tall.",
                &["6 feet 2 inches", "188 cm"],
            ),
            (
                "How long does it take?",
                "It takes 1 hour and 30 minutes.",
                &["1 hour and 30 minutes"],
            ),
            (
                "How long does it take?",
                "It takes 2 hours and 150 minutes.",
                &["2 hours", "150 minutes"],
            ),
            ("How cold is it?", "It fell to -20 degrees at night.", &["-20 degrees"]),
            ("How long did it last?", "It ended seven years after the fire.", &[]),
            ("How long did it last?", "It took seven years.", &["seven years"]),
            ("How much water is used?", "It cost 12 euros, of which 5 came as a grant.", &[]),
            ("How much of it is lost?", "It lost 12 percent and 3 euros.", &["12 percent"]),
            ("How much of it is lost?", "Lost: 12 % of it.", &["12 %"]),
            ("What does a bed cost?", "A bed is €31.", &["€31"]),
            (
                "How much was spent on pumps?",
                "Spent: 800 euros, of which 240 for pumps.",
                &["800 euros", "240"],
            ),
            ("How heavy is it?", "A load of 40 tonnes a firm now takes.", &["40 tonnes"]),
            ("How long is the span?", "It leaves 41.2 metres above the highest tide.", &[]),
            ("How long is the span?", "It leaves 42 metres of clearance for ships.", &[]),
            (
                "How often does the bus run?",
                "It runs every 30 minutes on weekdays, hourly on Sundays.",
                &["every 30 minutes", "hourly"],
            ),
            ("What does a bed cost?", "A bed is 31 euros a night.", &["31 euros a night"]),
            ("How long does it keep?", "It keeps for one week.", &["one week"]),
            ("How fast is the train?", "The train covers 300 km.", &[]),
            ("How fast is the train?", "It does 300 km/h and 9 knots.", &["300 km/h", "9 knots"]),
            (
                "How fast is the train?",
                "It does 300 kilometres an hour.",
                &["300 kilometres an hour"],
            ),
            ("How much storage has it?", "It has a 6.7-inch screen and 128 GB.", &["128 GB"]),
            ("How long does it keep?", "It keeps for a week and freezes well.", &["a week"]),
            ("How long does it take?", "It is done twice a week.", &[]),
            ("What does a bike cost?", "Bicycle\tfree\tfree", &["free"]),
            ("What does a dog cost?", "Dogs travel free on a lead.", &["free"]),
            ("What does a dog cost?", "There is free parking.", &[]),
            ("What does a hut cost?", "Guests are free to choose a hut.", &[]),
            ("What does a hut cost?", "The huts are free from mould.", &[]),
            ("What does a hut cost?", "The huts are free from November.", &["free"]),
            ("What does a hut cost?", "The huts are free to students.", &["free"]),
            ("What does a hut cost?", "The huts are free for all who help.", &["free"]),
        ] {
            let found = found(question, &[], text);
            assert_eq!(found.1, expected, "{question} {text}");
            assert_eq!(found.0 == Fit::Strong, !expected.is_empty(), "{question} {text}");
        }
    }

    #[test]
    fn a_figure_without_a_unit_has_that_of_another() {
        for (question, text, expected) in [
            (
                "How long does it take?",
                "The way there takes 50 minutes and the way back takes 65.",
                &["50 minutes", "65"][..],
            ),
            ("What does a hut cost?", "The huts are free of dogs.", &[]),
            (
                "How long does it take?",
                "In summer it takes 50 minutes, in winter 65.",
                &["50 minutes", "65"],
            ),
            (
                "How long does it take?",
                "It takes 50 minutes in summer and 65 in winter.",
                &["50 minutes", "65"],
            ),
            ("How long does it take?", "It takes 50 minutes and costs 65.", &["50 minutes"]),
            ("How much does a pupil pay?", "Adults pay 12 crowns, children half.", &["12 crowns"]),
            (
                "How much was spent on staff?",
                "Spending (in thousands of euros: staff 410, books 95).",
                &["410", "95"],
            ),
            ("How heavy is it?", "Spending (in thousands of euros: staff 410, books 95).", &[]),
        ] {
            assert_eq!(found(question, &[], text).1, expected, "{question} {text}");
        }
    }
}
