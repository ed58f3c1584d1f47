//! tagline-workspace
