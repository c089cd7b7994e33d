import type { JsonMember, JsonNode, ObjectNode } from '../../json/text/jsonNode.ts';
import { isNull, lastMembers } from '../../json/text/jsonNode.ts';
import { alike } from './alike.ts';
import type { Place, Report } from './problem.ts';
import type { Shape } from './shape.ts';

const typeNames: Readonly<Record<Shape['type'], string>> = {
  any: 'any value',
  string: 'a text',
  boolean: 'true or false',
  list: 'a list',
  object: 'an object',
};

/** What a value is, as a message says it. */
export function kindOf(node: JsonNode): string {
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

function hasType(node: JsonNode, shape: Shape): boolean {
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

/** Tells what in an object is not of the types and words of the spec. `null` is the same as nothing. */
export function checkObject(
  node: ObjectNode,
  shape: Shape & { type: 'object' },
  place: Place | undefined,
  report: Report,
): void {
  const last = lastMembers(node);
  const hasTwins = last.size < node.members.length;
  for (const member of node.members) {
    const at: Place = { parent: place, step: member.key };
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
  { fields }: Shape & { type: 'object' },
  present: ReadonlyMap<string, unknown>,
  at: Place,
  report: Report,
): void {
  const meant = alike(member.key, fields.keys());
  if (meant !== undefined && !present.has(meant)) {
    report.add({ code: 'schema', severity: 'warning', reason: 'alike-key' }, member, at, member.key, meant);
  }
}

function checkMember(member: JsonMember, shape: Shape, at: Place, report: Report): void {
  const { key, value } = member;
  // A member without a value is a syntax error already.
  if (value === undefined || isNull(value)) {
    return;
  }
  if (!hasType(value, shape)) {
    report.add(
      { code: 'schema', reason: 'wrong-type' },
      member,
      at,
      key,
      typeNames[shape.type],
      kindOf(value),
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
  shape: Shape,
  place: Place,
  report: Report,
): void {
  items.forEach((item, index) => {
    const at: Place = { parent: place, step: index };
    if (!hasType(item, shape)) {
      report.add(
        { code: 'schema', reason: 'wrong-item' },
        item,
        at,
        key,
        typeNames[shape.type],
        kindOf(item),
      );
    } else if (shape.type === 'object' && item.kind === 'object') {
      checkObject(item, shape, at, report);
    }
  });
}

/** A word that the spec does not list; one that the query language knows is only told (platform-facts 5.1). */
function checkWord(
  member: JsonMember,
  word: string,
  { words, what = '' }: Shape & { type: 'string' },
  at: Place,
  report: Report,
): void {
  if (words === undefined || words.seen.includes(word)) {
    return;
  }
  const isWider = words.wider.includes(word);
  const found = isWider
    ? ({ code: 'schema', severity: 'information', reason: 'wider-word' } as const)
    : ({ code: 'schema', severity: 'warning', reason: 'unknown-word' } as const);
  report.add(found, member, at, word, what, words.seen.join(', '));
}
