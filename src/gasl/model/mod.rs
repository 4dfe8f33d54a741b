//! The model in the loop: what it is asked, and what is made of its reply.

pub mod exchange;
pub mod prompt;
pub mod reply;
pub mod request;
pub mod schema;
