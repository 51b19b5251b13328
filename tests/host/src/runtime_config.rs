//! `runtime-config.toml`: the part of Spin's runtime configuration that this host implements.
//! Pure; the rest is refused by name.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::Deserialize;

use crate::networks::BlockedNetwork;

/// Settings of the operator, not of the application.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RuntimeConfig {
    /// `[outbound_networking]`.
    #[serde(default)]
    pub outbound_networking: OutboundNetworking,
    /// `[outbound_http]`; absent means Spin's defaults.
    pub outbound_http: Option<OutboundHttp>,
    /// `[sqlite_database.NAME]`, by name; what is absent lies in the state directory.
    #[serde(default)]
    pub sqlite_database: BTreeMap<String, SqliteDatabase>,
}

/// `[sqlite_database.NAME]`, by its `type`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase", deny_unknown_fields)]
pub enum SqliteDatabase {
    /// In a file, or in memory if no path is given.
    Spin {
        /// The file; a relative path begins at the working directory.
        path: Option<PathBuf>,
    },
    /// On a libSQL server.
    Libsql(LibSql),
}

/// A libSQL server; both keys have to be there.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LibSql {
    /// Its address.
    pub url: HttpUrl,
    /// What shows it who asks; may be empty.
    pub token: Token,
}

/// A URL that begins with `http://` or `https://`: Spin speaks nothing else to a database.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct HttpUrl(pub String);

impl TryFrom<String> for HttpUrl {
    type Error = String;

    fn try_from(url: String) -> Result<Self, String> {
        match url.starts_with("https://") || url.starts_with("http://") {
            true => Ok(Self(url)),
            false => Err(format!(
                "unexpected libSQL URL '{url}': it must begin with 'https://' or 'http://'"
            )),
        }
    }
}

/// A secret, which is never shown.
#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct Token(pub String);

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

/// `[outbound_networking]`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutboundNetworking {
    /// Networks that no request may reach.
    #[serde(default)]
    pub block_networks: Vec<BlockedNetwork>,
}

/// `[outbound_http]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutboundHttp {
    /// Whether connections are kept. As in Spin, a table that does not say so turns it off.
    #[serde(default)]
    pub connection_pooling: bool,
}

impl RuntimeConfig {
    /// Parses the file.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }

