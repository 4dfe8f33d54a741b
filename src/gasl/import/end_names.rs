//! Names of the fields and columns of ids and of the ends of edges.

/// Names of node ids, by priority. `:id` is also a suffix, as in Neo4j's `person:ID`.
pub const DECLARED_IDS: [&str; 6] = ["id", "key", "data.id", "~id", ":id", "_id"];

/// Names of fields that are ids, if the ends of all edges are found there, without separators.
const OTHER_IDS: [&str; 8] =
    ["identity", "elementid", "nodeid", "uid", "uuid", "pk", "identifier", "vertexid"];

/// Returns whether a field is called like an id.
pub fn is_id_name(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    DECLARED_IDS.contains(&lower.as_str()) || OTHER_IDS.contains(&normalize_name(name).as_str())
}

/// Names of the ends of edges without separators, in pairs by priority.
const END_NAME_PAIRS: [(&str, &str); 24] = [
    ("source", "target"),
    (":startid", ":endid"),
    ("~from", "~to"),
    ("~startnodeid", "~endnodeid"),
    ("from", "to"),
    ("src", "dst"),
    ("src", "dest"),
    ("src", "tgt"),
    ("start", "end"),
    ("sourcenode", "targetnode"),
    ("sourceid", "targetid"),
    ("source", "destination"),
    ("source", "dest"),
    ("head", "tail"),
    ("node1", "node2"),
    ("fromnodeid", "tonodeid"),
    ("fromnode", "tonode"),
    ("fromid", "toid"),
    ("startnode", "endnode"),
    ("startnodeid", "endnodeid"),
    ("startid", "endid"),
    ("subject", "object"),
    ("node1id", "node2id"),
    ("startnodeelementid", "endnodeelementid"),
];

/// Returns the indices of the columns with the ends of edges: the first pair of [`END_NAME_PAIRS`].
pub fn find_ends(names: &[&str]) -> Option<(usize, usize)> {
    let names: Vec<String> = names.iter().map(|name| normalize_name(name)).collect();
    let index_of = |end: &str| names.iter().position(|name| is_end(name, end));
    END_NAME_PAIRS.iter().find_map(|(source, target)| index_of(source).zip(index_of(target)))
}

fn is_end(name: &str, end: &str) -> bool {
    match end.starts_with(':') {
        // Neo4j also writes `:START_ID(Person)`.
        true => name.split('(').next().is_some_and(|name| name.ends_with(end)),
        false => name == end,
    }
}

/// Returns a name in lower case without separators.
pub fn normalize_name(name: &str) -> String {
    let is_separator = |letter: &char| matches!(letter, '_' | '-' | ' ' | '.');
    name.trim()
        .chars()
        .filter(|letter| !is_separator(letter))
        .collect::<String>()
        .to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_have_many_names() {
        let check = |names: &str, expected| {
            assert_eq!(find_ends(&names.split(',').collect::<Vec<_>>()), expected, "{names}");
        };
        check("id,Source,Target", Some((1, 2)));
        check("source,from,to", Some((1, 2)));
        check("Source,Destination", Some((0, 1)));
        check("~id,~from,~to,~label", Some((1, 2)));
        check("~start_node_id,~end_node_id", Some((0, 1)));
        check("head,relation,tail", Some((0, 2)));
        check("node1,label,node2", Some((0, 2)));
        check(":START_ID(Person),:END_ID", Some((0, 1)));
        check("FromNodeId,ToNodeId", Some((0, 1)));
        check("from,weight", None);
        check("", None);
    }
}
