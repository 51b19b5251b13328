//! Folders and archives as users load them: by the task `ingest`, into the built components.

use quarry_ingest::screen::Screen;
use quarry_ingest::{Job, Tally, Told, load, load_into, place_name};
use quarry_scenarios::client;
use quarry_scenarios::quarry::{Quarry, Setup};
use quarry_test_provider::{Match, Phase, Reply, Script};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;

const SECRET: &str = "sesame-of-the-harbour";

fn job(quarry: &Quarry, path: &Path) -> Job {
    Job {
        path: path.to_owned(),
        url: quarry.url.clone(),
        collection: Some("manuals".to_owned()),
        secret: None,
        origin: None,
        replace: false,
    }
}

fn archived(path: &Path, files: &[(&str, &str)]) {
    let mut archive = tar::Builder::new(fs::File::create(path).unwrap());
    for (name, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap();
}

/// Two files, an archive with one more and with what is refused, and an archive that breaks off.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("north")).unwrap();
    let lamp = "---\nkeeper: Ann\nno field\n---\n# Lamp\n\nThe beacon burns whale oil.\n";
    fs::write(at("north/lamp.md"), lamp).unwrap();
    fs::write(at("tides.txt"), "Spring tides follow the full moon.\n").unwrap();
    fs::write(at("picture.xyz"), [0, 159, 146, 150]).unwrap();
    let bees = ("bees.md", "# Bees\n\nA hive winters on honey.\n");
    archived(&at("more.tar"), &[bees, ("inner.zip", "PK")]);
    fs::write(at("broken.zip"), "PK\x03\x04 and then nothing").unwrap();
    folder
}

fn refused(tally: &Tally) -> Vec<&str> {
    let mut names: Vec<&str> = tally.refused.iter().map(|one| one.name.as_str()).collect();
    names.sort_unstable();
    names
}

