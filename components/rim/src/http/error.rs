//! Why there is no answer.

use spin_sdk::wasip3::http::types::ErrorCode;

/// Why there is no answer, or no more of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// A header has a sign that headers cannot have. A retry will not help.
    #[error("the request cannot be sent as HTTP headers")]
    Unsendable,
    /// What was given as an address is none that can be called. A retry will not help.
    #[error("the address cannot be called")]
    NoAddress,
    /// No connection in time. A retry may help.
    #[error("there was no connection in time")]
    Connect,
    /// No head of an answer in time. A retry may help.
    #[error("the answer did not begin in time")]
    FirstByte,
    /// The body fell silent. A retry may help.
    #[error("the answer fell silent for too long")]
    Silence,
    /// The time for everything is over. A retry may help.
    #[error("the answer did not come in time")]
    Total,
    /// `allowed_outbound_hosts` does not list it. A retry will not help.
    #[error("this host is not among allowed_outbound_hosts")]
    Denied,
    /// `block_networks` forbids every address that its name resolves to. A retry will not help.
    #[error("the host's network rules forbid this address")]
    Blocked,
    /// There was no connection, so nothing was sent; the words are for people. A retry may help.
    #[error("{0}")]
    Unreached(String),
    /// It broke; the words are for people. A retry may help.
    #[error("{0}")]
    Broken(String),
}

/// How far an exchange had come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Head,
    Body,
}

impl HttpError {
    /// Whether a time limit ended it.
    pub fn is_timeout(&self) -> bool {
        matches!(self, Self::Connect | Self::FirstByte | Self::Silence | Self::Total)
    }

    pub(super) fn from_code(code: ErrorCode, stage: Stage) -> Self {
        match code {
            ErrorCode::DnsTimeout | ErrorCode::ConnectionTimeout => Self::Connect,
            ErrorCode::HttpResponseTimeout => Self::FirstByte,
            // Hosts do not say what they waited for; before the head it was the first byte.
            ErrorCode::ConnectionReadTimeout | ErrorCode::ConnectionWriteTimeout => match stage {
                Stage::Head => Self::FirstByte,
                Stage::Body => Self::Silence,
            },
            ErrorCode::HttpRequestDenied => Self::Denied,
            ErrorCode::DestinationIpProhibited => Self::Blocked,
            ErrorCode::DnsError(_)
            | ErrorCode::DestinationNotFound
            | ErrorCode::DestinationUnavailable
            | ErrorCode::ConnectionRefused
            | ErrorCode::TlsCertificateError => Self::Unreached(words(&code)),
            other => Self::Broken(words(&other)),
        }
    }
}

fn words(code: &ErrorCode) -> String {
    let words = match code {
        ErrorCode::DnsError(_) | ErrorCode::DestinationNotFound => "no such host",
        ErrorCode::DestinationUnavailable => "the host cannot be reached",
        ErrorCode::ConnectionRefused => "the connection was refused",
        ErrorCode::ConnectionTerminated => "the connection was closed",
        ErrorCode::TlsCertificateError => "the server's certificate is not valid",
        ErrorCode::TlsProtocolError | ErrorCode::TlsAlertReceived(_) => "TLS failed",
        ErrorCode::HttpProtocolError => "the connection broke off, or what came is no HTTP",
        ErrorCode::HttpResponseIncomplete => "the answer broke off before its end",
        // What the host calls it means nothing to whoever reads this.
        _ => "the connection broke off",
    };
    words.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_waited_for_depends_on_how_far_it_had_come() {
        let from = HttpError::from_code;
        assert_eq!(from(ErrorCode::ConnectionReadTimeout, Stage::Head), HttpError::FirstByte);
        assert_eq!(from(ErrorCode::ConnectionReadTimeout, Stage::Body), HttpError::Silence);
        assert_eq!(from(ErrorCode::DnsTimeout, Stage::Head), HttpError::Connect);
        assert!(from(ErrorCode::HttpResponseTimeout, Stage::Head).is_timeout());
    }

    #[test]
    fn what_a_host_calls_an_error_is_told_to_nobody() {
        let codes = [
            ErrorCode::HttpProtocolError,
            ErrorCode::HttpResponseIncomplete,
            ErrorCode::InternalError(Some("hyper::Error(IncompleteMessage)".to_owned())),
        ];
        for code in codes {
            let told = HttpError::from_code(code, Stage::Body).to_string();
            assert!(!told.contains("Error") && told.contains("broke off"), "{told}");
        }
    }

    #[test]
    fn rules_of_the_host_are_told_apart_from_a_host_that_is_down() {
        let from = |code| HttpError::from_code(code, Stage::Head);
        assert_eq!(from(ErrorCode::HttpRequestDenied), HttpError::Denied);
        assert_eq!(from(ErrorCode::DestinationIpProhibited), HttpError::Blocked);
        let down = from(ErrorCode::ConnectionRefused);
        assert_eq!(down.to_string(), "the connection was refused");
        assert!(!down.is_timeout());
        assert!(matches!(down, HttpError::Unreached(_)), "nothing was sent");
        assert!(matches!(from(ErrorCode::ConnectionTerminated), HttpError::Broken(_)));
    }
}
