//! The table of spellings: what each is refused for, and what passes.

use super::*;
use std::collections::HashSet;

/// A spelling and whether a refusal is the one expected for it.
type Case = (&'static str, &'static str, fn(&Refusal) -> bool);

/// Spellings by the reason they are refused for.
macro_rules! refused {
    ($($reason:pat => $($address:literal)+;)+) => {
        vec![$($(
            ($address, stringify!($reason), (|refusal| matches!(refusal, $reason)) as fn(&Refusal) -> bool),
        )+)+]
    };
}

fn check_all(cases: &[Case]) -> usize {
    let mut seen = HashSet::new();
    for (address, reason, expected) in cases {
        assert!(seen.insert(*address), "{address:?} is in the table twice");
        let refusal = check(address, &Allow::default()).err();
        assert!(
            refusal.as_ref().is_some_and(expected),
            "{address:?}: {refusal:?} instead of {reason}"
        );
    }
    cases.len()
}

#[test]
fn every_spelling_is_refused_for_its_reason() {
    let counts =
        [this_machine_v4(), this_machine(), networks_v4(), networks_v6(), names(), not_addresses()]
            .map(|cases| check_all(&cases));
    assert!(counts.iter().sum::<usize>() >= 250, "{counts:?}");
}

fn this_machine_v4() -> Vec<Case> {
    refused! {
        Refusal::Loopback(_) =>
            "http://127.0.0.1/" "https://127.0.0.1" "HTTP://127.0.0.1/" "http://127.0.0.1:80/"
            "http://127.0.0.1:443/" "https://127.0.0.1:80/" "http://127.0.0.1:8080/" "http://127.0.0.1./"
            "http://127.255.255.254/" "http://127.1/" "http://127.1./" "http://127.0.1/" "http://127.65535/"
            "http://2130706433/" "http://2130706433./" "http://0x7f000001/" "http://0X7F000001/"
            "http://0x7F.1/" "http://0x7f.0.0.1/" "http://0x7f.0x0.0x0.0x1/" "http://0x7f.0x000001/"
            "http://0x000000007f.0x1/" "http://0x7f.0.1/" "http://127.0x1/" "http://127.0x.1/"
            "http://0177.0.0.1/" "http://0177.1/" "http://017700000001/" "http://00000177.0.0.01/"
            "http://0177.0000.0000.0001/" "http://0x7f.0.00.01/" "http://0177.0x0.0.1/"
            "http://①②⑦.0.0.1/" "http://１２７.０.０.１/" "http://𝟏𝟐𝟕.𝟎.𝟎.𝟏/" "http://¹²⁷.0.0.1/"
            "http://127。0。0。1/" "http://127．0．0．1/" "http://127｡0｡0｡1/" "http://１２７。１/"
            "http://０x7f.1/" "http://0ｘ7f000001/" "http://127.0.0.1。/" "http://２１３０７０６４３３/"
            "http://%31%32%37.0.0.1/" "http://127%2e0%2e0%2e1/" "http://127%E3%80%820%E3%80%820%E3%80%821/"
            "http://%30%78%37%66.1/" "http://%EF%BC%91%EF%BC%92%EF%BC%97.1/" "http://12\u{ad}7.0.0.1/"
            "http:127.0.0.1" "http:/127.0.0.1" "http:///127.0.0.1/" "http:////127.0.0.1/"
            "http:\\\\127.0.0.1\\" "http:/\\127.0.0.1/" "  http://127.0.0.1/  " "\thttp://127.0.0.1/\n"
            "ht\ntp://127.0.0.1/" "http://127.\t0.0.1/" "http://127.0.0.1/?x=example.com"
            "http://127.0.0.1/#@example.com/" "http://127.0.0.1?@example.com/" "http://127.0.0.1\\@example.com/"
            "http://@127.0.0.1/" "http://:@127.0.0.1/";
        Refusal::Unspecified(_) =>
            "http://0.0.0.0/" "http://0/" "http://0./" "http://0x0/" "http://0x/" "http://00000000000/"
            "http://0.0/" "http://0.1.2.3/" "http://0.0.0.0:443/" "http://０/" "http://%30/" "http://0x0.0x0/";
    }
}

