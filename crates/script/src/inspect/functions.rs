//! Functions and classes.

use boa_engine::{JsObject, builtins::function::OrdinaryFunction, js_string};

use super::{
    Body, Form, Inspector, Structure, data_property, inherited_text,
    names::{Makers, short},
};

impl Inspector<'_> {
    pub(super) fn function(&mut self, object: &JsObject, makers: &Makers) -> Form {
        let base = if is_class(object) { class(object, makers) } else { function(object, makers) };
        let keys = self.own_keys(object, Some(0));
        if keys.is_empty() {
            return Form::Whole(base);
        }
        let base = self.spend(base);
        Form::Structure(Structure { base, open: "{".into(), close: "}", body: Body::None, keys })
    }
}

fn function(object: &JsObject, makers: &Makers) -> String {
    let kind = match &*makers.tag {
        kind @ ("AsyncFunction" | "GeneratorFunction" | "AsyncGeneratorFunction") => kind,
        _ => "Function",
    };
    let mut text = format!("[{kind}");
    if makers.constructor.is_none() {
        text += " (null prototype)";
    }
    match inherited_text(object, "name").filter(|name| !name.is_empty()) {
        Some(name) => text = text + ": " + &name,
        None => text += " (anonymous)",
    }
    text.push(']');
    with_names(text, makers, kind)
}

fn class(object: &JsObject, makers: &Makers) -> String {
    let name = data_property(object, "name").and_then(|name| name.as_string());
    let name = name.filter(|name| !name.is_empty());
    let name = name.map_or_else(|| "(anonymous)".into(), |name| short(&name));
    let mut text = format!("[class {name}");
    if let Some(constructor) = makers.constructor.as_ref().filter(|name| *name != "Function") {
        text += &format!(" [{constructor}]");
    }
    if !makers.tag.is_empty() && !makers.made_by(&makers.tag) {
        text += &format!(" [{}]", makers.tag);
    }
    if makers.constructor.is_some() {
        let parent = object.prototype().and_then(|parent| inherited_text(&parent, "name"));
        if let Some(parent) = parent.filter(|parent| !parent.is_empty()) {
            text += &format!(" extends {parent}");
        }
    } else {
        text += " extends [null prototype]";
    }
    text + "]"
}

/// Adds the names that do not go without saying.
fn with_names(mut text: String, makers: &Makers, kind: &str) -> String {
    if let Some(constructor) = makers.constructor.as_ref().filter(|name| *name != kind) {
        text = text + " " + constructor;
    }
    if !makers.tag.is_empty() && !makers.made_by(&makers.tag) {
        text += &format!(" [{}]", makers.tag);
    }
    text
}

/// Only a class has a prototype that cannot be replaced; a frozen function has, too, but its name
/// is as fixed.
fn is_class(object: &JsObject) -> bool {
    let own = |name: &str| object.borrow().properties().get(&js_string!(name).into());
    let fixed = own("prototype").is_some_and(|prototype| prototype.writable() == Some(false));
    let length = own("length");
    let frozen = length.is_some_and(|length| length.configurable() == Some(false));
    object.is::<OrdinaryFunction>() && fixed && !frozen
}
