//! What the tests judge, and where.

use tagline_policy::{Claims, Effect, Mode, PathClaim, Request, Rule, Situation, Verdict, decide};

/// Somebody's machine: the workspace is `~/work`, our own data `~/.local/share/tagline`.
pub(crate) fn situation(mode: Mode) -> Situation {
    Situation {
        mode,
        is_attended: true,
        roots: vec!["/home/u/work".into()],
        home: Some("/home/u".into()),
        own: vec!["/home/u/.local/share/tagline".into()],
        ..Situation::default()
    }
}

pub(crate) fn command(text: &str) -> Request {
    request(Effect::Exec, Claims { command: Some(text.to_owned()), ..Claims::default() })
}

pub(crate) fn request(effect: Effect, claims: Claims) -> Request {
    Request {
        tool: "tool".to_owned(),
        effect,
        is_recovered: false,
        is_from_unclosed_cdata: false,
        arguments: Vec::new(),
        claims,
    }
}

/// A read of this path; see [`changing`].
pub(crate) fn reading(path: &str) -> Claims {
    let claim = PathClaim {
        asked: path.to_owned(),
        resolved: Some(path.into()),
        is_write: false,
        is_removal: false,
    };
    Claims { paths: vec![claim], ..Claims::default() }
}

pub(crate) fn changing(path: &str) -> Claims {
    let mut claims = reading(path);
    claims.paths.iter_mut().for_each(|claim| claim.is_write = true);
    claims
}

pub(crate) fn removing(path: &str) -> Claims {
    let mut claims = changing(path);
    claims.paths.iter_mut().for_each(|claim| claim.is_removal = true);
    claims
}

pub(crate) fn judge(text: &str, mode: Mode, rules: Vec<Rule>) -> Verdict {
    decide(&command(text), &Situation { rules, ..situation(mode) })
}

/// The lines of a case file, comments left out, escapes read.
pub(crate) fn lines(text: &str) -> Vec<String> {
    let is_case = |line: &&str| !line.is_empty() && !line.starts_with('#');
    text.lines().filter(is_case).map(unescaped).collect()
}

fn unescaped(line: &str) -> String {
    let hidden = line.replace("\\x0b", "\u{b}").replace("\\x0d", "\r");
    let hidden = hidden.replace("\\u200b", "\u{200b}").replace("\\u202e", "\u{202e}");
    // In a case of two lines the break stands for itself; elsewhere `\n` is what the shell reads.
    let breaks = ["EOF\\n", "EOF'\\n", "\\nEOF", "x.sh\\n", "\\nEND", "ls\\n", "\\\\n", "\\ntouch"];
    breaks.iter().fold(hidden, |text, it| text.replace(it, &it.replace("\\n", "\n")))
}

/// One line for a verdict.
pub(crate) fn shown(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Allow { rule } => format!("allow ({rule})"),
        Verdict::Ask { why, scopes } => {
            let scopes: Vec<_> = scopes.iter().map(|scope| format!(" [{scope}]")).collect();
            format!("ask: {why}{}", scopes.concat())
        }
        Verdict::Deny { rule, why, is_for_want_of_a_human: false } => {
            format!("deny ({rule}): {why}")
        }
        Verdict::Deny { why, is_for_want_of_a_human: true, .. } => format!("needs a human: {why}"),
    }
}
