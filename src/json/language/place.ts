import type { ArrayNode, JsonMember, JsonNode, JsonPath, LiteralNode, ObjectNode } from '../text/jsonNode.ts';
import { type JsonDocument, parseJson } from '../text/parseJson.ts';

/** Where a caret is in a document: at a value, or at an item of a list. */
export interface Place {
  readonly path: JsonPath;
  /** The objects that hold the place, the innermost first. */
  readonly holders: readonly ObjectNode[];
  /** The member whose value it is. */
  readonly member: JsonMember | undefined;
  /** The value that is there already. */
  readonly literal: LiteralNode | undefined;
  /** What accepting a proposal replaces. */
  readonly start: number;
  readonly end: number;
}

export interface Located {
  readonly text: string;
  readonly root: JsonNode | undefined;
  readonly place: Place | undefined;
  /** A place in the tree as one of the text: a missing value was put in, so that what follows is read right. */
  readonly toText: (offset: number) => number;
}

const missing = 'null,';

/** Reads a document around a caret; what is half-typed there does not hide what follows. */
export function locate(document: JsonDocument, offset: number): Located {
  const { text } = document;
  const isHealed = lacksValue(text, offset);
  // A text that nobody has typed, which is read for this place alone.
  const { root } = isHealed ? parseJson(text.slice(0, offset) + missing + text.slice(offset)) : document;
  const toText = (at: number): number =>
    isHealed && at > offset ? Math.max(offset, at - missing.length) : at;
  // A word without quotes is no value yet, but it is what the person is typing.
  const word = isHealed
    ? ''
    : (/[^\s,:{}[\]"]+$/.exec(text.slice(Math.max(0, offset - 200), offset))?.[0] ?? '');
  const at = (position: number): Place | undefined =>
    root === undefined ? undefined : find(root, position, [], []);
  const start = offset - word.length;
  const found = at(start);
  const isFree = found !== undefined && (isHealed || found.literal === undefined);
  const place = isFree ? { ...found, literal: undefined, start, end: offset } : at(offset);
  return { text, root, place, toText };
}

/** Whether a value is to be typed here, and the next key would be read as that value. */
function lacksValue(text: string, offset: number): boolean {
  return (
    /:\s*$/.test(text.slice(Math.max(0, offset - 200), offset)) &&
    /^\s*"(?:[^"\\\r\n]|\\.)*"\s*:/.test(text.slice(offset, offset + 2000))
  );
}

function find(
  node: JsonNode,
  offset: number,
  path: JsonPath,
  holders: readonly ObjectNode[],
): Place | undefined {
  switch (node.kind) {
    case 'literal':
      return { path, holders, member: undefined, literal: node, start: node.start, end: node.end };
    case 'array':
      return findItem(node, offset, path, holders);
    case 'object':
      return findMember(node, offset, path, [node, ...holders]);
  }
}

const holds = (node: JsonNode, offset: number): boolean =>
  node.kind === 'literal'
    ? node.start <= offset && offset <= node.end
    : node.start < offset && offset < node.end;

function findItem(
  node: ArrayNode,
  offset: number,
  path: JsonPath,
  holders: readonly ObjectNode[],
): Place | undefined {
  const inside = node.items.findIndex((item) => holds(item, offset));
  const item = node.items[inside];
  if (item !== undefined) {
    return find(item, offset, [...path, inside], holders);
  }
  const index = node.items.filter(({ start }) => start < offset).length;
  return {
    path: [...path, index],
    holders,
    member: undefined,
    literal: undefined,
    start: offset,
    end: offset,
  };
}

function findMember(
  node: ObjectNode,
  offset: number,
  path: JsonPath,
  holders: readonly ObjectNode[],
): Place | undefined {
  const member = node.members.findLast(({ start }) => start < offset);
  if (member === undefined || offset <= member.keyEnd) {
    return undefined;
  }
  const { key, value } = member;
  const at = [...path, key];
  if (value !== undefined && holds(value, offset)) {
    const found = find(value, offset, at, holders);
    return found?.literal === value ? { ...found, member } : found;
  }
  const isBefore =
    value === undefined ? offset >= member.end : offset <= value.start && offset >= member.keyEnd;
  return isBefore ? { path: at, holders, member, literal: undefined, start: offset, end: offset } : undefined;
}
