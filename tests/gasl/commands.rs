//! Strategies for random commands and for random text similar to commands.

use byname::base::{Span, Value};
use byname::gasl::caps::EdgeDirection;
use byname::gasl::graph::Measure;
use byname::gasl::language::ast::*;
use byname::gasl::predicate::{Comparison, Membership, TextTest};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use std::rc::Rc;

/// Returns any command.
pub fn command() -> BoxedStrategy<Command> {
    let branches = simple().prop_recursive(3, 8, 2, |inner| {
        let open = |command: &Command| {
            let mut at = command;
            while let Command::When { then, otherwise, .. } = at {
                match otherwise {
                    Some(command) => at = command,
                    None if matches!(at, Command::When { test: Trigger::Condition(_), .. }) => {
                        return true;
                    }
                    None => at = then,
                }
            }
            false
        };
        let event = select(vec![
            OutcomeEvent::Empty,
            OutcomeEvent::Error,
            OutcomeEvent::Partial,
            OutcomeEvent::SchemaMismatch,
        ]);
        let on = (event, path(), inner.clone()).prop_map(|(event, path, then)| Command::When {
            test: Trigger::Event(event, path.text()),
            then: Rc::new(then),
            otherwise: None,
        });
        let branch = (assertion(), inner.clone(), option::of(inner)).prop_map(
            move |(condition, then, otherwise)| {
                // `ELSE` belongs to the last `BRANCH` without one.
                let otherwise = otherwise.filter(|_| !open(&then)).map(Rc::new);
                Command::When {
                    test: Trigger::Condition(condition),
                    then: Rc::new(then),
                    otherwise,
                }
            },
        );
        prop_oneof![on, branch]
    });
    let alone = prop_oneof![
        "\\PC{0,40}(\n\\PC{0,20})?"
            .prop_map(|text| Command::Complete { text: text.trim().to_owned() }),
        select(vec![BlockLine::Try, BlockLine::Catch, BlockLine::Finally, BlockLine::End])
            .prop_map(Command::Block),
    ];
    prop_oneof![8 => branches, 1 => alone].boxed()
}

