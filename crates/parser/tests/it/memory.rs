//! What reading costs in memory, counted on the workloads: PF-P11 to PF-P13, PF-O3 and PF-O4 of
//! docs/performance.md.

use tagline_workload::{Dialect, Shape, build};

use crate::{
    counts::{cost_behind, owned, second_half, streamed},
    shared::limits,
};

fn text(shape: Shape) -> String {
    build(shape, Dialect::Native).text
}

#[test]
fn no_delta_of_a_body_allocates() {
    let body = text(Shape::Grow(300_000));
    for size in [1, 4, 64, 4096] {
        // Behind the start tag, and before the end: nothing but deltas.
        let middle = body.get(..250_000).unwrap_or_default();
        let cost = cost_behind(50_000, limits(0), false, middle, size);
        assert!(cost.n_chunks > 40);
        // The block that the reply's end cuts is handed out whole: its name, its attribute, a fault.
        assert!(cost.memory.count_total <= 12, "{:?} in pieces of {size}", cost.memory);
    }
}

#[test]
fn text_does_not_allocate() {
    let text = "A line of text, with a < b and R&D, and `code` in it.\n".repeat(4000);
    for size in [1, 4, 64, 4096] {
        let cost = second_half(&text, size);
        let most = cost.n_chunks / 10_000 + 4;
        assert!(cost.memory.count_total <= most, "{:?} in pieces of {size}", cost.memory);
    }
}

#[test]
fn a_call_allocates_a_few_times_at_most() {
    for shape in [Shape::Chat(200_000), Shape::Code] {
        let text = text(shape);
        for size in [4, 64, 4096] {
            let cost = second_half(&text, size);
            // A start tag and an end tag.
            assert!(
                cost.memory.count_total <= 6 * cost.n_blocks,
                "{cost:?} of {} in pieces of {size}",
                shape.name()
            );
        }
    }
}

#[test]
fn live_bytes_do_not_grow_with_a_body() {
    for size in [4, 64, 4096] {
        let small = streamed(&text(Shape::Grow(400_000)), size).memory.bytes_max;
        let large = streamed(&text(Shape::Grow(2_000_000)), size).memory.bytes_max;
        assert!(large <= small + 64, "{small} and {large} in pieces of {size}");
        assert!(large <= 16 << 10, "{large} in pieces of {size}");
    }
}

#[test]
fn little_of_a_body_is_held_back() {
    let body = text(Shape::Grow(200_000));
    for size in [1, 4, 64] {
        let held = cost_behind(100, limits(0), false, &body, size).held;
        // An end tag that has begun behind `]]>`, and blanks that may be layout.
        assert!(held <= "]]></write_file>".len() as u64 + 8, "{held} in pieces of {size}");
    }
}

#[test]
fn a_kept_body_is_held_twice_at_most() {
    let text = text(Shape::Grow(1_000_000));
    for size in [4, 4096] {
        let live = owned(&text, size).memory.bytes_max;
        assert!(live <= 2 * text.len() as u64 + (16 << 10), "{live} in pieces of {size}");
    }
}
