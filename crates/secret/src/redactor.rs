//! Markers over secrets.

use std::{
    borrow::Cow,
    cmp::Reverse,
    fmt,
    ops::Range,
    sync::{Arc, OnceLock, PoisonError, RwLock},
};

use aho_corasick::{AhoCorasick, AhoCorasickKind};
use serde_json::Value;

use crate::{Part, Secret, Stream, forms::forms};

/// Writes a marker such as `[secret OPENAI_API_KEY]` over each secret that it knows, in whatever
/// of these forms it stands: as it is, in JSON, in an address, in hexadecimal digits, in base64.
/// Clones know what each of them learns.
///
/// Secrets that lie in each other, or over each other, are covered by one marker. A marker is not
/// marked again. What is shorter than [`Secret::SHORTEST`] is not looked for.
///
/// # Examples
///
/// ```
/// use tagline_secret::{Redactor, Secret};
///
/// let redactor = Redactor::default();
/// redactor.learn("OPENAI_API_KEY", &Secret::from("sk-0123456789"));
/// assert_eq!(redactor.text("it is sk-0123456789."), "it is [secret OPENAI_API_KEY].");
/// ```
#[derive(Clone, Default)]
pub struct Redactor(Arc<RwLock<Arc<Known>>>);

/// The secrets.
#[derive(Default)]
pub(crate) struct Known {
    names: Vec<(String, Secret)>,
    /// Made when it is first needed: most verbs write nothing that could hold a secret.
    table: OnceLock<Table>,
}

/// What is looked for.
#[derive(Default)]
pub(crate) struct Table {
    /// Sorted. Each leads to its marker by the same index.
    pub(crate) patterns: Vec<String>,
    markers: Vec<String>,
    /// Bytes of the longest pattern.
    pub(crate) longest: usize,
    search: Option<AhoCorasick>,
}

impl Redactor {
    /// Knows one more secret from now on.
    pub fn learn(&self, name: &str, secret: &Secret) {
        if secret.expose().len() < Secret::SHORTEST {
            return;
        }
        let mut known = self.0.write().unwrap_or_else(PoisonError::into_inner);
        let mut names = known.names.clone();
        if names.iter().any(|(_, other)| other.expose() == secret.expose()) {
            return;
        }
        names.push((name.to_owned(), secret.clone()));
        *known = Arc::new(Known { names, table: OnceLock::new() });
    }

    /// Whether it knows nothing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.known().is_empty()
    }

    /// The text with markers over secrets. Takes time in the length of the text alone.
    #[must_use]
    pub fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.known().text(text)
    }

    /// Whether a secret stands in the text.
    #[must_use]
    pub fn finds(&self, text: &str) -> bool {
        !self.known().table().spans(text).is_empty()
    }

    /// The value with markers over secrets, in names too. Numbers and words of JSON stay.
    pub fn json(&self, value: &mut Value) {
        match value {
            Value::String(text) => {
                if let Cow::Owned(covered) = self.text(text) {
                    *text = covered;
                }
            }
            Value::Array(items) => items.iter_mut().for_each(|item| self.json(item)),
            Value::Object(fields) => {
                fields.values_mut().for_each(|value| self.json(value));
                if fields.keys().any(|name| self.finds(name)) {
                    let covered = std::mem::take(fields).into_iter();
                    *fields =
                        covered.map(|(name, value)| (self.text(&name).into(), value)).collect();
                }
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }

    /// For a text that comes in pieces.
    #[must_use]
    pub fn stream(&self) -> Stream {
        Stream::new(self.clone())
    }

    pub(crate) fn known(&self) -> Arc<Known> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl fmt::Debug for Redactor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redactor").field("n", &self.known().names.len()).finish()
    }
}

impl Known {
    pub(crate) const fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    pub(crate) fn table(&self) -> &Table {
        self.table.get_or_init(|| Table::new(&self.names))
    }

    pub(crate) fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.is_empty() { Cow::Borrowed(text) } else { self.table().text(text) }
    }
}

impl Table {
    fn new(names: &[(String, Secret)]) -> Self {
        let mut rows: Vec<(String, String)> = Vec::new();
        for (name, secret) in names {
            let marker = format!("[secret {name}]");
            rows.extend(forms(secret.expose()).into_iter().map(|form| (form, marker.clone())));
            // A marker that is there already stays what it is.
            rows.push((marker.clone(), marker));
        }
        rows.sort();
        rows.dedup_by(|later, first| later.0 == first.0);
        let (patterns, markers): (Vec<_>, Vec<_>) = rows.into_iter().unzip();
        let longest = patterns.iter().map(String::len).max().unwrap_or(0);
        // The kind that is made soonest. Too many patterns for it are more than any process has.
        let kind = AhoCorasickKind::NoncontiguousNFA;
        let search = AhoCorasick::builder().kind(Some(kind)).build(&patterns).ok();
        Self { patterns, markers, longest, search }
    }

    fn text<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.spans(text).as_slice() {
            [] => Cow::Borrowed(text),
            spans => Cow::Owned(self.covered(text, spans)),
        }
    }

    fn covered(&self, text: &str, spans: &[Span]) -> String {
        let mut covered = String::with_capacity(text.len());
        self.cover(text, 0, spans, |part| covered += part.text());
        covered
    }

    /// Gives the text from this byte on, with markers over what of it lies in these places.
    pub(crate) fn cover(
        &self,
        text: &str,
        mut from: usize,
        spans: &[Span],
        mut give: impl FnMut(Part<'_>),
    ) {
        for Span { place, marker } in spans {
            give(Part::Text(text.get(from..place.start).unwrap_or_default()));
            let text = self.markers.get(*marker).map_or("[secret]", String::as_str);
            give(Part::Marker { text, n_covered: place.end - place.start.max(from) });
            from = place.end;
        }
        give(Part::Text(text.get(from..).unwrap_or_default()));
    }

    /// Where secrets stand: in order, apart from each other.
    pub(crate) fn spans(&self, text: &str) -> Vec<Span> {
        let Some(search) = &self.search else { return Vec::new() };
        let mut found: Vec<Span> = search
            .find_overlapping_iter(text)
            .map(|hit| Span { place: hit.range(), marker: hit.pattern().as_usize() })
            .collect();
        found.sort_by_key(|span| (span.place.start, Reverse(span.place.end)));
        let mut spans: Vec<Span> = Vec::new();
        for span in found {
            match spans.last_mut() {
                Some(last) if span.place.start < last.place.end => {
                    last.place.end = last.place.end.max(span.place.end);
                }
                Some(_) | None => spans.push(span),
            }
        }
        spans
    }
}

/// A place that is covered, and by which marker.
#[derive(Debug)]
pub(crate) struct Span {
    pub(crate) place: Range<usize>,
    marker: usize,
}
