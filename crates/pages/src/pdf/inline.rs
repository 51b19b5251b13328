//! Pictures within the instructions of a page: taken out before these are read, because hayro looks for their ends to the
//! end of the page each time.
//!
//! Source: ISO 32000-1, 8.9.7.

use super::walk::{Walk, is_blank, is_regular};
use memchr::memmem;
use std::borrow::Cow;

/// Bytes behind what may be the end of a picture that tell whether it is: what follows is instructions, which have none
/// but letters of ASCII outside of strings.
const MAX_LOOK: usize = 64;

/// Instructions without their pictures.
pub fn without_pictures(content: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    if memmem::find(&content, b"BI").is_none() {
        return content;
    }
    let mut pictures = Vec::new();
    let mut walk = Walk::of_content(&content);
    // Where one has no end, none behind it has.
    let mut has_ends = true;
    loop {
        walk.trivia();
        let begins = walk.at;
        match walk.byte() {
            None => break,
            Some(b'.' | b'+' | b'-' | b'0'..=b'9' | b'/' | b'[' | b'<' | b'(') => {
                // A number with letters in it is an instruction that nobody knows.
                if walk.object().is_none() && walk.while_is(is_regular) == 0 {
                    break;
                }
            }
            Some(_) if walk.while_is(is_regular) == 0 => break,
            Some(_) => {
                if content.get(begins..walk.at) != Some(b"BI") {
                    continue;
                }
                if !is_described(&mut walk) {
                    break;
                }
                let end = if has_ends { end(&content, walk.at) } else { None };
                has_ends = end.is_some();
                walk.at = end.unwrap_or(walk.at);
                pictures.push(begins..walk.at);
            }
        }
    }
    if pictures.is_empty() {
        return content;
    }
    let mut content = content.into_owned();
    for picture in pictures {
        content.get_mut(picture).unwrap_or_default().fill(b' ');
    }
    content.into()
}

/// Whether a dictionary within instructions has more names than hayro may read at once.
pub fn has_wide(content: &[u8], most: usize) -> bool {
    if memchr::memchr_iter(b'/', content).count() <= most {
        return false;
    }
    let mut walk = Walk::of_content(content);
    while walk.widest <= most {
        walk.trivia();
        let begins = walk.at;
        match walk.byte() {
            Some(b'.' | b'+' | b'-' | b'0'..=b'9' | b'/' | b'[' | b'<' | b'(') => {
                if walk.object().is_none() && walk.while_is(is_regular) == 0 {
                    break;
                }
            }
            Some(_) if walk.while_is(is_regular) > 0 => {
                if content.get(begins..walk.at) == Some(b"BI") {
                    goes_over_picture(&mut walk);
                }
            }
            _ => break,
        }
    }
    walk.widest > most
}

/// Goes over what is said of a picture as far as hayro reads it.
fn goes_over_picture(walk: &mut Walk<'_>) {
    let mut names = 0;
    loop {
        walk.trivia();
        if walk.byte() != Some(b'/') || walk.object().is_none() {
            return;
        }
        walk.counts_name(&mut names);
        walk.trivia();
        if walk.object().is_none() {
            return;
        }
    }
}

/// Goes over what is said of a picture, to the word behind it.
fn is_described(walk: &mut Walk<'_>) -> bool {
    loop {
        walk.trivia();
        if walk.takes(b"ID").is_some() {
            return true;
        }
        if walk.byte() != Some(b'/') || walk.object().is_none() {
            return false;
        }
        walk.trivia();
        if walk.object().is_none() {
            return false;
        }
    }
}

/// Where a picture ends that begins at a place.
fn end(content: &[u8], from: usize) -> Option<usize> {
    let body = content.get(from..)?;
    let is_end = |at: &usize| {
        let before = at.checked_sub(1).and_then(|before| body.get(before));
        let behind = body.get(at + 2..).unwrap_or_default();
        before.is_none_or(|byte| is_blank(*byte))
            && behind.first().is_none_or(|byte| is_blank(*byte))
            && are_instructions(behind.get(..MAX_LOOK).unwrap_or(behind))
    };
    let found = memmem::find_iter(body, b"EI").find(is_end)?;
    Some(from + found + 2)
}

fn are_instructions(behind: &[u8]) -> bool {
    let (mut open, mut is_escaped) = (0_usize, false);
    behind.iter().all(|byte| {
        let was_escaped = std::mem::take(&mut is_escaped);
        match byte {
            _ if was_escaped => {}
            b'\\' => is_escaped = open > 0,
            b'(' => open += 1,
            b')' => open = open.saturating_sub(1),
            _ => return open > 0 || byte.is_ascii(),
        }
        true
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(content: &[u8]) -> String {
        let content = without_pictures(Cow::Borrowed(content));
        let text = String::from_utf8_lossy(&content);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn dictionaries_are_as_wide_as_they_are_read() {
        let names = |count: usize| (0..count).map(|at| format!("/{at} 1 ")).collect::<String>();
        for (content, is_wide) in [
            (format!("/P <<{}>> BDC (a) Tj", names(100)), false),
            (format!("/P <<{}>> BDC (a) Tj", names(101)), true),
            (format!("[<</A <<{}", names(101)), true),
            (format!("BI {}", names(101)), true),
            (format!("({}) Tj", names(200)), false),
            ("/P <</A 1>> BDC ".repeat(200), false),
        ] {
            assert_eq!(has_wide(content.as_bytes(), 100), is_wide, "{content}");
        }
    }

    #[test]
    fn a_picture_ends_where_instructions_go_on() {
        for (content, left) in [
            (&b"q BI /W 9 /H 9 ID \xFF\xFE EI Q (a) Tj"[..], "q Q (a) Tj"),
            (b"BI /W 9 ID EI\nBI /F /A85 /DP << /K -1 >> ID abEI cd~> EI (b) Tj", "(b) Tj"),
            (b"BI ID x EI \x80\x81 EI Q (\xE4) Tj", "Q (\u{FFFD}) Tj"),
            // Of letters that are shown, and of names, none is one.
            (b"(BI /W 9 ID x EI) Tj /BI gs <4249> Tj", "(BI /W 9 ID x EI) Tj /BI gs <4249> Tj"),
            (b"[(BI)] TJ % BI ID\n (c) Tj", "[(BI)] TJ % BI ID (c) Tj"),
            (b"1BI2 BI ID no end (d) Tj", "1BI2 no end (d) Tj"),
        ] {
            assert_eq!(without(content), left, "{}", String::from_utf8_lossy(content));
        }
    }
}
