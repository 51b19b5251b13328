//! The cookies of one visit: some sites set one, lead back to the page, and answer nobody who comes without it.
//! Each goes to the origin that set it, and none outlives the visit.

use url::Url;

/// Cookies of one visit.
const MOST: usize = 20;
/// Bytes of a cookie.
const MOST_BYTES: usize = 2048;

/// What was set so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Cookies(Vec<Cookie>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Cookie {
    origin: String,
    name: String,
    value: String,
}

impl Cookies {
    /// Takes a `Set-Cookie` of an answer from `url`. True when it says something new.
    pub fn set(&mut self, url: &Url, set_cookie: &str) -> bool {
        let pair = set_cookie.split(';').next().unwrap_or_default();
        let Some((name, value)) = pair.split_once('=') else { return false };
        let (name, value) = (name.trim(), value.trim());
        let is_plain = pair.bytes().all(|byte| (0x20..0x7f).contains(&byte));
        if name.is_empty() || !is_plain || pair.len() > MOST_BYTES {
            return false;
        }
        let origin = url.origin().ascii_serialization();
        let is_known = |known: &&mut Cookie| known.origin == origin && known.name == name;
        if let Some(known) = self.0.iter_mut().find(is_known) {
            let is_new = known.value != value;
            value.clone_into(&mut known.value);
            return is_new;
        }
        let has_room = self.0.len() < MOST;
        if has_room {
            self.0.push(Cookie { origin, name: name.to_owned(), value: value.to_owned() });
        }
        has_room
    }

    /// The `Cookie` of a request there; none: nothing was set.
    pub fn of(&self, url: &Url) -> Option<String> {
        let origin = url.origin().ascii_serialization();
        let own = self.0.iter().filter(|cookie| cookie.origin == origin);
        let pairs: Vec<String> =
            own.map(|cookie| format!("{}={}", cookie.name, cookie.value)).collect();
        (!pairs.is_empty()).then(|| pairs.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_cookie_goes_back_to_where_it_came_from() {
        let mut cookies = Cookies::default();
        let page = url("https://a.example/x");
        assert!(cookies.set(&page, "seen=1; Path=/; HttpOnly"));
        assert!(cookies.set(&page, " session = a=b "));
        assert_eq!(cookies.of(&url("https://a.example/y?z")).unwrap(), "seen=1; session=a=b");
        for other in ["http://a.example/x", "https://a.example:444/x", "https://www.a.example/"] {
            assert_eq!(cookies.of(&url(other)), None, "{other}");
        }
        assert!(!cookies.set(&page, "seen=1"), "nothing new");
        assert!(cookies.set(&page, "seen=2"));
        assert_eq!(cookies.of(&page).unwrap(), "seen=2; session=a=b");
    }

    #[test]
    fn no_more_is_kept_than_a_visit_needs() {
        let mut cookies = Cookies::default();
        let page = url("https://a.example/x");
        let long = format!("a={}", "x".repeat(MOST_BYTES));
        for odd in ["", "; Path=/", "alone", "=x", "a=\r\nEvil: 1", "a=é", long.as_str()] {
            assert!(!cookies.set(&page, odd), "{odd:?}");
        }
        let set = (0..100).filter(|n| cookies.set(&page, &format!("n{n}=1"))).count();
        assert_eq!(set, MOST);
    }
}
