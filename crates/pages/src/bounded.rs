//! A page within so many characters, or within its share of what several pages may have together.

use crate::page::Page;
use crate::passages::{AROUND, Passage};

/// The page with at most `most` characters of Markdown, as many of text, and as many of passages, whose headings and
/// addresses have four times as many bytes. Text ends at the end of a line where one is near, passages are left out
/// whole.
pub fn bounded(page: Page, most: usize) -> Page {
    let (mut left, mut around) = (most, most.saturating_mul(AROUND));
    let takes = |passage: &Passage| {
        let length = passage.text.chars().count();
        let fits = length <= left && passage.around() <= around;
        left = left.saturating_sub(length);
        around = around.saturating_sub(passage.around());
        fits
    };
    // No text has more characters than bytes.
    let end = |text: &str| match text.len() > most {
        true => text.char_indices().nth(most).map(|(end, _)| end),
        false => None,
    };
    cut(page, end, takes)
}

/// Bytes that the pages of one answer have together: whoever gets them reads them at once, beside all others.
pub const TOGETHER: usize = 4 * 1024 * 1024;

/// Bytes that a passage costs on its way besides what it says.
const OF_PASSAGE: usize = 64;

/// What is left for pages that go into one answer, one after the other. Each has three quarters of an even share for
/// itself. What those before it have left is anybody's, the first one's first: they are ranked.
#[derive(Debug)]
pub struct Together {
    left: usize,
    /// What one page has for itself.
    own: usize,
    to_come: usize,
}

impl Together {
    /// So many bytes for so many pages.
    #[must_use]
    pub fn new(bytes: usize, pages: usize) -> Self {
        let own = bytes.checked_div(pages).unwrap_or(bytes) / 4 * 3;
        Self { left: bytes, own, to_come: pages }
    }

    /// The next page, cut to what it may have: of that Markdown and text have half, and passages half, and each what
    /// the others leave.
    #[must_use]
    pub fn take(&mut self, page: Page) -> Page {
        self.skip();
        let page = within(page, self.left.saturating_sub(self.own.saturating_mul(self.to_come)));
        self.left = self.left.saturating_sub(texts(&page) + passages(&page));
        page
    }

    /// The next page was not read, and leaves all to others.
    pub const fn skip(&mut self) {
        self.to_come = self.to_come.saturating_sub(1);
    }
}

fn within(page: Page, most: usize) -> Page {
    let (texts, passages) = (texts(&page), passages(&page));
    if texts + passages <= most {
        return page;
    }
    let for_texts = most.saturating_sub(passages).max(most / 2);
    // Of both that are wanted each has its part.
    let for_each = if page.text.is_empty() { for_texts } else { for_texts / 2 };
    let mut left = most.saturating_sub(texts.min(for_texts));
    let takes = |passage: &Passage| {
        let fits = weight(passage) <= left;
        left = left.saturating_sub(weight(passage));
        fits
    };
    let end = |text: &str| (text.len() > for_each).then(|| text.floor_char_boundary(for_each));
    cut(page, end, takes)
}

const fn texts(page: &Page) -> usize {
    page.markdown.len() + page.text.len()
}

fn passages(page: &Page) -> usize {
    page.passages.iter().map(weight).sum()
}

fn weight(passage: &Passage) -> usize {
    OF_PASSAGE + passage.text.len() + passage.around()
}

/// The page with its texts up to where they end, and the passages before the first that is not taken.
fn cut(
    mut page: Page,
    end: impl Fn(&str) -> Option<usize>,
    mut takes: impl FnMut(&Passage) -> bool,
) -> Page {
    let mut cut = false;
    for text in [&mut page.markdown, &mut page.text] {
        if let Some(end) = end(text) {
            shorten(text, end);
            cut = true;
        }
    }
    let kept = page.passages.iter().take_while(|passage| takes(passage)).count();
    cut |= kept < page.passages.len();
    page.passages.truncate(kept);
    page.pages.retain(|start| *start < page.markdown.len());
    page.truncated |= cut;
    page
}

