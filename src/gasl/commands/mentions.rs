//! Variables that a command reads.

use crate::gasl::language::ast::{
    Command, Condition, Follow, InItems, Join, MeasureNodes, Operand, OperandKind, Select,
    ShortestPaths, Show, TextPart, TextTemplate, Trigger, Union, VariablePath,
};

/// Calls a function with the name of each variable whose rows a command reads. Their number is known
/// without the rows, so `LEN`, `EXISTS` and `IS EMPTY` are left out.
pub fn visit_inputs<'a>(command: &'a Command, visit: &mut dyn FnMut(&'a str)) {
    let mut path =
        |path: &'a VariablePath| path.steps.first().into_iter().for_each(|name| visit(name));
    match command {
        Command::Find { condition, .. }
        | Command::ShortestPaths(ShortestPaths { condition, .. }) => {
            visit_condition(condition.as_ref(), visit);
        }
        Command::Measure(MeasureNodes { input, .. }) => input.iter().for_each(path),
        Command::Process { input, instruction, .. } => {
            path(input);
            visit_text(instruction, visit);
        }
        Command::Analyze { key, instruction, .. } => {
            path(key);
            visit_text(instruction, visit);
        }
        Command::Update { input, .. } | Command::Show(Show { input, .. }) => path(input),
        Command::Aggregate { input, .. } | Command::Rank { input, .. } => path(input),
        Command::Count { input, by, .. } if !by.is_empty() || input.steps.len() > 1 => path(input),
        Command::Select(Select { input, condition, .. }) => {
            path(input);
            visit_condition(condition.as_ref(), visit);
        }
        Command::Join(Join { left, right, .. }) | Command::Union(Union { left, right, .. }) => {
            path(left);
            path(right);
        }
        Command::Walk { starts, follow, .. } => {
            path(starts);
            match follow {
                Some(Follow::Relation(operand)) => visit_operand(operand, visit),
                Some(Follow::Condition(condition)) => visit_condition(Some(condition), visit),
                None => {}
            }
        }
        Command::Assert(condition) | Command::When { test: Trigger::Condition(condition), .. } => {
            visit_condition(Some(condition), visit);
        }
        Command::Set { value, .. } => visit_operand(value, visit),
        Command::Cancel { plan } => visit_operand(plan, visit),
        Command::Complete { text } => visit_answer(text, visit),
        Command::Count { .. }
        | Command::Declare { .. }
        | Command::Require { .. }
        | Command::When { .. }
        | Command::Block(_) => {}
    }
}

/// Calls a function with the name of each variable of a condition.
pub fn visit_condition<'a>(condition: Option<&'a Condition>, visit: &mut dyn FnMut(&'a str)) {
    let Some(condition) = condition else { return };
    match condition {
        Condition::All(each) | Condition::Any(each) => {
            each.iter().for_each(|one| visit_condition(Some(one), visit));
        }
        Condition::Not(one) => visit_condition(Some(one), visit),
        Condition::Compare(left, _, right) | Condition::Text(left, _, right) => {
            visit_operand(left, visit);
            visit_operand(right, visit);
        }
        Condition::In(left, _, items) => {
            visit_operand(left, visit);
            match items {
                InItems::List(items) => items.iter().for_each(|item| visit_operand(item, visit)),
                InItems::Binding(binding) => visit_operand(binding, visit),
            }
        }
        Condition::Exists(one)
        | Condition::Null(one)
        | Condition::NotNull(one)
        | Condition::Empty(one) => visit_operand(one, visit),
    }
}

fn visit_operand<'a>(operand: &'a Operand, visit: &mut dyn FnMut(&'a str)) {
    match &operand.kind {
        OperandKind::Text(text) => visit_text(text, visit),
        OperandKind::Binding(steps) => steps.first().into_iter().for_each(|name| visit(name)),
        OperandKind::Length(steps) | OperandKind::Name(steps) if steps.len() > 1 => {
            steps.first().into_iter().for_each(|name| visit(name));
        }
        OperandKind::Field(_)
        | OperandKind::Literal(_)
        | OperandKind::Length(_)
        | OperandKind::Name(_) => {}
    }
}

/// Calls a function with the name of each variable of a string.
pub fn visit_text<'a>(text: &'a TextTemplate, visit: &mut dyn FnMut(&'a str)) {
    for part in &text.parts {
        if let TextPart::Binding(steps) = part {
            steps.first().into_iter().for_each(|name| visit(name));
        }
    }
}

/// Visits the names after `${` of an answer, which is parsed when it is inserted.
fn visit_answer<'a>(text: &'a str, visit: &mut dyn FnMut(&'a str)) {
    for part in text.split("${").skip(1) {
        visit(part.split(['.', '}']).next().unwrap_or_default());
    }
}
