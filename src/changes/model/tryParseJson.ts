import { type JsonValue, parseLossless } from '../../base/json.ts';

/** The bodies of writes are not shown (spec): what is no JSON says nothing. */
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
