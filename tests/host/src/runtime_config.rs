//! `runtime-config.toml`: the part of Spin's runtime configuration that this host implements.
//! Pure; the rest is refused by name.

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
        ] {
            let error = RuntimeConfig::parse(text).unwrap_err().to_string();
            assert!(error.contains(key), "{error}");
        }
    }
}
