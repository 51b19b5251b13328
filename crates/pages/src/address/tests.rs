//! Spellings of addresses that must not pass, and of ones that must.

use super::*;
use proptest::prelude::*;
use std::net::{Ipv4Addr, Ipv6Addr};

fn refused(address: &str) -> Option<Refusal> {
    check(address, &Allow::default()).err()
}

#[test]
fn public_addresses_pass() {
    for address in [
        "https://example.com",
        "http://example.com:80/a?b#c",
        "https://example.com:443/",
        "http://example.com:443/",
        "https://1.1.1.1/",
        "http://8.8.8.8./x",
        "https://[2606:4700:4700::1111]/",
        "http://bücher.example/",
        "http://[::ffff:8.8.8.8]/",
        "http://[64:ff9b::8.8.8.8]/",
        "http://[2002:808:808::1]/",
        "http://134744072/",
        "https://localhost.example.com/",
        "https://internal.example.com/",
        "https://mylocalhost.com/",
        " https://a.b ",
        "http://172.32.0.1/",
        "http://100.128.0.1/",
        "http://169.253.1.1/",
        "http://192.0.1.1/",
        "http://11.0.0.1",
    ] {
        assert_eq!(refused(address), None, "{address}");
    }
}

#[test]
fn this_machine_is_refused_in_every_spelling() {
    for address in [
        "http://127.0.0.1/",
        "http://127.1/",
        "http://127.0.1/",
        "http://2130706433/",
        "http://0x7f000001/",
        "http://0x7f.1/",
        "http://0177.0.0.1/",
        "http://017700000001/",
        "http://0x7f.0x0.0x0.0x1/",
        "http://127.255.255.254/",
        "http://127.0.0.1./",
        "http://①②⑦.0.0.1/",
        "http://127。0。0。1/",
        "http://%31%32%37.0.0.1/",
        "http:127.0.0.1",
        "http:\\\\127.0.0.1\\",
        "http:///127.0.0.1/",
        "HTTP://127.0.0.1/",
        "http://[::1]/",
        "http://[0:0:0:0:0:0:0:1]/",
        "http://[::ffff:127.0.0.1]/",
        "http://[::ffff:7f00:1]/",
        "http://[::127.0.0.1]/",
        "http://[::ffff:0:127.0.0.1]/",
        "http://[64:ff9b::127.0.0.1]/",
        "http://[2002:7f00:1::]/",
        "http://[2001:4860::5efe:7f00:1]/",
        "ht\ntp://127.0.0.1/",
    ] {
        assert!(
            matches!(refused(address), Some(Refusal::Loopback(_))),
            "{address}: {:?}",
            refused(address)
        );
    }
    for address in [
        "http://localhost/",
        "http://LOCALHOST/",
        "http://localhost./",
        "http://a.localhost/",
        "http://ip6-localhost/",
        "http://localhost.localdomain/",
        "http://ⓛocalhost/",
        "http://local%68ost/",
        "http://foo.bar.localhost./",
    ] {
        assert!(
            matches!(refused(address), Some(Refusal::Localhost(_))),
            "{address}: {:?}",
            refused(address)
        );
    }
}

