//! What classes, class escapes and the `i` flag mean as sets of characters.

use crate::{Flags, NotTaken, set::Ranges};

/// White space and line ends of JavaScript.
const SPACE: &[(u32, u32)] = &[
    (0x09, 0x0D),
    (0x20, 0x20),
    (0xA0, 0xA0),
    (0x1680, 0x1680),
    (0x2000, 0x200A),
    (0x2028, 0x2029),
    (0x202F, 0x202F),
    (0x205F, 0x205F),
    (0x3000, 0x3000),
    (0xFEFF, 0xFEFF),
];
const DIGITS: &[(u32, u32)] = &[(0x30, 0x39)];
const WORD: &[(u32, u32)] = &[(0x30, 0x39), (0x41, 0x5A), (0x5F, 0x5F), (0x61, 0x7A)];
const LINE_ENDS: &[(u32, u32)] = &[(0x0A, 0x0A), (0x0D, 0x0D), (0x2028, 0x2029)];
/// `ſ`, which folds to `s`.
const LONG_S: u32 = 0x17F;
/// The sign of the unit Kelvin, which folds to `k`.
const KELVIN: u32 = 0x212A;
/// Scripts and symbols without case, so that their ranges need not be walked.
const CASELESS: &[(u32, u32)] =
    &[(0x2E80, 0xA63F), (0xAC00, 0xFAFF), (0x1_F000, 0x1_FAFF), (0x2_0000, 0x3_FFFF)];

/// The set of `\d`, `\D`, `\s`, `\S`, `\w` or `\W`; `None` for another letter.
pub(crate) fn escape(letter: u32, flags: Flags) -> Option<Ranges> {
    Some(match char::from_u32(letter)? {
        'd' => Ranges::of(DIGITS),
        'D' => Ranges::of(DIGITS).complement(),
        's' => Ranges::of(SPACE),
        'S' => Ranges::of(SPACE).complement(),
        'w' => word(flags),
        'W' => word(flags).complement(),
        _ => return None,
    })
}

/// What `\w` and `\b` take for a letter of a word.
pub(crate) fn word(flags: Flags) -> Ranges {
    let mut set = Ranges::of(WORD);
    if flags.ignore_case && flags.unicode {
        set.add(&Ranges::of(&[(LONG_S, LONG_S), (KELVIN, KELVIN)]));
    }
    set
}

/// What `.` matches.
pub(crate) fn dot(flags: Flags) -> Ranges {
    if flags.dot_all { Ranges::default().complement() } else { Ranges::of(LINE_ENDS).complement() }
}

/// What `$` with `m` stands in front of.
pub(crate) fn line_ends() -> Ranges {
    Ranges::of(LINE_ENDS)
}

/// Whether a line ends before this character.
pub(crate) fn is_line_end(c: u32) -> bool {
    matches!(c, 0x0A | 0x0D | 0x2028 | 0x2029)
}

/// Refuses characters beyond ASCII that `i` could pair with others.
pub(crate) fn check_case(first: u32, last: u32, flags: Flags) -> Result<(), NotTaken> {
    if !flags.ignore_case {
        return Ok(());
    }
    let mut c = first.max(0x80);
    while c <= last {
        if let Some(block) = CASELESS.iter().find(|block| block.0 <= c && c <= block.1) {
            c = block.1;
        } else if char::from_u32(c).is_some_and(has_case) {
            return Err(NotTaken::CaseFolding);
        }
        c += 1;
    }
    Ok(())
}

/// Adds the other case of each ASCII letter, as far as `i` asks for it. Letters beyond ASCII
/// came through `check_case` or through an escape whose set is closed already.
pub(crate) fn close(set: &mut Ranges, flags: Flags) {
    if !flags.ignore_case {
        return;
    }
    let mut more = Vec::new();
    for lower in b'a'..=b'z' {
        let (lower, upper) = (u32::from(lower), u32::from(lower.to_ascii_uppercase()));
        let fold = match lower {
            0x73 if flags.unicode => Some(LONG_S),
            0x6B if flags.unicode => Some(KELVIN),
            _ => None,
        };
        let members = [Some(lower), Some(upper), fold];
        if members.iter().flatten().any(|c| set.contains(*c)) {
            more.extend(members.iter().flatten().map(|c| (*c, *c)));
        }
    }
    set.add(&Ranges::of(&more));
}

fn has_case(c: char) -> bool {
    !c.to_lowercase().eq([c]) || !c.to_uppercase().eq([c])
}
