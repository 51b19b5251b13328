//! Writing frames.
//!
//! Border: appends to a buffer that the caller owns and sends.

use memchr::memchr2;

/// One event to write.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Frame<'a> {
    /// The number that a client sends back as `Last-Event-ID`.
    pub id: Option<u64>,
    /// The event's name; none: `message`, as the standard has it. Line breaks in it are dropped.
    pub event: Option<&'a str>,
    /// The payload. One line of JSON stays one `data` line; a text with line breaks takes several.
    pub data: &'a str,
}

/// Appends a frame to `out`, its closing blank line included.
pub fn encode(out: &mut Vec<u8>, frame: &Frame<'_>) {
    out.reserve(frame.data.len() + 48);
    if let Some(id) = frame.id {
        out.extend_from_slice(b"id: ");
        digits(out, id);
        out.push(b'\n');
    }
    if let Some(event) = frame.event {
        field(out, b"event: ", event);
    }
    if has_break(frame.data) {
        let unix = frame.data.replace("\r\n", "\n");
        for line in unix.split(['\n', '\r']) {
            one_line(out, b"data: ", line);
        }
    } else {
        one_line(out, b"data: ", frame.data);
    }
    out.push(b'\n');
}

/// Appends a comment, which clients ignore: a sign of life for proxies.
pub fn comment(out: &mut Vec<u8>, text: &str) {
    field(out, b": ", text);
    out.push(b'\n');
}

fn field(out: &mut Vec<u8>, name: &[u8], value: &str) {
    // A line break inside a value would start a field of the value's choosing.
    if has_break(value) {
        one_line(out, name, &value.replace(['\n', '\r'], ""));
    } else {
        one_line(out, name, value);
    }
}

/// A field whose value has no line break.
fn one_line(out: &mut Vec<u8>, name: &[u8], value: &str) {
    out.extend_from_slice(name);
    out.extend_from_slice(value.as_bytes());
    out.push(b'\n');
}

fn has_break(text: &str) -> bool {
    memchr2(b'\n', b'\r', text.as_bytes()).is_some()
}

/// Decimal digits without the formatting machinery, which every event of every stream would pay.
fn digits(out: &mut Vec<u8>, mut number: u64) {
    let start = out.len();
    loop {
        out.push(b'0' + u8::try_from(number % 10).unwrap_or(0));
        number /= 10;
        if number == 0 {
            break;
        }
    }
    if let Some(written) = out.get_mut(start..) {
        written.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(frame: Frame<'_>) -> String {
        let mut out = Vec::new();
        encode(&mut out, &frame);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_frame_is_id_event_data_and_a_blank_line() {
        let frame = Frame { id: Some(120), event: Some("log"), data: r#"{"message":"hi"}"# };
        assert_eq!(written(frame), "id: 120\nevent: log\ndata: {\"message\":\"hi\"}\n\n");
        assert_eq!(written(Frame { id: Some(0), event: None, data: "" }), "id: 0\ndata: \n\n");
    }

    #[test]
    fn a_value_cannot_forge_a_field() {
        let frame = Frame { id: None, event: Some("log\nid: 9"), data: "a\r\nevent: x\rb\nc" };
        assert_eq!(
            written(frame),
            "event: logid: 9\ndata: a\ndata: event: x\ndata: b\ndata: c\n\n"
        );
        let mut out = Vec::new();
        comment(&mut out, "alive\n\ndata: x");
        assert_eq!(out, b": alivedata: x\n\n");
    }
}
