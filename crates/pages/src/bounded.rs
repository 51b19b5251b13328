//! A page within so many characters.

use crate::page::Page;

/// The page with at most `most` characters of Markdown, as many of text, and as many of passages. Text
/// ends at the end of a line where one is near, passages are left out whole.
pub fn bounded(mut page: Page, most: usize) -> Page {
    let mut cut = shorten(&mut page.markdown, most) | shorten(&mut page.text, most);
    let mut left = most;
    let fits = page.passages.iter().take_while(|passage| {
        let length = passage.text.chars().count();
        let fits = length <= left;
        left = left.saturating_sub(length);
        fits
    });
    let kept = fits.count();
    cut |= kept < page.passages.len();
    page.passages.truncate(kept);
    page.pages.retain(|start| *start < page.markdown.len());
    page.truncated |= cut;
    page
}

/// Whether something was cut off.
fn shorten(text: &mut String, most: usize) -> bool {
    // No text has more characters than bytes.
    if text.len() <= most {
        return false;
    }
    let Some((end, _)) = text.char_indices().nth(most) else { return false };
    let head = text.get(..end).unwrap_or_default();
    // A line that is cut in its middle is better than a half of the text.
    let line = head.rfind('\n').filter(|at| *at >= end / 2);
    text.truncate(line.unwrap_or(end));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passages::Passage;

    fn page(markdown: &str, passages: &[&str]) -> Page {
        let passage = |text: &&str| Passage {
            anchor: String::new(),
            headings: Vec::new(),
            text: (*text).to_owned(),
            url: String::new(),
        };
        let passages = passages.iter().map(passage).collect();
        Page { markdown: markdown.to_owned(), passages, ..Page::default() }
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
}
