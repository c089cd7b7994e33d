import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonObject, type JsonValue, getMember } from '../../base/json.ts';

/**
 * Returns the names of the conditions of a filter that an object certainly doesn't fulfill. Filters only have values of
 * members at the root, and `$exists` (docs/projects.md).
 * @param isComplete whether `members` are all members that the object will have, not only some of them
 */
export const findUnfulfilledConditions = (
  members: JsonValue | undefined,
  filter: JsonObject,
  isComplete: boolean,
): readonly string[] =>
  Object.entries(filter).flatMap(([name, condition]) => {
    const value = getMember(members, name);
    const exists = getMember(condition, '$exists');
    const isFulfilled =
      value === undefined
        ? !isComplete || exists === false
        : typeof exists === 'boolean'
          ? exists
          : jsonEquals(value, condition);
    return isFulfilled ? [] : [name];
  });
