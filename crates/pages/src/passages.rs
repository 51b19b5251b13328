//! Passages: a page's text in pieces that a citation can point at. Each has an anchor that stays the
//! same while its text does, the headings it stands under, and an address that browsers scroll to.

use crate::extent::MAX_MARKDOWN;
use crate::render::Block;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use quarry_types::text::first_bytes;
use std::collections::HashMap;
use url::Url;

/// Bytes after which a passage is long enough to stand alone.
const ENOUGH: usize = 500;
/// Bytes of a passage; a longer block is parted.
const MAX: usize = 1500;
/// Words at each end of a passage that name it in an address.
const FRAGMENT_WORDS: usize = 5;
/// Passages of a page: a page of a MiB of prose has half as many. The rest of a page that has more stays in its text.
pub const MOST: usize = 4096;
/// Bytes of headings and addresses above and beside all passages of a page. Each passage has all its headings and the
/// page's whole address, which a hostile page makes far longer than its text.
const MOST_AROUND: usize = AROUND * MAX_MARKDOWN;
/// What may stand around passages for each byte of a text: where words have no spaces between them, an address that
/// names some is three times as long as they are.
pub(crate) const AROUND: usize = 4;

/// A piece of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passage {
    /// `p-` and eight hexadecimal digits, from the headings and the text; a second one of the same
    /// page with the same words gets `-2`.
    pub anchor: String,
    /// The headings it stands under, outermost first.
    pub headings: Vec<String>,
    /// Plain text.
    pub text: String,
    /// The page's address with a text fragment (WICG, URL Fragment Text Directives).
    pub url: String,
}

impl Passage {
    /// Bytes of what stands around its text.
    pub(crate) fn around(&self) -> usize {
        self.headings.iter().map(String::len).sum::<usize>() + self.url.len()
    }
}

/// The passages of a text whose blocks are known.
pub fn of_blocks(text: &str, blocks: &[Block], url: &Url) -> Vec<Passage> {
    let parts =
        blocks.iter().filter_map(|block| Some((text.get(block.range.clone())?, block.heading)));
    collect(parts, url)
}

/// The passages of a text without marks; of Markdown the lines with `#` are headings.
pub fn of_text(text: &str, markdown: bool, url: &Url) -> Vec<Passage> {
    let parts = text.split("\n\n").map(str::trim).filter(|part| !part.is_empty()).map(|part| {
        let level = part.bytes().take_while(|byte| *byte == b'#').count();
        let heading = part.get(level..).and_then(|rest| rest.strip_prefix(' '));
        match heading {
            Some(heading) if markdown && (1..=6).contains(&level) && !part.contains('\n') => {
                (heading.trim(), Some(level))
            }
            _ => (part, None),
        }
    });
    collect(parts, url)
}

fn collect<'a>(parts: impl Iterator<Item = (&'a str, Option<usize>)>, url: &Url) -> Vec<Passage> {
    let mut collector = Collector {
        url,
        path: Vec::new(),
        open: String::new(),
        anchors: HashMap::new(),
        done: Vec::new(),
        around: 0,
        is_full: false,
    };
    for (text, heading) in parts {
        if collector.is_full {
            break;
        }
        match heading {
            Some(level) => collector.heading(level, text),
            None => collector.block(text),
        }
    }
    collector.close();
    collector.done
}

/// Bytes of a heading that a passage is told to stand below.
const MAX_HEADING: usize = 500;

struct Collector<'a> {
    url: &'a Url,
    path: Vec<(usize, String)>,
    open: String,
    anchors: HashMap<String, usize>,
    done: Vec<Passage>,
    /// Bytes around the texts of those that are done.
    around: usize,
    /// Whether one did not fit: none comes behind it, or they would no longer be a beginning.
    is_full: bool,
}

