import { type JsonValue, createRawNumber } from '../../base/json.ts';
import type { JsonMember, JsonNode } from './jsonNode.ts';
import type { ParsedJson } from './parsedJson.ts';
import { parseJsonTree } from './parseJsonTree.ts';

/** A JSON text whose numbers keep their spelling (see `base/json.ts`). */
export interface LosslessJson extends ParsedJson {
  /** The members whose key is repeated in their object: all but the first. */
  readonly duplicateMembers: readonly JsonMember[];
}

/** Parses JSON with comments. Never throws: syntax errors are in `error`. An empty text has no value. */
export function parseLosslessJsonc(text: string): LosslessJson {
  const { root, error } = parseJsonTree(text);
  const duplicateMembers: JsonMember[] = [];
  return {
    text,
    root,
    value: root === undefined ? undefined : readValue(text, root, duplicateMembers),
    error: error?.reason === 'empty' ? undefined : error,
    duplicateMembers,
  };
}

function readValue(text: string, node: JsonNode, duplicateMembers: JsonMember[]): JsonValue {
  switch (node.kind) {
    case 'literal': {
      const source = text.slice(node.start, node.end);
      return typeof node.value === 'number' && String(node.value) !== source
        ? createRawNumber(source)
        : node.value;
    }
    case 'array':
      return node.items.map((item) => readValue(text, item, duplicateMembers));
    case 'object': {
      const keys = new Set<string>();
      // Assigning the properties would fail for the valid key `__proto__`.
      return Object.fromEntries(
        node.members.map((member) => {
          if (keys.has(member.key)) {
            duplicateMembers.push(member);
          }
          keys.add(member.key);
          const { key, value } = member;
          return [key, value === undefined ? null : readValue(text, value, duplicateMembers)];
        }),
      );
    }
  }
}
