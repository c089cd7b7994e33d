import type { Catalog } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { findOccurrenceAt, getOccurrences } from '../features/occurrences.ts';
import type { CatalogUsage } from '../features/catalogUsages.ts';
import { canBeUnquoted, needsQuotes } from '../quoting.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import { findRenameConflicts, type RenameConflict } from './conflicts.ts';
import { type NameEdit, createNameEdits, toTextEdits } from './nameEdit.ts';
import type { StyledText } from './nameStyle.ts';
import { createOffsetMapping } from './offsetMapping.ts';
import { renameInContext } from './renamedCatalog.ts';
import { isTarget, type RenameTarget } from './target.ts';
import { applyEdits, type TextEdit } from '../../base/textEdit.ts';

/** The edits of a rename, and the other places whose meaning they would change. */
export interface SymbolRename {
  readonly edits: readonly TextEdit[];
  /** Empty if all names keep their meanings. */
  readonly conflicts: readonly RenameConflict[];
}

/**
 * Returns the edits that a rename in the datamodel requires in one text. `newName` is raw; `context` holds the catalog
 * before the rename. Names that only look alike (aliases, CTEs, columns of other tables) stay.
 */
export function renameIn(
  text: string,
  target: RenameTarget,
  newName: string,
  context: ExpressionContext,
): readonly TextEdit[] {
  const occurrences = getOccurrences(text, context);
  const first = occurrences.find(({ symbol }) => isTarget(symbol, target));
  if (first === undefined) {
    return [];
  }
  const renaming = { before: { text, context, occurrences }, symbol: first.symbol, newName };
  return computeRename({ ...renaming, after: renameInContext(context, target, newName) }).edits;
}

/** A name that can be renamed: one that the text declares, or one of the datamodel. */
export interface RenameRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /**
   * The table or column of the datamodel that it names: that rename is a plan over all expressions. Absent for an
   * alias, a CTE, a column that the text names.
   */
  readonly target?: RenameTarget;
}

/** Returns the renamable name at the offset. */
export function renameRangeAt(
  text: string,
  offset: number,
  context: ExpressionContext,
): RenameRange | undefined {
  const at = findOccurrenceAt(getOccurrences(text, context), offset);
  if (at === undefined) {
    return undefined;
  }
  const { name, symbol } = at;
  const range = { start: name.start, end: name.end, text: name.text };
  switch (symbol.kind) {
    case 'table':
      return { ...range, target: { table: symbol.table.name } };
    case 'column':
      return { ...range, target: { table: symbol.table.name, column: symbol.column.name } };
    case 'alias':
    case 'cte':
    case 'output':
      return range;
  }
}

/**
 * Renames the alias, CTE or column that the text declares and the offset names; `undefined` when the name
 * belongs to the datamodel (that rename is a plan over all expressions) or means nothing.
 */
export function renameSymbolAt(
  text: string,
  offset: number,
  newName: string,
  context: ExpressionContext,
): SymbolRename | undefined {
  const occurrences = getOccurrences(text, context);
  const at = findOccurrenceAt(occurrences, offset);
  if (at === undefined || at.symbol.kind === 'table' || at.symbol.kind === 'column') {
    return undefined;
  }
  return computeRename({
    before: { text, context, occurrences },
    symbol: at.symbol,
    newName,
    after: context,
  });
}

interface RenameRequest {
  readonly before: StyledText;
  readonly symbol: SqlSymbol;
  readonly newName: string;
  /** The context of the text after the rename. */
  readonly after: ExpressionContext;
}

/**
 * Returns the smallest possible edits: quotes are omitted, and columns left bare, if the text means the same without
 * them.
 */
function computeRename(renaming: RenameRequest): SymbolRename {
  const { before, symbol, newName } = renaming;
  const written = (careful: boolean, qualified: ReadonlySet<number>): RenameAttempt => {
    const edits = createNameEdits(before, symbol, { newName, careful, qualified });
    return { edits, conflicts: getConflicts(renaming, edits) };
  };
  let best = written(false, new Set());
  const attempt = (careful: boolean, qualified: ReadonlySet<number>): void => {
    const other = best.conflicts.length === 0 ? best : written(careful, qualified);
    best = other.conflicts.length < best.conflicts.length ? other : best;
  };
  const captured = new Set(best.conflicts.map(({ start }) => start));
  attempt(false, captured);
  if (canBeUnquoted(newName) && needsQuotes(newName)) {
    attempt(true, new Set());
    attempt(true, captured);
  }
  return { edits: toTextEdits(best.edits), conflicts: best.conflicts };
}

interface RenameAttempt {
  readonly edits: readonly NameEdit[];
  readonly conflicts: readonly RenameConflict[];
}

function getConflicts(
  { before, after }: RenameRequest,
  edits: readonly NameEdit[],
): readonly RenameConflict[] {
  const text = applyEdits(before.text, toTextEdits(edits));
  return findRenameConflicts(
    { ...before, getIdentity: createCatalogIdentifier(before.context.catalog) },
    { text, context: after, getIdentity: createCatalogIdentifier(after.catalog) },
    createOffsetMapping(edits),
  );
}

/** Identifies tables and columns by their indexes in the catalog, which no rename changes. */
function createCatalogIdentifier({
  tables,
}: Catalog): (use: Pick<CatalogUsage, 'table' | 'column'>) => string {
  const places = new Map(tables.map((table, place) => [table, place]));
  return ({ table, column }) =>
    `${places.get(table)} ${column === undefined ? '' : table.columns.indexOf(column)}`;
}
