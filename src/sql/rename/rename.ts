import type { Catalog } from '../catalog.ts';
import type { ExpressionContext } from '../context.ts';
import { findOccurrenceAt, getOccurrences } from '../features/occurrences.ts';
import type { CatalogUsage } from '../features/catalogUsages.ts';
import { canBeUnquoted, needsQuotes } from '../quoting.ts';
import type { SqlSymbol } from '../scope/symbols.ts';
import type { TextRange } from '../syntax/tree.ts';
import { findRenameConflicts, type RenameConflict } from './conflicts.ts';
import { type NameEdit, createNameEdits, toTextEdits } from './nameEdit.ts';
import type { ResolvedText } from './nameStyle.ts';
import { createOffsetMapping } from './offsetMapping.ts';
import { renameInContext } from './renameInCatalog.ts';
import { isTarget, type RenameTarget } from './renameTarget.ts';
import { applyEdits, type TextEdit } from '../../base/textEdit.ts';

/** The edits of a rename, and the conflicts that they would cause. */
export interface SymbolRename {
  readonly edits: readonly TextEdit[];
  /** Empty if all other names still refer to the same symbols. */
  readonly conflicts: readonly RenameConflict[];
}

/**
 * Returns the edits in one text for a rename in the datamodel. `newName` is unquoted; `context` has the catalog before
 * the rename. Other symbols with the same name (aliases, CTEs, columns of other tables) are not renamed.
 */
export function renameIn(
  text: string,
  target: RenameTarget,
  newName: string,
  context: ExpressionContext,
): readonly TextEdit[] {
  const occurrences = getOccurrences(text, context);
  const match = occurrences.find(({ symbol }) => isTarget(symbol, target));
  if (match === undefined) {
    return [];
  }
  const request = { resolvedText: { text, context, occurrences }, symbol: match.symbol, newName };
  return computeRename({ ...request, contextAfter: renameInContext(context, target, newName) }).edits;
}

/** A name that can be renamed: declared in the text, or a table or column of the datamodel. */
export interface RenamableName {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /**
   * The table or column of the datamodel, whose rename affects all expressions. Absent for a name declared in the text:
   * an alias, a CTE or an output column.
   */
  readonly target?: RenameTarget;
  /** Where a name declared in the text is declared. */
  readonly declaration?: TextRange;
}

/** Returns the renamable name at the offset. */
export function findRenamableName(
  text: string,
  offset: number,
  context: ExpressionContext,
): RenamableName | undefined {
  const occurrence = findOccurrenceAt(getOccurrences(text, context), offset);
  if (occurrence === undefined) {
    return undefined;
  }
  const { name, symbol } = occurrence;
  const range = { start: name.start, end: name.end, text: name.text };
  switch (symbol.kind) {
    case 'table':
      return { ...range, target: { table: symbol.table.name } };
    case 'column':
      return { ...range, target: { table: symbol.table.name, column: symbol.column.name } };
    case 'alias':
    case 'cte':
    case 'output':
      return { ...range, declaration: { start: symbol.name.start, end: symbol.name.end } };
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
  const occurrence = findOccurrenceAt(occurrences, offset);
  if (occurrence === undefined || occurrence.symbol.kind === 'table' || occurrence.symbol.kind === 'column') {
    return undefined;
  }
  return computeRename({
    resolvedText: { text, context, occurrences },
    symbol: occurrence.symbol,
    newName,
    contextAfter: context,
  });
}

interface RenameRequest {
  readonly resolvedText: ResolvedText;
  readonly symbol: SqlSymbol;
  readonly newName: string;
  /** The context of the text after the rename. */
  readonly contextAfter: ExpressionContext;
}

/**
 * Computes the edits with the fewest conflicts. Quotes and qualifiers are added only if they avoid conflicts.
 */
function computeRename(request: RenameRequest): SymbolRename {
  const { resolvedText, symbol, newName } = request;
  const createAttempt = (quotesRiskyNames: boolean, qualifiedOffsets: ReadonlySet<number>): RenameAttempt => {
    const edits = createNameEdits(resolvedText, symbol, { newName, quotesRiskyNames, qualifiedOffsets });
    return { edits, conflicts: getConflicts(request, edits) };
  };
  let bestAttempt = createAttempt(false, new Set());
  const tryAttempt = (quotesRiskyNames: boolean, qualifiedOffsets: ReadonlySet<number>): void => {
    const candidate =
      bestAttempt.conflicts.length === 0 ? bestAttempt : createAttempt(quotesRiskyNames, qualifiedOffsets);
    bestAttempt = candidate.conflicts.length < bestAttempt.conflicts.length ? candidate : bestAttempt;
  };
  const conflictOffsets = new Set(bestAttempt.conflicts.map(({ start }) => start));
  tryAttempt(false, conflictOffsets);
  if (canBeUnquoted(newName) && needsQuotes(newName)) {
    tryAttempt(true, new Set());
    tryAttempt(true, conflictOffsets);
  }
  return { edits: toTextEdits(bestAttempt.edits), conflicts: bestAttempt.conflicts };
}

interface RenameAttempt {
  readonly edits: readonly NameEdit[];
  readonly conflicts: readonly RenameConflict[];
}

function getConflicts(
  { resolvedText, contextAfter }: RenameRequest,
  edits: readonly NameEdit[],
): readonly RenameConflict[] {
  const text = applyEdits(resolvedText.text, toTextEdits(edits));
  return findRenameConflicts(
    { ...resolvedText, getIdentity: createCatalogIdentifier(resolvedText.context.catalog) },
    { text, context: contextAfter, getIdentity: createCatalogIdentifier(contextAfter.catalog) },
    createOffsetMapping(edits),
  );
}

/** Returns a function that identifies tables and columns by their indexes in the catalog, which a rename keeps. */
export function createCatalogIdentifier({
  tables,
}: Catalog): (usage: Pick<CatalogUsage, 'table' | 'column'>) => string {
  const tableIndexes = new Map(tables.map((table, index) => [table, index]));
  return ({ table, column }) =>
    `${tableIndexes.get(table)} ${column === undefined ? '' : table.columns.indexOf(column)}`;
}
