//! Escapes and classes in brackets, as part of reading a pattern.

use crate::{
    NotTaken,
    ast::Node,
    class,
    parse::{Parser, digit, is_code_point},
    set::Ranges,
};

/// One item of a class in brackets.
enum Item {
    Char(u32),
    Set(Ranges),
}

impl Parser {
    /// What follows a backslash outside a class.
    pub(crate) fn atom_escape(&mut self) -> Result<Node, NotTaken> {
        let c = self.peek().ok_or(NotTaken::Syntax)?;
        match char::from_u32(c) {
            Some('1'..='9') => self.decimal_escape(),
            Some('k') => Err(NotTaken::BackReference),
            Some('c') if !self.control_letter_at(1) => {
                if self.flags.unicode {
                    return Err(NotTaken::Syntax);
                }
                // The backslash stands for itself, and the letter comes next.
                self.literal(u32::from('\\'))
            }
            _ => {
                if let Some(set) = class::escape(c, self.flags) {
                    self.skip(1);
                    return Ok(Node::Set(set));
                }
                let c = self.character_escape(false)?;
                self.literal(c)
            }
        }
    }

    /// A back reference, or by annex B an octal number when there are not so many groups.
    fn decimal_escape(&mut self) -> Result<Node, NotTaken> {
        let (mut number, mut length) = (0_u32, 0);
        while let Some(digit) = self.peek_at(length).and_then(digit) {
            number = number.saturating_mul(10).saturating_add(digit);
            length += 1;
        }
        if self.flags.unicode || number <= self.total {
            return Err(NotTaken::BackReference);
        }
        let c = self.octal_or_self()?;
        self.literal(c)
    }

    /// Up to three octal digits with a value below 256, or `8` and `9` as they are.
    fn octal_or_self(&mut self) -> Result<u32, NotTaken> {
        let first = self.next().and_then(digit).ok_or(NotTaken::Syntax)?;
        if first > 7 {
            return Ok(u32::from('0') + first);
        }
        let mut value = first;
        let more = if first <= 3 { 2 } else { 1 };
        for _ in 0..more {
            let Some(digit) = self.peek().and_then(digit).filter(|digit| *digit < 8) else {
                break;
            };
            value = value * 8 + digit;
            self.skip(1);
        }
        Ok(value)
    }

    /// An escape for one character, the backslash being taken.
    fn character_escape(&mut self, in_class: bool) -> Result<u32, NotTaken> {
        let c = self.next().ok_or(NotTaken::Syntax)?;
        let unicode = self.flags.unicode;
        Ok(match char::from_u32(c) {
            Some('t') => 0x09,
            Some('n') => 0x0A,
            Some('v') => 0x0B,
            Some('f') => 0x0C,
            Some('r') => 0x0D,
            Some('0') if self.peek().is_none_or(|c| digit(c).is_none()) => 0,
            Some('c') if self.control_letter_at(0) => self.next().map_or(0, |letter| letter % 32),
            Some('x') => match self.hex(2) {
                Some(value) => value,
                None if unicode => return Err(NotTaken::Syntax),
                None => c,
            },
            Some('u') => match self.unicode_escape()? {
                Some(value) => value,
                None if unicode => return Err(NotTaken::Syntax),
                None => c,
            },
            Some('p' | 'P') if unicode => return Err(NotTaken::Property),
            Some('^' | '$' | '\\' | '.' | '*' | '+' | '?' | '(' | ')') => c,
            Some('[' | ']' | '{' | '}' | '|' | '/') => c,
            Some('-') if in_class => c,
            _ if unicode => return Err(NotTaken::Syntax),
            Some('0'..='7') => {
                self.unread();
                self.octal_or_self()?
            }
            // Left to the other engine: a control escape without its letter.
            Some('c' | 'k') => return Err(NotTaken::Syntax),
            _ => c,
        })
    }

