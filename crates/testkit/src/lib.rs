//! tagline-testkit
