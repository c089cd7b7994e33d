import { type JsonNode, lastMembers, nodeAt } from '../../json/text/jsonNode.ts';
import { keyEdits, removalOf } from '../../json/text/pathEdit.ts';
import { alike } from '../lint/alike.ts';
import type { ViewpointProblem } from '../lint/problem.ts';
import { aggregations, datatypes, levels, modelTypes, sorts, type Words } from '../vocabulary.ts';
import type { Fix } from './fix.ts';
import { fix, type FixContext, keyOf } from './fixContext.ts';

/** What mends a key, a word or a type. */
export function schemaFixes(context: FixContext): readonly Fix[] {
  const { path, reason, args } = context.problem;
  if (reason === 'alike-key') {
    const key = args[1] ?? '';
    const edits = keyEdits(context.document, path, key);
    return [{ reason: 'rename-key', args: [key], isPreferred: true, edits }];
  }
  if (reason === 'required') {
    const [key = ''] = args;
    return [fix(context, 'add-key', [key], [{ op: 'set', path: [...path, key], value: '' }])];
  }
  if (reason === 'duplicate-key') {
    return removeEarlier(context);
  }
  if (reason === 'wrong-type') {
    return typeFixes(context);
  }
  return reason === 'unknown-word' || reason === 'wider-word' ? wordFixes(context) : [];
}

const wordsOf: Readonly<Record<string, Words>> = {
  datatype: datatypes,
  level: levels,
  agg: aggregations,
  sort: sorts,
  modelType: modelTypes,
};

/** Words of the query language and of other products that mean one of the spec. */
const meanings: Readonly<Record<string, string>> = {
  avg: 'average',
  mean: 'average',
  date: 'datetime',
  timestamp: 'datetime',
  string: 'text',
  integer: 'numeric',
  int: 'numeric',
  float: 'numeric',
  double: 'numeric',
  decimal: 'numeric',
  ascending: 'asc',
  descending: 'desc',
};

function wordFixes(context: FixContext): readonly Fix[] {
  const { problem, document } = context;
  const node = nodeAt(document.root, problem.path)?.node;
  const word = node?.kind === 'literal' ? String(node.value) : '';
  const words = wordsOf[keyOf(problem)]?.seen ?? [];
  const meaning = meanings[word.toLowerCase()];
  const meant =
    meaning !== undefined && words.includes(meaning)
      ? meaning
      : alike(word, [...words, ...words.map((w) => w.slice(0, -1))]);
  const whole = words.find((known) => known === meant || known.slice(0, -1) === meant);
  return whole === undefined
    ? []
    : [fix(context, 'use-word', [whole], [{ op: 'set', path: problem.path, value: whole }], true)];
}

/** `"true"` for `true`, a number for a text, one name for a list of names. */
function typeFixes(context: FixContext): readonly Fix[] {
  const { problem, document } = context;
  const node = nodeAt(document.root, problem.path)?.node;
  const value =
    node === undefined ? undefined : converted(node, problem, document.text.slice(node.start, node.end));
  if (value === undefined) {
    return [];
  }
  const isList = Array.isArray(value);
  const edits = [{ op: 'set', path: problem.path, value } as const];
  return [
    fix(context, isList ? 'make-list' : 'use-value', isList ? [] : [JSON.stringify(value)], edits, true),
  ];
}

function converted(node: JsonNode, { args: [, wanted] }: ViewpointProblem, source: string): unknown {
  if (node.kind !== 'literal' || node.value === null) {
    return undefined;
  }
  const { value } = node;
  if (wanted === 'true or false') {
    return truths.get(String(value).toLowerCase());
  }
  if (wanted === 'a text') {
    // As it is written: a number may have more digits than a double holds.
    return source;
  }
  return wanted === 'a list' && typeof value === 'string' && value !== '' ? [value] : undefined;
}

const truths: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/** The member that does not count has the same path as the one that does, so its place tells it. */
function removeEarlier(context: FixContext): readonly Fix[] {
  const { document, problem } = context;
  const holder = nodeAt(document.root, problem.path.slice(0, -1))?.node;
  if (holder?.kind !== 'object' || document.error !== undefined) {
    return [];
  }
  const member = holder.members.find(({ start }) => start === problem.start);
  if (member === undefined || lastMembers(holder).get(member.key) === member) {
    return [];
  }
  const edits = removalOf(document.text, holder, member);
  return [{ reason: 'remove-earlier', args: [keyOf(problem)], isPreferred: true, edits }];
}