    /// Whether outbound connections are kept for the next request.
    pub fn keeps_connections(&self) -> bool {
        self.outbound_http.as_ref().is_none_or(|http| http.connection_pooling)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::networks::is_blocked;

    #[test]
    fn the_known_tables_are_read() {
        let config = RuntimeConfig::parse(
            "[outbound_networking]\nblock_networks = [\"private\", \"1.1.1.1/32\"]\n\
             [outbound_http]\nconnection_pooling = true\n",
        )
        .unwrap();
        assert_eq!(config.outbound_networking.block_networks.len(), 2);
        assert!(config.keeps_connections());
    }

    #[test]
    fn a_database_is_where_its_table_says() {
        let config = RuntimeConfig::parse(
            "[sqlite_database.default]\ntype = \"libsql\"\nurl = \"https://db.example\"\n\
             token = \"canary\"\n[sqlite_database.other]\ntype = \"spin\"\npath = \"a.db\"\n\
             [sqlite_database.third]\ntype = \"spin\"\n",
        )
        .unwrap();
        let [default, other, third] =
            ["default", "other", "third"].map(|name| &config.sqlite_database[name]);
        let SqliteDatabase::Libsql(database) = default else { panic!("{default:?}") };
        assert_eq!(
            (database.url.0.as_str(), database.token.0.as_str()),
            ("https://db.example", "canary")
        );
        assert_eq!(other, &SqliteDatabase::Spin { path: Some("a.db".into()) });
        assert_eq!(third, &SqliteDatabase::Spin { path: None });
        assert!(!format!("{config:?}").contains("canary"));
    }

    #[test]
    fn pooling_is_on_without_the_table_and_off_with_an_empty_one() {
        assert!(RuntimeConfig::parse("").unwrap().keeps_connections());
        assert!(!RuntimeConfig::parse("[outbound_http]").unwrap().keeps_connections());
    }

    #[test]
    fn unknown_keys_are_refused_by_name() {
        for (text, key) in [
            ("[llm_compute]", "llm_compute"),
            ("[outbound_networking]\nblock_network = []", "block_network"),
            ("[outbound_networking]\nblock_networks = [\"home\"]", "home"),
            ("[outbound_http]\nmax_connections = 3", "max_connections"),
            ("[sqlite_database.default]\ntype = \"mysql\"", "mysql"),
            (
                "[sqlite_database.default]\ntype = \"spin\"\nallow_attach_file = true",
                "allow_attach",
            ),
            ("[sqlite_database.default]\ntype = \"libsql\"\nurl = \"http://a\"", "token"),
            (
                "[sqlite_database.default]\ntype = \"libsql\"\nurl = \"libsql://a\"\ntoken = \"t\"",
                "libsql://a",
            ),
            (
                "[sqlite_database.default]\ntype = \"libsql\"\nurl = \"http://a\"\ntoken = \"t\"\npath = \"x\"",
                "path",
            ),
        ] {
            let error = RuntimeConfig::parse(text).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
    }

    /// What ships for deployments.
    fn shipped() -> RuntimeConfig {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../runtime-config.toml");
        RuntimeConfig::parse(&std::fs::read_to_string(file).unwrap()).unwrap()
    }

    #[test]
    fn what_ships_blocks_every_form_of_a_private_address() {
        let networks = shipped().outbound_networking.block_networks;
        for inner in [
            "127.0.0.1",
            "127.255.255.254",
            "0.0.0.0",
            "0.255.0.1",
            "10.0.0.1",
            "10.255.255.255",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.0.1",
            "192.168.255.255",
            "169.254.169.254",
            "100.64.0.1",
            "100.100.100.200",
            "100.127.255.255",
            "168.63.129.16",
            "192.0.0.192",
            "198.18.0.1",
            "198.19.255.255",
            "224.0.0.1",
            "239.255.255.255",
            "240.0.0.1",
            "255.255.255.255",
        ] {
            let v4: std::net::Ipv4Addr = inner.parse().unwrap();
            let (high, low) = (u32::from(v4) >> 16, u32::from(v4) & 0xffff);
            for form in [
                inner.to_owned(),
                format!("::{inner}"),
                format!("::ffff:{inner}"),
                format!("::ffff:0:{inner}"),
                format!("64:ff9b::{inner}"),
                format!("64:ff9b:1::{inner}"),
                format!("2002:{high:x}:{low:x}::1"),
            ] {
                assert!(is_blocked(&networks, form.parse().unwrap()), "{form}");
            }
        }
    }

    #[test]
    fn what_ships_blocks_what_is_no_host_and_nothing_public() {
        let networks = shipped().outbound_networking.block_networks;
        for address in [
            "::1",
            "::",
            "fe80::1",
            "fec0::1",
            "fc00::1",
            "fd00:ec2::254",
            "ff02::1",
            "ff0e::1",
            "100::1",
            "2001::1",
            "2001:20::1",
            "2001:db8::1",
            "3fff:1::1",
            "4000::1",
            "5f00::1",
            "8000::1",
            "c000::1",
            "e000::1",
            "f000::1",
            "f800::1",
            "fe00::1",
            "192.88.99.1",
            "203.0.113.1",
        ] {
            assert!(is_blocked(&networks, address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "8.8.8.8",
            "100.128.0.1",
            "169.253.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "223.255.255.255",
            "2001:4860:4860::8888",
            "2606:4700:4700::1111",
            "2a00:1450:4001::1",
            "64:ff9b::1.1.1.1",
            "64:ff9b::8.8.8.8",
            "64:ff9b::172.32.0.1",
            "::ffff:8.8.8.8",
        ] {
            assert!(!is_blocked(&networks, address.parse().unwrap()), "{address}");
        }
    }
}
