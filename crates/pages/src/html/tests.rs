//! What tag soup becomes.

use super::*;
use proptest::prelude::*;

/// The tree as nested parentheses.
fn shape(html: &str) -> String {
    fn walk(tree: &Tree, at: u32, out: &mut String) {
        match tree.tag(at) {
            None => out.push_str(tree.text(at)),
            Some(tag) => {
                out.push_str(&format!("({tag:?}"));
                tree.children(at).for_each(|child| walk(tree, child, out));
                out.push(')');
            }
        }
    }
    let tree = parse(html);
    let mut out = String::new();
    tree.children(0).for_each(|child| walk(&tree, child, &mut out));
    out
}

#[test]
fn implied_ends() {
    assert_eq!(shape("<p>a<p>b<div>c</div>"), "(Pa)(Pb)(Divc)");
    assert_eq!(shape("<ul><li>a<li>b<ul><li>c</ul></ul>"), "(Ul(Lia)(Lib(Ul(Lic))))");
    assert_eq!(shape("<table><tr><td>a<td>b<tr><th>c</table>d"), "(Table(Tr(Tda)(Tdb))(Tr(Thc)))d");
    assert_eq!(shape("<dl><dt>a<dd>b<dt>c</dl>"), "(Dl(Dta)(Ddb)(Dtc))");
    assert_eq!(shape("<head><title>t</title><p>x"), "(Head(Titlet))(Px)");
    assert_eq!(shape("<a>x<a>y</a>"), "(Ax)(Ay)");
}

#[test]
fn stray_ends_do_little() {
    assert_eq!(shape("<div><p>a</b></section></p>b</div>c"), "(Div(Pa)b)c");
    assert_eq!(
        shape("<div><table><tr><td></div>a</td></tr></table>b</div>"),
        "(Div(Table(Tr(Tda)))b)"
    );
    assert_eq!(shape("<body>a</body></html>b"), "(Bodyab)");
    assert_eq!(shape("<b><div>a</b>b</div>"), "(B(Divab))");
}

#[test]
fn scripts_are_dropped_and_json_ld_is_kept() {
    let tree = parse(
        "<script>if (a < b) document.write('<p>')</script><script type=\"application/LD+JSON\">{\"a\":1}</script>x",
    );
    assert_eq!(tree.json_ld, ["{\"a\":1}"]);
    assert_eq!(tree.flat_text(0, 100), "x");
}

#[test]
fn the_root_takes_the_attributes_of_html() {
    let tree = parse("<!doctype html><html lang=de><html lang=fr><p>x");
    assert_eq!((tree.attr(0, Attr::Lang), tree.tag(1)), (Some("de"), Some(Tag::P)));
}

#[test]
fn attributes_and_entities() {
    let tree = parse(
        "<a href='/x?a=1&amp;b=2' HIDDEN unknown=1 class=\"k\">&eacute;&#x2014;&nbsp;&copy</a>",
    );
    assert_eq!(tree.attr(1, Attr::Href), Some("/x?a=1&b=2"));
    assert_eq!(tree.attr(1, Attr::Hidden), Some(""));
    assert_eq!(tree.attr(1, Attr::Class), Some("k"));
    assert_eq!(tree.flat_text(0, 100), "é— ©");
}

#[test]
fn hostile_pages_stay_small() {
    let nested = "<ul><li>".repeat(64 * 1024);
    assert!(parse(&nested).len() as usize <= MAX_NODES);
    let divs = format!("{}deep", "<div>".repeat(200_000));
    let tree = parse(&divs);
    assert_eq!((tree.flat_text(0, 100).as_str(), tree.truncated), ("deep", false));
    assert!((tree.len() as usize) < 2 * MAX_DEPTH);
    let mismatched = format!("{}{}", "<div>".repeat(50_000), "</p></span>".repeat(50_000));
    assert!(parse(&mismatched).len() as usize <= MAX_NODES);
    let attribute = format!("<a href=\"{}\">x</a>", "a".repeat(10 << 20));
    let tree = parse(&attribute);
    assert_eq!((tree.attr(1, Attr::Href), tree.flat_text(0, 9)), (Some(""), "x".to_owned()));
    assert!(parse(&"<b>".repeat(700_000)).len() as usize <= MAX_NODES);
}

proptest! {
    #[test]
    fn any_soup_makes_a_sound_tree(parts in proptest::collection::vec(proptest::sample::select(vec![
        "<div>", "</div>", "<p>", "</p>", "<ul>", "<li>", "</ul>", "<table>", "<tr>", "<td>", "</td>", "</table>", "<b>", "</b>",
        "<a href=x>", "</a>", "text ", "&amp;", "<script>", "</script>", "<!--", "-->", "<h1>", "</h2>", "<br>", "</", "<", "\"", "'",
        "<svg>", "</svg>", "<title>", "</title>", "\0", "é", "<body>", "</body>", "<head>", "</head>",
    ]), 0..60)) {
        let tree = parse(&parts.concat());
        for at in 0..tree.len() {
            let node = tree.node(at).unwrap();
            prop_assert!(node.end > at && node.end <= tree.len());
            prop_assert!(node.parent <= at);
            if node.parent != at {
                prop_assert!(tree.end(node.parent) >= node.end);
            }
        }
    }
}
