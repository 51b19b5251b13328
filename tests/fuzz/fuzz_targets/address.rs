//! Any text as an address and as the `Location` of a redirect: what is accepted stays accepted,
//! and is no private address by a judgement that shares no code with the one under test.
#![no_main]

use libfuzzer_sys::fuzz_target;
use quarry_access::address::{self, Allow, Target};
use quarry_access::redirect::Hops;
use std::net::{Ipv4Addr, Ipv6Addr};
use url::Host;

fuzz_target!(|text: &str| {
    let none = Allow::default();
    if let Ok(target) = address::check(text, &none) {
        hold(&target);
    }
    let Ok(first) = address::check("https://example.com/a/b", &none) else { return };
    if let Ok(Some(next)) = Hops::new(first).next(302, Some(text), &none) {
        hold(&next);
    }
    // An allow list of one lets pass what it names and nothing that it does not.
    let (allow, unread) = Allow::parse(text);
    assert!(unread.len() <= text.split(',').count());
    for other in ["http://127.0.0.1/", "http://[::1]/", "http://metadata.google.internal/"] {
        let host = other.trim_start_matches("http://").trim_end_matches('/');
        if address::check(other, &allow).is_ok() {
            let named =
                |entry: &str| address::check(&format!("http://{}/", entry.trim()), &none).is_err();
            assert!(text.split(',').any(named), "{host} is allowed by {text:?}");
        }
    }
});

/// What holds for every address that was accepted.
fn hold(target: &Target) {
    let url = target.url();
    let again = address::check(url.as_str(), &Allow::default());
    assert_eq!(again.as_ref(), Ok(target), "{url} is not accepted twice");
    assert!(matches!(url.scheme(), "http" | "https") && url.fragment().is_none());
    assert!(url.username().is_empty() && url.password().is_none());
    assert!(matches!(url.port_or_known_default(), Some(80 | 443)));
    match url.host() {
        Some(Host::Ipv4(ip)) => assert!(is_public_v4(ip), "{ip}"),
        Some(Host::Ipv6(ip)) => assert!(is_public_v6(ip), "{ip}"),
        Some(Host::Domain(name)) => assert!(is_public_name(name), "{name}"),
        None => panic!("{url} has no host"),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, ..] = ip.octets();
    !(ip.is_loopback()
        || ip.is_private()
        || ip.is_link_local()
        || ip.is_multicast()
        || ip.is_broadcast()
        || ip.is_documentation()
        || ip.is_unspecified()
        || a == 0
        || a >= 240
        || (a == 100 && (64..128).contains(&b)))
}

fn is_public_v6(ip: Ipv6Addr) -> bool {
    let octets = ip.octets();
    let [a, b, c, d, e, f, ..] = octets;
    let tail: [u8; 4] = [octets[12], octets[13], octets[14], octets[15]];
    let inner = match octets {
        [0x20, 0x02, ..] => Some([c, d, e, f]),
        _ if a == 0 => Some(tail),
        _ => None,
    };
    let inside = inner.is_none_or(|octets| is_public_v4(Ipv4Addr::from(octets)));
    inside
        && !ip.is_loopback()
        && !ip.is_unspecified()
        && !ip.is_multicast()
        && !ip.is_unique_local()
        && !ip.is_unicast_link_local()
        && (a == 0 || (a & 0xe0) == 0x20)
        && !(a == 0x20 && b == 0x01 && c == 0x0d && d == 0xb8)
}

/// A name that no resolver of this machine or of its network answers on its own.
fn is_public_name(name: &str) -> bool {
    let bare = name.strip_suffix('.').unwrap_or(name);
    let last = bare.rsplit('.').next().unwrap_or_default();
    bare.contains('.')
        && bare.parse::<Ipv4Addr>().is_err()
        && !["localhost", "local", "internal", "lan", "home", "corp"].contains(&last)
        && !last.bytes().all(|byte| byte.is_ascii_digit())
}
