//! Limits of a session, which keep its memory bounded whatever a model writes.

use crate::base::Value;

/// Limits of a session.
#[derive(Clone, Copy, Debug)]
pub struct SessionLimits {
    /// Maximum number of commands in a plan.
    pub commands: usize,
    /// Maximum estimated size of the variables as JSON, in bytes.
    pub state: usize,
    /// Maximum estimated memory of earlier states, in bytes. The oldest ones are removed.
    pub snapshots: usize,
    /// Maximum estimated memory of the variables of a plan, in bytes.
    pub variables: usize,
    /// Maximum estimated size of all replies of the model as JSON, in bytes.
    pub replies: usize,
}

impl Default for SessionLimits {
    fn default() -> SessionLimits {
        SessionLimits {
            commands: 10_000,
            state: 64 << 20,
            snapshots: 64 << 20,
            variables: 1 << 30,
            replies: 256 << 20,
        }
    }
}

impl SessionLimits {
    /// Reads a map of limits: missing ones have their defaults, and null is unlimited.
    pub fn read(map: &Value) -> SessionLimits {
        let default = SessionLimits::default();
        let limit = |key: &str, default: usize| {
            map.get(key).map_or(default, |limit| {
                limit.as_number().map_or(usize::MAX, |limit| limit as usize)
            })
        };
        SessionLimits {
            commands: limit("commands", default.commands),
            state: limit("state", default.state),
            snapshots: limit("snapshots", default.snapshots),
            variables: limit("variables", default.variables),
            replies: limit("replies", default.replies),
        }
    }

    pub fn to_value(self) -> Value {
        let SessionLimits { commands, state, snapshots, variables, replies } = self;
        let limit = |limit: usize| Value::from(limit.min(u32::MAX as usize));
        Value::map([
            ("commands", limit(commands)),
            ("state", limit(state)),
            ("snapshots", limit(snapshots)),
            ("variables", limit(variables)),
            ("replies", limit(replies)),
        ])
    }
}
