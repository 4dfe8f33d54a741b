//! Syntax tree of commands.

use crate::base::{Span, Value};
use crate::gasl::caps::EdgeDirection;
use crate::gasl::graph::Measure;
use crate::gasl::predicate::{Comparison, Membership, TextTest};
use std::rc::Rc;

/// Command or block line.
#[derive(Clone, Debug, PartialEq)]
pub enum Command {
    /// `DECLARE key AS type [WITH_DESCRIPTION "…"]`
    Declare { key: VariablePath, kind: StateType, description: Option<String> },
    /// `FIND target [WHERE condition] [LIMIT n] AS output`
    Find { target: FindTarget, condition: Option<Condition>, limit: Option<usize>, output: String },
    /// `FIND shortest paths [WHERE condition] [WEIGHT field] [LIMIT n] AS output`
    ShortestPaths(ShortestPaths),
    /// `MEASURE measure [OF input] [WEIGHT field] AS output`
    Measure(MeasureNodes),
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
    /// `SELECT [DISTINCT] input [FIELDS f, g:as] [WHERE condition] [LIMIT n] AS output`
    Select(Select),
    /// `COUNT input [BY f, g] AS output`
    Count { input: VariablePath, by: Vec<String>, output: String },
    /// `AGGREGATE input [BY f, g] WITH function [OF field], … AS output`
    Aggregate { input: VariablePath, by: Vec<String>, aggregates: Vec<Aggregate>, output: String },
    /// `RANK input BY field [ASC|DESC] [LIMIT n] AS output`
    Rank { input: VariablePath, by: String, order: SortOrder, limit: Option<usize>, output: String },
    /// `[LEFT] JOIN left WITH right ON field[=field] AS output`
    Join(Join),
    /// `UNION left WITH right [DISTINCT] AS output`
    Union(Union),
    /// `WALK FROM starts [FOLLOW relation] [DIRECTION direction] [DEPTH n] AS output`
    Walk {
        starts: VariablePath,
        follow: Option<Follow>,
        direction: Option<EdgeDirection>,
        depth: Option<usize>,
        output: String,
    },
    /// `SHOW input [FIELDS f, g:as] [LIMIT n] [OFFSET m]`
    Show(Show),
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

/// Parts of `FIND shortest paths`.
#[derive(Clone, Debug, PartialEq)]
pub struct ShortestPaths {
    pub condition: Option<Condition>,
    /// Field of edges to minimise; `None` for the number of edges.
    pub weight: Option<String>,
    pub limit: Option<usize>,
    pub output: String,
}

/// Parts of `MEASURE`.
#[derive(Clone, Debug, PartialEq)]
pub struct MeasureNodes {
    pub measure: Measure,
    /// Nodes of the output; `None` for all.
    pub input: Option<VariablePath>,
    /// Field of edges with their weights.
    pub weight: Option<String>,
    pub output: String,
}

/// Edges that `WALK` follows.
#[derive(Clone, Debug, PartialEq)]
pub enum Follow {
    /// Value of the relation field.
    Relation(Operand),
    /// Condition on the fields of an edge.
    Condition(Condition),
}

/// Parts of `SELECT`.
#[derive(Clone, Debug, PartialEq)]
pub struct Select {
    pub input: VariablePath,
    /// Whether only the first of equal rows is returned.
    pub distinct: bool,
    /// Pairs of field and output name; empty for all fields.
    pub fields: Vec<(String, String)>,
    pub condition: Option<Condition>,
    pub limit: Option<usize>,
    pub output: String,
}

/// Parts of `JOIN` and `LEFT JOIN`.
#[derive(Clone, Debug, PartialEq)]
pub struct Join {
    pub kind: JoinKind,
    pub left: VariablePath,
    pub right: VariablePath,
    /// Compared fields of the left and the right rows.
    pub on: (String, String),
    pub output: String,
}

/// Handling of left rows without a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JoinKind {
    /// Leaves them out.
    Inner,
    /// Keeps them, with null in the columns of the right rows.
    Left,
}

/// Parts of `UNION`.
#[derive(Clone, Debug, PartialEq)]
pub struct Union {
    pub left: VariablePath,
    pub right: VariablePath,
    /// Whether only the first of the rows with the same identity is returned.
    pub distinct: bool,
    pub output: String,
}

/// Parts of `SHOW`.
#[derive(Clone, Debug, PartialEq)]
pub struct Show {
    pub input: VariablePath,
    /// Pairs of field and output name; empty for all fields.
    pub fields: Vec<(String, String)>,
    pub limit: Option<usize>,
    /// Number of rows that are skipped.
    pub offset: usize,
}

/// Function of `AGGREGATE` with its field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aggregate {
    pub function: AggregateFunction,
    pub field: Option<String>,
}

/// Path of a variable or a key of the state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariablePath {
    pub steps: Vec<String>,
    pub span: Span,
}

impl VariablePath {
    /// Returns the path as written: `a.b.c`.
    pub fn text(&self) -> String {
        self.steps.join(".")
    }
}

/// Type of a key of the state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateType {
    List,
    Dict,
    Counter,
}

/// Target of `FIND`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindTarget {
    Nodes,
    Edges,
    Paths,
}

/// Handling of existing values by `UPDATE`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum UpdateMode {
    #[default]
    Merge,
    Replace,
}

/// Aggregate function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AggregateFunction {
    Count,
    Sum,
    Average,
    Least,
    Greatest,
    /// Number of distinct values.
    Distinct,
    /// List of the values.
    List,
}

