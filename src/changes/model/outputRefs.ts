import { type JsonValue, isJsonObject } from '../../base/json.ts';
import type { OutputRef, ValuePath, Write } from './operation.ts';

/** The response of an earlier write lacks the value that a later one needs. */
export class MissingOutputError extends Error {
  override readonly name = 'MissingValueError';

  constructor({ write, from }: OutputRef) {
    super(`The answer of write ${write} has nothing at ${from.join('.')}`);
  }
}

/**
 * Returns the write with the values of earlier responses filled in.
 * @param answers the response of each write of the operation, by its index
 * @throws MissingOutputError
 */
export function resolveOutputs(write: Write, answers: readonly (JsonValue | undefined)[]): Write {
  return (write.made ?? []).reduce((filled, made) => {
    const value = getValueAt(answers[made.write], made.from);
    if (typeof value !== 'string' || value === '') {
      throw new MissingOutputError(made);
    }
    const [part, ...path] = made.into;
    return part === 'params'
      ? { ...filled, params: { ...filled.params, [String(path[0])]: value } }
      : { ...filled, body: setValueAt(filled.body ?? null, path, value) };
  }, write);
}

export function getValueAt(value: JsonValue | undefined, path: ValuePath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((at, key) => {
    if (Array.isArray(at)) {
      const items = at as readonly JsonValue[];
      return typeof key === 'number'
        ? items[key]
        : items.find((item) => isJsonObject(item) && item['name'] === key);
    }
    return isJsonObject(at) ? at[key] : undefined;
  }, value);
}

export function setValueAt(value: JsonValue, path: ValuePath, filled: JsonValue): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) {
    return filled;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      index === key ? setValueAt(item, rest, filled) : item,
    );
  }
  const object = isJsonObject(value) ? value : {};
  return { ...object, [key]: setValueAt(object[key] ?? null, rest, filled) };
}
