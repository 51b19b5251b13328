//! Which sites of the web may be searched and read, where not all may.
//!
//! Border: calls and outcomes in, the same within these sites out; what lies outside is said to the model.

use crate::{Errand, FailureKind, Job, Outcome, ToolFailure};
use quarry_evidence::address;
use serde::{Deserialize, Serialize};

/// Names of sites; none: all of the web. A site has all that is below its name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Domains(Vec<String>);

impl Domains {
    /// Of these names, in whatever case.
    #[must_use]
    pub fn new(names: impl IntoIterator<Item = String>) -> Self {
        Domains(names.into_iter().map(|name| name.to_ascii_lowercase()).collect())
    }

    /// The names.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// Whether an address lies within them. One that cannot be read does nowhere.
    #[must_use]
    pub fn allow(&self, url: &str) -> bool {
        if self.0.is_empty() {
            return true;
        }
        let Some(url) = address::clean(url) else { return false };
        let host = url.host_str().unwrap_or_default().trim_end_matches('.');
        self.0.iter().any(|name| {
            host.strip_suffix(name.as_str())
                .is_some_and(|below| below.is_empty() || below.ends_with('.'))
        })
    }

    /// Why a call is not carried out, where it goes elsewhere.
    #[must_use]
    pub fn refuse(&self, job: &Job) -> Option<ToolFailure> {
        let url = job.reads()?;
        (!self.allow(url)).then(|| self.outside(url))
    }

    /// The errand, within these sites.
    #[must_use]
    pub fn narrow(&self, mut errand: Errand) -> Errand {
        if let Errand::Search { domains, .. } = &mut errand {
            domains.clone_from(&self.0);
        }
        errand
    }

    /// The outcome, without what lies outside: search engines and redirections lead anywhere.
    #[must_use]
    pub fn keep(&self, mut outcome: Outcome) -> Outcome {
        match &mut outcome {
            Outcome::Found(found) => {
                let before = found.results.len();
                found.results.retain(|hit| self.allow(&hit.url));
                let left_out = before - found.results.len();
                for hit in &mut found.results {
                    if let Some(Ok(page)) = &hit.page
                        && !self.allow(&page.url)
                    {
                        hit.page = Some(Err(self.outside(&page.url).message));
                    }
                }
                if left_out > 0 {
                    found.notes.push(format!(
                        "{left_out} results outside of {} were left out",
                        self.listed()
                    ));
                }
                outcome
            }
            Outcome::Page(page) if !self.allow(&page.url) => {
                Outcome::Failed(self.outside(&page.url))
            }
            Outcome::Page(_) | Outcome::Passages(_) | Outcome::Program(_) | Outcome::Failed(_) => {
                outcome
            }
        }
    }

    fn outside(&self, url: &str) -> ToolFailure {
        let url = quarry_types::text::cut(url, 200);
        let message =
            format!("{url} lies outside of what may be read here: {} alone", self.listed());
        ToolFailure::new(FailureKind::Refused, message)
    }

    fn listed(&self) -> String {
        quarry_types::text::cut(&self.0.join(", "), 300)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Found, Hit, Page, ScrapeWebContent, SearchWeb, Tool};

    fn domains() -> Domains {
        Domains::new(["Sker.example".to_owned(), "data.gov".to_owned()])
    }

    #[test]
    fn a_site_has_all_that_is_below_its_name_and_nothing_beside_it() {
        for url in [
            "https://sker.example/",
            "http://www.sker.example:8080/a?b=c",
            "https://SKER.example./x",
            "https://open.data.gov/x",
        ] {
            assert!(domains().allow(url), "{url}");
        }
        for url in [
            "https://notsker.example/",
            "https://sker.example.evil.test/",
            "https://evil.test/?sker.example",
            "https://sker.example@evil.test/",
            "https://gov/",
            "ftp://sker.example/",
            "sker.example",
            "",
        ] {
            assert!(!domains().allow(url), "{url}");
        }
        assert!(Domains::default().allow("anything"));
    }

    #[test]
    fn what_is_read_outside_is_refused_with_the_names_of_what_may_be() {
        let job =
            |url: &str| Job::ScrapeWebContent(ScrapeWebContent { url: url.into(), timeout: 5 });
        assert_eq!(domains().refuse(&job("https://www.sker.example/a")), None);
        let failure = domains().refuse(&job("https://evil.test/a")).unwrap();
        assert_eq!(failure.kind, FailureKind::Refused);
        assert!(
            failure.message.contains("evil.test")
                && failure.message.contains("sker.example, data.gov")
        );
        // An allowed page may lead elsewhere.
        let led = Page { url: "https://evil.test/b".into(), ..Page::default() };
        assert!(matches!(domains().keep(Outcome::Page(led.clone())), Outcome::Failed(_)));
        assert_eq!(Domains::default().keep(Outcome::Page(led.clone())), Outcome::Page(led));
    }

    #[test]
    fn searches_are_narrowed_and_their_results_looked_at() {
        let search = SearchWeb {
            query: "q".into(),
            limit: 3,
            timeout: 15,
            load_content: false,
            generate_summary: false,
        };
        let Errand::Search { domains: sent, .. } = domains().narrow(search.errand()) else {
            panic!()
        };
        assert_eq!(sent, ["sker.example", "data.gov"]);
        let hit = |url: &str| Hit { url: url.into(), ..Hit::default() };
        let results = vec![hit("https://sker.example/"), hit("https://evil.test/")];
        let kept = domains().keep(Outcome::Found(Found { results, ..Found::default() }));
        let Outcome::Found(found) = kept else { panic!() };
        assert_eq!((found.results.len(), found.notes.len()), (1, 1));
        // What was found within may lead elsewhere, and is read with the search.
        let led = |url: &str| {
            let page = Some(Ok(Page { url: url.into(), ..Page::default() }));
            Hit { page, ..hit("https://sker.example/out") }
        };
        let results = vec![led("https://evil.test/"), led("https://www.sker.example/in")];
        let kept = domains().keep(Outcome::Found(Found { results, ..Found::default() }));
        let Outcome::Found(found) = kept else { panic!() };
        let read: Vec<_> =
            found.results.iter().map(|hit| matches!(hit.page, Some(Ok(_)))).collect();
        assert_eq!(read, [false, true]);
    }
}
