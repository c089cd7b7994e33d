import { keyOf, type SqlSymbol } from '../scope/symbols.ts';
import type { Extent, Name } from '../syntax/tree.ts';
import { alignmentOf } from './alignment.ts';
import { type Meanings, meaningsOf, type Reading } from './meanings.ts';
import type { Placement } from './placement.ts';

/** What a name means, for people. `nothing`: no table or column that is known; `several`: more than one. */
export interface Meaning {
  readonly kind: 'table' | 'column' | 'alias' | 'cte' | 'result' | 'nothing' | 'several';
  readonly name: string;
  /** The table of a column. */
  readonly table?: string;
  /** Where the text before the change declares it. */
  readonly start?: number;
}

/**
 * A place whose meaning a change of names would change. `captured`: a name means something else; `twice`: two things
 * get one name; `joined`: a NATURAL JOIN or USING joins other columns; `unreadable`: the text cannot be read any more.
 */
export interface RenameConflict extends Extent {
  readonly kind: 'captured' | 'twice' | 'joined' | 'unreadable';
  /** What is written there before the change. */
  readonly name: string;
  readonly before: Meaning;
  readonly after: Meaning;
}

const NOTHING: Meaning = { kind: 'nothing', name: '' };
const SEVERAL: Meaning = { kind: 'several', name: '' };

/**
 * Every place that means something else after a change of names, the most telling first, by comparing what all names
 * of both texts mean. Where it is empty, the names of both texts are bound alike, through stars and joins too.
 */
export function conflictsBetween(
  before: Reading,
  after: Reading,
  placement: Placement,
): readonly RenameConflict[] {
  const now = meaningsOf(before, (offset) => placement.toAfter(offset));
  const then = meaningsOf(after, (offset) => (placement.toBefore(offset) === undefined ? undefined : offset));
  const stay = (offset: number): number => offset;
  const back = (offset: number): number | undefined => placement.toBefore(offset);
  const found = new Map<number, RenameConflict>();
  const add = (conflict: RenameConflict): void => {
    if (!found.has(conflict.start)) {
      found.set(conflict.start, conflict);
    }
  };
  const nameAt = ({ start, end }: Extent): string => before.text.slice(start, end);
  for (const [at, binding] of now.bindings) {
    const other = then.bindings.get(at);
    const circle = binding.circle === undefined ? other?.circle : undefined;
    if (other?.key !== binding.key || circle !== undefined) {
      add({
        ...extentOf(binding),
        kind: isJoin(binding.key) ? 'joined' : 'captured',
        name: nameAt(binding),
        before: meaningOf(binding.symbol, stay),
        after:
          other === undefined
            ? lostMeaning(then, at)
            : meaningOf(
                circle === undefined ? other.symbol : { kind: 'cte', name: circle.name, cte: circle },
                back,
              ),
      });
    }
  }
  for (const [at, binding] of then.bindings) {
    const start = back(at);
    if (!now.bindings.has(at) && start !== undefined) {
      const extent = { start, end: start + (binding.end - binding.start) };
      add({
        ...extent,
        kind: isJoin(binding.key) ? 'joined' : 'captured',
        name: nameAt(extent),
        before: lostMeaning(now, start),
        after: meaningOf(binding.symbol, back),
      });
    }
  }
  addProblems(now, then, { placement, add, nameAt });
  for (const [index, { item, pairs }] of now.natural.entries()) {
    if (then.natural[index]?.pairs !== pairs) {
      const { start, end } = item.source;
      add({ start, end, kind: 'joined', name: nameAt(item.source), before: NOTHING, after: NOTHING });
    }
  }
  addTwins(now, then, add);
  if (then.faults.length > now.faults.length || then.results.length !== now.results.length) {
    const start = back(then.faults[0]?.start ?? 0) ?? 0;
    add({ start, end: start, kind: 'unreadable', name: '', before: NOTHING, after: NOTHING });
  }
  return [...found.values()].sort((a, b) => weight(a) - weight(b) || a.start - b.start);
}

/** What tells a person most comes first: a name with two meanings before what follows from it. */
function weight({ kind, before, after }: RenameConflict): number {
  if (kind !== 'captured') {
    return 2;
  }
  return before.kind === 'nothing' || after.kind === 'nothing' ? 1 : 0;
}

/**
 * {@link conflictsBetween} for a change that is known by its two texts alone: what a plan knows of an expression.
 * What only one of the texts says is not judged: it was written by a person.
 */
export const changedMeanings = (before: Reading, after: Reading): readonly RenameConflict[] =>
  conflictsBetween(
    before,
    after,
    before.text === after.text ? samePlaces : alignmentOf(before.text, after.text),
  );

const samePlaces: Placement = { toAfter: (offset) => offset, toBefore: (offset) => offset };

const extentOf = ({ start, end }: Extent): Extent => ({ start, end });

const isJoin = (key: string): boolean => key.startsWith('merged');

function meaningOf(symbol: SqlSymbol | undefined, place: (offset: number) => number | undefined): Meaning {
  const declared = (name: Name): Pick<Meaning, 'name' | 'start'> => {
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

/** What a name means that names nothing. */
function lostMeaning({ problems }: Meanings, at: number): Meaning {
  return problems.some(({ start, code }) => start === at && code === 'ambiguous-column') ? SEVERAL : NOTHING;
}

interface Sides {
  readonly placement: Placement;
  readonly add: (conflict: RenameConflict) => void;
  readonly nameAt: (extent: Extent) => string;
}

/** What is wrong after the change and was not before. */
function addProblems(now: Meanings, then: Meanings, { placement, add, nameAt }: Sides): void {
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

/** Columns of one result that get the same name, be it through a star. */
function addTwins(now: Meanings, then: Meanings, add: Sides['add']): void {
  for (const [index, { select, shape }] of now.results.entries()) {
    const after = then.results[index]?.shape.columns ?? [];
    const firsts = new Map<string, number>();
    for (const [position, { name }] of after.entries()) {
      const key = keyOf(name);
      const first = firsts.get(key) ?? position;
      firsts.set(key, first);
      const [one, other] = [shape.columns[first], shape.columns[position]];
      if (first !== position && key !== '' && one && other && keyOf(one.name) !== keyOf(other.name)) {
        const { start } = select;
        add({ start, end: start + 'SELECT'.length, kind: 'twice', name, before: NOTHING, after: NOTHING });
        break;
      }
    }
  }
}
