//! Which addresses may be read: one pure decision, taken again for every hop of a redirect.
//! What a public name resolves to is not known here; the host's network rules check that.

mod ip;
mod names;
#[cfg(test)]
mod properties;
#[cfg(test)]
mod spellings;
#[cfg(test)]
mod tests;
mod wildcard;

use url::{Host, Url};

/// Why an address is not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// It is not an absolute address.
    #[error("not an absolute address ({0}); give one such as https://example.com/page")]
    NotAbsolute(url::ParseError),
    /// Neither http nor https.
    #[error("the scheme `{0}` is not read; only http and https are")]
    Scheme(String),
    /// It has no host.
    #[error("the address names no host")]
    NoHost,
    /// A user name or a password stands before the host.
    #[error("the address carries a user name or a password; remove them")]
    Credentials,
    /// Neither 80 nor 443.
    #[error("port {0} is not read; only 80 and 443 are, unless the operator allows the host")]
    Port(u16),
    /// 127.0.0.0/8 or ::1.
    #[error("{0} is a loopback address")]
    Loopback(String),
    /// 0.0.0.0/8 or ::.
    #[error("{0} is an unspecified address")]
    Unspecified(String),
    /// 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, or carrier-grade 100.64.0.0/10.
    #[error("{0} is a private address")]
    Private(String),
    /// 169.254.0.0/16 or fe80::/10, but for metadata services.
    #[error("{0} is a link-local address")]
    LinkLocal(String),
    /// fc00::/7, or the older fec0::/10.
    #[error("{0} is a unique-local address")]
    UniqueLocal(String),
    /// 224.0.0.0/4 or ff00::/8.
    #[error("{0} is a multicast address")]
    Multicast(String),
    /// Documentation, benchmarking, tunnels, broadcast and what is not assigned to anyone.
    #[error("{0} is a reserved address")]
    Reserved(String),
    /// `localhost` and its kin.
    #[error("`{0}` names this machine")]
    Localhost(String),
    /// A cloud's metadata service.
    #[error("`{0}` is a cloud's metadata service")]
    Metadata(String),
    /// `*.internal`, `*.local`, `*.alt` and the like, and `self`.
    #[error("`{0}` is an internal name")]
    Internal(String),
    /// No host could have this name: an empty or overlong part, or a sign that names do not have.
    #[error("`{0}` is not a host name")]
    NotAName(String),
    /// A name without a dot cannot be public.
    #[error("`{0}` has no dot, so it is not a public name")]
    SingleLabel(String),
    /// A public service whose names resolve to whatever address they spell.
    #[error("`{0}` belongs to a service that turns names into private addresses")]
    Rebinding(String),
}

impl Refusal {
    /// Whether the address is malformed rather than forbidden.
    pub fn is_invalid(&self) -> bool {
        matches!(self, Self::NotAbsolute(_) | Self::Scheme(_) | Self::NoHost | Self::NotAName(_))
    }
}

/// An address that passed: what may be fetched, and nothing else makes one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target(Url);

impl Target {
    /// The address, without a fragment.
    pub fn url(&self) -> &Url {
        &self.0
    }
}

/// Authorities that the operator allows although a rule refuses them: a host, and the port when
/// one was given. Without a port 80 and 443 are meant.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Allow(Vec<(String, Option<u16>)>);

impl Allow {
    /// Reads a comma list of `host` (80 and 443) or `host:port` (that port alone).
    /// What cannot be read comes back beside it, so that a misspelling is not silent.
    pub fn parse(list: &str) -> (Self, Vec<String>) {
        let (mut allowed, mut unread) = (Vec::new(), Vec::new());
        for entry in list.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            match authority(entry) {
                Some(pair) => allowed.push(pair),
                None => unread.push(entry.to_owned()),
            }
        }
        (Self(allowed), unread)
    }

    fn permits(&self, url: &Url) -> bool {
        let (Some(host), Some(port)) = (url.host_str(), url.port_or_known_default()) else {
            return false;
        };
        let host = host.strip_suffix('.').unwrap_or(host);
        self.0
            .iter()
            .any(|(name, at)| name == host && at.map_or(matches!(port, 80 | 443), |at| at == port))
    }
}

/// `host` or `host:port`, spelt as the address parser spells it.
fn authority(entry: &str) -> Option<(String, Option<u16>)> {
    let strange =
        |char: char| char.is_whitespace() || char.is_control() || "/\\@?#*".contains(char);
    if entry.contains(strange) {
        return None;
    }
    // The parser drops the port that a scheme implies; with the other scheme it keeps it.
    let [plain, secure] =
        ["http", "https"].map(|scheme| Url::parse(&format!("{scheme}://{entry}/")));
    let (plain, secure) = (plain.ok()?, secure.ok()?);
    let host = plain.host_str()?;
    Some((host.strip_suffix('.').unwrap_or(host).to_owned(), plain.port().or(secure.port())))
}

/// Decides whether `address` may be read.
pub fn check(address: &str, allow: &Allow) -> Result<Target, Refusal> {
    let url = Url::parse(address.trim()).map_err(Refusal::NotAbsolute)?;
    check_url(url, allow)
}

/// The same for an address that is parsed already, such as a resolved `Location`.
pub fn check_url(mut url: Url, allow: &Allow) -> Result<Target, Refusal> {
    if !matches!(url.scheme(), "http" | "https") {
        return Err(Refusal::Scheme(url.scheme().to_owned()));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(Refusal::Credentials);
    }
    url.set_fragment(None);
    if allow.permits(&url) {
        return Ok(Target(url));
    }
    match url.host() {
        None => return Err(Refusal::NoHost),
        Some(Host::Ipv4(address)) => ip::check_v4(address)?,
        Some(Host::Ipv6(address)) => ip::check_v6(address)?,
        Some(Host::Domain(name)) => names::check(name)?,
    }
    match url.port() {
        None | Some(80 | 443) => Ok(Target(url)),
        Some(port) => Err(Refusal::Port(port)),
    }
}
