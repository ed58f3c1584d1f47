//! tagline-session