async fn documents(quarry: &Quarry) -> Vec<String> {
    let address = format!("{}/knowledge/documents?collection=manuals&limit=100", quarry.url);
    let open = client::send("GET", &address, &[], String::new()).await.unwrap();
    let listed = open.json().await.unwrap();
    let names = listed["documents"].as_array().unwrap().iter();
    let mut names: Vec<String> =
        names.map(|one| one["name"].as_str().unwrap().to_owned()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_folder_goes_in_once_and_what_is_refused_stops_nothing() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let folder = folder();
    let mut told = Vec::new();
    let first = load(&job(&quarry, folder.path()), &mut |one| told.push(one)).await.unwrap();
    assert_eq!((first.added, first.replaced, first.unchanged), (3, 0, 0), "{first:?}");
    assert_eq!(refused(&first), ["broken.zip", "more.tar/inner.zip", "picture.xyz"]);
    for one in &first.refused {
        let says = match one.name.as_str() {
            "broken.zip" => "it is no whole zip archive",
            "more.tar/inner.zip" => "archive within an archive",
            _ => "is of a format that is not read",
        };
        assert!(one.why.contains(says), "{one:?}");
    }
    let noted: Vec<_> = first.noted.iter().map(|one| (&*one.name, &*one.note)).collect();
    assert_eq!(noted, [("north/lamp.md", "line 3 of the front matter is not `key: value`")]);
    assert!(matches!(told[0], Told::Found { files: 5, .. }), "{:?}", told[0]);
    assert_eq!(told.len(), 6, "one line for each file: {told:?}");
    assert_eq!(documents(&quarry).await, ["more.tar/bees.md", "north/lamp.md", "tides.txt"]);

    let again = load(&job(&quarry, folder.path()), &mut |_| {}).await.unwrap();
    assert_eq!((again.added, again.unchanged), (0, 3), "the same bytes again change nothing");
    assert!(again.noted.is_empty(), "it was told when they came");
    fs::write(folder.path().join("tides.txt"), "Neap tides follow the quarters.\n").unwrap();
    let changed = load(&job(&quarry, folder.path()), &mut |_| {}).await.unwrap();
    assert_eq!((changed.replaced, changed.unchanged), (1, 2));
}

/// By the server, by the task before it is read, within an archive, and an archive as a whole; and what is hidden is none.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bar_reaches_its_end_whatever_is_refused() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let folder = folder();
    let at = |name: &str| folder.path().join(name);
    // A file may have 20 MiB.
    fs::File::create(at("long.md")).unwrap().set_len(21 << 20).unwrap();
    let hidden = "It is not loaded. ".repeat(999);
    archived(
        &at("twice.tar"),
        &[("a.md", "# A\n"), ("a.md", "# B\n"), (".hidden.md", hidden.as_str())],
    );
    let mut told = Vec::new();
    let tally = load(&job(&quarry, folder.path()), &mut |one| told.push(one)).await.unwrap();
    let names = ["broken.zip", "long.md", "more.tar/inner.zip", "picture.xyz", "twice.tar/a.md"];
    assert_eq!((tally.added, refused(&tally)), (4, names.to_vec()), "{tally:?}");

    let mut screen = Screen::new(Some(80));
    let bars = told.iter().map(|one| screen.tell(one, Duration::ZERO));
    let full = format!("[{}] 8/8 files, ", "#".repeat(24));
    let shown: Vec<bool> = bars.map(|bar| bar.contains(&full)).collect();
    assert_eq!(shown.iter().position(|is_full| *is_full), Some(8), "with the last file: {told:?}");
    let [Told::Found { bytes: found, .. }, done @ ..] = told.as_slice() else { panic!("{told:?}") };
    let size = |one: &Told| if let Told::Done { bytes, .. } = one { *bytes } else { 0 };
    assert_eq!(done.iter().map(size).sum::<u64>(), *found, "and not before it");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_name_that_an_archive_has_twice_is_told_and_the_others_go_in() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manuals.tar");
    archived(
        &path,
        &[("./lamp.md", "# Lamp\n"), ("lamp.md", "# Gas\n"), ("tides.txt", "Spring tides.\n")],
    );
    let loaded = load(&job(&quarry, &path), &mut |_| {}).await.unwrap();
    assert_eq!((loaded.added, refused(&loaded)), (2, vec!["lamp.md"]), "{loaded:?}");
    let why = &loaded.refused[0].why;
    assert!(why.starts_with("another file of this name comes before it"), "{why}");
    assert_eq!(documents(&quarry).await, ["lamp.md", "tides.txt"]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_second_folder_takes_the_place_of_the_first_only_where_that_is_meant() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let [lamps, bread] = ["# Lamps\n\nWhale oil.\n", "# Bread\n\nRye dough.\n"].map(|text| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("README.md"), text).unwrap();
        folder
    });
    fs::write(bread.path().join("oven.md"), "# Oven\n\nIt is fired with beech.\n").unwrap();
    let at = |folder: &TempDir| {
        let place = folder.path().canonicalize().unwrap();
        place_name(place.as_os_str().as_encoded_bytes())
    };
    load(&job(&quarry, lamps.path()), &mut |_| {}).await.unwrap();

    let second = load(&job(&quarry, bread.path()), &mut |_| {}).await.unwrap();
    assert_eq!((second.added, refused(&second)), (1, vec!["README.md"]), "{second:?}");
    let why = &second.refused[0].why;
    let both = format!(
        "README.md is there already and comes from {}, this one from {}",
        at(&lamps),
        at(&bread)
    );
    assert!(why.starts_with(&both) && why.contains("`--replace`"), "{why}");
    let of_lamps = "GET /knowledge/documents?collection=manuals";
    let listed = client::exchanged(&quarry.url, of_lamps, &Value::Null).await.unwrap().1;
    let readme =
        listed["documents"].as_array().unwrap().iter().find(|one| one["name"] == "README.md");
    let readme = readme.unwrap();
    assert_eq!(
        (&readme["metadata"]["title"], &readme["origin"]),
        (&json!("Lamps"), &json!(at(&lamps)))
    );

    let way = lamps.path().parent().unwrap().display().to_string();
    assert!(!readme["origin"].as_str().unwrap().contains(&way), "nobody is told the way to it");

    let again = load(&job(&quarry, lamps.path()), &mut |_| {}).await.unwrap();
    assert_eq!((again.unchanged, again.refused.len()), (1, 0), "of its own folder it is the same");
    let meant = Job { replace: true, ..job(&quarry, bread.path()) };
    let meant = load(&meant, &mut |_| {}).await.unwrap();
    assert_eq!((meant.replaced, meant.unchanged, meant.refused.len()), (1, 1, 0), "{meant:?}");
    let named = Job { origin: Some(at(&bread)), ..job(&quarry, lamps.path()) };
    let named = load(&named, &mut |_| {}).await.unwrap();
    assert_eq!((named.replaced, named.refused.len()), (1, 0), "where it comes from can be named");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_files_that_say_the_same_id_the_second_is_told_and_can_be_meant() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.md"), "---\nid: M-7\n---\n# Lamps\n\nWhale oil.\n").unwrap();
    fs::write(at("b.md"), "---\nid: M-7\n---\n# Bread\n\nRye dough.\n").unwrap();
    for added in [1, 0] {
        let loaded = load(&job(&quarry, folder.path()), &mut |_| {}).await.unwrap();
        assert_eq!((loaded.added, refused(&loaded)), (added, vec!["b.md"]), "{loaded:?}");
        let why = &loaded.refused[0].why;
        assert!(why.starts_with("b.md has the same `id` as a.md"), "{why}");
    }
    assert_eq!(documents(&quarry).await, ["a.md"]);
    // What goes under another name now.
    fs::remove_file(at("a.md")).unwrap();
    let meant = Job { replace: true, ..job(&quarry, folder.path()) };
    let meant = load(&meant, &mut |_| {}).await.unwrap();
    assert_eq!((meant.replaced, meant.refused.len()), (1, 0), "{meant:?}");
    assert_eq!(documents(&quarry).await, ["b.md"]);
}

