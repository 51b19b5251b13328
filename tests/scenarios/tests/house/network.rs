//! What the web reader refuses on the way: names that only the host can tell are inside, and
//! redirects into private networks. The built component, alone and with its door open, in the
//! local host, which can be told what a name resolves to.

use bytes::Bytes;
use http_body_util::{BodyExt as _, Full};
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use quarry_demo_web::DemoWeb;
use quarry_host::{Host, RunningHost};
use quarry_scenarios::quarry::root;
use quarry_scenarios::sites::{Site, Sites};
use serde_json::{Value, json};
use std::net::IpAddr;
use tempfile::TempDir;
use tokio::net::TcpListener;

/// Starts `web`, which is allowed `hosts`; with the network rules that ship, or with none.
async fn start(directory: &TempDir, hosts: &str, rules: bool, names: &[&str]) -> RunningHost {
    let mut host = Host::builder(root().join("spin.toml"))
        .only("web")
        .state_dir(directory.path())
        .max_instances(20)
        .forward_output(false)
        // These tests count requests for pages.
        .variable("respect_robots", "false")
        .variable("web_allowed_hosts", hosts);
    for name in names {
        host = host.name(*name, [IpAddr::from([127, 0, 0, 1])]);
    }
    if rules {
        host = host.runtime_config(root().join("runtime-config.toml"));
    }
    host.start().await.unwrap()
}

/// Calls a function of the component.
async fn call(host: &RunningHost, function: &str, parameter: &Value) -> Value {
    let request = hyper::Request::post(format!("{}{function}", host.url()))
        .header("content-type", "application/json")
        .body(Full::<Bytes>::from(parameter.to_string()))
        .unwrap();
    let client = Client::builder(TokioExecutor::new()).build_http();
    let answer = client.request(request).await.unwrap();
    assert_eq!(answer.status(), 200, "{parameter}");
    let bytes = answer.into_body().collect().await.unwrap().to_bytes();
    serde_json::from_slice(&bytes).unwrap()
}

/// Asks the door itself; the scenarios' client would have its answers documented for callers,
/// and this door is closed in what ships.
async fn read(host: &RunningHost, url: &str) -> Value {
    let parameter = json!({
        "url": url, "timeout_ms": 10_000, "max_characters": 1 << 20, "with_text": false,
    });
    call(host, "/pages/read", &parameter).await
}

fn refused<'a>(answer: &'a Value, url: &str) -> &'a str {
    let why = answer.pointer("/Err/Refused").and_then(Value::as_str);
    why.unwrap_or_else(|| panic!("{url} is not refused: {answer}"))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_public_name_that_leads_inside_is_refused_by_the_host() {
    let web = DemoWeb::start().await.unwrap();
    let port = web.address().port();
    // The reader has no objection to any of these: the host alone knows where they lead. One is
    // told to the host, one is resolved by the system, one is the address itself.
    let hosts = ["public.example", "localhost", "127.0.0.1"].map(|name| format!("{name}:{port}"));
    let directory = tempfile::tempdir().unwrap();
    for rules in [true, false] {
        let host = start(&directory, &hosts.join(","), rules, &["public.example"]).await;
        for authority in &hosts {
            let url = format!("http://{authority}/bridge-cost.html");
            let answer = read(&host, &url).await;
            if rules {
                assert!(refused(&answer, &url).contains("network rules"), "{answer}");
                assert_eq!(web.requests(), [""; 0], "{url} was asked for");
            } else {
                assert!(answer.pointer("/Ok/markdown").is_some(), "{url}: {answer}");
            }
        }
        // Without any say of the operator, on a usual port.
        if rules {
            let answer = read(&host, "http://public.example/").await;
            assert!(refused(&answer, "public.example").contains("network rules"), "{answer}");
        }
        host.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_reader_tells_whether_the_host_has_rules() {
    let directory = tempfile::tempdir().unwrap();
    for (rules, state) in [(true, "Guarded"), (false, "Open")] {
        let host = start(&directory, "", rules, &[]).await;
        assert_eq!(call(&host, "/network/state", &Value::Null).await, state);
        host.shutdown().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_hop_is_checked_again() {
    let locations = [
        "http://127.0.0.1/secret",
        "http://127.0.0.2:PORT/secret",
        "http://localhost:PORT/secret",
        "http://[::1]:PORT/secret",
        "http://[::ffff:127.0.0.1]:PORT/secret",
        "//10.0.0.1/secret",
        "http://0x7f.1/secret",
        "\\\\192.168.1.1\\secret",
        "http://169.254.169.254/latest/meta-data/",
        "http://metadata.google.internal/",
        "http://web.spin.internal/pages/read",
        "http://self/",
        "http://user@127.0.0.1:PORT/secret",
        "http://example.com:22/",
        "ftp://127.0.0.1:PORT/secret",
        "file:///etc/passwd",
    ];
    // Where nobody may come.
    let probe = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let elsewhere = probe.local_addr().unwrap().port().to_string();
    let list = locations.map(|location| location.replace("PORT", &elsewhere)).to_vec();
    // The last one leads to the first, which is allowed, and from there to what is not.
    let two_hops = list.len();
    let list = [list, vec!["/0".to_owned()]].concat();
    let redirects = list.iter().enumerate();
    let redirects = redirects.map(|(hop, location)| (format!("/{hop}"), Site::redirect(location)));
    let sites = Sites::start(redirects).await.unwrap();
    let address = sites.address();
    let directory = tempfile::tempdir().unwrap();
    let host = start(&directory, &address.to_string(), false, &[]).await;
    for (hop, location) in list.iter().enumerate() {
        let asked = sites.asked().len();
        let answer = read(&host, &format!("http://{address}/{hop}")).await;
        assert!(refused(&answer, location).starts_with("redirected"), "{location}: {answer}");
        let expected = match hop == two_hops {
            true => vec![format!("/{hop}"), "/0".to_owned()],
            false => vec![format!("/{hop}")],
        };
        assert_eq!(sites.asked().split_off(asked), expected, "{location}");
    }
    host.shutdown().await;
    // Whoever had been redirected to the other port would wait there.
    assert!(at_once(probe.accept()).is_none(), "a hop was followed");
}

/// What a future gives at once, if anything.
fn at_once<F: Future>(future: F) -> Option<F::Output> {
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    match std::pin::pin!(future).as_mut().poll(&mut context) {
        std::task::Poll::Ready(output) => Some(output),
        std::task::Poll::Pending => None,
    }
}
