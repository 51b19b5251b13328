//! `console.table`: rows and columns in boxes.
//!
//! Border: it reads properties directly, as the rest of the console does; no code of the
//! program's runs.

use boa_engine::{
    Context, JsObject, JsResult, JsValue, js_string,
    object::builtins::{JsMap, JsSet},
    property::PropertyKey,
};

use super::{line, print, room};
use crate::{
    ConsoleLevel,
    builtins::typed_error,
    inspect::{self, Options, array_length, columns},
    json::enumerable,
};

/// Elements of an array that a cell shows.
const ELEMENTS: usize = 3;
/// Properties of an object that a cell shows; with more, it shows the kind only.
const PROPERTIES: usize = 2;

pub(super) fn table(_: &JsValue, list: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let Some(data) = list.first().and_then(JsValue::as_object) else {
        return line(ConsoleLevel::Log, list.get(..1).unwrap_or_default(), context);
    };
    let filter = match list.get(1).filter(|filter| !filter.is_undefined()) {
        None => None,
        Some(filter) => {
            let list = filter.as_object().filter(JsObject::is_array).ok_or_else(|| {
                typed_error("The \"properties\" argument must be an instance of Array")
            })?;
            let names = (0..array_length(&list).unwrap_or(0))
                .map(|index| list.get(index, context)?.to_property_key(context));
            Some(names.collect::<JsResult<Vec<_>>>()?)
        }
    };
    let Some(room) = room(context)? else { return Ok(JsValue::undefined()) };
    let mut table = Table { heads: Vec::new(), rows: Vec::new(), left: room, context };
    table.collect(&data, filter)?;
    let (text, cut) = table.draw(room);
    print(ConsoleLevel::Log, text, cut, context)
}

struct Table<'a> {
    heads: Vec<String>,
    /// Cells by their head's place.
    rows: Vec<Vec<(usize, String)>>,
    /// Bytes that may still be collected.
    left: usize,
    context: &'a mut Context,
}

