import { jsonEquals } from '../../base/canonicalJson.ts';
import { type JsonValue, parseLossless } from '../../base/json.ts';

/** A JSON text that the user has entered; only `usable` ones change the document. */
export type JsonInput =
  | { readonly state: 'usable'; readonly value: JsonValue }
  | {
      readonly state:
        | 'invalid'
        /** Valid JSON, but not of the kind that is needed. */
        | 'wrong-kind'
        /** A number has more digits than a message to the host can carry. */
        | 'loses-digits';
    };

/** Reads the text that the user has entered. `accepts` checks whether a value is of the kind that is needed. */
export function readJsonInput(text: string, accepts: (value: JsonValue) => boolean): JsonInput {
  let exactValue: JsonValue;
  try {
    exactValue = parseLossless(text);
  } catch {
    return { state: 'invalid' };
  }
  if (!accepts(exactValue)) {
    return { state: 'wrong-kind' };
  }
  // Lossless numbers can't be posted to the host, so the value is parsed again with JavaScript numbers.
  const value = JSON.parse(text) as JsonValue;
  return jsonEquals(value, exactValue) ? { state: 'usable', value } : { state: 'loses-digits' };
}
