//! TLS for a server of a test: a key and a certificate made for it alone, which vouches for itself.

use anyhow::Result;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use std::sync::Arc;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::PrivatePkcs8KeyDer;

/// Who listens behind TLS.
pub(crate) struct Made {
    /// The certificate, in PEM.
    pub certificate: String,
    pub acceptor: TlsAcceptor,
}

/// A certificate for this machine, and what shows it.
pub(crate) fn made() -> Result<Made> {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()])?;
    let key = PrivatePkcs8KeyDer::from(made.key_pair.serialize_der());
    let certificate = made.cert.der().clone();
    let text = BASE64_STANDARD.encode(&certificate);
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()?
        .with_no_client_auth()
        .with_single_cert(vec![certificate], key.into())?;
    Ok(Made {
        certificate: format!("-----BEGIN CERTIFICATE-----\n{text}\n-----END CERTIFICATE-----\n"),
        acceptor: Arc::new(config).into(),
    })
}
