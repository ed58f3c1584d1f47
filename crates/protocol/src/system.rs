//! Errors of the operating system, as people and models read them.

use alloc::{
    borrow::ToOwned as _,
    string::{String, ToString as _},
};
use core::fmt::Display;

/// What an error of the system says, without its number, to stand inside a sentence.
///
/// # Examples
///
/// ```
/// let said = tagline_protocol::system_words(&"No such file or directory (os error 2)");
/// assert_eq!(said, "no such file or directory");
/// ```
#[must_use]
pub fn system_words(error: &impl Display) -> String {
    let said = error.to_string();
    let Some((words, number)) = said.rsplit_once(" (os error ") else { return said };
    let is_number = number.strip_suffix(')').is_some_and(|digits| digits.parse::<i32>().is_ok());
    let mut rest = words.chars();
    match rest.next() {
        Some(first) if is_number => first.to_lowercase().chain(rest.as_str().chars()).collect(),
        Some(_) | None => said.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::system_words;

    #[test]
    fn only_the_number_of_the_system_is_left_out() {
        for said in ["broken", "a (os error x)", " (os error 2", "(os error 2) and more"] {
            assert_eq!(system_words(&said), said);
        }
        assert_eq!(system_words(&"a: Is a directory (os error 21)"), "a: Is a directory");
    }
}
