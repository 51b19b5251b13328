//! `allowed_outbound_hosts`: where a component may send requests, by Spin's rules. Pure.

use std::net::IpAddr;
use std::ops::Range;

use ipnet::IpNet;
use url::{Host, Url};

use crate::template::Template;
use crate::variables::{VariableError, Variables};

/// The domain under which components reach each other.
const CHAINING_DOMAIN: &str = "spin.internal";

/// Why an entry is refused.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum HostRuleError {
    /// Not `<scheme>://<host>[:<port>]`.
    #[error("{0:?} is no outbound host; write <scheme>://<host>[:<port>], each may be *")]
    Syntax(String),
    /// A scheme other than letters or `*`.
    #[error("{0:?} has a malformed scheme; write letters or *")]
    Scheme(String),
    /// A host that cannot be read, or has a path.
    #[error("{0:?} has a malformed host; write a name, *.domain, an address, a range, self or *")]
    Host(String),
    /// A port that cannot be read, or none where the scheme has no usual one.
    #[error("{0:?} has a malformed port; write a number, a range such as 80..90, or *")]
    Port(String),
    /// A variable in the entry has no value.
    #[error(transparent)]
    Variable(#[from] VariableError),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum HostRule {
    Any,
    Subdomains(String),
    ToSelf,
    Exactly(Host),
    Range(IpNet),
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Rule {
    scheme: Option<String>,
    host: HostRule,
    ports: Option<Range<u32>>,
}

/// All entries of one component.
#[derive(Debug, Clone, Default)]
pub struct AllowedHosts(Vec<Rule>);

impl AllowedHosts {
    /// Reads the entries; `components` are all ids, for which `*.spin.internal` stands.
    pub fn parse(
        entries: &[String],
        variables: &Variables,
        components: &[&str],
    ) -> Result<Self, HostRuleError> {
        let mut rules = Vec::new();
        for entry in entries {
            let template = Template::parse(entry)?;
            let text = variables.fill(&template)?;
            // A variable left empty means "no such endpoint"; an empty literal is a mistake.
            let unset = ["", "http://", "https://"].contains(&text.as_str());
            if unset && !template.is_literal() {
                continue;
            }
            // Errors show the entry, not its filled form: a variable may be a secret.
            let rule = Rule::parse(&text, entry)?;
            match &rule.host {
                HostRule::Subdomains(suffix) if suffix == ".spin.internal" => {
                    rules.extend(components.iter().map(|id| Rule {
                        host: HostRule::Exactly(Host::Domain(format!("{id}.{CHAINING_DOMAIN}"))),
                        ..rule.clone()
                    }));
                }
                _ => rules.push(rule),
            }
        }
        Ok(Self(rules))
    }

    /// Whether a request to this address is allowed; an address that cannot be read is not.
    pub fn allow(&self, address: &str) -> bool {
        let Ok(url) = Url::parse(address) else { return false };
        // A scheme that the URL standard does not know keeps its host opaque: parse it again.
        let Some(Ok(host)) = url.host_str().map(Host::parse) else { return false };
        self.0.iter().any(|rule| {
            rule.allows_scheme(url.scheme())
                && rule.allows_host(&host)
                && rule.allows_port(url.port(), url.scheme())
        })
    }

    /// Whether the component may call the application that it is part of (`self`).
    pub fn allow_self(&self) -> bool {
        self.0.iter().any(|rule| {
            matches!(rule.host, HostRule::Any | HostRule::ToSelf)
                && (rule.allows_scheme("http") || rule.allows_scheme("https"))
        })
    }
}

impl Rule {
    fn parse(text: &str, entry: &str) -> Result<Self, HostRuleError> {
        let (scheme, rest) =
            text.trim().split_once("://").ok_or_else(|| HostRuleError::Syntax(entry.to_owned()))?;
        let rule_scheme = match scheme {
            "*" => None,
            _ if scheme.chars().all(char::is_alphabetic) => Some(scheme.to_owned()),
            _ => return Err(HostRuleError::Scheme(entry.to_owned())),
        };
        // An IPv6 address has colons of its own: the whole may be a host without a port.
        let (host, port) = match rest.rsplit_once(':') {
            Some((host, port)) if HostRule::parse(rest).is_none() => (host, port),
            _ => (rest, ""),
        };
        let host = HostRule::parse(host).ok_or_else(|| HostRuleError::Host(entry.to_owned()))?;
        let port = port.strip_suffix('/').unwrap_or(port);
        let ports =
            parse_ports(port, scheme).ok_or_else(|| HostRuleError::Port(entry.to_owned()))?;
        Ok(Self { scheme: rule_scheme, host, ports })
    }

    fn allows_scheme(&self, scheme: &str) -> bool {
        self.scheme.as_deref().is_none_or(|own| own == scheme)
    }

    fn allows_host(&self, host: &Host) -> bool {
        match (&self.host, host) {
            (HostRule::Any, _) => true,
            (HostRule::Subdomains(suffix), Host::Domain(domain)) => domain.ends_with(suffix),
            (HostRule::Exactly(own), host) => own == host,
            (HostRule::Range(net), Host::Ipv4(ip)) => net.contains(&IpAddr::V4(*ip)),
            (HostRule::Range(net), Host::Ipv6(ip)) => net.contains(&IpAddr::V6(*ip)),
            (HostRule::Subdomains(_) | HostRule::Range(_) | HostRule::ToSelf, _) => false,
        }
    }

    fn allows_port(&self, port: Option<u16>, scheme: &str) -> bool {
        match (&self.ports, port.or_else(|| usual_port(scheme))) {
            (None, _) => true,
            (Some(range), Some(port)) => range.contains(&u32::from(port)),
            (Some(_), None) => false,
        }
    }
}

impl HostRule {
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        match text {
            "*" => return Some(Self::Any),
            "self" | "self.alt" => return Some(Self::ToSelf),
            _ => {}
        }
        if let Ok(net) = text.parse::<IpNet>() {
            return Some(Self::Range(net));
        }
        let text = text.strip_suffix('/').unwrap_or(text);
        if let Some(domain) = text.strip_prefix("*.") {
            return match Host::parse(domain).ok()? {
                Host::Domain(domain) if !domain.contains(['*', '/']) => {
                    Some(Self::Subdomains(format!(".{domain}")))
                }
                _ => None,
            };
        }
        if text.contains(['*', '/', '{']) {
            return None;
        }
        Host::parse(text).ok().map(Self::Exactly)
    }
}

