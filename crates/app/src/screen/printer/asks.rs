//! Questions and answers.

use tagline_protocol::{CallId, ShownFact};

use super::{
    super::{
        clean::{clean, clean_lines},
        layout::Tone,
    },
    Printer,
};

impl Printer {
    pub(super) fn asks(
        &mut self,
        call: Option<&CallId>,
        why: &str,
        shown: &str,
        facts: &[ShownFact],
    ) -> Vec<String> {
        let known = self.calls.get(call);
        let attention = (Tone::Attention, "needs you");
        let mut lines =
            vec![self.layout.row((Tone::Verb, &known.label), &known.target, attention, "")];
        lines.extend(self.layout.indented(&clean_lines(why)));
        let is_whole = self.layout.fits(&known.label, &known.target, attention.1, "");
        if !is_whole || clean(shown.trim()) != known.target {
            lines.extend(clean_lines(shown).lines().map(|line| self.layout.quoted(line)));
        }
        for group in facts.chunk_by(|one, two| one.name == two.name) {
            let texts: Vec<_> = group.iter().map(|fact| clean(&fact.text)).collect();
            let name = group.first().map_or("", |fact| fact.name.as_str());
            let line = format!("{}: {}", clean(name), texts.join("; "));
            lines.extend(self.layout.indented(&line));
        }
        lines
    }

    pub(super) fn answered(
        &mut self,
        call: Option<&CallId>,
        is_allowed: bool,
        by: &str,
        words: Option<&str>,
    ) -> Vec<String> {
        let known = self.calls.get(call);
        self.refused = call.filter(|_| !is_allowed).cloned();
        let by = if by == "user" { "you".to_owned() } else { clean(by) };
        let (tone, verdict) =
            if is_allowed { (Tone::Plain, "allowed") } else { (Tone::Bad, "refused") };
        let verdict = format!("{verdict} by {by}");
        let mut lines =
            vec![self.layout.row((Tone::Verb, &known.label), &known.target, (tone, &verdict), "")];
        lines.extend(
            words.map(|words| self.layout.indented(&clean_lines(words))).unwrap_or_default(),
        );
        lines
    }

    /// It is no refusal of the user: what comes of it says more.
    pub(super) fn edited(&mut self, note: &str) -> Vec<String> {
        self.refused = None;
        self.layout.indented(&clean_lines(note))
    }
}