#[test]
fn other_addresses_that_are_not_public() {
    type Expected = fn(&Refusal) -> bool;
    let cases: &[(&str, Expected)] = &[
        ("http://0.0.0.0/", |r| matches!(r, Refusal::Unspecified(_))),
        ("http://0/", |r| matches!(r, Refusal::Unspecified(_))),
        ("http://[::]/", |r| matches!(r, Refusal::Unspecified(_))),
        ("http://10.1.2.3/", |r| matches!(r, Refusal::Private(_))),
        ("http://0xa.1/", |r| matches!(r, Refusal::Private(_))),
        ("http://172.16.0.1/", |r| matches!(r, Refusal::Private(_))),
        ("http://172.31.255.255/", |r| matches!(r, Refusal::Private(_))),
        ("http://192.168.1.1/", |r| matches!(r, Refusal::Private(_))),
        ("http://3232235777/", |r| matches!(r, Refusal::Private(_))),
        ("http://100.100.100.200/", |r| matches!(r, Refusal::Private(_))),
        ("http://[64:ff9b::10.0.0.1]/", |r| matches!(r, Refusal::Private(_))),
        ("http://[2002:c0a8:101::1]/", |r| matches!(r, Refusal::Private(_))),
        ("http://169.254.169.254/latest/meta-data", |r| matches!(r, Refusal::LinkLocal(_))),
        ("http://2852039166/", |r| matches!(r, Refusal::LinkLocal(_))),
        ("http://0251.0376.0251.0376/", |r| matches!(r, Refusal::LinkLocal(_))),
        ("http://[fe80::1]/", |r| matches!(r, Refusal::LinkLocal(_))),
        ("http://[::ffff:a9fe:a9fe]/", |r| matches!(r, Refusal::LinkLocal(_))),
        ("http://[fd00:ec2::254]/", |r| matches!(r, Refusal::UniqueLocal(_))),
        ("http://[fc00::1]/", |r| matches!(r, Refusal::UniqueLocal(_))),
        ("http://[fec0::1]/", |r| matches!(r, Refusal::UniqueLocal(_))),
        ("http://224.0.0.1/", |r| matches!(r, Refusal::Multicast(_))),
        ("http://[ff02::1]/", |r| matches!(r, Refusal::Multicast(_))),
        ("http://255.255.255.255/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://192.0.0.192/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://198.18.0.1/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://[2001:db8::1]/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://[2001::1]/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://[100::1]/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://[64:ff9b:1::1]/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://[4000::1]/", |r| matches!(r, Refusal::Reserved(_))),
        ("http://168.63.129.16/", |r| matches!(r, Refusal::Metadata(_))),
        ("http://metadata.google.internal/", |r| matches!(r, Refusal::Metadata(_))),
        ("http://metadata/", |r| matches!(r, Refusal::Metadata(_))),
        ("http://web.spin.internal/pages/read", |r| matches!(r, Refusal::Internal(_))),
        ("http://spin.internal./", |r| matches!(r, Refusal::Internal(_))),
        ("http://x.internal/", |r| matches!(r, Refusal::Internal(_))),
        ("http://self/", |r| matches!(r, Refusal::Internal(_))),
        ("http://SELF./", |r| matches!(r, Refusal::Internal(_))),
        ("http://printer.local/", |r| matches!(r, Refusal::Internal(_))),
        ("http://api.default.svc.cluster.local/", |r| matches!(r, Refusal::Internal(_))),
        ("http://router/", |r| matches!(r, Refusal::SingleLabel(_))),
        ("http://127.0.0.1.nip.io/", |r| matches!(r, Refusal::Rebinding(_))),
        ("http://localtest.me/", |r| matches!(r, Refusal::Rebinding(_))),
        ("http://user@example.com/", |r| matches!(r, Refusal::Credentials)),
        ("http://:secret@example.com/", |r| matches!(r, Refusal::Credentials)),
        ("http://example.com@127.0.0.1/", |r| matches!(r, Refusal::Credentials)),
        ("http://example.com:22/", |r| matches!(r, Refusal::Port(22))),
        ("https://example.com:8443/", |r| matches!(r, Refusal::Port(8443))),
        ("ftp://example.com/", |r| matches!(r, Refusal::Scheme(_))),
        ("file:///etc/passwd", |r| matches!(r, Refusal::Scheme(_))),
        ("javascript:alert(1)", |r| matches!(r, Refusal::Scheme(_))),
        ("data:text/html,x", |r| matches!(r, Refusal::Scheme(_))),
        ("/relative", |r| matches!(r, Refusal::NotAbsolute(_))),
        ("", |r| matches!(r, Refusal::NotAbsolute(_))),
        ("http://", |r| matches!(r, Refusal::NotAbsolute(_))),
        ("http://1.2.3.4.5/", |r| matches!(r, Refusal::NotAbsolute(_))),
        ("http://256.1.1.1/", |r| matches!(r, Refusal::NotAbsolute(_))),
    ];
    for (address, expected) in cases {
        let refusal = refused(address);
        assert!(refusal.as_ref().is_some_and(expected), "{address}: {refusal:?}");
    }
}

