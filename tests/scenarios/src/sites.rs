//! A web server for a reader's tests that sends exactly the bytes it is told to, also wrong ones.

use anyhow::Result;
use std::collections::HashMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinHandle;

/// What a path answers.
#[derive(Debug, Clone)]
pub enum Site {
    /// A head without its last empty line, and a body, with the length that it has.
    Whole(String, Vec<u8>),
    /// A head and a piece of body that is sent again and again, without end.
    Endless(String, Vec<u8>),
    /// A head and a body of which one byte comes at a time, with pauses, without end.
    Dripping(String, u8),
    /// Nothing is ever sent.
    Silent,
    /// Another answer, once the gate has a permit.
    Held(Arc<Semaphore>, Box<Site>),
}

impl Site {
    /// A page of this content type.
    pub fn page(content_type: &str, body: impl Into<Vec<u8>>) -> Site {
        Site::Whole(format!("HTTP/1.1 200 OK\r\ncontent-type: {content_type}"), body.into())
    }

    /// A redirect.
    pub fn redirect(to: &str) -> Site {
        Site::Whole(format!("HTTP/1.1 302 Found\r\nlocation: {to}"), Vec::new())
    }
}

/// The server; dropping it ends it. What it does not know is 404.
pub struct Sites {
    address: SocketAddr,
    asked: watch::Sender<Vec<String>>,
    server: JoinHandle<()>,
}

impl Sites {
    /// Serves these paths.
    pub async fn start<P: Into<String>>(
        sites: impl IntoIterator<Item = (P, Site)>,
    ) -> Result<Sites> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let sites: HashMap<String, Site> =
            sites.into_iter().map(|(path, site)| (path.into(), site)).collect();
        let (sites, asked) = (Arc::new(sites), watch::Sender::new(Vec::new()));
        let log = asked.clone();
        let server = tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, sites.clone(), log.clone()));
            }
        });
        Ok(Sites { address, asked, server })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// The paths with queries that were asked for so far, in order.
    pub fn asked(&self) -> Vec<String> {
        self.asked.borrow().clone()
    }

    /// How often a path was asked for so far, whatever the query.
    pub fn count(&self, path: &str) -> usize {
        count(&self.asked.borrow(), path)
    }

    /// Waits until a path was asked for so often.
    pub async fn until_asked(&self, path: &str, times: usize) {
        // The sender lives as long as this does, so there is always an end.
        _ = self.asked.subscribe().wait_for(|asked| count(asked, path) >= times).await;
    }
}

impl Drop for Sites {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn answer(
    stream: TcpStream,
    sites: Arc<HashMap<String, Site>>,
    asked: watch::Sender<Vec<String>>,
) {
    let mut stream = BufReader::new(stream);
    let mut path = String::new();
    loop {
        let mut line = String::new();
        match stream.read_line(&mut line).await {
            Ok(0) | Err(_) => return,
            Ok(_) if line.trim().is_empty() => break,
            Ok(_) if path.is_empty() => {
                path = line.split_whitespace().nth(1).unwrap_or_default().to_owned();
            }
            Ok(_) => {}
        }
    }
    let bare = path.split('?').next().unwrap_or_default();
    let site = sites.get(path.as_str()).or_else(|| sites.get(bare)).cloned();
    asked.send_modify(|asked| asked.push(path));
    // A reader that leaves early is what some of these are for.
    _ = send(stream.into_inner(), site).await;
}

fn count(asked: &[String], path: &str) -> usize {
    asked.iter().filter(|asked| asked.split('?').next() == Some(path)).count()
}

async fn send(mut stream: TcpStream, site: Option<Site>) -> std::io::Result<()> {
    const CLOSE: &str = "\r\nconnection: close\r\n\r\n";
    match site {
        None => {
            let head = "HTTP/1.1 404 Not Found\r\ncontent-length: 0";
            stream.write_all(format!("{head}{CLOSE}").as_bytes()).await
        }
        Some(Site::Whole(head, body)) => {
            let head = format!("{head}\r\ncontent-length: {}{CLOSE}", body.len());
            stream.write_all(head.as_bytes()).await?;
            stream.write_all(&body).await?;
            stream.shutdown().await
        }
        Some(Site::Endless(head, piece)) => {
            stream.write_all(format!("{head}{CLOSE}").as_bytes()).await?;
            loop {
                stream.write_all(&piece).await?;
            }
        }
        Some(Site::Dripping(head, byte)) => {
            stream.write_all(format!("{head}{CLOSE}").as_bytes()).await?;
            // The pause is what the site does, not something that a test waits for.
            let mut clock = tokio::time::interval(std::time::Duration::from_secs(1));
            loop {
                clock.tick().await;
                stream.write_all(&[byte]).await?;
            }
        }
        Some(Site::Silent) => std::future::pending().await,
        Some(Site::Held(gate, site)) => {
            // Nobody closes the gate.
            if let Ok(permit) = gate.acquire().await {
                permit.forget();
            }
            Box::pin(send(stream, Some(*site))).await
        }
    }
}
