//! `DECLARE`, `UPDATE`, `SET`, `SHOW`.

use super::{Output, Result};
use crate::base::value::{excerpt, excerpt_of};
use crate::base::{Diagnostic, Value, names};
use crate::gasl::codes;
use crate::gasl::core::Core;
use crate::gasl::language::ast::{Kind, Mode, Operand, Path};
use crate::gasl::state;
use crate::gasl::update::{Updated, update as put};
use crate::gasl::variable::Variable;
use crate::gasl::weight::{LARGEST, Room, weight};

/// Makes a key of the state.
pub fn declare(core: &mut Core, key: &Path, kind: Kind, description: Option<&str>) -> Result {
    let parents = state::declare(&mut core.variables, &key.steps, kind, description)
        .map_err(|error| error.at(key.span))?;
    let mut output = Output::default();
    if !parents.is_empty() {
        let listed = names::list(parents.iter().map(String::as_str));
        let message = format!("{listed} had to be made as DICT");
        let last = parents.last().map(String::as_str).unwrap_or_default();
        let help = format!("write `DECLARE {last} AS DICT` first to describe it");
        output.told.push(Diagnostic::new(codes::PARENTS, message).help(help));
    }
    Ok(output)
}

/// Puts a value into a key of the state.
pub fn update(core: &mut Core, key: &Path, input: &Path, mode: Mode) -> Result {
    let mut scope = core.scope();
    let value = scope.find(&input.steps, input.span)?;
    let told = scope.told;
    let path = key.text();
    if state::entry(&core.variables, &key.steps).and_then(state::kind_of).is_none() {
        let kind = likely(&value);
        return Err(state::undeclared(&core.variables, &path, kind).at(key.span).into());
    }
    let mut next = core.variables.clone();
    let Some(entry) = at_mut(&mut next, &key.steps) else { return Ok(Output::default()) };
    // What has been replaced since is counted until there is little room left.
    let held = if core.weight < LARGEST / 2 { core.weight } else { weight(&core.variables) };
    let mut room = Room::beside(held);
    let Updated { added, duplicates, differing } =
        put(entry, &value, mode, &path, &mut room).map_err(|error| error.at(input.span))?;
    core.weight = room.filled();
    // A state that is the same is not another snapshot.
    if state::entry(&next, &key.steps) != state::entry(&core.variables, &key.steps) {
        core.variables = next;
    }
    let mut output = Output::default().metric("added", added).told(told);
    if duplicates > 0 {
        output = output.metric("duplicates", duplicates);
    }
    if differing > 0 {
        let message = format!(
            "{differing} items have the identity of one that is there, but other content: the first stays"
        );
        let help = "give findings that differ an `id` of their own, or use a DICT, which merges";
        output.told.push(Diagnostic::new(codes::CUT, message).help(help));
    }
    Ok(output)
}

/// The type that would fit a value.
fn likely(value: &Variable) -> Kind {
    match value {
        Variable::Rows(..) => Kind::List,
        Variable::Value(Value::Number(_), _) => Kind::Counter,
        Variable::Value(..) => Kind::Dict,
    }
}

fn at_mut<'a>(variables: &'a mut Value, steps: &[String]) -> Option<&'a mut Value> {
    steps.iter().try_fold(variables, |at, step| at.get_mut(step))
}

/// Changes a cap.
pub fn set(core: &mut Core, key: &str, value: &Operand) -> Result {
    let mut scope = core.scope();
    let bound = scope.value(value)?;
    let told = scope.told;
    let warning =
        core.caps.set(key, &bound, &core.setup.ceilings).map_err(|error| error.at(value.span))?;
    Ok(Output::default().told(told).told(warning.into_iter().collect::<Vec<_>>()))
}

/// An excerpt of a variable in the figures of the record.
pub fn show(core: &mut Core, input: &Path) -> Result {
    let mut scope = core.scope();
    let value = scope.find(&input.steps, input.span)?;
    let told = scope.told;
    let output = Output::default().told(told);
    let mut left = core.caps.max_excerpt_chars;
    // What is too long to be shown whole is shown as the beginning of its text, and nothing behind it.
    let mut shown = |value: Value| {
        let text = excerpt(&value, left.saturating_add(1));
        let size = text.chars().count();
        let most = left;
        left = left.saturating_sub(size);
        (most > 0).then(|| if size <= most { value } else { excerpt_of(&text, most).into() })
    };
    let Some(count) = value.row_count() else {
        return Ok(output.metric("value", shown(value.to_value()).unwrap_or_default()));
    };
    let most = count.min(core.caps.max_excerpt_items);
    let rows = (0..most).map_while(|index| shown(value.row(index)?)).collect::<Vec<_>>();
    Ok(output.metric("count", count).metric("rows", rows))
}
