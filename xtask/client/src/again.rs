//! What is sent again because its answer was lost: with a key, so that it begins once.

use crate::client::{is_unanswered, with_way_out};
use crate::replies::{self, Refused};
use anyhow::{Error, Result};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher as _, Hasher as _};
use std::time::Duration;

/// The header that names what is begun once.
pub const KEY: &str = "idempotency-key";
/// Before what broke is tried again the first time; then twice as long each time.
pub const PAUSE: Duration = Duration::from_millis(500);
/// Times that it is sent again.
const MOST: u32 = 4;

/// A key that nobody guesses: the standard library's hashers are seeded by the system.
pub fn key() -> String {
    let part = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", part(), part())
}

/// How long to wait before `what` is sent again, which failed so at this try, the first of which is 1.
///
/// # Errors
/// The error, where another try would fail, too, or nothing can have begun: nobody answers there, or it was refused and no
/// try before it had broken.
pub fn pause(why: Error, tries: u32, what: &str) -> Result<Duration> {
    if tries == 1 && is_unanswered(&why) {
        return Err(with_way_out(why));
    }
    if tries == 1 && why.is::<Refused>() {
        return Err(why);
    }
    match replies::pause(&why, PAUSE * 2_u32.pow(tries.min(MOST) - 1)) {
        None => Err(why),
        Some(_) if tries > MOST => {
            Err(why.context(format!("the answer was lost before {what} had begun")))
        }
        Some(pause) => Ok(pause),
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use anyhow::anyhow;
    use hyper::StatusCode;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::{TcpListener, TcpStream};
    use tokio::task::JoinHandle;

    /// A server that answers each connection with the next of its replies and closes it; an empty one is an answer that
    /// is lost.
    pub struct Served {
        pub url: String,
        requests: JoinHandle<Vec<String>>,
    }

    impl Served {
        pub async fn begin<const N: usize>(replies: [String; N]) -> Served {
            let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
            let url = format!("http://{}", listener.local_addr().unwrap());
            let requests = tokio::spawn(async move {
                let mut requests = Vec::new();
                for reply in replies {
                    let (mut connection, _) = listener.accept().await.unwrap();
                    requests.push(request(&mut connection).await);
                    connection.write_all(reply.as_bytes()).await.unwrap();
                }
                requests
            });
            Served { url, requests }
        }

        /// What came, once each reply was taken.
        pub async fn end(self) -> Vec<String> {
            self.requests.await.unwrap()
        }
    }

    /// A refusal that may be asked again behind so many seconds.
    pub fn refusal(status: u16, seconds: u32) -> String {
        format!(
            "HTTP/1.1 {status} No\r\nretry-after: {seconds}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
    }

    async fn request(connection: &mut TcpStream) -> String {
        let mut read = String::new();
        loop {
            if let Some((head, body)) = read.split_once("\r\n\r\n") {
                let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
                if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                    return read;
                }
            }
            let mut more = [0; 4_096];
            let count = connection.read(&mut more).await.unwrap();
            assert!(count > 0, "{read}");
            read.push_str(str::from_utf8(&more[..count]).unwrap());
        }
    }

    fn refused(status: u16) -> Error {
        let status = StatusCode::from_u16(status).unwrap();
        Refused { status, message: String::new(), retry_after: None }.into()
    }

    #[test]
    fn what_broke_is_tried_a_few_times_and_longer_each_time() {
        let waits: Vec<_> = (1..=4).map(|n| pause(replies::broken(), n, "it").unwrap()).collect();
        assert_eq!(waits, [1, 2, 4, 8].map(|times| PAUSE * times));
        let told = pause(replies::broken(), 5, "the ask").unwrap_err();
        assert_eq!(told.to_string(), "the answer was lost before the ask had begun");
        assert!(pause(refused(503), 1, "it").is_err(), "nothing has begun");
        assert_eq!(pause(refused(503), 2, "it").unwrap(), PAUSE * 2);
        assert!(pause(refused(409), 2, "it").is_err());
        assert!(pause(anyhow!("x"), 1, "it").is_ok());
    }

    #[test]
    fn keys_differ_and_are_long() {
        assert_ne!(key(), key());
        assert_eq!(key().len(), 32);
    }
}
