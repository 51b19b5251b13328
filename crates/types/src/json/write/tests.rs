//! The same bytes as serde_json's, for whatever it writes.

use super::*;
use proptest::prelude::*;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::collections::BTreeMap;

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Frame<'a> {
    Begun,
    Told {
        #[serde(flatten)]
        of: Of<'a>,
        texts: &'a [String],
        #[serde(skip_serializing_if = "Option::is_none")]
        none: Option<u32>,
    },
    Raw {
        raw: &'a RawValue,
        #[serde(serialize_with = "long::serialize")]
        text: &'a str,
    },
}

#[derive(Serialize)]
struct Of<'a> {
    id: &'a str,
    places: [f64; 3],
    is: bool,
    state: State,
    empty: Option<()>,
    more: Either<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum State {
    UnderWay,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Either<'a> {
    Value(&'a Value),
}

fn check(value: &impl Serialize) {
    assert_eq!(text(value).unwrap(), serde_json::to_string(value).unwrap());
}

#[test]
fn what_doors_write_is_what_serde_json_writes() {
    let value =
        json!({ "a\"b": [1, -2, 2.5, 1e21, null, true, {}, []], "é": { "\n": "東京 \u{1}" } });
    let texts = ["plain".to_owned(), "a \"b\" \\ c".to_owned()];
    let id = "msg_1";
    let (places, is) = ([0.0, 1.0 / 3.0, f64::NAN], true);
    let of =
        Of { id, places, is, state: State::UnderWay, empty: None, more: Either::Value(&value) };
    let raw = RawValue::from_string("[1,  \"x\"]".to_owned()).unwrap();
    check(&[
        Frame::Begun,
        Frame::Told { of, texts: &texts, none: None },
        Frame::Raw { raw: &raw, text: &"long, \"and\" longer. ".repeat(20) },
    ]);
    check(&("x", 'y', u64::MAX, i64::MIN, ()));
}

#[test]
fn what_no_door_writes_yet_is_written_as_serde_json_writes_it() {
    #[derive(Serialize)]
    enum Outside<'a> {
        Holds(u8),
        Several(u8, &'a str),
        Named { first: u8, second: Option<&'a Outside<'a>> },
    }
    #[derive(Serialize)]
    struct Pair(u8, Bytes);
    struct Bytes;
    impl Serialize for Bytes {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            serializer.serialize_bytes(b"ab")
        }
    }
    let held = Outside::Several(2, "a \"b\"");
    let named = Outside::Named { first: 3, second: Some(&held) };
    check(&(Outside::Holds(1), named, Pair(4, Bytes)));
    check(&BTreeMap::from([(-1, [1_u128]), (2, [u128::MAX])]));
    check(&BTreeMap::from([(true, i128::MIN)]));
}

#[test]
fn members_stand_behind_those_of_an_object_and_nowhere_else() {
    let joined = |begins: &str, value: Value| {
        let mut out = begins.as_bytes().to_vec();
        let written = write_beside(&value, &mut out);
        (written, String::from_utf8(out).unwrap())
    };
    for (begins, members, whole) in [
        ("data: {}", json!({}), "data: {}"),
        ("{}", json!({ "at": 7 }), r#"{"at":7}"#),
        (r#"{"a":{}}"#, json!({}), r#"{"a":{}}"#),
        (r#"{"a":{}}"#, json!({ "at": 7, "b": {} }), r#"{"a":{},"at":7,"b":{}}"#),
        (r#"{"a":"{"}"#, json!({ "b": "}" }), r#"{"a":"{","b":"}"}"#),
    ] {
        assert_eq!(joined(begins, members), (Ok(()), whole.to_owned()));
    }
    for value in [json!([]), json!("{}"), json!(1)] {
        assert_eq!(joined("{}", value), (Err(Formless), "{}".to_owned()));
    }
    for begins in ["", "[]", "data: "] {
        assert_eq!(joined(begins, json!({ "at": 7 })), (Err(Formless), begins.to_owned()));
    }
}

#[test]
fn what_is_json_already_is_written_as_it_is() {
    check(&[Written(r#"{"a": "\n"}"#), Written("[ ]")]);
    assert_eq!(text(&[Written("[ ]")]).unwrap(), "[[ ]]");
}

#[test]
fn what_is_no_json_is_refused_as_a_whole() {
    let mut out = b"data: ".to_vec();
    let nested = json!({ "a": 1 });
    for key in [None, Some([1])] {
        let odd = BTreeMap::from([(key, 2)]);
        assert!(serde_json::to_string(&odd).is_err());
        assert_eq!(write(&(&nested, &odd), &mut out), Err(Formless));
    }
    assert_eq!(out, b"data: ");
}

proptest! {
    #[test]
    fn any_text_is_written_as_serde_json_writes_it(text in "(?s).{0,60}", often in "[\"\\\\\n\ta-cé]{0,40}") {
        check(&text);
        check(&BTreeMap::from([(&often, &text)]));
    }
}
