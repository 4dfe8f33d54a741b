//! Declared types of attributes in GraphML and GEXF, and values of these types.

use super::codes;
use super::import_builder::ImportBuilder;
use super::number::{NumberText, read_declared_number};
use crate::base::diagnostic::quote;
use crate::base::json::Limits;
use crate::base::{Code, Diagnostic, Span, Value};
use crate::gasl::graph::AttributeValue;

/// Declared type of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueType {
    scalar: ScalarType,
    form: ValueForm,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScalarType {
    Text,
    Integer,
    Float,
    Bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ValueForm {
    /// One value.
    Single,
    /// Values separated by `|`, `;` or `,`, with or without brackets.
    Separated,
    /// A JSON list.
    JsonList,
}

/// Reason why a text was not read as its type declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueProblem {
    /// Not a value of the type: read as text.
    Invalid,
    /// Infinite or not a number: read as null.
    NotFinite,
}

impl ValueProblem {
    /// Returns the code of its diagnostic.
    pub fn code(self) -> Code {
        match self {
            ValueProblem::Invalid => codes::WRONG_TYPE,
            ValueProblem::NotFinite => codes::NOT_FINITE,
        }
    }

    /// Returns the warning about a text of an attribute.
    pub fn diagnostic(self, name: &str, text: &str) -> Diagnostic {
        let (value, name) = (quote(text.trim()), quote(name));
        let (message, help) = match self {
            ValueProblem::Invalid => (
                format!("invalid value {value} of {name}"),
                "write a value of the declared type, or declare `string`; it was read as text",
            ),
            ValueProblem::NotFinite => (
                format!("{value} of {name} is not a finite number"),
                "JSON has no such number, so it was read as null; leave the value out, or declare \
                 `string`",
            ),
        };
        Diagnostic::new(self.code(), message).help(help)
    }
}

impl ValueType {
    /// Type of names and of attributes without a declared type.
    pub const TEXT: ValueType = ValueType { scalar: ScalarType::Text, form: ValueForm::Single };

    /// Returns the type of a name of GraphML (`vector_double` is of graph-tool) or GEXF
    /// (`liststring`); `None` for an unknown name.
    pub fn from_name(name: &str) -> Option<ValueType> {
        let name = name.to_ascii_lowercase();
        let item = name.strip_prefix("vector_").or_else(|| name.strip_prefix("list"));
        let (scalar, form) = match item {
            // Vectors of strings are written with escapes that only graph-tool reads.
            Some("string") if name.starts_with("vector_") => return None,
            Some(item) => (ScalarType::from_name(item)?, ValueForm::Separated),
            None => (ScalarType::from_name(&name)?, ValueForm::Single),
        };
        Some(ValueType { scalar, form })
    }

    /// Returns the type that an attribute declares. An unknown one is text, with a warning.
    pub fn declared(
        attribute: &str,
        name: Option<&str>,
        at: Span,
        graph: &mut ImportBuilder,
    ) -> ValueType {
        let Some(name) = name else { return ValueType::TEXT };
        ValueType::from_name(name).unwrap_or_else(|| {
            graph.warn(codes::UNKNOWN_TYPE, || {
                let message = format!("unknown type {} of {}", quote(name), quote(attribute));
                Diagnostic::new(codes::UNKNOWN_TYPE, message)
                    .help(
                        "declare `string`, `int`, `long`, `float`, `double` or `boolean`; its values \
                         were read as texts",
                    )
                    .at(at)
            });
            ValueType::TEXT
        })
    }

    /// Type of JSON lists, which APOC declares with `attr.list`.
    pub const JSON_LIST: ValueType =
        ValueType { scalar: ScalarType::Text, form: ValueForm::JsonList };

    /// Parses a text. Returns `None` for a blank text that is not a string: a missing value.
    pub fn read<'a>(self, text: &'a str) -> (Option<AttributeValue<'a>>, Option<ValueProblem>) {
        let single = self.form == ValueForm::Single;
        if single && self.scalar == ScalarType::Text {
            return (Some(AttributeValue::Text(text)), None);
        }
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return (None, None);
        }
        let (value, problem) = match self.form {
            ValueForm::Single => self.scalar.read(trimmed),
            ValueForm::Separated => self.read_separated(trimmed),
            ValueForm::JsonList => match Value::parse(trimmed.as_bytes(), Limits::default()).0 {
                Some(Value::List(items)) => (Some(Value::List(items)), None),
                _ => (None, Some(ValueProblem::Invalid)),
            },
        };
        let value = match value {
            Some(Value::Number(number)) => AttributeValue::Number(number),
            Some(Value::Bool(flag)) => AttributeValue::Bool(flag),
            Some(Value::Null) => AttributeValue::Null,
            Some(value) => AttributeValue::Value(value),
            None => AttributeValue::Text(text),
        };
        (Some(value), problem)
    }

    fn read_separated(self, text: &str) -> (Option<Value>, Option<ValueProblem>) {
        let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
        let separator =
            ['|', ';', ','].into_iter().find(|separator| inner.contains(*separator)).unwrap_or(',');
        let mut items = Vec::new();
        let mut found = None;
        for item in inner.split(separator).map(str::trim) {
            let (value, problem) = match self.scalar {
                ScalarType::Text => (Some(item.trim_matches(['"', '\'']).into()), None),
                scalar => scalar.read(item),
            };
            let Some(value) = value else { return (None, problem) };
            found = found.or(problem);
            items.push(value);
        }
        (Some(Value::list(items)), found)
    }
}

impl ScalarType {
    fn from_name(name: &str) -> Option<ScalarType> {
        Some(match name {
            "int" | "integer" | "long" | "short" | "byte" | "biginteger" | "int16_t"
            | "int32_t" | "int64_t" => ScalarType::Integer,
            "float" | "double" | "bigdecimal" | "long_double" => ScalarType::Float,
            "boolean" | "bool" => ScalarType::Bool,
            "" | "string" | "str" | "text" | "char" | "character" | "anyuri" | "uri" | "date"
            | "time" | "datetime" | "timestamp" => ScalarType::Text,
            _ => return None,
        })
    }

    /// Parses a trimmed text. Returns `None` if it is not of the type.
    fn read(self, text: &str) -> (Option<Value>, Option<ValueProblem>) {
        let invalid = (None, Some(ValueProblem::Invalid));
        match self {
            ScalarType::Text => (Some(text.into()), None),
            ScalarType::Integer | ScalarType::Float => match read_declared_number(text) {
                NumberText::Finite(number) => (Some(number.into()), None),
                NumberText::TooLong(number) if self == ScalarType::Float => {
                    (Some(number.into()), None)
                }
                NumberText::NotFinite => (Some(Value::Null), Some(ValueProblem::NotFinite)),
                NumberText::TooLong(_) | NumberText::NotNumber => invalid,
            },
            ScalarType::Bool => match text {
                "true" | "True" | "TRUE" | "1" => (Some(true.into()), None),
                "false" | "False" | "FALSE" | "0" => (Some(false.into()), None),
                _ => invalid,
            },
        }
    }
}
