import { type JsonObject, type JsonValue, isJsonObject, stringify } from '../../base/json.ts';

/** Returns the objects of a list; empty for any other value. */
export const readObjects = (value: JsonValue | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]).filter(isJsonObject) : [];

/** Returns the items of a list; empty for any other value. */
export const readItems = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

/** Returns the value if it is a string; otherwise an empty string. */
export const readText = (value: JsonValue | undefined): string => (typeof value === 'string' ? value : '');

/** Compares by code units, which gives the same order on every system. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** Sorts values by their JSON. */
export const sortByJson = <Value extends JsonValue>(values: readonly Value[]): readonly Value[] =>
  values
    .map((value) => ({ value, text: stringify(value) }))
    .toSorted((a, b) => compareTexts(a.text, b.text))
    .map(({ value }) => value);
