//! Notification of surfaces and subscriptions about an update.

use super::{Store, sort_and_dedup};
use crate::base::Diagnostic;
use crate::ham::dependencies::Owner;
use crate::ham::surface::flush::{self, AffectedInstance};
use crate::ham::surface::record::RecordOp;

impl Store {
    /// Notifies observers of the current update. Undoes the update and returns an error if a surface
    /// would exceed its limit of instances.
    #[inline(never)]
    pub(super) fn notify_update(&mut self) -> Result<Vec<Diagnostic>, Diagnostic> {
        let mut diagnostics = Vec::new();
        if !self.document.journal().is_empty() {
            if !self.watchers.is_empty() {
                self.notify_watchers(&mut diagnostics)?;
            }
            self.track_growth();
        }
        Ok(diagnostics)
    }

    /// Notifies observers of the current update. Fails like [`Store::notify_update`].
    pub(super) fn notify_watchers(
        &mut self,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Result<(), Diagnostic> {
        const MANY: usize = 1 << 10;
        let (mut subscription_ids, mut dedup_threshold) = (Vec::new(), MANY);
        let mut affected = std::mem::take(&mut self.affected);
        for change in self.document.journal() {
            let node = change.node;
            let existence_changed =
                change.before.is_missing() != self.document.value(node).is_missing();
            let surfaces = &self.surfaces;
            // A subscription to many nodes is found once per node.
            if subscription_ids.len() > dedup_threshold {
                sort_and_dedup(&mut subscription_ids);
                dedup_threshold = MANY.max(2 * subscription_ids.len());
            }
            for owner in self.watchers.owners(node) {
                match owner {
                    Owner::Subscription(id) => subscription_ids.push(id),
                    Owner::Instance { surface, instance, context_node, .. } => {
                        affected.push(AffectedInstance {
                            surface,
                            instance,
                            may_change_lists: existence_changed,
                        });
                        if existence_changed
                            && context_node == node
                            && let Some(observed) = surfaces.get(surface as usize)
                            && let Some(observer) = observed.tree.get(instance)
                            && observer.from_template
                        {
                            affected.push(AffectedInstance {
                                surface,
                                instance: observer.parent,
                                may_change_lists: true,
                            });
                        }
                    }
                }
            }
        }
        flush::merge_affected(&mut affected);
        if let Some(error) = self.limit_error(&affected) {
            affected.clear();
            self.affected = affected;
            self.document.roll_back();
            self.records.reset();
            return Err(error);
        }
        self.records.drop_source_if_sparse(self.document.journal().len());
        for each in affected.chunk_by(|a, b| a.surface == b.surface) {
            let Some(AffectedInstance { surface: id, .. }) = each.first() else { continue };
            let Some(surface) = self.surfaces.get_mut(*id as usize) else { continue };
            let start = self.records.mark();
            if surface.observed {
                self.records.push_op(RecordOp::Surface, [*id]);
            }
            let content_start = self.records.mark();
            let records = surface.observed.then_some(&mut self.records);
            surface.flush(&self.document, &mut self.watchers, records).apply_data(each);
            if self.records.mark() == content_start {
                // Nothing has changed in the surface.
                self.records.truncate(start);
            }
            diagnostics.append(&mut surface.tree.diagnostics);
        }
        affected.clear();
        self.affected = affected;
        self.notify_subscriptions(subscription_ids);
        Ok(())
    }

    /// Returns the error if the affected surfaces would exceed their limit of instances.
    fn limit_error(&mut self, affected: &[AffectedInstance]) -> Option<Diagnostic> {
        affected.chunk_by(|a, b| a.surface == b.surface).find_map(|each| {
            let surface = self.surfaces.get_mut(each.first()?.surface as usize)?;
            surface.limit_error = surface.tree.data_limit_error(&self.document, each);
            surface.limit_error.clone()
        })
    }
}
