import type { JsonValue } from '../../base/json.ts';
import { type JsonNode, toJsonValue } from './jsonNode.ts';
import { type JsonDocument, parseJsonTree, type JsonSyntaxError } from './parseJsonTree.ts';

/** A parsed JSON text. Comments and trailing commas are allowed (`jsonc`; decisions.md, "Names and file suffixes"). */
export interface ParsedJson {
  readonly text: string;
  /** `undefined` if the text has no value, because it is empty or contains only comments. */
  readonly root: JsonNode | undefined;
  readonly value: JsonValue | undefined;
  /** The first syntax error; an empty text has none. */
  readonly error: JsonSyntaxError | undefined;
}

/** Parses JSON with comments. Never throws: syntax errors are in `error`. */
export const parseJsonc = (text: string): ParsedJson => toParsedJson(parseJsonTree(text));

/** Converts a parsed document, adding its plain value. */
export function toParsedJson({ text, root, error }: JsonDocument): ParsedJson {
  const isEmpty = error?.reason === 'empty';
  return {
    text,
    root,
    value: root === undefined ? undefined : toJsonValue(root),
    error: isEmpty ? undefined : error,
  };
}
