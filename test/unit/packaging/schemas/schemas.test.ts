import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { getLanguageService, TextDocument } from 'vscode-json-languageservice';
import { schemaDocumentKinds, createDocumentSchema } from '../../../../src/packaging/schemas/documents.ts';
import type { JsonSchema } from '../../../../src/packaging/schemas/note.ts';

const root = join(import.meta.dirname, '../../../..');
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** VS Code's own JSON service with our schemas, associated as in the manifest. */
const service = getLanguageService({});
const associations: readonly { fileMatch: string; url: string }[] = manifest.contributes.jsonValidation;
service.configure({
  validate: true,
  schemas: associations.map(({ fileMatch, url }) => {
    const kind = schemaDocumentKinds.find(
      ({ suffix }) => url === `datamodel-schema://schemas/${suffix}.json`,
    );
    // The editor's client puts a slash before patterns without a scheme.
    const pattern = /^(\w+:\/\/|\/|!)/.test(fileMatch) ? fileMatch : `/${fileMatch}`;
    return {
      uri: url,
      fileMatch: [pattern],
      schema: kind === undefined ? {} : createDocumentSchema(kind),
    };
  }),
});

async function problems(text: string, uri: string): Promise<readonly string[]> {
  const document = TextDocument.create(uri, 'jsonc', 1, text);
  const found = await service.doValidation(document, service.parseJSONDocument(document), {
    comments: 'ignore',
    trailingCommas: 'warning',
  });
  return found.map(({ message }) => (typeof message === 'string' ? message : message.value));
}

/** The labels proposed at the mark. */
async function proposals(marked: string, uri: string): Promise<readonly string[]> {
  const offset = marked.indexOf('|');
  const document = TextDocument.create(uri, 'jsonc', 1, marked.replace('|', ''));
  const parsed = service.parseJSONDocument(document);
  const list = await service.doComplete(document, document.positionAt(offset), parsed);
  return (list?.items ?? []).map(({ label }) => label);
}

const viewpoint = 'file:///work/sales.viewpoint.json';
const column = (inner: string): string => `{"details": {"columns": [${inner}]}}`;

describe('the connection of a dataset', () => {
  const uri = 'datamodel:/7/m/x/a.dataset.json';
  const connection = (provider: string, inner: string): string =>
    `{"connection": {"provider": "${provider}", "parameters": {${inner}}}}`;

  test('its provider is a known one or any other', async () => {
    const known = await proposals('{"connection": {"provider": |}}', uri);
    expect(known).toEqual(expect.arrayContaining(['CSV', 'PostgreSQL', 'athena']));
    expect(await problems(connection('Elsewhere', '"anything": 1'), uri)).toEqual([]);
  });

  test('its parameters are those of the provider, and others are accepted', async () => {
    expect(await proposals(connection('CSV', '"folder": "x", |'), uri)).toEqual(
      expect.arrayContaining(['delimiter', 'hasHeader', 'unionAll']),
    );
    const athena = await proposals(connection('athena', '|'), uri);
    expect(athena).toEqual(expect.arrayContaining(['AwsRegion', 'S3OutputLocation']));
    expect(athena).not.toContain('delimiter');
    expect(await proposals(connection('csv', '|'), uri), 'letter case counts').not.toContain('delimiter');
    expect(await problems(connection('CSV', '"Port": 5, "hasHeader": "yes"'), uri)).toEqual([]);
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
  ])('%s has a schema', async (uri) => {
    expect(await problems(/rules|custom/.test(uri) ? '"x"' : '[]', uri)).toEqual([
      expect.stringMatching(/expected/i),
    ]);
  });

  test.each([
    'file:///work/a.table.json',
    'file:///work/a.dataset.json',
    'file:///work/datamodel/a.relation.json',
    'file:///work/viewpoint.json',
    'file:///work/rules.json',
    'file:///work/a.datamodel.json',
    'datamodel:/7/a.json',
  ])('%s has none', async (uri) => {
    expect(await problems('[]', uri)).toEqual([]);
  });

  test('every suffix is contributed once, and no others', () => {
    expect(associations.map(({ url }) => url).sort()).toEqual(
      schemaDocumentKinds.map(({ suffix }) => `datamodel-schema://schemas/${suffix}.json`).sort(),
    );
    const jsonc = manifest.contributes.languages.find(({ id }: { id: string }) => id === 'jsonc');
    expect(jsonc.extensions).toEqual(['.viewpoint.json', '.rule.json', '.rules.json']);
  });
});

/** Every location in a schema, by path. */
function places(schema: JsonSchema, path = ''): [path: string, schema: JsonSchema][] {
  return [
    [path, schema],
    ...Object.entries(schema.properties ?? {}).flatMap(([key, inner]) =>
      places(inner, path === '' ? key : `${path}.${key}`),
    ),
    ...(schema.items === undefined ? [] : places(schema.items, `${path}[]`)),
    ...(schema.anyOf ?? []).flatMap((inner) => places(inner, path).filter(([at]) => at !== path)),
  ];
}

