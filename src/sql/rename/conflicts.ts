import { toNameKey, type SqlSymbol } from '../scope/symbols.ts';
import { lexBounded } from '../syntax/parser.ts';
import type { TextRange, SqlName } from '../syntax/tree.ts';
import { alignTexts } from './alignTexts.ts';
import { type NameMeanings, resolveMeanings, type ChangeSide } from './meanings.ts';
import type { OffsetMapping } from './offsetMapping.ts';

/** What a name refers to, for messages. `nothing`: no known table or column. */
export interface Meaning {
  readonly kind: 'table' | 'column' | 'alias' | 'cte' | 'result' | 'nothing' | 'ambiguous';
  readonly name: string;
  /** The table of a column. */
  readonly table?: string;
  /** Offset of the declaration in the text before the change. */
  readonly start?: number;
}

/**
 * A position whose meaning a rename would change. `captured`: a name refers to something else. `duplicate`: a name is
 * used twice. `joined`: a NATURAL JOIN or USING joins different columns. `unreadable`: the text can no longer be
 * parsed, or has a different number of queries.
 */
export interface RenameConflict extends TextRange {
  readonly kind: 'captured' | 'duplicate' | 'joined' | 'unreadable';
  /** The name at the position before the change. */
  readonly name: string;
  readonly before: Meaning;
  readonly after: Meaning;
}

const NOTHING: Meaning = { kind: 'nothing', name: '' };
const AMBIGUOUS: Meaning = { kind: 'ambiguous', name: '' };

/**
 * Finds all positions whose meaning changes, by comparing what the names refer to before and after the change. The most
 * important conflicts come first. If there are none, all names still refer to the same symbols, including columns of
 * stars and joins.
 */
