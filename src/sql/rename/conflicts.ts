import { toNameKey, type SqlSymbol } from '../scope/symbols.ts';
import type { Extent, SqlName } from '../syntax/tree.ts';
import { alignTexts } from './alignment.ts';
import { type NameMeanings, resolveMeanings, type ChangeSide } from './meanings.ts';
import type { OffsetMapping } from './offsetMapping.ts';

/** What a name refers to, for messages. `nothing`: no known table or column. `several`: ambiguous. */
export interface Meaning {
  readonly kind: 'table' | 'column' | 'alias' | 'cte' | 'result' | 'nothing' | 'several';
  readonly name: string;
  /** The table of a column. */
  readonly table?: string;
  /** Offset of the declaration in the text before the change. */
  readonly start?: number;
}

/**
 * A position whose meaning a rename would change. `captured`: a name refers to something else. `twice`: a name is
 * duplicated. `joined`: a NATURAL JOIN or USING joins different columns. `unreadable`: the text can no longer be
 * parsed.
 */
export interface RenameConflict extends Extent {
  readonly kind: 'captured' | 'twice' | 'joined' | 'unreadable';
  /** The name at the position before the change. */
  readonly name: string;
  readonly before: Meaning;
  readonly after: Meaning;
}

const NOTHING: Meaning = { kind: 'nothing', name: '' };
const SEVERAL: Meaning = { kind: 'several', name: '' };

/**
 * Finds all positions whose meaning changes, by comparing what the names refer to before and after the change. The most
 * important conflicts come first. If there are none, all names refer to the same things as before, including columns of
 * stars and joins.
 */
export function findRenameConflicts(
  before: ChangeSide,
  after: ChangeSide,
  placement: OffsetMapping,
): readonly RenameConflict[] {
  const now = resolveMeanings(before, (offset) => placement.toAfter(offset));
  const then = resolveMeanings(after, (offset) =>
    placement.toBefore(offset) === undefined ? undefined : offset,
  );
  const keepOffset = (offset: number): number => offset;
  const toBeforeOffset = (offset: number): number | undefined => placement.toBefore(offset);
  const found = new Map<number, RenameConflict>();
  const add = (conflict: RenameConflict): void => {
    if (!found.has(conflict.start)) {
      found.set(conflict.start, conflict);
    }
  };
  const nameAt = ({ start, end }: Extent): string => before.text.slice(start, end);
  for (const [at, binding] of now.bindings) {
    const other = then.bindings.get(at);
    const circle = binding.shadowingCte === undefined ? other?.shadowingCte : undefined;
    if (other?.key !== binding.key || circle !== undefined) {
      add({
        ...toExtent(binding),
        kind: isMergedKey(binding.key) ? 'joined' : 'captured',
        name: nameAt(binding),
        before: getMeaning(binding.symbol, keepOffset),
        after:
          other === undefined
            ? getLostMeaning(then, at)
            : getMeaning(
                circle === undefined ? other.symbol : { kind: 'cte', name: circle.name, cte: circle },
                toBeforeOffset,
              ),
      });
    }
  }
  for (const [at, binding] of then.bindings) {
    const start = toBeforeOffset(at);
    if (!now.bindings.has(at) && start !== undefined) {
      const extent = { start, end: start + (binding.end - binding.start) };
      add({
        ...extent,
        kind: isMergedKey(binding.key) ? 'joined' : 'captured',
        name: nameAt(extent),
        before: getLostMeaning(now, start),
        after: getMeaning(binding.symbol, toBeforeOffset),
      });
    }
  }
  addNewProblems(now, then, { placement, add, nameAt });
  for (const [index, { item, pairs }] of now.natural.entries()) {
    if (then.natural[index]?.pairs !== pairs) {
      const { start, end } = item.source;
      add({ start, end, kind: 'joined', name: nameAt(item.source), before: NOTHING, after: NOTHING });
    }
  }
  addDuplicateColumns(now, then, add);
  if (then.syntaxErrors.length > now.syntaxErrors.length || then.results.length !== now.results.length) {
    const start = toBeforeOffset(then.syntaxErrors[0]?.start ?? 0) ?? 0;
    add({ start, end: start, kind: 'unreadable', name: '', before: NOTHING, after: NOTHING });
  }
  return [...found.values()].sort((a, b) => getSortWeight(a) - getSortWeight(b) || a.start - b.start);
}

