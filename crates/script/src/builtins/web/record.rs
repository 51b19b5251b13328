//! An address in its parts: parsing and writing by the URL standard.
//!
//! Border: hosts are ASCII (a name with other letters has to be given in its `xn--` form), and the
//! origin of a `blob:` address is opaque. The tables for other hosts would add some 150 KB to the
//! component.

use super::{
    host,
    percent::{self, encode},
};

/// Why a text is no address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bad {
    Address,
    /// The host has letters that are not ASCII.
    Letters,
}

/// The path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Path {
    /// As in `mailto:`.
    Opaque(String),
    Segments(Vec<String>),
}

/// An address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Record {
    pub(super) scheme: String,
    pub(super) username: String,
    pub(super) password: String,
    pub(super) host: Option<String>,
    pub(super) port: Option<u16>,
    pub(super) path: Path,
    pub(super) query: Option<String>,
    pub(super) fragment: Option<String>,
}

/// Schemes with hosts as on the web, and their usual ports.
const SPECIAL: &[(&str, Option<u16>)] = &[
    ("http", Some(80)),
    ("https", Some(443)),
    ("ws", Some(80)),
    ("wss", Some(443)),
    ("ftp", Some(21)),
    ("file", None),
];

fn special(scheme: &str) -> bool {
    SPECIAL.iter().any(|(known, _)| *known == scheme)
}

fn usual_port(scheme: &str) -> Option<u16> {
    SPECIAL.iter().find(|(known, _)| *known == scheme).and_then(|(_, port)| *port)
}

impl Record {
    /// Parses a text, relative to a base if there is one.
    pub(super) fn parse(text: &str, base: Option<&Self>) -> Result<Self, Bad> {
        let text: String = text
            .trim_matches(|c: char| c <= ' ')
            .chars()
            .filter(|c| !matches!(c, '\t' | '\n' | '\r'))
            .collect();
        let (rest, fragment) = cut(&text, '#');
        let mut record = match scheme(rest) {
            Some((scheme, rest)) => {
                let same = base.filter(|base| base.scheme == scheme && special(&scheme));
                match same {
                    Some(base) if scheme == "file" || !starts_with_slash(rest) => {
                        base.relative(rest)?
                    }
                    _ => Self::absolute(scheme, rest)?,
                }
            }
            None => {
                let base = base.ok_or(Bad::Address)?;
                match base.path {
                    Path::Opaque(_) if rest.is_empty() && fragment.is_some() => base.clone(),
                    Path::Opaque(_) => return Err(Bad::Address),
                    Path::Segments(_) => base.relative(rest)?,
                }
            }
        };
        record.fragment = fragment.map(|fragment| encode(fragment, percent::fragment));
        Ok(record)
    }

    fn empty(scheme: String) -> Self {
        Self {
            scheme,
            username: String::new(),
            password: String::new(),
            host: None,
            port: None,
            path: Path::Segments(Vec::new()),
            query: None,
            fragment: None,
        }
    }

    pub(super) fn is_special(&self) -> bool {
        special(&self.scheme)
    }

    fn is_file(&self) -> bool {
        self.scheme == "file"
    }

    /// What follows a scheme.
    fn absolute(scheme: String, rest: &str) -> Result<Self, Bad> {
        let mut record = Self::empty(scheme);
        if record.is_file() {
            record.host = Some(String::new());
            record.path = Path::Segments(vec![String::new()]);
            return record.relative(rest);
        }
        if record.is_special() {
            record.after_slashes(rest.trim_start_matches(['/', '\\']))?;
        } else if let Some(rest) = rest.strip_prefix("//") {
            record.after_slashes(rest)?;
        } else if rest.starts_with('/') {
            record.path_and_query(rest, Vec::new());
        } else {
            let (path, query) = cut(rest, '?');
            record.path = Path::Opaque(encode(path, percent::control));
            record.query = query.map(|query| encode(query, percent::query));
        }
        Ok(record)
    }

