import type { ModelIndex } from './modelIndex.ts';
import type { Plan } from './plan.ts';
import type { Documents } from './snapshot.ts';

/** What a write does by itself. */
export type Effects = Pick<Plan, 'created' | 'changed' | 'deleted'>;

export const noEffects: Effects = { created: [], changed: [], deleted: [] };

/** What effects are told from. */
export interface EffectSources {
  readonly documents: Documents;
  /** The datamodel of the write before the operation, where it is known whole. */
  readonly now: ModelIndex | undefined;
  /** And after the operation. */
  readonly next: ModelIndex | undefined;
}
