import { describe, expect, test } from 'vitest';
import { type CompletionItem, TextDocument } from 'vscode-json-languageservice';
import { silentLog } from '../../../../src/base/log.ts';
import { columnTypes, getColumnTypeLabel } from '../../../../src/contract/terms.ts';
import type { JsonSchema } from '../../../../src/packaging/schemas/note.ts';
import {
  createProjectSchema,
  environmentSchemaKind,
  projectSchemaKinds,
} from '../../../../src/packaging/schemas/projectDocuments.ts';
import { parseProject } from '../../../../src/project/files/parseProject.ts';
import { convertInstance } from '../../../../src/project/instance/convertInstance.ts';
import { emptyLock } from '../../../../src/project/pull/lock.ts';
import { planPull } from '../../../../src/project/pull/planPull.ts';
import {
  createSelection,
  defaultProjectSettings,
  formatProjectSettings,
} from '../../../../src/project/settings/projectSettings.ts';
import { readInstance } from '../../../../src/project/source/readInstance.ts';
import { createEditorJsonService, validateLikeEditor } from '../../../support/editorJson.ts';
import { ChangeFixture } from '../../changes/run/support.ts';

const service = createEditorJsonService();
const toUri = (path: string): string =>
  `file:///work/analytics/${path.split('/').map(encodeURIComponent).join('/')}`;

/** The problems that the editor reports in a file of the language `json`. */
const getProblems = async (path: string, text: string): Promise<readonly string[]> =>
  (await validateLikeEditor(service, text, toUri(path), { comments: 'error', trailingCommas: 'error' })).map(
    ({ message }) => message,
  );

/** The labels of the proposals at the caret, which is written as `|`. */
const getProposals = async (path: string, marked: string): Promise<readonly string[]> =>
  (await complete(path, marked)).map(({ label }) => label);

async function complete(path: string, marked: string): Promise<readonly CompletionItem[]> {
  const offset = marked.indexOf('|');
  const document = TextDocument.create(toUri(path), 'json', 1, marked.replace('|', ''));
  const parsed = service.parseJSONDocument(document);
  const list = await service.doComplete(document, document.positionAt(offset), parsed);
  return list?.items ?? [];
}

const settingsPath = 'datamodel-studio.json';
const environmentPath = 'environments/prod.json';
const tablePath = 'datamodels/Retail/tables/Orders.table.json';
const relationPath = 'datamodels/Retail/relations/A.B - C.D.relation.json';
const rulesPath = 'datamodels/Retail/rules/Orders.Status.rules.json';
const viewpointPath = 'viewpoints/Profit.viewpoint.json';

test('the type of a column is proposed by the name that it has everywhere, and inserted as its code', async () => {
  const items = await complete(tablePath, '{"columns": [{"name": "Id", "type": |}]}');
  const types = items.filter(({ label }) => label !== 'null');
  expect(types.map(({ label, insertText }) => [label, insertText])).toEqual(
    columnTypes.map(({ code }) => [`${getColumnTypeLabel(code)} (${code})`, String(code)]),
  );
  expect(types.map(({ label }) => label)).toEqual(
    expect.arrayContaining(['Integer (8)', 'Text (18)', 'Date (31)']),
  );
  // Another code is valid, too: a later server may have it.
  expect(
    await getProblems(tablePath, '{"name": "A", "dataset": "B", "columns": [{"name": "Id", "type": 99}]}'),
  ).toEqual([]);
});

