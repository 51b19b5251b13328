//! Which component answers a path, by Spin's rules. Pure.

use std::cmp::Ordering;

/// Paths under this prefix belong to the host.
pub const WELL_KNOWN_PREFIX: &str = "/.well-known/spin/";

/// Why a route is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum RouteError {
    /// The pattern is malformed.
    #[error("route {0:?}: a wildcard \"...\" or \"*\" may only be the last segment")]
    Wildcard(String),
    /// Two components at one pattern; Spin lets the later win, which is never what was meant.
    #[error("route {0:?} is given to two components")]
    Duplicate(String),
    /// The pattern lies under the host's own prefix.
    #[error("route {0:?} lies under /.well-known/spin/, which the host answers itself")]
    Reserved(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Segment {
    Exact(String),
    Parameter(String),
    Rest,
}

#[derive(Debug)]
struct Entry {
    pattern: String,
    segments: Vec<Segment>,
    component: String,
}

/// All public routes of a manifest, most specific first.
#[derive(Debug, Default)]
pub struct Router(Vec<Entry>);

/// A path that found its component.
#[derive(Debug, PartialEq, Eq)]
pub struct RouteMatch<'a> {
    /// The component that answers.
    pub component: &'a str,
    /// The pattern as the manifest has it.
    pub pattern: &'a str,
    /// What `:name` segments matched.
    pub parameters: Vec<(&'a str, &'a str)>,
    /// What a trailing wildcard matched, with its leading slash.
    pub path_info: String,
}

impl<'a> RouteMatch<'a> {
    /// The match of a call from another component: everything belongs to `component`.
    pub fn chained(component: &'a str, path: &str) -> Self {
        Self { component, pattern: "/...", parameters: Vec::new(), path_info: path.to_owned() }
    }
}

impl Router {
    /// Builds a router from pairs of pattern and component.
    pub fn new<'a>(
        routes: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, RouteError> {
        let mut entries: Vec<Entry> = Vec::new();
        for (pattern, component) in routes {
            let segments = parse(pattern)?;
            if entries.iter().any(|entry| entry.segments == segments) {
                return Err(RouteError::Duplicate(pattern.to_owned()));
            }
            if format!("{pattern}/").starts_with(WELL_KNOWN_PREFIX) {
                return Err(RouteError::Reserved(pattern.to_owned()));
            }
            entries.push(Entry {
                pattern: pattern.to_owned(),
                segments,
                component: component.to_owned(),
            });
        }
        entries.sort_by(|a, b| precedence(&a.segments, &b.segments));
        Ok(Self(entries))
    }

    /// The component for a path, if any.
    pub fn route<'a>(&'a self, path: &'a str) -> Option<RouteMatch<'a>> {
        let given: Vec<&str> = split(path).collect();
        self.0.iter().find_map(|entry| {
            let (parameters, rest) = matches(&entry.segments, &given)?;
            let path_info = match rest {
                None => String::new(),
                Some([]) if path.ends_with('/') => "/".to_owned(),
                Some([]) => String::new(),
                Some(rest) => {
                    let slash = if path.ends_with('/') { "/" } else { "" };
                    format!("/{}{slash}", rest.join("/"))
                }
            };
            Some(RouteMatch {
                component: &entry.component,
                pattern: &entry.pattern,
                parameters,
                path_info,
            })
        })
    }

    /// Patterns and components, most specific first.
    pub fn routes(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|entry| (entry.pattern.as_str(), entry.component.as_str()))
    }
}

type Matched<'r, 'p, 'g> = (Vec<(&'r str, &'p str)>, Option<&'g [&'p str]>);

fn matches<'r, 'p, 'g>(
    pattern: &'r [Segment],
    given: &'g [&'p str],
) -> Option<Matched<'r, 'p, 'g>> {
    let mut parameters = Vec::new();
    let mut rest = given;
    for segment in pattern {
        if *segment == Segment::Rest {
            return Some((parameters, Some(rest)));
        }
        let (first, others) = rest.split_first()?;
        match segment {
            Segment::Exact(text) if text == first => {}
            Segment::Parameter(name) => parameters.push((name.as_str(), *first)),
            Segment::Exact(_) | Segment::Rest => return None,
        }
        rest = others;
    }
    rest.is_empty().then_some((parameters, None))
}

fn parse(pattern: &str) -> Result<Vec<Segment>, RouteError> {
    let mut segments: Vec<Segment> = Vec::new();
    for text in split(pattern) {
        if segments.last() == Some(&Segment::Rest) {
            return Err(RouteError::Wildcard(pattern.to_owned()));
        }
        segments.push(match text {
            "..." | "*" => Segment::Rest,
            _ if text.contains("...") || text.contains('*') => {
                return Err(RouteError::Wildcard(pattern.to_owned()));
            }
            _ => match text.strip_prefix(':') {
                Some(name) => Segment::Parameter(name.to_owned()),
                None => Segment::Exact(text.to_owned()),
            },
        });
    }
    Ok(segments)
}

