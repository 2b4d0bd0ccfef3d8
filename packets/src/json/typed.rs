// SPDX-License-Identifier: MIT OR Apache-2.0
//! From a parsed document to typed structures, without reading the text again.
//!
//! serde's own readers take a list of values where a structure is asked for. Two spellings of one
//! record are one too many in evidence, so here a structure is an object and nothing else. Faults
//! carry the place of the value that they are about.

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::value::{Member, Place, Value, ValueKind};

/// What a structure does not take, and where it stands once that is known.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) place: Option<Place>,
    pub(super) problem: String,
}

impl Fault {
    /// The innermost value that a fault passes through is the one that it is about.
    fn at(mut self, value: &Value<'_, '_>) -> Self {
        self.place.get_or_insert(value.place());
        self
    }
}

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Fault {}

impl Error for Fault {
    fn custom<T: std::fmt::Display>(problem: T) -> Self {
        Self {
            place: None,
            problem: problem.to_string(),
        }
    }
}

/// Reads `value` as a `T`.
pub(super) fn read<'a, T: serde::Deserialize<'a>>(value: &'a Value<'a, 'a>) -> Result<T, Fault> {
    T::deserialize(Typed(value)).map_err(|fault| fault.at(value))
}

/// One value on its way into a type.
#[derive(Clone, Copy)]
struct Typed<'a>(&'a Value<'a, 'a>);

impl<'a> Typed<'a> {
    fn unexpected(self) -> Unexpected<'a> {
        match self.0.kind() {
            ValueKind::Null => Unexpected::Unit,
            ValueKind::Bool(truth) => Unexpected::Bool(truth),
            ValueKind::Number(_) => Unexpected::Other("a number"),
            ValueKind::String(text) => Unexpected::Str(text),
            ValueKind::Array(_) => Unexpected::Seq,
            ValueKind::Object(_) => Unexpected::Map,
        }
    }

    /// An integer where the text is one (`-0` is none, as JSON readers have it), else a double.
    fn number<V: Visitor<'a>>(text: &str, visitor: V) -> Result<V::Value, Fault> {
        if text != "-0" {
            if let Ok(count) = text.parse::<u64>() {
                return visitor.visit_u64(count);
            }
            if let Ok(integer) = text.parse::<i64>() {
                return visitor.visit_i64(integer);
            }
        }
        match text.parse::<f64>() {
            Ok(double) => visitor.visit_f64(double),
            Err(_) => Err(Fault::custom("a number that is none")),
        }
    }
}

impl<'a> Deserializer<'a> for Typed<'a> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.kind() {
            ValueKind::Null => visitor.visit_unit(),
            ValueKind::Bool(truth) => visitor.visit_bool(truth),
            ValueKind::Number(text) => Self::number(text, visitor),
            ValueKind::String(text) => visitor.visit_str(text),
            ValueKind::Array(items) => {
                let mut access = Items(items.iter());
                let found = visitor.visit_seq(&mut access)?;
                match access.0.len() {
                    0 => Ok(found),
                    more => Err(Fault::custom(format_args!(
                        "{more} values too many in a list"
                    ))),
                }
            }
            ValueKind::Object(members) => visitor.visit_map(Members {
                members: members.iter(),
                value: None,
            }),
        }
    }

    fn deserialize_option<V: Visitor<'a>>(self, visitor: V) -> Result<V::Value, Fault> {
        match self.0.kind() {
            ValueKind::Null => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_struct<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0.kind() {
            ValueKind::Object(_) => self.deserialize_any(visitor),
            _ => Err(Fault::invalid_type(self.unexpected(), &visitor)),
        }
    }

    fn deserialize_enum<V: Visitor<'a>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.0.kind() {
            ValueKind::String(name) => visitor.visit_enum(Variant { name, value: None }),
            ValueKind::Object(members) => match members {
                [one] => visitor.visit_enum(Variant {
                    name: one.key,
                    value: Some(&one.value),
                }),
                _ => Err(Fault::custom("an object of one key alone was expected")),
            },
            _ => Err(Fault::invalid_type(self.unexpected(), &visitor)),
        }
    }

    forward_to_deserialize_any! {
        <V: Visitor<'a>>
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit
        unit_struct seq tuple tuple_struct map identifier ignored_any
    }
}

struct Items<'a>(std::slice::Iter<'a, Value<'a, 'a>>);

impl<'a> SeqAccess<'a> for Items<'a> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'a>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let Some(value) = self.0.next() else {
            return Ok(None);
        };
        let found = seed.deserialize(Typed(value));
        found.map(Some).map_err(|fault| fault.at(value))
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

struct Members<'a> {
    members: std::slice::Iter<'a, Member<'a, 'a>>,
    value: Option<&'a Value<'a, 'a>>,
}

impl<'a> MapAccess<'a> for Members<'a> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'a>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let Some(member) = self.members.next() else {
            return Ok(None);
        };
        self.value = Some(&member.value);
        let key = StrDeserializer::<Fault>::new(member.key);
        let found = seed.deserialize(key);
        found.map(Some).map_err(|fault| fault.at(&member.value))
    }

    fn next_value_seed<S: DeserializeSeed<'a>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let Some(value) = self.value.take() else {
            return Err(Fault::custom("a value before its key"));
        };
        let found = seed.deserialize(Typed(value));
        found.map_err(|fault| fault.at(value))
    }
}

/// A variant by its name alone, or as an object of one key.
struct Variant<'a> {
    name: &'a str,
    value: Option<&'a Value<'a, 'a>>,
}

impl<'a> EnumAccess<'a> for Variant<'a> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<(S::Value, Self), Fault> {
        let name = StrDeserializer::<Fault>::new(self.name);
        seed.deserialize(name).map(|found| (found, self))
    }
}

impl<'a> VariantAccess<'a> for Variant<'a> {
    type Error = Fault;

    /// A variant without content is its name and nothing else.
    fn unit_variant(self) -> Result<(), Fault> {
        match self.value {
            None => Ok(()),
            Some(value) => Err(Fault::custom(format_args!(
                "found `{}` with a value, expected the name alone",
                self.name.escape_debug()
            ))
            .at(value)),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'a>>(self, seed: S) -> Result<S::Value, Fault> {
        let Some(value) = self.value else {
            return Err(Fault::custom(format_args!(
                "found `{}` alone, expected it with its value",
                self.name.escape_debug()
            )));
        };
        let found = seed.deserialize(Typed(value));
        found.map_err(|fault| fault.at(value))
    }

    fn tuple_variant<V: Visitor<'a>>(self, _: usize, visitor: V) -> Result<V::Value, Fault> {
        Err(Fault::invalid_type(Unexpected::TupleVariant, &visitor))
    }

    fn struct_variant<V: Visitor<'a>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        match self.value {
            Some(value) => Typed(value).deserialize_struct("", fields, visitor),
            None => Err(Fault::invalid_type(Unexpected::UnitVariant, &visitor)),
        }
    }
}
