import { type JsonObject, isJsonObject } from '../../base/json.ts';
import type { Write } from './operation.ts';
import { getObjects, getText } from './jsonMembers.ts';

/** A rename of a table, or of a column if `columnId` is set. */
export interface Rename {
  readonly tableId: string;
  readonly columnId?: string;
  readonly newName: string;
}

/** Returns the renames in a PATCH of a table: the table or columns that keep their oid and get another name. */
export const findRenames = (write: Write, before: JsonObject): readonly Rename[] =>
  findRenamedItems(write, before).map(({ rename }) => rename);

/** Returns the old names of the table and columns that a PATCH of a table renames. */
export const findReplacedNames = (write: Write, before: JsonObject): readonly string[] =>
  findRenamedItems(write, before).flatMap(({ oldName }) => (oldName === '' ? [] : [oldName]));

interface RenamedItem {
  readonly oldName: string;
  readonly rename: Rename;
}

function findRenamedItems(write: Write, before: JsonObject): readonly RenamedItem[] {
  const tableId = write.params['tableId'] ?? '';
  const body = isJsonObject(write.body) ? write.body : {};
  const { name } = body;
  const tableRenames =
    typeof name === 'string' && name !== before['name']
      ? [{ oldName: getText(before['name']), rename: { tableId, newName: name } }]
      : [];
  const columnRenames = getObjects(body['columns']).flatMap((column): readonly RenamedItem[] => {
    const storedColumn = getObjects(before['columns']).find(({ oid }) => oid && oid === column['oid']);
    const [columnId, newName] = [column['oid'], column['name']];
    return storedColumn !== undefined &&
      typeof columnId === 'string' &&
      typeof newName === 'string' &&
      newName !== storedColumn['name']
      ? [{ oldName: getText(storedColumn['name']), rename: { tableId, columnId, newName } }]
      : [];
  });
  return [...tableRenames, ...columnRenames];
}