impl Collector<'_> {
    fn heading(&mut self, level: usize, text: &str) {
        self.close();
        self.path.retain(|(above, _)| *above < level);
        // Each passage below it has it: a page that is one heading would be there as often as it has passages.
        let text = first_bytes(text, MAX_HEADING);
        self.path.push((level, text.to_owned()));
    }

    fn block(&mut self, text: &str) {
        let mut rest = text;
        // An open passage gets a blank line before the next block.
        let taken = |open: &str| if open.is_empty() { 0 } else { open.len() + 2 };
        while taken(&self.open) + rest.len() > MAX {
            if !self.open.is_empty() {
                self.close();
                continue;
            }
            let at = cut(rest, MAX);
            let (head, tail) = rest.split_at(at);
            self.open.push_str(head.trim());
            self.close();
            rest = tail.trim_start();
        }
        if !rest.is_empty() {
            if !self.open.is_empty() {
                self.open.push_str("\n\n");
            }
            self.open.push_str(rest);
        }
        if self.open.len() >= ENOUGH {
            self.close();
        }
    }

    fn close(&mut self) {
        let text = std::mem::take(&mut self.open);
        if text.is_empty() || self.is_full {
            return;
        }
        let headings: Vec<String> = self.path.iter().map(|(_, text)| text.clone()).collect();
        let anchor = self.anchor(&headings, &text);
        let url = address(self.url, &text);
        let passage = Passage { anchor, headings, text, url };
        self.around += passage.around();
        self.is_full = self.done.len() == MOST || self.around > MOST_AROUND;
        if !self.is_full {
            self.done.push(passage);
        }
    }

    fn anchor(&mut self, headings: &[String], text: &str) -> String {
        let mut sum = flate2::Crc::new();
        for part in headings.iter().map(String::as_str).chain([text]) {
            // White space may change while the words stay.
            part.split_whitespace().for_each(|word| {
                sum.update(word.as_bytes());
                sum.update(b" ");
            });
            sum.update(b"\n");
        }
        let anchor = format!("p-{:08x}", sum.sum());
        let count = self.anchors.entry(anchor.clone()).or_default();
        *count += 1;
        if *count > 1 { format!("{anchor}-{count}") } else { anchor }
    }
}

/// Where to part a long text: after a line or a sentence or a word, if there is one in the second half.
fn cut(text: &str, limit: usize) -> usize {
    let end = text.floor_char_boundary(limit);
    let head = text.get(..end).unwrap_or_default();
    let late = |at: &usize| *at > end / 2;
    let line = head.rfind('\n').filter(late);
    let sentence = || {
        [". ", "! ", "? ", "。"]
            .iter()
            .filter_map(|stop| Some(head.rfind(stop)? + stop.len()))
            .max()
            .filter(late)
    };
    let word = || head.rfind(char::is_whitespace).filter(late);
    line.or_else(sentence).or_else(word).unwrap_or(end.max(1))
}

/// The page's address with the first and last words of a passage as its text fragment.
fn address(url: &Url, text: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let last = text.lines().next_back().unwrap_or_default();
    let start = words(first, false);
    let end = words(last, true);
    let mut url = url.clone();
    url.set_fragment(None);
    if start.is_empty() {
        return url.to_string();
    }
    let encode =
        |words: &[&str]| utf8_percent_encode(&words.join(" "), NON_ALPHANUMERIC).to_string();
    // A short passage is its own beginning and end.
    let whole = text.split_whitespace().count() <= 2 * FRAGMENT_WORDS;
    if whole || end.is_empty() {
        format!("{url}#:~:text={}", encode(&start))
    } else {
        format!("{url}#:~:text={},{}", encode(&start), encode(&end))
    }
}

