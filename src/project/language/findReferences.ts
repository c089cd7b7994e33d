import {
  type ExpressionContext,
  type RenamableName,
  type RenameTarget,
  findReferencesInDatamodel,
  getOutputColumns,
  findRenamableName,
} from '../../sql/language.ts';
import type { FileItem } from '../files/project.ts';
import type { FileLocation, TableOrColumnName } from './languageCalls.ts';
import { LocatedText } from './locatedText.ts';
import { type ProjectIndex, matchesName } from './projectIndex.ts';

/** Returns the table or column that the name at an offset in a file refers to; `undefined` if there is none. */
export function findNameAt(
  index: ProjectIndex,
  path: string,
  text: string,
  offset: number,
): { readonly name: TableOrColumnName; readonly span: FileLocation['span'] } | undefined {
  const located = new LocatedText({ path, text });
  const item = index.find(path);
  const context = item && index.getExpressionContext(item);
  if (item !== undefined && context !== undefined && 'datamodel' in item.key) {
    const range = findRenamableName(located.text, offset, context);
    const target = range && (range.target ?? findOutputColumn(item, located.text, context, range));
    return range === undefined || target === undefined
      ? undefined
      : { name: { datamodel: item.key.datamodel, ...target }, span: located.locate(range).span };
  }
  const occurrence = index
    .findOccurrences(path, located.text)
    .find(({ start, end }) => start <= offset && offset <= end);
  if (occurrence === undefined) {
    return undefined;
  }
  const { datamodel, table, column } = occurrence;
  if (index.names.getDatamodel(datamodel) === undefined) {
    return undefined;
  }
  const name = toExactName(index, { datamodel, table, ...(column === undefined ? {} : { column }) });
  return { name, span: located.locate(occurrence).span };
}

/**
 * Returns the column that an alias in the query of a custom table defines; `undefined` if the datamodel doesn't have
 * the column yet, so that nothing else can refer to it.
 */
function findOutputColumn(
  { key }: FileItem,
  text: string,
  context: ExpressionContext,
  { declaration }: RenamableName,
): RenameTarget | undefined {
  if (key.kind !== 'tableExpression' || declaration === undefined) {
    return undefined;
  }
  const { table } = key;
  const output = getOutputColumns(text, context).find(({ alias }) => alias?.start === declaration.start);
  const column = context.catalog.tables
    .find(({ name }) => name === table)
    ?.columns.find(({ name }) => name.toLowerCase() === output?.name.toLowerCase());
  return column && { table, column: column.name };
}

/** Returns a name as it is in the file of its table: viewpoints may use other letter case. */
function toExactName(index: ProjectIndex, name: TableOrColumnName): TableOrColumnName {
  const lookup = index.names.getDatamodel(name.datamodel)?.lookup;
  const table = lookup?.findTable(name.table);
  if (lookup === undefined || table === undefined) {
    return name;
  }
  const { datamodel, column } = name;
  return column === undefined
    ? { datamodel, table: table.name }
    : { datamodel, table: table.name, column: lookup.findColumn(table, column)?.name ?? column };
}

/** Returns where a table or column is in the file of its table; `undefined` if the project has no such table. */
export function findDeclaration(index: ProjectIndex, name: TableOrColumnName): FileLocation | undefined {
  const item = findTableItem(index, name);
  if (item === undefined) {
    return undefined;
  }
  const located = new LocatedText(item);
  const declarations = index
    .findOccurrences(item.path, located.text)
    .filter(({ isDeclaration }) => isDeclaration);
  const declaration =
    declarations.find((occurrence) => matchesName(occurrence, name, true)) ??
    // The columns of a custom table may only be in its SQL.
    declarations.find(({ column }) => column === undefined);
  return located.locate(declaration ?? { start: 0, end: 0 });
}

/** Returns the item of a table; `undefined` if the project has no such table. */
export const findTableItem = (
  index: ProjectIndex,
  { datamodel, table }: TableOrColumnName,
): FileItem | undefined =>
  index.names
    .getDatamodel(datamodel)
    ?.items.find(({ key }) => key.kind === 'table' && key.table.toLowerCase() === table.toLowerCase());

/** Finds the references to a table or column in the files of the project. */
export function findReferences(
  index: ProjectIndex,
  name: TableOrColumnName,
  includesDeclaration: boolean,
): readonly FileLocation[] {
  const jsonReferences = index.getJsonItems(name.datamodel).flatMap((item) => {
    const located = new LocatedText(item);
    return mayContainName(located.text, name)
      ? index
          .findOccurrences(item.path, located.text)
          .filter(
            (occurrence) =>
              occurrence.datamodel === name.datamodel &&
              matchesName(occurrence, name, item.key.kind === 'viewpoint') &&
              (includesDeclaration || !occurrence.isDeclaration),
          )
          .map((occurrence) => located.locate(occurrence))
      : [];
  });
  const sqlReferences = index.getExpressions(name.datamodel).flatMap((item) => {
    const context = index.getExpressionContext(item);
    const located = new LocatedText(item);
    return context === undefined
      ? []
      : findReferencesInDatamodel([{ id: undefined, text: located.text, context }], name).flatMap(
          ({ references }) => references.map((reference) => located.locate(reference)),
        );
  });
  return [...jsonReferences, ...sqlReferences];
}

/** Returns whether a JSON text may contain a name; most files don't, and needn't be parsed. */
export function mayContainName(
  text: string,
  { table, column = table }: Pick<TableOrColumnName, 'table' | 'column'>,
): boolean {
  const folded = text.toLowerCase();
  // Names may be written with escape sequences that they don't need.
  return (
    folded.includes('\\u') ||
    folded.includes('\\/') ||
    [table, column].every((name) => folded.includes(JSON.stringify(name).slice(1, -1).toLowerCase()))
  );
}