/// Returns a command without a nested one.
fn simple() -> BoxedStrategy<Command> {
    let count = || option::of(1usize..1_000_000);
    let fields = vec((field(), field()), 0..4).prop_map(|mut fields| {
        // Two fields with one name are an error.
        fields.sort_by(|(_, one), (_, other)| one.cmp(other));
        fields.dedup_by(|(_, one), (_, other)| one == other);
        fields
    });
    let declare = (
        path(),
        select(vec![StateType::List, StateType::Dict, StateType::Counter]),
        option::of(".{0,20}"),
    )
        .prop_map(|(key, kind, description)| Command::Declare { key, kind, description });
    let target = select(vec![FindTarget::Nodes, FindTarget::Edges, FindTarget::Paths]);
    let find = (target, option::of(condition()), count(), name()).prop_map(
        |(target, condition, limit, output)| Command::Find { target, condition, limit, output },
    );
    let shortest = (option::of(condition()), option::of(field()), count(), name()).prop_map(
        |(condition, weight, limit, output)| {
            Command::ShortestPaths(ShortestPaths { condition, weight, limit, output })
        },
    );
    let measure = select(Measure::ALL.to_vec()).prop_flat_map(|measure| {
        let weight =
            if measure.uses_weights() { option::of(field()).boxed() } else { Just(None).boxed() };
        (option::of(path()), weight, name()).prop_map(move |(input, weight, output)| {
            Command::Measure(MeasureNodes { measure, input, weight, output })
        })
    });
    let process = (path(), template(), option::of(schema()), name()).prop_map(
        |(input, instruction, returning, output)| Command::Process {
            input,
            instruction,
            returning,
            output,
        },
    );
    let analyze = (path(), template(), name())
        .prop_map(|(key, instruction, output)| Command::Analyze { key, instruction, output });
    let update = (path(), path(), select(vec![UpdateMode::Merge, UpdateMode::Replace]))
        .prop_map(|(key, input, mode)| Command::Update { key, input, mode });
    let select_rows =
        (path(), any::<bool>(), fields.clone(), option::of(condition()), count(), name()).prop_map(
            |(input, distinct, fields, condition, limit, output)| {
                Command::Select(Select { input, distinct, fields, condition, limit, output })
            },
        );
    let show = (path(), fields, count(), option::of(1usize..1_000)).prop_map(
        |(input, fields, limit, offset)| {
            Command::Show(Show { input, fields, limit, offset: offset.unwrap_or_default() })
        },
    );
    let counted = (path(), group_fields(), name()).prop_map(|(input, by, output)| Command::Count {
        input,
        by,
        output,
    });
    let aggregate = (path(), group_fields(), aggregates(), name())
        .prop_map(|(input, by, aggregates, output)| Command::Aggregate {
            input,
            by,
            aggregates,
            output,
        })
        .prop_filter("a field and an aggregate have the same name", |command| match command {
            Command::Aggregate { by, aggregates, .. } => {
                let mut names = Aggregate::column_names(aggregates);
                names.extend(by.iter().cloned());
                names.sort();
                names.windows(2).all(|pair| pair[0] != pair[1])
            }
            _ => true,
        });
    let rank = (
        path(),
        field(),
        select(vec![SortOrder::Ascending, SortOrder::Descending]),
        count(),
        name(),
    )
        .prop_map(|(input, by, order, limit, output)| Command::Rank {
            input,
            by,
            order,
            limit,
            output,
        });
    let join =
        (select(vec![JoinKind::Inner, JoinKind::Left]), path(), path(), (field(), field()), name())
            .prop_map(|(kind, left, right, on, output)| {
                Command::Join(Join { kind, left, right, on, output })
            });
    let union =
        (path(), path(), any::<bool>(), name()).prop_map(|(left, right, distinct, output)| {
            Command::Union(Union { left, right, distinct, output })
        });
    let directions = vec![EdgeDirection::Out, EdgeDirection::In, EdgeDirection::Any];
    let follow =
        prop_oneof![value().prop_map(Follow::Relation), condition().prop_map(Follow::Condition),];
    let walk = (path(), option::of(follow), option::of(select(directions)), count(), name())
        .prop_map(|(starts, follow, direction, depth, output)| Command::Walk {
            starts,
            follow,
            direction,
            depth,
            output,
        });
    let set = (select(vec!["max_results", "direction", "timeout_ms", "max_path_len"]), value())
        .prop_map(|(key, value)| Command::Set { key: key.to_owned(), value });
    prop_oneof![
        declare,
        find,
        shortest,
        measure,
        process,
        analyze,
        update,
        select_rows,
        counted,
        aggregate,
        rank,
        join,
        union,
        walk,
        set,
        show,
        path().prop_map(|name| Command::Require { name }),
        assertion().prop_map(Command::Assert),
        value().prop_map(|plan| Command::Cancel { plan }),
    ]
    .boxed()
}

/// Returns different fields for `BY`, none of which is named like an aggregate.
fn group_fields() -> BoxedStrategy<Vec<String>> {
    vec(field(), 0..3)
        .prop_map(|mut fields| {
            fields.sort();
            fields.dedup();
            fields.retain(|field| AggregateFunction::ALL.iter().all(|one| one.word() != field));
            fields
        })
        .boxed()
}

/// Returns functions for `AGGREGATE`.
fn aggregates() -> BoxedStrategy<Vec<Aggregate>> {
    let function = prop_oneof![
        option::of(field()).prop_map(|of| (AggregateFunction::Count, of)),
        (select(AggregateFunction::ALL[1..].to_vec()), field().prop_map(Some)),
    ];
    vec(function.prop_map(|(function, of)| Aggregate { function, field: of }), 1..4).boxed()
}

/// Returns a variable name in any script, which may be a keyword.
fn name() -> BoxedStrategy<String> {
    prop_oneof![
        4 => "[a-zA-Zäπ][a-zA-Z0-9_é-]{0,8}",
        1 => select(vec!["AS", "where", "find", "END", "LEN", "EXISTS", "true", "null", "a b", "a:b", "x/y", "in"])
            .prop_map(str::to_owned),
    ]
    .boxed()
}

fn path() -> BoxedStrategy<VariablePath> {
    vec(name(), 1..4).prop_map(|steps| VariablePath { steps, span: Span::default() }).boxed()
}

