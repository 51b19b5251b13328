//! No private address passes, however it is spelt: address × form × embedding × case × signs × dot.
//! The same spellings of public addresses pass, which shows that the spellings are ones.

use super::*;
use crate::redirect::{Hops, RedirectError};
use proptest::prelude::*;
use std::net::{Ipv4Addr, Ipv6Addr};

fn refused(address: &str) -> Option<Refusal> {
    check(address, &Allow::default()).err()
}

/// An IPv4 address in a range that is not public.
fn private_v4() -> impl Strategy<Value = Ipv4Addr> {
    let ranges: Vec<(u32, u32)> = vec![
        (0x7f00_0000, 8),
        (0x0a00_0000, 8),
        (0xac10_0000, 12),
        (0xc0a8_0000, 16),
        (0xa9fe_0000, 16),
        (0xa9fe_a9fe, 32),
        (0x6464_64c8, 32),
        (0xa83f_8110, 32),
        (0x0000_0000, 8),
        (0xe000_0000, 4),
        (0xf000_0000, 4),
        (0xffff_ffff, 32),
        (0x6440_0000, 10),
        (0xc000_0000, 24),
        (0xc000_0200, 24),
        (0xc612_0000, 15),
        (0xc633_6400, 24),
        (0xcb00_7100, 24),
    ];
    (proptest::sample::select(ranges), any::<u32>()).prop_map(|((prefix, bits), rest)| {
        Ipv4Addr::from(prefix | (rest & u32::MAX.checked_shr(bits).unwrap_or(0)))
    })
}

/// An IPv4 address in a range that is.
fn public_v4() -> impl Strategy<Value = Ipv4Addr> {
    (proptest::sample::select(vec![1u8, 8, 9, 52, 93, 104, 142, 151, 185, 217]), any::<[u8; 3]>())
        .prop_map(|(a, [b, c, d])| Ipv4Addr::new(a, b, c, d))
}

/// How a host is written.
#[derive(Debug, Clone)]
struct Hand {
    /// One to four numbers, or one of the embeddings.
    form: usize,
    /// A base for each number.
    bases: [u8; 4],
    /// How each sign is written, in turn.
    signs: Vec<u8>,
    upper: bool,
    dot: bool,
    start: &'static str,
    rest: &'static str,
    noise: [u16; 5],
}

fn hand() -> impl Strategy<Value = Hand> {
    let starts =
        vec!["http://", "https://", "HTTP://", "http:/", "http:\\\\", " https:///", "h\tttp://@"];
    let rests = vec!["/", "", ":80/", ":443/x", "?q", "#f", "/a@b", "\\@example.com/"];
    (
        0..FORMS,
        any::<[u8; 4]>(),
        proptest::collection::vec(any::<u8>(), 1..12),
        any::<(bool, bool)>(),
        proptest::sample::select(starts),
        proptest::sample::select(rests),
        any::<[u16; 5]>(),
    )
        .prop_map(|(form, bases, signs, (upper, dot), start, rest, noise)| Hand {
            form,
            bases,
            signs,
            upper,
            dot,
            start,
            rest,
            noise,
        })
}

/// Four ways to write an IPv4 address in numbers, and eight to put it into an IPv6 address.
const FORMS: usize = 12;

fn spell(address: Ipv4Addr, hand: &Hand) -> String {
    let host = match hand.form {
        0..4 => disguise(&numbers(address, hand), hand),
        form => format!("[{}]", case(&embed(address, form - 4, hand.noise), hand.upper)),
    };
    format!("{}{host}{}", hand.start, hand.rest)
}

/// One to four numbers, each in its base; the last one carries what is left.
fn numbers(address: Ipv4Addr, hand: &Hand) -> String {
    let octets = address.octets();
    let mut parts: Vec<u32> = octets[..hand.form].iter().map(|octet| u32::from(*octet)).collect();
    parts.push(u32::from(address) & u32::MAX.checked_shr(8 * hand.form as u32).unwrap_or(0));
    let part = |(value, base): (&u32, &u8)| match base % 5 {
        0 => format!("{value}"),
        1 => format!("0x{value:x}"),
        2 => format!("0{value:o}"),
        3 => format!("0x{value:08x}"),
        _ => format!("000{value:o}"),
    };
    let parts: Vec<String> = parts.iter().zip(&hand.bases).map(part).collect();
    parts.join(".") + if hand.dot { "." } else { "" }
}

fn case(text: &str, upper: bool) -> String {
    if upper { text.to_uppercase() } else { text.to_owned() }
}

/// The same host in percent-encoding, full-width and other signs that the address parser folds.
fn disguise(host: &str, hand: &Hand) -> String {
    let host = case(host, hand.upper);
    let shifted = |char: char, from: char, to: u32| {
        char::from_u32(to + u32::from(char) - u32::from(from)).unwrap_or(char).to_string()
    };
    host.chars()
        .zip(hand.signs.iter().cycle())
        .map(|(char, how)| match (how % 8, char) {
            (1, _) => format!("%{:02x}", u32::from(char)),
            (2, '!'..='~') => shifted(char, '!', 0xff01),
            (3, '0'..='9') => shifted(char, '0', 0x1d7ce),
            (3, 'a'..='z') => shifted(char, 'a', 0x24d0),
            (4, '1'..='9') => shifted(char, '1', 0x2460),
            (3, '.') => '。'.to_string(),
            (4, '.') => '｡'.to_string(),
            (5, _) => format!("{char}\u{ad}"),
            (6, _) => format!("{char}\t"),
            _ => char.to_string(),
        })
        .collect()
}

