//! Requests to the model and their replies.

pub mod exchange;
pub mod prompt;
pub mod reply;
pub mod request;
pub mod schema;
pub mod steps;
pub mod validator;
