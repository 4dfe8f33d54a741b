//! Commands as the parser understood them.

use crate::base::{Span, Value};
use crate::gasl::predicate::{Comparison, Membership, TextTest};
use std::rc::Rc;

/// One command, or one line of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `DECLARE key AS type [WITH_DESCRIPTION "…"]`
    Declare { key: VariablePath, kind: StateType, description: Option<String> },
    /// `FIND target [WHERE condition] [LIMIT n] AS output`
    Find { target: FindTarget, condition: Option<Condition>, limit: Option<usize>, output: String },
    /// `PROCESS input USING "…" [RETURNING schema] AS output`
    Process {
        input: VariablePath,
        instruction: TextTemplate,
        returning: Option<Value>,
        output: String,
    },
    /// `ANALYZE key USING "…" AS output`
    Analyze { key: VariablePath, instruction: TextTemplate, output: String },
    /// `UPDATE key WITH input [MERGE|REPLACE]`
    Update { key: VariablePath, input: VariablePath, mode: UpdateMode },
    /// `SELECT input [FIELDS f, g:as] [WHERE condition] [LIMIT n] AS output`
    Select(Select),
    /// `COUNT input [BY field] AS output`
    Count { input: VariablePath, by: Option<String>, output: String },
    /// `AGGREGATE input BY field WITH function [OF field] AS output`
    Aggregate {
        input: VariablePath,
        by: String,
        function: AggregateFunction,
        of: Option<String>,
        output: String,
    },
    /// `RANK input BY field [ASC|DESC] [LIMIT n] AS output`
    Rank { input: VariablePath, by: String, order: SortOrder, limit: Option<usize>, output: String },
    /// `JOIN left WITH right ON field[=field] AS output`
    Join { left: VariablePath, right: VariablePath, on: (String, String), output: String },
    /// `WALK FROM starts [FOLLOW relation] [DEPTH n] AS output`
    Walk { starts: VariablePath, follow: Option<Operand>, depth: Option<usize>, output: String },
    /// `SHOW input`
    Show { input: VariablePath },
    /// `REQUIRE EXISTS name`
    Require { name: VariablePath },
    /// `ASSERT condition`
    Assert(Condition),
    /// `ON event name THEN command`, `BRANCH IF condition THEN command [ELSE command]`
    When { test: Trigger, then: Rc<Command>, otherwise: Option<Rc<Command>> },
    /// `SET adapter.caps.key = value`
    Set { key: String, value: Operand },
    /// `CANCEL PLAN "id"`
    Cancel { plan: Operand },
    /// `COMPLETE: text`
    Complete { text: String },
    /// `TRY`, `CATCH ANY`, `FINALLY`, `END`
    Block(BlockLine),
}

/// `SELECT`, the command with the most parts.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    pub input: VariablePath,
    /// Each field with the name that it gets; all fields where there are none.
    pub fields: Vec<(String, String)>,
    pub condition: Option<Condition>,
    pub limit: Option<usize>,
    pub output: String,
}

/// A name of the context or the state, and the way below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablePath {
    pub steps: Vec<String>,
    pub span: Span,
}

impl VariablePath {
    /// As it is written: `a.b.c`.
    pub fn text(&self) -> String {
        self.steps.join(".")
    }
}

/// What `DECLARE` makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateType {
    List,
    Dict,
    Counter,
}

/// What `FIND` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindTarget {
    Nodes,
    Edges,
    Paths,
}

/// What `UPDATE` does with what is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateMode {
    #[default]
    Merge,
    Replace,
}

/// What `AGGREGATE` makes of each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateFunction {
    Count,
    Sum,
    Average,
    Least,
    Greatest,
}

/// Which end of an order comes first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    Ascending,
    #[default]
    Descending,
}

/// When the command behind `THEN` is run.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// The last step that wrote the name, or the key of the state, ended so.
    Event(OutcomeEvent, String),
    /// The condition holds.
    Condition(Condition),
}

/// How a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeEvent {
    Empty,
    Error,
    Partial,
    SchemaMismatch,
}

/// A line of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockLine {
    Try,
    Catch,
    Finally,
    End,
}

/// A condition whose values may be `${…}`.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    All(Vec<Condition>),
    Any(Vec<Condition>),
    Not(Box<Condition>),
    Compare(Operand, Comparison, Operand),
    In(Operand, Membership, InItems),
    Text(Operand, TextTest, Operand),
    Exists(Operand),
    Null(Operand),
    NotNull(Operand),
    /// `x IS EMPTY`, of names alone.
    Empty(Operand),
}

/// What stands on a side of an operator.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    pub kind: OperandKind,
    pub span: Span,
}

/// The kinds of operands.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandKind {
    /// The attribute of the row at hand.
    Field(String),
    /// A number, a boolean, null, a bare word.
    Literal(Value),
    /// A text, with `${…}` in it perhaps.
    Text(TextTemplate),
    /// `${path}`, of any type.
    Binding(Vec<String>),
    /// `LEN ${path}`
    Length(Vec<String>),
    /// A name of the context or the state, after `EXISTS` and before `IS EMPTY`.
    Name(Vec<String>),
}

/// What `IN` looks through.
#[derive(Clone, Debug, PartialEq)]
pub enum InItems {
    /// `[a, b]`
    List(Vec<Operand>),
    /// `${path}`
    Binding(Operand),
}

/// A text with bindings in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTemplate {
    pub parts: Vec<TextPart>,
    /// Of the whole text.
    pub span: Span,
}

/// A part of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    Text(String),
    Binding(Vec<String>),
}

impl TextTemplate {
    /// A text without bindings.
    pub fn plain(text: impl Into<String>) -> TextTemplate {
        TextTemplate { parts: vec![TextPart::Text(text.into())], span: Span::default() }
    }

    /// The text, if there is no binding in it.
    pub fn as_plain(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TextPart::Text(text)] => Some(text),
            _ => None,
        }
    }
}

impl Condition {
    /// Where a field is first named.
    pub fn first_span_of(&self, field: &str) -> Option<Span> {
        let place = |operand: &Operand| match &operand.kind {
            OperandKind::Field(name) if name == field => Some(operand.span),
            _ => None,
        };
        match self {
            Condition::All(each) | Condition::Any(each) => {
                each.iter().find_map(|one| one.first_span_of(field))
            }
            Condition::Not(one) => one.first_span_of(field),
            Condition::Compare(left, ..)
            | Condition::In(left, ..)
            | Condition::Text(left, ..)
            | Condition::Exists(left)
            | Condition::Null(left)
            | Condition::NotNull(left)
            | Condition::Empty(left) => place(left),
        }
    }
}

impl Command {
    /// The name that the command writes in the context.
    pub fn output(&self) -> Option<&str> {
        match self {
            Command::Find { output, .. }
            | Command::Process { output, .. }
            | Command::Analyze { output, .. }
            | Command::Select(Select { output, .. })
            | Command::Count { output, .. }
            | Command::Aggregate { output, .. }
            | Command::Rank { output, .. }
            | Command::Join { output, .. }
            | Command::Walk { output, .. } => Some(output),
            _ => None,
        }
    }
}
