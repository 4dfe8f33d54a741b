//! Arguments of a call in Python.

use super::scanner::split;

/// Arguments of a call. A translation takes those that it uses; the others have no equivalent.
pub struct PythonCall<'a> {
    positional: Vec<&'a str>,
    named: Vec<(&'a str, &'a str)>,
}

impl<'a> PythonCall<'a> {
    pub fn new(text: &'a str) -> PythonCall<'a> {
        let (mut positional, mut named) = (Vec::new(), Vec::new());
        for argument in split(text, ",") {
            let pair = argument.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
            let is_name = |name: &str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
            match pair.filter(|(name, value)| is_name(name) && !value.starts_with('=')) {
                Some(pair) => named.push(pair),
                None => positional.push(argument),
            }
        }
        PythonCall { positional, named }
    }

    /// Takes the next positional argument.
    pub fn take_next(&mut self) -> Option<&'a str> {
        (!self.positional.is_empty()).then(|| self.positional.remove(0))
    }

    /// Takes an argument by its name.
    pub fn take_named(&mut self, name: &str) -> Option<&'a str> {
        let index = self.named.iter().position(|(other, _)| *other == name)?;
        Some(self.named.remove(index).1)
    }

    /// Takes an argument by its name, or the next positional one.
    pub fn take(&mut self, name: &str) -> Option<&'a str> {
        self.take_named(name).or_else(|| self.take_next())
    }

    /// Drops arguments that do not change the result. `*` is any value.
    pub fn drop_neutral(&mut self, neutral: &[(&str, &str)]) {
        let is_neutral = |name: &str, value: &str| {
            value == "None"
                || neutral.iter().any(|(other, of)| *other == name && (*of == value || *of == "*"))
        };
        self.named.retain(|(name, value)| !is_neutral(name, value));
    }

    /// Returns words on an argument that has not been taken.
    pub fn refusal(&self, function: &str) -> Option<String> {
        let named = self.named.first().map(|(name, value)| format!("{name}={value}"));
        let argument = self.positional.first().map(|one| (*one).to_owned()).or(named)?;
        Some(format!(
            "the argument `{argument}` of `{function}` has no equivalent: leave it out, or compute the result outside of GASL"
        ))
    }
}
