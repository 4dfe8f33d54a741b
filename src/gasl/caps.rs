//! What bounds the work of a command: caps, which a plan may set, and ceilings, which only the
//! host sets.

use super::codes;
use crate::base::diagnostic::quote;
use crate::base::value::put;
use crate::base::{Diagnostic, Value, names};

/// Which way edges are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From source to target.
    Out,
    /// From target to source.
    In,
    /// Both ways.
    Any,
}

impl Direction {
    /// As in `caps.direction`.
    pub fn word(self) -> &'static str {
        match self {
            Direction::Out => "out",
            Direction::In => "in",
            Direction::Any => "any",
        }
    }
}

/// Edges of a path, where nobody asks for another length.
pub const PATH_LENGTH: usize = 3;

/// How much a command may do.
#[derive(Clone, Debug, PartialEq)]
pub struct Caps {
    /// Edges of a path, where nothing else is asked.
    pub max_path_length: usize,
    /// What the host or a `SET` asked for, which the ceiling may have clipped.
    pub asked_path_length: Option<usize>,
    /// Rows of one result.
    pub max_results: usize,
    /// Edges that a search for paths may try, and pairs that a join may make.
    pub max_expansions: usize,
    /// Milliseconds that the host may take for one call of a model or a remote graph.
    pub timeout_ms: Option<usize>,
    /// Rows that one prompt shows.
    pub max_excerpt_items: usize,
    /// Characters of rows that one prompt shows.
    pub max_excerpt_chars: usize,
    /// The graph's own where nothing is set.
    pub direction: Option<Direction>,
    /// Whether the text operators look at case.
    pub case_sensitive: bool,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps {
            max_path_length: PATH_LENGTH,
            asked_path_length: None,
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

/// The keys of the caps that count something.
const COUNTS: [&str; 6] = [
    "max_path_length",
    "max_results",
    "max_expansions",
    "timeout_ms",
    "max_excerpt_items",
    "max_excerpt_chars",
];

const KEYS: [&str; 8] = [
    "max_path_length",
    "max_results",
    "max_expansions",
    "timeout_ms",
    "max_excerpt_items",
    "max_excerpt_chars",
    "direction",
    "case_sensitive",
];

/// What the host never lets a plan exceed.
#[derive(Clone, Debug, Default)]
pub struct Ceilings {
    counts: Vec<(&'static str, usize)>,
}

impl Ceilings {
    /// The ceilings of a map like `{"max_path_length": 5}`.
    pub fn read(map: &Value) -> Result<Ceilings, Diagnostic> {
        let mut ceilings = Ceilings::default();
        for (key, value) in map.entries() {
            let count = COUNTS.iter().find(|known| **known == canonical(key));
            let Some(key) = count else { return Err(unknown(key, &COUNTS)) };
            ceilings.counts.push((key, whole(key, value)?));
        }
        Ok(ceilings)
    }

    /// What [`Ceilings::read`] reads.
    pub fn to_value(&self) -> Value {
        let counts = self.counts.iter().map(|(key, count)| (*key, Value::from(*count)));
        Value::map_of(counts.collect::<Vec<_>>())
    }

    /// The ceiling of a cap.
    pub fn of(&self, key: &str) -> Option<usize> {
        self.counts.iter().find(|(known, _)| *known == key).map(|(_, count)| *count)
    }
}

/// An older name of the first cap is still in use.
fn canonical(key: &str) -> &str {
    if key == "max_path_len" { "max_path_length" } else { key }
}

impl Caps {
    /// The caps of a map, no higher than the ceilings.
    pub fn read(map: &Value, ceilings: &Ceilings) -> Result<Caps, Diagnostic> {
        let mut caps = Caps::default();
        for key in COUNTS {
            if let Some(ceiling) = ceilings.of(key) {
                caps.set_count(key, caps.count(key).map_or(ceiling, |most| most.min(ceiling)));
            }
        }
        for (key, value) in map.entries() {
            caps.set(key, value, ceilings)?;
        }
        Ok(caps)
    }

    /// Sets one cap; a warning where the ceiling is lower than what was asked.
    pub fn set(
        &mut self,
        key: &str,
        value: &Value,
        ceilings: &Ceilings,
    ) -> Result<Option<Diagnostic>, Diagnostic> {
        match canonical(key) {
            "direction" => self.direction = Some(direction(value)?),
            "case_sensitive" => self.case_sensitive = boolean(value)?,
            key if COUNTS.contains(&key) => {
                let asked = whole(key, value)?;
                let granted = ceilings.of(key).map_or(asked, |ceiling| ceiling.min(asked));
                if key == "max_path_length" {
                    self.asked_path_length = Some(asked);
                }
                self.set_count(key, granted);
                if granted < asked {
                    return Ok(Some(clipped(key, asked, granted)));
                }
            }
            key => return Err(unknown(key, &KEYS)),
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

    fn count(&self, key: &str) -> Option<usize> {
        match key {
            "max_path_length" => Some(self.max_path_length),
            "max_results" => Some(self.max_results),
            "max_expansions" => Some(self.max_expansions),
            "timeout_ms" => self.timeout_ms,
            "max_excerpt_items" => Some(self.max_excerpt_items),
            _ => Some(self.max_excerpt_chars),
        }
    }

    /// The caps as the state holds them and as adapters get them.
    pub fn to_value(&self) -> Value {
        let counts = COUNTS.iter().filter_map(|key| Some((*key, Value::from(self.count(key)?))));
        let direction = self.direction.map(|direction| ("direction", direction.word().into()));
        let case = [("case_sensitive", Value::Bool(self.case_sensitive))];
        Value::map_of(counts.chain(direction).chain(case).collect::<Vec<_>>())
    }

    /// The caps as they were asked for: read again, the ceilings clip them as they did.
    pub fn asked(&self) -> Value {
        let mut map = self.to_value();
        if let Some(caps) = map.as_map_mut() {
            match self.asked_path_length {
                Some(asked) => put(caps, "max_path_length", asked),
                None => drop(caps.shift_remove("max_path_length")),
            }
        }
        map
    }
}

/// For a cap that the host's ceiling cuts.
pub fn clipped(key: &str, asked: usize, granted: usize) -> Diagnostic {
    let message = format!("`{key}` {asked} is more than the host allows: {granted} is used");
    Diagnostic::new(codes::CEILING, message).help(format!("ask for {granted} or less"))
}

fn whole(key: &str, value: &Value) -> Result<usize, Diagnostic> {
    let number = super::predicate::numeric(value).filter(|number| *number >= 1.0);
    match number.filter(|number| number.fract() == 0.0 && *number <= f64::from(u32::MAX)) {
        Some(number) => Ok(number as usize),
        None => Err(bad(key, value, "a whole number from 1 on")),
    }
}

fn direction(value: &Value) -> Result<Direction, Diagnostic> {
    let word = value.as_text().unwrap_or_default().to_ascii_lowercase();
    let all = [Direction::Out, Direction::In, Direction::Any];
    let found = all.into_iter().find(|direction| direction.word() == word);
    found.ok_or_else(|| bad("direction", value, "one of `out`, `in`, `any`"))
}

fn boolean(value: &Value) -> Result<bool, Diagnostic> {
    match value {
        Value::Bool(value) => Ok(*value),
        Value::Text(text) if text.eq_ignore_ascii_case("true") => Ok(true),
        Value::Text(text) if text.eq_ignore_ascii_case("false") => Ok(false),
        _ => Err(bad("case_sensitive", value, "`true` or `false`")),
    }
}

fn bad(key: &str, value: &Value, wanted: &str) -> Diagnostic {
    let message = format!("`{key}` cannot be {}", quote(&value.to_text()));
    Diagnostic::new(codes::BAD_CAP, message).help(format!("write {wanted}"))
}

/// For a cap that there is not: what is wrong, and the one that was probably meant.
pub fn unknown_cap(key: &str) -> Option<(Diagnostic, Option<&'static str>)> {
    let is_known = KEYS.contains(&canonical(key));
    (!is_known).then(|| (unknown(key, &KEYS), names::nearest(key, KEYS)))
}

fn unknown(key: &str, known: &[&str]) -> Diagnostic {
    let listed = names::list(known.iter().copied());
    let message = format!("there is no cap {}", quote(key));
    match names::nearest(key, known.iter().copied()) {
        // The help may have to give way to the line that was probably meant.
        Some(near) => Diagnostic::new(codes::BAD_CAP, format!("{message}: there are {listed}"))
            .help(format!("did you mean `{near}`?")),
        None => Diagnostic::new(codes::BAD_CAP, message).help(format!("there are {listed}")),
    }
}

/// For a setting that is no cap.
pub fn no_setting(path: &str) -> Diagnostic {
    let listed = names::list(KEYS);
    let message = format!("{} cannot be set: caps can, {listed}", quote(path));
    Diagnostic::new(codes::BAD_CAP, message).help("only `adapter.caps.<key>` can be set")
}
