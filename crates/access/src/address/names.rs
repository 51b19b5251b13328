//! Host names that are refused by what they say. Names arrive in lower case and as punycode: the
//! address parser has seen to both.

use super::Refusal;
use super::wildcard::{self, lies_under};

/// Endings that no public registry delegates, and those reserved for other purposes than the web's.
const INTERNAL: &[&str] = &[
    // Clouds, clusters, and Spin's `*.spin.internal`.
    "internal",
    "svc",
    "consul",
    "kubernetes",
    "docker",
    "cluster",
    // Houses and offices.
    "local",
    "localdomain",
    "localdomain4",
    "localdomain6",
    "localnet",
    "intranet",
    "intra",
    "intern",
    "lan",
    "home",
    "corp",
    "private",
    "domain",
    "workgroup",
    "router",
    "gateway",
    "dhcp",
    // Names that are not for the public DNS. Spin answers `self.alt` itself.
    "arpa",
    "alt",
    "test",
    "invalid",
    "onion",
    // Registered names that routers and Windows answer inside a network.
    "fritz.box",
    "speedport.ip",
    "routerlogin.net",
    "routerlogin.com",
    "tplinkwifi.net",
    "tplinklogin.net",
    "mshome.net",
];

/// What a hosts file calls this machine and its links.
const LOCALHOST: &[&str] = &[
    "localhost",
    "localhost.localdomain",
    "localhost4",
    "localhost4.localdomain4",
    "localhost6",
    "localhost6.localdomain6",
    "ip6-localhost",
    "ip6-loopback",
    "ip6-localnet",
    "ip6-mcastprefix",
    "ip6-allnodes",
    "ip6-allrouters",
    "ip6-allhosts",
    "loopback",
    "broadcasthost",
];

const METADATA: &[&str] = &[
    "metadata",
    "instance-data",
    "instance-data.ec2.internal",
    "metadata.google.internal",
    "metadata.nic.google.internal",
    "metadata.goog",
    "metadata.azure.internal",
    "metadata.tencentyun.com",
    "metadata.packet.net",
    "metadata.platformequinix.com",
    "api.metadata.cloud.ibm.com",
    "rancher-metadata",
    "rancher-metadata.rancher.internal",
];

/// What the DNS carries.
const MAX_NAME: usize = 253;
const MAX_LABEL: usize = 63;

/// Refuses a name that is not public.
pub fn check(name: &str) -> Result<(), Refusal> {
    // One dot at the end is the root's; after two, a number would no longer be read as an address.
    let bare = name.strip_suffix('.').unwrap_or(name);
    let owned = || bare.to_owned();
    if bare.is_empty() {
        return Err(Refusal::NoHost);
    }
    if !is_host_name(bare) {
        return Err(Refusal::NotAName(owned()));
    }
    if lies_under(bare, METADATA) {
        return Err(Refusal::Metadata(owned()));
    }
    if LOCALHOST.contains(&bare) || lies_under(bare, &["localhost"]) {
        return Err(Refusal::Localhost(owned()));
    }
    if bare == "self" || lies_under(bare, INTERNAL) {
        return Err(Refusal::Internal(owned()));
    }
    if !bare.contains('.') {
        return Err(Refusal::SingleLabel(owned()));
    }
    if wildcard::is_private(bare) {
        return Err(Refusal::Rebinding(owned()));
    }
    Ok(())
}

/// Labels of letters, digits, hyphens and underscores, none empty, and the last one begins with a
/// letter: a resolver may read more as a number than the address parser does.
fn is_host_name(name: &str) -> bool {
    let label = |label: &str| {
        !label.is_empty()
            && label.len() <= MAX_LABEL
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    let alphabetic = |label: &str| label.starts_with(|char: char| char.is_ascii_alphabetic());
    name.len() <= MAX_NAME
        && name.split('.').all(label)
        && name.rsplit('.').next().is_some_and(alphabetic)
}
