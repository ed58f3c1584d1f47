//! Shows the shortest reply found that fails as a finding of a fuzz target does.
//!
//! `cargo run -p tagline-testkit --example shrink -- TARGET FILE`
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "a chore talks to a terminal")]

use tagline_testkit::{
    Choices,
    holds::Held,
    json::Call,
    targets::{Reply, round_trip},
};

const USAGE: &str = "usage: shrink <feed | replies | reference | json_repair | round_trip> FILE";

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [target, file] = args.as_slice() else { return println!("{USAGE}") };
    let data = std::fs::read(file).unwrap();
    let held = match target.as_str() {
        "feed" => shortest(&Reply::of_text(&data), Reply::holds),
        "replies" => shortest(&Reply::of_choices(&data), Reply::holds),
        "reference" => shortest(&Reply::of_native_choices(&data), Reply::agrees),
        "json_repair" => {
            let mut choices = Choices::of_bytes(&data);
            let n_damages = choices.below(4);
            Call::of(&mut choices, n_damages).shrunk().holds()
        }
        "round_trip" => round_trip(&data),
        _ => return println!("{USAGE}"),
    };
    match held {
        Ok(()) => println!("holds"),
        Err(what) => println!("{what}"),
    }
}

/// What is wrong with the shortest reply that is wrong.
fn shortest(reply: &Reply, holds: fn(&Reply) -> Held) -> Held {
    let names: Vec<&str> = reply.tags.specs().iter().map(|spec| spec.name.as_str()).collect();
    println!("tags {} in pieces of {:?}", names.join(" "), reply.sizes);
    holds(&reply.shrunk(holds))
}
