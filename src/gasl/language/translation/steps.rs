//! Sequence of commands that a statement means.

use crate::gasl::language::printer::{print_field, print_path};

/// What a statement means.
pub enum Translation {
    /// Commands separated by `; `, and how their result differs if it does.
    Commands(String, Option<&'static str>),
    /// Part of the statement without an equivalent, and what to write instead.
    Words(String),
}

impl From<String> for Translation {
    fn from(commands: String) -> Translation {
        Translation::Commands(commands, None)
    }
}

/// Commands of a translation, each with the name of its output.
#[derive(Default)]
pub struct TranslatedCommands {
    /// Commands without `AS`, each with its output if it has one.
    commands: Vec<(String, Option<String>)>,
    /// Name of the current rows.
    rows: String,
    /// First part without an equivalent, and what to write instead.
    refusal: Option<String>,
    /// Difference of the result.
    note: Option<&'static str>,
    merged: Option<MergedRows>,
}

/// Nodes that several edges may reach, and that the current rows contain once.
struct MergedRows {
    /// Edges that reach them, one for each repetition, if the last command is that of the nodes.
    edges: Option<String>,
}

/// Note for rows that the statement repeats.
const EACH_NODE_ONCE: &str = "which has each node once";
const REPEATED_NODES: &str = "a node that several edges reach counts several times there, and `FIND nodes` has it once: aggregate the rows of `FIND edges WHERE …`";

/// Parts of `SELECT`.
#[derive(Default)]
pub struct Selection<'a> {
    pub distinct: bool,
    /// Fields with their output names.
    pub fields: &'a [(String, String)],
    pub conditions: &'a [String],
    pub limit: Option<usize>,
}

impl TranslatedCommands {
    /// Starts with a variable that exists.
    pub fn from_variable(name: &str) -> TranslatedCommands {
        TranslatedCommands { rows: name.to_owned(), ..TranslatedCommands::default() }
    }

    /// Starts with a search in the graph.
    pub fn from_graph(target: &str, conditions: &[String], output: &str) -> TranslatedCommands {
        let mut steps = TranslatedCommands::default();
        steps.push(format!("FIND {target}{}", print_where(conditions)), output);
        steps
    }

    /// Refuses the statement because of a part without an equivalent.
    pub fn refuse(&mut self, words: impl Into<String>) {
        self.refusal.get_or_insert(words.into());
    }

    pub fn is_refused(&self) -> bool {
        self.refusal.is_some()
    }

    /// Adds how the result differs.
    pub fn note(&mut self, note: &'static str) {
        self.note = Some(note);
    }

    /// Returns the printed name of the current rows.
    pub fn rows(&self) -> String {
        print_path(&self.rows)
    }

    /// Adds a command whose output becomes the current rows. The name gets a number if it is in use.
    pub fn push(&mut self, command: String, output: &str) {
        let is_used =
            |name: &str| self.commands.iter().any(|(_, other)| other.as_deref() == Some(name));
        let numbered = (2..).map(|number| format!("{output}{number}"));
        let mut names = std::iter::once(output.to_owned()).chain(numbered);
        let name = names.find(|name| !is_used(name)).unwrap_or_default();
        self.rows.clone_from(&name);
        self.commands.push((command, Some(name)));
    }

    /// Adds a command without an output.
    pub fn push_last(&mut self, command: String) {
        self.commands.push((command, None));
    }

    /// Filters the current rows.
    pub fn filter(&mut self, conditions: &[String]) {
        self.select(&Selection { conditions, ..Selection::default() });
    }

    /// Selects from the current rows, unless the selection contains everything.
    pub fn select(&mut self, selection: &Selection<'_>) {
        let Selection { distinct, fields, conditions, limit } = selection;
        let mut distinct = *distinct;
        // The nodes at the ends of edges are distinct already.
        if distinct && fields.is_empty() && self.merged.take().is_some() {
            distinct = false;
        }
        let is_everything =
            !distinct && fields.is_empty() && conditions.is_empty() && limit.is_none();
        let is_limit = !distinct && fields.is_empty() && conditions.is_empty();
        if is_everything || is_limit && self.limit_last(*limit) {
            return;
        }
        match &mut self.merged {
            Some(_) if distinct => self.merged = None,
            Some(merged) => merged.edges = None,
            None => {}
        }
        let distinct = if distinct { "DISTINCT " } else { "" };
        let fields = print_fields(fields);
        let fields = if fields.is_empty() { fields } else { format!(" FIELDS {fields}") };
        let (rows, condition, limit) = (self.rows(), print_where(conditions), print_limit(*limit));
        self.push(format!("SELECT {distinct}{rows}{fields}{condition}{limit}"), "selected");
    }

    /// Adds a limit to the last command, if it can have one.
    fn limit_last(&mut self, limit: Option<usize>) -> bool {
        let is_limitable = |command: &str| {
            let first = command.split(' ').next().unwrap_or_default();
            ["FIND", "SELECT", "RANK"].contains(&first) && !command.contains(" LIMIT ")
        };
        let last = self.commands.last_mut().map(|(command, _)| command);
        let Some(last) = last.filter(|last| is_limitable(last)) else { return false };
        last.push_str(&print_limit(limit));
        true
    }

