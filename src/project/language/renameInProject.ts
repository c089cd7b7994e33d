import { type TextEdit, applyEdits } from '../../base/textEdit.ts';
import { parseJsonTree } from '../../json/text/parseJsonTree.ts';
import { type PathEdit, createPathTextEdits } from '../../json/text/pathEdit.ts';
import { findNodeAtPath, getLiteralText, getMembersByKey } from '../../json/text/jsonNode.ts';
import {
  type ExpressionContext,
  findExpressionConflicts,
  getOutputColumns,
  renameIn,
  renameInExpression,
} from '../../sql/language.ts';
import { getDatamodelFolder } from '../files/fileKinds.ts';
import type { FileItem } from '../files/project.ts';
import { renamedFromMember } from '../item.ts';
import { LocatedText } from './locatedText.ts';
import { findTableItem, mayContainName } from './findReferences.ts';
import type { FileEdit, TableOrColumnName, ProjectRename, RenameRefusal } from './languageCalls.ts';
import { type ProjectIndex, matchesName } from './projectIndex.ts';

interface RenameRequest {
  readonly name: TableOrColumnName;
  readonly newName: string;
  /**
   * Returns whether a pull has found a table or column with this name on an instance; `undefined` if nothing was
   * pulled.
   */
  readonly isPulled: (name: TableOrColumnName) => boolean | undefined;
}

/** Returns the edits that rename a table or column in all files of the project, or why that isn't possible. */
export function renameInProject(index: ProjectIndex, request: RenameRequest): ProjectRename {
  const tableItem = findTableItem(index, request.name);
  const refusal =
    tableItem === undefined
      ? { reason: 'not-found' as const }
      : (findRefusal(index, tableItem, request) ?? findEarlierRename(tableItem, request));
  if (tableItem === undefined || refusal !== undefined) {
    return { refusal: refusal ?? { reason: 'not-found' } };
  }
  const sqlRename = renameSql(index, request);
  if ('refusal' in sqlRename) {
    return sqlRename;
  }
  return {
    edits: [
      ...renameDeclaration(tableItem, request),
      ...index.getJsonItems(request.name.datamodel).flatMap((item) => renameReferences(index, item, request)),
      ...sqlRename.edits,
    ],
    unreadablePaths: findUnreadablePaths(index, request.name.datamodel),
  };
}

/** Returns the files that may have names of a datamodel, but aren't among the items of the project. */
function findUnreadablePaths(index: ProjectIndex, datamodel: string): readonly string[] {
  const paths = index.project.problems
    .filter(
      ({ path, code, severity }) =>
        severity === 'error' &&
        // An empty file has no names.
        code !== 'empty-sql' &&
        // If the file has an item, it could be read: only something that it refers to is missing.
        index.find(path) === undefined &&
        // A misplaced file may belong to any datamodel.
        (code === 'misplaced-file' ||
          getDatamodelFolder(path) === undefined ||
          index.getDatamodelOfFolder(path) === datamodel),
    )
    .map(({ path }) => path);
  return [...new Set(paths)];
}

/** Returns why a table or column can't get the new name; `undefined` if it can. Names are compared as in SQL. */
function findRefusal(
  index: ProjectIndex,
  tableItem: FileItem,
  { name: { datamodel, table, column }, newName }: RenameRequest,
): RenameRefusal | undefined {
  const model = index.names.getDatamodel(datamodel);
  const catalogTable = model?.lookup.findTable(table);
  if (model === undefined || catalogTable === undefined) {
    return { reason: 'not-found' };
  }
  if (newName.trim() === '') {
    return { reason: 'empty' };
  }
  if (newName === (column ?? table)) {
    return { reason: 'same' };
  }
  const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();
  const names = (column === undefined ? model.catalog.tables : catalogTable.columns).map(
    (entry) => entry.name,
  );
  if (column !== undefined && !names.some((other) => isSame(other, column))) {
    return { reason: 'not-found' };
  }
  if (names.some((other) => isSame(other, newName) && !isSame(other, column ?? table))) {
    return { reason: 'taken' };
  }
  const ownQuery =
    column === undefined
      ? undefined
      : index.getExpressions(datamodel).find((item) => isTableQuery(item, table));
  const context = ownQuery && index.getExpressionContext(ownQuery);
  const isNamedByQuery =
    ownQuery === undefined ||
    context === undefined ||
    hasOwnExpression(tableItem, column) ||
    getOutputColumns(ownQuery.content, context).some(({ name }) => isSame(name, column ?? ''));
  return isNamedByQuery ? undefined : { reason: 'star' };
}

/**
 * Returns a refusal if the file already has a former name that some instances still use, while others use the current
 * name: a file has only one former name, so some instances would get a new table or column instead of a renamed one.
 */
function findEarlierRename(
  item: FileItem,
  { name, newName, isPulled }: RenameRequest,
): RenameRefusal | undefined {
  const formerName = readFormerName(item, name.column);
  return formerName !== undefined &&
    formerName !== newName &&
    isPulled(name) === true &&
    isPulled(withOwnName(name, formerName)) === true
    ? { reason: 'renamed-before', formerName }
    : undefined;
}

const withOwnName = (name: TableOrColumnName, ownName: string): TableOrColumnName =>
  name.column === undefined ? { ...name, table: ownName } : { ...name, column: ownName };

function readFormerName({ text }: FileItem, column: string | undefined): string | undefined {
  const node = column === undefined ? parseJsonTree(text).root : findColumnNode(text, column)?.node;
  return node?.kind === 'object'
    ? getLiteralText(getMembersByKey(node).get(renamedFromMember)?.value)
    : undefined;
}

