//! The secrets that this process holds, so that they are covered wherever text goes out.

use tagline_secret::{Redactor, Secret};

use crate::env::Env;

/// How names of variables end whose values are secrets.
const ENDS: [&str; 8] =
    ["_KEY", "_TOKEN", "_SECRET", "_PASSWORD", "_PASSWD", "_PASSPHRASE", "_CREDENTIALS", "_PAT"];

/// The secrets of the environment: of variables that are named like one, and passwords in
/// addresses.
pub(crate) fn held(env: &Env) -> Redactor {
    let redactor = Redactor::default();
    // Where two hold the same, the first by name is named.
    let mut vars: Vec<_> = env.vars().iter().collect();
    vars.sort();
    for (name, value) in vars {
        if is_secret(name) {
            redactor.learn(name, &Secret::from(value.as_str()));
        }
        if let Some(password) = password(value) {
            redactor.learn(name, &Secret::from(password));
        }
    }
    redactor
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_uppercase();
    ENDS.iter().any(|end| name.ends_with(end) || name == end.trim_start_matches('_'))
}

/// The password in an address such as `postgres://me:password@host/work`.
pub(super) fn password(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    let (user, _) = authority.rsplit_once('@')?;
    user.split_once(':').map(|(_, password)| password).filter(|password| !password.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, value: &str, text: &str, expected: &str) {
        assert_eq!(held(&Env::of(&[(name, value)])).text(text), expected);
    }

    #[test]
    fn variables_that_are_named_like_a_secret_are_covered() {
        check("GITHUB_TOKEN", "ghp_012345", "<ghp_012345>", "<[secret GITHUB_TOKEN]>");
        check(
            "aws_secret_access_key",
            "0123456789",
            "0123456789",
            "[secret aws_secret_access_key]",
        );
        check("PASSWORD", "correct horse", "correct horse", "[secret PASSWORD]");
    }

    #[test]
    fn others_are_not() {
        check("EDITOR", "emacs-nox", "emacs-nox", "emacs-nox");
        check("KEYBOARD", "de-latin1", "de-latin1", "de-latin1");
    }

    #[test]
    fn a_password_in_an_address_is_covered_and_the_address_is_not() {
        let url = "postgres://me:hunter2hunter2@db:5432/work?x=a@b";
        check(
            "TAGLINE_DATABASE_URL",
            url,
            url,
            "postgres://me:[secret TAGLINE_DATABASE_URL]@db:5432/work?x=a@b",
        );
        check("https_proxy", "http://proxy:3128", "http://proxy:3128", "http://proxy:3128");
    }
}
