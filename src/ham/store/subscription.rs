//! Listeners of single bindings.

use super::Store;
use crate::ham::arena::{NodeRef, Value};
use crate::ham::binding::{Binding, Context, Found, Gap, explain, find};
use crate::ham::document::Document;
use crate::ham::observe::{Owner, Watcher};
use crate::ham::read::{self, Maps, Reading};
use crate::ham::surface::record::{Op, Records, Tag};

/// Somebody who wants to hear of changes of one reading.
pub(super) struct Subscription {
    pub binding: Binding,
    pub context: Context,
    watcher: Watcher,
}

impl Store {
    /// Tells [`Op::Fire`] with the number of the subscription whenever the reading changes, and with what
    /// it shows then where its value and its reference are all that is to be said.
    pub fn subscribe(&mut self, binding: Binding, context: Context) -> usize {
        let number = self.subscriptions.vacant_key();
        let watcher = self.watchers.watch(Owner::Subscription(number as u32));
        self.watchers.set(watcher, &depends(&self.document, binding, &context).0);
        self.subscriptions.insert(Subscription { binding, context, watcher })
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, number: usize) {
        if let Some(subscription) = self.subscriptions.try_remove(number) {
            self.watchers.unwatch(subscription.watcher);
        }
    }

    /// What a subscription shows now.
    pub fn reading(&self, number: usize) -> Option<Reading> {
        let subscription = self.subscriptions.get(number)?;
        Some(self.read(subscription.binding, &subscription.context))
    }

    /// Tells the subscriptions whose reading changed.
    pub(super) fn fire(&mut self, mut numbers: Vec<u32>) {
        distinct(&mut numbers);
        for number in numbers {
            let Some(subscription) = self.subscriptions.get(number as usize) else { continue };
            let document = &self.document;
            let shown = match subscription.plain(document) {
                Some((old, new)) if document.arena.equal(old, new) => continue,
                Some((_, value)) => Found::Value { value, reference: None, whole: None },
                None => {
                    let Subscription { binding, ref context, watcher } = *subscription;
                    let old = find(document.before(), binding, context, &mut |_| {});
                    let (nodes, new) = depends(document, binding, context);
                    self.watchers.set(watcher, &nodes);
                    let difference = read::compare_found(document, old, new);
                    if !difference.value && !difference.rest {
                        continue;
                    }
                    new
                }
            };
            self.records.op(Op::Fire, [number]);
            if !tell(document, subscription.binding, shown, &mut self.records) {
                self.records.tag(Tag::Nothing);
                self.records.tag(Tag::Nothing);
            }
        }
    }

    /// Tells what a binding shows: its value, and the id of the node that a pointer named. Answers whether that
    /// is all that is to be said; else nothing is told.
    pub fn tell_reading(&mut self, binding: Binding, context: &Context) -> bool {
        let found = find(self.document.now(), binding, context, &mut |_| {});
        self.tell_found(binding, found)
    }

    /// Tells what a binding shows of a node that nothing has named yet.
    pub fn tell_unknown(&mut self) -> bool {
        self.tell_found(Binding::default(), Found::Missing(Gap::Owner))
    }

    fn tell_found(&mut self, binding: Binding, found: Found) -> bool {
        self.records.start();
        tell(&self.document, binding, found, &mut self.records)
    }
}

impl Subscription {
    /// What it showed before the update at hand and what it shows now, where both are as plain as most
    /// values, so that it looks at the node that it looked at.
    fn plain(&self, document: &Document) -> Option<(Value, Value)> {
        let node = match self.binding.node {
            None if !self.context.steps.is_empty() => return None,
            node => node.unwrap_or(self.context.node),
        };
        Maps::of(document, node)?.scalars(&document.arena, self.binding.key?)
    }
}

/// With more bytes than these, readings are asked for one by one: all that is told is one text at first.
const LONGEST: usize = 1 << 20;

/// Tells what a binding shows, if there is nothing else to be said of it; answers whether it did.
fn tell(document: &Document, binding: Binding, found: Found, records: &mut Records) -> bool {
    let (value, reference, whole) = match found {
        Found::Value { value, reference, whole } => (value, reference, whole),
        Found::Missing(gap) if explain(document, binding, gap).is_some() => return false,
        Found::Missing(_) => {
            records.tag(Tag::Nothing);
            records.tag(Tag::Null);
            return true;
        }
    };
    if records.batch.len() > LONGEST {
        return false;
    }
    if value.is_container() {
        let (mut json, mut diagnostics) = (String::new(), Vec::new());
        let way = whole.as_slice();
        let written = read::write(document.now(), value, way, &mut json, &mut diagnostics);
        if !written || !diagnostics.is_empty() {
            return false;
        }
        records.json(&json);
    } else if value.is_scalar() && document.settings.limits.deep_read > 0 {
        records.value(document.now(), value, None);
    } else {
        return false;
    }
    match reference {
        Some(node) => records.text(document.id(node)),
        None => records.tag(Tag::Nothing),
    }
    true
}

/// Puts numbers in order, each once.
pub(super) fn distinct(numbers: &mut Vec<u32>) {
    numbers.sort_unstable();
    numbers.dedup();
}

/// The nodes that a reading depends on, and what it shows.
fn depends(document: &Document, binding: Binding, context: &Context) -> (Vec<NodeRef>, Found) {
    let mut nodes = Vec::new();
    let found = read::depend(document.now(), binding, context, &mut |node| nodes.push(node));
    nodes.sort_by_key(|&node| node.0);
    nodes.dedup();
    (nodes, found)
}
