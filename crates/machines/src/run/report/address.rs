//! Addresses as a report may link them.

/// The longest address that is linked, in bytes.
const MOST: usize = 4_096;

/// An address that ends no link and no attribute, if it is one of the web.
pub fn linked(address: &str) -> Option<String> {
    let address = address.trim();
    let scheme = address.split_once("://").map(|(scheme, _)| scheme)?;
    let is_web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    if !is_web || address.len() > MOST {
        return None;
    }
    let mut out = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '[' => out.push_str("%5B"),
            ']' => out.push_str("%5D"),
            '\\' => out.push_str("%5C"),
            '|' => out.push_str("%7C"),
            '"' => out.push_str("%22"),
            '\'' => out.push_str("%27"),
            '`' => out.push_str("%60"),
            _ if c.is_whitespace() || c.is_control() => out.push_str("%20"),
            _ => out.push(c),
        }
    }
    Some(out)
}

/// What tells pages apart: the address without the place on the page.
pub fn page(address: &str) -> &str {
    address.split('#').next().unwrap_or_default().trim_end_matches('/')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_web_is_linked() {
        for no in ["javascript:alert(1)", "data:text/html,x", "//a.example", "", "java\nscript://x"]
        {
            assert_eq!(linked(no), None, "{no}");
        }
        assert_eq!(
            linked("HTTPS://a.example/(x)\"'<b>").as_deref(),
            Some("HTTPS://a.example/%28x%29%22%27%3Cb%3E")
        );
    }
}