fn shorten(text: &mut String, end: usize) {
    let head = text.get(..end).unwrap_or_default();
    // A line that is cut in its middle is better than a half of the text.
    let line = head.rfind('\n').filter(|at| *at >= end / 2);
    text.truncate(line.unwrap_or(end));
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn page(markdown: &str, passages: &[&str]) -> Page {
        let passages = passages.iter().map(|text| passage(text, "")).collect();
        Page { markdown: markdown.to_owned(), passages, ..Page::default() }
    }

    fn passage(text: &str, around: &str) -> Passage {
        let headings = vec![around.to_owned()];
        let [anchor, url] = [String::new(), String::new()];
        Passage { anchor, headings, text: text.to_owned(), url }
    }

    fn bytes(page: &Page) -> usize {
        texts(page) + passages(page)
    }

    #[test]
    fn what_fits_stays_whole() {
        let whole = page("ää\nbb", &["ää", "bb"]);
        assert_eq!(bounded(whole.clone(), 5), whole);
        assert_eq!(bounded(whole.clone(), usize::MAX), whole);
    }

    #[test]
    fn what_does_not_fit_is_cut_and_says_so() {
        let cut = bounded(page("äää\nbbb", &["äää", "bbb"]), 5);
        assert_eq!((cut.markdown.as_str(), cut.passages.len(), cut.truncated), ("äää", 1, true));
        let cut = bounded(page("ääääääää", &[]), 5);
        assert_eq!((cut.markdown.as_str(), cut.truncated), ("äääää", true));
        let far = bounded(page("a\nbbbbbbbbbbbb", &[]), 10);
        assert_eq!(far.markdown, "a\nbbbbbbbb", "no line ends near");
        let nothing = bounded(page("a", &["a"]), 0);
        assert!(nothing.markdown.is_empty() && nothing.passages.is_empty() && nothing.truncated);
    }

    #[test]
    fn headings_and_addresses_of_passages_count() {
        let mut long = page("a", &[]);
        long.passages = vec![passage("a", "twelve bytes"); 9];
        let cut = bounded(long.clone(), 10);
        assert_eq!((cut.passages.len(), cut.truncated), (3, true), "as much as 40 bytes hold");
        for passage in &mut long.passages {
            (passage.url, passage.headings) = (passage.headings.concat(), Vec::new());
        }
        assert_eq!(bounded(long, 10).passages.len(), 3);
    }

    #[test]
    fn pages_of_one_answer_share_what_it_may_have() {
        let long = page(&"word ".repeat(200_000), &["a passage of some words"; 9_000]);
        let short = page("short", &["short"]);
        let mut together = Together::new(TOGETHER, 50);
        let read: Vec<Page> = (0..50).map(|_| together.take(long.clone())).collect();
        assert!(read.iter().map(bytes).sum::<usize>() <= TOGETHER);
        for page in &read {
            assert!(page.markdown.len() >= 24_000 && page.passages.len() > 200 && page.truncated);
        }
        assert!(bytes(&read[0]) > bytes(&read[1]), "the first one is ranked highest");
        let mut together = Together::new(TOGETHER, 50);
        for _ in 0..49 {
            assert_eq!(together.take(short.clone()), short);
        }
        assert_eq!(together.take(long.clone()), long, "they leave it all");
        let mut together = Together::new(bytes(&long), 2);
        together.skip();
        assert_eq!(together.take(long.clone()), long, "who is not read leaves all");
    }

    #[test]
    fn markdown_and_passages_have_what_the_other_leaves() {
        let fit = |page: &Page| within(page.clone(), 10_000);
        let of_text = fit(&page(&"a".repeat(90_000), &["b"]));
        assert_eq!((of_text.markdown.len(), of_text.passages.len()), (10_000 - 65, 1));
        let of_passages = fit(&page("a", &["b"; 900]));
        assert_eq!((of_passages.markdown.len(), of_passages.passages.len()), (1, 9_999 / 65));
        let mut both = page(&"a".repeat(90_000), &["b"; 900]);
        both.text.clone_from(&both.markdown);
        let both = fit(&both);
        assert_eq!((both.markdown.len(), both.text.len()), (2_500, 2_500));
        assert_eq!(both.passages.len(), 5_000 / 65);
    }

    proptest! {
        #[test]
        fn no_pages_have_more_than_they_may(
            sizes in proptest::collection::vec((0..9_000_usize, 0..90_usize), 0..12),
            bytes_of_all in 0..30_000_usize,
        ) {
            let mut together = Together::new(bytes_of_all, sizes.len());
            let mut sum = 0;
            for (markdown, passages) in sizes {
                let given = page(&"é".repeat(markdown), &vec!["some words"; passages]);
                let read = together.take(given.clone());
                prop_assert_eq!(read.truncated, read != given);
                sum += bytes(&read);
            }
            prop_assert!(sum <= bytes_of_all);
        }
    }
}
