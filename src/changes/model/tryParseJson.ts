import { type JsonValue, parseLossless } from '../../base/json.ts';

/**
 * Parses a response body without loss; `undefined` if it is not JSON. Response bodies of writes are not specified
 * (rest-api.md, "What is not described").
 */
export function tryParseJson(text: string): JsonValue | undefined {
  if (text.trim() === '') {
    return undefined;
  }
  try {
    return parseLossless(text);
  } catch {
    return undefined;
  }
}
