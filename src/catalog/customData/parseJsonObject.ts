import { isJsonObject, type JsonObject, parseLossless } from '../../base/json.ts';

/** A JSON object parsed from text, or why parsing failed. */
export type JsonObjectResult =
  | { readonly object: JsonObject }
  | { readonly problem: 'empty' | 'not-object' | 'syntax' };

/** Parses the text of a filter or change losslessly: numbers keep their source text. */
export function parseJsonObject(text: string): JsonObjectResult {
  if (text.trim() === '') {
    return { problem: 'empty' };
  }
  try {
    const value = parseLossless(text);
    return isJsonObject(value) ? { object: value } : { problem: 'not-object' };
  } catch {
    return { problem: 'syntax' };
  }
}
