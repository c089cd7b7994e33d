import type { ModelIndex } from './modelIndex.ts';
import type { Plan } from './plan.ts';
import type { Documents } from './snapshot.ts';

/** The effects of a write on its own. */
export type Effects = Pick<Plan, 'created' | 'changed' | 'deleted'>;

export const noEffects: Effects = { created: [], changed: [], deleted: [] };

/** The sources that effects are computed from. */
export interface EffectSources {
  readonly documents: Documents;
  /** The datamodel of the write before the operation, if it is fully known. */
  readonly now: ModelIndex | undefined;
  /** The datamodel after the operation. */
  readonly next: ModelIndex | undefined;
}