/// Returns any field name.
fn field() -> BoxedStrategy<String> {
    prop_oneof![
        4 => "[a-z][a-z_.]{0,8}",
        1 => "\\PC{1,8}",
        1 => select(vec!["AS", "LEN", "EXISTS", "12", "1.5", "a.b.", "a:b", ":", "`", "${x}", "a\nb", "-- x", "#", "NULL", "IS"])
            .prop_map(str::to_owned),
    ]
    .boxed()
}

/// Returns a string with bindings, without adjacent literal parts, as the parser creates it.
fn template() -> BoxedStrategy<TextTemplate> {
    let plain = prop_oneof![
        3 => "[^$]{1,12}",
        1 => select(vec!["$", "${", "${x}", "$$", "$${a}", "\"", "\\", "'", "\n\t\r\u{1}", "“x”", "COMPLETE: x", "\nCOMPLETE: x", " -- # ;"])
            .prop_map(str::to_owned),
    ];
    let part = prop_oneof![plain.prop_map(TextPart::Text), steps().prop_map(TextPart::Binding)];
    vec(part, 0..4)
        .prop_map(|random| {
            let mut parts: Vec<TextPart> = Vec::new();
            for part in random {
                match (parts.last_mut(), part) {
                    (Some(TextPart::Text(before)), TextPart::Text(text)) => before.push_str(&text),
                    // No `$` before a binding, because `$${` is literal.
                    (Some(TextPart::Text(before)), TextPart::Binding(steps)) => {
                        while before.ends_with('$') {
                            before.push('.');
                        }
                        parts.push(TextPart::Binding(steps));
                    }
                    (_, part) => parts.push(part),
                }
            }
            TextTemplate { parts, span: Span::default() }
        })
        .boxed()
}

/// Returns the steps of a path.
fn steps() -> BoxedStrategy<Vec<String>> {
    let step = prop_oneof![3 => "[a-z][a-z0-9_]{0,6}", 1 => "[^\\pC.{}$\"'`\\s]{1,6}( [a-z])?"];
    vec(step, 1..4).boxed()
}

fn operand(kind: OperandKind) -> Operand {
    Operand { kind, span: Span::default() }
}

/// Returns a number, a word, a string or a binding.
fn value() -> BoxedStrategy<Operand> {
    let number = prop_oneof![
        any::<i32>().prop_map(f64::from),
        prop::num::f64::NORMAL,
        select(vec![0.0, 1e21, 1e-7, 0.1]),
    ];
    let kind = prop_oneof![
        number.prop_map(|number| OperandKind::Literal(Value::Number(number))),
        any::<bool>().prop_map(|value| OperandKind::Literal(Value::Bool(value))),
        Just(OperandKind::Literal(Value::Null)),
        select(vec![
            "PERSON",
            "a_b-c",
            "2020-01-01",
            "chunk-1:a",
            "x/y@z",
            "CONTAINS",
            "find",
            "1e",
            "-x"
        ])
        .prop_map(|word| OperandKind::Literal(Value::from(word))),
        template().prop_map(OperandKind::Text),
        steps().prop_map(OperandKind::Binding),
    ];
    kind.prop_map(operand).boxed()
}

fn comparison() -> BoxedStrategy<Comparison> {
    select(vec![
        Comparison::Equal,
        Comparison::NotEqual,
        Comparison::Greater,
        Comparison::GreaterOrEqual,
        Comparison::Less,
        Comparison::LessOrEqual,
    ])
    .boxed()
}

/// Returns a condition over rows.
fn condition() -> BoxedStrategy<Condition> {
    let left = || field().prop_map(|name| operand(OperandKind::Field(name)));
    let right = prop_oneof![
        3 => value(),
        1 => prop_oneof!["(source|target|edge)\\.[a-z]{1,5}", "[^`\\p{Cc}]{1,8}"]
            .prop_map(|name| operand(OperandKind::Field(name))),
    ];
    let exists = left().prop_map(Condition::Exists).boxed();
    nested(tests(left().boxed(), right.boxed(), value(), exists))
}

/// Returns a condition over variables.
fn assertion() -> BoxedStrategy<Condition> {
    let named = || vec(name(), 1..3).prop_map(|steps| operand(OperandKind::Name(steps)));
    let length = vec(name(), 1..3).prop_map(|steps| operand(OperandKind::Length(steps)));
    let side = prop_oneof![3 => value(), 1 => length].boxed();
    let alone =
        prop_oneof![named().prop_map(Condition::Exists), named().prop_map(Condition::Empty)];
    nested(tests(side.clone(), side.clone(), side, alone.boxed()))
}

