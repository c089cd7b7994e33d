import type { TextEdit } from '../../base/textEdit.ts';
import { resolveDim } from '../../json/language/catalogReference.ts';
import {
  type JsonNode,
  type LiteralNode,
  type ObjectNode,
  findNodeAtPath,
  getLiteralText,
  getMembersByKey,
} from '../../json/text/jsonNode.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import { calendarSuffix } from '../../contract/terms.ts';
import type { DatamodelLookup } from '../../viewpoints/datamodelLookup.ts';
import { createRenamedMembers } from '../../viewpoints/fixes/columnFixes.ts';
import type { JsonItemKind } from '../files/itemFile.ts';

/** The name of a table or column in a JSON file. Its range includes the quotes. */
export interface NameOccurrence {
  readonly start: number;
  readonly end: number;
  readonly table: string;
  /** Absent for the name of a table. */
  readonly column?: string;
  /** Whether it's the name in the file of the table. */
  readonly isDeclaration: boolean;
  /** Returns the edit that gives the table or column another name here. */
  rename(newName: string): TextEdit;
}

/** Finds the names of tables and columns in a JSON file. The text may have syntax errors. */
export function findNameOccurrences(
  kind: JsonItemKind,
  { root }: JsonDocument,
  lookup: DatamodelLookup,
): readonly NameOccurrence[] {
  switch (kind) {
    case 'table':
      return [...findDeclarations(root), ...findInReferences(root)];
    case 'relation':
      return [...getItems(root, ['columns']).flatMap(findInObject), ...findInReferences(root)];
    case 'datamodel':
    case 'dataset':
      return findInReferences(root);
    case 'rules':
    case 'cubeSetRules':
      return getItems(root, []).flatMap(findInObject);
    case 'viewpoint':
      return visitObjects(findNodeAtPath(root, ['details', 'columns'])?.node, (node) =>
        findInViewpointObject(node, lookup),
      );
    case 'customData':
      return [];
  }
}

const getItems = (root: JsonNode | undefined, path: readonly string[]): readonly JsonNode[] => {
  const node = findNodeAtPath(root, path)?.node;
  return node?.kind === 'array' ? node.items : [];
};

/** Returns the text of a member and its literal; `undefined` if it is empty. */
function getTextMember(
  node: JsonNode | undefined,
  key: string,
): { readonly text: string; readonly literal: LiteralNode } | undefined {
  const value = node?.kind === 'object' ? getMembersByKey(node).get(key)?.value : undefined;
  const text = getLiteralText(value);
  return value?.kind === 'literal' && text !== undefined && text !== ''
    ? { text, literal: value }
    : undefined;
}

const createOccurrence = (
  { start, end }: LiteralNode,
  name: Pick<NameOccurrence, 'table' | 'column'>,
  isDeclaration = false,
): NameOccurrence => ({
  start,
  end,
  ...name,
  isDeclaration,
  rename: (newName) => ({ start, end, newText: JSON.stringify(newName) }),
});

function findDeclarations(root: JsonNode | undefined): readonly NameOccurrence[] {
  const table = getTextMember(root, 'name');
  return table === undefined
    ? []
    : [
        createOccurrence(table.literal, { table: table.text }, true),
        ...getItems(root, ['columns']).flatMap((item) => {
          const column = getTextMember(item, 'name');
          return column === undefined
            ? []
            : [createOccurrence(column.literal, { table: table.text, column: column.text }, true)];
        }),
      ];
}

/** Finds the names in an object with `table` and perhaps `column`. */
function findInObject(node: JsonNode): readonly NameOccurrence[] {
  const table = getTextMember(node, 'table');
  const column = getTextMember(node, 'column');
  return table === undefined
    ? []
    : [
        createOccurrence(table.literal, { table: table.text }),
        ...(column === undefined
          ? []
          : [createOccurrence(column.literal, { table: table.text, column: column.text })]),
      ];
}

/** Finds the names in `{"$ref": {"table": "Orders"}}`, wherever it is. */
const findInReferences = (root: JsonNode | undefined): readonly NameOccurrence[] =>
  visitObjects(root, (node) => {
    const target = getMembersByKey(node).get('$ref')?.value;
    return target?.kind === 'object' ? findInObject(target) : [];
  });

/** Visits all objects in a value, from the outermost to the innermost. */
function visitObjects<T>(
  node: JsonNode | undefined,
  visit: (node: ObjectNode) => readonly T[],
): readonly T[] {
  switch (node?.kind) {
    case 'object':
      return [...visit(node), ...node.members.flatMap(({ value }) => visitObjects(value, visit))];
    case 'array':
      return node.items.flatMap((item) => visitObjects(item, visit));
    case 'literal':
    case undefined:
      return [];
  }
}

/**
 * Finds the names in an object of a viewpoint, which may be a column, a filter, or a context of a formula
 * (platform-facts.md, 5). Titles are not names: the author chooses them.
 */
function findInViewpointObject(node: ObjectNode, lookup: DatamodelLookup): readonly NameOccurrence[] {
  const dim = getTextMember(node, 'dim');
  const memberOccurrences = findInObject(node).map((occurrence) => withoutCalendarSuffix(occurrence, lookup));
  const memberNames = {
    table: getTextMember(node, 'table')?.text,
    column:
      memberOccurrences.find((occurrence) => occurrence.column !== undefined)?.column ??
      getTextMember(node, 'column')?.text,
  };
  const dimNames = dim === undefined ? undefined : resolveDim(dim.text, memberNames.table, lookup);
  const table = memberNames.table ?? dimNames?.table;
  const column = memberNames.column ?? dimNames?.column;
  if (dim === undefined || table === undefined || column === undefined) {
    return memberOccurrences;
  }
  const current = { ...memberNames, dim: dim.text };
  const { start, end } = dim.literal;
  const createEdit = (newTable: string, newColumn: string): TextEdit => ({
    start,
    end,
    newText: JSON.stringify(createRenamedMembers(current, newTable, newColumn)['dim'] ?? dim.text),
  });
  // If another name of the table wouldn't change the dim, the dim doesn't contain these names, so it is not edited.
  if (createEdit(`${table}X`, column).newText === JSON.stringify(dim.text)) {
    return memberOccurrences;
  }
  const split = Math.min(start + '"['.length + table.length, end);
  return [
    ...memberOccurrences,
    { start, end: split, table, isDeclaration: false, rename: (newName) => createEdit(newName, column) },
    {
      start: Math.min(split + '.'.length, end),
      end,
      table,
      column,
      isDeclaration: false,
      rename: (newName) => createEdit(table, newName),
    },
  ];
}

/** Returns the occurrence of a date column without the calendar suffix that its dim adds to the name. */
function withoutCalendarSuffix(occurrence: NameOccurrence, lookup: DatamodelLookup): NameOccurrence {
  const { table: tableName, column } = occurrence;
  const table = lookup.findTable(tableName);
  if (table === undefined || column?.endsWith(calendarSuffix) !== true) {
    return occurrence;
  }
  const name = column.slice(0, -calendarSuffix.length);
  const isSuffixOfDim = lookup.findColumn(table, column)?.name.toLowerCase() === name.toLowerCase();
  return isSuffixOfDim
    ? { ...occurrence, column: name, rename: (newName) => occurrence.rename(`${newName}${calendarSuffix}`) }
    : occurrence;
}