impl Table<'_> {
    fn spend(&mut self, text: String) -> String {
        self.left = self.left.saturating_sub(text.len() + 1);
        text
    }

    fn collect(&mut self, data: &JsObject, filter: Option<Vec<PropertyKey>>) -> JsResult<()> {
        let mut rows = Vec::new();
        if let Ok(map) = JsMap::from_object(data.clone()) {
            map.for_each_native(|key, value| {
                rows.push(vec![key, value]);
                Ok(())
            })?;
            self.iterated(&["(iteration index)", "Key", "Values"], &rows);
        } else if let Ok(set) = JsSet::from_object(data.clone()) {
            set.for_each_native(|item| {
                rows.push(vec![item]);
                Ok(())
            })?;
            self.iterated(&["(iteration index)", "Values"], &rows);
        } else {
            self.listed(&own(data), filter);
        }
        Ok(())
    }

    fn iterated(&mut self, heads: &[&str], rows: &[Vec<JsValue>]) {
        self.heads = heads.iter().map(|head| (*head).to_owned()).collect();
        for (index, row) in rows.iter().enumerate() {
            if self.left == 0 {
                return;
            }
            let mut cells = vec![(0, index.to_string())];
            for (value, column) in row.iter().zip(1..) {
                cells.push((column, self.cell(value)));
            }
            self.rows.push(cells);
        }
    }

    /// A row for each property: what is in objects by name, other values in the last column.
    fn listed(&mut self, data: &[(PropertyKey, JsValue)], filter: Option<Vec<PropertyKey>>) {
        let mut keys: Vec<PropertyKey> = filter.clone().unwrap_or_default();
        let objects: Vec<_> =
            data.iter().map(|(_, item)| item.as_object().map(|object| own(&object))).collect();
        for (key, _) in objects.iter().flatten().flatten() {
            if filter.is_none() && keys.len() * 4 <= self.left && !keys.contains(key) {
                keys.push(key.clone());
            }
        }
        let mut plain = false;
        for ((key, item), object) in data.iter().zip(&objects) {
            if self.left == 0 {
                return;
            }
            let mut cells = vec![(0, self.spend(name(key)))];
            for (key, value) in object.iter().flatten() {
                if let Some(at) = keys.iter().position(|known| known == key) {
                    cells.push((at + 1, self.cell(value)));
                }
            }
            if object.is_none() && filter.is_none() {
                plain = true;
                cells.push((keys.len() + 1, self.cell(item)));
            }
            self.rows.push(cells);
        }
        self.heads.push("(index)".into());
        for key in keys {
            let head = self.spend(name(&key));
            self.heads.push(head);
        }
        self.heads.extend(plain.then(|| "Values".to_owned()));
    }

    /// The text, in not much more than `room` bytes, and whether something was left out.
    fn draw(&self, room: usize) -> (String, bool) {
        let mut widths: Vec<usize> = self.heads.iter().map(|head| columns(head)).collect();
        for (column, text) in self.rows.iter().flatten() {
            if let Some(known) = widths.get_mut(*column) {
                *known = (*known).max(columns(text));
            }
        }
        let total: usize = widths.iter().map(|width| width + 3).sum();
        if self.left == 0 || total > room {
            return ("(the table is too large to be shown)".into(), true);
        }
        let rule = |left: char, middle: &str, right: char| {
            let bars: Vec<String> = widths.iter().map(|width| "─".repeat(width + 2)).collect();
            format!("{left}{}{right}", bars.join(middle))
        };
        let heads: Vec<&str> = self.heads.iter().map(String::as_str).collect();
        let mut lines = vec![rule('┌', "┬", '┐'), boxed(&heads, &widths), rule('├', "┼", '┤')];
        let mut size = 0;
        for row in &self.rows {
            if size > room {
                return (lines.join("\n"), true);
            }
            let mut cells = vec![""; widths.len()];
            for (column, text) in row {
                if let Some(place) = cells.get_mut(*column) {
                    *place = text;
                }
            }
            let line = boxed(&cells, &widths);
            size += line.len();
            lines.push(line);
        }
        lines.push(rule('└', "┴", '┘'));
        (lines.join("\n"), false)
    }

    /// A value on one line: of an object, what is directly in it if that is little.
    fn cell(&mut self, value: &JsValue) -> String {
        let object = value.as_object().filter(|object| array_length(object).is_none());
        let large = object.is_some_and(|object| own(&object).len() > PROPERTIES);
        let levels = usize::from(!large);
        let options = Options { levels, items: ELEMENTS, line: usize::MAX, ..Options::VALUE };
        let (text, _) = inspect::render(value, self.left, options, self.context);
        // Breaks of lines and what indents them become single spaces.
        let flat = text.lines().map(str::trim).collect::<Vec<_>>().join(" ");
        self.spend(if text.contains('\n') { flat } else { text })
    }
}

fn boxed(cells: &[&str], widths: &[usize]) -> String {
    let mut line = String::from("│");
    for (cell, wide) in cells.iter().zip(widths) {
        let blanks = " ".repeat(wide.saturating_sub(columns(cell)) + 1);
        line += &format!(" {cell}{blanks}│");
    }
    line
}

/// The own, enumerable, named properties; a getter is not run.
fn own(object: &JsObject) -> Vec<(PropertyKey, JsValue)> {
    let getter = || js_string!("[Getter]").into();
    let named = enumerable(object).filter(|(key, _)| !matches!(key, PropertyKey::Symbol(_)));
    named.map(|(key, property)| (key, property.value().cloned().unwrap_or_else(getter))).collect()
}

fn name(key: &PropertyKey) -> String {
    let text = key.to_string();
    text.get(..text.floor_char_boundary(1_000)).unwrap_or_default().replace('\n', "\\n")
}
