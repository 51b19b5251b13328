//! Host names that are refused by what they say. Names arrive in lower case and as punycode: the
//! address parser has seen to both.

use super::Refusal;

/// Top-level names that no public registry delegates.
const INTERNAL: &[&str] = &[
    "internal",
    "local",
    "localdomain",
    "intranet",
    "intra",
    "lan",
    "home",
    "corp",
    "private",
    "home.arpa",
    "svc",
    "consul",
    "kubernetes",
    "docker",
    "in-addr.arpa",
    "ip6.arpa",
];

const LOCALHOST: &[&str] = &[
    "localhost",
    "localhost.localdomain",
    "localhost4",
    "localhost6",
    "ip6-localhost",
    "ip6-loopback",
    "loopback",
];

const METADATA: &[&str] = &[
    "metadata",
    "instance-data",
    "metadata.google.internal",
    "metadata.goog",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "instance-data.ec2.internal",
    "metadata.azure.internal",
];

/// Public names that resolve to the address spelt in them, or to 127.0.0.1.
const REBINDING: &[&str] = &[
    "nip.io",
    "sslip.io",
    "xip.io",
    "localtest.me",
    "lvh.me",
    "vcap.me",
    "lacolhost.com",
    "traefik.me",
    "local.gd",
    "rbndr.us",
    "1u.ms",
];

/// Refuses a name that is not public.
pub fn check(name: &str) -> Result<(), Refusal> {
    let bare = name.trim_end_matches('.');
    let owned = || bare.to_owned();
    if bare.is_empty() {
        return Err(Refusal::NoHost);
    }
    if METADATA.contains(&bare) {
        return Err(Refusal::Metadata(owned()));
    }
    if LOCALHOST.contains(&bare) || ends_with_label(bare, "localhost") {
        return Err(Refusal::Localhost(owned()));
    }
    if bare == "self"
        || INTERNAL.iter().any(|suffix| bare == *suffix || ends_with_label(bare, suffix))
    {
        return Err(Refusal::Internal(owned()));
    }
    if !bare.contains('.') {
        return Err(Refusal::SingleLabel(owned()));
    }
    if REBINDING.iter().any(|suffix| bare == *suffix || ends_with_label(bare, suffix)) {
        return Err(Refusal::Rebinding(owned()));
    }
    Ok(())
}

fn ends_with_label(name: &str, suffix: &str) -> bool {
    name.strip_suffix(suffix).is_some_and(|rest| rest.ends_with('.'))
}
