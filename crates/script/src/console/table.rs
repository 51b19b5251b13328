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
    inspect::{self, array_length, columns},
    json::keys,
};

/// Elements of an array that a cell shows.
const ELEMENTS: usize = 3;
/// Properties of an object that a cell shows; with more, it shows the kind only.
const PROPERTIES: usize = 2;

pub(super) fn table(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let Some(data) = arguments.first().and_then(JsValue::as_object) else {
        return line(ConsoleLevel::Log, arguments.get(..1).unwrap_or_default(), context);
    };
    let filter = match arguments.get(1).filter(|filter| !filter.is_undefined()) {
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
    table.collect(&data, filter.as_deref())?;
    let (text, cut) = table.draw(room);
    print(ConsoleLevel::Log, text, cut, context)
}

struct Table<'a> {
    /// The columns; those that are no property, such as the index, have no key.
    heads: Vec<(Option<PropertyKey>, String)>,
    /// Cells by column.
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

    fn collect(&mut self, data: &JsObject, filter: Option<&[PropertyKey]>) -> JsResult<()> {
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
            self.heads.push((None, "(index)".into()));
            for key in own(data) {
                if self.left == 0 {
                    break;
                }
                self.row(data, &key, filter);
            }
            self.arrange();
        }
        Ok(())
    }

    fn iterated(&mut self, heads: &[&str], rows: &[Vec<JsValue>]) {
        self.heads = heads.iter().map(|head| (None, (*head).to_owned())).collect();
        for (index, row) in rows.iter().enumerate() {
            if self.left == 0 {
                return;
            }
            let mut cells = vec![(0, index.to_string())];
            for (column, value) in row.iter().enumerate() {
                let text = self.cell(value);
                cells.push((column + 1, text));
            }
            self.rows.push(cells);
        }
    }

    fn row(&mut self, data: &JsObject, key: &PropertyKey, filter: Option<&[PropertyKey]>) {
        let item = value(data, key).unwrap_or_default();
        let index = self.spend(name(key));
        let mut cells = vec![(0, index)];
        let object = item.as_object();
        let wanted = match (&object, filter) {
            (_, Some(filter)) => filter.to_vec(),
            (Some(object), None) => own(object),
            (None, None) => {
                let text = self.cell(&item);
                cells.push((self.column(None), text));
                Vec::new()
            }
        };
        for key in wanted {
            if self.left == 0 {
                break;
            }
            let column = self.column(Some(&key));
            if let Some(found) = object.as_ref().and_then(|object| value(object, &key)) {
                let text = self.cell(&found);
                cells.push((column, text));
            }
        }
        self.rows.push(cells);
    }

    /// The place of a column; 0 is the index.
    fn column(&mut self, key: Option<&PropertyKey>) -> usize {
        let known = self.heads.iter().skip(1).position(|(head, _)| head.as_ref() == key);
        if let Some(at) = known {
            return at + 1;
        }
        let text = self.spend(key.map_or_else(|| "Values".into(), name));
        self.heads.push((key.cloned(), text));
        self.heads.len() - 1
    }

    /// Columns with numbers for names first, the one of plain values last.
    fn arrange(&mut self) {
        let mut order: Vec<usize> = (1..self.heads.len()).collect();
        order.sort_by_key(|at| match self.heads.get(*at) {
            Some((Some(PropertyKey::Index(index)), _)) => (0, index.get()),
            Some((Some(_), _)) => (1, 0),
            _ => (2, 0),
        });
        let place = |old: usize| order.iter().position(|at| *at == old).map_or(0, |at| at + 1);
        let places: Vec<usize> = (0..self.heads.len()).map(place).collect();
        for (column, _) in self.rows.iter_mut().flatten() {
            *column = places.get(*column).copied().unwrap_or(0);
        }
        let first = self.heads.first().cloned();
        let others = order.iter().filter_map(|at| self.heads.get(*at).cloned());
        self.heads = first.into_iter().chain(others).collect();
    }

    /// The text, in not much more than `room` bytes, and whether something was left out.
    fn draw(&self, room: usize) -> (String, bool) {
        let mut widths: Vec<usize> = self.heads.iter().map(|(_, head)| columns(head)).collect();
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
        let heads: Vec<&str> = self.heads.iter().map(|(_, head)| head.as_str()).collect();
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
        let options = inspect::Options { levels, items: ELEMENTS, line: usize::MAX };
        let (text, _) = inspect::render_with(value, self.left, options, self.context);
        // Breaks of lines and what indents them become single spaces.
        let flat = if text.contains('\n') {
            text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
        } else {
            text
        };
        self.spend(flat)
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

/// The names of own, enumerable, named properties.
fn own(object: &JsObject) -> Vec<PropertyKey> {
    let (indices, others) = keys(object);
    let others = others.into_iter().filter(|key| {
        let property = object.borrow().properties().get(key);
        !matches!(key, PropertyKey::Symbol(_))
            && property.is_some_and(|property| property.enumerable() == Some(true))
    });
    indices.into_iter().map(PropertyKey::from).chain(others).collect()
}

/// An own property's value; a getter is not run.
fn value(object: &JsObject, key: &PropertyKey) -> Option<JsValue> {
    let property = object.borrow().properties().get(key)?;
    Some(property.value().cloned().unwrap_or_else(|| js_string!("[Getter]").into()))
}

fn name(key: &PropertyKey) -> String {
    match key {
        PropertyKey::Index(index) => index.get().to_string(),
        PropertyKey::String(name) => {
            let text = name.slice(0, name.len().min(1_000)).to_std_string_lossy();
            text.replace('\n', "\\n")
        }
        PropertyKey::Symbol(symbol) => symbol.descriptive_string().to_std_string_lossy(),
    }
}
