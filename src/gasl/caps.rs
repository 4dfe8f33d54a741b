//! Limits of a command: caps, which a plan may set, and ceilings of the caps, which only the host
//! sets.

use super::codes;
use crate::base::diagnostic::quote;
use crate::base::value::put;
use crate::base::{Diagnostic, Value, names};

/// Direction in which edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeDirection {
    /// From source to target.
    Out,
    /// From target to source.
    In,
    /// In both directions.
    Any,
}

impl EdgeDirection {
    /// Returns the value of `caps.direction`.
    pub fn word(self) -> &'static str {
        match self {
            EdgeDirection::Out => "out",
            EdgeDirection::In => "in",
            EdgeDirection::Any => "any",
        }
    }
}

/// Default maximum number of edges of a path.
pub const DEFAULT_PATH_LENGTH: usize = 3;

/// Limits of a command.
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// Maximum number of edges of a path whose length no condition limits.
    pub max_path_length: usize,
    /// Path length that the host or a `SET` requested, before the ceiling applies.
    pub requested_path_length: Option<usize>,
    /// Maximum number of rows of a result.
    pub max_results: usize,
    /// Maximum number of edges that a path search tries and of pairs that a join returns.
    pub max_expansions: usize,
    /// Timeout of one call of a model or a remote graph, in milliseconds.
    pub timeout_ms: Option<usize>,
    /// Maximum number of rows in a prompt.
    pub max_excerpt_items: usize,
    /// Maximum number of characters of rows in a prompt.
    pub max_excerpt_chars: usize,
    /// `None` means the direction of the graph.
    pub direction: Option<EdgeDirection>,
    pub case_sensitive: bool,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps {
            max_path_length: DEFAULT_PATH_LENGTH,
            requested_path_length: None,
            max_results: 1_000_000,
            max_expansions: 5_000_000,
            timeout_ms: None,
            max_excerpt_items: 50,
            max_excerpt_chars: 12_000,
            direction: None,
            case_sensitive: false,
        }
    }
}

/// Keys of the caps that are counts.
const COUNT_CAPS: [&str; 6] = [
    "max_path_length",
    "max_results",
    "max_expansions",
    "timeout_ms",
    "max_excerpt_items",
    "max_excerpt_chars",
];

const CAP_NAMES: [&str; 8] = [
    "max_path_length",
    "max_results",
    "max_expansions",
    "timeout_ms",
    "max_excerpt_items",
    "max_excerpt_chars",
    "direction",
    "case_sensitive",
];

/// Upper bounds of the caps, set by the host.
#[derive(Clone, Debug, Default)]
pub struct Ceilings {
    counts: Vec<(&'static str, usize)>,
}

impl Ceilings {
    /// Reads a map like `{"max_path_length": 5}`.
    pub fn read(map: &Value) -> Result<Ceilings, Diagnostic> {
        let mut ceilings = Ceilings::default();
        for (key, value) in map.entries() {
            let count = COUNT_CAPS.iter().find(|name| **name == current_cap_name(key));
            let Some(key) = count else { return Err(unknown_key(key, &COUNT_CAPS)) };
            ceilings.counts.push((key, parse_positive_integer(key, value)?));
        }
        Ok(ceilings)
    }

    /// Returns the map that [`Ceilings::read`] reads.
    pub fn to_value(&self) -> Value {
        let counts = self.counts.iter().map(|(key, count)| (*key, Value::from(*count)));
        Value::map_of(counts.collect::<Vec<_>>())
    }

    /// Returns the ceiling of a cap, if any.
    pub fn get(&self, key: &str) -> Option<usize> {
        self.counts.iter().find(|(name, _)| *name == key).map(|(_, count)| *count)
    }
}

/// Replaces an older name of a cap by the current one.
fn current_cap_name(key: &str) -> &str {
    if key == "max_path_len" { "max_path_length" } else { key }
}

impl Caps {
    /// Reads the caps of a map, clamped to the ceilings.
    pub fn read(map: &Value, ceilings: &Ceilings) -> Result<Caps, Diagnostic> {
        let mut caps = Caps::default();
        for key in COUNT_CAPS {
            if let Some(ceiling) = ceilings.get(key) {
                caps.set_count(
                    key,
                    caps.count_cap(key).map_or(ceiling, |count| count.min(ceiling)),
                );
            }
        }
        for (key, value) in map.entries() {
            caps.set(key, value, ceilings)?;
        }
        Ok(caps)
    }

    /// Sets a cap. Returns a warning if the ceiling is lower than the requested value.
    pub fn set(
        &mut self,
        key: &str,
        value: &Value,
        ceilings: &Ceilings,
    ) -> Result<Option<Diagnostic>, Diagnostic> {
        match current_cap_name(key) {
            "direction" => self.direction = Some(parse_direction(value)?),
            "case_sensitive" => self.case_sensitive = parse_boolean(value)?,
            key if COUNT_CAPS.contains(&key) => {
                let requested = parse_positive_integer(key, value)?;
                let granted = ceilings.get(key).map_or(requested, |ceiling| ceiling.min(requested));
                if key == "max_path_length" {
                    self.requested_path_length = Some(requested);
                }
                self.set_count(key, granted);
                if granted < requested {
                    return Ok(Some(clamped_warning(key, requested, granted)));
                }
            }
            key => return Err(unknown_key(key, &CAP_NAMES)),
        }
        Ok(None)
    }

