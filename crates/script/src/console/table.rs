//! `console.table`: rows and columns in boxes.
//!
//! Border: it reads properties directly, as the rest of the console does; no code of the
//! program's runs.

use boa_engine::{
    Context, JsObject, JsResult, JsValue,
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
        Some(filter) => match filter.as_object().filter(JsObject::is_array) {
            Some(list) => Some(names(&list, context)?),
            None => {
                return Err(typed_error(
                    "The \"properties\" argument must be an instance of Array",
                ));
            }
        },
    };
    let Some(room) = room(context)? else { return Ok(JsValue::undefined()) };
    let mut table = Table { heads: Vec::new(), rows: Vec::new(), left: room };
    table.collect(&data, filter.as_deref(), context)?;
    let (text, cut) = table.draw(room);
    print(ConsoleLevel::Log, text, cut, context)
}

/// The columns that are asked for.
fn names(list: &JsObject, context: &mut Context) -> JsResult<Vec<PropertyKey>> {
    let length = array_length(list).unwrap_or(0);
    let mut names = Vec::new();
    for index in 0..length {
        names.push(list.get(index, context)?.to_property_key(context)?);
    }
    Ok(names)
}

struct Table {
    /// The columns after the index; `None` is that of values without properties.
    heads: Vec<(Option<PropertyKey>, String)>,
    /// The index and the cells by column.
    rows: Vec<(String, Vec<(usize, String)>)>,
    /// Bytes that may still be collected.
    left: usize,
}

impl Table {
    fn spend(&mut self, text: &str) {
        self.left = self.left.saturating_sub(text.len() + 1);
    }

    fn collect(
        &mut self,
        data: &JsObject,
        filter: Option<&[PropertyKey]>,
        context: &mut Context,
    ) -> JsResult<()> {
        if let Ok(map) = JsMap::from_object(data.clone()) {
            let mut entries = Vec::new();
            map.for_each_native(|key, value| {
                entries.push(vec![key, value]);
                Ok(())
            })?;
            self.iterated(&["(iteration index)", "Key", "Values"], &entries, context);
            return Ok(());
        }
        if let Ok(set) = JsSet::from_object(data.clone()) {
            let mut items = Vec::new();
            set.for_each_native(|item| {
                items.push(vec![item]);
                Ok(())
            })?;
            self.iterated(&["(iteration index)", "Values"], &items, context);
            return Ok(());
        }
        self.heads.push((None, "(index)".into()));
        for key in own(data) {
            if self.left == 0 {
                break;
            }
            self.row(data, &key, filter, context);
        }
        self.arrange();
        Ok(())
    }

    fn iterated(&mut self, heads: &[&str], rows: &[Vec<JsValue>], context: &mut Context) {
        self.heads = heads.iter().map(|head| (None, (*head).to_owned())).collect();
        for (index, row) in rows.iter().enumerate() {
            let mut cells = Vec::new();
            for (column, value) in row.iter().enumerate() {
                let text = cell(value, self.left, context);
                self.spend(&text);
                cells.push((column + 1, text));
            }
            if self.left == 0 {
                return;
            }
            self.rows.push((index.to_string(), cells));
        }
    }

    fn row(
        &mut self,
        data: &JsObject,
        key: &PropertyKey,
        filter: Option<&[PropertyKey]>,
        context: &mut Context,
    ) {
        let item = value(data, key).unwrap_or_default();
        let mut cells = Vec::new();
        match (item.as_object(), filter) {
            (None, None) => {
                let column = self.column(None);
                let text = cell(&item, self.left, context);
                self.spend(&text);
                cells.push((column, text));
            }
            (object, filter) => {
                let wanted = match (&object, filter) {
                    (_, Some(filter)) => filter.to_vec(),
                    (Some(object), None) => own(object),
                    (None, None) => Vec::new(),
                };
                for key in wanted {
                    if self.left == 0 {
                        break;
                    }
                    let column = self.column(Some(&key));
                    let found = object.as_ref().and_then(|object| value(object, &key));
                    if let Some(found) = found {
                        let text = cell(&found, self.left, context);
                        self.spend(&text);
                        cells.push((column, text));
                    }
                }
            }
        }
        let index = name(key);
        self.spend(&index);
        self.rows.push((index, cells));
    }

