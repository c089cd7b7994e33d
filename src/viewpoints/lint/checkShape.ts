import type { JsonMember, JsonNode, ObjectNode } from '../../json/text/jsonNode.ts';
import { isNullOrMissing, getMembersByKey } from '../../json/text/jsonNode.ts';
import { findSimilarWord } from './similarWord.ts';
import type { PathSegment, ProblemCollector } from './problem.ts';
import type { ValueShape } from './shape.ts';

const shapeTypeNames: Readonly<Record<ValueShape['type'], string>> = {
  any: 'any value',
  string: 'a string',
  boolean: 'true or false',
  list: 'an array',
  object: 'an object',
};

/** Returns the type of a value for use in a message. */
export function describeValueKind(node: JsonNode): string {
  if (node.kind !== 'literal') {
    return node.kind === 'array' ? 'an array' : 'an object';
  }
  if (node.value === null) {
    return 'null';
  }
  const names: Readonly<Record<string, string>> = {
    string: 'a string',
    number: 'a number',
    boolean: 'true or false',
  };
  return names[typeof node.value] ?? typeof node.value;
}

function matchesType(node: JsonNode, shape: ValueShape): boolean {
  switch (shape.type) {
    case 'any':
      return true;
    case 'list':
      return node.kind === 'array' || (shape.allowsObject === true && node.kind === 'object');
    case 'object':
      return node.kind === 'object';
    case 'string':
    case 'boolean':
      return node.kind === 'literal' && typeof node.value === shape.type;
  }
}

/** Reports properties of an object that do not match the types and keywords of the guide. `null` counts as absent. */
export function checkObject(
  node: ObjectNode,
  shape: ValueShape & { type: 'object' },
  parent: PathSegment | undefined,
  collector: ProblemCollector,
): void {
  const lastMembers = getMembersByKey(node);
  const hasDuplicates = lastMembers.size < node.members.length;
  for (const member of node.members) {
    const segment: PathSegment = { parent, step: member.key };
    const expected = shape.fields.get(member.key);
    if (hasDuplicates && lastMembers.get(member.key) !== member) {
      collector.add(
        { code: 'schema', severity: 'warning', reason: 'duplicate-key' },
        member,
        segment,
        member.key,
      );
    } else if (expected === undefined) {
      checkUnknownKey(member, shape, segment, collector);
    } else {
      checkMember(member, expected, segment, collector);
    }
  }
}

function checkUnknownKey(
  member: JsonMember,
  { fields, undocumentedKeys }: ValueShape & { type: 'object' },
  segment: PathSegment,
  collector: ProblemCollector,
): void {
  const { key } = member;
  if (undocumentedKeys.includes(key)) {
    return;
  }
  const similarKey = findSimilarWord(key, fields.keys());
  if (similarKey !== undefined) {
    collector.add(
      { code: 'schema', severity: 'warning', reason: 'similar-key' },
      member,
      segment,
      key,
      similarKey,
    );
  } else {
    collector.add({ code: 'schema', severity: 'information', reason: 'unknown-key' }, member, segment, key);
  }
}

function checkMember(
  member: JsonMember,
  shape: ValueShape,
  segment: PathSegment,
  collector: ProblemCollector,
): void {
  const { key, value } = member;
  // A member without a value is already a syntax error.
  if (value === undefined || isNullOrMissing(value)) {
    return;
  }
  if (!matchesType(value, shape)) {
    collector.add(
      { code: 'schema', reason: 'wrong-type' },
      member,
      segment,
      key,
      shapeTypeNames[shape.type],
      describeValueKind(value),
    );
  } else if (shape.type === 'object' && value.kind === 'object') {
    checkObject(value, shape, segment, collector);
  } else if (shape.type === 'list' && value.kind === 'array') {
    checkItems(key, value.items, shape.items, segment, collector);
  } else if (shape.type === 'string' && shape.words !== undefined && value.kind === 'literal') {
    checkWord(member, String(value.value), shape, segment, collector);
  }
}

function checkItems(
  key: string,
  items: readonly JsonNode[],
  shape: ValueShape,
  parent: PathSegment,
  collector: ProblemCollector,
): void {
  items.forEach((item, index) => {
    const segment: PathSegment = { parent, step: index };
    if (!matchesType(item, shape)) {
      collector.add(
        { code: 'schema', reason: 'wrong-item' },
        item,
        segment,
        key,
        shapeTypeNames[shape.type],
        describeValueKind(item),
      );
    } else if (shape.type === 'object' && item.kind === 'object') {
      checkObject(item, shape, segment, collector);
    }
  });
}

/**
 * Reports a keyword that the guide does not list; one that the query language knows is only informational
 * (platform-facts.md, 5.1).
 */
function checkWord(
  member: JsonMember,
  word: string,
  { words, label = '' }: ValueShape & { type: 'string' },
  segment: PathSegment,
  collector: ProblemCollector,
): void {
  if (words === undefined || words.documented.includes(word)) {
    return;
  }
  const isUndocumented = words.undocumented.includes(word);
  const problem = isUndocumented
    ? ({ code: 'schema', severity: 'information', reason: 'undocumented-word' } as const)
    : ({ code: 'schema', severity: 'warning', reason: 'unknown-word' } as const);
  collector.add(problem, member, segment, word, label, words.documented.join(', '));
}