/// Files that travel together are told by the server, whatever is meant; of others the task knows.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_file_that_takes_the_place_of_another_of_its_folder_is_told_however_many_there_are() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.md"), "---\nid: M-7\n---\n# Lamps\n").unwrap();
    for number in 0..200 {
        fs::write(at(&format!("b{number:03}.md")), format!("# Number {number}\n")).unwrap();
    }
    fs::write(at("c.md"), "---\nid: M-7\n---\n# Bread\n").unwrap();
    let meant = Job { replace: true, ..job(&quarry, folder.path()) };
    let loaded = load(&meant, &mut |_| {}).await.unwrap();
    assert_eq!((loaded.added, loaded.replaced, loaded.refused.len()), (201, 1, 0));
    let noted: Vec<_> = loaded.noted.iter().map(|one| (&*one.name, &*one.note)).collect();
    let [("c.md", note)] = noted[..] else { panic!("{noted:?}") };
    assert!(note.starts_with("it took the place of a.md, which has the same `id`"), "{note}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_load_that_is_interrupted_is_gone_on_with() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    for number in 0..30 {
        let text = format!("# Number {number}\n\n{}", "Some words about it.\n\n".repeat(600));
        fs::write(folder.path().join(format!("{number:02}.md")), text).unwrap();
    }
    let (told, mut first) = tokio::sync::mpsc::unbounded_channel();
    let begun = job(&quarry, folder.path());
    let interrupted = async { while !matches!(first.recv().await, Some(Told::Done { .. })) {} };
    let mut tell = |one| drop(told.send(one));
    tokio::select! {
        loaded = load(&begun, &mut tell) => drop(loaded.unwrap()),
        () = interrupted => {}
    }
    let rest = load(&job(&quarry, folder.path()), &mut |_| {}).await.unwrap();
    // The server goes on with what it was sent, so the two may meet.
    assert_eq!((rest.files(), rest.refused.len()), (30, 0), "{rest:?}");
    assert!(rest.unchanged + rest.replaced >= 1, "{rest:?}");
    assert_eq!(documents(&quarry).await.len(), 30);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_sentence_says_why_nothing_can_go_in() {
    let folder = folder();
    let nobody = Job {
        path: folder.path().to_owned(),
        url: "http://127.0.0.1:1".to_owned(),
        collection: None,
        secret: None,
        origin: None,
        replace: false,
    };
    let why = format!("{:#}", load(&nobody, &mut |_| {}).await.unwrap_err());
    assert!(why.starts_with("no Quarry answers at http://127.0.0.1:1"), "{why}");
    assert!(why.contains("hint: start one with `cargo xtask up`"), "{why}");

    let setup = Setup::new(Script::ordinary()).variable("access_secret", SECRET);
    let quarry = setup.start().await.unwrap();
    let mut job = job(&quarry, folder.path());
    let why = format!("{:#}", load(&job, &mut |_| {}).await.unwrap_err());
    assert!(why.contains("set ACCESS_SECRET"), "{why}");
    job.secret = Some(SECRET.to_owned());
    assert_eq!(load(&job, &mut |_| {}).await.unwrap().added, 3);
    job.collection = Some("Not A Name".to_owned());
    let why = format!("{:#}", load(&job, &mut |_| {}).await.unwrap_err());
    assert!(why.contains("`collection` wants 1 to 64"), "{why}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_end_sums_up_what_embeddings_cost_also_of_what_failed() {
    let embedding = Match::Phase(Phase::Embedding);
    let script = Script::new()
        .then(embedding.clone(), [Reply::embeddings(256), Reply::embeddings(256)])
        .then(embedding.clone(), [Reply::status(400, "the input is refused")])
        .always(embedding, Reply::embeddings(256));
    let setup = Setup::new(script).variable("embedding_model", "openai:text-embedding-3-small");
    let quarry = setup.start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let section = |at: usize| format!("## Part {at}\n\n{}\n\n", format!("word{at} ").repeat(110));
    let long: String = (0..90).map(section).collect();
    fs::write(folder.path().join("1.md"), "# Lamp\n\nThe beacon burns whale oil.\n").unwrap();
    fs::write(folder.path().join("2.md"), long).unwrap();
    let first = load(&job(&quarry, folder.path()), &mut |_| {}).await.unwrap();
    assert_eq!((first.added, refused(&first)), (1, vec!["2.md"]), "{first:?}");
    let address = format!("{}/knowledge/collections/manuals/stats", quarry.url);
    let stats = client::send("GET", &address, &[], String::new()).await.unwrap();
    let paid = stats.json().await.unwrap()["paid"][0].clone();
    let (tokens, cost) = (paid["tokens"].as_u64().unwrap(), paid["cost"].as_f64().unwrap());
    let said =
        format!("embeddings: {tokens} tokens of openai:text-embedding-3-small, ${cost:.6}\n");
    assert_eq!(first.costs.lines(), said, "one reply for each of the two");
    let rest = load(&job(&quarry, folder.path()), &mut |_| {}).await.unwrap();
    assert_eq!((rest.added, rest.unchanged, rest.refused.len()), (1, 1, 0), "{rest:?}");
}

/// The rest of its vectors is held back until it was told that the first are there.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_file_tells_how_far_it_is_before_it_is_done() {
    let embedding = Match::Phase(Phase::Embedding);
    let script = Script::new()
        .then(embedding.clone(), [Reply::embeddings(256)])
        .always(embedding, Reply::embeddings(256).hold("the rest"));
    let setup = Setup::new(script).variable("embedding_model", "openai:text-embedding-3-small");
    let quarry = setup.start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let section = |at: usize| format!("## Part {at}\n\n{}\n\n", format!("word{at} ").repeat(110));
    let long: String = (0..90).map(section).collect();
    let size = long.len() as u64;
    fs::write(folder.path().join("long.md"), long).unwrap();
    let (job, mut told) = (job(&quarry, folder.path()), Vec::new());
    let mut hear = |one: Told| {
        if matches!(one, Told::Far { done: 1.., .. }) {
            quarry.provider.release("the rest");
        }
        told.push(one);
    };
    let tally = load(&job, &mut hear).await.unwrap();
    assert_eq!((tally.added, refused(&tally)), (1, vec![]), "{tally:?}");
    let [Told::Found { .. }, far @ .., Told::Done { change: "added", .. }] = told.as_slice() else {
        panic!("{told:?}")
    };
    let is_far = |one: &Told| matches!(one, Told::Far { name, bytes, done, chunks } if name == "long.md" && *bytes == size && done <= chunks);
    assert!(!far.is_empty() && far.iter().all(is_far), "{told:?}");
}