    /// The place of a column; 0 is the index.
    fn column(&mut self, key: Option<&PropertyKey>) -> usize {
        let known = self.heads.iter().skip(1).position(|(head, _)| head.as_ref() == key);
        if let Some(at) = known {
            return at + 1;
        }
        let text = key.map_or_else(|| "Values".into(), name);
        self.spend(&text);
        self.heads.push((key.cloned(), text));
        self.heads.len() - 1
    }

    /// Columns with numbers for names first, the one of plain values last.
    fn arrange(&mut self) {
        // By hand: a sort of the library's for this one place would be ten kilobytes of code.
        let (mut numbers, mut order, mut last) = (Vec::new(), Vec::new(), None);
        for (at, (head, _)) in self.heads.iter().enumerate().skip(1) {
            match head {
                Some(PropertyKey::Index(index)) => {
                    let place = numbers.partition_point(|(known, _)| *known < index.get());
                    numbers.insert(place, (index.get(), at));
                }
                Some(_) => order.push(at),
                None => last = Some(at),
            }
        }
        let order = numbers.into_iter().map(|(_, at)| at).chain(order).chain(last);
        let mut place = vec![0; self.heads.len()];
        let mut heads: Vec<_> = self.heads.first().cloned().into_iter().collect();
        for (new, old) in order.enumerate() {
            if let Some(place) = place.get_mut(old) {
                *place = new + 1;
            }
            heads.extend(self.heads.get(old).cloned());
        }
        self.heads = heads;
        for (column, _) in self.rows.iter_mut().flat_map(|(_, cells)| cells) {
            *column = place.get(*column).copied().unwrap_or(0);
        }
    }

    /// The text, in not much more than `room` bytes, and whether something was left out.
    fn draw(&self, room: usize) -> (String, bool) {
        let mut widths: Vec<usize> = self.heads.iter().map(|(_, head)| columns(head)).collect();
        for (index, cells) in &self.rows {
            let first = std::iter::once((0, index));
            for (column, text) in first.chain(cells.iter().map(|(at, text)| (*at, text))) {
                if let Some(known) = widths.get_mut(column) {
                    *known = (*known).max(columns(text));
                }
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
        let mut text = rule('┌', "┬", '┐');
        push_line(&mut text, &boxed(&heads, &widths));
        push_line(&mut text, &rule('├', "┼", '┤'));
        for (index, cells) in &self.rows {
            if text.len() > room {
                return (text, true);
            }
            let mut line = vec![""; widths.len()];
            for (column, text) in
                std::iter::once((0, index)).chain(cells.iter().map(|(at, text)| (*at, text)))
            {
                if let Some(place) = line.get_mut(column) {
                    *place = text;
                }
            }
            push_line(&mut text, &boxed(&line, &widths));
        }
        push_line(&mut text, &rule('└', "┴", '┘'));
        (text, false)
    }
}

fn push_line(text: &mut String, line: &str) {
    text.push('\n');
    text.push_str(line);
}

fn boxed(cells: &[&str], widths: &[usize]) -> String {
    let mut line = String::from("│");
    for (cell, wide) in cells.iter().zip(widths) {
        line.push(' ');
        line.push_str(cell);
        line.push_str(&" ".repeat(wide.saturating_sub(columns(cell)) + 1));
        line.push('│');
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
    let getter = || boa_engine::js_string!("[Getter]").into();
    Some(property.value().cloned().unwrap_or_else(getter))
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

/// A value on one line: of an object, what is directly in it if that is little.
fn cell(value: &JsValue, room: usize, context: &mut Context) -> String {
    let large = value
        .as_object()
        .is_some_and(|object| array_length(&object).is_none() && own(&object).len() > PROPERTIES);
    let options =
        inspect::Options { levels: usize::from(!large), items: ELEMENTS, line: usize::MAX };
    flat(inspect::render_with(value, room, options, context).0)
}

/// Breaks of lines and what indents them become single spaces.
fn flat(text: String) -> String {
    if !text.contains('\n') {
        return text;
    }
    text.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}
