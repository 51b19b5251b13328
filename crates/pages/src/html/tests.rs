//! What tag soup becomes.

use super::*;
use crate::html::build::{MAX_DEPTH, MAX_NODES};
use crate::html::parse;
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
fn a_template_that_is_shown_in_its_place_is_text() {
    let card = |mode: &str| {
        format!("<x-card><template{mode}><p>a</p></template><b>c</b></x-card><x-card>d</x-card>")
    };
    let shown = card(" shadowrootmode=open");
    assert_eq!(shape(&shown), "(Other(Shadowroot(Pa))(Bc))(Otherd)");
    assert!(parse(&shown).flat_text(0, 100).starts_with('a'));
    assert_eq!(shape(&card("")), "(Other(Template(Pa))(Bc))(Otherd)");
    assert!(parse(&card("")).flat_text(0, 100).starts_with('c'));
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
    let attribute = format!("<a href=\"{}\">x</a>", "a".repeat(3 << 20));
    let tree = parse(&attribute);
    assert_eq!((tree.attr(1, Attr::Href), tree.flat_text(0, 9)), (Some(""), "x".to_owned()));
    assert!(parse(&"<b>".repeat(700_000)).len() as usize <= MAX_NODES);
    let comment = parse(&format!("x<!--{}", "-".repeat(2 << 20)));
    assert_eq!((comment.flat_text(0, 9).as_str(), comment.truncated), ("x", false));
    let endless = parse(&format!("x<a title=\"{}", "y".repeat(2 << 20)));
    assert_eq!((endless.flat_text(0, 9).as_str(), endless.truncated), ("x", false));
}

#[test]
fn nesting_beyond_the_memory_of_lol_html_is_read_on() {
    for tags in ["<div>", "<b>", "<x-y>", "<math><g>"] {
        let tree =
            parse(&format!("{}<h1>deep</h1>{}<p>end", tags.repeat(300_000), "</p>".repeat(9)));
        assert!(!tree.truncated && tree.flat_text(0, 100).contains("end"), "{tags}");
    }
    let mixed: String = (0..100_000).map(|at| format!("<x{at}>")).collect();
    assert_eq!(parse(&format!("{mixed}deep")).flat_text(0, 100), "deep");
}

#[test]
fn a_tag_beyond_the_memory_of_lol_html_ends_the_page() {
    let tree = parse(&format!("<p>before<p{}>after", " a".repeat(500_000)));
    assert_eq!((tree.flat_text(0, 100).as_str(), tree.truncated), ("before", true));
}

/// The reason why end tags are read from what lol_html writes.
#[test]
fn lol_html_tells_of_no_end_tag_that_its_own_stack_does_not_know() {
    use std::sync::{Arc, Mutex};
    let told = Arc::new(Mutex::new(Vec::new()));
    let ends = Arc::clone(&told);
    let settings = lol_html::RewriteStrSettings::new().append_element_content_handler(
        lol_html::element!("*", move |element| {
            let ends = Arc::clone(&ends);
            element.on_end_tag(lol_html::end_tag!(move |end| {
                ends.lock().unwrap().push(end.name());
                Ok(())
            }))
        }),
    );
    let html = "<table><tr><td><div></table>a</div></td></tr></table>b";
    lol_html::rewrite_str(html, settings).unwrap();
    assert_eq!(told.lock().unwrap().last().unwrap(), "table");
    assert!(!told.lock().unwrap().contains(&"td".to_owned()), "then `on_end_tag` would do");
    let mut seen = Vec::new();
    ends_of(
        "</div\n></TD class='>'><![CDATA[]]></tr a=\">\" b = '>' c=d\"/></></table></p",
        &mut seen,
    );
    assert_eq!(seen, [Tag::Div, Tag::Td, Tag::Tr, Tag::Table]);
    assert_eq!(
        shape("<div><table><tr><td></div>a</td></tr></table>b</div>"),
        "(Div(Table(Tr(Tda)))b)"
    );
}

fn ends_of(raw: &str, seen: &mut Vec<Tag>) {
    ends(raw.as_bytes(), |tag| seen.push(tag));
}

#[test]
fn text_that_is_no_markup() {
    assert_eq!(shape("<title>a <b> &amp; c</title>x"), "(Titlea <b> & c)x");
    assert_eq!(shape("<textarea><p>&lt;</textarea>x"), "(Textarea<p><)x");
    assert_eq!(shape("<xmp><p>&lt;</xmp>x"), "(Other<p>&lt;)x");
    assert_eq!(shape("x<plaintext><p>&lt;</plaintext>"), "x(Other<p>&lt;</plaintext>)");
    assert_eq!(shape("<style><p></style><iframe><p></iframe>x"), "(Style)(Iframe)x");
    assert_eq!(shape("<script><!--<script></script>--></script>x"), "(Script)x");
    assert_eq!(shape("a < b <3 </ c> d<? e> f<!g> h"), "a < b <3  d f h");
    // However deep it stands, a script is no text.
    let deep = format!("{}<script>no</script><style>no</style>yes", "<div>".repeat(300));
    assert_eq!(parse(&deep).flat_text(0, 100), "yes");
}

