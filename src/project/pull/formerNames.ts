import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import { getColumnsByName } from '../compare/normalizeContent.ts';
import { type ProjectItem, renamedFromMember } from '../item.ts';

/** Returns the content of a file without its former names, which only the project has. */
export const omitFormerNames = (item: ProjectItem): JsonValue =>
  mapRenamableObjects(item, (object) => {
    const { [renamedFromMember]: formerName, ...others } = object;
    return formerName === undefined ? object : others;
  });

/**
 * Adds the former names in a file to its merged content: that of the item, and those of the columns that still exist.
 */
export function restoreFormerNames({ key, content }: ProjectItem, merged: JsonValue): JsonValue {
  const columns = getColumnsByName(content);
  return mapRenamableObjects({ key, content: merged }, (object, column) => {
    const formerName = getMember(column === undefined ? content : columns.get(column), renamedFromMember);
    return formerName === undefined ? object : { ...object, [renamedFromMember]: formerName };
  });
}

/** Maps the objects that can have a former name: a viewpoint, or a table and its columns. */
export function mapRenamableObjects(
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
