import type { ModelIndex } from './modelIndex.ts';
import type { Plan } from './plan.ts';
import type { Documents } from './snapshot.ts';

/** What a single write creates, changes and deletes. */
export type Effects = Pick<Plan, 'created' | 'changed' | 'deleted'>;

export const noEffects: Effects = { created: [], changed: [], deleted: [] };

/** The data that the effects of a write are computed from. */
export interface EffectSources {
  readonly documents: Documents;
  /** The write's datamodel before the operation; `undefined` unless it is fully known. */
  readonly oldIndex: ModelIndex | undefined;
  /** The write's datamodel after the operation. */
  readonly newIndex: ModelIndex | undefined;
}
