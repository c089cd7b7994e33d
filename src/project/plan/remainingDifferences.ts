import { type DifferenceNoteCode, isSetByInstance } from '../compare/itemChange.ts';

/** A note of a comparison, as far as it is counted here. */
interface CountedNote {
  readonly code: string;
  /** The text of the item's key. */
  readonly item: string;
}

/** What an apply leaves different. */
export interface RemainingDifferences {
  /** The number of items with a difference that no request removes. */
  readonly itemCount: number;
  /** The number of items and columns that only the instance has. */
  readonly extraCount: number;
  /** The number of connections, and of generated columns, that the instance has in its own way. */
  readonly ownCount: number;
}

const remainingCodes: ReadonlySet<string> = new Set<DifferenceNoteCode>([
  'not-writable',
  'generated-column',
  'unknown-party-type',
]);

/** Returns whether a note is about a difference that no request removes. */
export const staysDifferent = ({ code }: { readonly code: string }): boolean => remainingCodes.has(code);

/** Counts what an apply leaves different. */
export const countRemaining = (
  notes: readonly CountedNote[],
  extras: readonly unknown[],
): RemainingDifferences => ({
  itemCount: new Set(notes.filter(staysDifferent).map(({ item }) => item)).size,
  extraCount: extras.length,
  ownCount: notes.filter(isSetByInstance).length,
});