/// `None` is a malformed port; `Some(None)` any port. Ranges exclude their end, as in Spin.
fn parse_ports(port: &str, scheme: &str) -> Option<Option<Range<u32>>> {
    let one = |port: u16| Some(Some(u32::from(port)..u32::from(port) + 1));
    match port {
        "*" => Some(None),
        "" => one(usual_port(scheme)?),
        _ => match port.split_once("..") {
            Some((from, to)) => {
                let (from, to): (u16, u16) = (from.parse().ok()?, to.parse().ok()?);
                Some(Some(u32::from(from)..u32::from(to)))
            }
            None => one(port.parse().ok()?),
        },
    }
}

fn usual_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" => Some(80),
        "https" => Some(443),
        "postgres" => Some(5432),
        "mysql" => Some(3306),
        "redis" => Some(6379),
        "mqtt" => Some(1883),
        _ => None,
    }
}

/// The component that a host name stands for: `web.spin.internal` is `web`.
pub fn chained_component(host: &str) -> Option<&str> {
    let host = host.trim();
    let host = host.rsplit_once(':').map_or(host, |(host, _)| host);
    host.split_once('.').filter(|(_, domain)| *domain == CHAINING_DOMAIN).map(|(id, _)| id)
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, HashMap};

    use super::*;
    use crate::manifest::VariableDeclaration;

    fn parse(entry: &str) -> Result<AllowedHosts, HostRuleError> {
        let declaration = |default: &str| VariableDeclaration {
            default: Some(default.to_owned()),
            ..Default::default()
        };
        let declared = BTreeMap::from([
            ("url".to_owned(), declaration("https://api.example.com:8443")),
            ("unset".to_owned(), declaration("")),
        ]);
        let variables = Variables::resolve(&declared, &HashMap::new()).unwrap();
        AllowedHosts::parse(&[entry.to_owned()], &variables, &["web", "sandbox"])
    }

    fn allows(entry: &str, address: &str) -> bool {
        parse(entry).unwrap().allow(address)
    }

    #[test]
    fn scheme_host_and_port_must_all_fit() {
        let entry = "https://example.com";
        assert!(allows(entry, "https://example.com/path?q"));
        assert!(allows(entry, "https://EXAMPLE.com:443/"));
        assert!(allows(entry, "https://user:pass@example.com/"));
        for other in [
            "http://example.com/",
            "https://example.com:8443/",
            "https://a.example.com/",
            "https://example.com.evil.org/",
            "https://example.com@evil.org/",
            "not an address",
        ] {
            assert!(!allows(entry, other), "{other}");
        }
    }

    #[test]
    fn stars_stand_for_any_scheme_host_subdomain_or_port() {
        assert!(allows("*://*:*", "ftp://anything.example:2121/"));
        assert!(allows("https://*:*", "https://10.0.0.1:8443/"));
        assert!(allows("https://*:*", "https://web.spin.internal/"));
        assert!(!allows("https://*", "https://example.com:8443/"));
        assert!(allows("*://127.0.0.1:*", "http://127.0.0.1:1234/"));
        assert!(allows("https://*.example.com", "https://a.b.example.com/"));
        assert!(!allows("https://*.example.com", "https://example.com/"));
        assert!(!allows("https://*.example.com", "https://badexample.com/"));
    }

    #[test]
    fn ranges_of_ports_and_addresses() {
        assert!(allows("http://localhost:3000..3010", "http://localhost:3009/"));
        assert!(!allows("http://localhost:3000..3010", "http://localhost:3010/"));
        assert!(allows("http://10.0.0.0/8:*", "http://10.1.2.3:99/"));
        assert!(!allows("http://10.0.0.0/8:*", "http://11.1.2.3:99/"));
        assert!(allows("http://[::1]", "http://[::1]/"));
        assert!(allows("http://[::1]:8080", "http://[::1]:8080/"));
    }

    #[test]
    fn components_are_reached_by_name_or_all_by_star() {
        assert!(allows("http://web.spin.internal", "http://web.spin.internal/search"));
        assert!(!allows("http://web.spin.internal", "http://sandbox.spin.internal/"));
        assert!(allows("http://*.spin.internal", "http://sandbox.spin.internal/"));
        assert!(!allows("http://*.spin.internal", "http://nobody.spin.internal/"));
        assert_eq!(chained_component("web.spin.internal"), Some("web"));
        assert_eq!(chained_component("web.spin.internal:80"), Some("web"));
        assert_eq!(chained_component("a.web.spin.internal"), None);
        assert_eq!(chained_component("web.spin.internal.evil.org"), None);
    }

    #[test]
    fn self_is_a_grant_of_its_own() {
        assert!(parse("http://self").unwrap().allow_self());
        assert!(parse("https://*:*").unwrap().allow_self());
        assert!(!parse("https://example.com").unwrap().allow_self());
        assert!(!allows("http://self", "http://self/"));
    }

    #[test]
    fn entries_may_be_templates_and_an_unset_one_grants_nothing() {
        assert!(allows("{{ url }}", "https://api.example.com:8443/v1"));
        assert!(!allows("{{ unset }}", "https://api.example.com:8443/v1"));
        assert!(!allows("https://{{ unset }}", "https://api.example.com/"));
        assert!(matches!(parse("{{ nope }}"), Err(HostRuleError::Variable(_))));
    }

    #[test]
    fn malformed_entries_are_refused() {
        for bad in ["", "*", "example.com", "https://", "https://a.*.com", "https://a/path"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
        assert_eq!(parse("ht1p://a:80").unwrap_err(), HostRuleError::Scheme("ht1p://a:80".into()));
        assert_eq!(parse("http://a:x").unwrap_err(), HostRuleError::Port("http://a:x".into()));
        assert_eq!(parse("*://a").unwrap_err(), HostRuleError::Port("*://a".into()));
    }
}
