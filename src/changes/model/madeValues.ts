import { type JsonValue, isJsonObject } from '../../base/json.ts';
import type { MadeValue, ValuePath, Write } from './operation.ts';

/** An earlier write was answered without the value that a later one needs. */
export class MissingValueError extends Error {
  override readonly name = 'MissingValueError';

  constructor({ write, from }: MadeValue) {
    super(`The answer of write ${write} has nothing at ${from.join('.')}`);
  }
}

/**
 * The write with what earlier writes made filled in.
 * @param answers what each write of the operation was answered, by its index
 * @throws MissingValueError
 */
export function withMadeValues(write: Write, answers: readonly (JsonValue | undefined)[]): Write {
  return (write.made ?? []).reduce((filled, made) => {
    const value = valueAt(answers[made.write], made.from);
    if (typeof value !== 'string' || value === '') {
      throw new MissingValueError(made);
    }
    const [part, ...path] = made.into;
    return part === 'params'
      ? { ...filled, params: { ...filled.params, [String(path[0])]: value } }
      : { ...filled, body: withValue(filled.body ?? null, path, value) };
  }, write);
}

export function valueAt(value: JsonValue | undefined, path: ValuePath): JsonValue | undefined {
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

export function withValue(value: JsonValue, path: ValuePath, filled: JsonValue): JsonValue {
  const [key, ...rest] = path;
  if (key === undefined) {
    return filled;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      index === key ? withValue(item, rest, filled) : item,
    );
  }
  const object = isJsonObject(value) ? value : {};
  return { ...object, [key]: withValue(object[key] ?? null, rest, filled) };
}
