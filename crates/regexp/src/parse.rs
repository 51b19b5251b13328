//! Reads a pattern into a tree: the grammar of ECMAScript with the leniency of annex B.
//! Refuses what the matcher does not do and every corner in doubt: the caller has another engine.

use crate::{
    Flags, NotTaken,
    ast::{Assertion, Look, Node, Repeat, UNBOUNDED},
    class,
    input::join,
    set::{LAST, Ranges},
};

/// Nested groups; the parser and the compiler recurse no deeper.
const NESTING: usize = 100;
/// Units of a pattern.
const LENGTH: usize = 20_000;

/// A pattern that was read.
#[derive(Debug)]
pub(crate) struct Pattern {
    pub(crate) root: Node,
    /// Capturing groups, without the whole match.
    pub(crate) groups: u32,
    /// Names in the order of their groups; a name can come twice in different alternatives.
    pub(crate) names: Vec<(String, u32)>,
}

/// Reads `pattern`.
pub(crate) fn parse(pattern: &[u16], flags: Flags) -> Result<Pattern, NotTaken> {
    if pattern.len() > LENGTH {
        return Err(NotTaken::TooLarge);
    }
    let chars = characters(pattern, flags.unicode);
    let total = count_groups(&chars);
    let mut parser =
        Parser { chars, at: 0, flags, total, groups: 0, names: Vec::new(), scope: Vec::new() };
    let root = parser.alternatives(0)?;
    if parser.peek().is_some() {
        return Err(NotTaken::Syntax);
    }
    Ok(Pattern { root, groups: parser.groups, names: parser.names })
}

/// With `u` the pattern is a sequence of code points, else of units.
fn characters(pattern: &[u16], unicode: bool) -> Vec<u32> {
    let mut chars = Vec::with_capacity(pattern.len());
    let mut units = pattern.iter().copied().peekable();
    while let Some(unit) = units.next() {
        let low = units.peek().copied().filter(|low| {
            unicode && (0xD800..0xDC00).contains(&unit) && (0xDC00..0xE000).contains(low)
        });
        if let Some(low) = low {
            units.next();
            chars.push(join(unit, low));
        } else {
            chars.push(u32::from(unit));
        }
    }
    chars
}

/// The capturing groups of the whole pattern: whether `\1` refers back depends on them.
fn count_groups(chars: &[u32]) -> u32 {
    let (mut count, mut in_class, mut at) = (0, false, 0);
    let is = |at: usize, c: char| chars.get(at) == Some(&u32::from(c));
    while at < chars.len() {
        if is(at, '\\') {
            at += 1;
        } else if in_class {
            in_class = !is(at, ']');
        } else if is(at, '[') {
            in_class = true;
        } else if is(at, '(') {
            let named = is(at + 2, '<') && !is(at + 3, '=') && !is(at + 3, '!');
            if !is(at + 1, '?') || named {
                count += 1;
            }
        }
        at += 1;
    }
    count
}

pub(crate) struct Parser {
    chars: Vec<u32>,
    at: usize,
    pub(crate) flags: Flags,
    /// Capturing groups of the whole pattern.
    pub(crate) total: u32,
    groups: u32,
    names: Vec<(String, u32)>,
    /// Names that may not come again where the parser is.
    scope: Vec<String>,
}

