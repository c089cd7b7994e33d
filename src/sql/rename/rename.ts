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

/** The edits of a rename, and the conflicts that they would cause. */
export interface SymbolRename {
  readonly edits: readonly TextEdit[];
  /** Empty if all other names still refer to the same things. */
  readonly conflicts: readonly RenameConflict[];
}

/**
 * Returns the edits in one text for a rename in the datamodel. `newName` is unquoted; `context` has the catalog before
 * the rename. Other things with the same name (aliases, CTEs, columns of other tables) are not renamed.
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

/** A name that can be renamed: declared in the text, or a table or column of the datamodel. */
export interface RenameRange {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /**
   * The table or column of the datamodel, whose rename affects all expressions. Absent for a name declared in the text:
   * an alias, a CTE or an output column.
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
 * Renames the alias, CTE or output column at the offset; `undefined` if the name belongs to the datamodel (its rename
 * affects all expressions) or is unknown.
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
 * Computes the edits with the fewest conflicts. Quotes and qualifiers are added only if they avoid conflicts.
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

/** Returns a function that identifies tables and columns by their indexes in the catalog, which a rename keeps. */
function createCatalogIdentifier({
  tables,
}: Catalog): (use: Pick<CatalogUsage, 'table' | 'column'>) => string {
  const places = new Map(tables.map((table, place) => [table, place]));
  return ({ table, column }) =>
    `${places.get(table)} ${column === undefined ? '' : table.columns.indexOf(column)}`;
}
