//! Where a report cites its sources: its links with a number for words, which it writes in one form alone.
//!
//! Border: a text in Markdown in, places in code points out.

use crate::talk::Cited;

/// A source that a run lists.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Listed {
    pub citation_id: String,
    pub url: String,
    pub title: String,
}

/// What addresses in links have in place of what would end one.
const ESCAPED: [(&str, &str); 10] = [
    ("%28", "("),
    ("%29", ")"),
    ("%3C", "<"),
    ("%3E", ">"),
    ("%5B", "["),
    ("%5D", "]"),
    ("%5C", "\\"),
    ("%60", "`"),
    ("%7C", "|"),
    ("%20", " "),
];

/// The citations in a report, as they come.
pub(super) fn cited(report: &str, sources: &[Listed]) -> Vec<Cited> {
    let mut all = Vec::new();
    // Bytes that were looked at, and the code points in them.
    let (mut rest, mut points) = (report, 0);
    while let Some(at) = rest.find('[') {
        let (before, link) = rest.split_at(at);
        points += before.chars().count();
        let is_text = before.chars().rev().take_while(|c| *c == '\\').count() % 2 == 1;
        let found = if is_text { None } else { link_of(link) };
        let length = match found {
            Some((n, address, length)) => {
                let title = source(address, sources).map_or(address, |it| it.title.as_str());
                all.push(Cited {
                    n: Some(n),
                    url: address.to_owned(),
                    title: title.to_owned(),
                    start: points,
                    end: points + link.get(..length).unwrap_or_default().chars().count(),
                    quote: None,
                });
                length
            }
            None => 1,
        };
        points += link.get(..length).unwrap_or_default().chars().count();
        rest = link.get(length..).unwrap_or_default();
    }
    all
}

/// A number, the address behind it, and the bytes of both together.
fn link_of(text: &str) -> Option<(usize, &str, usize)> {
    let (number, behind) = text.strip_prefix('[')?.split_once("](")?;
    let is_number = (1..=4).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit());
    let n = number.parse().ok().filter(|_| is_number)?;
    let (address, _) = behind.split_once(')')?;
    let is_address = !address.is_empty() && !address.contains(char::is_whitespace);
    is_address.then_some((n, address, number.len() + address.len() + 4))
}

/// The source that stands at an address.
pub(super) fn source<'s>(address: &str, sources: &'s [Listed]) -> Option<&'s Listed> {
    let page = page(address);
    sources.iter().find(|source| self::page(&source.url) == page)
}

/// What tells pages apart: the address without the place on the page, and without what links need.
fn page(address: &str) -> String {
    let ends: &[char] = if address.starts_with('/') { &['?', '#'] } else { &['#'] };
    let page = address.split(ends).next().unwrap_or_default().trim_end_matches('/');
    ESCAPED.iter().fold(page.to_owned(), |page, (escaped, plain)| page.replace(escaped, plain))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_are_links_are_citations_and_nothing_else_is() {
        let source = |url: &str, title: &str| Listed {
            citation_id: String::new(),
            url: url.to_owned(),
            title: title.to_owned(),
        };
        let sources = [source("https://a.example/x_(y)", "A"), source("/documents/d?x=1", "D")];
        let report = "É [1](https://a.example/x_%28y%29#p-0) \\[2](https://b.example/) [no](https://c.example/)[12](/documents/d?from=7) [3]";
        let all = cited(report, &sources);
        let told: Vec<_> = all.iter().map(|it| (it.n, it.title.as_str(), it.start)).collect();
        assert_eq!(told, [(Some(1), "A", 2), (Some(12), "D", 88)]);
        let letters: Vec<char> = report.chars().collect();
        for it in &all {
            let link: String = letters[it.start..it.end].iter().collect();
            assert_eq!(link, format!("[{}]({})", it.n.unwrap(), it.url));
        }
        assert_eq!(
            cited("[7](https://unknown.example/)", &[])[0].title,
            "https://unknown.example/"
        );
    }
}
