//! Which of several figures of a row is meant: what heads its column tells.
//!
//! Border: a row with its figures and the head of its table in; the figures out that stand in the columns that were
//! asked for.

use super::gather::Candidate;
use super::kind::Kind;
use super::lexicon::Dimension;
use super::offers::Span;
use super::question::Part;
use super::words;
use super::years;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// Words of a unit, at most: `thousand tonnes a year`.
const UNIT_WORDS: usize = 4;

/// What a word counts in the head of a column that says what kind of answer is wanted, against one that says of what:
/// `Width`.
const OF_KIND: f64 = 0.5;

/// The head of a table.
#[derive(Debug, Clone, Default)]
pub(super) struct Head {
    pub text: String,
    /// The terms that each of its cells holds, and how plainly.
    pub columns: Vec<BTreeMap<usize, f64>>,
    /// Whether a column tells causes.
    pub has_causes: bool,
    /// The line before it.
    pub caption: String,
}

/// What the head of a table tells of figures in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Column {
    /// There is no head, or a single column with figures.
    Untold,
    /// It names the column that was asked for.
    Named,
    /// It names none, and several have figures.
    Undecided,
}

/// The figures that are meant, as far as the head of their table tells, and whether it does.
pub(super) fn meant(
    candidate: &Candidate<'_>,
    spans: Vec<Span>,
    part: &Part,
    rarity: &[f64],
) -> (Vec<Span>, Column) {
    let text = candidate.text();
    let columns = &candidate.head.columns;
    let count = words::cells(text).count();
    if !part.kind.is_strict() || count == 1 || columns.len() != count {
        return (spans, Column::Untold);
    }
    let column = |span: &Span| column(text, span.bytes.start);
    let worth_at = |column: usize| -> f64 {
        let hits = columns.get(column).into_iter().flatten();
        let worths = hits.map(|(term, strength)| {
            let weight = part.weights.get(term).copied().unwrap_or_default();
            let share = if part.of_kind.contains(term) { OF_KIND } else { 1.0 };
            weight * strength * share * rarity.get(*term).copied().unwrap_or_default()
        });
        worths.sum()
    };
    let worths: Vec<f64> = spans.iter().map(|span| worth_at(column(span))).collect();
    let most = worths.iter().copied().fold(0.0, f64::max);
    // What was asked for is the figure of another column, which nobody has filled in or no rule can read.
    // A day stands in a column that is named for what was done then: `Closed`, where it may say `still open`.
    let is_figure_or_none = |cell: &str| match part.kind {
        Kind::Time => part.asked.is_disjoint(&words::words(cell).into_iter().collect()),
        _ => cell.trim().chars().all(|c| !c.is_alphabetic()),
    };
    let mut others = words::cells(text).enumerate().skip(1);
    if others.any(|(at, cell)| worth_at(at) > most + f64::EPSILON && is_figure_or_none(cell)) {
        return (spans, Column::Undecided);
    }
    if most <= 0.0 {
        if let Some(newest) = newest(candidate, part, &spans, column) {
            return (vec![newest], Column::Named);
        }
        let first = spans.first().map(column);
        let is_one = spans.iter().all(|span| Some(column(span)) == first);
        // The year that was asked for has a column of its own, or none.
        let head = words::cells(&candidate.head.text).nth(first.unwrap_or_default());
        let is_of_year = head.is_some_and(|head| years::year(head.trim()).is_some());
        let is_others = is_of_year && !part.years.is_empty();
        let told = if is_one && !is_others { Column::Untold } else { Column::Undecided };
        return (spans, told);
    }
    let meant = spans.into_iter().zip(worths).filter(|(_, worth)| *worth >= most - f64::EPSILON);
    (meant.map(|(span, _)| span).collect(), Column::Named)
}

/// The figure of the newest year, where the columns are years and none is asked for.
fn newest(
    candidate: &Candidate<'_>,
    part: &Part,
    spans: &[Span],
    column: impl Fn(&Span) -> usize,
) -> Option<Span> {
    let heads: Vec<&str> = words::cells(&candidate.head.text).collect();
    let year = |span: &Span| years::year(heads.get(column(span))?.trim());
    let years: Option<Vec<u32>> = spans.iter().map(year).collect();
    let asks_now = part.years.is_empty() && !part.must.is_of_past && part.kind.is_figure();
    let years = years.filter(|years| asks_now && years.len() > 1)?;
    let newest = years.iter().max()?;
    let at = years.iter().position(|year| year == newest)?;
    spans.get(at).cloned()
}

/// Figures that stand bare in the cells of a row, of which their table says that they measure what is asked.
pub(super) fn bare(candidate: &Candidate<'_>, part: &Part) -> Vec<Span> {
    let Kind::Amount(dimensions) = part.kind else { return Vec::new() };
    let text = candidate.text();
    let mut spans: Vec<Span> = Vec::new();
    let mut place = 0;
    words::each_word(text, |word, at| {
        let is_figure = word.starts_with(|c: char| c.is_ascii_digit());
        if is_figure && words::fills_cell(text, &at) && !part.asked.contains(word.as_str()) {
            let words = place..place + 1;
            spans.push(Span { bytes: at, words, is_named: true, unit: None });
        }
        place += 1;
    });
    spans.retain(|span| unit(candidate, span, part).is_some_and(|it| measures(it, dimensions)));
    spans
}

/// Whether a unit, as a table says it, is one of these dimensions.
fn measures(unit: &str, dimensions: &[Dimension]) -> bool {
    let words = words::words(unit);
    dimensions.iter().any(|dimension| match dimension {
        Dimension::Share => {
            unit.starts_with('%') || words.iter().any(|word| word.starts_with("percent"))
        }
        _ => words.iter().any(|word| dimension.has_unit(word)),
    })
}

