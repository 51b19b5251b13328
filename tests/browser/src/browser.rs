//! A headless Chromium of one's own, with one page.

use anyhow::{Context, Result, anyhow, bail};
use bytes::Bytes;
use http_body_util::{BodyExt, Full};
use hyper::{Method, Request, Response};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use std::env;
use std::future::Future;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;
use thirtyfour::common::command::FormatRequestData;
use thirtyfour::error::{WebDriverError, WebDriverResult};
use thirtyfour::session::http::{Body, HttpClient};
use thirtyfour::{By, Capabilities, RequestData, SessionId, TypingData, WebDriver, WebElement};
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

pub use thirtyfour::Key;

/// How long a condition may take to come true before its test fails: no test waits for so long otherwise, however slow
/// the machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// A browser with one page. Close it at the end of a test.
pub struct Browser {
    driver: WebDriver,
    // Ends with the browser, as does its profile.
    _process: Child,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser. None when none is installed: then the test is skipped, and says so,
    /// unless `QUARRY_REQUIRE_BROWSER=1` makes that a failure.
    pub async fn launch() -> Result<Option<Browser>> {
        let programs = chromium();
        let (false, Some(driver)) = (programs.is_empty(), find(&["chromedriver"])) else {
            let missing = "chromium and chromedriver are not both installed (on Debian: apt-get install chromium chromium-driver)";
            if env::var("QUARRY_REQUIRE_BROWSER").is_ok_and(|value| value == "1") {
                bail!("{missing}, and QUARRY_REQUIRE_BROWSER=1 asks for them");
            }
            // Written past the test harness, which keeps to itself what is printed.
            writeln!(std::io::stderr(), "SKIPPED a browser test: {missing}")?;
            return Ok(None);
        };
        let profile = tempfile::tempdir()?;
        let (process, port) = start_driver(&driver).await?;
        let url = format!("http://127.0.0.1:{port}");
        let driver = session(&url, &programs, profile.path()).await?;
        driver.set_script_timeout(PATIENCE).await?;
        Ok(Some(Browser { driver, _process: process, _profile: profile }))
    }

    /// Opens an address.
    pub async fn open(&self, url: &str) -> Result<()> {
        self.driver.goto(url).await.with_context(|| format!("cannot open {url}"))
    }

    /// Opens an address in another tab of this browser, which is shown from then on.
    pub async fn open_tab(&self, url: &str) -> Result<()> {
        let tab = self.driver.new_tab().await?;
        self.driver.switch_to_window(tab).await?;
        self.open(url).await
    }

    /// Shows the tab that was opened as this one, from 0.
    pub async fn show_tab(&self, at: usize) -> Result<()> {
        let tabs = self.driver.windows().await?;
        let tab = tabs.into_iter().nth(at).context("there is no such tab")?;
        Ok(self.driver.switch_to_window(tab).await?)
    }

    /// Loads the page again.
    pub async fn reload(&self) -> Result<()> {
        Ok(self.driver.refresh().await?)
    }

    /// Ends the browser.
    pub async fn close(self) -> Result<()> {
        Ok(self.driver.quit().await?)
    }

    /// The value of a JavaScript expression.
    pub async fn eval(&self, expression: &str) -> Result<Value> {
        let script = format!("return ({expression});");
        let value = self.driver.execute(script, Vec::new()).await;
        Ok(value.with_context(|| format!("cannot evaluate {expression}"))?.json().clone())
    }

    /// The value of an `async` JavaScript function's body.
    pub async fn run(&self, body: &str) -> Result<Value> {
        let script = format!(
            "const done = arguments[arguments.length - 1];
             (async () => {{ {body} }})().then((value) => done({{ value }}), (error) => done({{ error: String(error?.stack ?? error) }}));"
        );
        let outcome = self.driver.execute_async(script, Vec::new()).await?.json().clone();
        match outcome.get("error") {
            Some(error) => Err(anyhow!("in the page: {error}")),
            None => Ok(outcome.get("value").cloned().unwrap_or_default()),
        }
    }

    /// Waits until an expression is true: looks again whenever the page changes, and at what
    /// changes no element (the focus, a field's text, the address, a scroll).
    pub async fn until(&self, expression: &str) -> Result<()> {
        let body = format!(
            "const holds = () => {{ try {{ return Boolean({expression}); }} catch {{ return false; }} }};
             if (holds()) return;
             await new Promise((resolve) => {{
               const ended = new AbortController();
               const look = () => {{ if (holds()) {{ observer.disconnect(); ended.abort(); resolve(); }} }};
               const observer = new MutationObserver(look);
               observer.observe(document, {{ subtree: true, childList: true, characterData: true, attributes: true }});
               const heard = {{ capture: true, signal: ended.signal }};
               for (const name of ['focusin', 'focusout', 'input', 'popstate', 'scroll', 'toggle', 'resize'])
                 window.addEventListener(name, look, heard);
             }});"
        );
        let Err(error) = self.run(&body).await else { return Ok(()) };
        let page = self.eval("document.body.innerText").await.unwrap_or_default();
        Err(error.context(format!("never came true: {expression}\nthe page says: {page}")))
    }

