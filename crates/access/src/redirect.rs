//! The way from the address asked for to the page: at most five redirects, each hop checked again,
//! no address twice, unless a cookie was set there. A machine without I/O: the answer's status and `Location` go in.

use crate::address::{self, Allow, Refusal, Target};

/// Redirects that are followed.
pub const MAX_REDIRECTS: usize = 5;

/// Why the way ends without a page.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedirectError {
    /// More than [`MAX_REDIRECTS`].
    #[error("more than {MAX_REDIRECTS} redirects")]
    TooMany,
    /// An address came up again.
    #[error("the redirects lead in a circle")]
    Loop,
    /// A redirect status without a `Location` that can be read.
    #[error("a redirect without a usable Location")]
    NoLocation,
    /// The next hop is refused.
    #[error("redirected to an address that is not read: {0}")]
    Refused(Refusal),
}

/// The hops so far.
#[derive(Debug, Clone)]
pub struct Hops {
    seen: Vec<Target>,
}

impl Hops {
    /// Starts at an address that passed.
    pub fn new(first: Target) -> Self {
        Self { seen: vec![first] }
    }

    /// Takes an answer's status and `Location`: the next address to fetch, or `None` when the answer is the page.
    pub fn next(
        &mut self,
        status: u16,
        location: Option<&str>,
        allow: &Allow,
    ) -> Result<Option<Target>, RedirectError> {
        self.go_on(status, location, allow, 0)
    }

    /// The same where the answer set a cookie that was not known: with it the same address may answer otherwise, so it
    /// may come up once more.
    pub fn next_with_cookie(
        &mut self,
        status: u16,
        location: Option<&str>,
        allow: &Allow,
    ) -> Result<Option<Target>, RedirectError> {
        self.go_on(status, location, allow, 1)
    }

    fn go_on(
        &mut self,
        status: u16,
        location: Option<&str>,
        allow: &Allow,
        most_before: usize,
    ) -> Result<Option<Target>, RedirectError> {
        if !matches!(status, 301 | 302 | 303 | 307 | 308) {
            return Ok(None);
        }
        let location = location.ok_or(RedirectError::NoLocation)?;
        self.follow(location, allow, most_before).map(Some)
    }

    /// The next address, where the page itself leads on.
    pub fn lead(&mut self, location: &str, allow: &Allow) -> Result<Target, RedirectError> {
        self.follow(location, allow, 0)
    }

    fn follow(
        &mut self,
        location: &str,
        allow: &Allow,
        most_before: usize,
    ) -> Result<Target, RedirectError> {
        let base = self.seen.last().ok_or(RedirectError::NoLocation)?;
        let url = base.url().join(location.trim()).map_err(|_| RedirectError::NoLocation)?;
        let target = address::check_url(url, allow).map_err(RedirectError::Refused)?;
        if self.seen.iter().filter(|seen| **seen == target).count() > most_before {
            return Err(RedirectError::Loop);
        }
        if self.seen.len() > MAX_REDIRECTS {
            return Err(RedirectError::TooMany);
        }
        self.seen.push(target.clone());
        Ok(target)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Hops {
        Hops::new(address::check("https://example.com/a/b", &Allow::default()).unwrap())
    }

    #[test]
    fn a_relative_location_is_resolved() {
        let next = start().next(302, Some("../c?d#e"), &Allow::default()).unwrap().unwrap();
        assert_eq!(next.url().as_str(), "https://example.com/c?d");
    }

    #[test]
    fn other_answers_are_the_page() {
        for status in [200, 204, 300, 304, 404, 500] {
            assert_eq!(start().next(status, Some("/x"), &Allow::default()), Ok(None));
        }
    }

    #[test]
    fn a_hop_to_a_private_address_is_refused() {
        for location in
            ["http://127.0.0.1/", "//10.0.0.1/x", "http://[::ffff:10.0.0.1]/", "file:///etc/passwd"]
        {
            let error = start().next(301, Some(location), &Allow::default()).unwrap_err();
            assert!(matches!(error, RedirectError::Refused(_)), "{location}: {error:?}");
        }
    }

    #[test]
    fn loops_and_long_ways_end() {
        let mut hops = start();
        hops.next(302, Some("/x"), &Allow::default()).unwrap();
        assert_eq!(hops.next(302, Some("/a/b#again"), &Allow::default()), Err(RedirectError::Loop));
        let mut hops = start();
        let again = |hops: &mut Hops| hops.next_with_cookie(302, Some("/a/b"), &Allow::default());
        assert!(again(&mut hops).unwrap().is_some());
        assert_eq!(again(&mut hops), Err(RedirectError::Loop), "a cookie each time leads nowhere");
        let mut hops = start();
        for hop in 0..MAX_REDIRECTS {
            hops.next(302, Some(&format!("/{hop}")), &Allow::default()).unwrap();
        }
        assert_eq!(hops.next(302, Some("/last"), &Allow::default()), Err(RedirectError::TooMany));
        assert_eq!(start().next(302, None, &Allow::default()), Err(RedirectError::NoLocation));
    }
}
