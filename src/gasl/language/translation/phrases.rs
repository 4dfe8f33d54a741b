//! Translation of phrases that resemble commands.

use super::aggregates::{is_about_result, print_function};
use super::find_phrases::{self, PhraseTail};
use super::networkx::measure_of;
use super::sql::target_of;
use super::statement::Statement;
use super::steps::{Selection, TranslatedCommands, Translation};
use crate::gasl::language::printer::{print_field, print_path};

/// Phrases by their first word.
pub fn translate(statement: &Statement<'_>) -> Option<Translation> {
    let mut rest = statement.clone();
    let first = rest.take()?.to_ascii_uppercase();
    match first.as_str() {
        "LIST" if rest.is_single_variable_name() => translate_show(rest),
        "HOW" => translate_count(parse_how_many(rest)?),
        "TAKE" | "LIMIT" | "HEAD" => translate_take(rest),
        "MEASURE" if rest.is_keyword_at(0, "THE") || rest.is_keyword_at(1, "CENTRALITY") => {
            find_phrases::translate_measure(rest)
        }
        "AGGREGATE" => translate_reordered_aggregate(rest),
        "FIND" | "GET" | "FETCH" | "SEARCH" | "LIST" | "LOOKUP" => find_phrases::translate(rest),
        "NEIGHBORS" | "NEIGHBOURS" | "SHORTEST" | "SHORTESTPATH" | "PATH" | "PATHS" | "NODES"
        | "EDGES" => find_phrases::translate(statement.clone()),
        "CALCULATE" | "COMPUTE" | "RUN" | "DEGREE" | "PAGERANK" | "BETWEENNESS" | "CLOSENESS"
        | "CENTRALITY"
            if !rest.is_done() =>
        {
            let words = if measure_of(&first).is_some() { statement.clone() } else { rest };
            find_phrases::translate_measure(words)
        }
        "DECLARE" => translate_declare(rest),
        "GROUP" => translate_group(rest),
        "INTERSECT" | "INTERSECTION" => translate_membership(rest, "IN"),
        "EXCEPT" | "MINUS" | "DIFFERENCE" | "SUBTRACT" | "EXCLUDE" => {
            translate_membership(rest, "NOT IN")
        }
        "CONCAT" | "COMBINE" | "MERGE" | "UNION" => translate_union(rest),
        "INSERT" | "ADD" | "APPEND" | "PUSH" | "STORE" | "SAVE" => translate_update(rest),
        "FILTER" => translate_filter(rest),
        "TOP" => translate_top(rest),
        "SHOW" | "PRINT" | "DISPLAY" => translate_show(rest),
        "SORT" | "ORDER" => translate_sort(rest),
        "DISTINCT" | "UNIQUE" => translate_distinct(rest),
        "COUNT" => translate_count(rest),
        "SUM" | "AVG" | "AVERAGE" | "MEAN" | "MIN" | "MAX" => translate_aggregate(&first, rest),
        "SELECT" => translate_select(rest),
        "JOIN" | "INNER" | "LEFT" | "RIGHT" => translate_join(&first, rest),
        "WALK" | "TRAVERSE" | "EXPAND" => translate_walk(rest),
        _ => None,
    }
}

/// `DECLARE x LIST`, `DECLARE LIST x`, `DECLARE x: LIST`, `DECLARE x = []`, `DECLARE x AS ARRAY`
fn translate_declare(mut rest: Statement<'_>) -> Option<Translation> {
    let kind_of = |word: &str| match word.to_ascii_uppercase().as_str() {
        "LIST" | "ARRAY" | "SET" | "TABLE" | "[" => Some("LIST"),
        "DICT" | "MAP" | "OBJECT" | "DICTIONARY" | "{" => Some("DICT"),
        "COUNTER" | "INT" | "INTEGER" | "NUMBER" | "FLOAT" | "0" => Some("COUNTER"),
        _ => None,
    };
    if let Some(kind) = kind_of(rest.peek()) {
        rest.take()?;
        let name = rest.take_word()?;
        return rest.is_done().then(|| format!("DECLARE {name} AS {kind}").into());
    }
    let name = rest.take_word()?.trim_end_matches(':');
    rest.accept(":");
    rest.accept("AS");
    rest.accept_sign("=");
    let kind = kind_of(rest.take()?)?;
    rest.accept_sign("]");
    rest.accept_sign("}");
    let description = if rest.is_any_keyword(&["WITH_DESCRIPTION"]) {
        format!(" {}", rest.rest())
    } else if rest.is_done() {
        String::new()
    } else {
        return None;
    };
    Some(format!("DECLARE {name} AS {kind}{description}").into())
}

