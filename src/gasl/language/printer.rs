//! Printer, whose output parses to the same commands.

use super::ast::{
    Aggregate, AggregateFunction, BlockLine, Command, Condition, FindTarget, Follow, InItems, Join,
    JoinKind, Operand, OperandKind, OutcomeEvent, Select, Show, SortOrder, StateType, TextTemplate,
    Trigger, Union, UpdateMode, VariablePath, has_row_prefix,
};
use super::keywords::is_reserved;
use super::template;
use crate::base::json::parse_number_text;
use crate::base::{Span, Value};
use crate::gasl::predicate::Membership;

/// Prints a command on one line, in canonical order and case.
pub fn print(command: &Command) -> String {
    match command {
        Command::Declare { key, kind, description } => {
            let kind = match kind {
                StateType::List => "LIST",
                StateType::Dict => "DICT",
                StateType::Counter => "COUNTER",
            };
            let described =
                description.as_ref().map(|text| print_text(&TextTemplate::literal(text.as_str())));
            format!(
                "DECLARE {} AS {kind}{}",
                print_key(key),
                print_optional(" WITH_DESCRIPTION ", described)
            )
        }
        Command::Find { target, condition, limit, output } => {
            let target = match target {
                FindTarget::Nodes => "nodes",
                FindTarget::Edges => "edges",
                FindTarget::Paths => "paths",
            };
            let condition = print_optional(" WHERE ", condition.as_ref().map(print_condition));
            format!(
                "FIND {target}{condition}{} AS {}",
                print_count(" LIMIT ", *limit),
                print_name(output)
            )
        }
        Command::ShortestPaths(find) => {
            let condition = print_optional(" WHERE ", find.condition.as_ref().map(print_condition));
            let weight = print_optional(" WEIGHT ", find.weight.as_deref().map(print_field));
            let limit = print_count(" LIMIT ", find.limit);
            format!("FIND shortest paths{condition}{weight}{limit} AS {}", print_name(&find.output))
        }
        Command::Measure(measure) => {
            let of = print_optional(" OF ", measure.input.as_ref().map(print_variable_path));
            let weight = print_optional(" WEIGHT ", measure.weight.as_deref().map(print_field));
            format!(
                "MEASURE {}{of}{weight} AS {}",
                measure.measure.word(),
                print_name(&measure.output)
            )
        }
        Command::Process { input, instruction, returning, output } => {
            let returning = print_optional(" RETURNING ", returning.as_ref().map(Value::to_text));
            let instruction = print_text(instruction);
            format!(
                "PROCESS {} USING {instruction}{returning} AS {}",
                print_variable_path(input),
                print_name(output)
            )
        }
        Command::Analyze { key, instruction, output } => {
            format!(
                "ANALYZE {} USING {} AS {}",
                print_variable_path(key),
                print_text(instruction),
                print_name(output)
            )
        }
        Command::Update { key, input, mode } => {
            let mode = match mode {
                UpdateMode::Merge => "MERGE",
                UpdateMode::Replace => "REPLACE",
            };
            format!(
                "UPDATE {} WITH {} {mode}",
                print_variable_path(key),
                print_variable_path(input)
            )
        }
        Command::Select(select) => print_select(select),
        Command::Count { input, by, output } => {
            format!(
                "COUNT {}{} AS {}",
                print_variable_path(input),
                print_grouping(by),
                print_name(output)
            )
        }
        Command::Aggregate { input, by, aggregates, output } => {
            let each = aggregates.iter().map(print_aggregate).collect::<Vec<_>>().join(", ");
            format!(
                "AGGREGATE {}{} WITH {each} AS {}",
                print_variable_path(input),
                print_grouping(by),
                print_name(output)
            )
        }
        Command::Rank { input, by, order, limit, output } => {
            let order = match order {
                SortOrder::Ascending => "ASC",
                SortOrder::Descending => "DESC",
            };
            let (input, by, limit) =
                (print_variable_path(input), print_field(by), print_count(" LIMIT ", *limit));
            format!("RANK {input} BY {by} {order}{limit} AS {}", print_name(output))
        }
        Command::Join(join) => print_join(join),
        Command::Union(Union { left, right, distinct, output }) => {
            let distinct = if *distinct { " DISTINCT" } else { "" };
            format!(
                "UNION {} WITH {}{distinct} AS {}",
                print_variable_path(left),
                print_variable_path(right),
                print_name(output)
            )
        }
        Command::Walk { starts, follow, direction, depth, output } => {
            let follow = follow.as_ref().map(|follow| match follow {
                Follow::Relation(relation) => print_operand(relation),
                Follow::Condition(condition) => print_condition(condition),
            });
            let direction = direction.map(|direction| direction.word().to_owned());
            let (follow, direction) =
                (print_optional(" FOLLOW ", follow), print_optional(" DIRECTION ", direction));
            let depth = print_count(" DEPTH ", *depth);
            format!(
                "WALK FROM {}{follow}{direction}{depth} AS {}",
                print_variable_path(starts),
                print_name(output)
            )
        }
        Command::Show(Show { input, fields, limit, offset }) => {
            let (fields, limit) = (print_projection(fields), print_count(" LIMIT ", *limit));
            let offset = print_count(" OFFSET ", (*offset > 0).then_some(*offset));
            format!("SHOW {}{fields}{limit}{offset}", print_variable_path(input))
        }
        Command::Require { name } => format!("REQUIRE EXISTS {}", print_variable_path(name)),
        Command::Assert(condition) => format!("ASSERT {}", print_condition(condition)),
        Command::When { test, then, otherwise } => {
            let otherwise = print_optional(" ELSE ", otherwise.as_deref().map(print));
            let test = match test {
                Trigger::Event(event, variable) => {
                    format!("ON {} {}", event.word(), print_path(variable))
                }
                Trigger::Condition(condition) => {
                    format!("BRANCH IF {}", print_condition(condition))
                }
            };
            format!("{test} THEN {}{otherwise}", print(then))
        }
        Command::Set { key, value } => {
            let path = format!("adapter.caps.{key}");
            let path = if is_word(key) { path } else { format!("${{{path}}}") };
            format!("SET {path} = {}", print_operand(value))
        }
        Command::Cancel { plan } => format!("CANCEL PLAN {}", print_operand(plan)),
        Command::Complete { text } => format!("COMPLETE: {text}"),
        Command::Block(block) => match block {
            BlockLine::Try => "TRY".to_owned(),
            BlockLine::Catch => "CATCH ANY".to_owned(),
            BlockLine::Finally => "FINALLY".to_owned(),
            BlockLine::End => "END".to_owned(),
        },
    }
}

