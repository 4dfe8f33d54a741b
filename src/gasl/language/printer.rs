//! Commands as text that reads back as the same commands.

use super::ast::{
    Block, Command, Condition, Event, Function, Items, Kind, Mode, Operand, OperandKind, Order,
    Path, Select, Target, Template, Test,
};
use super::parser::is_reserved;
use super::template;
use crate::base::json::number_of;
use crate::base::{Span, Value};
use crate::gasl::predicate::Membership;

/// The command on one line, in the order and the case of the reference.
pub fn print(command: &Command) -> String {
    match command {
        Command::Declare { key, kind, description } => {
            let kind = match kind {
                Kind::List => "LIST",
                Kind::Dict => "DICT",
                Kind::Counter => "COUNTER",
            };
            let described =
                description.as_ref().map(|text| text_of(&Template::plain(text.as_str())));
            format!("DECLARE {} AS {kind}{}", path(key), part(" WITH_DESCRIPTION ", described))
        }
        Command::Find { target, condition, limit, output } => {
            let target = match target {
                Target::Nodes => "nodes",
                Target::Edges => "edges",
                Target::Paths => "paths",
            };
            let condition = part(" WHERE ", condition.as_ref().map(print_condition));
            format!("FIND {target}{condition}{} AS {}", count(" LIMIT ", *limit), name(output))
        }
        Command::Process { input, instruction, returning, output } => {
            let returning = part(" RETURNING ", returning.as_ref().map(Value::to_text));
            let instruction = text_of(instruction);
            format!("PROCESS {} USING {instruction}{returning} AS {}", path(input), name(output))
        }
        Command::Analyze { key, instruction, output } => {
            format!("ANALYZE {} USING {} AS {}", path(key), text_of(instruction), name(output))
        }
        Command::Update { key, input, mode } => {
            let mode = match mode {
                Mode::Merge => "MERGE",
                Mode::Replace => "REPLACE",
            };
            format!("UPDATE {} WITH {} {mode}", path(key), path(input))
        }
        Command::Select(select) => print_select(select),
        Command::Count { input, by, output } => {
            let by = part(" BY ", by.as_deref().map(field));
            format!("COUNT {}{by} AS {}", path(input), name(output))
        }
        Command::Aggregate { input, by, function, of, output } => {
            let (input, by, word) = (path(input), field(by), function.word());
            let of = part(" OF ", of.as_deref().map(field));
            format!("AGGREGATE {input} BY {by} WITH {word}{of} AS {}", name(output))
        }
        Command::Rank { input, by, order, limit, output } => {
            let order = match order {
                Order::Ascending => "ASC",
                Order::Descending => "DESC",
            };
            let (input, by, limit) = (path(input), field(by), count(" LIMIT ", *limit));
            format!("RANK {input} BY {by} {order}{limit} AS {}", name(output))
        }
        Command::Join { left, right, on: (one, other), output } => {
            let (one, other) = (field(one), field(other));
            let on = if one == other { one } else { format!("{one} = {other}") };
            format!("JOIN {} WITH {} ON {on} AS {}", path(left), path(right), name(output))
        }
        Command::Walk { starts, follow, depth, output } => {
            let follow = part(" FOLLOW ", follow.as_ref().map(operand));
            let depth = count(" DEPTH ", *depth);
            format!("WALK FROM {}{follow}{depth} AS {}", path(starts), name(output))
        }
        Command::Show { input } => format!("SHOW {}", path(input)),
        Command::Require { name } => format!("REQUIRE EXISTS {}", path(name)),
        Command::Assert(condition) => format!("ASSERT {}", print_condition(condition)),
        Command::When { test, then, otherwise } => {
            let otherwise = part(" ELSE ", otherwise.as_deref().map(print));
            let test = match test {
                Test::Event(event, variable) => {
                    format!("ON {} {}", event.word(), print_path(variable))
                }
                Test::Condition(condition) => format!("BRANCH IF {}", print_condition(condition)),
            };
            format!("{test} THEN {}{otherwise}", print(then))
        }
        Command::Set { key, value } => {
            let path = format!("adapter.caps.{key}");
            let path = if fits(key) { path } else { format!("${{{path}}}") };
            format!("SET {path} = {}", operand(value))
        }
        Command::Cancel { plan } => format!("CANCEL PLAN {}", operand(plan)),
        Command::Complete { text } => format!("COMPLETE: {text}"),
        Command::Block(block) => match block {
            Block::Try => "TRY".to_owned(),
            Block::Catch => "CATCH ANY".to_owned(),
            Block::Finally => "FINALLY".to_owned(),
            Block::End => "END".to_owned(),
        },
    }
}

fn print_select(select: &Select) -> String {
    let Select { input, fields, condition, limit, output } = select;
    let fields: Vec<String> = fields
        .iter()
        .map(|(from, to)| match from == to {
            true => projected(from),
            false => format!("{}:{}", projected(from), renamed(to)),
        })
        .collect::<Vec<_>>();
    let listed = part(" FIELDS ", (!fields.is_empty()).then(|| fields.join(", ")));
    let condition = part(" WHERE ", condition.as_ref().map(print_condition));
    let limit = count(" LIMIT ", *limit);
    format!("SELECT {}{listed}{condition}{limit} AS {}", path(input), name(output))
}

