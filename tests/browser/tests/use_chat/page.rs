//! The page: bundled as its makers do it, and served.

use anyhow::Result;
use quarry_scenarios::clients::{self, Clients};
use std::fs;
use std::sync::Arc;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::process::Command;

const HTML: &str = "<!doctype html><meta charset=\"utf-8\"><title>A page</title>\
    <div id=\"page\"></div><script src=\"/page.js\"></script>";

/// What puts the component on the page.
const ROOT: &str = r##"
import { createRoot } from "react-dom/client";
import { Research } from "./research.jsx";

createRoot(document.querySelector("#page")).render(<Research id="chat-of-a-page" />);
"##;

/// Served as long as it lives.
pub struct Page {
    pub url: String,
    server: tokio::task::JoinHandle<()>,
}

impl Page {
    /// With this component, `Research`.
    pub async fn serve(clients: &Clients, component: &str) -> Result<Page> {
        let folder = tempfile::tempdir()?;
        let script = Arc::new(bundled(clients, &folder, component).await?);
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let url = format!("http://{}/", listener.local_addr()?);
        let server = tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let script = script.clone();
                // A browser that leaves wants no answer.
                tokio::spawn(async move { answer(client, &script).await.ok() });
            }
        });
        Ok(Page { url, server })
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn bundled(clients: &Clients, folder: &TempDir, component: &str) -> Result<String> {
    let (root, made) = (folder.path().join("root.jsx"), folder.path().join("page.js"));
    fs::write(&root, ROOT)?;
    fs::write(folder.path().join("research.jsx"), component)?;
    let packages = clients.packages().join("node_modules");
    let mut esbuild = Command::new(packages.join(".bin/esbuild"));
    esbuild.env("NODE_PATH", &packages);
    let out = format!("--outfile={}", made.display());
    let production = "--define:process.env.NODE_ENV=\"production\"";
    let arguments = [clients::path(&root)?, "--bundle", "--jsx=automatic", production, &out];
    clients::run(esbuild, &arguments).await?;
    Ok(fs::read_to_string(made)?)
}

/// One request, one answer.
async fn answer(mut client: TcpStream, script: &str) -> Result<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(client.read_u8().await?);
    }
    let is_script = head.starts_with(b"GET /page.js ");
    let (kind, body) = if is_script { ("text/javascript", script) } else { ("text/html", HTML) };
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: {kind}; charset=utf-8\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    client.write_all(head.as_bytes()).await?;
    client.write_all(body.as_bytes()).await?;
    Ok(client.shutdown().await?)
}