describe.each(schemaDocumentKinds.map((kind) => [kind.suffix, kind] as const))('%s', (_suffix, kind) => {
  const all = places(createDocumentSchema(kind));

  test('every property is described, and every note belongs to a property', () => {
    const undescribed = all.filter(
      ([path, { description }]) => /[^\]]$/.test(path) && description === undefined,
    );
    expect(undescribed.map(([path]) => path)).toEqual([]);
    expect(Object.keys(kind.notes).filter((note) => !all.some(([path]) => path === note))).toEqual([]);
  });

  test('additional keys are allowed, and every keyword has a message', () => {
    for (const [path, schema] of all) {
      expect([true, undefined, {}], path).toContainEqual(schema['additionalProperties']);
      expect(schema.enum === undefined || typeof schema['errorMessage'] === 'string', path).toBe(true);
      expect(schema['pattern'] === undefined || typeof schema['patternErrorMessage'] === 'string', path).toBe(
        true,
      );
    }
  });

  test('null is accepted like a missing value', async () => {
    const keys = Object.entries(createDocumentSchema(kind).properties ?? {});
    const text = JSON.stringify(Object.fromEntries(keys.map(([key]) => [key, null])));
    const wrong = await problems(text, `datamodel:/7/x.${kind.suffix}.json`);
    expect(wrong.filter((message) => !/Incorrect type. Expected "(string|array)"/.test(message))).toEqual([]);
  });
});

test("the platform's real response is valid", async () => {
  const text = readFileSync(join(root, 'test/fixtures/real-datamodel.json'), 'utf8');
  expect(await problems(text, 'datamodel:/7/m/Sample.datamodel.json')).toEqual([]);
});

describe('a viewpoint', () => {
  test('wrong types and words have our own messages', async () => {
    const wrong = await problems(column('{"sort": "up", "format": "x", "filter": {"last": 3}}'), viewpoint);
    expect([...wrong].sort()).toEqual([
      'A sort order is asc or desc.',
      'Incorrect type. Expected one of array, object, null.',
      'Incorrect type. Expected one of object, null.',
    ]);
    const wider = column('{"agg": "median", "level": "hours", "unheardOf": [1]}');
    expect(await problems(wider, viewpoint)).toEqual([]);
  });

  test('proposes keys, words, flags and complete columns', async () => {
    expect(await proposals(column('{"|"}'), viewpoint)).toEqual(
      expect.arrayContaining(['table', 'column', 'dim', 'datatype', 'infusion']),
    );
    expect(await proposals(column('{"sort": |}'), viewpoint)).toEqual(
      expect.arrayContaining(['"asc"', '"desc"']),
    );
    expect(await proposals(column('|'), viewpoint)).toEqual(
      expect.arrayContaining(['New column', 'New column of dates']),
    );
    expect(await proposals(column('{"infusion": {|}}'), viewpoint)).toEqual([
      'uid',
      'defaultMeasure',
      'defaultDate',
      'header',
      'filterOnly',
    ]);
    expect(await proposals(column('{"format": [|]}'), viewpoint)).toEqual(
      expect.arrayContaining(['Currency']),
    );
    expect(await proposals('|', viewpoint)).toContain('New viewpoint');
  });

  test('one with a name requires a description', async () => {
    const missing = 'Missing property "description".';
    expect(await problems('{"name": "a"}', viewpoint)).toEqual([missing]);
    expect(await problems('{"name": "a", "description": ""}', viewpoint)).toEqual([]);
    expect(await problems('{"details": {}}', viewpoint)).toEqual([]);
  });

  test('server-generated fields are not proposed', async () => {
    expect(await proposals('{|}', viewpoint)).toEqual([
      'name',
      'description',
      'enabled',
      'visibility',
      'details',
    ]);
  });
});

describe('a rule', () => {
  const rule = 'file:///work/a.rule.json';

  test('reports missing required properties', async () => {
    expect((await problems('{}', rule)).length).toBe(4);
    const whole =
      '{"table": "a", "column": "b", "datatype": "text", "members": [1], "shares": [{"type": "default"}]}';
    expect(await problems(whole, rule)).toEqual([]);
    expect(await problems(`[${whole}]`, 'file:///work/a.rules.json')).toEqual([]);
    expect(await problems(whole.replace('text', 'date').replace('default', 'team'), rule)).toEqual([
      'The datatype of a rule is text or numeric.',
      'A party is a user, a group or default.',
    ]);
  });

  test('types of rules are proposed', async () => {
    expect(await proposals('[|]', 'file:///work/a.rules.json')).toEqual(
      expect.arrayContaining(['Only these values', 'Nothing for everyone else']),
    );
  });
});