fn this_machine() -> Vec<Case> {
    refused! {
        Refusal::Loopback(_) =>
            "http://[::1]/" "http://[::1]:80/" "http://[0:0:0:0:0:0:0:1]/" "http://[0000::0001]/"
            "http://[0:0::0:1]/" "http://[::0.0.0.1]/" "http://[::ffff:127.0.0.1]/" "http://[::FFFF:7f00:1]/"
            "http://[0:0:0:0:0:ffff:127.0.0.1]/" "http://[::127.0.0.1]/" "http://[::7f00:1]/"
            "http://[::ffff:0:127.0.0.1]/" "http://[64:ff9b::127.0.0.1]/" "http://[64:ff9b::7F00:0001]/"
            "http://[0064:ff9b:0:0:0:0:7f00:1]/" "http://[2002:7f00:1::]/" "http://[2002:7f00:0001:1:2:3:4:5]/"
            "http://[2001:4860::5efe:7f00:1]/" "http://[2001:4860::200:5efe:127.0.0.1]/"
            "http://[2606:4700::100:5efe:127.0.0.1]/" "http://[2606:4700::300:5EFE:127.0.0.1]/"
            "http://[2002:808:808::5efe:127.0.0.1]/";
        Refusal::Unspecified(_) =>
            "http://[::]/" "http://[0:0:0:0:0:0:0:0]/" "http://[::ffff:0.0.0.0]/" "http://[::0.0.0.0]/"
            "http://[64:ff9b::]/" "http://[2002::1]/";
        Refusal::Localhost(_) =>
            "http://localhost/" "http://LOCALHOST/" "http://LocalHost:80/" "http://localhost./" "http://localhost:3000/"
            "http://a.localhost/" "http://foo.bar.localhost./" "http://localhost.localdomain/"
            "http://localhost4/" "http://localhost6/" "http://localhost6.localdomain6/" "http://ip6-localhost/"
            "http://ip6-loopback/" "http://ip6-allnodes/" "http://broadcasthost/" "http://loopback/"
            "http://local%68ost/" "http://%6c%6f%63%61%6c%68%6f%73%74/" "http://ⓛocalhost/" "http://ｌｏｃａｌｈｏｓｔ/"
            "http://𝓵𝓸𝓬𝓪𝓵𝓱𝓸𝓼𝓽/" "http://local\u{ad}host/" "http://lo\tcalhost/" "http://localhost。/"
            "http://x。localhost/" "http://loc\u{200b}alhost/";
        Refusal::Internal(_) =>
            "http://self/" "http://SELF./" "http://self.alt/" "http://spin.alt/" "http://ｓｅｌｆ/";
    }
}

fn networks_v4() -> Vec<Case> {
    refused! {
        Refusal::Private(_) =>
            "http://10.0.0.0/" "http://10.255.255.255/" "http://10.1/" "http://0xa.1/" "http://012.1.2.3/"
            "http://167772161/" "http://172.16.0.1/" "http://172.31.255.255/" "http://0xac.0x10.1/"
            "http://2886729729/" "http://192.168.0.1/" "http://192.168.257/" "http://3232235777/"
            "http://0xc0a80101/" "http://0300.0250.1.1/" "http://１９２.１６８.１.１/" "http://192.168.1.1./"
            "http://100.64.0.1/" "http://100.127.255.254/" "http://0x64.0x40.0.1/" "http://1681915905/";
        Refusal::LinkLocal(_) =>
            "http://169.254.0.1/" "http://169.254.255.255/" "http://169.254.1/" "http://0xa9.0xfe.1.1/"
            "http://0251.0376.1.1/" "http://2851995905/";
        Refusal::Metadata(_) =>
            "http://169.254.169.254/latest/meta-data/" "http://169.254.43518/" "http://2852039166/"
            "http://0xa9fea9fe/" "http://0251.0376.0251.0376/" "http://0xa9.254.0251.0xfe/" "http://①⑥⑨.254.169.254/"
            "http://169.254.169.254./" "http://169.254.170.2/v2/credentials" "http://169.254.170.23/"
            "http://100.100.100.200/latest/" "http://1684301000/" "http://168.63.129.16/" "http://0xa83f8110/"
            "http://192.0.0.192/" "http://169.254.42.42/" "http://169.254.0.23/";
        Refusal::Multicast(_) =>
            "http://224.0.0.1/" "http://239.255.255.250/" "http://0xe0000001/" "http://224.1/" "http://3758096385/";
        Refusal::Reserved(_) =>
            "http://255.255.255.255/" "http://4294967295/" "http://0xffffffff/" "http://037777777777/"
            "http://255.255.65535/" "http://240.0.0.1/" "http://192.0.0.1/" "http://192.0.2.1/"
            "http://198.51.100.7/" "http://203.0.113.9/" "http://198.18.0.1/" "http://198.19.255.255/"
            "http://192.88.99.1/" "http://0xc6.18.1/";
    }
}