    /// What follows `\u`: four digits, with `u` also a pair of them or a number in braces.
    fn unicode_escape(&mut self) -> Result<Option<u32>, NotTaken> {
        if !self.flags.unicode {
            return Ok(self.hex(4));
        }
        if self.eat('{') {
            let (mut value, mut digits) = (0_u32, 0);
            while !self.eat('}') {
                let digit = self.next().and_then(char::from_u32).and_then(|c| c.to_digit(16));
                value = value.saturating_mul(16).saturating_add(digit.ok_or(NotTaken::Syntax)?);
                digits += 1;
            }
            let fits = digits > 0 && is_code_point(value);
            return if fits { Ok(Some(value)) } else { Err(NotTaken::Syntax) };
        }
        let Some(high) = self.hex(4) else {
            return Ok(None);
        };
        let escape = [Some(u32::from('\\')), Some(u32::from('u'))];
        if (0xD800..0xDC00).contains(&high) && [self.peek(), self.peek_at(1)] == escape {
            let low = (2..6).try_fold(0, |value, offset| Some(value * 16 + self.hex_at(offset)?));
            if let Some(low @ 0xDC00..=0xDFFF) = low {
                self.skip(6);
                return Ok(Some(0x1_0000 + ((high & 0x3FF) << 10) + (low & 0x3FF)));
            }
        }
        Ok(Some(high))
    }

    fn hex(&mut self, digits: usize) -> Option<u32> {
        let value =
            (0..digits).try_fold(0, |value, offset| Some(value * 16 + self.hex_at(offset)?))?;
        self.skip(digits);
        Some(value)
    }

    fn hex_at(&self, offset: usize) -> Option<u32> {
        char::from_u32(self.peek_at(offset)?)?.to_digit(16)
    }

    fn control_letter_at(&self, offset: usize) -> bool {
        self.peek_at(offset).and_then(char::from_u32).is_some_and(|c| c.is_ascii_alphabetic())
    }

    /// A class in brackets.
    pub(crate) fn class(&mut self) -> Result<Node, NotTaken> {
        self.skip(1);
        let negated = self.eat('^');
        let mut ranges = Vec::new();
        while !self.eat(']') {
            let first = self.item()?;
            let dash = self.peek() == Some(u32::from('-'))
                && self.peek_at(1).is_some_and(|c| c != u32::from(']'));
            if !dash {
                self.include(&mut ranges, first)?;
                continue;
            }
            self.skip(1);
            match (first, self.item()?) {
                (Item::Char(first), Item::Char(last)) if first <= last => {
                    class::check_case(first, last, self.flags)?;
                    ranges.push((first, last));
                }
                (Item::Char(_), Item::Char(_)) => return Err(NotTaken::Syntax),
                _ if self.flags.unicode => return Err(NotTaken::Syntax),
                (first, last) => {
                    self.include(&mut ranges, first)?;
                    self.include(&mut ranges, Item::Char(u32::from('-')))?;
                    self.include(&mut ranges, last)?;
                }
            }
        }
        let mut set = Ranges::of(&ranges);
        class::close(&mut set, self.flags);
        Ok(Node::Set(if negated { set.complement() } else { set }))
    }

    fn include(&self, ranges: &mut Vec<(u32, u32)>, item: Item) -> Result<(), NotTaken> {
        match item {
            Item::Char(c) => {
                class::check_case(c, c, self.flags)?;
                ranges.push((c, c));
            }
            Item::Set(set) => ranges.extend_from_slice(set.ranges()),
        }
        Ok(())
    }

    fn item(&mut self) -> Result<Item, NotTaken> {
        let c = self.next().ok_or(NotTaken::Syntax)?;
        if c != u32::from('\\') {
            return Ok(Item::Char(c));
        }
        let c = self.peek().ok_or(NotTaken::Syntax)?;
        if let Some(set) = class::escape(c, self.flags) {
            self.skip(1);
            return Ok(Item::Set(set));
        }
        if c == u32::from('b') {
            self.skip(1);
            return Ok(Item::Char(0x08));
        }
        self.character_escape(true).map(Item::Char)
    }
}