    fn set_count(&mut self, key: &str, count: usize) {
        match key {
            "max_path_length" => self.max_path_length = count,
            "max_results" => self.max_results = count,
            "max_expansions" => self.max_expansions = count,
            "timeout_ms" => self.timeout_ms = Some(count),
            "max_excerpt_items" => self.max_excerpt_items = count,
            _ => self.max_excerpt_chars = count,
        }
    }

    fn count_cap(&self, key: &str) -> Option<usize> {
        match key {
            "max_path_length" => Some(self.max_path_length),
            "max_results" => Some(self.max_results),
            "max_expansions" => Some(self.max_expansions),
            "timeout_ms" => self.timeout_ms,
            "max_excerpt_items" => Some(self.max_excerpt_items),
            _ => Some(self.max_excerpt_chars),
        }
    }

    /// Returns the caps as a map, as states store them and adapters receive them.
    pub fn to_value(&self) -> Value {
        let counts =
            COUNT_CAPS.iter().filter_map(|key| Some((*key, Value::from(self.count_cap(key)?))));
        let direction = self.direction.map(|direction| ("direction", direction.word().into()));
        let case = [("case_sensitive", Value::Bool(self.case_sensitive))];
        Value::map_of(counts.chain(direction).chain(case).collect::<Vec<_>>())
    }

    /// Returns the requested caps. Reading them applies the ceilings again.
    pub fn requested_caps(&self) -> Value {
        let mut map = self.to_value();
        if let Some(caps) = map.as_map_mut() {
            match self.requested_path_length {
                Some(length) => put(caps, "max_path_length", length),
                None => drop(caps.shift_remove("max_path_length")),
            }
        }
        map
    }
}

/// Warning for a cap that the host's ceiling reduces.
pub fn clamped_warning(key: &str, requested: usize, granted: usize) -> Diagnostic {
    let message = format!("`{key}` {requested} exceeds the limit of the host, {granted} is used");
    Diagnostic::new(codes::ABOVE_CEILING, message).help(format!("set `{key}` to at most {granted}"))
}

fn parse_positive_integer(key: &str, value: &Value) -> Result<usize, Diagnostic> {
    let number = super::compare::to_number(value).filter(|number| *number >= 1.0);
    match number.filter(|number| number.fract() == 0.0 && *number <= f64::from(u32::MAX)) {
        Some(number) => Ok(number as usize),
        None => Err(invalid_value(key, value, "an integer ≥ 1")),
    }
}

fn parse_direction(value: &Value) -> Result<EdgeDirection, Diagnostic> {
    let word = value.as_text().unwrap_or_default().to_ascii_lowercase();
    let all = [EdgeDirection::Out, EdgeDirection::In, EdgeDirection::Any];
    let found = all.into_iter().find(|direction| direction.word() == word);
    found.ok_or_else(|| invalid_value("direction", value, "one of `out`, `in`, `any`"))
}

fn parse_boolean(value: &Value) -> Result<bool, Diagnostic> {
    match value {
        Value::Bool(value) => Ok(*value),
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(invalid_value("case_sensitive", value, "`true` or `false`")),
    }
}

fn invalid_value(key: &str, value: &Value, expected: &str) -> Diagnostic {
    let message = format!("invalid value for `{key}`: {}", quote(&value.to_text()));
    Diagnostic::new(codes::BAD_CAP, message).help(format!("write {expected}"))
}

/// Returns the error for an unknown cap and the closest name, or `None` if the cap exists.
pub fn unknown_cap(key: &str) -> Option<(Diagnostic, Option<&'static str>)> {
    let exists = CAP_NAMES.contains(&current_cap_name(key));
    (!exists).then(|| (unknown_key(key, &CAP_NAMES), names::closest(key, CAP_NAMES)))
}

fn unknown_key(key: &str, available: &[&str]) -> Diagnostic {
    let listed = names::format_names(available.iter().copied());
    let message = format!("unknown cap {}", quote(key));
    match names::closest(key, available.iter().copied()) {
        // The list is in the message, because a corrected line may replace the help.
        Some(closest) => Diagnostic::new(codes::BAD_CAP, format!("{message}; available: {listed}"))
            .help(format!("did you mean `{closest}`?")),
        None => Diagnostic::new(codes::BAD_CAP, message).help(format!("available: {listed}")),
    }
}

/// Error for a setting that is not a cap.
pub fn unknown_setting(path: &str) -> Diagnostic {
    let listed = names::format_names(CAP_NAMES);
    let message = format!("unknown setting {}; available caps: {listed}", quote(path));
    Diagnostic::new(codes::BAD_CAP, message).help("write `SET adapter.caps.<key> = …`")
}
