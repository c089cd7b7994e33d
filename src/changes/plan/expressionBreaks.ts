import {
  findMeaningChanges,
  diagnose,
  type Meaning,
  type RenameConflict,
  findCatalogUsages,
} from '../../sql/language.ts';
import type { IndexedTable, IndexedExpression, ModelIndex, ResolvedReference } from '../model/modelIndex.ts';
import type { BrokenReference, BreakReason } from '../model/plan.ts';
import { createColumnSubject, createTableSubject } from '../model/planSubjects.ts';

/** Returns whether an expression whose SQL changes must keep its meaning. */
export type MeaningPredicate = (expression: IndexedExpression) => boolean;

/**
 * Finds the names in SQL expressions that resolve differently, or no longer, after an operation: SQL refers to tables
 * and columns by name (rest-api.md, "Table" and "Datamodel API" 5).
 */
export function findExpressionBreaks(
  oldIndex: ModelIndex,
  newIndex: ModelIndex,
  mustKeepMeaning: MeaningPredicate,
): readonly BrokenReference[] {
  const texts = new Map(oldIndex.getExpressions().map((expression) => [getKey(expression), expression.text]));
  return newIndex.getExpressions().flatMap((expression): readonly BrokenReference[] => {
    const before = findOwner(oldIndex, expression);
    if (before === undefined) {
      return [];
    }
    const source = {
      referrerKind: expression.column === undefined ? 'tableExpression' : 'columnExpression',
      referrer:
        expression.column === undefined
          ? createTableSubject(expression.table, newIndex)
          : createColumnSubject(expression.column, newIndex),
    } as const;
    const text = texts.get(getKey(expression));
    const breaks =
      text !== undefined && (text === expression.text || mustKeepMeaning(expression))
        ? findChangedMeanings({ ...before, text }, expression, { oldIndex, newIndex })
        : findLostUsages(expression, before, { oldIndex, newIndex });
    return breaks.map((foundBreak) => ({ ...source, ...foundBreak }));
  });
}

type FoundBreak = Omit<BrokenReference, 'referrerKind' | 'referrer'>;

interface IndexPair {
  readonly oldIndex: ModelIndex;
  readonly newIndex: ModelIndex;
}

/** Finds the references in an expression that will no longer resolve to the same target. */
function findChangedMeanings(
  before: IndexedExpression,
  after: IndexedExpression,
  { oldIndex, newIndex }: IndexPair,
): readonly FoundBreak[] {
  const createInput = (expression: IndexedExpression, index: ModelIndex) => ({
    text: expression.text,
    context: index.getContext(expression),
    getIdentity: (usage: Parameters<ModelIndex['findByUsage']>[0]) => {
      const target = index.findByUsage(usage);
      return target && JSON.stringify([target.table.id, target.column?.id]);
    },
  });
  // A name that doesn't resolve before the operation can't break.
  return findMeaningChanges(createInput(before, oldIndex), createInput(after, newIndex))
    .filter(({ kind, before: { kind: oldKind } }) => kind !== 'captured' || oldKind !== 'nothing')
    .map((conflict) => toFoundBreak(conflict, { oldIndex, newIndex }));
}

const reasons: Readonly<Record<RenameConflict['kind'], BreakReason>> = {
  captured: 'captured',
  duplicate: 'duplicate',
  joined: 'joined',
  unreadable: 'unreadable',
};

function toFoundBreak({ kind, name, before, after }: RenameConflict, indexes: IndexPair): FoundBreak {
  const resolved = [before, after].find((meaning) => meaning.kind === 'table' || meaning.kind === 'column');
  const names = resolved === undefined ? { table: name } : getNames(resolved, indexes);
  if (kind === 'captured' && after.kind === 'nothing') {
    return { names, reason: 'missing' };
  }
  if (kind === 'captured' && after.kind === 'ambiguous') {
    return { names, reason: 'ambiguous' };
  }
  const capturedBy = after.table === undefined ? after.name : `${after.table}.${after.name}`;
  return { names, reason: reasons[kind], ...(kind === 'captured' ? { capturedBy } : {}) };
}

/** Returns the name of a table or column; for a column of a deleted table, only that of the table. */
function getNames(
  { kind, name, table }: Meaning,
  { oldIndex, newIndex }: IndexPair,
): BrokenReference['names'] {
  if (kind !== 'column' || table === undefined) {
    return { table: name };
  }
  const id = oldIndex.tables.find((indexedTable) => indexedTable.name === table)?.id;
  return id !== undefined && newIndex.getTable(id) === undefined ? { table } : { table, column: name };
}

/**
 * Finds the references in SQL edited by the user that resolve before the operation but not after it: resolves them with
 * the names from before and with those from after.
 */
function findLostUsages(
  expression: IndexedExpression,
  owner: ResolvedReference,
  { oldIndex, newIndex }: IndexPair,
): readonly FoundBreak[] {
  const { text } = expression;
  // One name may refer to several columns: a name in USING refers to a column on each side of the join.
  const remainingKeys = new Set(
    findCatalogUsages(text, newIndex.getContext(expression)).map((usage) =>
      getUsageKey(usage, newIndex.findByUsage(usage)),
    ),
  );
  const ambiguousAfter = getAmbiguousOffsets(text, newIndex.getContext(expression));
  const ambiguousBefore = getAmbiguousOffsets(text, oldIndex.getContext(owner));
  return findCatalogUsages(text, oldIndex.getContext(owner)).flatMap((usage): readonly FoundBreak[] => {
    const target = oldIndex.findByUsage(usage);
    if (target === undefined || remainingKeys.has(getUsageKey(usage, target))) {
      return [];
    }
    const { table, column } = target;
    const isGone = newIndex.getTable(table.id) === undefined;
    const names =
      column === undefined || isGone ? { table: table.name } : { table: table.name, column: column.name };
    return [
      {
        names,
        reason:
          ambiguousAfter.has(usage.start) && !ambiguousBefore.has(usage.start) ? 'ambiguous' : 'missing',
      },
    ];
  });
}

const getAmbiguousOffsets = (text: string, context: Parameters<typeof diagnose>[1]): ReadonlySet<number> =>
  new Set(
    diagnose(text, context)
      .filter(({ code }) => code === 'ambiguous-column')
      .map(({ start }) => start),
  );

const getUsageKey = ({ start }: { readonly start: number }, target: ResolvedReference | undefined): string =>
  JSON.stringify([start, target?.table.id, target?.column?.id]);

const getKey = ({ table, column }: ResolvedReference): string => JSON.stringify([table.id, column?.id]);

/** Returns the table or column that had the expression before the operation; `undefined` if it is new. */
function findOwner(
  oldIndex: ModelIndex,
  { table, column }: IndexedExpression,
): ResolvedReference | undefined {
  const indexedTable: IndexedTable | undefined = oldIndex.getTable(table.id);
  if (indexedTable === undefined || column === undefined) {
    return indexedTable && { table: indexedTable };
  }
  const before = oldIndex.getColumn(table.id, column.id);
  return before && { table: indexedTable, column: before };
}
