//! Amounts for people: times, tokens, bytes.

/// `4 ms`, `12.3 s`, `2 min 5 s`.
pub(crate) fn time(ms: u64) -> String {
    match ms {
        0..1_000 => format!("{ms} ms"),
        1_000..60_000 => format!("{}.{} s", ms / 1_000, ms % 1_000 / 100),
        _ => format!("{} min {} s", ms / 60_000, ms % 60_000 / 1_000),
    }
}

/// `870`, `18.4k`, `2.1M`.
pub(crate) fn tokens(n: u64) -> String {
    match n {
        0..1_000 => n.to_string(),
        1_000..1_000_000 => format!("{}.{}k", n / 1_000, n % 1_000 / 100),
        _ => format!("{}.{}M", n / 1_000_000, n % 1_000_000 / 100_000),
    }
}

/// `512 bytes`, `2.1 KB`, `3.0 MB`.
pub(super) fn bytes(n: u64) -> String {
    match n {
        1 => "1 byte".to_owned(),
        0..1_000 => format!("{n} bytes"),
        1_000..1_000_000 => format!("{}.{} KB", n / 1_000, n % 1_000 / 100),
        _ => format!("{}.{} MB", n / 1_000_000, n % 1_000_000 / 100_000),
    }
}

/// `1 pass`, `4 passes`.
pub(crate) fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_read_like_amounts() {
        let shown = [time(4), time(12_345), time(125_000), tokens(999), tokens(18_432)];
        assert_eq!(shown, ["4 ms", "12.3 s", "2 min 5 s", "999", "18.4k"]);
        assert_eq!([bytes(1), bytes(512), bytes(2_150)], ["1 byte", "512 bytes", "2.1 KB"]);
    }
}