/// The first or the last words of a line, as the page shows them: without the marks of a list, within
/// one cell of a table, and no further than a mark that only plain text has.
fn words(line: &str, last: bool) -> Vec<&str> {
    let line = line.trim();
    let number = line.find(". ").filter(|at| {
        line.get(..*at).is_some_and(|mark| mark.bytes().all(|byte| byte.is_ascii_digit()))
    });
    let bare = line.strip_prefix("- ").or_else(|| line.get(number? + 2..)).unwrap_or(line);
    let mut cells = bare.split('\t').map(str::trim).filter(|cell| !cell.is_empty());
    let cell = if last { cells.next_back() } else { cells.next() };
    let all: Vec<&str> = cell.unwrap_or_default().split_whitespace().collect();
    let marked = |word: &&&str| !word.contains('^');
    if last {
        let mut words: Vec<&str> =
            all.iter().rev().take(FRAGMENT_WORDS).take_while(marked).copied().collect();
        words.reverse();
        words
    } else {
        all.iter().take(FRAGMENT_WORDS).take_while(marked).copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn url() -> Url {
        Url::parse("https://example.com/a#top").unwrap()
    }

    fn passages(text: &str) -> Vec<Passage> {
        of_text(text, true, &url())
    }

    #[test]
    fn a_page_that_is_one_heading_is_not_there_with_each_passage() {
        let long = "é".repeat(50_000);
        let found = passages(&format!("# {long}\n\n{}", "## a\n\nb\n\n".repeat(500)));
        assert_eq!(found.len(), 500);
        let told = found.iter().flat_map(|passage| &passage.headings).map(String::len);
        assert!(told.sum::<usize>() < 500 * 600);
        assert!(found.iter().all(|passage| passage.headings.first().unwrap().starts_with("éé")));
    }

    #[test]
    fn however_long_headings_and_address_are_passages_are_not_much_more_than_their_page() {
        let deep: String =
            (1..=5).map(|level| format!("{} {}\n\n", "#".repeat(level), "h".repeat(500))).collect();
        let short = "###### a\n\nb\n\n".repeat(70_000);
        let long = Url::parse(&format!("https://example.com/{}", "a".repeat(8_000))).unwrap();
        for (page, url) in [(deep + &short, &url()), ("# a\n\nb\n\n".repeat(100_000), &long)] {
            let found = of_text(&page, true, url);
            let bytes: usize = found.iter().map(|one| one.text.len() + one.around()).sum();
            assert!(found.len() > 100 && bytes <= 5 * MAX_MARKDOWN, "{} {bytes}", found.len());
            assert_eq!(
                found[..100],
                of_text(&page[..5_000], true, url)[..100],
                "it is a beginning"
            );
        }
    }

    #[test]
    fn a_page_has_so_many_passages_and_prose_of_the_longest_has_all() {
        assert_eq!(passages(&"# a\n\nb\n\n".repeat(MOST + 9)).len(), MOST);
        let section = |at| format!("# Of part {at}\n\n{}\n\n", "These are words. ".repeat(20));
        let prose: String = (0..2_900).map(section).collect();
        assert!((1_000_000..MAX_MARKDOWN).contains(&prose.len()), "{}", prose.len());
        let (found, last) = (passages(&prose), "Of part 2899");
        assert_eq!((found.len(), found[2_899].headings[0].as_str()), (2_900, last));
        let unspaced = format!("{}。\n\n", "這座橋用了三年才建成".repeat(30));
        let found = passages(&unspaced.repeat(MAX_MARKDOWN / unspaced.len()));
        assert_eq!(found.len(), MAX_MARKDOWN / unspaced.len());
    }

    #[test]
    fn headings_are_the_path() {
        let found = passages("intro\n\n# One\n\na\n\n## Two\n\nb\n\nc\n\n# Three\n\nd");
        let shown: Vec<_> = found
            .iter()
            .map(|passage| (passage.headings.join(" > "), passage.text.as_str()))
            .collect();
        assert_eq!(
            shown,
            [
                ("".into(), "intro"),
                ("One".into(), "a"),
                ("One > Two".into(), "b\n\nc"),
                ("Three".into(), "d")
            ]
        );
    }

    #[test]
    fn an_anchor_stays_while_the_words_do() {
        let one = passages("# T\n\nsome  words here");
        let two = passages("before\n\n# T\n\nsome words here");
        assert_eq!(one[0].anchor, two[1].anchor);
        assert_ne!(one[0].anchor, passages("# U\n\nsome words here")[0].anchor);
        let twice = passages("# T\n\nx\n\n# T\n\nx");
        assert_eq!(twice[1].anchor, format!("{}-2", twice[0].anchor));
    }

    #[test]
    fn addresses_name_the_first_and_last_words() {
        let long = "One two three, four-five six seven eight nine ten eleven & twelve thirteen.";
        assert_eq!(
            passages(long)[0].url,
            "https://example.com/a#:~:text=One%20two%20three%2C%20four%2Dfive%20six,ten%20eleven%20%26%20twelve%20thirteen%2E"
        );
        assert_eq!(passages("- Short one")[0].url, "https://example.com/a#:~:text=Short%20one");
        assert_eq!(words("12. Is\tall", false), ["Is"]);
        assert_eq!(words("a cell\tb c 10^6 d e", true), ["d", "e"]);
    }

    #[test]
    fn the_blank_line_between_two_blocks_counts() {
        let (first, second) = ("a".repeat(10), "b".repeat(MAX - 11));
        let found = passages(&format!("{first}\n\n{second}"));
        assert!(found.iter().all(|passage| passage.text.len() <= MAX), "{}", found.len());
    }

    #[test]
    fn a_long_block_is_parted_at_a_sentence() {
        let found = passages(&"This is a sentence of eight words now. ".repeat(100));
        assert!(found.len() > 2);
        assert!(
            found.iter().all(|passage| passage.text.ends_with("now.") && passage.text.len() <= MAX)
        );
    }

    proptest! {
        #[test]
        fn no_word_is_lost(text in "[a-zé。.!\\t\\n #-]{0,4000}") {
            let found = of_text(&text, false, &url());
            let all = found.iter().flat_map(|passage| passage.text.split_whitespace()).collect::<String>();
            prop_assert_eq!(all, text.split_whitespace().collect::<String>());
            for passage in found {
                prop_assert!(passage.text.len() <= MAX);
                prop_assert!(Url::parse(&passage.url).is_ok());
            }
        }
    }
}
