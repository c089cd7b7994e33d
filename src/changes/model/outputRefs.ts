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
 * Returns the write with its output references replaced by values from earlier responses.
 * @param responses the responses to the writes of the operation, by index; `undefined` if unknown
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

/** Returns the value at a path; `undefined` if there is none. */
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

/** Returns a copy of the value with `newValue` at the path. */
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