/// Where a sentence says what its figures are counted in, before one that begins at a byte: `(in thousands of euros: staff
/// 410)`.
pub(super) fn declared(
    text: &str,
    figure: usize,
    dimension: Dimension,
    counted: &BTreeSet<String>,
) -> Option<Range<usize>> {
    let (told, _) = text.get(..figure)?.rsplit_once(':')?;
    let unit = counted_in(told, Kind::Amount(&[]), counted)?;
    let begin = told.rfind(unit).filter(|_| measures(unit, &[dimension]))?;
    Some(begin..begin + unit.len())
}

/// What a figure is counted in that its cell leaves bare: as its row, its column, or what stands above the table says. So
/// it is where its sentence says it elsewhere.
pub(super) fn unit<'c>(candidate: &'c Candidate<'_>, span: &Span, part: &Part) -> Option<&'c str> {
    let text = candidate.text();
    if let Some(unit) = span.unit.clone() {
        return text.get(unit);
    }
    let figure = text.get(span.bytes.clone())?;
    let is_bare = figure.chars().all(|c| c.is_ascii_digit() || matches!(c, ',' | '.'));
    if !is_bare || !candidate.is_in_table() || !part.kind.is_figure() {
        return None;
    }
    let head = &candidate.head;
    let column = column(text, span.bytes.start);
    let is_whole = words::cells(text).count() == head.columns.len();
    let of_column = words::cells(&head.text).nth(column).filter(|_| is_whole);
    let of_row = words::cells(text).next().filter(|_| column > 0);
    let above = candidate.headings().lines().next_back();
    let told = [of_row, of_column, Some(head.caption.as_str()), above];
    told.into_iter().flatten().find_map(|told| counted_in(told, part.kind, &part.counted))
}

/// `Catch (tonnes)`, `Visitors in thousands`. A number of things is counted in large numbers and shares, and not in
/// metres or in thousands of something else, which another column may have.
fn counted_in<'t>(text: &'t str, kind: Kind, counted: &BTreeSet<String>) -> Option<&'t str> {
    const MEASURES: [Dimension; 4] =
        [Dimension::Length, Dimension::Area, Dimension::Weight, Dimension::Money];
    let is_scale = |word: &String| {
        let scales = ["thousand", "million", "billion", "percent", "percentage"];
        scales.contains(&word.trim_end_matches('s'))
    };
    let tells = |word: &String| {
        is_scale(word)
            || (kind != Kind::Count && MEASURES.iter().any(|measure| measure.has_unit(word)))
    };
    let fits = |word: &String| {
        kind != Kind::Count
            || is_scale(word)
            || words::is_stop_word(word)
            || counted.contains(&words::stem(word))
    };
    let plain = text.split('(').next().unwrap_or_default();
    let told = [text.rsplit_once('('), plain.rsplit_once(" in "), plain.split_once("In ")];
    told.into_iter().flatten().find_map(|(_, told)| {
        let told = told.split([')', ',', ';', ':', '.']).next().unwrap_or_default().trim();
        let words = words::words(told);
        let is_told =
            words.len() <= UNIT_WORDS && words.iter().any(tells) && words.iter().all(fits);
        let is_unit = told.starts_with('%') || is_told;
        // It is shown beside the figure, where no mark of a page may stand.
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '%' | '-' | '/');
        (is_unit && told.chars().all(is_plain)).then_some(told)
    })
}

/// Which cell of a row a byte stands in.
fn column(row: &str, at: usize) -> usize {
    let mut end = 0;
    let is_before = |cell: &&str| {
        end += cell.len() + 1;
        end <= at
    };
    words::cells(row).take_while(is_before).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_says_what_it_counts_in() {
        for (text, kind, unit) in [
            ("Visitors (in thousands)", Kind::Count, Some("in thousands")),
            ("In millions", Kind::Count, Some("millions")),
            ("Share of homes (%)", Kind::Count, Some("%")),
            ("Catch in thousand tonnes, 2011 to 2021", Kind::Amount(&[]), Some("thousand tonnes")),
            ("Piers and their depth in metres", Kind::Amount(&[]), Some("metres")),
            ("Piers and their depth in metres", Kind::Count, None),
            ("Visitors in 2021 (all gates)", Kind::Count, None),
            ("Visitors in [thousands](a)", Kind::Count, None),
            ("Homes in 2021 (visitors in thousands)", Kind::Count, Some("visitors in thousands")),
            ("Homes in 2021 (cars in thousands)", Kind::Count, None),
            ("Traffic of the port in thousand tonnes", Kind::Count, None),
        ] {
            let counted = BTreeSet::from([words::stem("visitors")]);
            assert_eq!(counted_in(text, kind, &counted), unit, "{text}");
        }
    }

    #[test]
    fn a_sentence_says_what_its_figures_are_counted_in() {
        let said = |text: &str, dimension: Dimension| {
            let at = declared(text, text.len(), dimension, &BTreeSet::new());
            at.and_then(|at| text.get(at)).map(str::to_owned)
        };
        let staff = "Spending (in thousands of euros: staff 410, books ";
        assert_eq!(said(staff, Dimension::Money).as_deref(), Some("in thousands of euros"));
        assert_eq!(said(staff, Dimension::Weight), None);
        assert_eq!(said("Catch in tonnes: cod ", Dimension::Weight).as_deref(), Some("tonnes"));
        assert_eq!(said("The catch was sold: cod ", Dimension::Weight), None);
    }

    #[test]
    fn a_cell_stands_in_its_column_though_others_are_empty() {
        for row in ["Pears | | 9", "Pears|a|9", "Pears\ta | b\t9"] {
            assert_eq!(column(row, row.len() - 1), 2, "{row}");
            assert_eq!(column(row, 0), 0, "{row}");
        }
    }
}
