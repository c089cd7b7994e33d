import { type JsonNode, getMembersByKey, findNodeAtPath } from '../../json/text/jsonNode.ts';
import { createKeyEdits, createRemoval } from '../../json/text/pathEdit.ts';
import { findSimilarWord } from '../lint/similarWord.ts';
import type { ViewpointProblem } from '../lint/problem.ts';
import {
  aggregationWords,
  datatypeWords,
  levelWords,
  modelTypeWords,
  sortWords,
  type Vocabulary,
} from '../vocabulary.ts';
import type { ViewpointFix } from './viewpointFix.ts';
import { createFix, type ViewpointFixContext, getPropertyKey } from './fixContext.ts';

/** Returns the fixes for an invalid key, keyword or type. */
export function getSchemaFixes(context: ViewpointFixContext): readonly ViewpointFix[] {
  const { path, reason, args } = context.problem;
  if (reason === 'similar-key') {
    const key = args[1] ?? '';
    if (findNodeAtPath(context.document.root, [...path.slice(0, -1), key]) !== undefined) {
      // The right property is there, too, so only the user knows which value was meant.
      return [createFix(context, 'remove-key', [getPropertyKey(context.problem)], [{ op: 'remove', path }])];
    }
    const edits = createKeyEdits(context.document, path, key);
    return [{ code: 'rename-key', args: [key], isPreferred: true, edits }];
  }
  if (reason === 'required') {
    const [key = ''] = args;
    return [createFix(context, 'add-key', [key], [{ op: 'set', path: [...path, key], value: '' }])];
  }
  if (reason === 'unknown-key') {
    return [createFix(context, 'remove-key', [getPropertyKey(context.problem)], [{ op: 'remove', path }])];
  }
  if (reason === 'duplicate-key') {
    return createRemoveShadowedFix(context);
  }
  if (reason === 'wrong-type') {
    return createTypeFixes(context);
  }
  return reason === 'unknown-word' || reason === 'undocumented-word' ? createWordFixes(context) : [];
}

const vocabularies: Readonly<Record<string, Vocabulary>> = {
  datatype: datatypeWords,
  level: levelWords,
  agg: aggregationWords,
  sort: sortWords,
  modelType: modelTypeWords,
};

/** Keywords of the query language and of other products, with the corresponding keyword of the guide. */
const synonyms: Readonly<Record<string, string>> = {
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

function createWordFixes(context: ViewpointFixContext): readonly ViewpointFix[] {
  const { problem, document } = context;
  const node = findNodeAtPath(document.root, problem.path)?.node;
  const word = node?.kind === 'literal' ? String(node.value) : '';
  const words = vocabularies[getPropertyKey(problem)]?.documented ?? [];
  const synonym = synonyms[word.toLowerCase()];
  // A keyword such as `days` is also found without its last letter.
  const similarWord =
    synonym !== undefined && words.includes(synonym)
      ? synonym
      : findSimilarWord(word, [...words, ...words.map((keyword) => keyword.slice(0, -1))]);
  const documentedWord = words.find(
    (candidate) => candidate === similarWord || candidate.slice(0, -1) === similarWord,
  );
  return documentedWord === undefined
    ? []
    : [
        createFix(
          context,
          'use-word',
          [documentedWord],
          [{ op: 'set', path: problem.path, value: documentedWord }],
          true,
        ),
      ];
}

/** Creates a fix that converts a value to the expected type: `"true"` to `true`, `1` to `"1"`, a name to a list. */
function createTypeFixes(context: ViewpointFixContext): readonly ViewpointFix[] {
  const { problem, document } = context;
  const node = findNodeAtPath(document.root, problem.path)?.node;
  const value =
    node === undefined ? undefined : convertValue(node, problem, document.text.slice(node.start, node.end));
  if (value === undefined) {
    return [];
  }
  const isList = Array.isArray(value);
  const edits = [{ op: 'set', path: problem.path, value } as const];
  return [
    createFix(
      context,
      isList ? 'make-list' : 'use-value',
      isList ? [] : [JSON.stringify(value)],
      edits,
      true,
    ),
  ];
}

function convertValue(node: JsonNode, { args: [, expectedType] }: ViewpointProblem, source: string): unknown {
  if (node.kind !== 'literal' || node.value === null) {
    return undefined;
  }
  const { value } = node;
  if (expectedType === 'true or false') {
    return booleanWords.get(String(value).toLowerCase());
  }
  if (expectedType === 'a string') {
    // Use the source text: a number may have more digits than a double holds.
    return source;
  }
  return expectedType === 'an array' && typeof value === 'string' && value !== '' ? [value] : undefined;
}

const booleanWords: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['0', false],
]);

/**
 * Creates a fix that removes a duplicate member that is shadowed by a later one. Both have the same path, so the member
 * is identified by its offset.
 */
function createRemoveShadowedFix(context: ViewpointFixContext): readonly ViewpointFix[] {
  const { document, problem } = context;
  const object = findNodeAtPath(document.root, problem.path.slice(0, -1))?.node;
  if (object?.kind !== 'object' || document.error !== undefined) {
    return [];
  }
  const member = object.members.find(({ start }) => start === problem.start);
  if (member === undefined || getMembersByKey(object).get(member.key) === member) {
    return [];
  }
  const edits = createRemoval(document.text, object, member);
  return [{ code: 'remove-earlier', args: [getPropertyKey(problem)], isPreferred: true, edits }];
}