    /// A reference, with this address as its base.
    fn relative(&self, rest: &str) -> Result<Self, Bad> {
        let mut record = Self { fragment: None, ..self.clone() };
        let slash = |c: char| c == '/' || (c == '\\' && self.is_special());
        let mut chars = rest.chars();
        match (chars.next().filter(|c| slash(*c)), chars.next().filter(|c| slash(*c))) {
            (Some(_), Some(_)) => {
                record = Self::empty(record.scheme);
                record.after_slashes(rest.get(2..).unwrap_or_default())?;
            }
            (Some(_), None) => record.path_and_query(rest, Vec::new()),
            (None, _) => {
                let (path, query) = cut(rest, '?');
                if path.is_empty() {
                    if query.is_some() {
                        record.set_query(query);
                    }
                    return Ok(record);
                }
                let Path::Segments(mut segments) = record.path.clone() else {
                    return Err(Bad::Address);
                };
                segments.pop();
                record.path_and_query(rest, segments);
            }
        }
        Ok(record)
    }

    /// User, host, port and what follows.
    fn after_slashes(&mut self, rest: &str) -> Result<(), Bad> {
        let end = rest.find(|c: char| matches!(c, '/' | '?') || (c == '\\' && self.is_special()));
        let (authority, rest) =
            rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
        if self.is_file() {
            if drive(authority) {
                self.host = Some(String::new());
                self.path_and_query(&format!("/{authority}{rest}"), Vec::new());
                return Ok(());
            }
            let host = host::parse(authority, true)?;
            self.host = Some(if host == "localhost" { String::new() } else { host });
            self.path_and_query(rest, Vec::new());
            return Ok(());
        }
        let (user, address) = match authority.rsplit_once('@') {
            Some((user, address)) => (Some(user), address),
            None => (None, authority),
        };
        if let Some(user) = user {
            let (name, password) = user.split_once(':').unwrap_or((user, ""));
            self.username = encode(name, percent::userinfo);
            self.password = encode(password, percent::userinfo);
        }
        if address.is_empty() && (self.is_special() || user.is_some()) {
            return Err(Bad::Address);
        }
        self.set_address(address)?;
        self.path_and_query(rest, Vec::new());
        Ok(())
    }

    /// `host` or `host:port`.
    pub(super) fn set_address(&mut self, address: &str) -> Result<(), Bad> {
        let colon = address.rfind(':').filter(|at| !address.get(*at..).unwrap_or("").contains(']'));
        let (name, port) = match colon {
            Some(at) => address.split_at_checked(at).unwrap_or((address, "")),
            None => (address, ""),
        };
        if name.is_empty() && (self.is_special() || !port.is_empty()) {
            return Err(Bad::Address);
        }
        let host = host::parse(name, self.is_special())?;
        let port = port.strip_prefix(':').unwrap_or(port);
        let port = if port.is_empty() { None } else { Some(self.port_number(port)?) };
        self.host = Some(host);
        self.port = port.flatten();
        Ok(())
    }

