import type { ItemKey } from '../item.ts';
import type { MergeResult } from './composeFiles.ts';
import type { Decision } from './decideUnit.ts';
import type { MergeUnit } from './mergeUnits.ts';

/** What happens to each unit. */
export type Decisions = Map<MergeUnit, Decision>;

/** Returns the units with a kind of decision. */
export const selectUnits = (decisions: Decisions, kind: Decision['kind']): readonly MergeUnit[] =>
  [...decisions].flatMap(([unit, decision]) => (decision.kind === kind ? [unit] : []));

/** Returns the units that are merged: those that get new contents, and those whose contents stay the same. */
export const getMergeResults = (decisions: Decisions): readonly MergeResult[] =>
  [...decisions].flatMap(([unit, decision]) =>
    decision.kind === 'merged' ? [{ unit, contents: decision.contents }] : [],
  );

/** Returns the keys of all units that are compared: all except those that only the project has. */
export const listComparedKeys = (decisions: Decisions): readonly ItemKey[] =>
  [...decisions].flatMap(([{ owner }, { kind }]) =>
    kind === 'local' && owner.theirs === undefined && owner.base === undefined ? [] : [owner.key],
  );