fn split(path: &str) -> impl Iterator<Item = &str> {
    let path = path.strip_prefix('/').unwrap_or(path);
    let path = path.strip_suffix('/').unwrap_or(path);
    path.split('/').filter(move |_| !path.is_empty())
}

/// What is named wins over what is matched.
fn kind(segment: &Segment) -> u8 {
    match segment {
        Segment::Exact(_) => 0,
        Segment::Parameter(_) => 1,
        Segment::Rest => 2,
    }
}

/// Compares segment by segment from the left; where one pattern is the beginning of the other,
/// the shorter is the exact one (`/one` before `/one/...`).
fn precedence(a: &[Segment], b: &[Segment]) -> Ordering {
    for (a, b) in a.iter().zip(b) {
        let order = kind(a).cmp(&kind(b));
        if order.is_ne() {
            return order;
        }
    }
    a.len().cmp(&b.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn route(routes: &[(&str, &str)], path: &str) -> Option<String> {
        let router = Router::new(routes.iter().copied()).unwrap();
        router.route(path).map(|found| found.component.to_owned())
    }

    #[test]
    fn exact_routes_match_with_and_without_a_last_slash() {
        let routes = [("/foo", "foo"), ("/foo/bar", "foobar"), ("/", "root")];
        assert_eq!(route(&routes, "/foo").as_deref(), Some("foo"));
        assert_eq!(route(&routes, "/foo/").as_deref(), Some("foo"));
        assert_eq!(route(&routes, "/foo/bar").as_deref(), Some("foobar"));
        assert_eq!(route(&routes, "/").as_deref(), Some("root"));
        assert_eq!(route(&routes, "/foo/bar/baz"), None);
        assert_eq!(route(&routes, "/fo"), None);
    }

    #[test]
    fn the_longest_wildcard_wins_in_any_order() {
        let mut routes =
            vec![("/one/...", "1"), ("/one/two/...", "2"), ("/one/two/three/...", "3")];
        for _ in 0..2 {
            assert_eq!(route(&routes, "/one/two/three/four").as_deref(), Some("3"));
            assert_eq!(route(&routes, "/one/two/x").as_deref(), Some("2"));
            assert_eq!(route(&routes, "/one").as_deref(), Some("1"));
            assert_eq!(route(&routes, "/"), None);
            routes.reverse();
        }
    }

    #[test]
    fn exact_beats_parameter_beats_wildcard() {
        let routes = [("/...", "all"), ("/:id", "param"), ("/one", "exact"), ("/one/...", "under")];
        assert_eq!(route(&routes, "/one").as_deref(), Some("exact"));
        assert_eq!(route(&routes, "/two").as_deref(), Some("param"));
        assert_eq!(route(&routes, "/one/two").as_deref(), Some("under"));
        assert_eq!(route(&routes, "/two/three").as_deref(), Some("all"));
    }

    #[test]
    fn the_trailing_wildcard_is_captured_with_its_slashes() {
        let router = Router::new([("/test/...", "a")]).unwrap();
        for (path, info) in [
            ("/test", ""),
            ("/test/", "/"),
            ("/test/hello", "/hello"),
            ("/test/hello/", "/hello/"),
            ("/test/1/2", "/1/2"),
        ] {
            assert_eq!(router.route(path).unwrap().path_info, info, "{path}");
        }
    }

    #[test]
    fn parameters_are_captured() {
        let router = Router::new([("/ask/:id/events", "a"), ("/x/:y/...", "b")]).unwrap();
        let found = router.route("/ask/42/events").unwrap();
        assert_eq!((found.parameters, found.path_info.as_str()), (vec![("id", "42")], ""));
        let found = router.route("/x/1/2").unwrap();
        assert_eq!((found.parameters, found.path_info.as_str()), (vec![("y", "1")], "/2"));
    }

    #[test]
    fn bad_patterns_are_refused() {
        let build = |routes: &[(&str, &str)]| Router::new(routes.iter().copied()).unwrap_err();
        assert!(matches!(build(&[("/.../a", "a")]), RouteError::Wildcard(_)));
        assert!(matches!(build(&[("/a...", "a")]), RouteError::Wildcard(_)));
        assert!(matches!(build(&[("/a", "a"), ("/a/", "b")]), RouteError::Duplicate(_)));
        assert!(matches!(build(&[("/.well-known/spin/x", "a")]), RouteError::Reserved(_)));
    }
}
