//! Address literals: only what is globally routable passes. The list of what is refused is closed
//! for IPv6: outside 2000::/3 nothing passes that does not carry a public IPv4 address.

use super::Refusal;
use std::net::{Ipv4Addr, Ipv6Addr};

/// Where clouds answer with keys and passwords. Not all are link-local addresses.
const METADATA_V4: &[Ipv4Addr] = &[
    // Amazon, Google, Azure, DigitalOcean, Hetzner, OpenStack and most others.
    Ipv4Addr::new(169, 254, 169, 254),
    // Amazon's containers: ECS, and EKS since pod identities.
    Ipv4Addr::new(169, 254, 170, 2),
    Ipv4Addr::new(169, 254, 170, 23),
    // Tencent and Scaleway.
    Ipv4Addr::new(169, 254, 0, 23),
    Ipv4Addr::new(169, 254, 42, 42),
    // Azure's host service, Alibaba, and the older one of Oracle.
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(192, 0, 0, 192),
];

/// The same over IPv6: Amazon's two, Google's, Scaleway's, OpenStack's.
const METADATA_V6: &[Ipv6Addr] = &[
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x23),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42),
    Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0xa9fe, 0xa9fe),
];

/// Refuses an IPv4 address that is not public.
pub fn check_v4(address: Ipv4Addr) -> Result<(), Refusal> {
    classify_v4(address, &address.to_string())
}

fn classify_v4(address: Ipv4Addr, spelt: &str) -> Result<(), Refusal> {
    let [a, b, c, _] = address.octets();
    let name = || spelt.to_owned();
    if METADATA_V4.contains(&address) {
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

/// Refuses an IPv6 address that is not public, in itself or in an IPv4 address that it carries.
pub fn check_v6(address: Ipv6Addr) -> Result<(), Refusal> {
    let spelt = format!("[{address}]");
    if address.is_loopback() {
        return Err(Refusal::Loopback(spelt));
    }
    if address.is_unspecified() {
        return Err(Refusal::Unspecified(spelt));
    }
    if METADATA_V6.contains(&address) {
        return Err(Refusal::Metadata(spelt));
    }
    // An ISATAP identifier may sit behind a 6to4 prefix: then there are two addresses to look at.
    for inner in [isatap(address), six_to_four(address)].into_iter().flatten() {
        classify_v4(inner, &spelt)?;
    }
    match translated(address) {
        Some(inner) => classify_v4(inner, &spelt),
        None => check_prefix(address, spelt),
    }
}

fn join(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from((u32::from(high) << 16) | u32::from(low))
}

/// The IPv4 address that an IPv6 address stands for: mapped, compatible, translated, NAT64.
fn translated(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => Some(join(high, low)),
        _ => None,
    }
}

/// The IPv4 address of a router that 2002::/16 tunnels to.
fn six_to_four(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [0x2002, high, low, ..] => Some(join(high, low)),
        _ => None,
    }
}

/// The IPv4 address in an ISATAP identifier, behind any prefix; two bits of it say what it is unique in.
fn isatap(address: Ipv6Addr) -> Option<Ipv4Addr> {
    match address.segments() {
        [_, _, _, _, flags, 0x5efe, high, low] if flags & !0x300 == 0 => Some(join(high, low)),
        _ => None,
    }
}

fn check_prefix(address: Ipv6Addr, spelt: String) -> Result<(), Refusal> {
    let [a, b, ..] = address.segments();
    match (a, b) {
        (0xff00..=0xffff, _) => Err(Refusal::Multicast(spelt)),
        (0xfe80..=0xfebf, _) => Err(Refusal::LinkLocal(spelt)),
        (0xfc00..=0xfdff | 0xfec0..=0xfeff, _) => Err(Refusal::UniqueLocal(spelt)),
        // Teredo and other protocol assignments, ORCHID, documentation.
        (0x2001, 0..=0x1ff | 0xdb8) | (0x3fff, 0..=0xfff) => Err(Refusal::Reserved(spelt)),
        (0x2000..=0x3fff, _) => Ok(()),
        // Among them the NAT64 of one's own network, 64:ff9b:1::/48.
        _ => Err(Refusal::Reserved(spelt)),
    }
}
