import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import type { ValuePath } from '../../changes/model/operation.ts';
import type { IdOrOutput, IdUse } from '../../changes/model/undoWrites.ts';
import { isJsonArray } from '../../json/text/copyOnWrite.ts';
import type { ResolvedValue } from './writeList.ts';

/** A reference in a file to something that doesn't exist. */
export class UnresolvedReferenceError extends Error {
  override readonly name = 'UnresolvedReferenceError';
  readonly names: JsonObject;
  /** The names in the reference, such as `Orders.Order Date`. */
  readonly reference: string;

  constructor(names: JsonObject) {
    const reference = Object.values(names)
      .filter((name) => typeof name === 'string')
      .join('.');
    super(`Unresolved reference: ${reference}`);
    this.names = names;
    this.reference = reference;
  }
}

/** Returns whether a value contains a reference by names. */
export const hasReferences = (value: JsonValue): boolean =>
  isJsonArray(value)
    ? value.some(hasReferences)
    : isJsonObject(value) && (isJsonObject(value['$ref']) || Object.values(value).some(hasReferences));

/**
 * Replaces the references by name in a value, `{"$ref": {"table": "Orders", "column": "Order Date"}}`, with IDs.
 * @param path where the value is in the body of a write
 * @param findId returns the ID of what the names refer to, or the earlier write that will return it
 * @throws UnresolvedReferenceError
 */
export function resolveReferences(
  value: JsonValue,
  path: ValuePath,
  findId: (names: JsonObject) => IdOrOutput | undefined,
): ResolvedValue {
  const uses: IdUse[] = [];
  const resolve = (current: JsonValue, currentPath: ValuePath): JsonValue => {
    if (isJsonArray(current)) {
      return current.map((item, index) => resolve(item, [...currentPath, index]));
    }
    if (!isJsonObject(current)) {
      return current;
    }
    const { $ref: names } = current;
    if (isJsonObject(names)) {
      const id = findId(names);
      if (id === undefined) {
        throw new UnresolvedReferenceError(names);
      }
      if (typeof id === 'string') {
        return id;
      }
      uses.push({ into: ['body', ...currentPath], id });
      // A placeholder: the ID is inserted when the earlier write has returned it.
      return '';
    }
    return Object.fromEntries(
      Object.entries(current).map(([name, member]) => [name, resolve(member, [...currentPath, name])]),
    );
  };
  return { value: resolve(value, path), uses };
}
