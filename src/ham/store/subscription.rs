//! Listeners of single bindings.

use super::{Store, Subscription, sort_and_dedup};
use crate::ham::arena::{NodeRef, Value};
use crate::ham::binding::{
    Binding, Context, MissingReason, Resolution, missing_diagnostic, resolve,
};
use crate::ham::dependencies::Owner;
use crate::ham::document::Document;
use crate::ham::read::{self, MapChange, Reading};
use crate::ham::surface::record::{RecordOp, UpdateRecords, ValueTag};

impl Store {
    /// Subscribes to a binding. Emits [`RecordOp::Fire`] with the handle whenever the reading
    /// changes.
    pub fn subscribe(&mut self, binding: Binding, context: Context) -> usize {
        let handle = self.subscriptions.vacant_key();
        let watcher = self.watchers.watch(Owner::Subscription(handle as u32));
        self.watchers.set(watcher, &dependencies_of(&self.document, binding, &context).0);
        self.subscriptions.insert(Subscription { binding, context, watcher })
    }

    /// Ends a subscription.
    pub fn unsubscribe(&mut self, handle: usize) {
        if let Some(subscription) = self.subscriptions.try_remove(handle) {
            self.watchers.unwatch(subscription.watcher);
        }
    }

    /// Returns the current reading of a subscription.
    pub fn reading(&self, handle: usize) -> Option<Reading> {
        let subscription = self.subscriptions.get(handle)?;
        Some(self.read(subscription.binding, &subscription.context))
    }

    /// Notifies the subscriptions whose reading changed.
    pub(super) fn notify_subscriptions(&mut self, mut ids: Vec<u32>) {
        sort_and_dedup(&mut ids);
        for id in ids {
            let Some(subscription) = self.subscriptions.get(id as usize) else { continue };
            let document = &self.document;
            let resolution = match subscription.scalar_change(document) {
                Some((old, new)) if document.arena.equal(old, new) => continue,
                Some((_, value)) => Resolution::Value { value, reference: None, value_node: None },
                None => {
                    let Subscription { binding, ref context, watcher } = *subscription;
                    let old = resolve(document.previous_view(), binding, context, &mut |_| {});
                    let (nodes, new) = dependencies_of(document, binding, context);
                    self.watchers.set(watcher, &nodes);
                    let change = read::compare_resolutions(document, old, new);
                    if !change.value && !change.status_or_reference {
                        continue;
                    }
                    new
                }
            };
            self.records.push_op(RecordOp::Fire, [id]);
            if !emit_resolution(document, subscription.binding, resolution, &mut self.records) {
                self.records.push_tag(ValueTag::Nothing);
                self.records.push_tag(ValueTag::Nothing);
            }
        }
    }

    /// Emits the value and the reference of a binding. Returns `false`, with nothing emitted, if
    /// the reading has diagnostics.
    pub fn emit_reading(&mut self, binding: Binding, context: &Context) -> bool {
        let resolution = resolve(self.document.current_view(), binding, context, &mut |_| {});
        self.emit(binding, resolution)
    }

    /// Emits the reading of a node without a handle.
    pub fn emit_missing(&mut self) -> bool {
        self.emit(Binding::default(), Resolution::Missing(MissingReason::Owner))
    }

    fn emit(&mut self, binding: Binding, resolution: Resolution) -> bool {
        self.records.reset();
        emit_resolution(&self.document, binding, resolution, &mut self.records)
    }
}

impl Subscription {
    /// Returns the old and new value if both are scalars, so that the dependencies are unchanged.
    fn scalar_change(&self, document: &Document) -> Option<(Value, Value)> {
        let node = match self.binding.node {
            None if !self.context.steps.is_empty() => return None,
            node => node.unwrap_or(self.context.node),
        };
        MapChange::of_node(document, node)?.scalar_change(&document.arena, self.binding.key?)
    }
}

/// Size of the batch in bytes above which the host requests readings one by one, because the batch
/// is decoded as one string.
const MAX_BATCH_BYTES: usize = 1 << 20;

/// Emits a reading without diagnostics. Returns `false`, with nothing emitted, for others.
fn emit_resolution(
    document: &Document,
    binding: Binding,
    resolution: Resolution,
    records: &mut UpdateRecords,
) -> bool {
    let (value, reference, value_node) = match resolution {
        Resolution::Value { value, reference, value_node } => (value, reference, value_node),
        Resolution::Missing(reason) if missing_diagnostic(document, binding, reason).is_some() => {
            return false;
        }
        Resolution::Missing(_) => {
            records.push_tag(ValueTag::Nothing);
            records.push_tag(ValueTag::Null);
            return true;
        }
    };
    if records.batch.len() > MAX_BATCH_BYTES {
        return false;
    }
    if value.is_container() {
        let (mut json, mut diagnostics) = (String::new(), Vec::new());
        let path = value_node.as_slice();
        let is_complete =
            read::write_deep(document.current_view(), value, path, &mut json, &mut diagnostics);
        if !is_complete || !diagnostics.is_empty() {
            return false;
        }
        records.push_json(&json);
    } else if value.is_scalar() && document.settings.limits.deep_read > 0 {
        records.push_scalar(document.current_view(), value);
    } else {
        return false;
    }
    match reference {
        Some(node) => records.push_text(document.id(node)),
        None => records.push_tag(ValueTag::Nothing),
    }
    true
}

/// Returns the sorted nodes that a reading depends on, and its resolution.
fn dependencies_of(
    document: &Document,
    binding: Binding,
    context: &Context,
) -> (Vec<NodeRef>, Resolution) {
    let mut nodes = Vec::new();
    let resolution =
        read::visit_dependencies(document.current_view(), binding, context, &mut |node| {
            nodes.push(node)
        });
    nodes.sort_unstable();
    nodes.dedup();
    (nodes, resolution)
}
