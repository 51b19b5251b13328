//! Files of HTML, served as a web server would: gzipped ones as gzip.

use anyhow::{Context, Result};
use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::collections::HashMap;
use std::convert::Infallible;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A file to read.
#[derive(Debug, Clone)]
pub struct PageFile {
    /// The file's name without its extensions.
    pub name: String,
    path: PathBuf,
    gzip: bool,
}

/// The pages of a folder, by name.
pub fn find(folder: &Path) -> Result<Vec<PageFile>> {
    let entries =
        std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut pages = Vec::new();
    for entry in entries {
        let path = entry?.path();
        let Some(file) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let gzip = file.ends_with(".html.gz");
        if let Some(name) = file.strip_suffix(".html.gz").or_else(|| file.strip_suffix(".html")) {
            pages.push(PageFile { name: name.to_owned(), gzip, path: path.clone() });
        }
    }
    pages.sort_by(|one, other| one.name.cmp(&other.name));
    Ok(pages)
}

/// Serves the files on a free port of this machine; dropping it ends it.
pub struct FileServer {
    address: SocketAddr,
    task: JoinHandle<()>,
}

impl FileServer {
    /// Starts it.
    pub async fn start(pages: &[PageFile]) -> Result<FileServer> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let address = listener.local_addr()?;
        let files: HashMap<String, PageFile> =
            pages.iter().map(|page| (path(&page.name), page.clone())).collect();
        let task = tokio::spawn(serve(listener, Arc::new(files)));
        Ok(FileServer { address, task })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// A page's address.
    pub fn url(&self, page: &PageFile) -> String {
        format!("http://{}{}", self.address, path(&page.name))
    }
}

impl Drop for FileServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// A name may hold what an address may not.
fn path(name: &str) -> String {
    let encoded: String = url::form_urlencoded::byte_serialize(name.as_bytes()).collect();
    format!("/{encoded}.html")
}

async fn serve(listener: TcpListener, files: Arc<HashMap<String, PageFile>>) {
    while let Ok((stream, _)) = listener.accept().await {
        // Times are measured: none of them may be the wait for an acknowledgement.
        _ = stream.set_nodelay(true);
        let files = files.clone();
        tokio::spawn(async move {
            let service = service_fn(move |request: Request<Incoming>| {
                let response = answer(files.get(request.uri().path()));
                async move { Ok::<_, Infallible>(response) }
            });
            // A reader that leaves early is none of our business.
            _ = hyper::server::conn::http1::Builder::new()
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

fn answer(page: Option<&PageFile>) -> Response<Full<Bytes>> {
    let body = page.and_then(|page| Some((page, std::fs::read(&page.path).ok()?)));
    let Some((page, bytes)) = body else {
        let mut missing = Response::new(Full::new(Bytes::from_static(b"there is no such file")));
        *missing.status_mut() = StatusCode::NOT_FOUND;
        return missing;
    };
    let mut response = Response::new(Full::new(Bytes::from(bytes)));
    let headers = response.headers_mut();
    headers.insert("content-type", hyper::header::HeaderValue::from_static("text/html"));
    if page.gzip {
        headers.insert("content-encoding", hyper::header::HeaderValue::from_static("gzip"));
    }
    response
}