fn networks_v6() -> Vec<Case> {
    refused! {
        Refusal::Private(_) =>
            "http://[::ffff:10.0.0.1]/" "http://[::ffff:a00:1]/" "http://[::10.0.0.1]/" "http://[::ffff:0:10.0.0.1]/"
            "http://[64:ff9b::10.0.0.1]/" "http://[64:ff9b::ac10:1]/" "http://[2002:c0a8:101::1]/"
            "http://[2002:a00:1:ffff::]/" "http://[2606:4700::5efe:192.168.1.1]/" "http://[::ffff:100.64.0.1]/";
        Refusal::Metadata(_) =>
            "http://[::ffff:a9fe:a9fe]/" "http://[::ffff:169.254.169.254]/" "http://[64:ff9b::169.254.169.254]/"
            "http://[2002:a9fe:a9fe::1]/" "http://[fd00:ec2::254]/latest/" "http://[FD00:0EC2:0::0254]/"
            "http://[fd00:ec2::23]/" "http://[fd20:ce::254]/" "http://[fe80::a9fe:a9fe]/" "http://[fd00:42::42]/"
            "http://[::ffff:168.63.129.16]/" "http://[::ffff:100.100.100.200]/";
        Refusal::LinkLocal(_) =>
            "http://[fe80::1]/" "http://[FE80::dead:beef]/" "http://[febf:ffff::1]/" "http://[::ffff:169.254.1.1]/";
        Refusal::UniqueLocal(_) =>
            "http://[fc00::1]/" "http://[fd12:3456:789a::1]/" "http://[fec0::1]/" "http://[feff::1]/"
            "http://[fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]/";
        Refusal::Multicast(_) =>
            "http://[ff02::1]/" "http://[FF0E::1]/" "http://[ffff::1]/" "http://[::ffff:224.0.0.1]/" "http://[ff05::1:3]/";
        Refusal::Reserved(_) =>
            "http://[2001:db8::1]/" "http://[2001:0DB8:ffff::1]/" "http://[3fff::1]/" "http://[2001::1]/"
            "http://[2001:0:7f00:1::1]/" "http://[2001:10::1]/" "http://[2001:20::1]/" "http://[100::1]/"
            "http://[64:ff9b:1::1]/" "http://[64:ff9b:1::10.0.0.1]/" "http://[64:ff9b:1::5efe:8.8.8.8]/"
            "http://[0:1::5efe:8.8.8.8]/" "http://[4000::1]/" "http://[5f00::1]/" "http://[e000::1]/" "http://[::1:8.8.8.8]/"
            "http://[::ffff:255.255.255.255]/" "http://[1::]/";
    }
}

fn names() -> Vec<Case> {
    refused! {
        Refusal::Metadata(_) =>
            "http://metadata/" "http://metadata.google.internal/computeMetadata/v1/" "http://METADATA.google.internal./"
            "http://metadata.goog/" "http://x.metadata.google.internal/" "http://instance-data/"
            "http://instance-data.ec2.internal/" "http://metadata.tencentyun.com/" "http://metadata.packet.net/"
            "http://metadata.azure.internal/" "http://api.metadata.cloud.ibm.com/" "http://metadata。google。internal/"
            "http://metadata.g%6fogle.internal/";
        Refusal::Internal(_) =>
            "http://web.spin.internal/pages/read" "http://sandbox.spin.internal/" "http://WEB.SPIN.INTERNAL./"
            "http://spin.internal/" "http://x.internal/" "http://internal/" "http://host.docker.internal/"
            "http://ip-10-0-0-1.ec2.internal/" "http://host.containers.internal/" "http://printer.local/"
            "http://api.default.svc.cluster.local/" "http://kubernetes.default.svc/" "http://vault.service.consul/"
            "http://nas.lan/" "http://router.home/" "http://ha.home.arpa/" "http://wiki.intranet/" "http://mail.corp/"
            "http://db.private/" "http://pc.localdomain/" "http://1.0.0.127.in-addr.arpa/" "http://x.test/"
            "http://y.invalid/" "http://example.onion/" "http://fritz.box/" "http://www.fritz.box/" "http://x。internal/"
            "http://x.ⓘnternal/" "http://x.int%65rnal/" "http://routerlogin.net/" "http://pc.mshome.net/";
        Refusal::SingleLabel(_) =>
            "http://printer/" "http://intranet-portal/" "http://com/" "http://a./" "http://redis:80/" "http://böse/"
            // Cyrillic letters that look like Latin ones.
            "http://lоcalhost/" "http://ѕеlf/";
        Refusal::Rebinding(_) =>
            "http://127.0.0.1.nip.io/" "http://127-0-0-1.nip.io/" "http://app.10.0.0.1.nip.io/" "http://7f000001.nip.io/"
            "http://app-c0a80101.nip.io/" "http://192-168-1-1.sslip.io/" "http://www.192.168.1.1.sslip.io/"
            "http://--1.sslip.io/" "http://fd00-a-b-c-8-8-8-8.sslip.io/" "http://fd00--8-8-8-8.sslip.io/" "http://fd00-ec2--254.sslip.io/" "http://169.254.169.254.nip.io./"
            "http://8.8.8.8.127.0.0.1.nip.io/" "http://127.0.0.1.8.8.8.8.nip.io/" "http://7f000001.8.8.8.8.nip.io/"
            "http://0127.0.0.1.nip.io/" "http://x.nip.io/" "http://10.0.0.1.xip.io/" "http://localtest.me/"
            "http://a.b.localtest.me/" "http://LVH.me/" "http://x.lvh.me/" "http://vcap.me/" "http://local.gd/"
            "http://7f000001.08080808.rbndr.us/" "http://app.ddev.site/" "http://10-0-0-1.x.plex.direct/"
            "http://10。0。0。1。nip。io/";
    }
}

