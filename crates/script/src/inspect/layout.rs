//! Where lines break, and quotes.

/// Widest group that stays on one line.
const WIDTH: usize = 72;
/// Widest item of a list that is filled line by line.
const NARROW: usize = 16;

/// `prefix{ a, b }`, on one line when it fits.
pub(super) fn group(prefix: &str, open: &str, items: &[String], close: &str) -> String {
    if items.is_empty() {
        return format!("{prefix}{open}{close}");
    }
    let width: usize = items.iter().map(|item| item.chars().count() + 2).sum();
    if width + prefix.len() <= WIDTH && !items.iter().any(|item| item.contains('\n')) {
        return format!("{prefix}{open} {} {close}", items.join(", "));
    }
    let narrow = items.len() > 6
        && items.iter().all(|item| item.chars().count() <= NARROW && !item.contains('\n'));
    let body = if narrow {
        filled(items)
    } else {
        items.iter().map(|item| item.replace('\n', "\n  ")).collect::<Vec<_>>().join(",\n  ")
    };
    format!("{prefix}{open}\n  {body}\n{close}")
}

/// As many items on a line as fit.
fn filled(items: &[String]) -> String {
    let mut text = String::new();
    let mut column = 0;
    for (index, item) in items.iter().enumerate() {
        let width = item.chars().count() + 2;
        if index > 0 {
            text.push(',');
            if column + width > WIDTH {
                text.push_str("\n  ");
                column = 0;
            } else {
                text.push(' ');
            }
        }
        text.push_str(item);
        column += width;
    }
    text
}

/// A string within a structure: quoted so that it can be read back.
pub(super) fn quote(text: &str) -> String {
    let mark = if text.contains('\'') && !text.contains('"') { '"' } else { '\'' };
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push(mark);
    for c in text.chars() {
        match c {
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            '\\' => quoted.push_str("\\\\"),
            c if c == mark => {
                quoted.push('\\');
                quoted.push(c);
            }
            c => quoted.push(c),
        }
    }
    quoted.push(mark);
    quoted
}
