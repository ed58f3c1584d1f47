//! Shows the shortest reply found that fails as a finding of `feed` or `replies` does.
//!
//! `cargo run -p tagline-testkit --example shrink -- TARGET FILE`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a chore talks to a terminal")]

use tagline_testkit::targets::Reply;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [target, file] = args.as_slice() else { return println!("usage: shrink TARGET FILE") };
    let data = std::fs::read(file).unwrap();
    let reply = match target.as_str() {
        "feed" => Reply::of_text(&data),
        _ => Reply::of_choices(&data),
    };
    let names: Vec<&str> = reply.tags.specs().iter().map(|spec| spec.name.as_str()).collect();
    println!("tags {} in pieces of {:?}", names.join(" "), reply.sizes);
    match reply.shrunk().holds() {
        Ok(()) => println!("holds"),
        Err(what) => println!("{what}"),
    }
}