/// A field that is not renamed; a colon in it would mean a new name.
fn projected(from: &str) -> String {
    if from.contains(':') { quoted(from) } else { field(from) }
}

/// The new name of a field.
fn renamed(to: &str) -> String {
    if is_bare(to) { to.to_owned() } else { quoted(to) }
}

/// A condition, with as many parentheses as it needs.
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
            format!("{} {} {}", operand(left), comparison.sign(), operand(right))
        }
        Condition::In(left, membership, items) => {
            let not = if *membership == Membership::Out { "NOT " } else { "" };
            let items = match items {
                Items::List(items) => {
                    format!("[{}]", items.iter().map(operand).collect::<Vec<_>>().join(", "))
                }
                Items::Binding(binding) => operand(binding),
            };
            format!("{} {not}IN {items}", operand(left))
        }
        Condition::Text(left, test, right) => {
            format!("{} {} {}", operand(left), test.word(), operand(right))
        }
        Condition::Exists(subject) => format!("EXISTS {}", operand(subject)),
        Condition::Null(subject) => format!("{} IS NULL", operand(subject)),
        Condition::NotNull(subject) => format!("{} IS NOT NULL", operand(subject)),
        Condition::Empty(subject) => format!("{} IS EMPTY", operand(subject)),
    }
}

fn operand(operand: &Operand) -> String {
    match &operand.kind {
        OperandKind::Field(text) => field(text),
        OperandKind::Literal(Value::Text(word)) => word.to_string(),
        OperandKind::Literal(value) => value.to_text(),
        OperandKind::Text(text) => text_of(text),
        OperandKind::Binding(steps) => format!("${{{}}}", steps.join(".")),
        OperandKind::Length(steps) => format!("LEN ${{{}}}", steps.join(".")),
        OperandKind::Name(steps) => {
            let path = steps.join(".");
            // Alone these words are values, or begin something else.
            let taken = ["EXISTS", "LEN", "true", "false", "null"];
            let taken = taken.iter().any(|word| word.eq_ignore_ascii_case(&path));
            let fine = !taken && number_of(&path).is_none() && steps.iter().all(|one| is_bare(one));
            if fine { path } else { format!("${{{path}}}") }
        }
    }
}

/// A name of the context or the state, given with dots between its steps.
pub fn print_path(text: &str) -> String {
    path(&Path {
        steps: text.split('.').map(str::to_owned).collect::<Vec<_>>(),
        span: Span::default(),
    })
}

fn path(path: &Path) -> String {
    match path.steps.as_slice() {
        [one] => name(one),
        steps if steps.iter().all(|step| is_bare(step)) => path.text(),
        _ => format!("${{{}}}", path.text()),
    }
}

/// Whether a name reads back as itself without anything around it.
fn is_bare(text: &str) -> bool {
    fits(text) && !text.starts_with("--") && !is_reserved(text)
}

/// Whether a word can be made of it.
fn fits(text: &str) -> bool {
    let fits = |c: char| c.is_alphanumeric() || "_-:/".contains(c);
    !text.is_empty() && text.chars().all(fits)
}

fn name(text: &str) -> String {
    if is_bare(text) { text.to_owned() } else { format!("`{text}`") }
}

/// A field, in backticks where it would be read as something else.
pub fn field(text: &str) -> String {
    let bare = text.split('.').all(is_bare) && !text.contains(':') && number_of(text).is_none();
    let keyword = ["EXISTS", "LEN"].iter().any(|word| word.eq_ignore_ascii_case(text));
    if bare && !keyword { text.to_owned() } else { quoted(text) }
}

/// In backticks, or in quotes where there are backticks in it.
fn quoted(text: &str) -> String {
    if text.contains('`') { text_of(&Template::plain(text)) } else { format!("`{text}`") }
}

fn text_of(text: &Template) -> String {
    let mut out = String::from('"');
    template::write(text, &mut out);
    out.push('"');
    out
}

fn part(before: &str, text: Option<String>) -> String {
    text.map_or_else(String::new, |text| format!("{before}{text}"))
}

fn count(before: &str, count: Option<usize>) -> String {
    part(before, count.map(|count| count.to_string()))
}

impl Function {
    /// The word of the function, which is also the name of the field that it makes.
    pub fn word(self) -> &'static str {
        match self {
            Function::Count => "count",
            Function::Sum => "sum",
            Function::Average => "avg",
            Function::Least => "min",
            Function::Greatest => "max",
        }
    }
}

impl Event {
    /// The word of the event.
    pub fn word(self) -> &'static str {
        match self {
            Event::Empty => "EMPTY",
            Event::Error => "ERROR",
            Event::Partial => "PARTIAL",
            Event::SchemaMismatch => "SCHEMA_MISMATCH",
        }
    }
}
