//! Names in messages: lists, counts, and suggestions for misspelled names by Levenshtein distance.

use std::{iter, mem};

/// Maximum length of compared names in bytes, because the comparison takes quadratic time.
const MAX_COMPARED_LENGTH: usize = 64;

/// Returns the candidate closest to `name`, if it is similar enough for a typo.
pub fn closest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, &mut candidates.into_iter())
}

fn nearest_of<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    // Fast path without candidates.
    let first = candidates.next()?;
    if is_too_long(name) {
        return None;
    }
    let length = name.chars().count();
    let allowed = match length {
        0..=2 => 1,
        3..=6 => 2,
        _ => 3,
    };
    iter::once(first)
        .chain(candidates)
        .filter(|candidate| !is_too_long(candidate) && *candidate != name)
        .filter(|candidate| !differ_in_length(name, candidate, allowed))
        .filter_map(|candidate| Some((distance(name, candidate, allowed)?, candidate)))
        // Excludes names that have no character in common.
        .filter(|(distance, _)| *distance < length)
        // Prefers typos with the same first letter and with transposed letters, which are most common.
        .min_by_key(|(distance, candidate)| {
            (
                2 * distance + usize::from(!is_typo(name, candidate)),
                !have_same_first_character(name, candidate),
            )
        })
        .map(|(_, candidate)| candidate)
}

fn is_too_long(name: &str) -> bool {
    name.len() > MAX_COMPARED_LENGTH
}

/// Returns whether the lengths of two names differ by more than `allowed` characters, if the longer is ASCII.
fn differ_in_length(a: &str, b: &str, allowed: usize) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.len() > short.len() + allowed && long.is_ascii()
}

fn have_same_first_character(a: &str, b: &str) -> bool {
    let first = |text: &str| text.chars().next().map(|first| first.to_ascii_lowercase());
    first(a) == first(b)
}

/// Returns a count with its noun: `1 row`, `2 rows`.
pub fn count_of(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Maximum number of candidates that a name is compared with.
pub const MAX_CANDIDATES: usize = 1_000;

/// Returns the id closest to `id` among those that differ in more than digits, because digits are counters.
pub fn nearest_id<'a>(id: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    if is_too_long(id) {
        return None;
    }
    let differs =
        |other: &&str| !is_too_long(other) && !without_digits(id).eq(without_digits(other));
    nearest_of(id, &mut candidates.take(MAX_CANDIDATES).filter(differs))
}

fn without_digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_ascii_digit())
}

/// Returns whether a name differs from another one by one inserted, deleted or replaced character, or by the order
/// of its characters.
pub fn is_typo(name: &str, intended: &str) -> bool {
    let count = |text: &str, letter| text.chars().filter(|other| *other == letter).count();
    let same_letters = || name.chars().all(|letter| count(name, letter) == count(intended, letter));
    let is_long = name.len().max(intended.len()) > MAX_COMPARED_LENGTH;
    if name == intended || is_long || differ_in_length(name, intended, 1) {
        return false;
    }
    distance(name, intended, 1).is_some() || (name.len() == intended.len() && same_letters())
}

/// Returns the help for an unknown name: the closest known name, or a list of the known names.
pub fn suggestion_help(name: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "no names are available".to_owned();
    }
    let mut names = known.iter().copied();
    match nearest_of(name, &mut names.clone()) {
        Some(near) => format!("did you mean {}?", super::diagnostic::quote(near)),
        None => format!("available: {}", format_name_list(&mut names)),
    }
}

/// Maximum number of names in a list.
const MAX_LISTED_NAMES: usize = 12;

/// Returns the names in backticks, separated by commas, up to [`MAX_LISTED_NAMES`] of them.
pub fn format_names<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    format_name_list(&mut names.into_iter())
}

fn format_name_list(mut names: &mut dyn Iterator<Item = &str>) -> String {
    let mut listed = String::new();
    for name in (&mut names).take(MAX_LISTED_NAMES) {
        if !listed.is_empty() {
            listed.push_str(", ");
        }
        listed.push_str(&super::diagnostic::quote(name));
    }
    // Fast path if the iterator reports its exact length.
    let more = match names.size_hint() {
        (least, Some(most)) if least == most => least,
        _ => names.count(),
    };
    match more {
        0 => {}
        more => listed.push_str(&format!(" and {more} more")),
    }
    listed
}