    /// Ranks the current rows.
    pub fn rank(&mut self, by: &str, order: &str, limit: Option<usize>) {
        let command =
            format!("RANK {} BY {} {order}{}", self.rows(), print_field(by), print_limit(limit));
        self.push(command, "ranked");
    }

    /// Ranks the current rows by several keys, each with its order. `RANK` is stable, so the first key is
    /// the last command.
    pub fn rank_by(&mut self, keys: &[(String, &'static str)], limit: Option<usize>) {
        for (index, (by, order)) in keys.iter().enumerate().rev() {
            self.rank(by, order, limit.filter(|_| index == 0));
        }
    }

    /// Counts the current rows, by some fields.
    pub fn count(&mut self, by: &[String]) {
        match self.merged.take() {
            Some(MergedRows { edges: Some(edges) }) if by.is_empty() => {
                self.commands.pop();
                self.rows = edges;
            }
            Some(_) => self.refuse(REPEATED_NODES),
            None => {}
        }
        let command = format!("COUNT {}{}", self.rows(), print_by(by));
        self.push(command, "counted");
    }

    /// Aggregates the current rows. Each function is printed, as in `sum OF age`.
    pub fn aggregate(&mut self, by: &[String], functions: &[String]) {
        match functions {
            [count] if count == "count" => self.count(by),
            _ => {
                if self.merged.is_some() {
                    self.refuse(REPEATED_NODES);
                }
                let (by, functions) = (print_by(by), functions.join(", "));
                let command = format!("AGGREGATE {}{by} WITH {functions}", self.rows());
                self.push(command, "aggregated");
            }
        }
    }

    /// Finds the edges whose `end` is one of the current nodes.
    pub fn edges_of(&mut self, end: &str, conditions: &[String]) {
        let of_nodes = format!("{end} IN ${{{}}}", self.rows());
        let conditions = [&[of_nodes], conditions].concat();
        if let Some(merged) = &mut self.merged {
            merged.edges = None;
        }
        self.push(format!("FIND edges{}", print_where(&conditions)), "followed");
    }

    /// Finds the nodes at an `end` of the current edges.
    pub fn ends(&mut self, end: &str, conditions: &[String], output: &str) {
        let edges = self.rows.clone();
        let of_edges = format!("id IN ${{{}.{end}}}", self.rows());
        let is_complete = self.merged.is_none() && conditions.is_empty();
        let conditions = [&[of_edges], conditions].concat();
        self.push(format!("FIND nodes{}", print_where(&conditions)), output);
        self.merged = Some(MergedRows { edges: is_complete.then_some(edges) });
    }

    /// Walks from the current rows.
    pub fn walk(
        &mut self,
        follow: Option<&str>,
        direction: Option<&str>,
        depth: Option<usize>,
        output: &str,
    ) {
        let part = |keyword: &str, value: Option<String>| {
            value.map_or(String::new(), |value| format!(" {keyword} {value}"))
        };
        let follow = part("FOLLOW", follow.map(str::to_owned));
        let direction = part("DIRECTION", direction.map(str::to_owned));
        let depth = part("DEPTH", depth.map(|depth| depth.to_string()));
        let command = format!("WALK FROM {}{follow}{direction}{depth}", self.rows());
        self.push(command, output);
    }

    /// Gives the current rows the name that the statement gives them.
    pub fn name_rows(&mut self, output: Option<&str>) {
        if let (Some((_, Some(last))), Some(output)) = (self.commands.last_mut(), output) {
            output.clone_into(last);
            output.clone_into(&mut self.rows);
        }
    }

    /// Returns the commands. The last output gets the name that the statement gives it.
    pub fn finish(mut self, output: Option<&str>) -> Option<Translation> {
        if let Some(words) = self.refusal {
            return Some(Translation::Words(words));
        }
        self.name_rows(output);
        let print = |(command, output): &(String, Option<String>)| match output {
            Some(output) => format!("{command} AS {}", print_path(output)),
            None => command.clone(),
        };
        let commands = self.commands.iter().map(print).collect::<Vec<_>>();
        let note = self.note.or(self.merged.map(|_| EACH_NODE_ONCE));
        (!commands.is_empty()).then(|| Translation::Commands(commands.join("; "), note))
    }
}

/// Prints ` WHERE …`, or nothing without conditions.
pub fn print_where(conditions: &[String]) -> String {
    let is_or = |text: &str| text.split_whitespace().any(|word| word.eq_ignore_ascii_case("OR"));
    match conditions {
        [] => String::new(),
        [one] => format!(" WHERE {one}"),
        many => {
            let each = many.iter().map(|one| match is_or(one) {
                true => format!("({one})"),
                false => one.clone(),
            });
            format!(" WHERE {}", each.collect::<Vec<_>>().join(" AND "))
        }
    }
}

/// Prints fields with their output names.
pub fn print_fields(fields: &[(String, String)]) -> String {
    let print = |(from, to): &(String, String)| match from == to {
        true => print_field(from),
        false => format!("{}:{}", print_field(from), print_field(to)),
    };
    fields.iter().map(print).collect::<Vec<_>>().join(", ")
}

fn print_by(by: &[String]) -> String {
    let fields = by.iter().map(|one| print_field(one)).collect::<Vec<_>>().join(", ");
    if by.is_empty() { String::new() } else { format!(" BY {fields}") }
}

fn print_limit(limit: Option<usize>) -> String {
    limit.map_or(String::new(), |limit| format!(" LIMIT {limit}"))
}
