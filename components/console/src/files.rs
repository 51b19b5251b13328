//! The files of `site/`, compiled in.

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
}

/// The file of this name; the empty name is the page.
pub fn find(name: &str) -> Option<File> {
    const PAGE: &str = "text/html; charset=utf-8";
    const STYLE: &str = "text/css; charset=utf-8";
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let (media_type, content): (_, &'static [u8]) = match name {
        "" | "index.html" => (PAGE, include_bytes!("../site/index.html")),
        "style.css" => (STYLE, include_bytes!("../site/style.css")),
        "main.js" => (SCRIPT, include_bytes!("../site/main.js")),
        "stream.js" => (SCRIPT, include_bytes!("../site/stream.js")),
        "state.js" => (SCRIPT, include_bytes!("../site/state.js")),
        "markdown.js" => (SCRIPT, include_bytes!("../site/markdown.js")),
        "view.js" => (SCRIPT, include_bytes!("../site/view.js")),
        _ => return None,
    };
    Some(File { media_type, content })
}
