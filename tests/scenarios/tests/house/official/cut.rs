//! A connection that is cut before an answer came, once.

use std::net::SocketAddr;
use std::sync::Arc;
use tokio::io::{AsyncReadExt, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

/// Stands between clients and a server. The first connection gets no byte of an answer and ends when it is told to;
/// those that follow are passed on, from when that is said.
pub struct Cut {
    pub url: String,
    ends: Arc<Semaphore>,
    came: Arc<Semaphore>,
    passes: Arc<Semaphore>,
}

impl Cut {
    /// Before this server, `http://host:port`.
    pub async fn before(url: &str) -> Cut {
        let server: SocketAddr = url.strip_prefix("http://").unwrap().parse().unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let closed = || Arc::new(Semaphore::new(0));
        let cut = Cut { url, ends: closed(), came: closed(), passes: closed() };
        let gates = (cut.ends.clone(), cut.came.clone(), cut.passes.clone());
        tokio::spawn(serve(listener, server, gates));
        cut
    }

    /// Ends the first connection.
    pub fn now(&self) {
        self.ends.add_permits(1);
    }

    /// Waits until another connection came.
    pub async fn came_again(&self) {
        self.came.acquire().await.unwrap().forget();
    }

    /// Lets those that come through from now on.
    pub fn passes(&self) {
        self.passes.add_permits(Semaphore::MAX_PERMITS);
    }
}

async fn serve(
    listener: TcpListener,
    server: SocketAddr,
    (ends, came, passes): (Arc<Semaphore>, Arc<Semaphore>, Arc<Semaphore>),
) {
    let mut is_first = true;
    while let Ok((client, _)) = listener.accept().await {
        if std::mem::take(&mut is_first) {
            let upstream = TcpStream::connect(server).await.unwrap();
            tokio::spawn(swallow(client, upstream, ends.clone()));
        } else {
            came.add_permits(1);
            tokio::spawn(pass(client, server, passes.clone()));
        }
    }
}

/// Passes the request on and nothing back.
async fn swallow(mut client: TcpStream, mut server: TcpStream, ends: Arc<Semaphore>) {
    let (mut from_client, _to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let mut answer = Vec::new();
    tokio::select! {
        _ = tokio::io::copy(&mut from_client, &mut to_server) => {}
        _ = from_server.read_to_end(&mut answer) => {}
        _ = ends.acquire() => {}
    }
}

async fn pass(mut client: TcpStream, server: SocketAddr, passes: Arc<Semaphore>) {
    let _passes = passes.acquire().await.unwrap();
    let mut server = TcpStream::connect(server).await.unwrap();
    // Either end may leave as it likes.
    let _ = copy_bidirectional(&mut client, &mut server).await;
}
