// SPDX-License-Identifier: MIT OR Apache-2.0
//! Looks into foreign JSON without trusting its shape: what is missing or of another type is simply absent.

use serde_json::Value;

/// The string at `key`, or an empty one.
pub(super) fn text(value: &Value, key: &str) -> String {
    value
        .get(key)
        .and_then(Value::as_str)
        .unwrap_or_default()
        .to_owned()
}

/// The string at `key`, when there is one that is not empty.
pub(super) fn some_text(value: &Value, key: &str) -> Option<String> {
    Some(text(value, key)).filter(|text| !text.is_empty())
}

/// The whole number at `key`, when it is one and not negative. Floats are none.
pub(super) fn number(value: &Value, key: &str) -> Option<u64> {
    value.get(key).and_then(Value::as_u64)
}

/// The list at `key`, or an empty one.
pub(super) fn list<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value
        .get(key)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The strings in the list at `key`; objects in it give their `name`.
pub(super) fn names(value: &Value, key: &str) -> Vec<String> {
    let name = |item: &Value| {
        item.as_str()
            .map(str::to_owned)
            .or_else(|| some_text(item, "name"))
    };
    list(value, key).iter().filter_map(name).collect()
}
