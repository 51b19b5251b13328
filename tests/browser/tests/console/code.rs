//! What is on the page as a request from code: every door takes what the page says it would.

use anyhow::{Context, Result};
use quarry_browser_tests::Browser;
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::Script;
use serde_json::{Value, json};

/// A question that shells, JSON and Python each write in another way.
const QUESTION: &str = r#"What did "O'Hara's" bridge cost: $186 or \186?"#;
const SECRET: &str = "canary-access-secret-9b1d";

async fn open(page: &str, secret: &str) -> Result<Option<(Browser, Quarry)>> {
    let setup = Setup::new(Script::ordinary()).variable("default_model", "local:extractive");
    let quarry = setup.variable("access_secret", secret).start().await?;
    let Some(browser) = Browser::launch().await? else { return Ok(None) };
    browser.open(&format!("{}/console/{page}", quarry.url)).await?;
    Ok(Some((browser, quarry)))
}

async fn post(quarry: &Quarry, path: &str, body: &str) -> Result<u16> {
    let headers =
        [("content-type", "application/json"), ("accept", "application/json, text/event-stream")];
    let url = format!("{}{path}", quarry.url);
    let answer = client::send("POST", &url, &headers, body.to_owned()).await?;
    let status = answer.status.as_u16();
    answer.text().await?;
    Ok(status)
}

/// The body of a command as a shell would read it.
pub fn body_of(command: &str) -> Result<String> {
    let (_, word) = command.rsplit_once("-d '").context("no body")?;
    let word = word.strip_suffix('\'').context("no end")?;
    Ok(word.replace(r"'\''", "'"))
}