    /// Waits until an element's text is this, or holds this.
    pub async fn until_text(&self, selector: &str, text: &str) -> Result<()> {
        let text = Value::from(text);
        self.until(&format!("document.querySelector('{selector}').textContent.includes({text})"))
            .await
    }

    /// The visible text of the first element of this selector.
    pub async fn text(&self, selector: &str) -> Result<String> {
        Ok(self.find(selector).await?.text().await?)
    }

    /// How many elements there are of this selector.
    pub async fn count(&self, selector: &str) -> Result<usize> {
        Ok(self.driver.find_all(By::Css(selector)).await?.len())
    }

    /// Clicks as a person does.
    pub async fn click(&self, selector: &str) -> Result<()> {
        self.find(selector).await?.click().await.with_context(|| format!("cannot click {selector}"))
    }

    /// Types into an element.
    pub async fn fill(&self, selector: &str, text: &str) -> Result<()> {
        Ok(self.find(selector).await?.send_keys(text).await?)
    }

    /// Types into whatever has the focus.
    pub async fn press(&self, keys: impl Into<TypingData>) -> Result<()> {
        Ok(self.driver.action_chain().send_keys(keys).perform().await?)
    }

    /// Holds a key while another is pressed.
    pub async fn chord(&self, held: Key, key: Key) -> Result<()> {
        let chain = self.driver.action_chain().key_down(held.clone());
        Ok(chain.send_keys(key.value().to_string()).key_up(held).perform().await?)
    }

    /// Lets the page's time pass; only where it is the test's.
    pub async fn advance(&self, time: Duration) -> Result<()> {
        self.run(&format!("await testClock.advance({});", time.as_millis())).await.map(|_| ())
    }

    /// Asks a question by the form.
    pub async fn ask(&self, question: &str) -> Result<()> {
        self.run("document.querySelector('#query').value = '';").await?;
        self.fill("#query", question).await?;
        self.click("#ask").await
    }

    /// Sets the window's inner size, and whether the system is dark.
    pub async fn set_view(&self, width: u32, height: u32, is_dark: bool) -> Result<()> {
        let size =
            json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": false });
        self.cdp("Emulation.setDeviceMetricsOverride", size).await?;
        let scheme = if is_dark { "dark" } else { "light" };
        let features = json!({ "features": [{ "name": "prefers-color-scheme", "value": scheme }] });
        self.cdp("Emulation.setEmulatedMedia", features).await.map(|_| ())
    }

    /// A command of the DevTools protocol.
    pub async fn cdp(&self, command: &'static str, parameters: Value) -> Result<Value> {
        let response = self.driver.cmd(DevTools { command, parameters }).await;
        Ok(response.with_context(|| format!("{command} failed"))?.value()?)
    }

    /// A picture of the window, in `target/screenshots`.
    pub async fn screenshot(&self, name: &str) -> Result<()> {
        let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
        std::fs::create_dir_all(&target)?;
        // Two frames: what was changed last is drawn.
        self.run("for (let at = 0; at < 2; at++) await new Promise(requestAnimationFrame);")
            .await?;
        Ok(self.driver.screenshot(&target.join(format!("{name}.png"))).await?)
    }

    async fn find(&self, selector: &str) -> Result<WebElement> {
        let found = self.driver.find(By::Css(selector)).await;
        found.with_context(|| format!("there is no {selector}"))
    }
}

/// A browser's program.
struct Chromium {
    file: PathBuf,
    /// What the driver calls it. By another name it would wait in vain for a first page.
    name: &'static str,
}

/// What is installed, the best first: without what is drawn around a page a browser starts in a third of the time.
fn chromium() -> Vec<Chromium> {
    let shell = find(&["chromium-headless-shell", "chrome-headless-shell"]);
    let whole = find(&["chromium", "chromium-browser", "google-chrome"]);
    let named = [(shell, "chrome-headless-shell"), (whole, "chrome")];
    named.into_iter().filter_map(|(file, name)| Some(Chromium { file: file?, name })).collect()
}

