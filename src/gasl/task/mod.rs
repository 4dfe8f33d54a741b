//! What goes on over several answers of the host: a command, a plan, a whole question.

pub mod plan;
pub mod propose;
pub mod reply_parser;
pub mod solve;
pub mod step;