fn tests(
    left: BoxedStrategy<Operand>,
    right: BoxedStrategy<Operand>,
    item: BoxedStrategy<Operand>,
    alone: BoxedStrategy<Condition>,
) -> BoxedStrategy<Condition> {
    let texts = select(vec![TextTest::Contains, TextTest::StartsWith, TextTest::EndsWith]);
    let binding = steps().prop_map(|steps| InItems::Binding(operand(OperandKind::Binding(steps))));
    let items = prop_oneof![vec(item, 0..4).prop_map(InItems::List), binding];
    let membership = select(vec![Membership::In, Membership::Out]);
    prop_oneof![
        3 => (left.clone(), comparison(), right.clone())
            .prop_map(|(left, comparison, right)| Condition::Compare(left, comparison, right)),
        1 => (left.clone(), membership, items)
            .prop_map(|(left, membership, items)| Condition::In(left, membership, items)),
        1 => (left.clone(), texts, right).prop_map(|(left, test, right)| Condition::Text(left, test, right)),
        1 => left.clone().prop_map(Condition::Null),
        1 => left.prop_map(Condition::NotNull),
        1 => alone,
    ]
    .boxed()
}

fn nested(leaf: BoxedStrategy<Condition>) -> BoxedStrategy<Condition> {
    leaf.prop_recursive(4, 16, 3, |inner| {
        prop_oneof![
            vec(inner.clone(), 2..4).prop_map(Condition::All),
            vec(inner.clone(), 2..4).prop_map(Condition::Any),
            inner.prop_map(|one| Condition::Not(Box::new(one))),
        ]
    })
    .boxed()
}

fn schema() -> BoxedStrategy<Value> {
    select(vec![
        r#"{"type":"array","items":{"type":"object"}}"#,
        r#"{"enum":["a b","\"","\\",";","-- x","'",1.5,null,true],"title":"{[("}"#,
        "{}",
        "true",
    ])
    .prop_map(|text| Value::parse(text.as_bytes(), Default::default()).0.unwrap())
    .boxed()
}

/// Returns random tokens of the language.
pub fn soup() -> BoxedStrategy<String> {
    let token = prop_oneof![
        8 => select(vec![
            "FIND", "nodes", "edges", "paths", "WHERE", "AS", "x", "y", "LIMIT", "3", "SELECT",
            "FIELDS", "id", ",", "type", "=", "!=", ">", "\"a\"", "'b'", "${x}", "${x.y}", "IN", "[", "]", "(",
            ")", "AND", "OR", "NOT", "EXISTS", "IS", "NULL", "EMPTY", "ASSERT", "LEN", "ON", "THEN", "ELSE",
            "BRANCH", "IF", "COUNT", "BY", "RANK", "DESC", "JOIN", "LEFT", "UNION", "DISTINCT", "OFFSET", "AGGREGATE", "sum", "OF", "ON", "WITH", "UPDATE", "MERGE", "DECLARE", "LIST",
            "PROCESS", "USING", "RETURNING", "{\"type\": \"array\"}", "SHOW", "TRY", "END", ";", "\n",
            "`odd name`", "a:b", "x:", ":y", "COMPLETE:", "WALK", "FROM", "FOLLOW", "DEPTH", "DIRECTION", "out", "source.a", "SET",
            "adapter.caps.max_results", "CANCEL", "PLAN", "CONTAINS", "==", "-- c\n", "# c\n", "“t”", "\"${",
        ]).prop_map(str::to_owned),
        1 => fragment(),
    ];
    vec(token, 0..14).prop_map(|tokens| tokens.join(" ")).boxed()
}

/// Returns a short string of significant characters.
pub fn fragment() -> BoxedStrategy<String> {
    prop_oneof![
        "[\"'`${}()\\[\\]\\\\:;#.,=<>!&|-]{1,3}",
        select(vec![
            "\\u",
            "\\ud83d",
            "\u{feff}",
            "\u{2028}",
            "é",
            "😀",
            "\0",
            "\r\n",
            "“",
            "’",
            " AS ",
            "COMPLETE:",
            "NOT "
        ])
        .prop_map(str::to_owned),
    ]
    .boxed()
}
