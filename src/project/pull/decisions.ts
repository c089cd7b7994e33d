import type { ItemKey } from '../item.ts';
import type { MergedUnit } from './composeFiles.ts';
import type { Decision } from './decideUnit.ts';
import type { PullUnit } from './pullUnits.ts';

/** What happens to each unit: the items that a pull decides on together, such as a table with its SQL. */
export type Decisions = Map<PullUnit, Decision>;

/** Returns the units with a kind of decision. */
export const selectUnits = (decisions: Decisions, kind: Decision['kind']): readonly PullUnit[] =>
  [...decisions].flatMap(([unit, decision]) => (decision.kind === kind ? [unit] : []));

/**
 * Returns the units whose lock entries are updated: those that get new contents, and those whose contents stay the
 * same.
 */
export const getMergedUnits = (decisions: Decisions): readonly MergedUnit[] =>
  [...decisions].flatMap(([unit, decision]) =>
    decision.kind === 'merged' ? [{ unit, contents: decision.contents }] : [],
  );

/** Returns the keys of all units, except those that only the project has, and that are left alone. */
export const listDecidedKeys = (decisions: Decisions): readonly ItemKey[] =>
  [...decisions].flatMap(([{ owner }, { kind }]) =>
    kind === 'local' && owner.theirs === undefined && owner.base === undefined ? [] : [owner.key],
  );