/// `GROUP v BY f [WITH function] [AS x]`
fn translate_group(mut rest: Statement<'_>) -> Option<Translation> {
    let mut steps = find_phrases::parse_rows(&mut rest)?;
    rest.accept("BY").then_some(())?;
    let fields = find_phrases::parse_names(&mut rest)?;
    let mut functions = Vec::new();
    while rest.accept_any(&["WITH"]) || !functions.is_empty() && rest.accept_sign(",") {
        let name = rest.take_word()?;
        let of = if rest.accept("OF") { rest.take_name()? } else { "*".to_owned() };
        functions.push(print_function(name, false, &of)?);
    }
    let functions = if functions.is_empty() { vec!["count".to_owned()] } else { functions };
    let PhraseTail { conditions, limit, output } = PhraseTail::parse(&mut rest)?;
    let is_of_result = |one: &String| is_about_result(one, &functions);
    let (having, conditions): (Vec<_>, Vec<_>) = conditions.into_iter().partition(is_of_result);
    steps.filter(&conditions);
    steps.aggregate(&fields, &functions);
    steps.select(&Selection { conditions: &having, limit, ..Selection::default() });
    steps.finish(output.as_deref())
}

/// Parses `a WITH b`, `a AND b`, `a, b`, `b FROM a`.
fn parse_pair(rest: &mut Statement<'_>) -> Option<(String, String)> {
    let one = rest.take_word()?.to_owned();
    if rest.accept("FROM") {
        return Some((rest.take_word()?.to_owned(), one));
    }
    let is_separated =
        rest.accept_any(&["WITH", "AND", "TO", "MINUS", "INTO"]) || rest.accept_sign(",");
    is_separated.then_some(())?;
    Some((one, rest.take_word()?.to_owned()))
}

/// `INTERSECT a WITH b`, `EXCEPT a WITH b`
fn translate_membership(mut rest: Statement<'_>, operator: &str) -> Option<Translation> {
    let (left, right) = parse_pair(&mut rest)?;
    let output = PhraseTail::parse_output(&mut rest)?;
    let mut steps = TranslatedCommands::from_variable(&left);
    steps.filter(&[format!("id {operator} ${{{right}}}")]);
    steps.finish(output.as_deref())
}

/// `CONCAT a AND b`, `MERGE a, b`, `UNION a, b`
fn translate_union(mut rest: Statement<'_>) -> Option<Translation> {
    rest.accept("ALL");
    let (left, right) = parse_pair(&mut rest)?;
    let distinct = if rest.accept("DISTINCT") { " DISTINCT" } else { "" };
    let output = PhraseTail::parse_output(&mut rest)?.unwrap_or_else(|| "combined".to_owned());
    Some(format!("UNION {left} WITH {right}{distinct} AS {}", print_path(&output)).into())
}

/// `INSERT a INTO key`, `ADD a TO key`
fn translate_update(mut rest: Statement<'_>) -> Option<Translation> {
    let rows = rest.take_word()?;
    rest.accept_any(&["INTO", "TO", "IN"]).then_some(())?;
    let key = rest.take_word()?;
    rest.is_done().then(|| format!("UPDATE {key} WITH {rows}").into())
}

/// `FILTER v BY condition`
fn translate_filter(mut rest: Statement<'_>) -> Option<Translation> {
    let mut steps = find_phrases::parse_rows(&mut rest)?;
    rest.accept_any(&["BY", "ON", "WITH"]).then_some(())?;
    let condition = rest.take_until(&["AS", "LIMIT"], super::statement::keep_word)?;
    let PhraseTail { conditions, limit, output } = PhraseTail::parse(&mut rest)?;
    let conditions = [vec![condition], conditions].concat();
    steps.select(&Selection { conditions: &conditions, limit, ..Selection::default() });
    steps.finish(output.as_deref())
}

/// `TOP n v BY f`
fn translate_top(mut rest: Statement<'_>) -> Option<Translation> {
    let limit = rest.take_count()?;
    let mut steps = find_phrases::parse_rows(&mut rest)?;
    rest.accept_any(&["BY"]).then_some(())?;
    let by = rest.take_name()?;
    let order = if rest.accept("ASC") { "ASC" } else { "DESC" };
    rest.accept("DESC");
    let output = PhraseTail::parse_output(&mut rest)?;
    steps.rank(&by, order, Some(limit));
    steps.finish(output.as_deref())
}