impl Aggregate {
    /// Returns the output names of some aggregates: the function, followed by the field if another
    /// aggregate has the same function.
    pub fn column_names(aggregates: &[Aggregate]) -> Vec<String> {
        let is_repeated = |function: AggregateFunction| {
            aggregates.iter().filter(|one| one.function == function).nth(1).is_some()
        };
        let repeated = AggregateFunction::ALL.map(|function| (function, is_repeated(function)));
        let name = |one: &Aggregate| match &one.field {
            Some(of) if repeated.contains(&(one.function, true)) => {
                format!("{}_{of}", one.function.word())
            }
            _ => one.function.word().to_owned(),
        };
        aggregates.iter().map(name).collect()
    }
}

impl AggregateFunction {
    /// All functions, in the order of their documentation.
    pub const ALL: [AggregateFunction; 7] = [
        AggregateFunction::Count,
        AggregateFunction::Sum,
        AggregateFunction::Average,
        AggregateFunction::Least,
        AggregateFunction::Greatest,
        AggregateFunction::Distinct,
        AggregateFunction::List,
    ];
}

/// Sort order of `RANK`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortOrder {
    Ascending,
    #[default]
    Descending,
}

/// Condition of the command after `THEN`.
#[derive(Clone, Debug, PartialEq)]
pub enum Trigger {
    /// Outcome of the last step that wrote the variable or key.
    Event(OutcomeEvent, String),
    Condition(Condition),
}

/// Outcome of a step in `ON`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OutcomeEvent {
    Empty,
    Error,
    Partial,
    SchemaMismatch,
}

/// Block line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockLine {
    Try,
    Catch,
    Finally,
    End,
}

/// Condition with unresolved bindings.
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
    /// `x IS EMPTY`, only of variables.
    Empty(Operand),
}

/// Operand of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Operand {
    pub kind: OperandKind,
    pub span: Span,
}

/// Kind of an operand with its value.
#[derive(Clone, Debug, PartialEq)]
pub enum OperandKind {
    /// Field of the row.
    Field(String),
    /// Number, boolean, null or unquoted word, which is a field if the rows have one of this name.
    Literal(Value),
    /// String in quotes, which may contain bindings.
    Text(TextTemplate),
    /// `${path}`, of any type.
    Binding(Vec<String>),
    /// `LEN ${path}`
    Length(Vec<String>),
    /// Path of a variable after `EXISTS` or before `IS EMPTY`.
    Name(Vec<String>),
}

/// Right side of `IN`.
#[derive(Clone, Debug, PartialEq)]
pub enum InItems {
    /// `[a, b]`
    List(Vec<Operand>),
    /// `${path}`
    Binding(Operand),
}

/// String with bindings.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TextTemplate {
    pub parts: Vec<TextPart>,
    /// Span of the string.
    pub span: Span,
}

/// Part of a string.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextPart {
    Text(String),
    Binding(Vec<String>),
}

impl TextTemplate {
    /// Creates a string without bindings.
    pub fn literal(text: impl Into<String>) -> TextTemplate {
        TextTemplate { parts: vec![TextPart::Text(text.into())], span: Span::default() }
    }

    /// Returns the string, or `None` if it contains a binding.
    pub fn as_literal(&self) -> Option<&str> {
        match self.parts.as_slice() {
            [] => Some(""),
            [TextPart::Text(text)] => Some(text),
            _ => None,
        }
    }
}

/// Returns whether a word begins with a part of an edge or a path, as in `source.name`.
pub fn has_row_prefix(word: &str) -> bool {
    const PREFIXES: [&str; 6] = ["source", "target", "start", "end", "edge", "node"];
    word.split_once('.').is_some_and(|(part, rest)| PREFIXES.contains(&part) && !rest.is_empty())
}

impl Condition {
    /// Returns the span of the first use of a field, or `None` if the field is not used.
    pub fn first_span_of(&self, field: &str) -> Option<Span> {
        let span = |operand: &Operand| match &operand.kind {
            OperandKind::Field(name) if name == field => Some(operand.span),
            // An unquoted word may be a field.
            OperandKind::Literal(Value::Text(word)) if **word == *field => Some(operand.span),
            _ => None,
        };
        match self {
            Condition::All(each) | Condition::Any(each) => {
                each.iter().find_map(|one| one.first_span_of(field))
            }
            Condition::Not(one) => one.first_span_of(field),
            Condition::Compare(left, _, right) | Condition::Text(left, _, right) => {
                span(left).or_else(|| span(right))
            }
            Condition::In(left, ..)
            | Condition::Exists(left)
            | Condition::Null(left)
            | Condition::NotNull(left)
            | Condition::Empty(left) => span(left),
        }
    }
}

impl Command {
    /// Returns the name of the output variable, if the command has one.
    pub fn output(&self) -> Option<&str> {
        match self {
            Command::Find { output, .. }
            | Command::ShortestPaths(ShortestPaths { output, .. })
            | Command::Measure(MeasureNodes { output, .. })
            | Command::Process { output, .. }
            | Command::Analyze { output, .. }
            | Command::Select(Select { output, .. })
            | Command::Count { output, .. }
            | Command::Aggregate { output, .. }
            | Command::Rank { output, .. }
            | Command::Join(Join { output, .. })
            | Command::Union(Union { output, .. })
            | Command::Walk { output, .. } => Some(output),
            _ => None,
        }
    }
}
