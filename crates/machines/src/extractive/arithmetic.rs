//! Calculations in questions, as JavaScript.
//!
//! Border: a question in, an expression out when it can be read without guessing.

use super::formula::{Formula, number};
use super::lexicon::Dimension;
use crate::ask::is_calculation;

/// A calculation, as a program can work it out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Calculation {
    formula: Formula,
}

impl Calculation {
    /// The program. Whole numbers are worked out to the last digit, and shown so; others are shown without the digits that only
    /// say how a computer writes fractions: `7 / 100 * 300` is 21 and not 21.000000000000004.
    pub(super) fn program(&self) -> String {
        let Formula { shown, whole } = &self.formula;
        match whole {
            Some(whole) => format!("const value = {whole};\nconsole.log(\"{shown} = \" + value);"),
            None => format!(
                "const value = {shown};\nconst rounded = Number.isSafeInteger(value) ? value : {};\nconsole.log(\"{shown} = \" + rounded);",
                rounding(shown)
            ),
        }
    }
}

/// Decimals up to which a sum has those of its numbers.
const MOST_DECIMALS: usize = 15;

/// How what is no whole number is rounded. A sum has no more decimals than its numbers; behind a difference, of which only
/// the last digits may be left, fewer digits are sure than else.
fn rounding(shown: &str) -> String {
    let is_sum = shown.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | '+' | '-' | ' '));
    let decimals = |number: &str| number.split_once('.').map_or(0, |(_, behind)| behind.len());
    let decimals = shown.split(' ').map(decimals).max().filter(|_| is_sum);
    match decimals.filter(|decimals| *decimals <= MOST_DECIMALS) {
        Some(decimals) => format!("Number(Number(value.toFixed({decimals})).toPrecision(15))"),
        None if shown.contains('-') => {
            "Number(value.toPrecision(Math.abs(value) < 1e9 ? 12 : 15))".to_owned()
        }
        None => "Number(value.toPrecision(15))".to_owned(),
    }
}

/// Words of asking for a result; beside others an expression is only a part of what is asked.
const ASKING: [&str; 34] = [
    "answer",
    "calculate",
    "can",
    "compute",
    "could",
    "do",
    "does",
    "equal",
    "equals",
    "evaluate",
    "find",
    "for",
    "give",
    "how",
    "i",
    "is",
    "its",
    "make",
    "many",
    "me",
    "much",
    "of",
    "out",
    "please",
    "result",
    "s",
    "solve",
    "tell",
    "the",
    "to",
    "value",
    "what",
    "work",
    "you",
];

/// A formula, and what stands beside it.
struct Read {
    formula: Formula,
    beside: String,
}

impl Read {
    fn new(formula: Formula, before: &str, behind: &str) -> Self {
        Self { formula, beside: format!("{before} {behind}") }
    }
}

/// The calculation that a question asks for, where it asks for nothing else.
pub(super) fn find(question: &str) -> Option<Calculation> {
    let text = normal(question);
    percent(&text)
        .or_else(|| of_list(&text))
        .or_else(|| share(&text))
        .or_else(|| {
            after(&text, "square root of ", |it| Some(Formula::of_function("Math.sqrt", it)))
        })
        .or_else(|| after(&text, "cube root of ", |it| Some(Formula::of_function("Math.cbrt", it))))
        .or_else(|| after(&text, "factorial of ", factorial))
        // `24/7` and `4x4` are names of things: the one judgement of that is the ask's.
        .or_else(|| expression(&text).filter(|_| is_calculation(question) || is_worded(question)))
        .filter(|read| only_asks(&read.beside))
        .map(|read| Calculation { formula: read.formula })
}

/// Whether signs are written as words.
fn is_worded(question: &str) -> bool {
    let lower = question.to_lowercase();
    [" divided by ", " multiplied by ", " times ", " plus ", " minus "]
        .iter()
        .any(|sign| lower.contains(sign))
}

/// Whether words only ask for a result.
fn only_asks(beside: &str) -> bool {
    beside
        .split(|c: char| !c.is_alphanumeric())
        .all(|word| word.is_empty() || ASKING.contains(&word))
}

