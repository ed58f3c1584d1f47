//! Bounds on what the parser holds.

/// How much the parser holds before it gives up on something, loudly.
///
/// All sizes count UTF-8 bytes of the reply as it was written. Whatever passes one of them is named
/// by a fault of [`Reason::Limit`](crate::Reason::Limit), and what it was part of does not run.
///
/// # Examples
///
/// ```
/// use tagline_parser::Limits;
///
/// let for_a_small_device = Limits { held: 16 << 10, owned_value: 256 << 10, ..Limits::default() };
/// assert_eq!(for_a_small_device.blocks, 25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Longest start tag, from `<` to `>`. Default: 64 KiB.
    pub start_tag: usize,
    /// Longest name of a tag or an attribute. Default: 256 bytes.
    pub name: usize,
    /// Longest text held because its end is not yet certain. Default: 1 MiB.
    pub held: usize,
    /// Longest value kept in a finished [`Block`](crate::Block). Default: 64 MiB. A block with a
    /// longer one, or with more in all its children, cannot run. 0: bodies and long children are not kept at all; whoever needs them
    /// takes the deltas, and values of any size pass.
    pub owned_value: usize,
    /// Deepest nesting counted. Default: 128.
    pub depth: usize,
    /// Most calls taken from one reply. Default: 25.
    pub blocks: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start_tag: 64 << 10,
            name: 256,
            held: 1 << 20,
            owned_value: 64 << 20,
            depth: 128,
            blocks: 25,
        }
    }
}
