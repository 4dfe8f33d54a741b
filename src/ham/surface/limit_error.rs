//! Error of the limit of instances: names the lists that exceed it.

use super::component::ComponentRef;
use super::tree::Tree;
use crate::base::Diagnostic;
use crate::base::diagnostic::quote;
use crate::base::json::escape_pointer_step;
use crate::ham::binding::Binding;
use crate::ham::codes;
use crate::ham::document::Document;

/// Maximum number of lists in a diagnostic.
const MAX_REPORTED: usize = 3;

/// A limit that was exceeded, with the lists around the part at which it was found.
#[derive(Default)]
pub struct LimitError {
    /// The innermost first.
    pub lists: Vec<CountedList>,
}

/// A list of children that was being counted.
pub struct CountedList {
    pub component: String,
    pub slot: String,
    /// The bound list; `None` for named components.
    pub list: Option<String>,
    pub items: usize,
}

impl LimitError {
    /// Adds the list of children around the part: that of a component and slot, bound to `list`.
    #[cold]
    pub fn inside(
        mut self,
        (document, tree): (&Document, &Tree),
        (component, slot): (ComponentRef, &str),
        list: Option<Binding>,
        items: usize,
    ) -> LimitError {
        let component = tree.component(component).map_or("", |component| &component.id);
        self.lists.push(CountedList {
            component: component.to_owned(),
            slot: slot.to_owned(),
            list: list.map(|list| list.describe(document)),
            items,
        });
        self
    }

    #[cold]
    pub fn diagnostic(mut self, limit: usize) -> Diagnostic {
        self.lists.reverse();
        if self.lists.iter().any(|list| list.items > 1) {
            self.lists.retain(|list| list.items > 1);
        }
        while self.lists.len() > MAX_REPORTED {
            let smallest = (0..).zip(&self.lists).min_by_key(|(_, list)| list.items);
            let Some((index, _)) = smallest else { break };
            self.lists.remove(index);
        }
        let lists: Vec<String> = self.lists.iter().map(CountedList::describe).collect();
        let mut message = format!("expected at most {limit} instances, found more");
        if !lists.is_empty() {
            message.push_str(&format!(": {}", lists.join(", ")));
        }
        let largest = self.lists.iter().max_by_key(|list| list.items);
        let Some(CountedList { component, slot, list, .. }) = largest else {
            let help = "show fewer items, or raise `limits.instances`";
            return Diagnostic::new(codes::INSTANCE_LIMIT, message).help(help);
        };
        let help = match list {
            Some(list) => format!(
                "show one page of {list} in {}, or raise `limits.instances`",
                quote(component)
            ),
            None => {
                format!("name fewer children in {}, or raise `limits.instances`", quote(component))
            }
        };
        let pointer = format!("/{}/{}", escape_pointer_step(component), escape_pointer_step(slot));
        Diagnostic::new(codes::INSTANCE_LIMIT, message).help(help).at_pointer(pointer)
    }
}

impl CountedList {
    fn describe(&self) -> String {
        let (component, items) = (quote(&self.component), self.items);
        match &self.list {
            Some(list) => format!("{list} has {items} items in {component}"),
            None => format!("{component} has {items} children"),
        }
    }
}
