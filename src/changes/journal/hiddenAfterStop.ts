import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json.ts';
import { getRefKey } from '../../catalog/resourceRef.ts';
import { asObject, getObjects, getText } from '../model/jsonMembers.ts';
import type { Write } from '../model/operation.ts';
import { isTableUpdate } from '../model/tableWrites.ts';
import type { HistoryEntry } from './entry.ts';

/** The tables of an operation, as they were read before it or after it. */
type TableDocuments = readonly {
  readonly ref: NonNullable<Write['target']>;
  readonly document?: JsonValue | undefined;
}[];

/** A table or column that a stopped operation has hidden for the time being. */
export interface HiddenName {
  readonly datamodelId: string;
  readonly tableId: string;
  readonly table: string;
  /** Absent for a table. */
  readonly column?: string;
}

/**
 * Returns the tables and columns that an operation has hidden, and that its remaining writes would show or delete: an
 * apply hides what it changes until rules and relations restrict it (platform-facts.md, "3.5 Safe order of changes").
 * New columns are included. Writes whose outcome is unknown are left out.
 * @param documents contain the names of the tables
 * @param before if given, what was already hidden in these documents is left out
 */
export function findHiddenAfterStop(
  { operation, writeStates }: Pick<HistoryEntry, 'operation' | 'writeStates'>,
  documents: TableDocuments,
  before: TableDocuments = [],
): readonly HiddenName[] {
  const writes = operation.writes.map((write, index) => ({
    write,
    isDone: writeStates[index]?.state === 'done',
  }));
  const byTable = Map.groupBy(
    writes.filter(({ write }) => write.target?.kind === 'table'),
    ({ write }) => (write.target === undefined ? '' : getRefKey(write.target)),
  );
  return [...byTable].flatMap(([key, tableWrites]) => {
    const target = tableWrites[0]?.write.target;
    if (target?.kind !== 'table') {
      return [];
    }
    const findDocument = (list: TableDocuments): JsonObject | undefined =>
      list
        .filter(({ ref }) => getRefKey(ref) === key)
        .map(({ document }) => document)
        .find(isJsonObject);
    const getBodies = (tables: typeof tableWrites): readonly JsonObject[] =>
      tables.filter(({ write }) => isTableUpdate(write)).map(({ write }) => asObject(write.body));
    const done = getBodies(tableWrites.filter(({ isDone }) => isDone));
    const all = getBodies(tableWrites);
    const deletions = tableWrites.filter(({ write }) => !isTableUpdate(write));
    const isDeleted = deletions.length > 0;
    if (deletions.some(({ isDone }) => isDone)) {
      return [];
    }
    const former = findDocument(before);
    const { datamodelId, tableId } = target;
    const name = getText(findDocument(documents)?.['name'] ?? former?.['name']);
    const isTableHidden =
      getLast(done, 'hidden') === true &&
      (isDeleted || getLast(all, 'hidden') !== true) &&
      former?.['hidden'] !== true;
    // Each update replaces the list of columns.
    const finalColumns = isDeleted ? [] : getObjects(getLast(all, 'columns'));
    const formerColumns = getObjects(former?.['columns']);
    const isHiddenIn = (columns: readonly JsonObject[], column: JsonObject): boolean =>
      findColumn(columns, column)?.['hidden'] === true;
    const columns = getObjects(getLast(done, 'columns')).filter(
      (column) =>
        column['hidden'] === true && !isHiddenIn(finalColumns, column) && !isHiddenIn(formerColumns, column),
    );
    return [
      ...(isTableHidden ? [{ datamodelId, tableId, table: name }] : []),
      ...columns.map((column) => ({ datamodelId, tableId, table: name, column: getText(column['name']) })),
    ];
  });
}

const getLast = (bodies: readonly JsonObject[], name: string): JsonValue | undefined =>
  bodies.findLast((body) => body[name] !== undefined)?.[name];

/** Finds a column by its ID, or, if one of both has none because it's new, by its name. */
const findColumn = (columns: readonly JsonObject[], { oid, name }: JsonObject): JsonObject | undefined =>
  columns.find((other) => other['oid'] !== undefined && other['oid'] === oid) ??
  columns.find((other) => (other['oid'] === undefined || oid === undefined) && other['name'] === name);
