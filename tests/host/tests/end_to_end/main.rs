//! The whole host with the test guest in it, over HTTP.
#![expect(clippy::unwrap_used, reason = "helpers of tests, where a panic is the report")]

mod calls;
mod outside;
mod stores;

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::Duration;

use http_body_util::BodyExt as _;
use outside::{Outside, empty, open, parts, post};
use quarry_host::{Host, HostBuilder, Reuse, RunningHost};
use tempfile::TempDir;

const MANIFEST: &str = r#"
spin_manifest_version = 2
[application]
name = "guests"
[variables]
plain = { default = "a default" }
[[trigger.http]]
route = "/..."
component = "front"
[[trigger.http]]
route = "/named/:who"
component = "front"
[[trigger.http]]
route = { private = true }
component = "back"
[component.front]
source = "GUEST"
key_value_stores = ["default"]
sqlite_databases = ["default"]
allowed_outbound_hosts = ["http://back.spin.internal", "*://127.0.0.1:*", "http://nobody.spin.internal", "http://public.example:*", "http://localhost:*"]
environment = { COLOUR = "green" }
[component.front.variables]
plain = "<{{ plain }}>"
[component.back]
source = "GUEST"
allowed_outbound_hosts = ["http://self"]
"#;

/// The built guest; built once, by the same cargo that runs the tests.
fn guest() -> &'static Path {
    static GUEST: OnceLock<PathBuf> = OnceLock::new();
    GUEST.get_or_init(|| {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let target = root.join("target/components");
        let built = Command::new(env!("CARGO"))
            .current_dir(&root)
            .args(["build", "--quiet", "-p", "quarry-host-guest", "--profile", "quick"])
            .args(["--target", "wasm32-wasip2", "--target-dir"])
            .arg(&target)
            .status()
            .unwrap();
        assert!(built.success(), "the guest does not build");
        target.join("wasm32-wasip2/quick/quarry_host_guest.wasm").canonicalize().unwrap()
    })
}

fn cache() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/host-cache")
}

struct Fixture {
    directory: TempDir,
}

impl Fixture {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        let manifest = MANIFEST.replace("GUEST", guest().to_str().unwrap());
        std::fs::write(directory.path().join("spin.toml"), manifest).unwrap();
        Self { directory }
    }

    fn builder(&self) -> HostBuilder {
        Host::builder(self.directory.path().join("spin.toml"))
            .cache_dir(cache())
            .max_instances(50)
            .forward_output(false)
            .capture_output(true)
    }

    fn runtime_config(&self, text: &str) -> HostBuilder {
        let file = self.directory.path().join("runtime-config.toml");
        std::fs::write(&file, text).unwrap();
        self.builder().runtime_config(file)
    }
}

async fn get(host: &RunningHost, path: &str) -> (u16, String) {
    post(format!("{}{path}", host.url()), empty()).await
}

fn ok(text: &str) -> (u16, String) {
    (200, text.to_owned())
}

