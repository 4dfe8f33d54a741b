//! Tasks that need several answers of the host: a command, a plan, the loop for a question.

pub mod plan;
pub mod propose;
pub mod reply_parser;
pub mod solve;
pub mod step;