impl Parser {
    fn alternatives(&mut self, depth: usize) -> Result<Node, NotTaken> {
        if depth > NESTING {
            return Err(NotTaken::TooLarge);
        }
        let outer = self.scope.len();
        let mut elsewhere = Vec::new();
        let mut parts = vec![self.sequence(depth)?];
        while self.eat('|') {
            elsewhere.extend(self.scope.drain(outer..));
            parts.push(self.sequence(depth)?);
        }
        self.scope.append(&mut elsewhere);
        let singles: Option<Vec<Ranges>> = parts.iter().map(Node::single).collect();
        if parts.len() > 1
            && let Some(singles) = singles
        {
            // One character each: which alternative it was makes no difference.
            let all: Vec<_> = singles.iter().flat_map(Ranges::ranges).copied().collect();
            return Ok(Node::Set(Ranges::of(&all)));
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Node::Alt(parts) })
    }

    fn sequence(&mut self, depth: usize) -> Result<Node, NotTaken> {
        let mut parts = Vec::new();
        while let Some(c) = self.peek() {
            if c == u32::from('|') || c == u32::from(')') {
                break;
            }
            parts.push(self.term(c, depth)?);
        }
        Ok(match parts.len() {
            0 => Node::Empty,
            1 => parts.swap_remove(0),
            _ => Node::Cat(parts),
        })
    }

    fn term(&mut self, c: u32, depth: usize) -> Result<Node, NotTaken> {
        if let Some(assertion) = self.assertion() {
            return if self.quantifier()?.is_some() {
                Err(NotTaken::Syntax)
            } else {
                Ok(Node::Assert(assertion))
            };
        }
        let before = self.groups;
        let body = self.atom(c, depth)?;
        let Some((min, max, greedy)) = self.quantifier()? else {
            return Ok(body);
        };
        let groups = (before + 1, self.groups + 1);
        Ok(Node::Repeat(Box::new(Repeat { body, min, max, greedy, groups })))
    }

    fn assertion(&mut self) -> Option<Assertion> {
        let lines = self.flags.multiline;
        let (length, assertion) = match char::from_u32(self.peek()?)? {
            '^' => (1, if lines { Assertion::LineStart } else { Assertion::TextStart }),
            '$' => (1, if lines { Assertion::LineEnd } else { Assertion::TextEnd }),
            '\\' if self.peek_at(1) == Some(u32::from('b')) => (2, Assertion::WordEdge),
            '\\' if self.peek_at(1) == Some(u32::from('B')) => (2, Assertion::NoWordEdge),
            _ => return None,
        };
        self.at += length;
        Some(assertion)
    }

    fn atom(&mut self, c: u32, depth: usize) -> Result<Node, NotTaken> {
        match char::from_u32(c) {
            Some('(') => self.group(depth),
            Some('[') => self.class(),
            Some('\\') => {
                self.at += 1;
                self.atom_escape()
            }
            Some('.') => {
                self.at += 1;
                Ok(Node::Set(class::dot(self.flags)))
            }
            Some('*' | '+' | '?') => Err(NotTaken::Syntax),
            Some('{' | '}' | ']') if self.flags.unicode => Err(NotTaken::Syntax),
            Some('{') if self.braces()?.is_some() => Err(NotTaken::Syntax),
            _ => {
                self.at += 1;
                self.literal(c)
            }
        }
    }

    fn group(&mut self, depth: usize) -> Result<Node, NotTaken> {
        self.at += 1;
        let mut number = None;
        if self.eat('?') {
            let next = self.peek().and_then(char::from_u32);
            match (next, self.peek_at(1).and_then(char::from_u32)) {
                (Some(':'), _) => self.at += 1,
                (Some('=' | '!'), _) | (Some('<'), Some('=' | '!')) => return self.look(depth),
                (Some('<'), _) => {
                    self.at += 1;
                    number = Some(self.open_group()?);
                    let name = self.name()?;
                    self.scope.push(name.clone());
                    self.names.push((name, self.groups));
                }
                (Some('i' | 'm' | 's' | '-'), _) => return Err(NotTaken::Modifiers),
                _ => return Err(NotTaken::Syntax),
            }
        } else {
            number = Some(self.open_group()?);
        }
        let body = self.alternatives(depth + 1)?;
        if !self.eat(')') {
            return Err(NotTaken::Syntax);
        }
        Ok(match number {
            Some(number) => Node::Group(number, Box::new(body)),
            None => body,
        })
    }

    /// A lookaround behind its `(?`, if one character tells whether it holds.
    fn look(&mut self, depth: usize) -> Result<Node, NotTaken> {
        let behind = self.eat('<');
        let negated = self.next() == Some(u32::from('!'));
        let before = self.groups;
        let body = self.alternatives(depth + 1)?;
        if !self.eat(')') {
            return Err(NotTaken::Syntax);
        }
        // With a quantifier by annex B, and with a group inside, there is more to it.
        let more = self.groups > before || self.quantifier()?.is_some();
        let (set, edge) = body.glance(behind).filter(|_| !more).ok_or(NotTaken::Lookaround)?;
        Ok(Node::Look(Box::new(Look { set, edge, behind, negated })))
    }

    fn open_group(&mut self) -> Result<u32, NotTaken> {
        self.groups += 1;
        if self.groups > self.total { Err(NotTaken::Syntax) } else { Ok(self.groups) }
    }

    /// The rest of `(?<name>`. Names beyond ASCII are left to the other engine.
    fn name(&mut self) -> Result<String, NotTaken> {
        let mut name = String::new();
        while !self.eat('>') {
            let c = self.next().and_then(char::from_u32).ok_or(NotTaken::Syntax)?;
            let fits = c.is_ascii_alphabetic() || matches!(c, '_' | '$');
            if !(fits || c.is_ascii_digit() && !name.is_empty()) {
                return Err(NotTaken::Syntax);
            }
            name.push(c);
        }
        if name.is_empty() || self.scope.contains(&name) {
            return Err(NotTaken::Syntax);
        }
        Ok(name)
    }

    fn quantifier(&mut self) -> Result<Option<(u32, u32, bool)>, NotTaken> {
        let (min, max) = match self.peek().and_then(char::from_u32) {
            Some('*') => (0, UNBOUNDED),
            Some('+') => (1, UNBOUNDED),
            Some('?') => (0, 1),
            Some('{') => match self.braces()? {
                Some((min, max, length)) => {
                    self.at += length - 1;
                    (min, max)
                }
                None if self.flags.unicode => return Err(NotTaken::Syntax),
                None => return Ok(None),
            },
            _ => return Ok(None),
        };
        self.at += 1;
        let greedy = !self.eat('?');
        Ok(Some((min, max, greedy)))
    }

    /// `{n}`, `{n,}` or `{n,m}` ahead and its length; `None` when the brace is a literal.
    fn braces(&self) -> Result<Option<(u32, u32, usize)>, NotTaken> {
        let mut at = 1;
        let Some(min) = self.number(&mut at) else {
            return Ok(None);
        };
        let mut max = min;
        if self.peek_at(at) == Some(u32::from(',')) {
            at += 1;
            max = self.number(&mut at).unwrap_or(UNBOUNDED);
        }
        if self.peek_at(at) != Some(u32::from('}')) {
            return Ok(None);
        }
        if min > max { Err(NotTaken::Syntax) } else { Ok(Some((min, max, at + 1))) }
    }

    fn number(&self, at: &mut usize) -> Option<u32> {
        let mut number = None;
        while let Some(digit) = self.peek_at(*at).and_then(digit) {
            // One below `UNBOUNDED` is as good as any number that large.
            let so_far = number.unwrap_or(0_u32).saturating_mul(10).saturating_add(digit);
            number = Some(so_far.min(UNBOUNDED - 1));
            *at += 1;
        }
        number
    }

    /// One character as it is, or both cases of it.
    pub(crate) fn literal(&self, c: u32) -> Result<Node, NotTaken> {
        class::check_case(c, c, self.flags)?;
        let mut set = Ranges::of(&[(c, c)]);
        class::close(&mut set, self.flags);
        Ok(if set.ranges() == [(c, c)] { Node::Char(c) } else { Node::Set(set) })
    }

    /// The character ahead.
    pub(crate) fn peek(&self) -> Option<u32> {
        self.peek_at(0)
    }

    /// The character `offset` behind the next.
    pub(crate) fn peek_at(&self, offset: usize) -> Option<u32> {
        self.chars.get(self.at + offset).copied()
    }

    /// Takes the next character.
    pub(crate) fn next(&mut self) -> Option<u32> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    /// Takes the next character if it is this one.
    pub(crate) fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(u32::from(c));
        self.at += usize::from(found);
        found
    }

    /// Gives the last character back.
    pub(crate) fn unread(&mut self) {
        self.at = self.at.saturating_sub(1);
    }

    /// Goes over `count` characters.
    pub(crate) fn skip(&mut self, count: usize) {
        self.at += count;
    }
}

/// The value of a decimal digit.
pub(crate) fn digit(c: u32) -> Option<u32> {
    char::from_u32(c)?.to_digit(10)
}

/// Whether `c` is a code point.
pub(crate) fn is_code_point(c: u32) -> bool {
    c <= LAST
}
