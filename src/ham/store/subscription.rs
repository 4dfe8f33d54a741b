//! Listeners of single bindings.

use super::Store;
use crate::base::sort;
use crate::ham::arena::NodeRef;
use crate::ham::binding::{Binding, Context};
use crate::ham::document::Document;
use crate::ham::observe::{Owner, Watcher};
use crate::ham::read::{self, Reading};
use crate::ham::surface::record::Op;

/// Somebody who wants to hear of changes of one reading.
pub(super) struct Subscription {
    pub binding: Binding,
    pub context: Context,
    watcher: Watcher,
}

impl Store {
    /// Tells [`Op::Fire`] with the number of the subscription whenever the reading changes.
    pub fn subscribe(&mut self, binding: Binding, context: Context) -> usize {
        let number = self.subscriptions.next();
        let watcher = self.watchers.watch(Owner::Subscription(number as u32));
        self.watchers.set(watcher, &depends(&self.document, binding, &context));
        self.subscriptions.put(Subscription { binding, context, watcher })
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, number: usize) {
        if let Some(subscription) = self.subscriptions.take(number) {
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
            let Subscription { binding, ref context, watcher } = *subscription;
            let difference = read::compare(&self.document, binding, context);
            if difference.value || difference.rest {
                self.records.op(Op::Fire, [number]);
            }
            self.watchers.set(watcher, &depends(&self.document, binding, context));
        }
    }
}

/// Puts numbers in order, each once.
pub(super) fn distinct(numbers: &mut Vec<u32>) {
    sort::by_number(numbers, |number| number);
    numbers.dedup();
}

fn depends(document: &Document, binding: Binding, context: &Context) -> Vec<NodeRef> {
    let mut nodes = Vec::new();
    read::depend(document.now(), binding, context, &mut |node| nodes.push(node));
    sort::by_number(&mut nodes, |node| node.0);
    nodes.dedup();
    nodes
}
