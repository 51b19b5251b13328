//! `block_networks`: addresses that no request may reach, checked after name resolution. Pure.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use serde::Deserialize;

/// One entry of `block_networks`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub enum BlockedNetwork {
    /// Every address that is not reachable on the public internet.
    Private,
    /// One range.
    Range(IpNet),
}

impl TryFrom<String> for BlockedNetwork {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        if text == "private" {
            return Ok(Self::Private);
        }
        match (text.parse::<IpNet>(), text.parse::<IpAddr>()) {
            (Ok(net), _) => Ok(Self::Range(net)),
            (_, Ok(ip)) => Ok(Self::Range(IpNet::from(ip))),
            _ => Err(format!("{text:?} is neither \"private\" nor a range such as 10.0.0.0/8")),
        }
    }
}

/// Whether an address is blocked.
pub fn is_blocked(networks: &[BlockedNetwork], address: IpAddr) -> bool {
    let hit = networks.iter().any(|network| match network {
        BlockedNetwork::Private => !is_public(address),
        BlockedNetwork::Range(net) => net.contains(&address),
    });
    // An IPv4 address may come dressed as an IPv6 one.
    hit || matches!(address, IpAddr::V6(v6)
        if v6.to_ipv4().is_some_and(|v4| is_blocked(networks, IpAddr::V4(v4))))
}

fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(ip) => is_public_v4(ip),
        IpAddr::V6(ip) => is_public_v6(ip),
    }
}

fn is_public_v4(ip: Ipv4Addr) -> bool {
    let [a, b, c, _] = ip.octets();
    // Two services of the IETF range are reachable.
    if matches!(ip.octets(), [192, 0, 0, 9 | 10]) {
        return true;
    }
    let shared = a == 100 && (64..128).contains(&b);
    let ietf = (a, b, c) == (192, 0, 0);
    let benchmarking = a == 198 && (b == 18 || b == 19);
    !(a == 0
        || ip.is_private()
        || shared
        || ip.is_loopback()
        || ip.is_link_local()
        || ietf
        || ip.is_documentation()
        || benchmarking
        || a >= 240)
}

/// As Spin has it, which is not all: forms that carry an IPv4 address pass here, and
/// runtime-config.toml names their ranges one by one.
fn is_public_v6(ip: Ipv6Addr) -> bool {
    let [a, b, ..] = ip.segments();
    let documentation = (a, b) == (0x2001, 0x0db8);
    let site_local = a & 0xffc0 == 0xfec0;
    // Of multicast the scopes that end before the internet.
    let near_multicast = ip.is_multicast() && a & 0xf != 0xe;
    !(ip.is_loopback()
        || ip.is_unspecified()
        || ip.is_unicast_link_local()
        || ip.is_unique_local()
        || site_local
        || documentation
        || near_multicast)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocked(networks: &[&str], address: &str) -> bool {
        let networks: Vec<BlockedNetwork> =
            networks.iter().map(|text| text.to_string().try_into().unwrap()).collect();
        is_blocked(&networks, address.parse().unwrap())
    }

    #[test]
    fn private_blocks_whatever_is_not_public() {
        for address in [
            "0.0.0.0",
            "10.10.10.10",
            "100.64.1.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.1",
            "192.168.1.1",
            "198.18.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:10.10.10.10",
            "fc00::f00d",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2001:db8::1",
        ] {
            assert!(blocked(&["private"], address), "{address}");
        }
        for address in ["1.1.1.1", "123.123.123.123", "100.128.0.1", "2600::beef", "2606:4700::1"] {
            assert!(!blocked(&["private"], address), "{address}");
        }
    }

    #[test]
    fn private_is_no_more_than_it_is_under_spin() {
        for address in ["64:ff9b::7f00:1", "2002:7f00:1::1", "64:ff9b:1::1", "224.0.0.1", "ff0e::1"]
        {
            assert!(!blocked(&["private"], address), "{address}");
        }
        // These are unwrapped, whatever else the list says.
        assert!(blocked(&["private"], "::127.0.0.1"));
        assert!(blocked(&["127.0.0.0/8"], "::ffff:127.0.0.1"));
    }

    #[test]
    fn ranges_block_their_addresses_in_either_dress() {
        assert!(blocked(&["123.123.0.0/16"], "123.123.1.1"));
        assert!(blocked(&["123.123.0.0/16"], "::ffff:123.123.1.1"));
        assert!(!blocked(&["123.123.0.0/16"], "123.124.1.1"));
        assert!(blocked(&["1.1.1.1"], "1.1.1.1"));
        assert!(!blocked(&[], "127.0.0.1"));
    }

    #[test]
    fn anything_else_is_refused() {
        assert!(BlockedNetwork::try_from("public".to_owned()).is_err());
    }
}
