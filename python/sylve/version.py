"""The version of the package. `Cargo.toml` says it too, and a test compares them."""

VERSION = "0.1.0"
