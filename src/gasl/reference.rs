pub const PROMPT: &str = "";
