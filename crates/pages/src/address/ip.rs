//! Address literals: only what is globally routable passes. The list of what is refused is closed
//! for IPv6: outside 2000::/3 nothing passes that does not carry a public IPv4 address.

use super::Refusal;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Refuses an IPv4 address that is not public.
pub fn check_v4(address: Ipv4Addr) -> Result<(), Refusal> {
    classify_v4(address, &address.to_string())
}

fn classify_v4(address: Ipv4Addr, spelt: &str) -> Result<(), Refusal> {
    let [a, b, c, _] = address.octets();
    let name = || spelt.to_owned();
    // Azure's host service answers at a public address.
    if address == Ipv4Addr::new(168, 63, 129, 16) {
        return Err(Refusal::Metadata(name()));
    }
    match (a, b, c) {
        (0, _, _) => Err(Refusal::Unspecified(name())),
        (127, _, _) => Err(Refusal::Loopback(name())),
        (10, _, _) | (172, 16..=31, _) | (192, 168, _) | (100, 64..=127, _) => {
            Err(Refusal::Private(name()))
        }
        (169, 254, _) => Err(Refusal::LinkLocal(name())),
        (224..=239, _, _) => Err(Refusal::Multicast(name())),
        // Protocol assignments, documentation, benchmarking, the 6to4 relay, class E and broadcast.
        (192, 0, 0 | 2)
        | (198, 51, 100)
        | (203, 0, 113)
        | (198, 18 | 19, _)
        | (192, 88, 99)
        | (240..=255, _, _) => Err(Refusal::Reserved(name())),
        _ => Ok(()),
    }
}

/// Refuses an IPv6 address that is not public, in itself or in the IPv4 address it carries.
pub fn check_v6(address: Ipv6Addr) -> Result<(), Refusal> {
    let spelt = || format!("[{address}]");
    if address.is_loopback() {
        return Err(Refusal::Loopback(spelt()));
    }
    if address.is_unspecified() {
        return Err(Refusal::Unspecified(spelt()));
    }
    if let Some(inner) = embedded_v4(address) {
        classify_v4(inner, &spelt())?;
        // An ISATAP identifier sits in a prefix that must be public as well.
        return check_prefix(address, true);
    }
    check_prefix(address, false)
}

/// The IPv4 address that an IPv6 address carries: mapped, compatible, translated, NAT64, 6to4, ISATAP.
fn embedded_v4(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let [a, b, c, d, e, f, g, h] = address.segments();
    let join = |high: u16, low: u16| Ipv4Addr::from((u32::from(high) << 16) | u32::from(low));
    match [a, b, c, d, e, f] {
        [0, 0, 0, 0, 0, 0xffff | 0] | [0, 0, 0, 0, 0xffff, 0] | [0x64, 0xff9b, 0, 0, 0, 0] => {
            Some(join(g, h))
        }
        [0x2002, high, low, ..] => Some(join(high, low)),
        [_, _, _, _, 0 | 0x200, 0x5efe] => Some(join(g, h)),
        _ => None,
    }
}

fn check_prefix(address: Ipv6Addr, carries_public_v4: bool) -> Result<(), Refusal> {
    let [a, b, ..] = address.segments();
    let spelt = || format!("[{address}]");
    match (a, b) {
        (0xff00..=0xffff, _) => Err(Refusal::Multicast(spelt())),
        (0xfe80..=0xfebf, _) => Err(Refusal::LinkLocal(spelt())),
        (0xfc00..=0xfdff | 0xfec0..=0xfeff, _) => Err(Refusal::UniqueLocal(spelt())),
        // Teredo and other protocol assignments, ORCHID, documentation.
        (0x2001, 0..=0x1ff | 0xdb8) | (0x3fff, 0..=0xfff) => Err(Refusal::Reserved(spelt())),
        (0x2000..=0x3fff, _) => Ok(()),
        // Mapped, compatible, translated and NAT64 forms: the IPv4 address was the question.
        (0, _) | (0x64, 0xff9b) if carries_public_v4 => Ok(()),
        _ => Err(Refusal::Reserved(spelt())),
    }
}