/// Lower case, signs as JavaScript writes them, numbers without separators.
fn normal(question: &str) -> String {
    let lower = question
        .to_lowercase()
        .replace(['×', '·'], "*")
        .replace('÷', "/")
        .replace(['−', '–'], "-")
        .replace(" divided by ", " / ")
        .replace(" multiplied by ", " * ")
        .replace(" times ", " * ")
        .replace(" plus ", " + ")
        .replace(" minus ", " - ")
        .replace("per cent", "%")
        .replace(" percent", "%")
        .replace(" % of ", "% of ");
    let kept: Vec<&str> =
        lower.split(' ').filter(|word| !Dimension::Money.has_unit(word)).collect();
    let characters: Vec<char> = scaled(&kept).join(" ").chars().collect();
    let is_digit =
        |at: Option<usize>| at.and_then(|at| characters.get(at)).is_some_and(char::is_ascii_digit);
    let mut out = String::new();
    for (at, character) in characters.iter().enumerate() {
        let three_digits = (1..=3).all(|step| is_digit(Some(at + step))) && !is_digit(Some(at + 4));
        match character {
            ',' if is_digit(at.checked_sub(1)) && three_digits => {}
            'x' if around(&characters, at) => out.push('*'),
            '^' => out.push_str("**"),
            other => out.push(*other),
        }
    }
    out
}

/// `1.2 million` as `1200000`, with what stands behind it.
fn scaled(words: &[&str]) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for word in words {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphabetic());
        let scale = match bare {
            "thousand" => 1e3,
            "million" => 1e6,
            "billion" => 1e9,
            "trillion" => 1e12,
            _ => 0.0,
        };
        let number = out.last().and_then(|last| last.replace(',', "").parse::<f64>().ok());
        match number.filter(|number| scale > 0.0 && number.is_finite()) {
            Some(number) => {
                let rest = word.get(bare.len()..).unwrap_or_default();
                out.pop();
                // `1.1 million` is so many whole ones, whatever is left behind the point.
                out.push(format!("{}{rest}", (number * scale * 1e3).round() / 1e3));
            }
            None => out.push((*word).to_owned()),
        }
    }
    out
}

/// Whether an `x` stands between two numbers.
fn around(characters: &[char], at: usize) -> bool {
    let before = characters.iter().take(at).rev().find(|c| !c.is_whitespace());
    let after = characters.iter().skip(at + 1).find(|c| !c.is_whitespace());
    before.is_some_and(|c| c.is_ascii_digit() || *c == ')')
        && after.is_some_and(|c| c.is_ascii_digit() || *c == '(')
}

fn percent(text: &str) -> Option<Read> {
    let (before, after) = text.split_once("% of ")?;
    let start = before.rfind(|c: char| !c.is_ascii_digit() && c != '.').map_or(0, |at| at + 1);
    let share = number(before.get(start..)?)?;
    let whole = number(after)?;
    let (_, behind) = after.split_once(whole)?;
    let formula = Formula::read(&format!("{share} / 100 * {whole}"))?;
    Some(Read::new(formula, before.get(..start)?, behind))
}

/// `the average of 3, 5 and 7`; of two numbers at least.
fn of_list(text: &str) -> Option<Read> {
    const LISTS: [(&str, bool); 6] = [
        ("average of ", true),
        ("mean of ", true),
        ("sum of ", false),
        ("total of ", false),
        ("product of ", false),
        ("difference between ", false),
    ];
    let (words, divides) = LISTS.iter().find(|(words, _)| text.contains(words))?;
    let (before, rest) = text.split_once(words)?;
    let mut numbers: Vec<&str> = Vec::new();
    let mut rest = rest.trim_start();
    while let Some(found) = number(rest) {
        numbers.push(found);
        rest = rest.get(found.len()..).unwrap_or_default();
        rest = rest.trim_start_matches([',', ' ']);
        rest = rest.strip_prefix("and ").unwrap_or(rest).trim_start();
    }
    if numbers.len() < 2 || !is_over(rest) {
        return None;
    }
    let sign = match *words {
        "product of " => " * ",
        "difference between " => " - ",
        _ => " + ",
    };
    let joined = numbers.join(sign);
    let formula = match (*words, *divides) {
        ("difference between ", _) => Formula::of_function("Math.abs", &joined),
        (_, true) => Formula::read(&format!("({joined}) / {}", numbers.len()))?,
        (_, false) => Formula::read(&joined)?,
    };
    Some(Read::new(formula, before, ""))
}

/// Whether nothing is left of a question: what stood behind the numbers would not be counted.
fn is_over(rest: &str) -> bool {
    !rest.contains(char::is_alphanumeric)
}

/// `half of 30`, `a third of 30`.
fn share(text: &str) -> Option<Read> {
    const SHARES: [(&str, &str); 5] = [
        ("half of ", "/ 2"),
        ("third of ", "/ 3"),
        ("quarter of ", "/ 4"),
        ("double of ", "* 2"),
        ("twice ", "* 2"),
    ];
    SHARES.iter().find_map(|(words, sign)| {
        let (before, rest) = text.split_once(words)?;
        let number = number(rest)?;
        let (_, after) = rest.split_once(number)?;
        // `a third of`.
        let before = before.strip_suffix("a ").unwrap_or(before);
        let formula = Formula::read(&format!("{number} {sign}"))?;
        is_over(after).then(|| Read::new(formula, before, after))
    })
}

