import { type JsonValue, stringify } from '../../base/json.ts';
import { sortByText } from '../../base/sortByText.ts';

/** Returns the items of a list; empty for any other value. */
export const readItems = (value: JsonValue | undefined): readonly JsonValue[] =>
  Array.isArray(value) ? (value as readonly JsonValue[]) : [];

/** Sorts values by their JSON. */
export const sortByJson = <Value extends JsonValue>(values: readonly Value[]): readonly Value[] =>
  sortByText(values, stringify);