/// The request that is shown for a door.
pub async fn shown(browser: &Browser, door: &str) -> Result<String> {
    let choose = format!(
        "const door = document.querySelector('#door'); door.value = {};
         door.dispatchEvent(new Event('change')); return document.querySelector('#code pre').textContent;",
        json!(door)
    );
    Ok(browser.run(&choose).await?.as_str().context("no text")?.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn each_door_takes_the_request_that_is_shown_for_an_ask() -> Result<()> {
    let Some((browser, quarry)) = open("", "").await? else { return Ok(()) };
    browser.click("#options summary").await?;
    browser.fill("#api-key", "canary-own-key-77aa").await?;
    browser.fill("#budget", "0.25").await?;
    browser.fill("#iterations", "3").await?;
    browser.ask(QUESTION).await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.click("#code summary").await?;
    browser.until("document.querySelectorAll('#door option').length === 6").await?;
    for door in ["curl", "OpenAI: chat", "OpenAI: responses", "AI SDK", "AG-UI", "MCP"] {
        let text = shown(&browser, door).await?;
        assert!(text.contains(&quarry.url), "{door}: {text}");
        assert!(!text.contains("canary") && !text.contains("YOUR_"), "{door}: {text}");
        let is_literal = text.contains(&json!(QUESTION).to_string());
        assert_eq!(is_literal, !matches!(door, "curl" | "AG-UI" | "MCP"), "{door}: {text}");
    }
    shown(&browser, "OpenAI: chat").await?;
    browser.run("document.querySelector('#code').scrollIntoView(); return 0;").await?;
    browser.screenshot("code").await?;
    let native: Value = serde_json::from_str(&body_of(&shown(&browser, "curl").await?)?)?;
    let limits = json!({ "query": QUESTION, "budget": { "usd": 0.25 }, "max_iterations": 3, "stream": true });
    assert_eq!(native, limits);
    let asked = json!({
        "query": QUESTION, "model": "local:extractive", "budget": { "usd": 0.25 }, "max_iterations": 3,
        "sources": ["web", "knowledge"], "collection": "default", "effort": "low", "allowed_domains": ["orrin.example"], "max_tool_calls": 3,
    });
    let requests = format!(
        "const {{ ofAsk }} = await import('./code.js');
         const plain = {{ query: 'What did the Orrin Bridge cost?' }};
         return [{asked}, plain].flatMap((each) => ofAsk(each, 'http://x', false));"
    );
    let all = browser.run(&requests).await?;
    let mut taken = 0;
    for request in all.as_array().context("no requests")?.iter().filter(|it| !it["body"].is_null())
    {
        let path = request["path"].as_str().context("no path")?;
        assert_eq!(post(&quarry, path, &request["body"].to_string()).await?, 200, "{request}");
        taken += 1;
    }
    assert_eq!(taken, 12);
    browser.close().await
}

/// A request that searched more than what is on the page did would be another.
#[tokio::test(flavor = "multi_thread")]
async fn each_door_is_shown_with_the_bounds_of_the_ask_or_says_what_it_leaves_out() -> Result<()> {
    let Some((browser, _quarry)) = open("", "").await? else { return Ok(()) };
    let schema = json!({ "type": "object", "additionalProperties": false });
    let form = json!({ "type": "json_schema", "name": "cost", "schema": schema, "strict": true });
    let asked = json!({
        "query": QUESTION, "budget": { "usd": 0.25 }, "max_iterations": 3, "effort": "low",
        "allowed_domains": ["orrin.example"], "max_tool_calls": 3, "instructions": "Be brief.", "format": form,
    });
    let requests = format!(
        "const {{ ofAsk }} = await import('./code.js');
         return [{asked}, {{ query: 'Why?' }}].map((each) => ofAsk(each, 'http://x', false));"
    );
    let all = browser.run(&requests).await?;
    let of = |ask: usize, path: &str| {
        let found = all[ask].as_array()?.iter().find(|request| request["path"] == path);
        found.cloned()
    };
    let chat = json!({ "type": "json_schema", "json_schema": { "name": "cost", "schema": schema, "strict": true } });
    let limits = json!({ "budget": { "usd": 0.25 }, "max_iterations": 3 });
    let both = ["allowed_domains", "max_tool_calls"];
    for (path, places, missing) in [
        ("/ask", vec![("/budget", &limits["budget"])], vec!["effort", "instructions", "format"]),
        (
            "/v1/chat/completions",
            vec![
                ("/messages/0/content", &asked["instructions"]),
                ("/reasoning_effort", &asked["effort"]),
                ("/response_format", &chat),
                ("/quarry", &limits),
            ],
            vec![],
        ),
        (
            "/v1/responses",
            vec![
                ("/tools/0/filters/allowed_domains", &asked["allowed_domains"]),
                ("/max_tool_calls", &asked["max_tool_calls"]),
                ("/reasoning/effort", &asked["effort"]),
                ("/instructions", &asked["instructions"]),
                ("/text/format", &form),
                ("/quarry", &limits),
            ],
            vec![],
        ),
        (
            "/api/chat",
            vec![("/system", &asked["instructions"]), ("/quarry", &limits)],
            vec!["effort", "format"],
        ),
        (
            "/agui",
            vec![
                ("/messages/0/content", &asked["instructions"]),
                ("/forwardedProps/quarry", &limits),
            ],
            vec!["effort", "format"],
        ),
        (
            "/mcp",
            vec![
                ("/params/arguments/budget_usd", &limits["budget"]["usd"]),
                ("/params/arguments/effort", &asked["effort"]),
            ],
            vec!["max_iterations", "instructions", "format"],
        ),
    ] {
        let request = of(0, path).context("no request")?;
        for (place, value) in places {
            assert_eq!(request["body"].pointer(place), Some(value), "{path}: {request}");
        }
        let note = request["note"].as_str().unwrap_or_default();
        let says = |name: &&str| note.contains(*name);
        assert!(missing.iter().all(says), "{path}: {note}");
        assert_eq!(both.iter().all(says), path != "/v1/responses", "{path}: {note}");
        assert_eq!(note.contains("every site"), path != "/v1/responses", "{path}: {note}");
        // Of an ask without bounds nothing is missing, and the one door that looks in documents unless it is told is told.
        let plain = of(1, path).context("no request")?;
        let looks = plain["body"].pointer("/quarry/sources");
        let web = (path == "/v1/responses").then(|| json!(["web"]));
        assert_eq!(looks, web.as_ref(), "{path}: {plain}");
        assert!(!plain["note"].to_string().contains("leaves out"), "{path}: {plain}");
    }
    let python = of(0, "/v1/responses").context("no request")?["text"].to_string();
    assert!(python.contains("False") && !python.contains("false"), "{python}");
    browser.close().await
}

/// A host is told in words, so they are the tool's own.
#[tokio::test(flavor = "multi_thread")]
async fn what_the_tool_of_mcp_takes_is_told_and_what_it_has_no_place_for_is_named() -> Result<()> {
    let Some((browser, _quarry)) = open("", "").await? else { return Ok(()) };
    let requests = "const { ofAsk } = await import('./code.js');
         const bounds = { budget: { usd: 0.25 }, sources: ['web', 'knowledge'], collection: 'notes', effort: 'low' };
         const tokens = { budget: { tokens: 90_000 }, verify_with_model: true, sources: ['knowledge'] };
         const all = [bounds, tokens].map((each) => ofAsk({ query: 'Why?', ...each }, 'http://x', false));
         return all.map((each) => each.find(({ path }) => path === '/mcp'));";
    let all = browser.run(requests).await?;
    let how = "Then ask for it in the conversation: the tool is called research. What is set here is said there, too: ";
    let told = "budget_usd 0.25, sources both, collection notes, effort low.";
    assert_eq!(all[0]["note"], format!("{how}{told}"));
    let lack =
        "This request leaves out budget.tokens, verify_with_model: there is no place for it here.";
    assert_eq!(all[1]["note"], format!("{how}sources knowledge. {lack}"));
    let arguments = &all[1]["body"]["params"]["arguments"];
    assert_eq!(*arguments, json!({ "question": "Why?", "sources": "knowledge" }));
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_has_a_place_and_is_not_shown() -> Result<()> {
    let Some((browser, _quarry)) = open("", SECRET).await? else { return Ok(()) };
    browser.click("#options summary").await?;
    browser.fill("#access-secret", SECRET).await?;
    browser.ask("What did the Orrin Bridge cost?").await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.click("#code summary").await?;
    browser.until("document.querySelectorAll('#door option').length === 6").await?;
    for door in ["curl", "OpenAI: chat", "OpenAI: responses", "AI SDK", "AG-UI", "MCP"] {
        let text = shown(&browser, door).await?;
        assert!(text.contains("YOUR_ACCESS_SECRET") && !text.contains(SECRET), "{door}: {text}");
    }
    browser.close().await
}

/// Begins something as a program does, and gives its id.
async fn begun(quarry: &Quarry, path: &str, body: &Value, id: &str) -> Result<String> {
    let headers = [("content-type", "application/json")];
    let url = format!("{}{path}", quarry.url);
    let answer = client::send("POST", &url, &headers, body.to_string()).await?;
    let begun = answer.json().await?;
    let id = begun.get(id).and_then(Value::as_str);
    Ok(id.with_context(|| format!("nothing was begun: {begun}"))?.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn an_ask_that_the_page_did_not_send_is_shown_as_it_was_asked() -> Result<()> {
    let Some((browser, quarry)) = open("", SECRET).await? else { return Ok(()) };
    let asked = json!({
        "query": "What did the Orrin Bridge cost?", "budget": { "tokens": 90_000 }, "max_iterations": 2,
        "sources": ["web", "knowledge"], "collection": "default",
    });
    let mut sent = asked.clone();
    (sent["accessSecret"], sent["stream"]) = (json!(SECRET), json!(false));
    let id = begun(&quarry, "/ask", &sent, "id").await?;
    browser.open("about:blank").await?;
    browser.open(&format!("{}/console/#{id}", quarry.url)).await?;
    browser.until("document.body.dataset.phase === 'done'").await?;
    browser.click("#code summary").await?;
    let wants = "document.querySelector('#code pre').textContent.includes('YOUR_ACCESS_SECRET')";
    browser.until(wants).await?;
    let native: Value = serde_json::from_str(&body_of(&shown(&browser, "curl").await?)?)?;
    let mut expected = asked.clone();
    for (name, value) in [
        ("model", json!("local:extractive")),
        ("stream", json!(true)),
        ("accessSecret", json!("YOUR_ACCESS_SECRET")),
    ] {
        expected[name] = value;
    }
    assert_eq!(native, expected);
    for door in ["OpenAI: chat", "OpenAI: responses", "AI SDK", "AG-UI", "MCP"] {
        let text = shown(&browser, door).await?;
        assert!(text.contains("YOUR_ACCESS_SECRET") && !text.contains(SECRET), "{door}: {text}");
        let says = text.contains("90000") && text.contains("knowledge");
        assert_eq!(says, door != "MCP", "{door}: {text}");
    }
    browser.run("document.querySelector('#code').scrollIntoView(); return 0;").await?;
    browser.screenshot("code-reloaded").await?;
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_on_documents_is_shown_as_one() -> Result<()> {
    let Some((browser, quarry)) = open("runs/", "").await? else { return Ok(()) };
    let asked = json!({
        "task": "What did the Orrin Bridge cost?", "effort": "quick", "sources": "knowledge",
        "collection": "default",
        "guidance": "Whose \"ledger\" is it?", "models": { "read": ["local:extractive"] },
    });
    let id = begun(&quarry, "/runs", &asked, "run_id").await?;
    browser.open("about:blank").await?;
    browser.open(&format!("{}/console/runs/#{id}", quarry.url)).await?;
    browser.until("document.body.dataset.phase === 'completed'").await?;
    browser.click("#code summary").await?;
    browser.until("document.querySelectorAll('#door option').length === 3").await?;
    let body = body_of(&shown(&browser, "curl").await?)?;
    let sent: Value = serde_json::from_str(&body)?;
    assert_eq!((&sent["sources"], &sent["guidance"]), (&json!(["knowledge"]), &asked["guidance"]));
    assert_eq!(sent["collection"], "default");
    assert_eq!(post(&quarry, "/runs", &body).await?, 202);
    let call = body_of(&shown(&browser, "MCP").await?)?;
    let arguments = serde_json::from_str::<Value>(&call)?["params"]["arguments"].clone();
    assert_eq!(
        (&arguments["sources"], &arguments["context"]),
        (&json!("knowledge"), &asked["guidance"])
    );
    assert_eq!(arguments["collection"], "default");
    assert_eq!(post(&quarry, "/mcp", &call).await?, 200);
    let python = shown(&browser, "OpenAI: responses").await?;
    assert!(
        python.contains("\"sources\": [\"knowledge\"]") && python.contains("instructions=\"Whose")
    );
    assert!(python.contains("\"collection\": \"default\""), "{python}");
    browser.run("document.querySelector('#code').scrollIntoView(); return 0;").await?;
    browser.screenshot("code-run-on-documents").await?;
    browser.close().await
}

#[tokio::test(flavor = "multi_thread")]
async fn the_request_that_is_shown_for_a_run_begins_another() -> Result<()> {
    let Some((browser, quarry)) = open("runs/", "").await? else { return Ok(()) };
    browser.fill("#task", "What did the Orrin Bridge cost?").await?;
    browser.click(".effort input[value=quick]").await?;
    browser.click("#start").await?;
    browser.until("document.body.dataset.phase === 'completed'").await?;
    browser.click("#code summary").await?;
    browser.until("document.querySelectorAll('#door option').length === 3").await?;
    let body = body_of(&shown(&browser, "curl").await?)?;
    let sent: Value = serde_json::from_str(&body)?;
    assert_eq!(sent["task"], "What did the Orrin Bridge cost?");
    assert!(sent["config"]["max_nodes"].is_number(), "{sent}");
    assert_eq!(post(&quarry, "/runs", &body).await?, 202);
    let python = shown(&browser, "OpenAI: responses").await?;
    assert!(python.contains("model=\"quarry-run\",\n") && python.contains("background=True,\n"));
    assert!(python.contains("\"sources\": [\"web\"]"), "{python}");
    let call = body_of(&shown(&browser, "MCP").await?)?;
    assert_eq!(post(&quarry, "/mcp", &call).await?, 200);
    assert_eq!(serde_json::from_str::<Value>(&call)?["params"]["arguments"]["effort"], "deep");
    let record = json!({ "task": QUESTION, "model": "local:extractive", "budget": { "usd": 0.25, "tokens": null } });
    let requests = format!(
        "const {{ ofRun }} = await import('../code.js');
         return ofRun({record}, 'http://x', false);"
    );
    let all = browser.run(&requests).await?;
    for (request, status) in all.as_array().context("no requests")?.iter().zip([202, 200, 200]) {
        let path = request["path"].as_str().context("no path")?;
        let body = request["body"].to_string();
        assert!(body.contains("0.25"), "{request}");
        assert_eq!(post(&quarry, path, &body).await?, status, "{request}");
    }
    browser.run("document.querySelector('#code').scrollIntoView(); return 0;").await?;
    browser.screenshot("code-runs").await?;
    browser.close().await
}