fn not_addresses() -> Vec<Case> {
    refused! {
        Refusal::Credentials =>
            "http://user@example.com/" "http://user:pass@example.com/" "http://:secret@example.com/"
            "http://example.com@127.0.0.1/" "http://127.0.0.1@example.com/" "http://a%40b@example.com/"
            "http://example.com%2f@127.0.0.1/" "http://x:80@localhost:80/";
        Refusal::Port(_) =>
            "http://example.com:22/" "https://example.com:8443/" "http://example.com:0/" "http://example.com:65535/"
            "http://8.8.8.8:25/" "http://[2606:4700::1111]:6379/" "http://example.com:8080/" "http://example.com.:81/";
        Refusal::Scheme(_) =>
            "ftp://example.com/" "file:///etc/passwd" "file://localhost/etc/passwd" "javascript:alert(1)"
            "data:text/html,x" "gopher://127.0.0.1:6379/_x" "ws://example.com/" "wss://example.com/" "dict://127.0.0.1:11211/"
            "blob:https://example.com/x" "view-source:http://127.0.0.1/" "about:blank" "localhost:80"
            "mailto:a@example.com" "jar:http://127.0.0.1!/" "unix:/run/x.sock" "httpx://example.com/";
        Refusal::NotAbsolute(_) =>
            "" " " "/relative" "//example.com/x" "example.com" "127.0.0.1" "http://" "https:///" "http:" "://x/"
            "http://1.2.3.4.5/" "http://256.1.1.1/" "http://0x100000000/" "http://4294967296/"
            "http://08.0.0.1/" "http://1.2.3.a.9/" "http://[::1/" "http://::1/" "http://[fe80::1%25eth0]/"
            "http://[fe80::1%eth0]/" "http://[::1]x/" "http://[127.0.0.1]/" "http://[::ffff:0x7f.1]/" "http://[%3a%3a1]/"
            "http://[::1%2525]/" "http://exa mple.com/" "http://a%00b.com/" "http://example.com:99999/"
            "http://example.com:port/" "http://xn--a/" "http://a<b.com/" "http://a%2fb.com/" "http://[v1.x]/";
        Refusal::NotAName(_) =>
            "http://127.0.0.1../" "http://localhost../" "http://a..com/" "http://.example.com/" "http://10.0.0.1.../"
            "http://a,b.com/" "http://example.com;x/" "http://(example).com/" "http://ex*mple.com/"
            "http://,.,../" "http://127.0.0.0x1g/" "http://127.0.0.1x/" "http://example.-com/";
        Refusal::NoHost => "http://./";
    }
}

