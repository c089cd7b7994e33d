import { type JsonValue, isJsonObject } from '../base/json.ts';
import { mask } from '../catalog/maskSecrets.ts';
import { memberOf } from './canonical.ts';
import type { JsonPath } from './merge.ts';

/** Where a document still shows the mask instead of a secret, in its order. */
export function maskedPaths(value: JsonValue, path: JsonPath = []): readonly JsonPath[] {
  if (value === mask) {
    return [path];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: JsonValue, index) => maskedPaths(item, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.entries(value).flatMap(([name, member]) => maskedPaths(member, [...path, name]))
    : [];
}

/** The value at a path; `undefined` where there is none. */
export function valueAt(value: JsonValue | undefined, path: JsonPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (at, step) =>
      typeof step === 'number'
        ? Array.isArray(at)
          ? (at as readonly JsonValue[])[step]
          : undefined
        : memberOf(at, step),
    value,
  );
}

/** The document with what `secretAt` answers in place of each mask. */
export function unmasked(
  value: JsonValue,
  secretAt: (path: JsonPath) => JsonValue,
  path: JsonPath = [],
): JsonValue {
  if (value === mask) {
    return secretAt(path);
  }
  if (Array.isArray(value)) {
    return value.map((item: JsonValue, index) => unmasked(item, secretAt, [...path, index]));
  }
  return isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, member]) => [name, unmasked(member, secretAt, [...path, name])]),
      )
    : value;
}
