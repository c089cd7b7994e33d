import { type DifferenceNoteCode, isInstanceOnly, isSetByInstance } from '../compare/itemChange.ts';
import type { ItemKind } from '../item.ts';

/** The parts of a note of a comparison that are needed to count it. */
interface CountedNote {
  readonly code: string;
  /** The text of the item's key. */
  readonly item: string;
}

/** The kinds of what only an instance can have, in the order in which they are counted. */
export const allInstanceOnlyKinds = [
  'datamodel',
  'dataset',
  'table',
  'column',
  'property',
  'tableExpression',
  'columnExpression',
  'relation',
  'rules',
  'viewpoint',
  'cubeSetRules',
  'customData',
] as const satisfies readonly (ItemKind | 'column' | 'property')[];

/** The kind of an item, of a column of a table, or of a property of an item or column. */
export type InstanceOnlyKind = (typeof allInstanceOnlyKinds)[number];

/** What an apply leaves different. */
export interface RemainingDifferences {
  /** The number of items with a difference that no request removes. */
  readonly itemCount: number;
  /** The number of these items that have more on the instance than in the project, which a pull adds. */
  readonly itemsToPullCount: number;
  /** The kinds of the items, columns, and properties that only the instance has. */
  readonly extraItemKinds: readonly InstanceOnlyKind[];
  /** The number of connections and generated columns that differ because each instance sets them itself. */
  readonly setByInstanceCount: number;
}

const remainingCodes: ReadonlySet<string> = new Set<DifferenceNoteCode>([
  'not-writable',
  'not-removable',
  'generated-column',
  'unknown-party-type',
  'added',
]);

/** Returns whether a note is about a difference that no request removes. */
export const staysDifferent = ({ code }: { readonly code: string }): boolean => remainingCodes.has(code);

/**
 * Counts what an apply leaves different.
 * @param extras the kinds of the items and columns that only the instance has; its properties are in the notes
 */
export const countRemaining = (
  notes: readonly CountedNote[],
  extras: readonly InstanceOnlyKind[],
): RemainingDifferences => ({
  itemCount: countItems(notes.filter(staysDifferent)),
  itemsToPullCount: countItems(notes.filter(({ code }) => code === 'added')),
  extraItemKinds: [...extras, ...notes.filter(isInstanceOnly).map(() => 'property' as const)],
  setByInstanceCount: notes.filter(isSetByInstance).length,
});

const countItems = (notes: readonly CountedNote[]): number => new Set(notes.map(({ item }) => item)).size;
