import { changedMeanings, diagnose, type Meaning, type RenameConflict, usesOf } from '../../sql/language.ts';
import type { IndexedTable, ModelExpression, ModelIndex, Resolved } from '../model/modelIndex.ts';
import type { Break, BreakReason } from '../model/plan.ts';
import { columnSubject, tableSubject } from '../model/subjects.ts';

/** Whether the changed SQL of an expression is to mean afterwards what it meant before. */
export type IsJudged = (expression: ModelExpression) => boolean;

/** SQL names tables and columns by their names (spec, "Table", Datamodel rule 5): what it names no longer, or otherwise. */
export function expressionBreaks(now: ModelIndex, next: ModelIndex, isJudged: IsJudged): readonly Break[] {
  const texts = new Map(now.expressions().map((expression) => [keyOf(expression), expression.text]));
  return next.expressions().flatMap((expression): readonly Break[] => {
    const before = ownerIn(now, expression);
    if (before === undefined) {
      return [];
    }
    const by = {
      by: expression.column === undefined ? 'tableExpression' : 'columnExpression',
      referrer:
        expression.column === undefined
          ? tableSubject(expression.table, next)
          : columnSubject(expression.column, next),
    } as const;
    const text = texts.get(keyOf(expression));
    const found =
      text !== undefined && (text === expression.text || isJudged(expression))
        ? otherMeanings({ ...before, text }, expression, { now, next })
        : lostUses(expression, before, { now, next });
    return found.map((one) => ({ ...by, ...one }));
  });
}

type Found = Omit<Break, 'by' | 'referrer'>;

interface Sides {
  readonly now: ModelIndex;
  readonly next: ModelIndex;
}

/** What the names of a text stood for and will not stand for any more. */
function otherMeanings(
  before: ModelExpression,
  after: ModelExpression,
  { now, next }: Sides,
): readonly Found[] {
  const reading = (expression: ModelExpression, index: ModelIndex) => ({
    text: expression.text,
    context: index.context(expression),
    identify: (use: Parameters<ModelIndex['used']>[0]) => {
      const found = index.used(use);
      return found && JSON.stringify([found.table.id, found.column?.id]);
    },
  });
  // What stood for nothing does not work today: that it stands for something then breaks nothing.
  return changedMeanings(reading(before, now), reading(after, next))
    .filter(({ kind, before: { kind: stoodFor } }) => kind !== 'captured' || stoodFor !== 'nothing')
    .map((conflict) => foundOf(conflict, { now, next }));
}

const reasons: Readonly<Record<RenameConflict['kind'], BreakReason>> = {
  captured: 'captured',
  twice: 'twice',
  joined: 'joined',
  unreadable: 'unreadable',
};

function foundOf({ kind, name, before, after }: RenameConflict, sides: Sides): Found {
  const known = [before, after].find((one) => one.kind === 'table' || one.kind === 'column');
  const names = known === undefined ? { table: name } : namesOf(known, sides);
  if (kind === 'captured' && after.kind === 'nothing') {
    return { names, reason: 'missing' };
  }
  if (kind === 'captured' && after.kind === 'several') {
    return { names, reason: 'ambiguous' };
  }
  const instead = after.table === undefined ? after.name : `${after.table}.${after.name}`;
  return { names, reason: reasons[kind], ...(kind === 'captured' ? { instead } : {}) };
}

/** Of a table that is gone its columns are not told one by one. */
function namesOf({ kind, name, table }: Meaning, { now, next }: Sides): Break['names'] {
  if (kind !== 'column' || table === undefined) {
    return { table: name };
  }
  const id = now.tables.find((one) => one.name === table)?.id;
  return id !== undefined && next.table(id) === undefined ? { table } : { table, column: name };
}

/** What a person's new text names that is there today and will not be: read with the names of today and of tomorrow. */
function lostUses(expression: ModelExpression, owner: Resolved, { now, next }: Sides): readonly Found[] {
  const { text } = expression;
  // One place may name several columns: USING names one of either side.
  const tomorrow = new Set(
    usesOf(text, next.context(expression)).map((use) => placeKey(use, next.used(use))),
  );
  const ambiguous = placesOf(text, next.context(expression));
  const known = placesOf(text, now.context(owner));
  return usesOf(text, now.context(owner)).flatMap((use): readonly Found[] => {
    const named = now.used(use);
    if (named === undefined || tomorrow.has(placeKey(use, named))) {
      return [];
    }
    const { table, column } = named;
    const isGone = next.table(table.id) === undefined;
    const names =
      column === undefined || isGone ? { table: table.name } : { table: table.name, column: column.name };
    return [{ names, reason: ambiguous.has(use.start) && !known.has(use.start) ? 'ambiguous' : 'missing' }];
  });
}

const placesOf = (text: string, context: Parameters<typeof diagnose>[1]): ReadonlySet<number> =>
  new Set(
    diagnose(text, context)
      .filter(({ code }) => code === 'ambiguous-column')
      .map(({ start }) => start),
  );

const placeKey = ({ start }: { readonly start: number }, named: Resolved | undefined): string =>
  JSON.stringify([start, named?.table.id, named?.column?.id]);

const keyOf = ({ table, column }: Resolved): string => JSON.stringify([table.id, column?.id]);

/** The table or column before the operation whose expression it is; nothing for one that is new. */
function ownerIn(now: ModelIndex, { table, column }: ModelExpression): Resolved | undefined {
  const own: IndexedTable | undefined = now.table(table.id);
  if (own === undefined || column === undefined) {
    return own && { table: own };
  }
  const before = now.column(table.id, column.id);
  return before && { table: own, column: before };
}
