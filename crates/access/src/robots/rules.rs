//! The rules of a file that apply to one robot.

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use serde::{Deserialize, Serialize};

/// Rules that are kept.
const MAX_RULES: usize = 2_000;
/// Bytes of a pattern; longer ones are passed over.
const MAX_PATTERN: usize = 1_024;

/// What stands encoded in a path before it is compared: all but what may stand in one plainly.
const ENCODED: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'{').add(b'}');

/// Rules, in no order that matters.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules(Vec<Rule>);

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Rule {
    allow: bool,
    pattern: String,
}

impl Rules {
    /// The rules for a product token: those of all groups that name it, else those for everyone.
    pub fn parse(text: &str, product: &str) -> Self {
        let (mut own, mut common) = (Vec::new(), Vec::new());
        let mut named = false;
        // A group is one or more user agents and then rules; the next user agent begins another.
        let (mut for_us, mut for_all, mut in_rules) = (false, false, false);
        for line in text.trim_start_matches('\u{feff}').split(['\n', '\r']) {
            let line = line.split('#').next().unwrap_or_default();
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match name.trim().to_ascii_lowercase().as_str() {
                "user-agent" => {
                    if std::mem::take(&mut in_rules) {
                        (for_us, for_all) = (false, false);
                    }
                    // `Quarry/1.0` names the same product.
                    let token = value.split(['/', ' ']).next().unwrap_or_default();
                    for_us |= token.eq_ignore_ascii_case(product);
                    for_all |= token == "*";
                    named |= for_us;
                }
                kind @ ("allow" | "disallow") => {
                    in_rules = true;
                    let groups = [(for_us, &mut own), (for_all, &mut common)];
                    for (_, rules) in groups.into_iter().filter(|(applies, _)| *applies) {
                        add(rules, kind == "allow", value);
                    }
                }
                _ => {}
            }
        }
        Self(if named { own } else { common })
    }

    /// Whether a path, with its query, may be read: the longest pattern decides, and of two equally
    /// long ones that which allows.
    pub fn allow(&self, path: &str) -> bool {
        let path = normalise(path);
        let fitting = self.0.iter().filter(|rule| fits(&rule.pattern, &path));
        fitting.max_by_key(|rule| (rule.pattern.len(), rule.allow)).is_none_or(|rule| rule.allow)
    }
}

fn add(rules: &mut Vec<Rule>, allow: bool, value: &str) {
    // "Disallow:" with nothing behind it forbids nothing.
    if !value.is_empty() && value.len() <= MAX_PATTERN && rules.len() < MAX_RULES {
        rules.push(Rule { allow, pattern: normalise(value) });
    }
}

/// The same text for every spelling of a path: signs that need no encoding stand plainly, others
/// encoded with capital digits.
fn normalise(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(at) = rest.find('%') {
        let (plain, encoded) = rest.split_at(at);
        out.extend(utf8_percent_encode(plain, ENCODED));
        let triple = encoded
            .get(..3)
            .filter(|triple| triple.bytes().skip(1).all(|byte| byte.is_ascii_hexdigit()));
        let Some(triple) = triple else {
            out.push_str("%25");
            rest = encoded.get(1..).unwrap_or_default();
            continue;
        };
        let byte = percent_decode_str(triple).next().unwrap_or_default();
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&triple.to_ascii_uppercase());
        }
        rest = encoded.get(3..).unwrap_or_default();
    }
    out.extend(utf8_percent_encode(rest, ENCODED));
    out
}

/// Whether a pattern fits the beginning of a path: `*` is anything, `$` at its end is the end. Each
/// part between stars is sought once, from where the last one ended, so the cost is linear.
fn fits(pattern: &str, path: &str) -> bool {
    let (pattern, to_end) = match pattern.strip_suffix('$') {
        Some(rest) => (rest, true),
        None => (pattern, false),
    };
    let mut parts = pattern.split('*');
    let Some(mut rest) = path.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let mut parts = parts.peekable();
    if parts.peek().is_none() {
        return !to_end || rest.is_empty();
    }
    while let Some(part) = parts.next() {
        // The last part stands at the end, when there is one.
        if to_end && parts.peek().is_none() {
            return rest.ends_with(part);
        }
        match rest.find(part) {
            Some(at) => rest = rest.get(at + part.len()..).unwrap_or_default(),
            None => return false,
        }
    }
    true
}