#[test]
fn what_is_public_passes() {
    // The address and the host it is shown with.
    let cases = [
        ("https://example.com", "example.com"),
        ("http://example.com:80/a?b#c", "example.com"),
        ("https://example.com:443/", "example.com"),
        ("http://example.com:443/", "example.com"),
        ("https://example.com:80/", "example.com"),
        (" https://a.b ", "a.b"),
        ("HTTPS://EXAMPLE.COM./x", "example.com."),
        ("http://@example.com/", "example.com"),
        ("https://1.1.1.1/", "1.1.1.1"),
        ("http://8.8.8.8./x", "8.8.8.8"),
        ("http://134744072/", "8.8.8.8"),
        ("http://0x08080808/", "8.8.8.8"),
        ("http://010.8.8.8/", "8.8.8.8"),
        ("http://９.９.９.９/", "9.9.9.9"),
        ("http://172.32.0.1/", "172.32.0.1"),
        ("http://172.15.255.255/", "172.15.255.255"),
        ("http://100.63.255.255/", "100.63.255.255"),
        ("http://100.128.0.1/", "100.128.0.1"),
        ("http://169.253.1.1/", "169.253.1.1"),
        ("http://192.0.1.1/", "192.0.1.1"),
        ("http://192.167.1.1/", "192.167.1.1"),
        ("http://198.17.0.1/", "198.17.0.1"),
        ("http://198.20.0.1/", "198.20.0.1"),
        ("http://203.0.114.1/", "203.0.114.1"),
        ("http://11.0.0.1", "11.0.0.1"),
        ("http://126.255.255.255/", "126.255.255.255"),
        ("http://128.0.0.1/", "128.0.0.1"),
        ("http://223.255.255.1/", "223.255.255.1"),
        ("https://[2606:4700:4700::1111]/", "[2606:4700:4700::1111]"),
        ("https://[2a00:1450:4001:81b::200e]:443/", "[2a00:1450:4001:81b::200e]"),
        ("http://[2001:4860:4860::8888]/", "[2001:4860:4860::8888]"),
        ("http://[2001:200::1]/", "[2001:200::1]"),
        ("http://[::ffff:8.8.8.8]/", "[::ffff:808:808]"),
        ("http://[64:ff9b::8.8.8.8]/", "[64:ff9b::808:808]"),
        ("http://[2002:808:808::1]/", "[2002:808:808::1]"),
        ("http://[2606:4700::5efe:8.8.8.8]/", "[2606:4700::5efe:808:808]"),
        ("http://bücher.example/", "xn--bcher-kva.example"),
        ("https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
        ("https://BÜCHER.example/", "xn--bcher-kva.example"),
        ("https://例え.jp/", "xn--r8jz45g.jp"),
        ("https://пример.рф/", "xn--e1afmkfd.xn--p1ai"),
        ("https://faß.de/", "xn--fa-hia.de"),
        // Look-alikes are shown as what they are.
        ("https://аpple.com/", "xn--pple-43d.com"),
        ("https://ｅｘａｍｐｌｅ。ｃｏｍ/", "example.com"),
        ("https://ex%61mple.com/", "example.com"),
        ("https://localhost.example.com/", "localhost.example.com"),
        ("https://internal.example.com/", "internal.example.com"),
        ("https://metadata.example.com/", "metadata.example.com"),
        ("https://mylocalhost.com/", "mylocalhost.com"),
        ("https://notlocal.de/", "notlocal.de"),
        ("https://self.com/", "self.com"),
        ("https://10.example.com/", "10.example.com"),
        ("https://1e100.net/", "1e100.net"),
        ("https://127.0.0.1.example.com/", "127.0.0.1.example.com"),
        ("https://my_blog.example.com/", "my_blog.example.com"),
        ("https://a--b.example.com/", "a--b.example.com"),
        ("https://homelan.net/", "homelan.net"),
        ("https://corp.com/", "corp.com"),
        ("https://sslip.io/", "sslip.io"),
        ("https://www.nip.io/", "www.nip.io"),
        ("https://notnip.io/", "notnip.io"),
        ("https://52-0-56-137.sslip.io/", "52-0-56-137.sslip.io"),
        ("https://app.52.0.56.137.nip.io/", "app.52.0.56.137.nip.io"),
    ];
    assert!(cases.len() >= 40);
    for (address, host) in cases {
        match check(address, &Allow::default()) {
            Ok(target) => assert_eq!(target.url().host_str(), Some(host), "{address:?}"),
            Err(refusal) => panic!("{address:?}: {refusal:?}"),
        }
    }
}

#[test]
fn names_are_as_long_as_the_dns_carries() {
    let label = "a".repeat(63);
    let fits = format!("https://{label}.{label}.{label}.example/");
    assert!(check(&fits, &Allow::default()).is_ok());
    let too_long = [
        format!("https://{label}a.example/"),
        format!("https://{label}.{label}.{label}.{label}.example/"),
    ];
    for address in too_long {
        let refusal = check(&address, &Allow::default());
        assert!(matches!(refusal, Err(Refusal::NotAName(_))), "{address}: {refusal:?}");
    }
}

#[test]
fn look_alikes_are_refused_as_punycode() {
    // The Cyrillic о, where a reader sees `localhost`.
    let refusal = check("http://lоcalhost/", &Allow::default()).unwrap_err().to_string();
    assert!(refusal.contains("xn--") && refusal.is_ascii(), "{refusal}");
}
