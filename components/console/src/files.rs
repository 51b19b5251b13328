//! The files of `site/`, compiled in, and the policy under which they are served.
//!
//! Border: no HTTP here. The browser tests serve the page from this same list.

/// The page loads only its own files and speaks only to the server that it came from.
pub const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
                          connect-src 'self'; img-src 'self'; base-uri 'none'; \
                          form-action 'none'; frame-ancestors 'none'; \
                          require-trusted-types-for 'script'; trusted-types 'none'";

/// A file as it is served.
pub struct File {
    /// Its media type.
    pub media_type: &'static str,
    /// Its bytes.
    pub content: &'static [u8],
}

impl File {
    /// An entity tag: changes when the content does.
    pub fn tag(&self) -> String {
        // FNV-1a; a tag needs to differ between versions, not to resist anybody.
        let hash = self.content.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        format!("\"{hash:016x}\"")
    }

    /// Whether an `If-None-Match` of this value names the file as it is.
    pub fn is_known_as(&self, tags: &str) -> bool {
        let tag = self.tag();
        tags.split(',')
            .map(str::trim)
            .any(|known| known == "*" || known.strip_prefix("W/").unwrap_or(known) == tag)
    }
}

/// The file of this name; an empty name, and that of a folder, is its page.
pub fn find(name: &str) -> Option<File> {
    const PAGE: &str = "text/html; charset=utf-8";
    const STYLE: &str = "text/css; charset=utf-8";
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    const PICTURE: &str = "image/svg+xml";
    let (media_type, content): (_, &'static [u8]) = match name {
        "" | "index.html" => (PAGE, include_bytes!("../site/index.html")),
        "style.css" => (STYLE, include_bytes!("../site/style.css")),
        "icon.svg" => (PICTURE, include_bytes!("../site/icon.svg")),
        "appearance.js" => (SCRIPT, include_bytes!("../site/appearance.js")),
        "bell.js" => (SCRIPT, include_bytes!("../site/bell.js")),
        "channel.js" => (SCRIPT, include_bytes!("../site/channel.js")),
        "citations.js" => (SCRIPT, include_bytes!("../site/citations.js")),
        "clock.js" => (SCRIPT, include_bytes!("../site/clock.js")),
        "collections.js" => (SCRIPT, include_bytes!("../site/collections.js")),
        "conflict.js" => (SCRIPT, include_bytes!("../site/conflict.js")),
        "code.js" => (SCRIPT, include_bytes!("../site/code.js")),
        "connection.js" => (SCRIPT, include_bytes!("../site/connection.js")),
        "dialogs.js" => (SCRIPT, include_bytes!("../site/dialogs.js")),
        "download.js" => (SCRIPT, include_bytes!("../site/download.js")),
        "dom.js" => (SCRIPT, include_bytes!("../site/dom.js")),
        "evidence.js" => (SCRIPT, include_bytes!("../site/evidence.js")),
        "follow.js" => (SCRIPT, include_bytes!("../site/follow.js")),
        "form.js" => (SCRIPT, include_bytes!("../site/form.js")),
        "inline.js" => (SCRIPT, include_bytes!("../site/inline.js")),
        "json.js" => (SCRIPT, include_bytes!("../site/json.js")),
        "log.js" => (SCRIPT, include_bytes!("../site/log.js")),
        "main.js" => (SCRIPT, include_bytes!("../site/main.js")),
        "markdown.js" => (SCRIPT, include_bytes!("../site/markdown.js")),
        "merged.js" => (SCRIPT, include_bytes!("../site/merged.js")),
        "notice.js" => (SCRIPT, include_bytes!("../site/notice.js")),
        "options.js" => (SCRIPT, include_bytes!("../site/options.js")),
        "proof.js" => (SCRIPT, include_bytes!("../site/proof.js")),
        "quotation.js" => (SCRIPT, include_bytes!("../site/quotation.js")),
        "recent.js" => (SCRIPT, include_bytes!("../site/recent.js")),
        "remembered.js" => (SCRIPT, include_bytes!("../site/remembered.js")),
        "rows.js" => (SCRIPT, include_bytes!("../site/rows.js")),
        "sending.js" => (SCRIPT, include_bytes!("../site/sending.js")),
        "server.js" => (SCRIPT, include_bytes!("../site/server.js")),
        "spoken.js" => (SCRIPT, include_bytes!("../site/spoken.js")),
        "state.js" => (SCRIPT, include_bytes!("../site/state.js")),
        "stream.js" => (SCRIPT, include_bytes!("../site/stream.js")),
        "take.js" => (SCRIPT, include_bytes!("../site/take.js")),
        "theme.js" => (SCRIPT, include_bytes!("../site/theme.js")),
        "timeline.js" => (SCRIPT, include_bytes!("../site/timeline.js")),
        "view.js" => (SCRIPT, include_bytes!("../site/view.js")),
        "words.js" => (SCRIPT, include_bytes!("../site/words.js")),
        "knowledge/" | "knowledge/index.html" => {
            (PAGE, include_bytes!("../site/knowledge/index.html"))
        }
        "knowledge/style.css" => (STYLE, include_bytes!("../site/knowledge/style.css")),
        "knowledge/answer.js" => (SCRIPT, include_bytes!("../site/knowledge/answer.js")),
        "knowledge/api.js" => (SCRIPT, include_bytes!("../site/knowledge/api.js")),
        "knowledge/asking.js" => (SCRIPT, include_bytes!("../site/knowledge/asking.js")),
        "knowledge/collection.js" => (SCRIPT, include_bytes!("../site/knowledge/collection.js")),
        "knowledge/documents.js" => (SCRIPT, include_bytes!("../site/knowledge/documents.js")),
        "knowledge/loads.js" => (SCRIPT, include_bytes!("../site/knowledge/loads.js")),
        "knowledge/main.js" => (SCRIPT, include_bytes!("../site/knowledge/main.js")),
        "knowledge/meaning.js" => (SCRIPT, include_bytes!("../site/knowledge/meaning.js")),
        "knowledge/passage.js" => (SCRIPT, include_bytes!("../site/knowledge/passage.js")),
        "knowledge/reindex.js" => (SCRIPT, include_bytes!("../site/knowledge/reindex.js")),
        "runs/" | "runs/index.html" => (PAGE, include_bytes!("../site/runs/index.html")),
        "runs/style.css" => (STYLE, include_bytes!("../site/runs/style.css")),
        "runs/api.js" => (SCRIPT, include_bytes!("../site/runs/api.js")),
        "runs/knobs.js" => (SCRIPT, include_bytes!("../site/runs/knobs.js")),
        "runs/list.js" => (SCRIPT, include_bytes!("../site/runs/list.js")),
        "runs/main.js" => (SCRIPT, include_bytes!("../site/runs/main.js")),
        "runs/node.js" => (SCRIPT, include_bytes!("../site/runs/node.js")),
        "runs/notice.js" => (SCRIPT, include_bytes!("../site/runs/notice.js")),
        "runs/remembered.js" => (SCRIPT, include_bytes!("../site/runs/remembered.js")),
        "runs/report.js" => (SCRIPT, include_bytes!("../site/runs/report.js")),
        "runs/sentences.js" => (SCRIPT, include_bytes!("../site/runs/sentences.js")),
        "runs/spoken.js" => (SCRIPT, include_bytes!("../site/runs/spoken.js")),
        "runs/state.js" => (SCRIPT, include_bytes!("../site/runs/state.js")),
        "runs/tree.js" => (SCRIPT, include_bytes!("../site/runs/tree.js")),
        "runs/view.js" => (SCRIPT, include_bytes!("../site/runs/view.js")),
        _ => return None,
    };
    Some(File { media_type, content })
}
