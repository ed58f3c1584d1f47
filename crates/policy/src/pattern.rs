//! Patterns for the text of an argument.

use std::{fmt, path::Path};

use globset::{GlobBuilder, GlobMatcher};

/// A pattern such as `docs/**`: `*` and `?` stop at `/`, `**` between slashes does not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Pattern(String);

impl Pattern {
    /// The pattern; `None` where the text is none.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let is_pattern = !text.is_empty() && matcher(text, Case::Exact).is_some();
        is_pattern.then(|| Self(text.to_owned()))
    }

    /// Whether a text surely fits: what climbs with `..` fits nothing.
    pub(crate) fn surely_fits(&self, text: &str) -> bool {
        let climbs = text.split('/').any(|part| part == "..");
        !climbs && self.fits(text, Case::Exact)
    }

    /// Whether a text may fit in one of its readings: as it is, without `./` and `..`, in any
    /// letter case.
    pub(crate) fn may_fit(&self, text: &str) -> bool {
        let plain = crate::place::normalize(Path::new(text));
        self.fits(text, Case::Any) || self.fits(&plain.to_string_lossy(), Case::Any)
    }

    fn fits(&self, text: &str, case: Case) -> bool {
        let plain = text.strip_prefix("./").unwrap_or(text);
        matcher(&self.0, case).is_some_and(|it| it.is_match(plain))
    }
}

/// Whether letter case counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    Exact,
    Any,
}

fn matcher(text: &str, case: Case) -> Option<GlobMatcher> {
    let mut builder = GlobBuilder::new(text);
    let glob = builder.literal_separator(true).case_insensitive(case == Case::Any).build();
    glob.ok().map(|glob| glob.compile_matcher())
}

impl fmt::Display for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
