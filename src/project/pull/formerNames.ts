import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { type ProjectItem, renamedFromMember } from '../item.ts';

/** Leaves out the former names in a file: they are the project's own, and no instance has them. */
export const omitFormerNames = (item: ProjectItem): JsonValue =>
  mapNamedObjects(item, (object) => {
    const { [renamedFromMember]: formerName, ...others } = object;
    return formerName === undefined ? object : others;
  });

/** Gives the former names of a file back to what became of it: that of the item, and those of columns it still has. */
export function restoreFormerNames({ key, content }: ProjectItem, merged: JsonValue): JsonValue {
  const columns = getColumnsByName(content);
  return mapNamedObjects({ key, content: merged }, (object, column) => {
    const formerName = getMember(column === undefined ? content : columns.get(column), renamedFromMember);
    return formerName === undefined ? object : { ...object, [renamedFromMember]: formerName };
  });
}

/** Maps what can have a former name: a viewpoint, or the columns of a table and the table itself. */
export function mapNamedObjects(
  { key, content }: ProjectItem,
  map: (object: JsonObject, column?: string) => JsonObject,
): JsonValue {
  if ((key.kind !== 'table' && key.kind !== 'viewpoint') || !isJsonObject(content)) {
    return content;
  }
  const { columns } = content;
  const mapColumn = (column: JsonValue): JsonValue =>
    isJsonObject(column) && typeof column['name'] === 'string' ? map(column, column['name']) : column;
  return map(
    key.kind === 'table' && isJsonArray(columns) ? { ...content, columns: columns.map(mapColumn) } : content,
  );
}
