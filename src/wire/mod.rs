//! Data at the boundary to JavaScript, as serde structs. The TypeScript types in
//! `src/js/wire.ts` are derived from these; a test compares the committed file with them.

#[cfg(all(test, feature = "flow"))]
mod flow;
#[cfg(all(test, feature = "gasl"))]
mod gasl;

use crate::base::span::{Utf16Counter, utf16_span};
use crate::base::{self, Value, json};
use crate::ham::document::{StoreLimits, StoreSettings};
use crate::ham::id::EditKeys;
use crate::ham::{binding, read};
use serde::Serialize;

/// Any JSON value, passed as text.
#[cfg(test)]
#[derive(ts_rs::TS)]
#[ts(type = "null | boolean | number | string | Json[] | { [key: string]: Json }")]
#[expect(dead_code, reason = "only its TypeScript type is used")]
pub struct Json(serde_json::Value);

/// Severity: the input is rejected, it has probably an unintended effect, or additional information.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, serde::Deserialize))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
    Info,
}

/// Location of a diagnostic: UTF-16 offsets in the input text, or a JSON pointer (RFC 6901) in the input object.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, serde::Deserialize))]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Location {
    Text { start: u32, end: u32 },
    Pointer { pointer: String },
}

/// An error in data, with help to fix it. Codes are listed in docs/diagnostic-codes.md.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS, serde::Deserialize))]
pub struct Diagnostic {
    pub code: String,
    pub severity: Severity,
    pub message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub help: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(test, ts(optional))]
    pub location: Option<Location>,
}

/// Source text of diagnostics.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// Text or bytes of the host.
    Text(&'a [u8]),
    /// Offsets of a text in chunks.
    Chunks(&'a Utf16Counter),
    /// Text serialised from an object of the host, for which pointers replace offsets.
    Object(&'a [u8]),
}

impl Source<'_> {
    /// Converts byte spans to locations for the host.
    fn locations(self, spans: &[base::Span]) -> Vec<Location> {
        let text =
            |span: base::Span| Location::Text { start: span.start as u32, end: span.end as u32 };
        let spans = spans.iter().copied();
        match self {
            Source::Object(object) => {
                let starts: Vec<usize> = spans.map(|span| span.start).collect();
                let pointers = json::pointers_at(object, &starts).into_iter();
                pointers.map(|pointer| Location::Pointer { pointer }).collect()
            }
            Source::Text(source) => spans.map(|span| text(utf16_span(source, span))).collect(),
            Source::Chunks(pieces) => {
                let at = |span: base::Span| {
                    base::Span::new(pieces.utf16_offset(span.start), pieces.utf16_offset(span.end))
                };
                spans.map(|span| text(at(span))).collect()
            }
        }
    }
}

impl Diagnostic {
    /// Converts a diagnostic, with its location for the host.
    fn new(diagnostic: base::Diagnostic, location: Option<Location>) -> Diagnostic {
        let base::Diagnostic { code, message, help, .. } = diagnostic;
        let severity = match code.severity {
            base::Severity::Error => Severity::Error,
            base::Severity::Warning => Severity::Warning,
            base::Severity::Info => Severity::Info,
        };
        Diagnostic { code: code.id.to_owned(), severity, message, help, location }
    }

    /// Converts the diagnostics of one message; only the first if there are many.
    pub fn of_message(diagnostics: Vec<base::Diagnostic>, source: Source<'_>) -> Vec<Diagnostic> {
        Diagnostic::list(base::diagnostic::limit_diagnostics(diagnostics), source)
    }

    /// Converts diagnostics, with locations for the host.
    pub fn list(diagnostics: Vec<base::Diagnostic>, source: Source<'_>) -> Vec<Diagnostic> {
        let spans: Vec<base::Span> =
            diagnostics.iter().filter_map(base::Diagnostic::span).collect();
        let mut located = source.locations(&spans).into_iter();
        let each = diagnostics.into_iter().map(|mut each| {
            let location = match each.location.take() {
                Some(base::Location::Pointer(pointer)) => Some(Location::Pointer { pointer }),
                Some(base::Location::Span(_)) => located.next(),
                None => None,
            };
            Diagnostic::new(each, location)
        });
        each.collect()
    }
}

/// Reference to a value: a node (by default the data context) and a direct property of it (by default the complete
/// value).
#[cfg(test)]
#[derive(ts_rs::TS)]
#[ts(optional_fields)]
pub struct Binding {
    pub node: Option<String>,
    pub key: Option<String>,
}

/// Availability of a value.
#[derive(Clone, Copy, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Ok,
    Missing,
    Error,
}

/// Value of a binding, as JSON text.
#[derive(Serialize)]
pub struct Reading {
    pub value: String,
    pub status: Status,
    #[serde(rename = "ref", skip_serializing_if = "Option::is_none")]
    pub reference: Option<String>,
    pub diagnostics: Vec<Diagnostic>,
}