fn after(text: &str, words: &str, write: impl Fn(&str) -> Option<Formula>) -> Option<Read> {
    let (before, rest) = text.split_once(words)?;
    let number = number(rest)?;
    let (_, behind) = rest.split_once(number)?;
    Some(Read::new(write(number)?, before, behind))
}

/// Digits of a number whose factorial is worked out.
const FACTORIAL_DIGITS: usize = 4;

fn factorial(number: &str) -> Option<Formula> {
    let is_small = number.len() <= FACTORIAL_DIGITS && !number.contains('.');
    let factors = format!("Array.from({{ length: {number} }}, (_, at) => BigInt(at + 1))");
    is_small.then(|| Formula {
        shown: format!("{number}!"),
        whole: Some(format!("{factors}.reduce((all, each) => all * each, 1n)")),
    })
}

/// The longest run of a text that is an arithmetic expression.
fn expression(text: &str) -> Option<Read> {
    let is_part = |c: char| c.is_ascii_digit() || " .+-*/%()".contains(c);
    let runs = text.split(|c: char| !is_part(c));
    let runs = runs.map(|run| run.trim().trim_end_matches(['.', '-', '+', '*', '/']).trim());
    let (run, formula) =
        runs.filter_map(|run| Some((run, Formula::read(run)?))).max_by_key(|(run, _)| run.len())?;
    let (before, behind) = text.split_once(run)?;
    Some(Read::new(formula, before, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calculations_are_read_and_other_questions_left_alone() {
        for (question, expression) in [
            ("What is 17 * 23?", "17 * 23"),
            ("calculate 15% of 240", "15 / 100 * 240"),
            ("How much is 12.5 percent of 1,200?", "12.5 / 100 * 1200"),
            ("(3 + 4) ^ 2", "(3 + 4) ** 2"),
            ("What is 6 x 7, please?", "6 * 7"),
            ("12 divided by 4 plus 1", "12 / 4 + 1"),
            ("the square root of 144.", "Math.sqrt(144)"),
            ("1,000,000 / 3", "1000000 / 3"),
            ("calculate 144/12", "144 / 12"),
            ("How much is a third of 30?", "30 / 3"),
            ("What is 6 euros times 365?", "6 * 365"),
            ("What is the average of 3, 5 and 7?", "(3 + 5 + 7) / 3"),
            ("the sum of 1,200 and 34", "1200 + 34"),
            ("the difference between 12 and 30?", "Math.abs(12 - 30)"),
            ("How much is half of 186?", "186 / 2"),
            ("twice 21", "21 * 2"),
            ("What is half of 186 million?", "186000000 / 2"),
            ("15% of 1.2 million", "15 / 100 * 1200000"),
            ("What is 200 - 20%?", "200 * (100 - 20) / 100"),
            ("What is 200 plus 20 percent?", "200 * (100 + 20) / 100"),
            ("What is -2^2?", "-(2 ** 2)"),
            ("What is the factorial of 25?", "25!"),
        ] {
            let found = find(question).map(|calculation| calculation.formula.shown);
            assert_eq!(found.as_deref(), Some(expression), "{question}");
        }
        for question in [
            "Who won the 2022 World Cup?",
            "history of the years 1914-1918",
            "call 555-1234",
            "(3 + 4",
            "C++ or Rust?",
            "007 * 2",
            "What is the difference between 4 strokes and 2 strokes?",
            "Who won twice 3 years later?",
            "24/7",
            "What happened on 9/11?",
            "Is it open 24/7?",
            "What is a 4x4?",
            "Why did 15% of 240 passengers fall ill?",
            "What is the square root of 2 called?",
            "What is 17 * 23, and who built the bridge?",
            "What is 100 + 50 - 20%?",
            "What is the factorial of 2.5?",
        ] {
            let found = find(question);
            assert_eq!(found, None, "{question}");
        }
    }

    /// The sandbox's tests run the same file, and compare what it prints.
    #[test]
    fn programs_are_those_whose_output_is_known() {
        let file = include_str!("../../../../tests/programs/calc-asked.js");
        let mut blocks = file.split("\n\n// ").skip(1).peekable();
        assert!(blocks.peek().is_some());
        for block in blocks {
            let (question, program) = block.split_once('\n').unwrap();
            let program = program.trim_end().strip_prefix("{\n").unwrap();
            let program = program.strip_suffix("\n}").unwrap();
            let found = find(question).map(|calculation| calculation.program());
            assert_eq!(found.as_deref(), Some(program), "{question}");
        }
    }
}
