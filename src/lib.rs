//! byname.
