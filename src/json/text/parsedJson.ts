import type { JsonValue } from '../../base/json.ts';
import { type JsonNode, toJsonValue } from './jsonNode.ts';
import { type JsonDocument, parseJson, type JsonSyntaxError } from './parseJson.ts';

/** A JSON text as it was read: comments and trailing commas are allowed (`jsonc`; design.md, section 2). */
export interface ParsedJson {
  readonly text: string;
  /** `undefined` where the text holds no value: it is empty, or has comments alone. */
  readonly root: JsonNode | undefined;
  readonly value: JsonValue | undefined;
  /** Why the text is no JSON. */
  readonly error: JsonSyntaxError | undefined;
}

/** Reads any text, and never throws: what is no JSON says where it ceases to be. */
export const parseJsonc = (text: string): ParsedJson => toParsedJson(parseJson(text));

/** The same of a text that is read already. */
export function toParsedJson({ text, root, error }: JsonDocument): ParsedJson {
  const isEmpty = error?.reason === 'empty';
  return {
    text,
    root,
    value: root === undefined ? undefined : toJsonValue(root),
    error: isEmpty ? undefined : error,
  };
}
