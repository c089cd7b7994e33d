import { type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import type { OutputRef, ValuePath, Write } from './operation.ts';

/** The response of an earlier write lacks the value that a later one needs. */
export class MissingOutputError extends Error {
  override readonly name = 'MissingOutputError';

  constructor({ write, from }: OutputRef) {
    super(`The response of write ${write} has no ID at ${from.join('.')}`);
  }
}

/** Shifts the output references between writes by the number of writes ahead of them. */
export const shiftOutputRefs = (writes: readonly Write[], offset: number): readonly Write[] =>
  writes.map((write) =>
    write.outputRefs === undefined
      ? write
      : {
          ...write,
          outputRefs: write.outputRefs.map((outputRef) => ({
            ...outputRef,
            write: outputRef.write + offset,
          })),
        },
  );

/**
 * Returns the write with its output references replaced by values from earlier responses.
 * @param responses the responses to the writes of the operation, by index; `undefined` if unknown
 * @throws MissingOutputError
 */
export function resolveOutputs(write: Write, responses: readonly (JsonValue | undefined)[]): Write {
  return (write.outputRefs ?? []).reduce((resolved, outputRef) => {
    const value = findOutput(outputRef, responses);
    if (value === undefined) {
      throw new MissingOutputError(outputRef);
    }
    return insertOutput(resolved, outputRef, value);
  }, write);
}

/** Like {@link resolveOutputs}, but skips references to values that no response contains. */
export const resolveKnownOutputs = (write: Write, responses: readonly (JsonValue | undefined)[]): Write =>
  (write.outputRefs ?? []).reduce((resolved, outputRef) => {
    const value = findOutput(outputRef, responses);
    return value === undefined ? resolved : insertOutput(resolved, outputRef, value);
  }, write);

function findOutput(
  { write, from }: OutputRef,
  responses: readonly (JsonValue | undefined)[],
): string | undefined {
  const value = getValueAt(responses[write], from);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function insertOutput(write: Write, { into: [root, ...path] }: OutputRef, value: string): Write {
  return root === 'params'
    ? { ...write, params: { ...write.params, [String(path[0])]: value } }
    : { ...write, body: setValueAt(write.body ?? null, path, value) };
}

/** Returns the value at a path; `undefined` if there is none. */
export function getValueAt(value: JsonValue | undefined, path: ValuePath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((current, key) => {
    if (Array.isArray(current)) {
      const items = current as readonly JsonValue[];
      return typeof key === 'number'
        ? items[key]
        : items.find((item) => isJsonObject(item) && item['name'] === key);
    }
    return getMember(current, String(key));
  }, value);
}

/** Returns a copy of the value with `newValue` at the path. */
export function setValueAt(value: JsonValue, path: ValuePath, newValue: JsonValue): JsonValue {
  const [key, ...remainingPath] = path;
  if (key === undefined) {
    return newValue;
  }
  if (Array.isArray(value)) {
    return (value as readonly JsonValue[]).map((item, index) =>
      index === key ? setValueAt(item, remainingPath, newValue) : item,
    );
  }
  const object = isJsonObject(value) ? value : {};
  return { ...object, [key]: setValueAt(object[key] ?? null, remainingPath, newValue) };
}