    /// A port, `None` when it is the scheme's usual one.
    fn port_number(&self, digits: &str) -> Result<Option<u16>, Bad> {
        if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Bad::Address);
        }
        let port: u16 = digits.trim_start_matches('0').parse().or_else(|_| {
            if digits.bytes().all(|byte| byte == b'0') { Ok(0) } else { Err(Bad::Address) }
        })?;
        Ok(Some(port).filter(|port| usual_port(&self.scheme) != Some(*port)))
    }

    /// Adds a path to some segments, and reads the query.
    fn path_and_query(&mut self, rest: &str, segments: Vec<String>) {
        let (path, query) = cut(rest, '?');
        self.set_path(path, segments);
        self.query = None;
        self.set_query(query);
    }

    pub(super) fn set_path(&mut self, path: &str, mut segments: Vec<String>) {
        let special = self.is_special();
        let separator = |c: char| c == '/' || (c == '\\' && special);
        let own = path.strip_prefix(separator);
        if own.is_none() && path.is_empty() && segments.is_empty() {
            self.path = Path::Segments(if special { vec![String::new()] } else { Vec::new() });
            return;
        }
        let mut parts = own.unwrap_or(path).split(separator).peekable();
        while let Some(part) = parts.next() {
            let last = parts.peek().is_none();
            let plain = part.to_ascii_lowercase().replace("%2e", ".");
            match plain.as_str() {
                ".." => {
                    let kept = self.is_file() && segments.len() == 1;
                    if !(kept && segments.first().is_some_and(|first| drive(first))) {
                        segments.pop();
                    }
                    if last {
                        segments.push(String::new());
                    }
                }
                "." if last => segments.push(String::new()),
                "." => {}
                _ if self.is_file() && segments.is_empty() && drive(part) => {
                    segments.push(part.replace('|', ":"));
                }
                _ => segments.push(encode(part, percent::path)),
            }
        }
        self.path = Path::Segments(segments);
    }

    pub(super) fn set_query(&mut self, query: Option<&str>) {
        let set = if self.is_special() { percent::special_query } else { percent::query };
        self.query = query.map(|query| encode(query, set));
    }

    pub(super) fn set_scheme(&mut self, text: &str) {
        let text = format!("{}:", text.split(':').next().unwrap_or_default());
        let Some((scheme, _)) = scheme(&text) else { return };
        let fits = special(&scheme) == self.is_special() && !(scheme == "file" && self.has_user());
        let from_file = self.is_file() && self.host.as_deref() == Some("");
        if fits && !from_file {
            self.port = self.port.filter(|port| usual_port(&scheme) != Some(*port));
            self.scheme = scheme;
        }
    }

    fn has_user(&self) -> bool {
        !self.username.is_empty() || !self.password.is_empty() || self.port.is_some()
    }

    /// Whether user and port make sense.
    pub(super) fn takes_user(&self) -> bool {
        !self.is_file() && self.host.as_ref().is_some_and(|host| !host.is_empty())
    }

    pub(super) fn set_port(&mut self, text: &str) {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let digits = text.get(..digits).unwrap_or_default();
        if text.is_empty() {
            self.port = None;
        } else if !digits.is_empty()
            && let Ok(port) = self.port_number(digits)
        {
            self.port = port;
        }
    }

    /// The path as it is written.
    pub(super) fn pathname(&self) -> String {
        match &self.path {
            Path::Opaque(path) => path.clone(),
            Path::Segments(segments) => {
                segments.iter().flat_map(|segment| ["/", segment]).collect()
            }
        }
    }

    /// Host and port.
    pub(super) fn address(&self) -> String {
        let host = self.host.as_deref().unwrap_or_default();
        match self.port {
            Some(port) => format!("{host}:{port}"),
            None => host.to_owned(),
        }
    }

    pub(super) fn origin(&self) -> String {
        if self.is_special() && !self.is_file() {
            return format!("{}://{}", self.scheme, self.address());
        }
        "null".into()
    }

    /// The whole address.
    pub(super) fn href(&self) -> String {
        let mut text = format!("{}:", self.scheme);
        let path = self.pathname();
        if self.host.is_some() {
            text.push_str("//");
            if !self.username.is_empty() || !self.password.is_empty() {
                text.push_str(&self.username);
                if !self.password.is_empty() {
                    text.push(':');
                    text.push_str(&self.password);
                }
                text.push('@');
            }
            text.push_str(&self.address());
        } else if path.starts_with("//") && matches!(self.path, Path::Segments(_)) {
            // Otherwise the path would be read as a host.
            text.push_str("/.");
        }
        text.push_str(&path);
        for (mark, part) in [('?', &self.query), ('#', &self.fragment)] {
            if let Some(part) = part {
                text.push(mark);
                text.push_str(part);
            }
        }
        text
    }
}

/// What stands before a mark, and what follows it.
fn cut(text: &str, mark: char) -> (&str, Option<&str>) {
    match text.split_once(mark) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

fn starts_with_slash(text: &str) -> bool {
    text.starts_with(['/', '\\'])
}

/// A scheme in small letters, and what follows its colon.
fn scheme(text: &str) -> Option<(String, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    let fits = scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(allowed);
    fits.then(|| (scheme.to_ascii_lowercase(), rest))
}

/// `C:` or `C|`.
fn drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':' | b'|'] if letter.is_ascii_alphabetic())
}