test.each(['guide', 'contract'] as const)('a pulled instance has no problems (%s)', async (profile) => {
  using fixture = new ChangeFixture({ profile });
  const customData = { calendar: { app: 'build-calendar' }, terms: { app: 'terms' } };
  const manage = { ...defaultProjectSettings.manage, cubeSets: ['Retail Group'], customData };
  const { documents } = await readInstance(fixture.client, {
    selection: createSelection({ version: 1, manage }),
    signal: new AbortController().signal,
    log: silentLog,
  });
  // Without their lists, users and groups are numbers.
  for (const people of [documents, { ...documents, users: [], groups: [] }]) {
    const { writes } = planPull({
      project: parseProject({ texts: new Map(), faults: [] }),
      lock: emptyLock,
      pulled: convertInstance({ ...people, numberedReferences: [] }),
      isUnknownOnInstance: () => false,
    });
    const files = writes.filter(({ path }) => path.endsWith('.json'));
    expect(files.length).toBeGreaterThan(80);
    const problems = await Promise.all(
      files.map(async ({ path, text }) =>
        (await getProblems(path, text)).map((problem) => `${path}: ${problem}`),
      ),
    );
    expect(problems.flat()).toEqual([]);
  }
  expect(await getProblems(settingsPath, formatProjectSettings({ version: 1, manage }))).toEqual([]);
});

const tableStart = '"dataset": "D", "name": "A"';
const ruleStart = '"table": "A", "column": "B", "datatype": "text"';

describe('a problem is reported', () => {
  test.each([
    [settingsPath, '{"version": 1, "manage": {"datamodel": ["*"]}}', /Property datamodel is not allowed/],
    [settingsPath, '{"version": 2}', /Value must be 1/],
    [settingsPath, '{"manage": {}}', /Missing property "version"/],
    [settingsPath, '{"version": 1, "manage": {"datamodels": "*"}}', /"datamodels" must be an array\./],
    [
      settingsPath,
      '{"version": 1, "manage": {"customData": {"a": {"b": {"$gt": 1}}}}}',
      /Expected a string, a number, true/,
    ],
    [environmentPath, '{"url": "https://x.example", "role": "prod"}', /Expected: development, staging/],
    [
      environmentPath,
      '{"url": "https://x.example", "role": "staging", "token": "x"}',
      /token is not allowed/,
    ],
    [tablePath, '{"name": "A", "columns": []}', /Missing property "dataset"/],
    [tablePath, `{${tableStart}, "columns": [{}]}`, /Missing property "name"/],
    [
      tablePath,
      `{${tableStart}, "columns": [], "expression": "SELECT 1"}`,
      /"expression" must be an object\./,
    ],
    [
      tablePath,
      `{${tableStart}, "columns": [], "expression": {"$file": "../A.datamodel.sql"}}`,
      /Expected a path that is in the folder of this file/,
    ],
    [tablePath, `{${tableStart}, "columns": [], "hidden": 1}`, /"hidden" must be true or false\./],
    [relationPath, '{"columns": [{"table": "A", "column": "B"}]}', /too few items/i],
    [relationPath, '{"columns": [{"table": "A"}, {}]}', /Missing property "column"/],
    [rulesPath, '[{"table": "A", "column": "B", "datatype": "date"}]', /Expected: text or numeric\./],
    [
      rulesPath,
      `[{${ruleStart}, "shares": [{"type": "user", "party": 3}]}]`,
      /"party" must be a string or an object\./,
    ],
    [viewpointPath, '{"name": "A", "visibility": {"users": [3]}}', /must be a string or an object/],
    [viewpointPath, '{"name": "A", "visibility": {"users": [{"bound": "x"}]}}', /must be/],
    ['custom-data/a.custom-data.json', '{"name": "a", "content": []}', /"content" must be an object\./],
    ['datamodels/Retail/datasets/D.dataset.json', '{"type": "other"}', /Missing property "name"/],
    ['datamodels/Retail/Retail.datamodel.json', '{}', /Missing property "title"/],
    ['cube-sets/All/rules/A.B.rules.json', '[{"cubeSet": 1}]', /"cubeSet" must be a string\./],
  ])('in %s: %s', async (path, text, problem) => {
    expect((await getProblems(path, text)).join('\n')).toMatch(problem);
  });
});

