//! Functions and classes.

use boa_engine::{JsObject, builtins::function::OrdinaryFunction, js_string};

use super::{Form, Inspector, inherited_text, names::Makers};

impl Inspector<'_> {
    pub(super) fn function(&mut self, object: &JsObject, makers: &Makers) -> Form {
        let base = if is_class(object) { class(object) } else { function(object, makers) };
        self.with_properties(object, base, 0)
    }
}

fn function(object: &JsObject, makers: &Makers) -> String {
    let kind = match &*makers.tag {
        kind @ ("AsyncFunction" | "GeneratorFunction" | "AsyncGeneratorFunction") => kind,
        _ => "Function",
    };
    match inherited_text(object, "name").filter(|name| !name.is_empty()) {
        Some(name) => format!("[{kind}: {name}]"),
        None => format!("[{kind} (anonymous)]"),
    }
}

fn class(object: &JsObject) -> String {
    let name = |object: &JsObject| inherited_text(object, "name").filter(|name| !name.is_empty());
    let own = object.borrow().properties().contains_key(&js_string!("name").into());
    let mut text = match name(object).filter(|_| own) {
        Some(name) => format!("[class {name}"),
        None => "[class (anonymous)".into(),
    };
    if let Some(parent) = object.prototype().and_then(|parent| name(&parent)) {
        text += &format!(" extends {parent}");
    }
    text + "]"
}

/// Only a class has a prototype that cannot be replaced; a frozen function has, too, but its name
/// is as fixed.
fn is_class(object: &JsObject) -> bool {
    let own = |name: &str| object.borrow().properties().get(&js_string!(name).into());
    let fixed = own("prototype").is_some_and(|prototype| prototype.writable() == Some(false));
    let frozen = own("length").is_some_and(|length| length.configurable() == Some(false));
    object.is::<OrdinaryFunction>() && fixed && !frozen
}