fn print_select(select: &Select) -> String {
    let Select { input, distinct, fields, condition, limit, output } = select;
    let distinct = if *distinct { "DISTINCT " } else { "" };
    let condition = print_optional(" WHERE ", condition.as_ref().map(print_condition));
    let (fields, limit) = (print_projection(fields), print_count(" LIMIT ", *limit));
    format!(
        "SELECT {distinct}{}{fields}{condition}{limit} AS {}",
        print_variable_path(input),
        print_name(output)
    )
}

/// Prints ` FIELDS …`, or nothing for all fields.
fn print_projection(fields: &[(String, String)]) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|(from, to)| match from == to {
            true => print_input_field(from),
            false => format!("{}:{}", print_input_field(from), print_output_field(to)),
        })
        .collect::<Vec<_>>();
    print_optional(" FIELDS ", (!fields.is_empty()).then(|| fields.join(", ")))
}

/// Prints ` BY …`, or nothing without fields.
fn print_grouping(by: &[String]) -> String {
    let fields = by.iter().map(|one| print_field(one)).collect::<Vec<_>>().join(", ");
    print_optional(" BY ", (!by.is_empty()).then_some(fields))
}

/// Prints a function of `AGGREGATE`.
pub fn print_aggregate(aggregate: &Aggregate) -> String {
    let of = print_optional(" OF ", aggregate.field.as_deref().map(print_field));
    format!("{}{of}", aggregate.function.word())
}

