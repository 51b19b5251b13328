//! Pages that are there to lead elsewhere: a redirect in all but name.

use crate::page::{Page, PageError};

/// Bytes of Markdown of such a page, at most.
const LITTLE: usize = 400;
/// Seconds after which a page still leads on at once.
const AT_ONCE: u32 = 5;

impl Page {
    /// Where it leads at once, if it says next to nothing itself.
    #[must_use]
    pub fn leads_to(&self) -> Option<&str> {
        self.metadata.refresh.as_deref().filter(|_| self.markdown.len() < LITTLE)
    }

    /// The page, if there is anything to read: one that is made by script still has its fields.
    ///
    /// # Errors
    /// When there is nothing.
    pub fn if_any(self) -> Result<Self, PageError> {
        let is_made = self.needs_script && self.metadata.title.is_some();
        if self.markdown.trim().is_empty() && !is_made { Err(PageError::NoText) } else { Ok(self) }
    }
}

/// Where a `<meta http-equiv=refresh>` leads: `0; url=/there`.
pub(crate) fn refreshed(content: &str) -> Option<&str> {
    let (seconds, rest) = content.split_once([';', ','])?;
    let seconds: u32 = seconds.split('.').next()?.trim().parse().ok()?;
    let rest = rest.trim_start();
    let is_named = rest.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("url"));
    let named = rest.get(3..).filter(|_| is_named);
    let after = named.and_then(|rest| rest.trim_start().strip_prefix('='));
    let to = after.unwrap_or(rest).trim().trim_matches(['"', '\'']).trim();
    (seconds <= AT_ONCE && !to.is_empty()).then_some(to)
}

#[cfg(test)]
mod tests {
    use crate::extent::Extent;
    use crate::page::{Headers, Page, PageError, Wanted, read};
    use url::Url;

    fn get(html: &str, extent: Extent) -> Result<Page, PageError> {
        let headers = Headers { content_type: "text/html", ..Headers::default() };
        let url = Url::parse("https://example.com/a/b").unwrap();
        read(&headers, html.as_bytes(), &url, Wanted { extent, ..Wanted::default() })
    }

    fn led(content: &str, text: &str) -> Option<String> {
        let html = format!("<meta http-equiv=Refresh content=\"{content}\"><p>{text}");
        get(&html, Extent::Fetched).unwrap().leads_to().map(str::to_owned)
    }

    #[test]
    fn a_page_that_says_nothing_but_where_to_go_leads_there() {
        let there = Some("https://example.com/c");
        for content in ["0; url=../c", "0;URL='/c'", "3.5, Url = https://example.com/c", "1;/c"] {
            assert_eq!(led(content, "Wait.").as_deref(), there, "{content}");
        }
        assert_eq!(led("0;url=/c", "").as_deref(), there);
    }

    #[test]
    fn a_page_that_says_something_or_waits_is_read_itself() {
        for content in ["5", "0;url=", "300;url=/c", "0;url=javascript:x()", "x;url=/c", "0;"] {
            assert_eq!(led(content, "Wait."), None, "{content}");
        }
        assert_eq!(led("0;url=/c", &"A text of its own. ".repeat(30)), None);
    }

    #[test]
    fn a_page_that_is_at_hand_leads_nowhere() {
        let html = "<meta http-equiv=refresh content='0;url=/c'>";
        assert_eq!(get(html, Extent::AtHand), Err(PageError::NoText));
    }
}
