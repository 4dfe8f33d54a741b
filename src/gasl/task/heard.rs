//! What a reply of the loop says: an answer, a decision, plans.

use crate::base::value::Map;
use crate::base::{Diagnostic, Value};
use crate::gasl::model::reply::Reply;
use crate::gasl::predicate::numeric;

/// The answer of a reply, or else its JSON.
pub fn heard(reply: &Reply) -> Result<(Option<String>, Value, Vec<Diagnostic>), Vec<Diagnostic>> {
    if let Some(answer) = reply.text().and_then(complete_of) {
        return Ok((Some(answer), Value::Null, reply.cut().into_iter().collect::<Vec<_>>()));
    }
    let (value, mut told) = reply.json().map_err(|error| vec![or_complete(reply, error)])?;
    told.extend(reply.cut());
    if let Some(answer) = value.as_text().and_then(complete_of) {
        return Ok((Some(answer), Value::Null, told));
    }
    let text = |answer: &Value| answer.as_text().map_or_else(|| answer.to_text(), str::to_owned);
    Ok((answer_of(&value).map(text), value, told))
}

/// Words may be meant as the answer.
fn or_complete(reply: &Reply, error: Diagnostic) -> Diagnostic {
    if reply.text().is_none_or(|text| text.contains(['{', '['])) {
        return error;
    }
    error.help("answer with a plan, as JSON alone, or write `COMPLETE: ` before the answer to the question")
}

/// `{"complete": …}` is an answer, and so is `{"answer": …}` where nothing is to be done beside it.
fn answer_of(reply: &Value) -> Option<&Value> {
    let said =
        |keys: [&str; 2]| keys.iter().find_map(|key| reply.get(key).filter(|said| !said.is_null()));
    let answer = said(["final_answer", "answer"]);
    match said(["complete", "COMPLETE"]) {
        Some(Value::Bool(false)) => None,
        over @ Some(Value::Bool(true)) => answer.or(over),
        None => answer.filter(|_| !goes_on(reply)),
        text => text,
    }
}

/// Whether a reply says what to do next.
fn goes_on(reply: &Value) -> bool {
    let decision = decision_of(reply);
    let is_some = |value: &Value| !value.is_null() && value.as_list() != Some(&[]);
    let some = |key| reply.get(key).is_some_and(is_some);
    is_decision(decision)
        || !is_end(decision) && ["plan", "commands", "next_actions"].into_iter().any(some)
}

/// What the model has decided; nothing where it has not.
pub fn decision_of(reply: &Value) -> &str {
    reply.get("decision").and_then(Value::as_text).unwrap_or_default()
}

/// The answer of `COMPLETE: …`: everything after the first colon. It may stand in a fence, in bold
/// letters, or on a line behind some words.
fn complete_of(text: &str) -> Option<String> {
    const MARKS: [char; 3] = ['*', '`', '#'];
    let end = text.find(['{', '[']).unwrap_or(text.len());
    let line_ends = text.match_indices('\n').map(|(end, _)| end + 1);
    let lines = [0].into_iter().chain(line_ends).take_while(|start| *start <= end);
    lines.filter_map(|start| text.split_at_checked(start)).find_map(|(before, text)| {
        let unmarked = text.trim_start().trim_start_matches(MARKS).trim_start();
        let (word, rest) = unmarked.split_at_checked("COMPLETE".len())?;
        let is_complete = word.eq_ignore_ascii_case("COMPLETE");
        let answer = rest.trim_start_matches(MARKS).trim_start().strip_prefix(':');
        let answer = answer.filter(|_| is_complete)?;
        let marks = text.get(..text.len() - unmarked.len()).unwrap_or_default();
        let is_bold = marks.contains("**");
        let fences = before.matches("```").count() + marks.matches("```").count();
        let is_fenced = fences % 2 == 1;
        Some(unmarked_answer(answer.trim(), is_bold, is_fenced))
    })
}

/// An answer without the marks that began before it: letters that are bold, and a fence.
fn unmarked_answer(answer: &str, is_bold: bool, is_fenced: bool) -> String {
    let answer = if is_fenced {
        answer.rsplit_once("```").map_or(answer, |(inside, _)| inside)
    } else {
        answer
    };
    if is_bold { answer.replacen("**", "", 1) } else { answer.to_owned() }.trim().to_owned()
}

/// Whether a decision ends the loop.
pub fn is_end(word: &str) -> bool {
    word.eq_ignore_ascii_case("terminate")
}

/// Whether a decision goes on with it.
pub fn is_decision(word: &str) -> bool {
    ["continue", "refine", "pivot"].iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// The plan of the highest confidence, the first of several.
pub fn best(candidates: &[Value]) -> Option<Value> {
    let confidence = |one: &Value| confidence_of(one).unwrap_or_default();
    let best = candidates
        .iter()
        .filter(|one| plan_of(one).is_some())
        .reduce(|best, one| if confidence(one) > confidence(best) { one } else { best })?;
    plan_of(best)
}

/// How sure the model is of a candidate.
pub fn confidence_of(candidate: &Value) -> Option<f64> {
    candidate.get("confidence").and_then(numeric)
}

/// The plan of a candidate, which may be one itself. A list of commands takes its reason from the
/// action that it stands in.
pub fn plan_of(candidate: &Value) -> Option<Value> {
    let own = || candidate.get("commands").map(|_| without_loop_keys(candidate.clone()));
    let Some(plan) = candidate.get("plan") else { return own() };
    let Value::List(commands) = plan else { return Some(plan.clone()) };
    Some(Value::map([
        ("why", candidate.get("rationale").cloned().unwrap_or_else(|| "".into())),
        ("commands", Value::List(commands.clone())),
    ]))
}

/// A plan may stand beside what the loop asks for; those keys are no part of it.
pub fn without_loop_keys(mut wanted: Value) -> Value {
    if let Some(map) = wanted.as_map_mut() {
        map.retain(|key, _| {
            const OTHERS: [&str; 6] =
                ["hypothesis", "decision", "next_actions", "rationale", "complete", "confidence"];
            !OTHERS.contains(&&**key)
        });
    }
    wanted
}

/// A bare list of commands is a plan, and a plan without id gets one.
pub fn as_plan(wanted: Value, number: usize) -> Value {
    let mut map = match wanted {
        Value::List(commands) => {
            [("commands".into(), Value::List(commands))].into_iter().collect::<Map>()
        }
        Value::Map(map) => (*map).clone(),
        other => return other,
    };
    if map.get("commands").is_some() {
        map.entry("plan_id".into()).or_insert_with(|| format!("plan-{number}").into());
        map.entry("why".into()).or_insert_with(|| "".into());
    }
    map.into()
}
