//! What tasks say of themselves whose options are read by programs of their own: it stands here, so that nothing has to
//! be built for it.

use std::ffi::OsString;

/// Whether help is wanted.
pub fn are_asked_for(arguments: impl IntoIterator<Item = OsString>) -> bool {
    arguments.into_iter().any(|argument| argument == "--help" || argument == "-h")
}

/// Of `tidy`.
pub const TIDY: &str = "\
Usage: cargo xtask tidy

Checks what has to agree, and prints what does not:

  deny.toml       licences and duplicate versions of dependencies
  spin.toml       permissions and variables, and that each provider and search provider has its own there
  README.md       that it names each of these, and that its table of settings has the defaults of spin.toml
  ARCHITECTURE.md that a test of each name in its tables is there
  source files    length and opening line, that a `mod` names each, that no path of this machine is in them
  openapi.json    that it is as the routes and the types make it
  the console     that it has a rule for each event
";

/// Of `openapi`.
pub const OPENAPI: &str = "\
Usage: cargo xtask openapi

Writes crates/doors/src/openapi.json from the routes, what their doors declare, and the types that
are parsed and written: requests, answers, events, continuation states.
";

/// Of `replay`.
pub const REPLAY: &str = "\
Usage: cargo xtask replay BUNDLE [--report]

Folds the journal of a run anew, without network, and compares every event with the one that was told, and every
checkpoint with the state at its entry, byte for byte. A bundle is what `GET /runs/{id}/trace?form=bundle` gives:

  curl -o run.ndjson 'http://127.0.0.1:3000/runs/ID/trace?form=bundle'

  --report   print the run's report in Markdown, as the replay made it

It ends with 1 when anything differs, and says what first: entry, event or checkpoint, and both texts.
";

/// Of `verify`.
pub const VERIFY: &str = "\
Usage: cargo xtask verify IN.jsonl OUT.jsonl

Reads one JSON object a line: `claim` (a sentence) and `source` (the text that is to say it, or an
array of sentences), with anything else beside them; `title` is what the source is about, if it does
not say so itself. Writes the same lines with

  verdict   supported, partly or not_found
  coverage  the weighted share of the claim's words and numbers that stand in the window, 0 to 1
  vetoes    what speaks against `supported`
  missing   words of the claim that the window does not have
  window    up to three sentences of the source that say most of it

and prints how many lines have which verdict. A line that cannot be read is written with `error`, and
the task fails when all are done. No model and no network is asked.
";

/// Of `answer`.
pub const ANSWER: &str = "\
Usage: cargo xtask answer QUESTIONS.jsonl [OUT.jsonl] [--most N]

Ranks the sentences of given texts as answers to a question, without a language model.

Each line of QUESTIONS.jsonl is one question:
  {\"id\": \"1\", \"question\": \"How tall is the tower?\", \"texts\": [{\"title\": \"Tower\", \"text\": \"It is 38 m tall.\"}]}
`url` and `date` (YYYY-MM-DD) of a text may be given. Texts are Markdown or plain.

Each line of OUT.jsonl, or of the output, is what was found, best first:
  {\"id\": \"1\", \"answered\": true, \"ranked\": [{\"sentence\", \"title\", \"text\", \"score\"}], \"parts\": [{\"question\", \"answered\", \"verdict\", \"ranked\"}], \"answer\"}
`text` is the place of the text in `texts`, from 0. `ranked` has the first of each part, then the second
of each, and so on; `answered` is false where a part has no sentence that is taken for an answer. `verdict` of a
question for yes or no is `yes`, `no`, `disagree`, or the one of two that was asked for; null where nothing decides.

A text that is empty or cannot be read is left out and named in `left_out`: [{\"text\", \"why\"}]. No program is run here:
`calculations` has those that an ask would run, and only what texts say is ranked.

A line that cannot be read is written with `error`, and the task fails when all are done.

  --most N   sentences for each part at most (10)
";

/// Of `rank`.
pub const RANK: &str = "\
Usage: cargo xtask rank COLLECTION_DIR QUESTIONS.jsonl [--out OUT.jsonl] [--time]
       cargo xtask rank CRANFIELD_DIR [--out OUT.jsonl] [--time]
       cargo xtask rank --synthetic CHUNKS

Loads a folder of documents as the knowledge base does, and tells how well questions find them.

COLLECTION_DIR holds Markdown (with front matter), plain text, CSV, JSON, HTML, PDF and DOCX files, in folders as you like. A
document's name is the `id` of its front matter, or its file's name or path, without its ending or with it. What cannot be
read is left out, and named with its cause; a question about it finds nothing, and counts.
Each line of QUESTIONS.jsonl is one question with the documents that answer it, with a grade or without:
  {\"id\": \"1\", \"question\": \"What is the late fee?\", \"relevant\": {\"fees\": 2, \"terms\": 1}}
  {\"id\": \"2\", \"question\": \"Who keeps the light?\", \"relevant\": [\"light\"]}
CRANFIELD_DIR holds documents.json, queries.json and qrels.json and needs no QUESTIONS.jsonl.

Told are the share of questions with a relevant document among the first 1, 3 and 5, the mean reciprocal rank (MRR)
and nDCG@10, with words alone and with words and meaning. A document ranks as its best chunk does. Questions without a
relevant document are left out.

  --out FILE         a line for each question: {\"id\", \"found\": [{\"doc\", \"score\"}], \"ndcg\"}
  --time             tell also how long reading, indexing and searching took, and what it takes of memory
  --synthetic N      instead of files: N chunks of made-up words; tells times beside a floor
";

/// Of `kill`.
pub const KILL: &str = "\
Usage: cargo xtask kill [options]

Kills the process that serves a run, by SIGKILL, at every point at which it may die: before and after each write to
the run's journal, and each request of its effects. Whoever follows must end the run with the same events and the
same report, repeat nothing that was recorded, and pay one call twice at most, which must be on the record. The same
run is then put through two kills and other troubles, drawn by a number: 429s, 500s, hangs, cut streams, a full disk,
a locked database, two drivers at once, an abort in the middle. Then two processes share a database, and one has a disk
without a byte left (where Linux lets it have one of its own).

Without options everything: all points of both runs, all scenes, 200 seeds.

One of these at most, but for --point with --script:

  --short        what `cargo xtask test` does: all points of the short run, the scenes, 40 seeds
  --script NAME  only the points of this run: short or whole
  --point N      only this point (of --script, or of the short run)
  --seed S       only what this number draws
  --scene NAME   only this scene: two-processes, two-hasty, full-disk, locked, full-start, no-space or no-space-start

And beside them:

  --jobs N       cases side by side (three for each processor: most of a case is waiting)
  --points       name the points, and kill nobody
  --quick        build the components fast instead of small
";

/// Of `test262`.
pub const TEST262: &str = "\
Usage: cargo xtask test262 DIR [options]

Runs the tests of the checkout of tc39/test262 in DIR through the sandbox as it is built and through
the engine by itself, and says where they differ.

  --engine NAME      component, plain or both (both)
  --filter TEXT      only tests whose path contains it
  --only FILE        only the tests that a file of `--list` names
  --sample N         only so many, spread evenly
  --jobs N           programs at once (2)
  --results FILE     write what became of each test, one line of JSON each
  --known FILE       take the verdicts of engines that are not run from such a file
  --list FILE        write the tests that plain passes and the component does not
  --manifest FILE    the spin.toml that names the sandbox (the project's own)
";