/// `SHOW a, b`, `SHOW TOP n v BY f`, `SHOW n v`
fn translate_show(mut rest: Statement<'_>) -> Option<Translation> {
    let is_top = rest.accept_any(&["TOP", "FIRST"]);
    let limit = rest.take_count();
    if is_top && limit.is_none() {
        return None;
    }
    let mut names = vec![rest.take_word()?];
    while rest.accept_sign(",") {
        names.push(rest.take_word()?);
    }
    if let ([name], Some(limit)) = (names.as_slice(), limit) {
        if rest.accept("BY") {
            let mut steps = TranslatedCommands::from_variable(name);
            steps.rank(&rest.take_name()?, "DESC", Some(limit));
            steps.push_last(format!("SHOW {}", steps.rows()));
            return rest.is_done().then(|| steps.finish(None)).flatten();
        }
        return rest.is_done().then(|| format!("SHOW {name} LIMIT {limit}").into());
    }
    let commands = names.iter().map(|name| format!("SHOW {name}")).collect::<Vec<_>>();
    rest.is_done().then(|| commands.join("; ").into())
}

/// `SORT v BY f [DESC] [LIMIT n] [AS x]`, which is ascending by default.
fn translate_sort(mut rest: Statement<'_>) -> Option<Translation> {
    let mut steps = find_phrases::parse_rows(&mut rest)?;
    rest.accept("BY").then_some(())?;
    let by = rest.take_name()?;
    let is_descending = rest.accept_any(&["DESC", "DESCENDING"]);
    rest.accept_any(&["ASC", "ASCENDING"]);
    let PhraseTail { conditions, limit, output } = PhraseTail::parse(&mut rest)?;
    steps.filter(&conditions);
    steps.rank(&by, if is_descending { "DESC" } else { "ASC" }, limit);
    steps.finish(output.as_deref())
}

/// `DISTINCT v BY f`, `DISTINCT v.f`, `DISTINCT f FROM v`, `DISTINCT v`
fn translate_distinct(mut rest: Statement<'_>) -> Option<Translation> {
    let (input, fields) = parse_column(&mut rest)?;
    let fields = if rest.accept("BY") { find_phrases::parse_names(&mut rest)? } else { fields };
    let fields = fields.into_iter().map(|name| (name.clone(), name)).collect::<Vec<_>>();
    let output = PhraseTail::parse_output(&mut rest)?;
    let mut steps = TranslatedCommands::from_variable(&input);
    steps.select(&Selection { distinct: true, fields: &fields, ..Selection::default() });
    steps.finish(output.as_deref())
}

/// Parses `v.f`, `f OF v`, `f FROM v`, `f IN v`, `v`, each with or without parentheses.
fn parse_column(rest: &mut Statement<'_>) -> Option<(String, Vec<String>)> {
    let parenthesis = rest.accept_sign("(");
    let word = rest.take_name()?;
    if parenthesis {
        rest.accept_sign(")").then_some(())?;
    }
    if rest.accept_any(&["OF", "FROM", "IN"]) {
        let input = rest.take_word()?.to_owned();
        let name = word.rsplit('.').next().unwrap_or(&word).to_owned();
        return Some((input, vec![name]));
    }
    Some(match word.split_once('.') {
        Some((input, name)) => (input.to_owned(), vec![name.to_owned()]),
        None => (word, Vec::new()),
    })
}

