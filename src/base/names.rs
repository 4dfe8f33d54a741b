//! Names that were probably meant.

use std::{iter, mem};

/// Names longer than this are not compared: the work grows with the square of the length.
const LONGEST: usize = 64;

/// The candidate nearest to `name`, when it is near enough to be a slip of the pen.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    nearest_of(name, &mut candidates.into_iter())
}

fn nearest_of<'a>(name: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    // Mostly there are none.
    let first = candidates.next()?;
    let length = name.chars().count();
    let allowed = match length {
        0..=2 => 1,
        3..=6 => 2,
        _ => 3,
    };
    iter::once(first)
        .chain(candidates)
        .filter(|candidate| *candidate != name && !differ_in_length(name, candidate, allowed))
        .filter_map(|candidate| Some((distance(name, candidate, allowed)?, candidate)))
        // Names of one letter have nothing in common.
        .filter(|(distance, _)| *distance < length)
        // Whoever slips seldom slips at the first letter, and often writes the right ones in another order.
        .min_by_key(|(distance, candidate)| {
            (2 * distance + usize::from(!is_slip(name, candidate)), !same_first(name, candidate))
        })
        .map(|(_, candidate)| candidate)
}

/// Whether more letters are missing than may differ, where the longer one has one byte for each.
fn differ_in_length(a: &str, b: &str, allowed: usize) -> bool {
    let (short, long) = if a.len() < b.len() { (a, b) } else { (b, a) };
    long.len() > short.len() + allowed && long.is_ascii()
}

fn same_first(a: &str, b: &str) -> bool {
    let first = |text: &str| text.chars().next().map(|first| first.to_ascii_lowercase());
    first(a) == first(b)
}

/// With so many names one that is not there is compared: more would take long.
pub const COMPARED: usize = 1_000;

/// The id that was probably meant: one that differs in more than digits, for those count things.
pub fn nearest_id<'a>(id: &str, candidates: &mut dyn Iterator<Item = &'a str>) -> Option<&'a str> {
    let differs = |other: &&str| !without_digits(id).eq(without_digits(other));
    nearest_of(id, &mut candidates.take(COMPARED).filter(differs))
}

fn without_digits(text: &str) -> impl Iterator<Item = char> {
    text.chars().filter(|c| !c.is_ascii_digit())
}

/// Whether a name is another one with a letter more, less or changed, or with its letters in another order.
pub fn is_slip(name: &str, meant: &str) -> bool {
    let count = |text: &str, letter| text.chars().filter(|other| *other == letter).count();
    let same_letters = || name.chars().all(|letter| count(name, letter) == count(meant, letter));
    let is_long = name.len().max(meant.len()) > LONGEST;
    if name == meant || is_long || differ_in_length(name, meant, 1) {
        return false;
    }
    distance(name, meant, 1).is_some() || (name.len() == meant.len() && same_letters())
}

/// What to write in place of a name: the nearest one, else those that there are.
pub fn instead(name: &str, known: &[&str]) -> String {
    if known.is_empty() {
        return "there are none".to_owned();
    }
    let mut names = known.iter().copied();
    match nearest_of(name, &mut names.clone()) {
        Some(near) => format!("did you mean {}?", super::diagnostic::quote(near)),
        None => format!("there are {}", list_of(&mut names)),
    }
}

/// At most this many names stand in one list.
const LISTED: usize = 12;

/// The names in backticks with commas between, cut where there are many.
pub fn list<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    list_of(&mut names.into_iter())
}

fn list_of(mut names: &mut dyn Iterator<Item = &str>) -> String {
    let mut listed = String::new();
    for name in (&mut names).take(LISTED) {
        if !listed.is_empty() {
            listed.push_str(", ");
        }
        listed.push_str(&super::diagnostic::quote(name));
    }
    // Mostly that is known without a look at them.
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

/// Levenshtein distance without regard to the case of ASCII letters, or nothing where it is more than `most` or a
/// name is too long to compare.
fn distance(a: &str, b: &str, most: usize) -> Option<usize> {
    if a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    // The letters of `b`, each with the distance from what has been read of `a` to what ends with it.
    let mut row = [('\0', 0); LONGEST];
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
        // From a row on it never gets less.
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
    fn finds_the_nearest_name() {
        assert_eq!(nearest("nmae", ["name", "title"]), Some("name"));
        assert_eq!(nearest("Name", ["name"]), Some("name"));
        assert_eq!(nearest("DSC", ["ASC", "DESC"]), Some("DESC"));
        assert_eq!(nearest("rwo", ["root", "row"]), Some("row"));
        assert_eq!(nearest("zebra", ["name", "title"]), None);
        assert_eq!((nearest("y", ["x"]), nearest("Y", ["y"])), (None, Some("y")));
        assert_eq!(nearest("grüße", ["grüne", "grün"]), Some("grüne"));
        assert_eq!(
            (nearest("name", ["nam", "na", "names12"]), nearest("ab", ["abé"])),
            (Some("nam"), Some("abé"))
        );
        let within = |most| (distance("kitten", "sitting", most), distance("", "ab", most));
        assert_eq!(within(3), (Some(3), Some(2)));
        assert_eq!(within(2), (None, Some(2)));
        assert_eq!(within(1), (None, None));
    }

    /// As textbooks define it.
    fn plainly(a: &[char], b: &[char]) -> usize {
        match (a, b) {
            ([x, a @ ..], [y, b @ ..]) if x.eq_ignore_ascii_case(y) => plainly(a, b),
            ([_, left @ ..], [_, right @ ..]) => {
                1 + plainly(left, right).min(plainly(left, b)).min(plainly(a, right))
            }
            (rest, []) | ([], rest) => rest.len(),
        }
    }

    #[test]
    fn distances_are_those_of_textbooks() {
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
            let expected = plainly(&letters(a), &letters(b));
            for most in 0..5 {
                let found = distance(a, &b.to_lowercase(), most);
                assert_eq!(found, Some(expected).filter(|found| *found <= most), "{a} {b}");
            }
            assert!(!differ_in_length(a, b, expected), "{a} {b}");
        }
    }

    #[test]
    fn says_what_to_write_instead() {
        assert_eq!(instead("nmae", &["name", "title"]), "did you mean `name`?");
        assert_eq!(instead("zebra", &["name", "title"]), "there are `name`, `title`");
    }

    #[test]
    fn ids_that_differ_in_digits_are_others() {
        assert_eq!(nearest_id("row_3", &mut ["row_1", "row_2"].into_iter()), None);
        assert_eq!(nearest_id("user_1", &mut ["row_1", "user1"].into_iter()), Some("user1"));
    }

    #[test]
    fn tells_slips_from_other_names() {
        assert!(is_slip("nmae", "name") && is_slip("titel", "title") && is_slip("input", "inputs"));
        assert!(!is_slip("note", "name") && !is_slip("name", "name") && !is_slip("y", "xs"));
    }

    #[test]
    fn lists_names() {
        assert_eq!(list(["a", "b"]), "`a`, `b`");
        let many: Vec<String> = (0..20).map(|i| i.to_string()).collect();
        assert!(list(many.iter().map(String::as_str)).ends_with("and 8 more"));
    }
}