impl Reading {
    /// Converts a reading; `id` returns node ids.
    pub fn new(
        reading: read::Reading,
        id: impl Fn(crate::ham::arena::NodeRef) -> String,
    ) -> Reading {
        let status = match reading.status {
            read::Status::Ok => Status::Ok,
            read::Status::Missing => Status::Missing,
            read::Status::Error => Status::Error,
        };
        Reading {
            value: reading.value,
            status,
            reference: reading.reference.map(id),
            diagnostics: Diagnostic::list(reading.diagnostics, Source::Text(b"")),
        }
    }

    /// Returns the reading of a malformed binding.
    pub fn malformed(error: base::Diagnostic) -> Reading {
        Reading {
            value: "null".to_owned(),
            status: Status::Error,
            reference: None,
            diagnostics: Diagnostic::list(vec![error], Source::Text(b"")),
        }
    }
}

/// A data context: a node, and a path into literals of lists.
pub struct Context {
    pub node: String,
    pub steps: Vec<(Option<String>, u32)>,
}

impl Context {
    /// Parses `{"node": "a", "steps": [["key", 0], [null, 1]]}`, where `steps` is optional.
    pub fn parse(json: &Value) -> Option<Context> {
        let count = |number: &Value| {
            number
                .as_number()
                .filter(|number| *number == f64::from(*number as u32))
                .map(|number| number as u32)
        };
        let step = |step: &Value| match step.as_list()? {
            [Value::Text(key), ordinal, ..] => Some((Some(key.to_string()), count(ordinal)?)),
            [Value::Null, ordinal, ..] => Some((None, count(ordinal)?)),
            _ => None,
        };
        let steps = match json.get("steps") {
            None => Vec::new(),
            Some(steps) => steps.as_list()?.iter().map(step).collect::<Option<_>>()?,
        };
        Some(Context { node: json.get("node")?.as_text()?.to_owned(), steps })
    }

    /// Resolves the names of the context to handles.
    pub fn resolve(&self, document: &mut crate::ham::document::Document) -> binding::Context {
        let node = document.node(self.node.as_bytes());
        let step = |(key, ordinal): &(Option<String>, u32)| binding::ContextStep {
            key: key.as_deref().map(|key| document.key(key)),
            ordinal: *ordinal,
        };
        binding::Context { node, steps: self.steps.iter().map(step).collect() }
    }
}

/// Limits of a store, as integers; `Infinity` is the maximum.
#[derive(Clone, Copy, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(rename = "HamLimits"))]
#[cfg_attr(test, ts(rename_all = "camelCase"))]
pub struct HamLimits {
    /// Maximum size of a message in bytes; 64 MiB by default.
    #[cfg_attr(test, ts(type = "number"))]
    pub bytes: Option<f64>,
    /// Maximum memory of the document in bytes; 256 MiB by default, and at most eight times `bytes`.
    #[cfg_attr(test, ts(type = "number"))]
    pub memory: Option<f64>,
    /// Maximum number of nodes of the document; 4,000,000 by default.
    #[cfg_attr(test, ts(type = "number"))]
    pub nodes: Option<f64>,
    /// Maximum nesting depth of a message; 512 by default, at most 1,000.
    #[cfg_attr(test, ts(type = "number"))]
    pub depth: Option<f64>,
    /// Maximum number of values that a deep read visits; 1,000,000 by default.
    #[cfg_attr(test, ts(type = "number"))]
    pub deep_read: Option<f64>,
    /// Maximum number of mounted instances of a surface; 500,000 by default.
    #[cfg_attr(test, ts(type = "number"))]
    pub instances: Option<f64>,
    /// Maximum number of undo steps and of updates in the history; 1,000 by default.
    #[cfg_attr(test, ts(type = "number"))]
    pub undo: Option<f64>,
}

/// Extensions of the plain format, each off by default.
#[derive(Clone, Copy, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[cfg_attr(test, ts(rename_all = "camelCase"))]
pub struct HamExtensions {
    /// `"+list": {"items": […], "before"?, "after"?}` and `"-list": […]` edit lists by id, and
    /// `">text": "…"` appends to a text.
    pub list_edits: Option<bool>,
    /// `"~id": {…}` merges properties into a map.
    pub merge: Option<bool>,
}

/// Options of a store.
#[derive(Clone, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
#[cfg_attr(test, ts(rename_all = "camelCase"))]
pub struct HamStoreOptions {
    /// Prefix of pointers; `*` by default.
    pub sigil: Option<String>,
    /// Strip one leading sigil from an id, with a warning.
    pub repair: Option<bool>,
    pub extensions: Option<HamExtensions>,
    #[cfg_attr(test, ts(optional, type = "Partial<HamLimits>"))]
    pub limits: Option<HamLimits>,
}

/// Maximum nesting depth, which bounds recursion so that the stack suffices.
const MAX_DEPTH: usize = 1_000;