const isTableQuery = ({ key }: FileItem, table: string): boolean =>
  key.kind === 'tableExpression' && key.table === table;

/** Returns whether a column has SQL of its own, so that it isn't made by the query of its table. */
function hasOwnExpression({ text }: FileItem, column: string | undefined): boolean {
  const node = findColumnNode(text, column)?.node;
  return node?.kind === 'object' && getMembersByKey(node).has('expression');
}

/** Finds the column of a table's file with a name, or else the one whose name differs in letter case only. */
function findColumnNode(text: string, column: string | undefined) {
  const { root } = parseJsonTree(text);
  const columns = findNodeAtPath(root, ['columns'])?.node;
  const names = (columns?.kind === 'array' ? columns.items : []).map((item) =>
    item.kind === 'object' ? getLiteralText(getMembersByKey(item).get('name')?.value) : undefined,
  );
  const key = column?.toLowerCase();
  const exactIndex = column === undefined ? -1 : names.indexOf(column);
  const index =
    exactIndex === -1 && key !== undefined
      ? names.findIndex((name) => name?.toLowerCase() === key)
      : exactIndex;
  return index === -1 ? undefined : { index, node: findNodeAtPath(root, ['columns', index])?.node };
}

/** Renames the table or column in the file of its table, and records its former name there for the plan. */
function renameDeclaration(item: FileItem, request: RenameRequest): readonly FileEdit[] {
  const { column } = request.name;
  const located = new LocatedText(item);
  const document = parseJsonTree(located.text);
  const index = findColumnNode(located.text, column)?.index;
  if (column !== undefined && index === undefined) {
    // The column is only in the SQL.
    return [];
  }
  const path = index === undefined ? [] : ['columns', index];
  const formerName = readFormerName(item, column);
  const isPulled = request.isPulled(request.name);
  const edits: PathEdit[] = [{ op: 'set', path: [...path, 'name'], value: request.newName }];
  if (isPulled === true || (isPulled === undefined && formerName === undefined)) {
    edits.push({ op: 'set', path: [...path, renamedFromMember], value: column ?? request.name.table });
  } else if (formerName === request.newName) {
    edits.push({ op: 'remove', path: [...path, renamedFromMember] });
  }
  return toFileEdits(located, createPathTextEdits(document, edits));
}

/** Renames in the JSON of a file, except in the declaration. */
function renameReferences(
  index: ProjectIndex,
  item: FileItem,
  { name, newName }: RenameRequest,
): readonly FileEdit[] {
  const located = new LocatedText(item);
  if (!mayContainName(located.text, name)) {
    return [];
  }
  const isCubeSet = item.key.kind === 'cubeSetRules';
  // Rules of a cube set are on a table of any datamodel.
  const isUncertain = isCubeSet && index.findOnlyDatamodel(name.table) === undefined;
  const edits = index
    .findOccurrences(item.path, located.text, isUncertain ? name.datamodel : undefined)
    .filter(
      (occurrence) =>
        occurrence.datamodel === name.datamodel &&
        !occurrence.isDeclaration &&
        matchesName(occurrence, name, item.key.kind === 'viewpoint'),
    )
    .map((occurrence) => occurrence.rename(newName));
  return toFileEdits(located, edits).map((edit) => (isUncertain ? { ...edit, isUncertain } : edit));
}

function renameSql(
  index: ProjectIndex,
  { name, newName }: RenameRequest,
): { readonly edits: readonly FileEdit[] } | { readonly refusal: RenameRefusal } {
  const edits: FileEdit[] = [];
  const target =
    name.column === undefined ? { table: name.table } : { table: name.table, column: name.column };
  for (const item of index.getExpressions(name.datamodel)) {
    const located = new LocatedText(item);
    const context = index.getExpressionContext(item);
    const rename = { target, newName, isOwnTable: isTableQuery(item, name.table) };
    const newText = context === undefined ? located.text : renameInExpression(located.text, context, rename);
    const conflict = context && findConflict(located.text, newText, context, rename);
    if (conflict !== undefined) {
      const { line } = located.locate(conflict).span.start;
      return { refusal: { reason: 'conflict', path: item.path, line: line + 1, conflict } };
    }
    const nameEdits = context === undefined ? [] : renameIn(located.text, target, newName, context);
    const changes =
      applyEdits(located.text, nameEdits) === newText ? nameEdits : findMinimalEdits(located.text, newText);
    edits.push(...toFileEdits(located, changes));
  }
  return { edits };
}

function findConflict(
  text: string,
  newText: string,
  context: ExpressionContext,
  rename: Parameters<typeof findExpressionConflicts>[3] & { readonly isOwnTable: boolean },
) {
  // A table's own query can't refer to its output columns, so renaming one causes no conflict there.
  const isOutput = rename.isOwnTable && rename.target.column !== undefined;
  return isOutput ? undefined : findExpressionConflicts(text, newText, context, rename)[0];
}

/** Returns the edit that turns one text into another, without the start and the end that both have in common. */
function findMinimalEdits(before: string, after: string): readonly TextEdit[] {
  if (before === after) {
    return [];
  }
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) {
    start += 1;
  }
  let common = 0;
  while (common < shorter - start && before.at(-1 - common) === after.at(-1 - common)) {
    common += 1;
  }
  return [{ start, end: before.length - common, newText: after.slice(start, after.length - common) }];
}

const toFileEdits = (located: LocatedText, edits: readonly TextEdit[]): readonly FileEdit[] =>
  edits.map((edit) => ({ ...located.locate(edit), newText: edit.newText }));