/// `HOW MANY rows`. Returns the statement after it, with `rows` in brackets or not.
fn parse_how_many(mut rest: Statement<'_>) -> Option<Statement<'_>> {
    rest.accept("MANY").then_some(rest)
}

/// `TAKE n v`, `LIMIT v n`, `HEAD v`, `TAKE n FROM v`
fn translate_take(mut rest: Statement<'_>) -> Option<Translation> {
    let first = rest.take_count();
    rest.accept_any(&["ROWS"]);
    rest.accept_any(&["FROM", "OF"]);
    let mut steps = find_phrases::parse_rows(&mut rest)?;
    rest.accept("TO");
    let limit = first.or_else(|| rest.take_count()).or(Some(5));
    let output = PhraseTail::parse_output(&mut rest)?;
    steps.select(&Selection { limit, ..Selection::default() });
    steps.finish(output.as_deref())
}

/// `AGGREGATE v WITH avg OF f BY g`, `AGGREGATE v BY g avg f`, `AGGREGATE avg f OF v`
fn translate_reordered_aggregate(mut rest: Statement<'_>) -> Option<Translation> {
    let first = rest.take_word()?;
    if let Some(function) = print_function(first, false, rest.peek()) {
        rest.take();
        rest.accept_any(&["OF", "FROM", "IN"]).then_some(())?;
        let mut steps = TranslatedCommands::from_variable(rest.take_word()?);
        let by = if rest.accept("BY") { find_phrases::parse_names(&mut rest)? } else { Vec::new() };
        let output = PhraseTail::parse_output(&mut rest)?;
        steps.aggregate(&by, &[function]);
        return steps.finish(output.as_deref());
    }
    let mut steps = TranslatedCommands::from_variable(first);
    let mut by = Vec::new();
    let mut functions = Vec::new();
    while !rest.is_done() && !rest.is_any_keyword(&["AS"]) {
        if rest.accept("BY") {
            by = find_phrases::parse_names(&mut rest)?;
        } else if !functions.is_empty() && !rest.accept_sign(",") {
            return None;
        } else {
            rest.accept("WITH");
            let function = rest.take_word()?;
            let has_field = rest.accept("OF") || !function.eq_ignore_ascii_case("count");
            let of = if has_field { rest.take_name()? } else { "*".to_owned() };
            functions.push(print_function(function, false, &of)?);
        }
    }
    let output = PhraseTail::parse_output(&mut rest)?;
    (!functions.is_empty()).then_some(())?;
    steps.aggregate(&by, &functions);
    steps.finish(output.as_deref())
}

/// `COUNT(v)`, `COUNT DISTINCT v.f`, `COUNT DISTINCT f IN v`, `COUNT DISTINCT v BY f`, `COUNT nodes`,
/// `COUNT(*) FROM v`
fn translate_count(mut rest: Statement<'_>) -> Option<Translation> {
    let parenthesis = rest.accept_sign("(");
    let is_distinct = rest.accept_any(&["DISTINCT", "UNIQUE"]);
    let word = rest.take_word()?;
    if parenthesis {
        rest.accept_sign(")").then_some(())?;
    }
    let is_from = rest.accept("FROM") || is_distinct && rest.accept_any(&["IN", "OF"]);
    let input = if is_from { rest.take_word()? } else { word };
    let (input, mut of) = match input.split_once('.') {
        Some((input, of)) => (input, Some(of.to_owned())),
        None if is_distinct && is_from => (input, Some(word.to_owned())),
        None => (input, None),
    };
    let is_known = parenthesis || is_distinct || input != word || rest.is_done();
    is_known.then_some(())?;
    let mut steps = match target_of(input) {
        Some(target) => TranslatedCommands::from_graph(target, &[], "found"),
        None => TranslatedCommands::from_variable(input),
    };
    let mut by = if rest.accept("BY") { find_phrases::parse_names(&mut rest)? } else { Vec::new() };
    if is_distinct && of.is_none() && by.len() == 1 {
        of = by.pop();
    }
    let PhraseTail { conditions, limit, output } = PhraseTail::parse(&mut rest)?;
    limit.is_none().then_some(())?;
    steps.filter(&conditions);
    let distinct = of.map(|of| format!("distinct OF {}", print_field(&of)));
    match distinct.filter(|_| is_distinct) {
        Some(distinct) => steps.aggregate(&by, &[distinct]),
        None if is_distinct => return None,
        None => steps.count(&by),
    }
    steps.finish(output.as_deref())
}

/// `SUM v.f`, `AVG(f) FROM v`, `MAX f OF v`
fn translate_aggregate(function: &str, mut rest: Statement<'_>) -> Option<Translation> {
    let (input, fields) = parse_column(&mut rest)?;
    let function = print_function(function, false, fields.first()?)?;
    let by = if rest.accept("BY") { find_phrases::parse_names(&mut rest)? } else { Vec::new() };
    let output = PhraseTail::parse_output(&mut rest)?;
    let mut steps = TranslatedCommands::from_variable(&input);
    steps.aggregate(&by, &[function]);
    steps.finish(output.as_deref())
}

/// `SELECT v f, g [WHERE …] [LIMIT n] [AS x]`, without `FIELDS`
fn translate_select(mut rest: Statement<'_>) -> Option<Translation> {
    let mut steps = TranslatedCommands::from_variable(rest.take_word()?);
    let fields = find_phrases::parse_names(&mut rest)?;
    let fields = fields.into_iter().map(|name| (name.clone(), name)).collect::<Vec<_>>();
    let PhraseTail { conditions, limit, output } = PhraseTail::parse(&mut rest)?;
    let (fields, conditions) = (&*fields, &*conditions);
    steps.select(&Selection { fields, conditions, limit, distinct: false });
    steps.finish(output.as_deref())
}

/// `JOIN a AND b ON f`, `INNER JOIN a WITH b USING f`, `LEFT OUTER JOIN …`
fn translate_join(first: &str, mut rest: Statement<'_>) -> Option<Translation> {
    rest.accept("OUTER");
    if first != "JOIN" {
        rest.accept("JOIN").then_some(())?;
    }
    let (left, right) = parse_pair(&mut rest)?;
    rest.accept_any(&["ON", "USING", "BY"]).then_some(())?;
    rest.accept_sign("(");
    let (one, other) = parse_joined_fields(&mut rest, &left, &right)?;
    let mut others = Vec::new();
    while rest.accept("AND") || rest.accept_sign(",") {
        others.push(parse_joined_fields(&mut rest, &left, &right)?);
    }
    // A filter would drop the unmatched rows of a left join.
    if !others.is_empty() && !matches!(first, "JOIN" | "INNER") {
        return None;
    }
    rest.accept_sign(")");
    let (one, other) = if first == "RIGHT" { (other, one) } else { (one, other) };
    let on = if one == other {
        print_field(&one)
    } else {
        format!("{} = {}", print_field(&one), print_field(&other))
    };
    let output = PhraseTail::parse_output(&mut rest)?.unwrap_or_else(|| "joined".to_owned());
    // A right join keeps the unmatched rows of the second table.
    let is_right = first == "RIGHT";
    let (left, right) = if is_right { (right, left) } else { (left, right) };
    let keyword = if is_right || first == "LEFT" { "LEFT JOIN" } else { "JOIN" };
    let command = format!("{keyword} {left} WITH {right} ON {on}");
    let test = |(one, other): (String, String)| {
        // The column of the right table has its name in front if the left one has it too.
        let other = if one == other { format!("{right}_{other}") } else { other };
        format!("{} = `{}`", print_field(&one), other.replace('`', ""))
    };
    let conditions: Vec<String> = others.into_iter().map(test).collect();
    if conditions.is_empty() {
        return Some(format!("{command} AS {}", print_path(&output)).into());
    }
    let mut steps = TranslatedCommands::default();
    steps.push(command, "joined");
    steps.filter(&conditions);
    steps.finish(Some(&output))
}

/// Parses `f` or `f = g`. Returns the field of the left and of the right table.
fn parse_joined_fields(
    rest: &mut Statement<'_>,
    left: &str,
    right: &str,
) -> Option<(String, String)> {
    // `a.id` is the field `id` of `a`.
    let qualified = |name: String| match name.split_once('.') {
        Some((of, name)) if of == left || of == right => (Some(of == right), name.to_owned()),
        _ => (None, name),
    };
    let (is_right, one) = qualified(rest.take_name()?);
    if !(rest.accept_sign("=") || rest.accept_sign("==")) {
        return Some((one.clone(), one));
    }
    let (_, other) = qualified(rest.take_name()?);
    let is_exchanged = is_right == Some(true) && left != right;
    Some(if is_exchanged { (other, one) } else { (one, other) })
}

/// Returns the operand of `FOLLOW` for `R`, `R, S`, `R OR S` and `[R, S]`.
fn parse_relations(rest: &mut Statement<'_>) -> Option<String> {
    rest.accept_sign("[");
    let mut relations = vec![rest.take_value()?];
    while rest.accept_sign(",") || rest.accept("OR") {
        relations.push(rest.take_value()?);
    }
    rest.accept_sign("]");
    Some(match relations.as_slice() {
        [relation] => (*relation).to_owned(),
        several => format!("type IN [{}]", several.join(", ")),
    })
}

/// `WALK FROM v ALONG|VIA relation [n HOPS] [AS x]`
fn translate_walk(mut rest: Statement<'_>) -> Option<Translation> {
    rest.accept("FROM");
    let start = rest.take_word()?;
    let is_via = rest.accept_any(&["ALONG", "VIA", "OVER", "THROUGH", "FOLLOWING", "FOLLOW"]);
    let follow = if is_via { Some(parse_relations(&mut rest)?) } else { None };
    let is_depth = rest.accept_any(&["DEPTH", "MAX", "WITHIN", "UP"]);
    rest.accept("TO");
    let depth = rest.take_count();
    rest.accept_any(&["HOPS", "STEPS", "HOP"]);
    if is_depth && depth.is_none() {
        return None;
    }
    let output = PhraseTail::parse_output(&mut rest)?;
    let mut steps = TranslatedCommands::from_variable(start);
    steps.walk(follow.as_deref(), None, depth, "reached");
    steps.finish(output.as_deref())
}
