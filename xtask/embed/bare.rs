//! A program without the standard library that reads a reply: it has a panic handler and an
//! allocator of its own, so it only builds where nothing below it links `std`.
#![no_std]

extern crate alloc;

use alloc::{string::String, vec};
use core::{
    alloc::{GlobalAlloc, Layout},
    panic::PanicInfo,
    ptr,
};

use tagline_parser::{Event, Finish, Limits, TagSet, TagSpec, parse};

struct Nothing;

unsafe impl GlobalAlloc for Nothing {
    unsafe fn alloc(&self, _: Layout) -> *mut u8 {
        ptr::null_mut()
    }

    unsafe fn dealloc(&self, _: *mut u8, _: Layout) {}
}

#[global_allocator]
static NOTHING: Nothing = Nothing;

#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    loop {}
}

/// Whether a reply holds a call.
#[unsafe(no_mangle)]
pub extern "C" fn holds_a_call() -> bool {
    let tag = TagSpec { name: String::from("say"), ..TagSpec::default() };
    let events = parse(&TagSet::new(vec![tag]), Limits::default(), "<say/>", Finish::Stop);
    events.iter().any(|event| matches!(event, Event::End(_)))
}