fn print_join(join: &Join) -> String {
    let Join { kind, left, right, on: (one, other), output } = join;
    let keyword = if *kind == JoinKind::Left { "LEFT JOIN" } else { "JOIN" };
    let (one, other) = (print_field(one), print_field(other));
    let on = if one == other { one } else { format!("{one} = {other}") };
    format!(
        "{keyword} {} WITH {} ON {on} AS {}",
        print_variable_path(left),
        print_variable_path(right),
        print_name(output)
    )
}

/// Prints an input field, in backticks if it contains a colon, which would start a new name.
fn print_input_field(from: &str) -> String {
    if from.contains(':') { quote_name(from) } else { print_field(from) }
}

fn print_output_field(to: &str) -> String {
    if is_unquoted_name(to) { to.to_owned() } else { quote_name(to) }
}

/// Prints a condition with the required parentheses.
pub fn print_condition(condition: &Condition) -> String {
    let within = |inner: &Condition| match inner {
        Condition::All(_) | Condition::Any(_) => format!("({})", print_condition(inner)),
        _ => print_condition(inner),
    };
    let joined =
        |each: &[Condition], word: &str| each.iter().map(within).collect::<Vec<_>>().join(word);
    match condition {
        Condition::All(each) => joined(each, " AND "),
        Condition::Any(each) => joined(each, " OR "),
        Condition::Not(inner) => format!("NOT {}", within(inner)),
        Condition::Compare(left, comparison, right) => {
            format!("{} {} {}", print_operand(left), comparison.sign(), print_right_operand(right))
        }
        Condition::In(left, membership, items) => {
            let not = if *membership == Membership::Out { "NOT " } else { "" };
            let items = match items {
                InItems::List(items) => {
                    format!("[{}]", items.iter().map(print_operand).collect::<Vec<_>>().join(", "))
                }
                InItems::Binding(binding) => print_operand(binding),
            };
            format!("{} {not}IN {items}", print_operand(left))
        }
        Condition::Text(left, test, right) => {
            format!("{} {} {}", print_operand(left), test.word(), print_right_operand(right))
        }
        Condition::Exists(subject) => format!("EXISTS {}", print_operand(subject)),
        Condition::Null(subject) => format!("{} IS NULL", print_operand(subject)),
        Condition::NotNull(subject) => format!("{} IS NOT NULL", print_operand(subject)),
        Condition::Empty(subject) => format!("{} IS EMPTY", print_operand(subject)),
    }
}

/// Prints a right operand. A field without a prefix is in backticks, because an unquoted word may be
/// a text.
fn print_right_operand(right: &Operand) -> String {
    match &right.kind {
        OperandKind::Field(name) if !has_row_prefix(name) => quote_name(name),
        _ => print_operand(right),
    }
}

fn print_operand(operand: &Operand) -> String {
    match &operand.kind {
        OperandKind::Field(text) => print_field(text),
        OperandKind::Literal(Value::Text(word)) => word.to_string(),
        OperandKind::Literal(value) => value.to_text(),
        OperandKind::Text(text) => print_text(text),
        OperandKind::Binding(steps) => format!("${{{}}}", steps.join(".")),
        OperandKind::Length(steps) => format!("LEN ${{{}}}", steps.join(".")),
        OperandKind::Name(steps) => {
            let path = steps.join(".");
            // These words are values or keywords if unquoted.
            let keywords = ["EXISTS", "LEN", "true", "false", "null"];
            let is_keyword = keywords.iter().any(|word| word.eq_ignore_ascii_case(&path));
            let is_plain = !is_keyword
                && parse_number_text(&path).is_none()
                && steps.iter().all(|one| is_unquoted_name(one));
            if is_plain { path } else { format!("${{{path}}}") }
        }
    }
}

