//! What a libSQL server, or Spin's client of it, says when a statement fails.
//!
//! Under Spin a connection to such a server is a stream of the server's. When it is gone, each statement on the
//! connection fails, for good; what failed so was not carried out.

use crate::run::Refusal;

/// What is said of a stream that is gone: nobody used it for ten seconds, the server was started anew, or the
/// answer that had the next baton was lost.
const FORGOTTEN: [&str; 4] = [
    "STREAM_EXPIRED",
    "Received an invalid baton",
    "Received a baton that has already been used",
    "Stream for this baton was closed",
];

/// Whether a statement failed because the server no longer knows the connection. It was not carried out, and on
/// a new connection it will be.
#[must_use]
pub fn is_forgotten(message: &str) -> bool {
    FORGOTTEN.iter().any(|words| message.contains(words))
}

/// Whether a setting of a connection failed because the database is a server's, which sets it for all.
#[must_use]
pub fn is_servers_own(message: &str) -> bool {
    message.contains("unsupported statement")
}

/// SQLite's words for what a connection is not to blame for. One that is there still reads where the disk is full;
/// a new one may not even open.
const OF_STORE: [&str; 4] =
    ["constraint failed", "disk I/O error", "database or disk is full", "database is locked"];

/// Whether a statement failed by what it says or by what the disk is like, and the connection has nothing to do with it.
#[must_use]
pub fn is_of_statement(message: &str) -> bool {
    Refusal::read(message).is_some() || OF_STORE.iter().any(|words| message.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Spin 4.1 gives on libsql-server 0.24.
    #[test]
    fn a_server_says_whose_fault_it_was() {
        let expired = r#"Hrana: `api error: `{"message":"The stream has expired due to inactivity","code":"STREAM_EXPIRED"}``"#;
        assert!(is_forgotten(expired) && !is_of_statement(expired));
        for body in ["Received an invalid baton", "Received a baton that has already been used"] {
            assert!(is_forgotten(&format!("Hrana: `api error: `{body}``")), "{body}");
        }
        let error = "Hrana: `cursor error: `error at step 0: (error code: SQLITE_CONSTRAINT) `SQLite error: ";
        for words in ["run is gone", "UNIQUE constraint failed: run_entry.run_id, run_entry.n"] {
            let error = format!("{error}{words}```");
            assert_eq!(Refusal::read(&error), Some(Refusal::Lost));
            assert!(is_of_statement(&error) && !is_forgotten(&error));
        }
        let unheard = format!("{error}run was not heard```");
        assert_eq!(Refusal::read(&unheard), Some(Refusal::Unheard));
        assert!(is_of_statement(&unheard));
        for words in ["disk I/O error", "database or disk is full", "database is locked"] {
            assert!(is_of_statement(words) && Refusal::read(words).is_none(), "{words}");
        }
        let lost = "Hrana: `http error: `connection closed before message completed``";
        assert!(!is_forgotten(lost) && !is_of_statement(lost), "nobody knows what became of it");
        assert!(is_servers_own("unsupported statement"));
    }
}
