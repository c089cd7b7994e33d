import type { JsonValue } from '../../base/json.ts';
import { type JsonNode, toJsonValue } from './jsonNode.ts';
import { type JsonDocument, parseJson, type JsonSyntaxError } from './parseJson.ts';

/** A parsed JSON text: comments and trailing commas are allowed (`jsonc`; decisions.md, "Names and file suffixes"). */
export interface ParsedJson {
  readonly text: string;
  /** `undefined` if the text has no value: it is empty, or has only comments. */
  readonly root: JsonNode | undefined;
  readonly value: JsonValue | undefined;
  /** The reason why the text is not JSON. */
  readonly error: JsonSyntaxError | undefined;
}

/** Parses any text and never throws: the error says where it stops being JSON. */
export const parseJsonc = (text: string): ParsedJson => toParsedJson(parseJson(text));

/** The same for a text that is already parsed. */
export function toParsedJson({ text, root, error }: JsonDocument): ParsedJson {
  const isEmpty = error?.reason === 'empty';
  return {
    text,
    root,
    value: root === undefined ? undefined : toJsonValue(root),
    error: isEmpty ? undefined : error,
  };
}