/// Prints a path given with dots between its steps.
pub fn print_path(text: &str) -> String {
    print_variable_path(&VariablePath {
        steps: text.split('.').map(str::to_owned).collect::<Vec<_>>(),
        span: Span::default(),
    })
}

/// Prints a new key given with dots between its steps.
pub fn print_new_key(text: &str) -> String {
    print_key(&VariablePath {
        steps: text.split('.').map(str::to_owned).collect::<Vec<_>>(),
        span: Span::default(),
    })
}

/// Prints a new key, which cannot be a binding.
fn print_key(key: &VariablePath) -> String {
    print_plain_path(key).unwrap_or_else(|| print_text(&TextTemplate::literal(key.text())))
}

fn print_variable_path(path: &VariablePath) -> String {
    print_plain_path(path).unwrap_or_else(|| format!("${{{}}}", path.text()))
}

/// Prints a path without a binding; returns `None` if a step needs quotes.
fn print_plain_path(path: &VariablePath) -> Option<String> {
    match path.steps.as_slice() {
        [one] => Some(print_name(one)),
        steps => steps.iter().all(|step| is_unquoted_name(step)).then(|| path.text()),
    }
}

/// Returns whether a name needs no quotes.
fn is_unquoted_name(text: &str) -> bool {
    is_word(text) && !text.starts_with("--") && !is_reserved(text)
}

/// Returns whether the lexer reads the string as one word.
fn is_word(text: &str) -> bool {
    let is_valid = |c: char| c.is_alphanumeric() || "_-:/".contains(c);
    !text.is_empty() && text.chars().all(is_valid)
}

fn print_name(text: &str) -> String {
    if is_unquoted_name(text) { text.to_owned() } else { format!("`{text}`") }
}

/// Prints a field, in backticks if necessary.
pub fn print_field(text: &str) -> String {
    let is_plain = text.split('.').all(is_unquoted_name)
        && !text.contains(':')
        && parse_number_text(text).is_none();
    let is_keyword = ["EXISTS", "LEN"].iter().any(|word| word.eq_ignore_ascii_case(text));
    if is_plain && !is_keyword { text.to_owned() } else { quote_name(text) }
}

/// Quotes a name in backticks, or in quotes if it contains a backtick.
fn quote_name(text: &str) -> String {
    if text.contains('`') { print_text(&TextTemplate::literal(text)) } else { format!("`{text}`") }
}

fn print_text(text: &TextTemplate) -> String {
    let mut out = String::from('"');
    template::write_template(text, &mut out);
    out.push('"');
    out
}

fn print_optional(before: &str, text: Option<String>) -> String {
    text.map_or_else(String::new, |text| format!("{before}{text}"))
}

fn print_count(before: &str, count: Option<usize>) -> String {
    print_optional(before, count.map(|count| count.to_string()))
}

impl AggregateFunction {
    /// Returns the keyword, which is also the name of the output field.
    pub fn word(self) -> &'static str {
        match self {
            AggregateFunction::Count => "count",
            AggregateFunction::Sum => "sum",
            AggregateFunction::Average => "avg",
            AggregateFunction::Least => "min",
            AggregateFunction::Greatest => "max",
            AggregateFunction::Distinct => "distinct",
            AggregateFunction::List => "list",
        }
    }
}

impl OutcomeEvent {
    /// Returns the keyword.
    pub fn word(self) -> &'static str {
        match self {
            OutcomeEvent::Empty => "EMPTY",
            OutcomeEvent::Error => "ERROR",
            OutcomeEvent::Partial => "PARTIAL",
            OutcomeEvent::SchemaMismatch => "SCHEMA_MISMATCH",
        }
    }
}