/**
 * Returns the sort weight, lowest for the most important conflicts: names that refer to something else, then names that
 * are unknown before or after the change, then all others.
 */
function getSortWeight({ kind, before, after }: RenameConflict): number {
  if (kind !== 'captured') {
    return 2;
  }
  return before.kind === 'nothing' || after.kind === 'nothing' ? 1 : 0;
}

/**
 * Finds the conflicts of a change for which only the texts before and after are known. Text that exists on only one
 * side is ignored, because the user wrote it deliberately.
 */
export const findMeaningChanges = (before: ChangeSide, after: ChangeSide): readonly RenameConflict[] =>
  findRenameConflicts(
    before,
    after,
    before.text === after.text ? identityMapping : alignTexts(before.text, after.text),
  );

const identityMapping: OffsetMapping = { toAfter: (offset) => offset, toBefore: (offset) => offset };

const toExtent = ({ start, end }: Extent): Extent => ({ start, end });

const isMergedKey = (key: string): boolean => key.startsWith('merged');

function getMeaning(symbol: SqlSymbol | undefined, place: (offset: number) => number | undefined): Meaning {
  const declared = (name: SqlName): Pick<Meaning, 'name' | 'start'> => {
    const start = place(name.start);
    return { name: name.text, ...(start === undefined ? {} : { start }) };
  };
  switch (symbol?.kind) {
    case 'table':
      return { kind: 'table', name: symbol.table.name };
    case 'column':
      return { kind: 'column', name: symbol.column.name, table: symbol.table.name };
    case 'alias':
    case 'cte':
      return { kind: symbol.kind, ...declared(symbol.name) };
    case 'output':
      return { kind: 'result', ...declared(symbol.name) };
    case undefined:
      return SEVERAL;
  }
}

/** Returns the meaning of a name that could not be resolved: ambiguous, or unknown. */
function getLostMeaning({ problems }: NameMeanings, at: number): Meaning {
  return problems.some(({ start, code }) => start === at && code === 'ambiguous-column') ? SEVERAL : NOTHING;
}

interface ComparisonSides {
  readonly placement: OffsetMapping;
  readonly add: (conflict: RenameConflict) => void;
  readonly nameAt: (extent: Extent) => string;
}

/** Adds conflicts for problems that exist only after the change. */
function addNewProblems(
  now: NameMeanings,
  then: NameMeanings,
  { placement, add, nameAt }: ComparisonSides,
): void {
  const known = new Set(now.problems.map(({ start }) => placement.toAfter(start)));
  for (const { start, end, code, name } of then.problems) {
    const at = placement.toBefore(start);
    if (at === undefined || known.has(start)) {
      continue;
    }
    const extent = { start: at, end: at + (end - start) };
    add({
      ...extent,
      kind: code === 'duplicate-alias' ? 'twice' : 'captured',
      name: code === 'duplicate-alias' ? name : nameAt(extent),
      before: NOTHING,
      after: code === 'ambiguous-column' ? SEVERAL : NOTHING,
    });
  }
}

/** Adds conflicts for output columns that get the same name as another one, including columns of a star. */
function addDuplicateColumns(now: NameMeanings, then: NameMeanings, add: ComparisonSides['add']): void {
  for (const [index, { select, shape }] of now.results.entries()) {
    const after = then.results[index]?.shape.columns ?? [];
    const firsts = new Map<string, number>();
    for (const [position, { name }] of after.entries()) {
      const key = toNameKey(name);
      const first = firsts.get(key) ?? position;
      firsts.set(key, first);
      const [one, other] = [shape.columns[first], shape.columns[position]];
      if (first !== position && key !== '' && one && other && toNameKey(one.name) !== toNameKey(other.name)) {
        const { start } = select;
        add({ start, end: start + 'SELECT'.length, kind: 'twice', name, before: NOTHING, after: NOTHING });
        break;
      }
    }
  }
}
