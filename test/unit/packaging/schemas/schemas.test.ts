import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DocumentLanguageSettings, TextDocument } from 'vscode-json-languageservice';
import { schemaDocumentKinds, createDocumentSchema } from '../../../../src/packaging/schemas/documents.ts';
import type { JsonSchema } from '../../../../src/packaging/schemas/note.ts';
import {
  environmentSchemaKind,
  projectSchemaKinds,
} from '../../../../src/packaging/schemas/projectDocuments.ts';
import { createEditorJsonService, validateLikeEditor } from '../../../support/editorJson.ts';

const root = join(import.meta.dirname, '../../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const associations: readonly { fileMatch: string | readonly string[]; url: string }[] =
  manifest.contributes.jsonValidation;
const service = createEditorJsonService();

const getProblems = async (
  text: string,
  uri: string,
  settings?: DocumentLanguageSettings,
): Promise<readonly string[]> =>
  (await validateLikeEditor(service, text, uri, settings)).map(({ message }) => message);

/** The labels of the proposals at the caret, which is written as `|`. */
async function getProposals(marked: string, uri: string): Promise<readonly string[]> {
  const offset = marked.indexOf('|');
  const document = TextDocument.create(uri, 'jsonc', 1, marked.replace('|', ''));
  const parsed = service.parseJSONDocument(document);
  const list = await service.doComplete(document, document.positionAt(offset), parsed);
  return (list?.items ?? []).map(({ label }) => label);
}

const viewpointUri = 'file:///work/sales.viewpoint.json';
const createViewpointText = (inner: string): string => `{"details": {"columns": [${inner}]}}`;

describe('the connection of a dataset', () => {
  const uri = 'datamodel:/7/m/x/a.dataset.json';
  const createConnectionText = (provider: string, inner: string): string =>
    `{"connection": {"provider": "${provider}", "parameters": {${inner}}}}`;

  test('known providers are proposed, and others are accepted', async () => {
    const known = await getProposals('{"connection": {"provider": |}}', uri);
    expect(known).toEqual(expect.arrayContaining(['CSV', 'PostgreSQL', 'athena']));
    expect(await getProblems(createConnectionText('Elsewhere', '"anything": 1'), uri)).toEqual([]);
  });

  test('the parameters of the provider are proposed, and others are accepted', async () => {
    expect(await getProposals(createConnectionText('CSV', '"folder": "x", |'), uri)).toEqual(
      expect.arrayContaining(['delimiter', 'hasHeader', 'unionAll']),
    );
    const athenaProposals = await getProposals(createConnectionText('athena', '|'), uri);
    expect(athenaProposals).toEqual(expect.arrayContaining(['AwsRegion', 'S3OutputLocation']));
    expect(athenaProposals).not.toContain('delimiter');
    expect(await getProposals(createConnectionText('csv', '|'), uri), 'letter case counts').not.toContain(
      'delimiter',
    );
    expect(await getProblems(createConnectionText('CSV', '"Port": 5, "hasHeader": "yes"'), uri)).toEqual([]);
  });
});

describe('file associations', () => {
  test.each([
    'file:///work/sales.viewpoint.json',
    'file:///c%3A/work/a.rule.json',
    'vscode-remote://host/x.rules.json',
    'datamodel:/7/viewpoints/1/Sales.viewpoint.json',
    'datamodel://7/m/t/Order%20Items.table.json',
    'datamodel:/7/m/Retail.datamodel.json',
    'datamodel:/7/m/x/a.dataset.json',
    'datamodel:/7/m/x/a.relation.json',
    'datamodel://7/Notes.custom-data.json',
    'file:///work/.datamodel-studio/security-baseline.json',
  ])('%s has a schema', async (uri) => {
    expect(await getProblems(/rules|custom/.test(uri) ? '"x"' : '[]', uri)).toEqual([
      expect.stringMatching(/^The document must be (an object|an array)\.$/),
    ]);
  });

  test.each([
    'file:///work/a.table.json',
    'file:///work/a.dataset.json',
    'file:///work/datamodel/a.relation.json',
    'file:///work/viewpoint.json',
    'file:///work/rules.json',
    'file:///work/security-baseline.json',
    'file:///work/a.datamodel.json',
    'datamodel:/7/a.json',
  ])('%s has no schema', async (uri) => {
    expect(await getProblems('[]', uri)).toEqual([]);
  });

  test('each suffix has one association in the manifest', () => {
    const projectKinds = [...projectSchemaKinds, environmentSchemaKind];
    expect(associations.map(({ url }) => url).sort()).toEqual(
      [...schemaDocumentKinds, ...projectKinds]
        .map(({ suffix }) => `datamodel-schema://schemas/${suffix}.json`)
        .sort(),
    );
    for (const { suffix, fileMatch } of projectKinds) {
      const association = associations.find(({ url }) => url.endsWith(`/${suffix}.json`));
      expect([association?.fileMatch].flat()).toEqual(fileMatch);
    }
    const jsonc = manifest.contributes.languages.find(({ id }: { id: string }) => id === 'jsonc');
    expect(jsonc.extensions).toEqual(['.viewpoint.json', '.rule.json', '.rules.json']);
  });
});

/** The schemas of all properties and items within a schema, with their paths. */
function listLocations(schema: JsonSchema, path = ''): [path: string, schema: JsonSchema][] {
  return [
    [path, schema],
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
      listLocations(inner, path === '' ? key : `${path}.${key}`),
    ),
    ...(schema.items === undefined ? [] : listLocations(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((inner) =>
      listLocations(inner, path).filter(([innerPath]) => innerPath !== path),
    ),
  ];
}

/** The keywords that need a message of our own, and the key of that message. */
const messageKeys = [
  ['enum', 'errorMessage'],
  ['pattern', 'patternErrorMessage'],
] as const;

test.each(messageKeys)('some schema has the keyword %s', (keyword) => {
  const all = schemaDocumentKinds.flatMap((kind) => listLocations(createDocumentSchema(kind)));
  expect(all.filter(([, schema]) => schema[keyword] !== undefined)).not.toEqual([]);
});

describe.each(schemaDocumentKinds.map((kind) => [kind.suffix, kind] as const))('%s', (_suffix, kind) => {
  const all = listLocations(createDocumentSchema(kind));

  test('every property is described, and every note belongs to a property', () => {
    const undescribed = all.filter(
      ([path, { description }]) => /[^\]]$/.test(path) && description === undefined,
    );
    expect(undescribed.map(([path]) => path)).toEqual([]);
    expect(Object.keys(kind.notes).filter((note) => !all.some(([path]) => path === note))).toEqual([]);
  });

  test('additional keys are allowed, and every type and keyword has a message', () => {
    for (const [path, schema] of all) {
      expect(schema.type === undefined || typeof schema['errorMessage'] === 'string', path).toBe(true);
      expect([true, undefined, {}], path).toContainEqual(schema['additionalProperties']);
    }
    for (const [keyword, message] of messageKeys) {
      const withoutMessage = all.filter(
        ([, schema]) => schema[keyword] !== undefined && typeof schema[message] !== 'string',
      );
      expect(
        withoutMessage.map(([path]) => path),
        keyword,
      ).toEqual([]);
    }
  });

  test('null is accepted like a missing value', async () => {
    const keys = Object.entries(createDocumentSchema(kind).properties ?? {});
    const text = JSON.stringify(Object.fromEntries(keys.map(([key]) => [key, null])));
    const problems = await getProblems(text, `datamodel:/7/x.${kind.suffix}.json`);
    expect(problems.filter((message) => !/ must be (a string|an array)\.$/.test(message))).toEqual([]);
  });
});

test.each([
  ['viewpoint', false],
  ['rule', false],
  ['table', true],
  ['dataset', true],
] as const)(
  'comments and trailing commas in a %s document on a server are refused: %s',
  async (suffix, areRefused) => {
    // The editor's severities for a language that it does not know.
    const severities = { comments: 'error', trailingCommas: 'error' } as const;
    const found = await getProblems('{ // why\n "future": 1, }', `datamodel:/7/x.${suffix}.json`, severities);
    const refusals = found.filter((message) => /comma/i.test(message) || /comment/i.test(message));
    expect(refusals).toHaveLength(areRefused ? 2 : 0);
  },
);

test("the platform's real response is valid", async () => {
  const text = readFileSync(join(root, 'test/fixtures/real-datamodel.json'), 'utf8');
  expect(await getProblems(text, 'datamodel:/7/m/Sample.datamodel.json')).toEqual([]);
});

describe('a viewpoint', () => {
  test('wrong types have our own messages, and unknown keywords have none', async () => {
    const problems = await getProblems(
      createViewpointText('{"format": "x", "filter": {"last": 3}}'),
      viewpointUri,
    );
    expect([...problems].sort()).toEqual([
      '"format" must be an array or an object.',
      '"last" must be an object.',
    ]);
    const viewpointWithUnknownKeywords = createViewpointText(
      '{"agg": "median", "level": "hours", "unheardOf": [1]}',
    );
    expect(await getProblems(viewpointWithUnknownKeywords, viewpointUri)).toEqual([]);
  });

  test('keys, keywords, flags and whole columns are proposed', async () => {
    expect(await getProposals(createViewpointText('{"|"}'), viewpointUri)).toEqual(
      expect.arrayContaining(['table', 'column', 'dim', 'datatype', 'infusion']),
    );
    expect(await getProposals(createViewpointText('{"sort": |}'), viewpointUri)).toEqual(
      expect.arrayContaining(['asc', 'desc']),
    );
    expect(await getProposals(createViewpointText('|'), viewpointUri)).toEqual(
      expect.arrayContaining(['New column', 'New date column']),
    );
    expect(await getProposals(createViewpointText('{"infusion": {|}}'), viewpointUri)).toEqual([
      'uid',
      'defaultMeasure',
      'defaultDate',
      'header',
      'filterOnly',
    ]);
    expect(await getProposals(createViewpointText('{"format": [|]}'), viewpointUri)).toEqual(
      expect.arrayContaining(['Currency']),
    );
    expect(await getProposals('|', viewpointUri)).toContain('New viewpoint');
  });

  test('a viewpoint with a name requires a description', async () => {
    const missing = 'Missing property "description".';
    expect(await getProblems('{"name": "a"}', viewpointUri)).toEqual([missing]);
    expect(await getProblems('{"name": "a", "description": ""}', viewpointUri)).toEqual([]);
    expect(await getProblems('{"details": {}}', viewpointUri)).toEqual([]);
  });

  test('server-generated fields are not proposed', async () => {
    expect(await getProposals('{|}', viewpointUri)).toEqual([
      'name',
      'description',
      'enabled',
      'visibility',
      'details',
    ]);
  });
});

describe('a rule', () => {
  const ruleUri = 'file:///work/a.rule.json';

  test('missing required properties and wrong keywords are reported', async () => {
    expect(await getProblems('{}', ruleUri)).toEqual(
      ['table', 'column', 'datatype'].map((key) => `Missing property "${key}".`),
    );
    const completeRule =
      '{"table": "a", "column": "b", "datatype": "text", "members": [1], "shares": [{"type": "default"}]}';
    expect(await getProblems(completeRule, ruleUri)).toEqual([]);
    expect(await getProblems(`[${completeRule}]`, 'file:///work/a.rules.json')).toEqual([]);
    expect(
      await getProblems(completeRule.replace('text', 'date').replace('default', 'team'), ruleUri),
    ).toEqual(['Expected: text or numeric.', 'Expected: user, group, or default.']);
  });

  test('snippets for rules are proposed', async () => {
    expect(await getProposals('[|]', 'file:///work/a.rules.json')).toEqual(
      expect.arrayContaining(['Only these values', 'No values for everyone else']),
    );
  });
});
