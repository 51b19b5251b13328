//! Public services whose names resolve to an address that the name spells, or always to this
//! machine. They need no control of a DNS server, so they are what a page tries first.

use super::ip;
use std::net::Ipv4Addr;

/// Names that lead to this machine, or wherever whoever made them likes.
const ALWAYS: &[&str] = &[
    "localtest.me",
    "lvh.me",
    "vcap.me",
    "fuf.me",
    "lacolhost.com",
    "localho.st",
    "localhost.direct",
    "smackaho.st",
    "42foo.com",
    "local.gd",
    "lndo.site",
    "ddev.site",
    "docksal.site",
    "127-0-0-1.org.uk",
    "traefik.me",
    "rbndr.us",
    "1u.ms",
];

/// Names that lead to the address in front of the service's own name.
const SPELLING: &[&str] =
    &["nip.io", "sslip.io", "xip.io", "nip.direct", "backname.io", "plex.direct"];

/// Whether a name leads, or may lead, to an address that is not public.
pub fn is_private(name: &str) -> bool {
    if lies_under(name, ALWAYS) {
        return true;
    }
    let Some(service) = SPELLING.iter().find(|service| lies_under(name, &[service])) else {
        return false;
    };
    let prefix = name.strip_suffix(service).unwrap_or_default();
    // Their own pages are no one's machine.
    let own = matches!(prefix, "" | "www.");
    !own && !spells_public(prefix.trim_end_matches('.'))
}

/// Whether a name is one of these or lies below it.
pub(super) fn lies_under(name: &str, suffixes: &[&str]) -> bool {
    suffixes.iter().any(|suffix| {
        name.strip_suffix(suffix).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    })
}

/// Whether one public IPv4 address stands at the end of the name, in decimal, and nothing before
/// it can be read as another. The services differ in what they find first; this way it is the same.
fn spells_public(prefix: &str) -> bool {
    let mut parts = prefix.rsplit(['.', '-']);
    let mut octets = [0u8; 4];
    for octet in octets.iter_mut().rev() {
        let Some(value) = parts.next().and_then(decimal) else { return false };
        *octet = value;
    }
    ip::check_v4(Ipv4Addr::from(octets)).is_ok() && !parts.any(may_be_address)
}

/// A number as a person writes it; a leading zero may mean octal to someone.
fn decimal(part: &str) -> Option<u8> {
    (part == "0" || !part.starts_with('0')).then(|| part.parse().ok()).flatten()
}

/// Decimal or hexadecimal digits and nothing else, or nothing at all: a number, an IPv4 address
/// in eight digits, a group of an IPv6 address, or what stands between its two colons.
fn may_be_address(part: &str) -> bool {
    part.bytes().all(|byte| byte.is_ascii_hexdigit())
}