/// The IPv6 addresses that carry an IPv4 address.
fn embed(address: Ipv4Addr, how: usize, noise: [u16; 5]) -> String {
    let bits = u32::from(address);
    let (high, low) = (bits >> 16, bits & 0xffff);
    let [a, b, c, d, e] = noise;
    // A prefix that is public in itself.
    let prefix = format!("2606:{a:x}:{b:x}:{c:x}");
    match how {
        0 => format!("::ffff:{address}"),
        1 => format!("0:0:0:0:0:ffff:{high:04x}:{low:04x}"),
        // The whole of ::/112 is spelt without the dots' help.
        2 => format!("::{address}"),
        3 => format!("::ffff:0:{high:x}:{low:x}"),
        4 => format!("64:ff9b::{address}"),
        5 => format!("2002:{high:x}:{low:x}:{a:x}:{b:x}:{c:x}:{d:x}:{e:x}"),
        6 => format!("{prefix}:{:x}:5efe:{address}", d & 0x300),
        _ => format!("0064:ff9b:0::{high:x}:{low:x}"),
    }
}

/// An IPv6 address that is not public whatever stands at its end.
fn private_v6() -> impl Strategy<Value = Ipv6Addr> {
    let prefixes: Vec<(u128, u32)> = vec![
        (0xfc00 << 112, 7),
        (0xfe80 << 112, 10),
        (0xfec0 << 112, 10),
        (0xff00 << 112, 8),
        (0x2001_0db8 << 96, 32),
        (0x2001 << 112, 23),
        (0x0064_ff9b_0001 << 80, 48),
        (0x0100 << 112, 64),
        (0x4000 << 112, 2),
        (0x3fff << 112, 20),
    ];
    (proptest::sample::select(prefixes), any::<u128>())
        .prop_map(|((prefix, bits), rest)| Ipv6Addr::from(prefix | (rest & (u128::MAX >> bits))))
}

/// Names of this machine and its networks.
fn internal_name() -> impl Strategy<Value = String> {
    let names = vec![
        "localhost",
        "metadata.google.internal",
        "web.spin.internal",
        "self.alt",
        "x.internal",
        "printer.local",
        "nas.lan",
        "router.home.arpa",
        "lvh.me",
        "127.0.0.1.nip.io",
        "10-0-0-1.sslip.io",
    ];
    ("([a-z0-9]{1,6}\\.){0,3}", proptest::sample::select(names))
        .prop_map(|(under, name)| format!("{under}{name}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn no_private_ipv4_passes_in_any_spelling(address in private_v4(), hand in hand()) {
        let spelt = spell(address, &hand);
        let refusal = refused(&spelt);
        prop_assert!(refusal.as_ref().is_some_and(|why| !why.is_invalid()), "{} as {:?}: {:?}", address, spelt, refusal);
    }

    #[test]
    fn every_public_ipv4_passes_in_every_spelling(address in public_v4(), hand in hand()) {
        let spelt = spell(address, &hand);
        prop_assert_eq!(refused(&spelt), None, "{} as {:?}", address, spelt);
    }

    #[test]
    fn no_redirect_leads_to_a_private_address(address in private_v4(), hand in hand(), status in 300u16..309) {
        let start = check("https://example.com/a/b", &Allow::default()).unwrap();
        // A single slash behind the scheme of the page itself is a path; all else names a host.
        prop_assume!(!hand.start.ends_with(":/"));
        let spelt = spell(address, &hand);
        let hop = Hops::new(start).next(status, Some(&spelt), &Allow::default());
        match status {
            301 | 302 | 303 | 307 | 308 => prop_assert!(matches!(hop, Err(RedirectError::Refused(_))), "{:?}: {:?}", spelt, hop),
            _ => prop_assert_eq!(hop, Ok(None)),
        }
    }

    #[test]
    fn no_private_ipv6_passes(address in private_v6(), upper in any::<bool>(), whole in any::<bool>(), port in any::<bool>()) {
        let segments = address.segments().map(|segment| format!("{segment:04x}")).join(":");
        let host = case(&if whole { segments } else { address.to_string() }, upper);
        let spelt = format!("http://[{host}]{}/", if port { ":443" } else { "" });
        let refusal = refused(&spelt);
        prop_assert!(refusal.as_ref().is_some_and(|why| !why.is_invalid()), "{}: {:?}", spelt, refusal);
        // A zone does not make it another address; the parser takes none.
        let zoned = format!("http://[{host}%25eth0]/");
        prop_assert!(refused(&zoned).is_some(), "{}", zoned);
    }

    #[test]
    fn no_internal_name_passes(name in internal_name(), hand in hand()) {
        let dotted = format!("{name}{}", if hand.dot { "." } else { "" });
        let spelt = format!("{}{}{}", hand.start, disguise(&dotted, &hand), hand.rest);
        let refusal = refused(&spelt);
        prop_assert!(refusal.as_ref().is_some_and(|why| !why.is_invalid()), "{:?}: {:?}", spelt, refusal);
    }

    #[test]
    fn what_passes_passes_again_and_is_public(address in "\\PC{0,60}", location in any::<bool>()) {
        let start = check("https://example.com/a/b", &Allow::default()).unwrap();
        let passed = match location {
            true => Hops::new(start).next(302, Some(&address), &Allow::default()).ok().flatten(),
            false => check(&format!("http://{address}/"), &Allow::default()).ok(),
        };
        if let Some(target) = passed {
            prop_assert_eq!(check(target.url().as_str(), &Allow::default()), Ok(target.clone()));
            let host = target.url().host_str().unwrap_or_default();
            prop_assert!(host.contains(['.', ':']) && host.is_ascii(), "{}", host);
        }
    }
}
