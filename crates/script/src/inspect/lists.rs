//! The parts of arrays, typed arrays, maps, sets, their iterators and promises.

use boa_engine::{JsObject, JsValue, object::builtins::JsTypedArray, property::PropertyKey};

use super::{Body, Inspector, keys, more_items, plural};

impl Inspector<'_> {
    pub(super) fn body(&mut self, object: &JsObject, body: Body, level: usize) -> Vec<String> {
        match body {
            Body::None => Vec::new(),
            Body::Words(words) => words.into_iter().map(|word| self.spend(word)).collect(),
            Body::Array(length) => self.array(object, length, level),
            Body::TypedArray(length) => self.typed_array(object, length),
            Body::Map(entries, size) => self.entries(entries, size, |inspector, (key, value)| {
                let key = inspector.value(&key, level);
                format!("{key} => {}", inspector.value(&value, level))
            }),
            Body::Set(entries, size) => {
                self.entries(entries, size, |inspector, value| inspector.value(&value, level))
            }
            Body::Settled(word, value) => {
                let value = self.indented(|inspector| inspector.value(&value, level));
                vec![format!("{word}{value}")]
            }
        }
    }

    fn array(&mut self, object: &JsObject, length: u32, level: usize) -> Vec<String> {
        let mut items = Vec::new();
        let mut index = 0;
        let mut sorted: Option<Vec<u32>> = None;
        while index < length && items.len() < self.options.items && self.left > 0 {
            let element = object.borrow().properties().get(&PropertyKey::from(index));
            if let Some(element) = element {
                items.push(self.property_value(&element, level));
                index += 1;
                continue;
            }
            let present = sorted.get_or_insert_with(|| keys(object).0);
            let after = present.partition_point(|key| *key < index);
            let next = present.get(after).copied().unwrap_or(length).min(length);
            let holes = next - index;
            let ending = plural(holes.try_into().unwrap_or(usize::MAX));
            items.push(self.spend(format!("<{holes} empty item{ending}>")));
            index = next;
        }
        if index < length {
            items.push(more_items(usize::try_from(length - index).unwrap_or(usize::MAX)));
        }
        items
    }

    fn entries<T>(
        &mut self,
        entries: Vec<T>,
        size: usize,
        mut show: impl FnMut(&mut Self, T) -> String,
    ) -> Vec<String> {
        self.indented(|inspector| {
            let mut items = Vec::new();
            for entry in entries.into_iter().take(inspector.options.items) {
                if inspector.left == 0 {
                    break;
                }
                items.push(show(inspector, entry));
            }
            if size > items.len() {
                items.push(more_items(size - items.len()));
            }
            items
        })
    }

    fn typed_array(&mut self, object: &JsObject, length: usize) -> Vec<String> {
        let mut items = Vec::new();
        let Ok(array) = JsTypedArray::from_object(object.clone()) else { return items };
        for index in 0..length.min(self.options.items) {
            if self.left == 0 {
                break;
            }
            let index = i64::try_from(index).unwrap_or(i64::MAX);
            let Ok(element) = array.at(index, self.context) else { break };
            items.push(self.value(&element, 0));
        }
        if length > items.len() {
            items.push(more_items(length - items.len()));
        }
        items
    }

    /// Whether the list has a number at each place that has a part.
    pub(super) fn is_numeric(&mut self, object: &JsObject, parts: usize) -> bool {
        if !object.is_array() {
            // The only other lists are typed arrays, and only properties are no numbers there.
            let array = JsTypedArray::from_object(object.clone());
            return array
                .and_then(|array| array.length(self.context))
                .is_ok_and(|all| parts <= all);
        }
        let is_number = |value: &JsValue| value.is_number() || value.is_bigint();
        (0..parts).all(|index| {
            let index = PropertyKey::from(u32::try_from(index).unwrap_or(u32::MAX));
            let element = object.borrow().properties().get(&index);
            element.is_some_and(|element| element.value().is_some_and(is_number))
        })
    }
}

/// `<00 ff>`: the bytes of a buffer.
pub(super) fn bytes(data: &[u8], items: usize) -> String {
    let shown: Vec<String> = data.iter().take(items).map(|byte| format!("{byte:02x}")).collect();
    let more = data.len().saturating_sub(items);
    let more = match more {
        0 => String::new(),
        more => format!(" ... {more} more byte{}", plural(more)),
    };
    format!("[Uint8Contents]: <{}{more}>", shown.join(" "))
}
