import {
  findMeaningChanges,
  diagnose,
  type Meaning,
  type RenameConflict,
  findCatalogUsages,
} from '../../sql/language.ts';
import type { IndexedTable, IndexedExpression, ModelIndex, Resolved } from '../model/modelIndex.ts';
import type { Break, BreakReason } from '../model/plan.ts';
import { createColumnSubject, createTableSubject } from '../model/subjects.ts';

/** Returns whether an expression whose SQL changes must keep its meaning. */
export type IsJudged = (expression: IndexedExpression) => boolean;

/**
 * Finds the names in SQL expressions that resolve differently, or no longer, after an operation: SQL refers to tables
 * and columns by name (rest-api.md, "Table" and "Datamodel API" 5).
 */
export function findExpressionBreaks(
  now: ModelIndex,
  next: ModelIndex,
  isJudged: IsJudged,
): readonly Break[] {
  const texts = new Map(now.expressions().map((expression) => [getKey(expression), expression.text]));
  return next.expressions().flatMap((expression): readonly Break[] => {
    const before = findOwner(now, expression);
    if (before === undefined) {
      return [];
    }
    const by = {
      by: expression.column === undefined ? 'tableExpression' : 'columnExpression',
      referrer:
        expression.column === undefined
          ? createTableSubject(expression.table, next)
          : createColumnSubject(expression.column, next),
    } as const;
    const text = texts.get(getKey(expression));
    const found =
      text !== undefined && (text === expression.text || isJudged(expression))
        ? findChangedMeanings({ ...before, text }, expression, { now, next })
        : findLostUses(expression, before, { now, next });
    return found.map((one) => ({ ...by, ...one }));
  });
}

type FoundBreak = Omit<Break, 'by' | 'referrer'>;

interface IndexPair {
  readonly now: ModelIndex;
  readonly next: ModelIndex;
}

/** Finds the references in an expression that will no longer resolve to the same target. */
function findChangedMeanings(
  before: IndexedExpression,
  after: IndexedExpression,
  { now, next }: IndexPair,
): readonly FoundBreak[] {
  const reading = (expression: IndexedExpression, index: ModelIndex) => ({
    text: expression.text,
    context: index.context(expression),
    getIdentity: (use: Parameters<ModelIndex['findByUse']>[0]) => {
      const found = index.findByUse(use);
      return found && JSON.stringify([found.table.id, found.column?.id]);
    },
  });
  // A name that doesn't resolve before the operation can't break.
  return findMeaningChanges(reading(before, now), reading(after, next))
    .filter(({ kind, before: { kind: stoodFor } }) => kind !== 'captured' || stoodFor !== 'nothing')
    .map((conflict) => toFoundBreak(conflict, { now, next }));
}

const reasons: Readonly<Record<RenameConflict['kind'], BreakReason>> = {
  captured: 'captured',
  twice: 'twice',
  joined: 'joined',
  unreadable: 'unreadable',
};

function toFoundBreak({ kind, name, before, after }: RenameConflict, sides: IndexPair): FoundBreak {
  const known = [before, after].find((one) => one.kind === 'table' || one.kind === 'column');
  const names = known === undefined ? { table: name } : getNames(known, sides);
  if (kind === 'captured' && after.kind === 'nothing') {
    return { names, reason: 'missing' };
  }
  if (kind === 'captured' && after.kind === 'several') {
    return { names, reason: 'ambiguous' };
  }
  const instead = after.table === undefined ? after.name : `${after.table}.${after.name}`;
  return { names, reason: reasons[kind], ...(kind === 'captured' ? { instead } : {}) };
}

/** Returns the name of a table or column; for a column of a deleted table, only that of the table. */
function getNames({ kind, name, table }: Meaning, { now, next }: IndexPair): Break['names'] {
  if (kind !== 'column' || table === undefined) {
    return { table: name };
  }
  const id = now.tables.find((one) => one.name === table)?.id;
  return id !== undefined && next.table(id) === undefined ? { table } : { table, column: name };
}

/**
 * Finds the references in SQL that the user has edited that resolve before the operation but not after it: resolves
 * them with the names from before and with those from after.
 */
function findLostUses(
  expression: IndexedExpression,
  owner: Resolved,
  { now, next }: IndexPair,
): readonly FoundBreak[] {
  const { text } = expression;
  // One name may refer to several columns: in USING, to one of each side.
  const tomorrow = new Set(
    findCatalogUsages(text, next.context(expression)).map((use) => getPlaceKey(use, next.findByUse(use))),
  );
  const ambiguous = getErrorOffsets(text, next.context(expression));
  const known = getErrorOffsets(text, now.context(owner));
  return findCatalogUsages(text, now.context(owner)).flatMap((use): readonly FoundBreak[] => {
    const named = now.findByUse(use);
    if (named === undefined || tomorrow.has(getPlaceKey(use, named))) {
      return [];
    }
    const { table, column } = named;
    const isGone = next.table(table.id) === undefined;
    const names =
      column === undefined || isGone ? { table: table.name } : { table: table.name, column: column.name };
    return [{ names, reason: ambiguous.has(use.start) && !known.has(use.start) ? 'ambiguous' : 'missing' }];
  });
}

const getErrorOffsets = (text: string, context: Parameters<typeof diagnose>[1]): ReadonlySet<number> =>
  new Set(
    diagnose(text, context)
      .filter(({ code }) => code === 'ambiguous-column')
      .map(({ start }) => start),
  );

const getPlaceKey = ({ start }: { readonly start: number }, named: Resolved | undefined): string =>
  JSON.stringify([start, named?.table.id, named?.column?.id]);

const getKey = ({ table, column }: Resolved): string => JSON.stringify([table.id, column?.id]);

/** Returns the table or column before the operation whose expression this is; `undefined` if it is new. */
function findOwner(now: ModelIndex, { table, column }: IndexedExpression): Resolved | undefined {
  const own: IndexedTable | undefined = now.table(table.id);
  if (own === undefined || column === undefined) {
    return own && { table: own };
  }
  const before = now.column(table.id, column.id);
  return before && { table: own, column: before };
}
