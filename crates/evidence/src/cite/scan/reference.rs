//! References to characters (`&#58;`), which some resolve before they look for addresses.
//!
//! Border: as that of the scanner. One that stands for what addresses are made of is told as words.

use super::{Scanned, Scanner, State};

/// The longest one that is looked at, in bytes.
const MOST: usize = 16;

impl Scanner {
    /// Behind `&`, as far as a name or a number goes.
    pub(super) fn reference(&mut self, c: char, out: &mut Vec<Scanned>) {
        let is_part = c.is_ascii_alphanumeric() || (c == '#' && self.held == "&");
        if is_part && self.held.len() < MOST {
            return self.held.push(c);
        }
        self.end_reference(out);
        self.read(c, out);
    }

    pub(super) fn end_reference(&mut self, out: &mut Vec<Scanned>) {
        let held = std::mem::take(&mut self.held);
        self.state = State::Text;
        let name = held.get(1..).unwrap_or_default();
        if meant(name).is_some_and(is_of_address) {
            self.dead('&', out);
        } else {
            self.emit('&', out);
        }
        name.chars().for_each(|c| self.read(c, out));
    }
}

/// What a name or a number stands for, of those that matter here.
fn meant(name: &str) -> Option<char> {
    let Some(number) = name.strip_prefix('#') else {
        return match name {
            "colon" => Some(':'),
            "sol" => Some('/'),
            "period" => Some('.'),
            "lowbar" | "UnderBar" => Some('_'),
            _ => None,
        };
    };
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    char::from_u32(code.ok()?)
}

const fn is_of_address(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, ':' | '/' | '.' | '-' | '_')
}