describe('no problem is reported', () => {
  test('for a reference, the number of a party, or a comment', async () => {
    const table = `{ // Checked
      ${tableStart}, "type": "custom", "expression": {"$file": "A.datamodel.sql"},
      "columns": [{"name": "B", "expression": {"$file": "A/B ä.datamodel.sql"}}],
      "buildBehavior": {"type": "accumulativeSync",
        "accumulativeConfig": {"column": {"$ref": {"table": "A", "column": "B"}}}},
    }`;
    expect(await getProblems(tablePath, table)).toEqual([]);
    const shares = '[{"type": "user", "party": {"bound": 1}}, {"type": "group", "party": "Sales"}]';
    expect(await getProblems(rulesPath, `[{${ruleStart}, "shares": ${shares}}]`)).toEqual([]);
    const visibility = '{"users": ["Ann", {"bound": 1}], "groups": [{"bound": 2}]}';
    expect(await getProblems(viewpointPath, `{"name": "A", "visibility": ${visibility}}`)).toEqual([]);
  });

  test('in a file of another tool, whatever is in it', async () => {
    expect(await getProblems('environments/prod.json', '{"url": 1, "values": []}')).toEqual([]);
    expect(await getProblems('environments/prod.json', '[]')).toEqual([]);
    expect(await getProblems('environments/prod.lock.json', '{"url": 1, "role": "x"}')).toEqual([]);
    expect(await getProblems('src/tables/A.table.json', '[]')).toEqual([]);
  });
});

describe('the editor proposes', () => {
  test.each<[path: string, text: string, expected: readonly string[]]>([
    [settingsPath, '{"version": 1, "manage": {|}}', ['datamodels', 'viewpoints', 'cubeSets', 'customData']],
    [settingsPath, '|', ['New project']],
    [environmentPath, '{"url": "https://x.example", "role": |}', ['"development"', '"read-only"']],
    [environmentPath, '{|}', ['url', 'role', 'tenant']],
    [environmentPath, '|', ['New environment']],
    [tablePath, `{${tableStart}, |}`, ['columns', 'expression', 'buildBehavior', 'renamedFrom']],
    [tablePath, '{"columns": [{|}]}', ['name', 'renamedFrom']],
    [viewpointPath, '{|}', ['name', 'renamedFrom']],
    [relationPath, '{"columns": [{|}]}', ['table', 'column']],
    [rulesPath, '[{"shares": [|]}]', ['Group', 'User', 'Everyone else']],
    [viewpointPath, '{"visibility": {|}}', ['groups', 'users', 'apps']],
  ])('in %s at %s', async (path, text, expected) => {
    expect(await getProposals(path, text)).toEqual(expect.arrayContaining([...expected]));
  });

  test('nothing that only one instance has', async () => {
    const proposals = await Promise.all([
      getProposals(tablePath, '{"columns": [{|}]}'),
      getProposals(tablePath, '{|}'),
      getProposals(rulesPath, '[{|}]'),
      getProposals(viewpointPath, '{|}'),
    ]);
    const instanceFieldPattern = /oid|^_id$|server|elasticube|tenantId|createdBy/i;
    expect(proposals.every((labels) => labels.length > 3)).toBe(true);
    expect(proposals.flat().filter((label) => instanceFieldPattern.test(label))).toEqual([]);
  });
});

/** The schemas of all properties within a schema, with their paths. */
function listProperties(schema: JsonSchema, path = ''): readonly (readonly [string, JsonSchema])[] {
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) => {
      const innerPath = path === '' ? key : `${path}.${key}`;
      return [[innerPath, inner] as const, ...listProperties(inner, innerPath)];
    }),
    ...(schema.items === undefined ? [] : listProperties(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((inner) => listProperties(inner, path)),
  ];
}

test.each([...projectSchemaKinds, environmentSchemaKind].map((kind) => [kind.suffix, kind] as const))(
  'every property of %s is described, and every note belongs to a property',
  (_suffix, kind) => {
    const properties = listProperties(createProjectSchema(kind));
    const undescribed = properties.filter(([, { description }]) => !description);
    expect(undescribed.map(([path]) => path)).toEqual([]);
    const paths = new Set(['', '[]', ...properties.map(([path]) => path)]);
    const isKnown = (note: string): boolean => paths.has(note) || paths.has(note.replace(/\[\]$/, ''));
    expect(Object.keys(kind.notes).filter((note) => !isKnown(note))).toEqual([]);
  },
);