/// A session with the first of these that the driver starts: of each it knows one version, and the two need not have come
/// together.
async fn session(url: &str, programs: &[Chromium], profile: &Path) -> Result<WebDriver> {
    let mut refused = anyhow!("there is no browser");
    for program in programs {
        let capabilities = capabilities(program, profile)?;
        match WebDriver::builder(url, capabilities).client(Hyper::new()).connect().await {
            Ok(driver) => return Ok(driver),
            Err(error) => {
                let file = program.file.display();
                refused = anyhow!(error).context(format!("{file} did not start"));
            }
        }
    }
    Err(refused)
}

fn find(names: &[&str]) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    let places: Vec<PathBuf> = env::split_paths(&path).collect();
    names
        .iter()
        .flat_map(|name| places.iter().map(move |place| place.join(name)))
        .find(|file| file.is_file())
}

fn capabilities(program: &Chromium, profile: &Path) -> Result<Capabilities> {
    let options = json!({
        "binary": program.file,
        "args": [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
            "--disable-background-networking", "--disable-component-update", "--disable-sync",
            "--disable-dev-shm-usage", "--hide-scrollbars", "--window-size=1280,900",
            "--disable-extensions", "--disable-breakpad",
            format!("--user-data-dir={}", profile.display()),
        ],
    });
    let mut capabilities = Capabilities::new();
    capabilities.set("browserName", program.name)?;
    capabilities.set("goog:chromeOptions", options)?;
    Ok(capabilities)
}

/// How often a driver is started: one that is to choose its port tries the same for both kinds of
/// addresses, and ends when the second is taken.
const STARTS: usize = 5;

async fn start_driver(program: &Path) -> Result<(Child, u16)> {
    for _ in 1..STARTS {
        if let Some(started) = try_start_driver(program).await? {
            return Ok(started);
        }
    }
    try_start_driver(program).await?.context("chromedriver ended before it was ready")
}

/// Starts a driver on a port that it chooses itself, and says which; none when it ended at once.
async fn try_start_driver(program: &Path) -> Result<Option<(Child, u16)>> {
    let mut process = Command::new(program)
        .arg("--port=0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .kill_on_drop(true)
        .spawn()
        .with_context(|| format!("cannot start {}", program.display()))?;
    let output = process.stdout.take().context("chromedriver has no output")?;
    let mut lines = BufReader::new(output).lines();
    while let Some(line) = lines.next_line().await? {
        let port = line.split_once("started successfully on port ").map(|(_, port)| port);
        let Some(port) = port.and_then(|port| port.trim_end_matches('.').parse().ok()) else {
            continue;
        };
        // Whatever else it prints must not block it.
        tokio::spawn(async move { while let Ok(Some(_)) = lines.next_line().await {} });
        return Ok(Some((process, port)));
    }
    Ok(None)
}

#[derive(Debug)]
struct DevTools {
    command: &'static str,
    parameters: Value,
}

impl FormatRequestData for DevTools {
    fn format_request(&self, session: &SessionId) -> RequestData {
        RequestData::new(Method::POST, format!("session/{session}/goog/cdp/execute"))
            .add_body(json!({ "cmd": self.command, "params": self.parameters }))
    }
}

/// The HTTP client of the driver's crate, on hyper.
struct Hyper(Client<HttpConnector, Full<Bytes>>);

impl Hyper {
    fn new() -> Hyper {
        Hyper(Client::builder(TokioExecutor::new()).build_http())
    }

    async fn exchange(&self, request: Request<Body<'_>>) -> WebDriverResult<Response<Bytes>> {
        let failed = |error: String| WebDriverError::RequestFailed(error);
        let request = request.map(|body| match body {
            Body::Empty => Full::default(),
            Body::Json(value) => Full::from(value.to_string()),
        });
        let response = self.0.request(request).await.map_err(|error| failed(error.to_string()))?;
        let (head, body) = response.into_parts();
        let body = body.collect().await.map_err(|error| failed(error.to_string()))?;
        Ok(Response::from_parts(head, body.to_bytes()))
    }
}

type Boxed<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

impl HttpClient for Hyper {
    fn send<'client, 'body, 'call>(
        &'client self,
        request: Request<Body<'body>>,
    ) -> Boxed<'call, WebDriverResult<Response<Bytes>>>
    where
        'client: 'call,
        'body: 'call,
        Self: 'call,
    {
        Box::pin(self.exchange(request))
    }

    fn new<'client, 'call>(&'client self) -> Boxed<'call, Arc<dyn HttpClient>>
    where
        'client: 'call,
        Self: 'call,
    {
        Box::pin(async { Arc::new(Hyper::new()) as Arc<dyn HttpClient> })
    }
}
