//! Fonts of East Asia whose codes are letters of a character set, by the name of a table that every reader is expected to
//! have: what a code says is known without it, and only which letter of the font draws it is not.
//!
//! Source: ISO 32000-1, 9.7.5.2.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS};
use hayro_font::hayro_cmap::BfString;

/// How far narrow letters go, of one em.
const NARROW: f64 = 0.5;

/// A code that is half of a letter, where the rest of a string is.
const NOTHING: u32 = 0xD800;

/// The character set of a font.
#[derive(Debug, Clone, Copy)]
pub struct Charset {
    kind: Kind,
    is_vertical: bool,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Utf16,
    /// Rows and cells of JIS X 0208, two bytes each.
    Jis,
    Of(&'static Encoding),
}

impl Charset {
    /// The one that a table's name says; none for names of no character set, and of those that nobody reads here.
    pub fn named(name: &[u8]) -> Option<Charset> {
        let name = str::from_utf8(name).ok()?;
        let (set, way) = name.rsplit_once('-').unwrap_or(("", name));
        let is_vertical = match way {
            "H" => false,
            "V" => true,
            _ => return None,
        };
        let kind = match set.strip_suffix("-HW").unwrap_or(set) {
            "UniGB-UCS2" | "UniCNS-UCS2" | "UniJIS-UCS2" | "UniKS-UCS2" | "UniGB-UTF16"
            | "UniCNS-UTF16" | "UniJIS-UTF16" | "UniJIS2004-UTF16" | "UniKS-UTF16" => Kind::Utf16,
            "" => Kind::Jis,
            "GB-EUC" | "GBpc-EUC" | "GBK-EUC" | "GBKp-EUC" => Kind::Of(GBK),
            "GBK2K" => Kind::Of(GB18030),
            "B5pc" | "HKscs-B5" | "ETen-B5" | "ETenms-B5" => Kind::Of(BIG5),
            "83pv-RKSJ" | "90ms-RKSJ" | "90msp-RKSJ" | "90pv-RKSJ" | "Add-RKSJ" | "Ext-RKSJ" => {
                Kind::Of(SHIFT_JIS)
            }
            "EUC" => Kind::Of(EUC_JP),
            "KSC-EUC" | "KSCms-UHC" | "KSCpc-EUC" => Kind::Of(EUC_KR),
            _ => return None,
        };
        Some(Charset { kind, is_vertical })
    }

    /// The code that begins some bytes, and its length, which is not 0.
    pub fn code(self, bytes: &[u8]) -> (u32, usize) {
        let second = bytes.get(1).copied().unwrap_or_default();
        let Some(first) = bytes.first() else { return (NOTHING, 1) };
        let length = match (self.kind, *first) {
            (Kind::Utf16, 0xD8..=0xDB) => 4,
            (Kind::Utf16 | Kind::Jis, _) => 2,
            (Kind::Of(set), 0xA0..=0xDF | 0x80 | 0xFD..) if set == SHIFT_JIS => 1,
            (Kind::Of(set), 0x81..=0xFE) if set == GB18030 && second.is_ascii_digit() => 4,
            (Kind::Of(set), 0x8F) if set == EUC_JP => 3,
            (Kind::Of(_), 0x81..=0xFE) => 2,
            (Kind::Of(_), _) => 1,
        };
        let Some(own) = bytes.get(..length) else {
            let is_short = matches!(self.kind, Kind::Utf16 | Kind::Jis);
            return (if is_short { NOTHING } else { u32::from(*first) }, bytes.len().max(1));
        };
        (own.iter().fold(0, |code, byte| code << 8 | u32::from(*byte)), length)
    }

    /// The letters of a code.
    pub fn text(self, code: u32) -> Option<BfString> {
        let bytes = code.to_be_bytes();
        let text = match self.kind {
            Kind::Utf16 => {
                let units = [code >> 16, code & 0xFFFF].map(u16::try_from);
                let units = units.into_iter().flatten().skip(usize::from(code <= 0xFFFF));
                char::decode_utf16(units).collect::<Result<String, _>>().ok()?
            }
            Kind::Jis => {
                let [_, _, row, cell] = bytes;
                EUC_JP
                    .decode_without_bom_handling_and_without_replacement(&[
                        row | 0x80,
                        cell | 0x80,
                    ])?
                    .into_owned()
            }
            Kind::Of(set) => {
                let blank = usize::try_from(code.leading_zeros() / 8).ok()?.min(3);
                let own = bytes.get(blank..)?;
                set.decode_without_bom_handling_and_without_replacement(own)?.into_owned()
            }
        };
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => Some(BfString::Char(letter)),
            (None, _) => None,
            _ => Some(BfString::String(text)),
        }
    }

    /// How far a code goes along its line, of one em, where wide letters go so far.
    pub fn advance(self, text: Option<&BfString>, wide: f64) -> f64 {
        match text {
            // Lines lead from column to column here.
            _ if self.is_vertical => 0.0,
            Some(BfString::Char('\0'..='\u{FF}' | '\u{FF61}'..='\u{FFDC}')) => NARROW,
            _ => wide,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(name: &str, bytes: &[u8]) -> String {
        let charset = Charset::named(name.as_bytes()).unwrap();
        let (mut at, mut out) = (0, String::new());
        while at < bytes.len() {
            let (code, length) = charset.code(&bytes[at..]);
            at += length;
            match charset.text(code) {
                Some(BfString::Char(letter)) => out.push(letter),
                Some(BfString::String(text)) => out += &text,
                None => out.push('?'),
            }
        }
        out
    }

    #[test]
    fn codes_are_letters_of_their_character_set() {
        for (name, bytes, text) in [
            ("UniGB-UCS2-H", &b"\x4E\x2D\x65\x87\0a"[..], "中文a"),
            ("UniJIS-UCS2-HW-V", b"\x65\xE5", "日"),
            ("UniJIS-UTF16-H", b"\xD8\x42\xDF\xB7\x65\xE5\xD8", "𠮷日?"),
            ("90ms-RKSJ-H", b"A\x93\xFA\x96\x7B\xB1", "A日本ｱ"),
            ("GBK-EUC-H", b"\xD6\xD0\xCE\xC4 1", "中文 1"),
            ("GBK2K-V", b"\xD6\xD0\x81\x39\xEF\x30", "中㐁"),
            ("ETen-B5-H", b"\xA4\xA4\xA4\xE5", "中文"),
            ("KSCms-UHC-HW-H", b"\xC7\xD1\xB1\xDB", "한글"),
            ("EUC-H", b"\xC6\xFC\x8E\xB1", "日ｱ"),
            ("V", b"\x46\x7C\x4B\x5C", "日本"),
            ("GBK-EUC-H", b"\xD6", "?"),
        ] {
            assert_eq!(read(name, bytes), text, "{name}");
        }
        for name in ["Identity-H", "CNS-EUC-H", "UniGB-UCS2", "", "-H-", "\u{e4}-H"] {
            assert!(Charset::named(name.as_bytes()).is_none(), "{name}");
        }
    }
}
