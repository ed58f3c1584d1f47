//! The binary `tagline`: configuration, wiring, command line.

mod parse;

fn main() {
    parse::run();
}