/// Returns the Levenshtein distance, which ignores the case of ASCII letters; `None` if it is more than `most` or a
/// name is longer than [`MAX_COMPARED_LENGTH`].
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if a.len() > MAX_COMPARED_LENGTH || b.len() > MAX_COMPARED_LENGTH {
        return None;
    }
    // Characters of `b`, each with the distance of the current prefix of `a` to the prefix of `b` that ends there.
    let mut row = [('\0', 0); MAX_COMPARED_LENGTH];
    let mut length = 0;
    for (slot, y) in row.iter_mut().zip(b.chars()) {
        length += 1;
        *slot = (y.to_ascii_lowercase(), length);
    }
    let mut last = length;
    for (i, x) in a.chars().enumerate() {
        let x = x.to_ascii_lowercase();
        let (mut diagonal, mut left) = (i, i + 1);
        let mut least = left;
        for (y, above) in row.iter_mut().take(length) {
            let here = (diagonal + usize::from(x != *y)).min(*above + 1).min(left + 1);
            diagonal = mem::replace(above, here);
            left = here;
            least = least.min(here);
        }
        // The minimum of a row never decreases.
        if least > most {
            return None;
        }
        last = left;
    }
    Some(last).filter(|last| *last <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_closest_name() {
        assert_eq!(closest("nmae", ["name", "title"]), Some("name"));
        assert_eq!(closest("Name", ["name"]), Some("name"));
        assert_eq!(closest("DSC", ["ASC", "DESC"]), Some("DESC"));
        assert_eq!(closest("rwo", ["root", "row"]), Some("row"));
        assert_eq!(closest("zebra", ["name", "title"]), None);
        assert_eq!((closest("y", ["x"]), closest("Y", ["y"])), (None, Some("y")));
        assert_eq!(closest("grüße", ["grüne", "grün"]), Some("grüne"));
        assert_eq!(
            (closest("name", ["nam", "na", "names12"]), closest("ab", ["abé"])),
            (Some("nam"), Some("abé"))
        );
        let within = |most| (distance("kitten", "sitting", most), distance("", "ab", most));
        assert_eq!(within(3), (Some(3), Some(2)));
        assert_eq!(within(2), (None, Some(2)));
        assert_eq!(within(1), (None, None));
    }

    /// Recursive definition of the distance.
    fn recursive_distance(a: &[char], b: &[char]) -> usize {
        match (a, b) {
            ([x, a @ ..], [y, b @ ..]) if x.eq_ignore_ascii_case(y) => recursive_distance(a, b),
            ([_, left @ ..], [_, right @ ..]) => {
                1 + recursive_distance(left, right)
                    .min(recursive_distance(left, b))
                    .min(recursive_distance(a, right))
            }
            (rest, []) | ([], rest) => rest.len(),
        }
    }

    #[test]
    fn distance_agrees_with_its_definition() {
        let mut words = vec![String::new()];
        for length in 0..4 {
            let longer = words.iter().filter(|word| word.chars().count() == length);
            let longer: Vec<String> = longer
                .flat_map(|word| ["a", "B", "é"].map(|letter| format!("{word}{letter}")))
                .collect();
            words.extend(longer);
        }
        for (a, b) in words.iter().flat_map(|a| words.iter().map(move |b| (a, b))) {
            let letters = |word: &str| word.chars().collect::<Vec<char>>();
            let expected = recursive_distance(&letters(a), &letters(b));
            for most in 0..5 {
                let found = distance(a, &b.to_lowercase(), most);
                assert_eq!(found, Some(expected).filter(|found| *found <= most), "{a} {b}");
            }
            assert!(!differ_in_length(a, b, expected), "{a} {b}");
        }
    }

    #[test]
    fn suggests_a_name_or_lists_all() {
        assert_eq!(suggestion_help("nmae", &["name", "title"]), "did you mean `name`?");
        assert_eq!(suggestion_help("zebra", &["name", "title"]), "available: `name`, `title`");
    }

    #[test]
    fn ids_that_differ_in_digits_are_others() {
        assert_eq!(nearest_id("row_3", &mut ["row_1", "row_2"].into_iter()), None);
        assert_eq!(nearest_id("user_1", &mut ["row_1", "user1"].into_iter()), Some("user1"));
    }

    #[test]
    fn distinguishes_typos_from_other_names() {
        assert!(is_typo("nmae", "name") && is_typo("titel", "title") && is_typo("input", "inputs"));
        assert!(!is_typo("note", "name") && !is_typo("name", "name") && !is_typo("y", "xs"));
    }

    #[test]
    fn lists_names() {
        assert_eq!(format_names(["a", "b"]), "`a`, `b`");
        let many: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert!(format_names(many.iter().map(String::as_str)).ends_with("and 8 more"));
    }
}
