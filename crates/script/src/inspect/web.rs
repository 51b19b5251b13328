//! Addresses and their parameters.

use boa_engine::JsObject;

use super::{ITEMS, Inspector, group, quote};
use crate::builtins::{Shown, shown};

impl Inspector<'_> {
    /// The form of a `URL` or its parameters; `None` for other objects.
    pub(super) fn web(&mut self, object: &JsObject) -> Option<String> {
        match shown(object)? {
            Shown::Params(pairs) => Some(self.pairs(&pairs)),
            Shown::Address(parts, pairs) => {
                let mut items = Vec::new();
                for (name, text) in parts {
                    if name == "hash" {
                        items.push(format!("searchParams: {}", self.pairs(&pairs)));
                    }
                    items.push(self.spend(format!("{name}: {}", quote(&text))));
                }
                Some(group("URL ", "{", &items, "}"))
            }
        }
    }

    fn pairs(&mut self, pairs: &[(String, String)]) -> String {
        let mut items: Vec<String> = Vec::new();
        for (name, value) in pairs.iter().take(ITEMS) {
            if self.left == 0 {
                break;
            }
            items.push(self.spend(format!("{} => {}", quote(name), quote(value))));
        }
        if pairs.len() > ITEMS {
            items.push(format!("... {} more items", pairs.len() - ITEMS));
        }
        group("URLSearchParams ", "{", &items, "}")
    }
}
