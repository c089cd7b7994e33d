import { applyEdits } from '../../base/textEdit.ts';
import type { ExpressionContext } from '../context.ts';
import { type OutputColumn, getOutputColumns } from '../features/outputColumns.ts';
import { formatSqlName } from '../quoting.ts';
import { toNameKey } from '../scope/symbols.ts';
import { type RenameConflict, findMeaningChanges } from './conflicts.ts';
import { createCatalogIdentifier, renameIn, renameSymbolAt } from './rename.ts';
import { renameInContext } from './renameInCatalog.ts';
import type { RenameTarget } from './renameTarget.ts';

/** A rename of a table or column of a datamodel. */
interface DatamodelRename {
  readonly target: RenameTarget;
  readonly newName: string;
  /** True for the query of the table that is renamed, or that has the renamed column. */
  readonly isOwnTable: boolean;
}

/**
 * Returns an expression of a datamodel after a rename. The other columns of a custom table keep their names: an output
 * that was named after the renamed column gets its old name as an alias, so that references to the output still work.
 * @param context has the catalog before the rename
 */
export function renameInExpression(
  text: string,
  context: ExpressionContext,
  { target, newName, isOwnTable }: DatamodelRename,
): string {
  if (isOwnTable && target.column !== undefined) {
    return renameOutput(text, { oldName: target.column, newName }, context);
  }
  const edits = renameIn(text, target, newName, context);
  const starts = new Set(edits.map(({ start }) => start));
  const affectedOutputs =
    context.kind === 'table'
      ? getOutputColumns(text, context).filter(({ nameRange }) => starts.has(nameRange.start))
      : [];
  const withAliases = addAliases(text, affectedOutputs);
  return affectedOutputs.length === 0
    ? applyEdits(text, edits)
    : applyEdits(withAliases, renameIn(withAliases, target, newName, context));
}

/**
 * Finds the names in an expression that a rename in the datamodel gives another meaning.
 * @param newText the result of {@link renameInExpression}
 */
export function findExpressionConflicts(
  text: string,
  newText: string,
  context: ExpressionContext,
  { target, newName }: Pick<DatamodelRename, 'target' | 'newName'>,
): readonly RenameConflict[] {
  const contextAfter = renameInContext(context, target, newName);
  return findMeaningChanges(
    { text, context, getIdentity: createCatalogIdentifier(context.catalog) },
    { text: newText, context: contextAfter, getIdentity: createCatalogIdentifier(contextAfter.catalog) },
  );
}

/**
 * Adds the current names as aliases to output columns without one, so that they don't depend on the selected columns.
 */
function addAliases(text: string, outputs: readonly OutputColumn[]): string {
  const unaliasedOutputs = outputs.filter(({ alias }) => alias === undefined);
  return applyEdits(
    text,
    unaliasedOutputs.map(({ name, end }) => {
      // The alias is quoted like the name before it.
      const alias = formatSqlName(name, text[end - 1] === ']' ? '[' : '');
      return { start: end, end, newText: ` AS ${alias}` };
    }),
  );
}

/** Returns the query of a custom table with one of its columns renamed. */
function renameOutput(
  text: string,
  { oldName, newName }: { readonly oldName: string; readonly newName: string },
  context: ExpressionContext,
): string {
  const isRenamedColumn = ({ name }: OutputColumn): boolean => toNameKey(name) === toNameKey(oldName);
  const withAliases = addAliases(text, getOutputColumns(text, context).filter(isRenamedColumn));
  const alias = getOutputColumns(withAliases, context).find(isRenamedColumn)?.alias;
  const symbolRename = alias && renameSymbolAt(withAliases, alias.start, newName, context);
  return applyEdits(withAliases, symbolRename?.edits ?? []);
}
