import * as vscode from 'vscode';
import { toPlainText } from '../../platform/serverText.ts';
import type { JoinableColumn, RelationTable } from './relationEnds.ts';
import { sortColumnsByFit, sortTablesByFit } from './sortRelationEnds.ts';

const t = vscode.l10n.t;

const pickOptions = { matchOnDescription: true, ignoreFocusOut: true } as const;

interface RelationTableQuestion {
  readonly title: string;
  readonly placeHolder: string;
  /** Items before the tables; picking one ends the question without a table. */
  readonly otherItems?: readonly vscode.QuickPickItem[];
}

/**
 * Asks for a table to join; those with a column of the same name as a joined one come first.
 * @param joinedColumns the columns that the relation joins already: their tables are not offered
 * @returns `other` if the user picked another item, `undefined` if the user canceled
 */
export async function pickRelationTable(
  tables: readonly RelationTable[],
  joinedColumns: readonly JoinableColumn[],
  { otherItems = [], ...options }: RelationTableQuestion,
): Promise<RelationTable | 'other' | undefined> {
  // A relation joins different tables.
  const otherTables = tables.filter(({ id }) => joinedColumns.every(({ table }) => table !== id));
  const items: readonly (vscode.QuickPickItem & { readonly table?: RelationTable })[] = [
    ...otherItems,
    ...sortTablesByFit(otherTables, joinedColumns).map((table) => ({
      label: toPlainText(table.name),
      description: toPlainText(describeSameNames(table, joinedColumns)),
      iconPath: new vscode.ThemeIcon('table'),
      table,
    })),
  ];
  const pickedItem = await vscode.window.showQuickPick(items, { ...pickOptions, ...options });
  return pickedItem && (pickedItem.table ?? 'other');
}

/** Lists the columns of a table that have the same name as a joined one. */
const describeSameNames = ({ columns }: RelationTable, joinedEnds: readonly JoinableColumn[]): string =>
  columns
    .filter(({ columnName }) =>
      joinedEnds.some((end) => end.columnName.toLowerCase() === columnName.toLowerCase()),
    )
    .map(({ columnName }) => columnName)
    .join(', ');

/**
 * Asks for a column of a table; those with the name and the type of a joined one come first. Columns of another type
 * can be picked, too, but are marked with a note.
 */
export async function pickRelationColumn(
  { name, columns }: RelationTable,
  joinedEnds: readonly JoinableColumn[],
  title: string,
): Promise<JoinableColumn | undefined> {
  const items = sortColumnsByFit(columns, joinedEnds).map((column) => ({
    label: toPlainText(column.columnName),
    description: column.typeName,
    ...(haveSameType([...joinedEnds, column]) ? {} : { detail: getTypeNote() }),
    end: column,
  }));
  const placeHolder = t('Select a column of {0}', name);
  return (await vscode.window.showQuickPick(items, { ...pickOptions, title, placeHolder }))?.end;
}

/** Returns whether all columns whose type is known hold the same kind of values. */
export const haveSameType = (ends: readonly JoinableColumn[]): boolean =>
  new Set(ends.flatMap(({ typeGroup }) => typeGroup ?? [])).size <= 1;

/** Returns the note about columns of different types. */
export const getTypeNote = (): string => t('The columns have different data types.');
