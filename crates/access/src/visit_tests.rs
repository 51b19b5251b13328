//! Visits to sites that are a table, with a store that is a map.

use super::*;
use std::collections::BTreeMap;

/// What an address answers: status, `Location`, body.
type Answer = Result<(u16, Option<&'static str>, &'static str), Failure>;

#[derive(Default)]
struct World {
    sites: BTreeMap<&'static str, Answer>,
    kept: BTreeMap<String, Vec<u8>>,
    asked: Vec<String>,
    now: u64,
}

impl World {
    fn new(sites: impl IntoIterator<Item = (&'static str, Answer)>) -> Self {
        Self { sites: sites.into_iter().collect(), ..Self::default() }
    }

    fn ask(&mut self, target: &Target) -> Answer {
        let url = target.url().to_string();
        let answer = self.sites.get(url.as_str()).cloned();
        self.asked.push(url);
        answer.unwrap_or(Ok((404, None, "")))
    }

    /// Visits an address; the address of the page.
    fn visit(&mut self, address: &str, rules: &Rules) -> Result<String, Denial> {
        let mut step = start(address, rules.clone())?;
        // Longer than any visit is allowed to be.
        for _ in 0..100 {
            step = match step {
                Step::Look(look) => {
                    let kept = self.kept.get(&look.key()).cloned();
                    look.seen(kept.as_deref(), self.now)?
                }
                Step::Robots(file) => match self.ask(file.target()) {
                    Ok((status, location, body)) => {
                        file.answered(status, location, body.as_bytes(), self.now)
                    }
                    Err(failure) => file.failed(failure, self.now)?,
                },
                Step::Keep(keep) => {
                    self.kept.insert(keep.key(), keep.value());
                    keep.done()?
                }
                Step::Page(page) => {
                    let (status, location, _) = self.ask(page.target())?;
                    match page.answered(status, location, [])? {
                        Arrival::Page(page) => return Ok(page.target().url().to_string()),
                        Arrival::Moved(step) => step,
                    }
                }
            };
        }
        panic!("a visit without an end")
    }
}

fn polite() -> Rules {
    Rules { allow: Allow::default(), respect_robots: true }
}

const PAGE: Answer = Ok((200, None, ""));

#[test]
fn a_site_is_asked_once_for_its_rules() {
    let rules = "user-agent: *\ndisallow: /secret\ndisallow: /x?hidden";
    let mut world = World::new([
        ("https://a.example/robots.txt", Ok((200, None, rules))),
        ("https://a.example/x?y=1", PAGE),
    ]);
    assert_eq!(
        world.visit("https://a.example/x?y=1#z", &polite()).unwrap(),
        "https://a.example/x?y=1"
    );
    let denial = world.visit("https://a.example/secret/1", &polite()).unwrap_err();
    assert_eq!(denial, Denial::Robots("a.example".to_owned(), Forbidden::Disallowed));
    assert_eq!(world.visit("https://a.example/x?hidden=1", &polite()), Err(denial));
    assert_eq!(world.asked, ["https://a.example/robots.txt", "https://a.example/x?y=1"]);
    // The other port is another site, and a day later the rules are asked for again.
    world.visit("http://a.example/x", &polite()).unwrap();
    world.now += 24 * 60 * 60 + 1;
    world.visit("https://a.example/x", &polite()).unwrap();
    assert_eq!(world.asked.iter().filter(|url| url.ends_with("/robots.txt")).count(), 3);
}

#[test]
fn whoever_does_not_ask_for_rules_reads_the_page_at_once() {
    let mut world = World::new([("https://a.example/x", PAGE)]);
    world.visit("https://a.example/x", &Rules::default()).unwrap();
    world.visit("https://a.example/robots.txt", &polite()).unwrap();
    assert_eq!(world.asked, ["https://a.example/x", "https://a.example/robots.txt"]);
}

#[test]
fn however_many_sites_are_visited_what_is_kept_has_a_bound_and_each_sites_rules_are_its_own() {
    let rules = "user-agent: *\ndisallow: /";
    let mut world = World::new([("https://shut.example/robots.txt", Ok((200, None, rules)))]);
    world.visit("https://shut.example/", &polite()).unwrap_err();
    let shut = world.kept.values().next().unwrap().clone();
    for number in 0..20_000 {
        // Whatever lies at its place is of another site.
        let address = format!("https://s{number}.example/");
        let Step::Look(look) = start(&address, polite()).unwrap() else { panic!("no look") };
        world.kept.insert(look.key(), shut.clone());
        assert!(matches!(look.seen(Some(shut.as_slice()), 0), Ok(Step::Robots(_))), "{address}");
    }
    assert!((1_000..=16_384).contains(&world.kept.len()), "{} places", world.kept.len());
}

#[test]
fn a_page_that_leads_back_to_itself_is_read_with_the_cookie_that_it_set() {
    let first = |url: &str| match start(url, Rules::default()) {
        Ok(Step::Page(page)) => page,
        other => panic!("{other:?}"),
    };
    let moved = |page: AskPage, to: &str, cookies: &[&'static str]| {
        let cookies = cookies.iter().copied();
        match page.answered(302, Some(to), cookies) {
            Ok(Arrival::Moved(Step::Page(page))) => Ok(page),
            Ok(other) => panic!("{other:?}"),
            Err(denial) => Err(denial),
        }
    };
    let page = first("https://a.example/x");
    assert_eq!(page.cookie(), None);
    let page = moved(page, "/x", &["seen=1; Secure", "b=2"]).unwrap();
    assert_eq!(page.cookie().as_deref(), Some("seen=1; b=2"));
    // It goes nowhere else.
    let page = moved(page, "https://b.example/", &["c=3"]).unwrap();
    assert_eq!(page.cookie(), None);
    // Who sets nothing new leads in a circle.
    let page = moved(first("https://a.example/x"), "/x", &["seen=1"]).unwrap();
    let denial = moved(page, "/x", &["seen=1"]).unwrap_err();
    assert_eq!(denial, Denial::Redirect(RedirectError::Loop));
}

#[test]
fn a_page_that_leads_on_itself_is_a_hop_like_others() {
    let landed = || match start("https://a.example/x", Rules::default()) {
        Ok(Step::Page(page)) => match page.answered(200, None, []) {
            Ok(Arrival::Page(page)) => page,
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    };
    let Ok(Step::Page(page)) = landed().led("/y") else { panic!("it leads on") };
    assert_eq!(page.target().url().as_str(), "https://a.example/y");
    assert_eq!(landed().led("/x").unwrap_err(), Denial::Redirect(RedirectError::Loop));
    let denial = landed().led("http://127.0.0.1/").unwrap_err();
    assert_eq!(denial.kind(), DenialKind::Refused);
}

#[test]
fn each_hop_is_checked_and_its_site_asked() {
    let mut world = World::new([
        ("https://a.example/", Ok((301, Some("https://b.example/x"), ""))),
        ("https://b.example/robots.txt", Ok((200, None, "user-agent: quarry\ndisallow: /"))),
        ("https://c.example/", Ok((302, Some("http://127.0.0.1/secret"), ""))),
        ("https://d.example/", Ok((302, Some("/"), ""))),
    ]);
    let denial = world.visit("https://a.example/", &polite()).unwrap_err();
    assert_eq!(denial, Denial::Robots("b.example".to_owned(), Forbidden::Disallowed));
    assert!(!world.asked.contains(&"https://b.example/x".to_owned()));
    let denial = world.visit("https://c.example/", &polite()).unwrap_err();
    assert!(matches!(denial, Denial::Redirect(RedirectError::Refused(Refusal::Loopback(_)))));
    let denial = world.visit("https://d.example/", &polite()).unwrap_err();
    assert_eq!(denial, Denial::Redirect(RedirectError::Loop));
    assert!(matches!(
        world.visit("http://10.0.0.1/", &polite()),
        Err(Denial::Refused(Refusal::Private(_)))
    ));
    assert!(world.asked.iter().all(|url| !url.contains("127.0.0.1") && !url.contains("10.0.0.1")));
}

#[test]
fn rules_that_redirect_are_followed_and_never_inside() {
    let mut world = World::new([
        ("https://a.example/robots.txt", Ok((301, Some("https://www.a.example/robots.txt"), ""))),
        ("https://www.a.example/robots.txt", Ok((200, None, "user-agent: *\ndisallow: /"))),
        ("https://b.example/robots.txt", Ok((301, Some("http://169.254.169.254/"), ""))),
        ("https://b.example/", PAGE),
    ]);
    assert!(matches!(world.visit("https://a.example/", &polite()), Err(Denial::Robots(..))));
    // A way that leads nowhere leads to no rules.
    world.visit("https://b.example/", &polite()).unwrap();
    assert!(world.asked.iter().all(|url| !url.contains("169.254")));
}

#[test]
fn rules_that_cannot_be_had_count_as_a_no_for_some_minutes() {
    let mut world = World::new([
        ("https://a.example/robots.txt", Err(Failure::Timeout)),
        ("https://b.example/robots.txt", Ok((503, None, ""))),
        ("https://c.example/robots.txt", Err(Failure::Denied)),
        ("https://d.example/robots.txt", Err(Failure::Unreachable("no such host".to_owned()))),
    ]);
    for site in ["a", "b"] {
        let url = format!("https://{site}.example/");
        let denial = world.visit(&url, &polite()).unwrap_err();
        assert_eq!(denial, Denial::Robots(format!("{site}.example"), Forbidden::Unavailable));
        let asked = world.asked.len();
        world.visit(&url, &polite()).unwrap_err();
        assert_eq!(world.asked.len(), asked, "it is kept");
    }
    assert_eq!(world.visit("https://c.example/", &polite()), Err(Denial::Network));
    let denial = world.visit("https://d.example/", &polite()).unwrap_err();
    assert_eq!(denial, Denial::Unreachable("no such host".to_owned()));
    // Neither says anything of the rules, so neither is kept.
    assert_eq!(world.kept.len(), 2);
}
