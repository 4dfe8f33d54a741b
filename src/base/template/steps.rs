//! Names and paths in braces: `.key`, `[0]`, `[-1]` and `['any key']`.

use super::PathStep;

/// Maximum number of prefixes of a text that are looked up as a name.
pub(super) const MAX_NAME_PREFIXES: usize = 256;

/// Parses a path in braces that begins with a defined name, which may contain any characters; the longest wins.
pub(super) fn parse_known_path(
    text: &str,
    is_known: &dyn Fn(&str) -> bool,
) -> Option<(String, Vec<PathStep>)> {
    let text = text.trim();
    let ends = text
        .match_indices(['.', '['])
        .map(|(end, _)| end)
        .take(MAX_NAME_PREFIXES)
        .chain([text.len()]);
    let paths = ends.filter_map(|end| {
        let (name, rest) = text.split_at_checked(end).filter(|(name, _)| is_known(name))?;
        Some((name.to_owned(), parse_steps(rest)?))
    });
    paths.last()
}

/// Parses `name.path[0]` in braces.
pub(super) fn parse_braced_path(text: &str) -> Option<(String, Vec<PathStep>)> {
    let text = text.trim();
    let end = text.find(['.', '[']).unwrap_or(text.len());
    let (name, rest) = text.split_at_checked(end).filter(|(name, _)| is_valid_name(name))?;
    Some((name.to_owned(), parse_steps(rest)?))
}

fn is_valid_name(name: &str) -> bool {
    !name.is_empty() && !name.contains(|c: char| c.is_control() || "${}[]\"' ".contains(c))
}

/// Parses the path after a name in braces.
fn parse_steps(mut rest: &str) -> Option<Vec<PathStep>> {
    let mut path = Vec::new();
    while !rest.is_empty() {
        let (step, after) = match rest.strip_prefix('.') {
            Some(after) => {
                let end = after.find(['.', '[']).unwrap_or(after.len());
                let (step, after) = after.split_at_checked(end)?;
                (PathStep::Key(Some(step).filter(|step| is_valid_name(step))?.to_owned()), after)
            }
            None => parse_bracketed_step(rest.strip_prefix('[')?.trim_start())?,
        };
        path.push(step);
        rest = after;
    }
    Some(path)
}

/// Parses an index or a quoted key, and the closing bracket. Returns the rest.
fn parse_bracketed_step(inside: &str) -> Option<(PathStep, &str)> {
    if inside.starts_with(['"', '\'']) {
        let (key, after) = parse_quoted(inside)?;
        return Some((PathStep::Key(key), after.trim_start().strip_prefix(']')?));
    }
    let (index, after) = inside.split_once(']')?;
    let index = index.trim();
    let step = match index.strip_prefix('-') {
        Some(count) => PathStep::FromEnd(count.parse().ok().filter(|count| *count > 0)?),
        None => PathStep::Index(index.parse().ok()?),
    };
    Some((step, after))
}

/// Parses a string in quotes of either kind; a backslash escapes the next character. Returns the rest.
pub(super) fn parse_quoted(text: &str) -> Option<(String, &str)> {
    let mut characters = text.char_indices();
    let (_, quote) = characters.next()?;
    let mut content = String::new();
    let mut is_escaped = false;
    for (at, character) in characters {
        match character {
            'n' if is_escaped => content.push('\n'),
            't' if is_escaped => content.push('\t'),
            _ if is_escaped => content.push(character),
            '\\' => {}
            _ if character == quote => return Some((content, text.get(at + 1..)?)),
            _ => content.push(character),
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    None
}

/// Returns a path whose keys contain blanks with these keys in quotes, or `None` for another error.
pub(super) fn quote_keys_with_blanks(path: &str) -> Option<String> {
    let is_key = |c: char| c.is_alphanumeric() || "_- %&/(),:".contains(c);
    let (name, rest) = path.trim().split_once('.')?;
    let steps: Vec<&str> = rest.split('.').collect();
    let is_step = |step: &&str| !step.trim().is_empty() && step.chars().all(is_key);
    if !is_valid_name(name) || !steps.iter().all(is_step) || !rest.contains(' ') {
        return None;
    }
    let quoted = steps.iter().map(|step| match step.trim() {
        step if step.contains(|c: char| !c.is_alphanumeric() && c != '_' && c != '-') => {
            format!("['{step}']")
        }
        step => format!(".{step}"),
    });
    Some(format!("{name}{}", quoted.collect::<String>()))
}