fn refused(text: &str) -> (u16, String) {
    (400, text.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_find_their_component_with_spins_headers() {
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    assert_eq!(get(&host, "/hello").await, ok("hello"));
    let (status, headers) = get(&host, "/headers?q").await;
    assert_eq!(status, 200);
    assert!(headers.contains(&format!("spin-full-url: {}/headers?q\n", host.url())), "{headers}");
    assert!(headers.contains("spin-path-info: /headers\n"), "{headers}");
    let (_, headers) = get(&host, "/named/you").await;
    assert!(headers.contains("spin-path-match-who: you\n"), "{headers}");
    assert!(headers.contains("spin-matched-route: /named/:who\n"), "{headers}");
    assert_eq!(get(&host, "/.well-known/spin/health").await, ok("OK"));
    assert_eq!(get(&host, "/.well-known/spin/other").await.0, 404);
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn variables_and_environment_reach_only_those_they_are_granted_to() {
    let fixture = Fixture::new();
    let host = fixture.builder().variable("plain", "supplied").start().await.unwrap();
    assert_eq!(get(&host, "/variable?plain").await, ok("<supplied>"));
    assert_eq!(get(&host, "/variable?nope").await, refused("Error::Undefined(\"nope\")"));
    assert_eq!(get(&host, "/variable?NO").await, refused("Error::InvalidName(\"NO\")"));
    let (_, seen) = get(&host, "/fetch?http://back.spin.internal/variable?plain").await;
    assert_eq!(seen, "400 Error::Undefined(\"plain\")");
    assert_eq!(get(&host, "/environment?COLOUR").await, ok("green"));
    assert_eq!(get(&host, "/environment?PATH").await, ok(""));
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn components_call_each_other_and_survive_each_others_traps() {
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    assert_eq!(get(&host, "/fetch?http://back.spin.internal/hello").await, ok("200 hello"));
    assert_eq!(get(&host, "/fetch?http://back.spin.internal/trap").await, ok("500 "));
    assert_eq!(get(&host, "/fetch?http://back.spin.internal/hello").await, ok("200 hello"));
    let (_, headers) = get(&host, "/fetch?http://back.spin.internal/headers").await;
    assert!(headers.contains("spin-client-addr: 0.0.0.0:0\n"), "{headers}");
    // A component that does not exist traps the caller, a trap is a 500, and the next call works.
    assert_eq!(get(&host, "/fetch?http://nobody.spin.internal/").await, (500, String::new()));
    assert_eq!(get(&host, "/trap").await, (500, String::new()));
    assert_eq!(get(&host, "/hello").await, ok("hello"));
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_leave_only_for_allowed_hosts() {
    let fixture = Fixture::new();
    let mut outside = Outside::start().await;
    let host = fixture.builder().start().await.unwrap();
    assert_eq!(get(&host, &format!("/fetch?{}", outside.url("/pong"))).await, ok("200 pong"));
    assert_eq!(outside.request().await, "/pong ping");
    let denied = refused("\"ErrorCode::HttpRequestDenied\"");
    assert_eq!(get(&host, "/fetch?https://example.com/").await, denied);
    assert_eq!(get(&host, "/fetch?http://front.spin.internal/hello").await, denied);
    assert_eq!(get(&host, "/fetch?http://self.alt/hello").await, denied);
    // `back` may call the application itself, and nothing else.
    let through_back = |url: &str| format!("/fetch?http://back.spin.internal/fetch?{url}");
    let own = get(&host, &through_back("http://self.alt/hello")).await;
    assert_eq!(own, ok("200 200 hello"));
    let other = get(&host, &through_back(&outside.url("/pong"))).await;
    assert_eq!(other, ok("400 \"ErrorCode::HttpRequestDenied\""));
    assert_eq!(get(&host, "/fetch?http://localhost.example:1/").await, denied);
    assert_eq!(
        get(&host, "/fetch?http://127.0.0.1:1/").await,
        refused("\"ErrorCode::ConnectionRefused\"")
    );
    // The server speaks no TLS.
    let secure = outside.url("/pong").replace("http:", "https:");
    assert_eq!(
        get(&host, &format!("/fetch?{secure}")).await,
        refused("\"ErrorCode::TlsProtocolError\"")
    );
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn blocked_networks_are_out_of_reach_and_components_are_not() {
    let fixture = Fixture::new();
    let outside = Outside::start().await;
    let config = "[outbound_networking]\nblock_networks = [\"private\"]\n";
    let host = fixture.runtime_config(config).start().await.unwrap();
    assert_eq!(
        get(&host, &format!("/fetch?{}", outside.url("/pong"))).await,
        refused("\"ErrorCode::DestinationIpProhibited\"")
    );
    assert_eq!(get(&host, "/fetch?http://back.spin.internal/hello").await, ok("200 hello"));
    assert_eq!(outside.connections(), 0);
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn names_that_resolve_into_blocked_networks_are_out_of_reach() {
    let fixture = Fixture::new();
    let outside = Outside::start().await;
    let port = outside.url("").rsplit(':').next().unwrap().to_owned();
    let loopback = [std::net::IpAddr::from([127, 0, 0, 1])];
    let blocked = "[outbound_networking]\nblock_networks = [\"private\"]\n";
    let prohibited = refused("\"ErrorCode::DestinationIpProhibited\"");
    for (config, expected) in [(blocked, prohibited), ("", ok("200 pong"))] {
        let builder = fixture.runtime_config(config).name("public.example", loopback);
        let host = builder.start().await.unwrap();
        // One name from the hosts of the host, one from the system's resolver.
        for name in ["public.example", "localhost"] {
            let answer = get(&host, &format!("/fetch?http://{name}:{port}/pong")).await;
            assert_eq!(answer, expected, "{name} with {config:?}");
        }
        host.shutdown().await;
    }
    // Nothing was even connected to while the network was blocked.
    assert_eq!(outside.connections(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_waits_no_longer_than_it_asked_for() {
    let fixture = Fixture::new();
    let outside = Outside::start().await;
    let host = fixture.builder().start().await.unwrap();
    let late = refused("\"ErrorCode::ConnectionReadTimeout\"");
    assert_eq!(get(&host, &format!("/hurry?{}", outside.url("/hang"))).await, late);
    assert_eq!(get(&host, &format!("/hurry?{}", outside.url("/stall"))).await, late);
    assert_eq!(get(&host, &format!("/patient?{}", outside.url("/pong"))).await, ok("200 pong"));
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_are_kept_unless_the_runtime_configuration_says_otherwise() {
    let fixture = Fixture::new();
    for (config, connections) in [("", 1), ("[outbound_http]\n", 3)] {
        let outside = Outside::start().await;
        let host = fixture.runtime_config(config).start().await.unwrap();
        for _ in 0..3 {
            let path = format!("/fetch?{}", outside.url("/pong"));
            assert_eq!(get(&host, &path).await, ok("200 pong"));
        }
        assert_eq!(outside.connections(), connections, "{config:?}");
        host.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn parts_of_a_stream_pass_one_by_one_in_both_directions() {
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    let (sender, body) = parts();
    let mut reply = open(format!("{}/echo", host.url()), body).await.into_body();
    // Each part must have come back before the next one leaves.
    for part in ["one", "two", "three"] {
        sender.send(part).await.unwrap();
        let frame = reply.frame().await.unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), part);
    }
    drop(sender);
    assert!(reply.frame().await.is_none());
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_that_answers_without_reading_costs_its_client_the_connection() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    let authority = host.url().trim_start_matches("http://").to_owned();
    let part = vec![b'x'; 64 * 1024];
    let head = |path: &str| {
        let length = 2 * part.len();
        format!("POST {path} HTTP/1.1\r\nhost: {authority}\r\ncontent-length: {length}\r\n\r\n")
    };
    let half_sent = async |path: &str| {
        let mut client = tokio::net::TcpStream::connect(&authority).await?;
        client.write_all(head(path).as_bytes()).await?;
        client.write_all(&part).await?;
        Ok::<_, std::io::Error>(client)
    };
    // One that reads: the answer has begun, whatever is still to be sent.
    let mut client = half_sent("/echo").await.unwrap();
    assert!(client.read(&mut [0; 1024]).await.unwrap() > 0);
    client.write_all(&part).await.unwrap();

    // One that does not. How much of the answer comes before the reset, or of the request is still
    // taken, is a race that every client of a real server runs too.
    let ended = async {
        let mut client = half_sent("/hello").await?;
        client.read_to_end(&mut Vec::new()).await
    };
    let error = ended.await.unwrap_err().kind();
    use std::io::ErrorKind::{BrokenPipe, ConnectionReset};
    assert!(matches!(error, ConnectionReset | BrokenPipe), "{error}");
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_for_no_host_is_its_clients_mistake() {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    let authority = host.url().trim_start_matches("http://").to_owned();
    let mut client = tokio::net::TcpStream::connect(&authority).await.unwrap();
    client.write_all(b"GET /hello HTTP/1.1\r\nconnection: close\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    client.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 400 ") && answer.contains("no Host"), "{answer}");
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn work_goes_on_after_the_response_and_after_the_client_has_left() {
    let fixture = Fixture::new();
    let mut outside = Outside::start().await;
    let host = fixture.builder().start().await.unwrap();
    let soon = get(&host, &format!("/afterwards?{}", outside.url("/afterwards"))).await;
    assert_eq!(soon, ok("soon"));
    assert_eq!(outside.request().await, "/afterwards ping");

    let url = format!("{}/until-left?{}", host.url(), outside.url("/left"));
    let mut reply = open(url, empty()).await.into_body();
    assert!(reply.frame().await.unwrap().is_ok());
    drop(reply);
    assert_eq!(outside.request().await, "/left ping");
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn instances_are_reused_as_often_as_allowed() {
    let fixture = Fixture::new();
    // Longer than a machine stops for.
    let kept = Reuse { idle: Duration::from_mins(5), ..Reuse::default() };
    let host = fixture.builder().reuse(kept).start().await.unwrap();
    for turn in ["1", "2", "3"] {
        assert_eq!(get(&host, "/served").await, ok(turn));
    }
    host.shutdown().await;
    let once = Reuse { total: 1, ..Reuse::default() };
    let host = fixture.builder().reuse(once).start().await.unwrap();
    for _ in 0..3 {
        assert_eq!(get(&host, "/served").await, ok("1"));
    }
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_share_an_instance_while_they_wait() {
    let fixture = Fixture::new();
    let mut outside = Outside::start().await;
    let host = fixture.builder().start().await.unwrap();
    let hang = format!("{}/fetch?{}", host.url(), outside.url("/hang"));
    let waiting = tokio::spawn(post(hang, empty()));
    assert_eq!(outside.request().await, "/hang ping");
    assert_eq!(get(&host, "/served").await, ok("2"));
    waiting.abort();
    host.shutdown().await;
    let alone = Reuse { concurrent: 1, ..Reuse::default() };
    let host = fixture.builder().reuse(alone).start().await.unwrap();
    let hang = format!("{}/fetch?{}", host.url(), outside.url("/hang"));
    let waiting = tokio::spawn(post(hang, empty()));
    assert_eq!(outside.request().await, "/hang ping");
    assert_eq!(get(&host, "/served").await, ok("1"));
    waiting.abort();
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_components_print_and_how_they_fail_is_told() {
    let fixture = Fixture::new();
    let host = fixture.builder().start().await.unwrap();
    assert_eq!(get(&host, "/print?canary").await, ok("printed"));
    let text = host.output().text();
    assert!(text.contains("front: out canary\n") && text.contains("front: err canary\n"), "{text}");
    assert_eq!(get(&host, "/fetch?http://back.spin.internal/trap").await, ok("500 "));
    let text = host.output().text();
    assert!(text.contains("back: request failed"), "{text}");
    host.shutdown().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_host_ends_though_guests_are_busy_or_wait() {
    let fixture = Fixture::new();
    let mut outside = Outside::start().await;
    let host = fixture.builder().start().await.unwrap();
    let url = host.url();
    let mut requests = Vec::new();
    for (path, signal) in [("fetch", "/hang"), ("spin", "/spinning")] {
        let request = post(format!("{url}/{path}?{}", outside.url(signal)), empty());
        requests.push(tokio::spawn(request));
        assert_eq!(outside.request().await, format!("{signal} ping"));
    }
    host.shutdown().await;
    for request in requests {
        assert!(request.await.is_err(), "the request breaks off");
    }
    assert!(std::net::TcpStream::connect(url.trim_start_matches("http://")).is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_is_said_before_anything_listens() {
    let fixture = Fixture::new();
    let directory = fixture.directory.path();
    let start = |manifest: String| {
        let file = directory.join("bad.toml");
        std::fs::write(&file, manifest).unwrap();
        Host::builder(file).cache_dir(cache()).max_instances(50).start()
    };
    let whole = std::fs::read_to_string(directory.join("spin.toml")).unwrap();
    for (from, to, said) in [
        (guest().to_str().unwrap(), "missing.wasm", "missing.wasm"),
        ("a default", "a {{ default", ""),
        ("\"http://self\"", "\"self\"", "\"self\""),
        ("{{ plain }}", "{{ plane }}", "plane"),
        ("default = \"a default\"", "required = true", "SPIN_VARIABLE_PLAIN"),
    ] {
        let started = start(whole.replace(from, to)).await;
        if said.is_empty() {
            // A default is a value, not a template.
            started.unwrap().shutdown().await;
        } else {
            let error = format!("{:?}", started.unwrap_err());
            assert!(error.contains(said), "{error}");
        }
    }
}

#[tokio::test]
async fn a_runtime_with_one_thread_is_refused() {
    let fixture = Fixture::new();
    let error = fixture.builder().start().await.unwrap_err();
    assert!(error.to_string().contains("multi-threaded"), "{error}");
}

#[tokio::test]
async fn the_program_serves_until_it_is_interrupted() {
    let fixture = Fixture::new();
    let mut program = Command::new(env!("CARGO_BIN_EXE_quarry-host"))
        .args(["--listen", "127.0.0.1:0", "--manifest"])
        .arg(fixture.directory.path().join("spin.toml"))
        .env("SPIN_VARIABLE_PLAIN", "from the environment")
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(program.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let url = line.trim_end().strip_prefix("Serving ").unwrap();
    let seen = post(format!("{url}/variable?plain"), empty()).await;
    assert_eq!(seen, ok("<from the environment>"));
    let id = program.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert!(program.wait().unwrap().success());
}

#[test]
fn a_components_border_can_be_read() {
    let border = quarry_host::inspect(guest(), &cache()).unwrap();
    for import in ["spin:key-value/key-value@3.0.0", "spin:variables/variables@3.0.0"] {
        assert!(border.imports.iter().any(|name| name == import), "{border:?}");
    }
    assert!(border.exports.contains(&"wasi:http/handler@0.3.0".to_owned()), "{border:?}");
}
