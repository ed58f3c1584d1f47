//! tagline-tools