/// Behind a limit that names a wait, as providers do where much is loaded at once.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_limit_in_the_middle_is_waited_for_and_refuses_nothing() {
    let embedding = Match::Phase(Phase::Embedding);
    let script = Script::new()
        .then(embedding.clone(), [Reply::embeddings(64), Reply::rate_limited("3")])
        .always(embedding, Reply::embeddings(64));
    let setup = Setup::new(script).variable("embedding_model", "openai:text-embedding-3-small");
    let quarry = setup.start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("1.md", "# Lamp\n\nWhale oil."), ("2.md", "# Bees\n\nHoney.")] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let (job, mut waits) = (job(&quarry, folder.path()), Vec::new());
    let mut hear = |told| waits.extend(matches!(told, Told::Waits { .. }).then_some(told));
    let tally = load(&job, &mut hear).await.unwrap();
    assert_eq!((tally.added, refused(&tally)), (2, vec![]), "{tally:?}");
    assert_eq!(waits, [Told::Waits { seconds: 3 }]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_paid_is_known_where_the_load_breaks_off() {
    let embedding = Match::Phase(Phase::Embedding);
    let script = Script::new()
        .then(embedding.clone(), [Reply::embeddings(256)])
        .always(embedding, Reply::embeddings(256).hold("the second"));
    let setup = Setup::new(script).variable("embedding_model", "openai:text-embedding-3-small");
    let quarry = setup.start().await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [("1.md", "The beacon burns whale oil."), ("2.md", "Knead the dough.")] {
        fs::write(folder.path().join(name), format!("# Of {name}\n\n{text}\n")).unwrap();
    }
    let (job, mut tally) = (job(&quarry, folder.path()), Tally::default());
    let (told, mut first) = tokio::sync::mpsc::unbounded_channel();
    let mut tell = |one| drop(told.send(one));
    let broke = async {
        while !matches!(first.recv().await, Some(Told::Done { .. })) {}
        quarry.restart().await.unwrap()
    };
    let (loaded, _quarry) = tokio::join!(load_into(&job, &mut tally, &mut tell), broke);
    loaded.unwrap_err();
    assert_eq!((tally.added, tally.files()), (1, 1), "{tally:?}");
    let lines = tally.costs.lines();
    assert!(lines.starts_with("embeddings: ") && lines.contains(", $0.0000"), "{lines}");
}

/// What the server answers to a search is read as it is written; so that a page or a title is not lost on the way.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_loaded_is_found() {
    let quarry = Setup::new(Script::ordinary()).start().await.unwrap();
    load(&job(&quarry, folder().path()), &mut |_| {}).await.unwrap();
    let body = json!({ "query": "what does the beacon burn?", "collection": "manuals" });
    let address = format!("{}/knowledge/search", quarry.url);
    let open = client::send("POST", &address, &[], body.to_string()).await.unwrap();
    let found: Value = open.json().await.unwrap();
    assert_eq!(found["chunks"][0]["metadata"]["category"], "north", "{found}");
    assert_eq!(found["chunks"][0]["title"], "Lamp");
}
