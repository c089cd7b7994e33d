import type { JsonMember, JsonNode, ObjectNode } from '../../json/text/jsonNode.ts';
import { isNullLiteral, getMembersByKey } from '../../json/text/jsonNode.ts';
import { findSimilarWord } from './similarWord.ts';
import type { PathSegment, ProblemCollector } from './problem.ts';
import type { ValueShape } from './shape.ts';

const shapeTypeNames: Readonly<Record<ValueShape['type'], string>> = {
  any: 'any value',
  string: 'a text',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
};

/** Returns the type of a value for use in a message. */
export function describeValueKind(node: JsonNode): string {
  if (node.kind !== 'literal') {
    return node.kind === 'array' ? 'a list' : 'an object';
  }
  if (node.value === null) {
    return 'null';
  }
  const names: Readonly<Record<string, string>> = {
    string: 'a text',
    number: 'a number',
    boolean: 'a yes or no',
  };
  return names[typeof node.value] ?? typeof node.value;
}

function matchesType(node: JsonNode, shape: ValueShape): boolean {
  switch (shape.type) {
    case 'any':
      return true;
    case 'list':
      return node.kind === 'array' || (shape.orObject === true && node.kind === 'object');
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
  place: PathSegment | undefined,
  report: ProblemCollector,
): void {
  const last = getMembersByKey(node);
  const hasTwins = last.size < node.members.length;
  for (const member of node.members) {
    const at: PathSegment = { parent: place, step: member.key };
    const expected = shape.fields.get(member.key);
    if (hasTwins && last.get(member.key) !== member) {
      report.add({ code: 'schema', severity: 'warning', reason: 'duplicate-key' }, member, at, member.key);
    } else if (expected === undefined) {
      checkSpelling(member, shape, last, at, report);
    } else {
      checkMember(member, expected, at, report);
    }
  }
}

function checkSpelling(
  member: JsonMember,
  { fields }: ValueShape & { type: 'object' },
  present: ReadonlyMap<string, unknown>,
  at: PathSegment,
  report: ProblemCollector,
): void {
  const meant = findSimilarWord(member.key, fields.keys());
  if (meant !== undefined && !present.has(meant)) {
    report.add({ code: 'schema', severity: 'warning', reason: 'alike-key' }, member, at, member.key, meant);
  }
}

function checkMember(member: JsonMember, shape: ValueShape, at: PathSegment, report: ProblemCollector): void {
  const { key, value } = member;
  // A member without a value is already a syntax error.
  if (value === undefined || isNullLiteral(value)) {
    return;
  }
  if (!matchesType(value, shape)) {
    report.add(
      { code: 'schema', reason: 'wrong-type' },
      member,
      at,
      key,
      shapeTypeNames[shape.type],
      describeValueKind(value),
    );
  } else if (shape.type === 'object' && value.kind === 'object') {
    checkObject(value, shape, at, report);
  } else if (shape.type === 'list' && value.kind === 'array') {
    checkItems(key, value.items, shape.items, at, report);
  } else if (shape.type === 'string' && shape.words !== undefined && value.kind === 'literal') {
    checkWord(member, String(value.value), shape, at, report);
  }
}

function checkItems(
  key: string,
  items: readonly JsonNode[],
  shape: ValueShape,
  place: PathSegment,
  report: ProblemCollector,
): void {
  items.forEach((item, index) => {
    const at: PathSegment = { parent: place, step: index };
    if (!matchesType(item, shape)) {
      report.add(
        { code: 'schema', reason: 'wrong-item' },
        item,
        at,
        key,
        shapeTypeNames[shape.type],
        describeValueKind(item),
      );
    } else if (shape.type === 'object' && item.kind === 'object') {
      checkObject(item, shape, at, report);
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
  { words, what = '' }: ValueShape & { type: 'string' },
  at: PathSegment,
  report: ProblemCollector,
): void {
  if (words === undefined || words.documented.includes(word)) {
    return;
  }
  const isWider = words.undocumented.includes(word);
  const found = isWider
    ? ({ code: 'schema', severity: 'information', reason: 'wider-word' } as const)
    : ({ code: 'schema', severity: 'warning', reason: 'unknown-word' } as const);
  report.add(found, member, at, word, what, words.documented.join(', '));
}