export function findRenameConflicts(
  before: ChangeSide,
  after: ChangeSide,
  mapping: OffsetMapping,
): readonly RenameConflict[] {
  const meaningsBefore = resolveMeanings(before, (offset) => mapping.toAfter(offset));
  const meaningsAfter = resolveMeanings(after, (offset) =>
    mapping.toBefore(offset) === undefined ? undefined : offset,
  );
  // The bindings of both sides are keyed by the offset after the change.
  const keepOffset = (offset: number): number => offset;
  const toBeforeOffset = (offset: number): number | undefined => mapping.toBefore(offset);
  const conflicts = new Map<number, RenameConflict>();
  const add = (conflict: RenameConflict): void => {
    if (!conflicts.has(conflict.start)) {
      conflicts.set(conflict.start, conflict);
    }
  };
  const getNameAt = ({ start, end }: TextRange): string => before.text.slice(start, end);
  const toNameRange = createNameRangeLookup(before.text);
  for (const [offset, binding] of meaningsBefore.bindings) {
    const bindingAfter = meaningsAfter.bindings.get(offset);
    const shadowingCte = binding.shadowingCte === undefined ? bindingAfter?.shadowingCte : undefined;
    if (bindingAfter?.key !== binding.key || shadowingCte !== undefined) {
      add({
        ...toTextRange(binding),
        kind: isMergedKey(binding.key) ? 'joined' : 'captured',
        name: getNameAt(binding),
        before: getMeaning(binding.symbol, keepOffset),
        after:
          bindingAfter === undefined || isUnknownColumn(meaningsAfter, offset)
            ? getProblemMeaning(meaningsAfter, offset)
            : getMeaning(
                shadowingCte === undefined
                  ? bindingAfter.symbol
                  : { kind: 'cte', name: shadowingCte.name, cte: shadowingCte },
                toBeforeOffset,
              ),
      });
    }
  }
  for (const [offset, binding] of meaningsAfter.bindings) {
    const start = toBeforeOffset(offset);
    if (!meaningsBefore.bindings.has(offset) && start !== undefined) {
      const range = toNameRange(start);
      add({
        ...range,
        kind: isMergedKey(binding.key) ? 'joined' : 'captured',
        name: getNameAt(range),
        before: getProblemMeaning(meaningsBefore, start),
        after: getMeaning(binding.symbol, toBeforeOffset),
      });
    }
  }
  addNewProblems(meaningsBefore, meaningsAfter, { mapping, add, getNameAt, toNameRange });
  for (const [index, { item, pairsKey }] of meaningsBefore.naturalJoins.entries()) {
    if (meaningsAfter.naturalJoins[index]?.pairsKey !== pairsKey) {
      const { start, end } = item.source;
      add({ start, end, kind: 'joined', name: getNameAt(item.source), before: NOTHING, after: NOTHING });
    }
  }
  addDuplicateColumns(meaningsBefore, meaningsAfter, add);
  if (
    meaningsAfter.syntaxErrors.length > meaningsBefore.syntaxErrors.length ||
    meaningsAfter.results.length !== meaningsBefore.results.length
  ) {
    const start = toBeforeOffset(meaningsAfter.syntaxErrors[0]?.start ?? 0) ?? 0;
    add({ start, end: start, kind: 'unreadable', name: '', before: NOTHING, after: NOTHING });
  }
  return [...conflicts.values()].sort((a, b) => getSortWeight(a) - getSortWeight(b) || a.start - b.start);
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

const toTextRange = ({ start, end }: TextRange): TextRange => ({ start, end });

/**
 * Returns a function that finds the range of the name that starts at an offset of a text. The ranges of the text after
 * the change can't be used, since the new name may have another length.
 */
function createNameRangeLookup(text: string): (start: number) => TextRange {
  let endsByStart: ReadonlyMap<number, number> | undefined;
  return (start) => {
    endsByStart ??= new Map([...lexBounded(text).tokens].map((token) => [token.start, token.end]));
    return { start, end: endsByStart.get(start) ?? start };
  };
}

const isMergedKey = (key: string): boolean => key.startsWith('merged');

function getMeaning(
  symbol: SqlSymbol | undefined,
  mapOffset: (offset: number) => number | undefined,
): Meaning {
  const toDeclaration = (name: SqlName): Pick<Meaning, 'name' | 'start'> => {
    const start = mapOffset(name.start);
    return { name: name.text, ...(start === undefined ? {} : { start }) };
  };
  switch (symbol?.kind) {
    case 'table':
      return { kind: 'table', name: symbol.table.name };
    case 'column':
      return { kind: 'column', name: symbol.column.name, table: symbol.table.name };
    case 'alias':
    case 'cte':
      return { kind: symbol.kind, ...toDeclaration(symbol.name) };
    case 'output':
      return { kind: 'result', ...toDeclaration(symbol.name) };
    case undefined:
      return AMBIGUOUS;
  }
}

/** Returns the meaning of a name that could not be resolved: ambiguous, or unknown. */
function getProblemMeaning({ problems }: NameMeanings, offset: number): Meaning {
  return problems.some(({ start, code }) => start === offset && code === 'ambiguous-column')
    ? AMBIGUOUS
    : NOTHING;
}

/** Whether a name is unknown, at least on one side of a join: a name in USING refers to a column of each. */
const isUnknownColumn = ({ problems }: NameMeanings, offset: number): boolean =>
  problems.some(({ start, code }) => start === offset && code === 'unknown-column');

interface ConflictCollector {
  readonly mapping: OffsetMapping;
  readonly add: (conflict: RenameConflict) => void;
  readonly getNameAt: (range: TextRange) => string;
  readonly toNameRange: (start: number) => TextRange;
}

/** Adds conflicts for problems that exist only after the change. */
function addNewProblems(
  meaningsBefore: NameMeanings,
  meaningsAfter: NameMeanings,
  { mapping, add, getNameAt, toNameRange }: ConflictCollector,
): void {
  const knownStarts = new Set(meaningsBefore.problems.map(({ start }) => mapping.toAfter(start)));
  for (const { start, code, name } of meaningsAfter.problems) {
    const offset = mapping.toBefore(start);
    if (offset === undefined || knownStarts.has(start)) {
      continue;
    }
    const range = toNameRange(offset);
    add({
      ...range,
      kind: code === 'duplicate-alias' ? 'duplicate' : 'captured',
      name: code === 'duplicate-alias' ? name : getNameAt(range),
      before: NOTHING,
      after: code === 'ambiguous-column' ? AMBIGUOUS : NOTHING,
    });
  }
}

/** Adds conflicts for output columns that get the same name as another one, including columns of a star. */
function addDuplicateColumns(
  meaningsBefore: NameMeanings,
  meaningsAfter: NameMeanings,
  add: ConflictCollector['add'],
): void {
  for (const [index, { select, shape }] of meaningsBefore.results.entries()) {
    const after = meaningsAfter.results[index]?.shape.columns ?? [];
    const firstPositions = new Map<string, number>();
    for (const [position, { name }] of after.entries()) {
      const key = toNameKey(name);
      const firstPosition = firstPositions.get(key) ?? position;
      firstPositions.set(key, firstPosition);
      const [firstColumn, currentColumn] = [shape.columns[firstPosition], shape.columns[position]];
      if (
        firstPosition !== position &&
        key !== '' &&
        firstColumn &&
        currentColumn &&
        toNameKey(firstColumn.name) !== toNameKey(currentColumn.name)
      ) {
        const { start } = select;
        add({
          start,
          end: start + 'SELECT'.length,
          kind: 'duplicate',
          name,
          before: NOTHING,
          after: NOTHING,
        });
        break;
      }
    }
  }
}
