//! Parses the replies of the loop: an answer, a decision, or plans.

use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::gasl::compare::to_number;
use crate::gasl::model::reply::Reply;

/// Parses a reply. Returns its final answer or else its JSON, with diagnostics; fails without either.
pub fn parse_reply(
    reply: &Reply,
) -> Result<(Option<String>, Value, Vec<Diagnostic>), Vec<Diagnostic>> {
    if let Some(answer) = reply.text().and_then(final_answer) {
        return Ok((
            Some(answer),
            Value::Null,
            reply.length_warning().into_iter().collect::<Vec<_>>(),
        ));
    }
    let (value, mut diagnostics) =
        reply.json().map_err(|error| vec![suggest_complete(reply, error)])?;
    diagnostics.extend(reply.length_warning());
    if let Some(answer) = value.as_text().and_then(final_answer) {
        return Ok((Some(answer), Value::Null, diagnostics));
    }
    let text = |answer: &Value| answer.as_text().map_or_else(|| answer.to_text(), str::to_owned);
    Ok((answer_of(&value).map(text), value, diagnostics))
}

/// Adds the help to mark the answer if the reply is text without JSON.
fn suggest_complete(reply: &Reply, error: Diagnostic) -> Diagnostic {
    if reply.text().is_none_or(|text| text.contains(['{', '['])) {
        return error;
    }
    error
        .help("return a plan as JSON only, or write `COMPLETE: ` before the answer to the question")
}

/// Returns the answer of `{"complete": …}`, or of `{"answer": …}` without a next action.
fn answer_of(reply: &Value) -> Option<&Value> {
    let first = |keys: [&str; 2]| {
        keys.iter().find_map(|key| reply.get(key).filter(|value| !value.is_null()))
    };
    let answer = first(["final_answer", "answer"]);
    match first(["complete", "COMPLETE"]) {
        Some(Value::Bool(false)) => None,
        complete @ Some(Value::Bool(true)) => answer.or(complete),
        None => answer.filter(|_| !has_next_action(reply)),
        text => text,
    }
}

/// Returns whether a reply states what to do next.
fn has_next_action(reply: &Value) -> bool {
    let decision = decision_of(reply);
    let is_present = |value: &Value| !value.is_null() && value.as_list() != Some(&[]);
    let has = |key| reply.get(key).is_some_and(is_present);
    continues(decision)
        || !terminates(decision) && ["plan", "commands", "next_actions"].into_iter().any(has)
}

/// Returns the decision of a reply; empty if there is none.
pub fn decision_of(reply: &Value) -> &str {
    reply.get("decision").and_then(Value::as_text).unwrap_or_default()
}

/// Returns the answer of `COMPLETE: …`, which is everything after the colon. `COMPLETE` may be in a
/// code fence, in bold, or on a later line.
fn final_answer(text: &str) -> Option<String> {
    const MARKUP: [char; 3] = ['*', '`', '#'];
    let end = text.find(['{', '[']).unwrap_or(text.len());
    let line_ends = text.match_indices('\n').map(|(end, _)| end + 1);
    let lines = [0].into_iter().chain(line_ends).take_while(|start| *start <= end);
    lines.filter_map(|start| text.split_at_checked(start)).find_map(|(before, text)| {
        let unmarked = text.trim_start().trim_start_matches(MARKUP).trim_start();
        let (word, rest) = unmarked.split_at_checked("COMPLETE".len())?;
        let is_complete = word.eq_ignore_ascii_case("COMPLETE");
        let answer = rest.trim_start_matches(MARKUP).trim_start().strip_prefix(':');
        let answer = answer.filter(|_| is_complete)?;
        let markup = text.get(..text.len() - unmarked.len()).unwrap_or_default();
        let is_bold = markup.contains("**");
        let fences = before.matches("```").count() + markup.matches("```").count();
        let is_fenced = fences % 2 == 1;
        Some(strip_markup(answer.trim(), is_bold, is_fenced))
    })
}

/// Removes the ends of bold text and of a fence that began before the answer.
fn strip_markup(answer: &str, is_bold: bool, is_fenced: bool) -> String {
    let answer = if is_fenced {
        answer.rsplit_once("```").map_or(answer, |(inside, _)| inside)
    } else {
        answer
    };
    if is_bold { answer.replacen("**", "", 1) } else { answer.to_owned() }.trim().to_owned()
}

/// Returns whether a decision ends the loop.
pub fn terminates(decision: &str) -> bool {
    decision.eq_ignore_ascii_case("terminate")
}

/// Returns whether a decision continues the loop.
pub fn continues(decision: &str) -> bool {
    ["continue", "refine", "pivot"].iter().any(|one| one.eq_ignore_ascii_case(decision))
}

/// Returns the plan with the highest confidence; the first one of several.
pub fn most_confident_plan(candidates: &[Value]) -> Option<Value> {
    let confidence = |one: &Value| confidence_of(one).unwrap_or_default();
    let most_confident_plan = candidates.iter().filter(|one| plan_of(one).is_some()).reduce(
        |most_confident_plan, one| {
            if confidence(one) > confidence(most_confident_plan) {
                one
            } else {
                most_confident_plan
            }
        },
    )?;
    plan_of(most_confident_plan)
}

/// Returns the confidence of a candidate.
pub fn confidence_of(candidate: &Value) -> Option<f64> {
    candidate.get("confidence").and_then(to_number)
}

/// Returns the plan of a candidate, which may be a plan itself. A list of commands gets the
/// rationale of the candidate as its reason.
pub fn plan_of(candidate: &Value) -> Option<Value> {
    let own = || candidate.get("commands").map(|_| without_loop_keys(candidate.clone()));
    let Some(plan) = candidate.get("plan") else { return own() };
    let Value::List(commands) = plan else { return Some(plan.clone()) };
    Some(Value::map([
        ("why", candidate.get("rationale").cloned().unwrap_or_else(|| "".into())),
        ("commands", Value::List(commands.clone())),
    ]))
}

/// Removes the keys of a loop reply from a plan.
pub fn without_loop_keys(mut plan: Value) -> Value {
    if let Some(map) = plan.as_map_mut() {
        map.retain(|key, _| {
            const LOOP_KEYS: [&str; 6] =
                ["hypothesis", "decision", "next_actions", "rationale", "complete", "confidence"];
            !LOOP_KEYS.contains(&&**key)
        });
    }
    plan
}

/// Turns a list of commands into a plan, and adds a missing id.
pub fn normalize_plan(plan: Value, index: usize) -> Value {
    let mut map = match plan {
        Value::List(commands) => {
            [("commands".into(), Value::List(commands))].into_iter().collect::<Map>()
        }
        Value::Map(map) => (*map).clone(),
        other => return other,
    };
    if map.get("commands").is_some() {
        map.entry("plan_id".into()).or_insert_with(|| format!("plan-{index}").into());
        map.entry("why".into()).or_insert_with(|| "".into());
    }
    map.into()
}