impl HamStoreOptions {
    /// Returns the settings of a store, or a message if the options are invalid.
    pub fn settings(self) -> Result<StoreSettings, String> {
        let sigil = self.sigil.unwrap_or_else(|| "*".to_owned());
        if sigil.is_empty() || sigil.starts_with('!') {
            return Err("a sigil is not empty and does not begin with `!`".to_owned());
        }
        let extensions = self.extensions.unwrap_or_default();
        let limits = self.limits.unwrap_or_default();
        let defaults = StoreLimits::default();
        let count = |name: &str, given: Option<f64>, default: usize| match given {
            None => Ok(default),
            // `Infinity` is the maximum.
            Some(value) if value >= 0.0 && value.trunc() == value => {
                Ok(value.min(f64::from(u32::MAX)) as usize)
            }
            Some(_) => Err(format!("`limits.{name}` is a whole number, zero or more")),
        };
        let bytes = count("bytes", limits.bytes, defaults.bytes)?;
        let memory = defaults.memory.min(bytes.saturating_mul(8));
        Ok(StoreSettings {
            sigil,
            repair: self.repair.unwrap_or_default(),
            edit_keys: EditKeys {
                lists: extensions.list_edits.unwrap_or_default(),
                merge: extensions.merge.unwrap_or_default(),
            },
            limits: StoreLimits {
                bytes,
                memory: count("memory", limits.memory, memory)?,
                nodes: count("nodes", limits.nodes, defaults.nodes)?,
                depth: count("depth", limits.depth, defaults.depth)?.min(MAX_DEPTH),
                deep_read: count("deepRead", limits.deep_read, defaults.deep_read)?,
                instances: count("instances", limits.instances, defaults.instances)?,
                undo: count("undo", limits.undo, defaults.undo)?,
            },
        })
    }
}

#[cfg(all(test, feature = "flow", feature = "gasl"))]
mod tests {
    use super::*;
    use ts_rs::TS;

    /// Writes `src/js/wire.ts` with `BLESS=1`, and compares it otherwise.
    #[test]
    fn the_types_are_committed() {
        let config = ts_rs::Config::default();
        let declarations = [
            Json::decl(&config),
            Severity::decl(&config),
            Location::decl(&config),
            Diagnostic::decl(&config),
            Binding::decl(&config),
            Status::decl(&config),
            HamLimits::decl(&config),
            HamExtensions::decl(&config),
            HamStoreOptions::decl(&config),
            gasl::Plan::decl(&config),
            gasl::PlanCommand::decl(&config),
            gasl::PlanConfig::decl(&config),
            gasl::StepStatus::decl(&config),
            gasl::ExecutionRecord::decl(&config),
            gasl::PlanStatus::decl(&config),
            gasl::PlanResult::decl(&config),
            gasl::SolveStatus::decl(&config),
            gasl::SolveResult::decl(&config),
            gasl::SnapshotInfo::decl(&config),
            flow::Collision::decl(&config),
            flow::KeyNames::decl(&config),
            flow::NodeMappings::decl(&config),
            flow::ContextName::decl(&config),
            flow::ContextNode::decl(&config),
            flow::PlanningContext::decl(&config),
            flow::FlowEvent::decl(&config),
            flow::FlowStatus::decl(&config),
            flow::WaitingNode::decl(&config),
            flow::FlowResult::decl(&config),
        ];
        let docs = [
            Json::docs(),
            Severity::docs(),
            Location::docs(),
            Diagnostic::docs(),
            Binding::docs(),
            Status::docs(),
            HamLimits::docs(),
            HamExtensions::docs(),
            HamStoreOptions::docs(),
            gasl::Plan::docs(),
            gasl::PlanCommand::docs(),
            gasl::PlanConfig::docs(),
            gasl::StepStatus::docs(),
            gasl::ExecutionRecord::docs(),
            gasl::PlanStatus::docs(),
            gasl::PlanResult::docs(),
            gasl::SolveStatus::docs(),
            gasl::SolveResult::docs(),
            gasl::SnapshotInfo::docs(),
            flow::Collision::docs(),
            flow::KeyNames::docs(),
            flow::NodeMappings::docs(),
            flow::ContextName::docs(),
            flow::ContextNode::docs(),
            flow::PlanningContext::docs(),
            flow::FlowEvent::docs(),
            flow::FlowStatus::docs(),
            flow::WaitingNode::docs(),
            flow::FlowResult::docs(),
        ];
        let mut text = "// biome-ignore-all format: generated\n// Derived from src/wire by `npm run bless`; do not edit.\n".to_owned();
        for (declaration, doc) in declarations.iter().zip(docs) {
            text.push_str(&format!("\n{}export {declaration}\n", doc.unwrap_or_default()));
        }
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/js/wire.ts");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(path, &text).unwrap();
        }
        assert_eq!(std::fs::read_to_string(path).unwrap_or_default(), text, "run `npm run bless`");
    }
}
