import { expect, test } from 'vitest';
import type { JsonPath, JsonValue } from '../../../../src/base/json.ts';
import type { JsonDocumentKind } from '../../../../src/json/language/documentKind.ts';
import {
  getDocumentProblems,
  isSyntaxErrorReportedByEditor,
} from '../../../../src/json/language/problems.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { createEditorJsonService, validateLikeEditor } from '../../../support/editorJson.ts';
import { numberColumn, catalog, dateColumn, textColumn } from '../../viewpoints/support.ts';

const service = createEditorJsonService();

interface Problem {
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

/** All problems of a document that the Problems view shows: those that VS Code reports, and our own. */
async function getAllProblems(kind: JsonDocumentKind, document: string): Promise<readonly Problem[]> {
  const ours = getDocumentProblems(kind, parseJsonTree(document), catalog)
    .filter(({ isReportedByEditor }) => !isReportedByEditor)
    .map(({ finding, start, end }) => ({
      message:
        finding.linter === 'viewpoint' ? finding.viewpointProblem.message : finding.ruleFinding.message,
      start,
      end,
    }));
  return [...ours, ...(await validateLikeEditor(service, document, `file:///work/a.${kind}.json`))];
}

const viewpoint = {
  id: '1',
  name: 'Sales',
  description: 'By day',
  enabled: true,
  visibility: { apps: ['slack'], groups: ['Sales'], users: ['ada'], enabled: true },
  details: {
    datasource: { id: 'a', title: 'Retail', fullname: 'LocalHost/Retail', modelType: 'external' },
    columns: [
      {
        ...textColumn,
        title: 'State',
        sort: 'asc',
        agg: 'count',
        filter: { members: ['a'], explicit: true, multiSelection: true },
        format: [{ mask: {} }],
        infusion: { header: true, uid: true },
        filterOnly: true,
      },
      { ...numberColumn, agg: 'sum', infusion: { defaultMeasure: true } },
      { ...dateColumn, level: 'days', infusion: { defaultDate: true } },
    ],
  },
};

const rules = [
  {
    elasticube: 'Retail',
    server: 'LocalHost',
    table: 'Orders',
    column: 'Status',
    datatype: 'text',
    members: ['open'],
    allMembers: null,
    exclusionary: false,
    shares: [{ type: 'group', party: '6a1' }],
  },
  {
    elasticube: 'Retail',
    server: 'LocalHost',
    table: 'Orders',
    column: 'Status',
    datatype: 'text',
    members: [],
    allMembers: false,
    exclusionary: false,
    shares: [{ type: 'default' }],
  },
];

const liveRules = rules.map(({ elasticube: _elasticube, server: _server, exclusionary: _flag, ...rule }) => ({
  ...rule,
  fullname: 'live:Retail',
  live: true,
}));

/** The paths of all values within a value, without the value itself. */
const getPaths = (value: JsonValue, path: JsonPath = []): readonly JsonPath[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => {
        const innerPath = [...path, Array.isArray(value) ? Number(key) : key];
        return [innerPath, ...getPaths(inner, innerPath)];
      })
    : [];

function replaceAt(value: JsonValue, [step, ...rest]: JsonPath, replacement: JsonValue): JsonValue {
  if (step === undefined) {
    return replacement;
  }
  if (Array.isArray(value)) {
    return value.map((item, index) => (index === step ? replaceAt(item, rest, replacement) : item));
  }
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([key, inner]) => [
      key,
      key === step ? replaceAt(inner, rest, replacement) : inner,
    ]),
  );
}

const wrongValues: readonly JsonValue[] = [5, true, 'something', '', [], [5], {}, { x: 1 }, null];

/** All documents with one wrong value below a depth, each with its description. */
const createDocumentsWithMistake = (
  value: JsonValue,
  depth: number,
): readonly (readonly [string, JsonValue])[] =>
  getPaths(value)
    .filter(({ length }) => length > depth)
    .flatMap((path) =>
      wrongValues.map(
        (wrongValue) =>
          [`${path.join('.')} = ${JSON.stringify(wrongValue)}`, replaceAt(value, path, wrongValue)] as const,
      ),
    );

test('a viewpoint with one mistake has at most one problem', async () => {
  const value: JsonValue = JSON.parse(JSON.stringify(viewpoint));
  expect(await getAllProblems('viewpoint', JSON.stringify(value))).toEqual([]);
  const counts = { reported: 0 };
  for (const [mistake, document] of createDocumentsWithMistake(value, 0)) {
    const problems = await getAllProblems('viewpoint', JSON.stringify(document));
    expect(problems.slice(1), mistake).toEqual([]);
    counts.reported += problems.length;
  }
  expect(counts.reported).toBeGreaterThan(200);
});

/** A mistake in one rule may leave a column without a default rule, which is another problem at another position. */
test.each([
  ['extract', rules],
  ['live', liveRules],
])('after a mistake in %s rules, no two problems overlap', async (_kind, validDocument) => {
  const value: JsonValue = JSON.parse(JSON.stringify(validDocument));
  expect(await getAllProblems('rules', JSON.stringify(value))).toEqual([]);
  const counts = { reported: 0 };
  for (const [mistake, document] of createDocumentsWithMistake(value, 1)) {
    const problems = await getAllProblems('rules', JSON.stringify(document));
    counts.reported += problems.length;
    const overlapping = problems.filter((problem) =>
      problems.some((other) => other !== problem && other.start < problem.end && problem.start < other.end),
    );
    expect(overlapping, mistake).toEqual([]);
  }
  expect(counts.reported).toBeGreaterThan(200);
});

const viewpointText = JSON.stringify(viewpoint);
const deepArray = `${'['.repeat(250)}${']'.repeat(250)}`;

test.each([
  ['an empty text', ''],
  ['only whitespace', ' \n'],
  ['only a comment', '// Nothing yet'],
  ['a value that is nested too deeply', viewpointText.replace('"enabled":true', `"future":${deepArray}`)],
  ['a missing brace', viewpointText.slice(0, -1)],
  ['a missing comma', viewpointText.replace(',', ' ')],
])('%s in a viewpoint is one problem', async (_mistake, text) => {
  expect(await getAllProblems('viewpoint', text)).toHaveLength(1);
});

test.each([
  ['an empty text', '', false],
  ['only a comment', '/* Nothing yet */', false],
  ['a value that is nested too deeply', deepArray, false],
  ['no mistake', '[]', false],
  ['a missing bracket', '[', true],
  ['a missing comma', '[1 2]', true],
])('it is known whether the editor itself reports a syntax error: %s', async (_mistake, text, isReported) => {
  expect(isSyntaxErrorReportedByEditor(parseJsonTree(text))).toBe(isReported);
  expect((await validateLikeEditor(service, text, 'file:///work/a.json')).length > 0).toBe(isReported);
});