#[test]
fn foreign_content() {
    assert_eq!(shape("<svg><title>a<path/></svg>x"), "(Svg(Titlea(Other)))x");
    assert_eq!(shape("<math><mi>a</mi></math>x"), "(Math(Othera))x");
    assert_eq!(shape("<svg><desc><![CDATA[a<b>&amp;]]></desc></svg>x"), "(Svg(Other&]]>))x");
    assert_eq!(shape("<math><ms><![CDATA[a]]></ms></math><![CDATA[b]]>x"), "(Math(Other))x");
    assert_eq!(shape("<svg><![CDATA[a<b>&amp;]]></svg>x"), "(Svga<b>&amp;)x");
}

#[test]
fn line_ends_and_nuls() {
    assert_eq!(shape("<pre>a\r\nb\rc\n\rd</pre>"), "(Prea\nb\nc\n\nd)");
    assert_eq!(shape("a\0b&#13;&#0;"), "ab\r\u{fffd}");
}

#[test]
fn character_references() {
    let cases = [
        ("&amp;lt; &AMP &#38; &#x26; &#X26", "&lt; & & & &"),
        ("&notit; &notin; &not", "¬it; ∉ ¬"),
        ("&ampx &unknown; &; & &#; &#x;", "&x &unknown; &; & &#; &#x;"),
        ("&#128; &#xD800; &#1114112; &#99999999999999999999;", "€ \u{fffd} \u{fffd} \u{fffd}"),
        ("&NotEqualTilde; &CounterClockwiseContourIntegral;", "≂\u{338} ∳"),
        ("&am<i>p;</i>", "&am(Ip;)"),
    ];
    for (html, text) in cases {
        assert_eq!(shape(html), text, "{html}");
    }
    let tree = parse("<a href='?a=1&copy=2&lt=3&amp;x&lt;' title='&copy &copy;' rel=&quot;>");
    assert_eq!(tree.attr(1, Attr::Href), Some("?a=1&copy=2&lt=3&x<"));
    assert_eq!(tree.attr(1, Attr::Title), Some("© ©"));
    assert_eq!(tree.attr(1, Attr::Rel), Some("\""));
    let again = parse(&format!("<a id=x {}title=t>", "id=y ".repeat(1_000)));
    assert_eq!(again.attrs.len(), 2, "of several the first counts");
    assert_eq!((again.attr(1, Attr::Id), again.attr(1, Attr::Title)), (Some("x"), Some("t")));
    let many = parse(&"&".repeat(2 << 20));
    assert_eq!(many.flat_text(0, 4 << 20).len(), 2 << 20);
    assert!((10..10_000).contains(&many.flat_text(0, 10).len()), "and of a name no more is read");
    let set_in = parse(&format!("<p>{}Ada</p>", "\n ".repeat(2_000)));
    assert_eq!(set_in.flat_text(0, 10), "Ada");
}

#[test]
fn the_elements_that_may_hold_fields_are_noted() {
    let tree = parse("<title>t</title><p>x<svg><title>no</title></svg><b class=c>y</b><time>z");
    let noted: Vec<Option<Tag>> = tree.notes.iter().map(|at| tree.tag(*at)).collect();
    assert_eq!(noted, [Some(Tag::Title), Some(Tag::B), Some(Tag::Time)]);
}

const SOUP: [&str; 51] = [
    "<div>",
    "</div>",
    "<p>",
    "</p>",
    "<ul>",
    "<li>",
    "</ul>",
    "<table>",
    "<tr>",
    "<td>",
    "</td>",
    "</table>",
    "<b>",
    "</b>",
    "<a href=x>",
    "</a>",
    "text ",
    "&amp;",
    "&no",
    "tin;",
    "<script>",
    "</script>",
    "<!--",
    "-->",
    "<h1>",
    "</h2>",
    "<br>",
    "</",
    "<",
    "\"",
    "'",
    "<svg>",
    "</svg>",
    "<title>",
    "</title>",
    "\0",
    "é",
    "<body>",
    "</body>",
    "<head>",
    "</head>",
    "<![CDATA[",
    "]]>",
    "\r",
    "\n",
    "<noscript>",
    "</noscript>",
    "</p a='>'>",
    "</a/>",
    "<style>",
    "</style>",
];

proptest! {
    /// Bytes come from the network in pieces of any size.
    #[test]
    fn any_cutting_makes_the_same_tree(
        parts in proptest::collection::vec(proptest::sample::select(SOUP.to_vec()), 0..40),
        size in 1..20usize,
    ) {
        let html = parts.concat();
        let mut parser = Parser::default();
        html.as_bytes().chunks(size).for_each(|piece| parser.write(piece));
        prop_assert_eq!(format!("{:?}", parser.end()), format!("{:?}", parse(&html)));
    }

    #[test]
    fn any_soup_makes_a_sound_tree(parts in proptest::collection::vec(proptest::sample::select(SOUP.to_vec()), 0..60)) {
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
