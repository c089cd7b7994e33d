import type { JsonPath } from '../../base/json.ts';
import type { ArrayNode, JsonMember, JsonNode, LiteralNode, ObjectNode } from '../text/jsonNode.ts';
import { type JsonDocument, parseJsonTree } from '../text/parseJsonTree.ts';

/** The location of the caret in a document: at a property value or an array item, which may still be missing. */
export interface JsonLocation {
  readonly path: JsonPath;
  /** The objects that contain the location, innermost first. */
  readonly enclosingObjects: readonly ObjectNode[];
  /** The member that the value belongs to. */
  readonly member: JsonMember | undefined;
  /** The existing value, if any. */
  readonly literal: LiteralNode | undefined;
  /** The other values of the list that the value belongs to. */
  readonly otherItems?: readonly JsonNode[];
  /** The range that accepting a proposal replaces. */
  readonly start: number;
  readonly end: number;
}

export interface LocatedDocument {
  readonly text: string;
  readonly root: JsonNode | undefined;
  readonly location: JsonLocation | undefined;
  /**
   * Converts an offset in the tree to one in the text. They differ if a placeholder was inserted for a missing value
   * before parsing.
   */
  readonly toDocumentOffset: (offset: number) => number;
}

const placeholderValue = 'null,';

/**
 * Finds the location of the caret. A value that is missing or incomplete there does not affect the rest of the tree.
 */
export function locateOffset(document: JsonDocument, offset: number): LocatedDocument {
  const { text } = document;
  const isValueMissing = isMissingValue(text, offset);
  // The text with the placeholder is only parsed to find this location.
  const { root } = isValueMissing
    ? parseJsonTree(text.slice(0, offset) + placeholderValue + text.slice(offset))
    : document;
  const toDocumentOffset = (treeOffset: number): number =>
    isValueMissing && treeOffset > offset
      ? Math.max(offset, treeOffset - placeholderValue.length)
      : treeOffset;
  // A word without quotes is not a valid value yet, but the proposal should replace it.
  const unquotedWord = isValueMissing
    ? ''
    : (/[^\s,:{}[\]"]+$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0] ?? '');
  const findLocationAt = (position: number): JsonLocation | undefined =>
    root === undefined ? undefined : findLocation(root, position, [], []);
  const start = offset - unquotedWord.length;
  const startLocation = findLocationAt(start);
  const hasNoLiteral = startLocation !== undefined && (isValueMissing || startLocation.literal === undefined);
  const location = hasNoLiteral
    ? { ...startLocation, literal: undefined, start, end: offset }
    : findLocationAt(offset);
  return { text, root, location, toDocumentOffset };
}

/** True if a value is missing at the offset, so that the next key would be parsed as that value. */
function isMissingValue(text: string, offset: number): boolean {
  return (
    /:\s*$/.test(text.slice(Math.max(0, offset - 200), offset)) &&
    /^\s*"(?:[^"\\\r\n]|\\.)*"\s*:/.test(text.slice(offset, offset + 2000))
  );
}

function findLocation(
  node: JsonNode,
  offset: number,
  path: JsonPath,
  enclosingObjects: readonly ObjectNode[],
): JsonLocation | undefined {
  switch (node.kind) {
    case 'literal':
      return { path, enclosingObjects, member: undefined, literal: node, start: node.start, end: node.end };
    case 'array':
      return findItemLocation(node, offset, path, enclosingObjects);
    case 'object':
      return findMemberLocation(node, offset, path, [node, ...enclosingObjects]);
  }
}

const containsOffset = (node: JsonNode, offset: number): boolean =>
  node.kind === 'literal'
    ? node.start <= offset && offset <= node.end
    : node.start < offset && offset < node.end;

function findItemLocation(
  node: ArrayNode,
  offset: number,
  path: JsonPath,
  enclosingObjects: readonly ObjectNode[],
): JsonLocation | undefined {
  const itemIndex = node.items.findIndex((item) => containsOffset(item, offset));
  const item = node.items[itemIndex];
  if (item !== undefined) {
    const location = findLocation(item, offset, [...path, itemIndex], enclosingObjects);
    return location?.literal === item
      ? { ...location, otherItems: node.items.filter((other) => other !== item) }
      : location;
  }
  const index = node.items.filter(({ start }) => start < offset).length;
  return {
    path: [...path, index],
    enclosingObjects,
    member: undefined,
    literal: undefined,
    otherItems: node.items,
    start: offset,
    end: offset,
  };
}

function findMemberLocation(
  node: ObjectNode,
  offset: number,
  path: JsonPath,
  enclosingObjects: readonly ObjectNode[],
): JsonLocation | undefined {
  const member = node.members.findLast(({ start }) => start < offset);
  if (member === undefined || offset <= member.keyEnd) {
    return undefined;
  }
  const { key, value } = member;
  const memberPath = [...path, key];
  if (value !== undefined && containsOffset(value, offset)) {
    const valueLocation = findLocation(value, offset, memberPath, enclosingObjects);
    return valueLocation?.literal === value ? { ...valueLocation, member } : valueLocation;
  }
  const isBeforeValue =
    value === undefined ? offset >= member.end : offset <= value.start && offset >= member.keyEnd;
  return isBeforeValue
    ? { path: memberPath, enclosingObjects, member, literal: undefined, start: offset, end: offset }
    : undefined;
}
