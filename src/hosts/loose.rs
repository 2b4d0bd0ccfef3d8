// SPDX-License-Identifier: MIT OR Apache-2.0
//! Reads one JSON value the way a foreign event stream needs it: keys given twice are counted, not refused.
//!
//! Codex writes the key `id` twice in its web searches. The first one wins, because that is the one by which
//! its other events name the item. Our own records are read strictly, elsewhere.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// A value, and how many keys in it repeated an earlier one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Loose {
    pub(super) value: Value,
    pub(super) repeated_keys: u64,
}

/// Reads the one JSON value that `text` holds. Nesting is limited by the reader (128 levels).
pub(super) fn read(text: &str) -> Result<Loose, serde_json::Error> {
    let repeated = Cell::new(0);
    let mut reader = serde_json::Deserializer::from_str(text);
    let value = Seed {
        repeated: &repeated,
    }
    .deserialize(&mut reader)?;
    reader.end()?;
    Ok(Loose {
        value,
        repeated_keys: repeated.get(),
    })
}

#[derive(Clone, Copy)]
struct Seed<'a> {
    repeated: &'a Cell<u64>,
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<Value, D::Error> {
        reader.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::from(value))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self)? {
            list.push(item);
        }
        Ok(Value::Array(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = entries.next_key::<String>()? {
            let value = entries.next_value_seed(self)?;
            if map.contains_key(&key) {
                self.repeated.set(self.repeated.get() + 1);
            } else {
                map.insert(key, value);
            }
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_first_of_two_keys_and_counts() {
        let text = r#"{"id":"item_0","a":[1,-2,0.5,null,true,{"x":1,"x":2}],"id":"ws_1"}"#;
        let loose = read(text).unwrap();
        assert_eq!(loose.repeated_keys, 2);
        let expected = serde_json::json!({"id": "item_0", "a": [1, -2, 0.5, null, true, {"x": 1}]});
        assert_eq!(loose.value, expected);
    }

    #[test]
    fn refuses_what_is_no_json() {
        for bad in [
            "",
            "{",
            "{} x",
            "NaN",
            "1e999",
            "{'a':1}",
            &"[".repeat(100_000),
        ] {
            assert!(read(bad).is_err(), "{:.20}", bad);
        }
    }
}