#[test]
fn the_operator_lifts_exactly_what_is_named() {
    let (allow, unread) =
        Allow::parse("127.0.0.1:8080, localhost , [::1]:9000,intranet.corp:443, http://x/");
    assert_eq!(unread, ["http://x/"]);
    let passes = |address: &str| check(address, &allow).is_ok();
    for address in [
        "http://127.0.0.1:8080/x",
        "http://0x7f.1:8080/",
        "http://localhost/",
        "https://localhost/",
        "http://localhost:80/",
        "http://[::1]:9000/",
        "https://intranet.corp/",
    ] {
        assert!(passes(address), "{address}");
    }
    for address in [
        "http://127.0.0.1/",
        "http://127.0.0.1:8081/",
        "http://localhost:8080/",
        "http://127.0.0.2:8080/",
        "http://[::1]/",
        "http://u:p@127.0.0.1:8080/",
        "http://x.localhost/",
        "ftp://127.0.0.1:8080/",
    ] {
        assert!(!passes(address), "{address}");
    }
}

#[test]
fn the_fragment_never_travels() {
    assert_eq!(
        check("https://a.b/c#d", &Allow::default()).unwrap().url().as_str(),
        "https://a.b/c"
    );
}

/// A private IPv4 address.
fn private_v4() -> impl Strategy<Value = Ipv4Addr> {
    let prefixes: Vec<(u32, u32)> = vec![
        (0x7f00_0000, 8),
        (0x0a00_0000, 8),
        (0xac10_0000, 12),
        (0xc0a8_0000, 16),
        (0xa9fe_0000, 16),
        (0, 8),
        (0xe000_0000, 4),
        (0xf000_0000, 4),
        (0x6440_0000, 10),
    ];
    (proptest::sample::select(prefixes), any::<u32>())
        .prop_map(|((prefix, bits), rest)| Ipv4Addr::from(prefix | (rest & (u32::MAX >> bits))))
}

/// One of the spellings that an address parser accepts for an IPv4 address.
fn spell(address: Ipv4Addr, how: usize, bases: [u8; 4]) -> String {
    let n = u32::from(address);
    let [a, b, c, d] = address.octets();
    let part = |value: u32, base: u8| match base % 4 {
        0 => format!("{value}"),
        1 => format!("0x{value:x}"),
        2 => format!("0{value:o}"),
        _ => format!("0X{value:08X}"),
    };
    let [p, q, r, s] = bases;
    match how % 9 {
        0 => part(n, p),
        1 => format!("{}.{}", part(u32::from(a), p), part(n & 0xff_ffff, q)),
        2 => format!("{}.{}.{}", part(u32::from(a), p), part(u32::from(b), q), part(n & 0xffff, r)),
        3 => [(a, p), (b, q), (c, r), (d, s)].map(|(v, base)| part(u32::from(v), base)).join("."),
        4 => format!("[{}]", address.to_ipv6_mapped()),
        5 => format!("[::{:x}:{:x}]", n >> 16, n & 0xffff),
        6 => format!("[64:ff9b::{address}]"),
        7 => format!("[2002:{:x}:{:x}::{:x}]", n >> 16, n & 0xffff, p),
        _ => format!("{address}."),
    }
}

proptest! {
    #[test]
    fn no_private_ipv4_passes_in_any_spelling(
        address in private_v4(), how in any::<usize>(), bases in any::<[u8; 4]>(), tls in any::<bool>(),
    ) {
        let scheme = if tls { "https" } else { "http" };
        let spelt = format!("{scheme}://{}/", spell(address, how, bases));
        prop_assert!(refused(&spelt).is_some(), "{} as {}", address, spelt);
    }

    #[test]
    fn no_private_ipv6_passes(prefix in proptest::sample::select(vec![0xfcu8, 0xfd, 0xfe, 0xff]), rest in any::<[u8; 15]>()) {
        let mut octets = [prefix; 16];
        octets[1..].copy_from_slice(&rest);
        let refusal = refused(&format!("http://[{}]/", Ipv6Addr::from(octets)));
        prop_assert!(refusal.is_some());
    }

    #[test]
    fn what_passes_is_public_whatever_was_written(address in "\\PC{0,60}") {
        if let Ok(target) = check(&format!("http://{address}/"), &Allow::default()) {
            let host = target.url().host_str().unwrap_or_default().to_owned();
            prop_assert!(!host.starts_with("127.") && host.trim_end_matches('.') != "localhost", "{}", host);
        }
    }
}
