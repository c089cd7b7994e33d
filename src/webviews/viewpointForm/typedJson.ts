import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, parseLossless } from '../../base/json.ts';

/** A JSON text that is being typed; only `usable` ones change the document. */
export type TypedJson =
  | { readonly state: 'usable'; readonly value: JsonValue }
  | {
      readonly state:
        | 'incomplete'
        /** Valid JSON, but not of the kind that is needed. */
        | 'wrong-kind'
        /** A number has more digits than a message to the host can carry. */
        | 'loses-digits';
    };

/** Reads a typed text. `accepts` checks whether a value is of the kind that is needed. */
export function readTypedJson(text: string, accepts: (value: JsonValue) => boolean): TypedJson {
  let exactValue: JsonValue;
  try {
    exactValue = parseLossless(text);
  } catch {
    return { state: 'incomplete' };
  }
  if (!accepts(exactValue)) {
    return { state: 'wrong-kind' };
  }
  // Exact numbers do not survive being posted, so the host gets ordinary ones.
  const value = JSON.parse(text) as JsonValue;
  return jsonEquals(value, exactValue) ? { state: 'usable', value } : { state: 'loses-digits' };
}
