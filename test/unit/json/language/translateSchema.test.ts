import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { english as fillPlaceholders } from '../../../../src/base/localize.ts';
import { translateSchema } from '../../../../src/json/language/translateSchema.ts';
import { createDocumentSchema, schemaDocumentKinds } from '../../../../src/packaging/schemas/documents.ts';

const german: Readonly<Record<string, string>> = {
  'The `name`.': 'Der `name`.',
  'One user.': 'Ein Benutzer.',
  'New rule': 'Neue Regel',
  live: 'Live',
  '"{0}" must be {1}.': '"{0}" muss {1} sein.',
  'Each item of "{0}" must be {1}.': 'Jedes Element von "{0}" muss {1} sein.',
  'a string': 'eine Zeichenfolge',
  'Expected: text.': 'Erwartet: text.',
};

const translate = (schema: JsonObject) =>
  translateSchema(schema, (text, ...values) => fillPlaceholders(german[text] ?? text, ...values));

test('descriptions, suggestions and messages are translated', () => {
  expect(
    translate({
      properties: {
        name: {
          type: ['string', 'null'],
          markdownDescription: 'The `name`.',
          description: 'The "name".',
          errorMessage: '"name" must be a string.',
        },
        type: { enum: ['user'], enumDescriptions: ['One user.'], patternErrorMessage: 'Expected: text.' },
        shares: { items: { errorMessage: 'Each item of "shares" must be a string.' } },
      },
      defaultSnippets: [{ label: 'New rule', description: 'One user.', body: { table: '$1' } }],
    }),
  ).toEqual({
    properties: {
      name: {
        type: ['string', 'null'],
        markdownDescription: 'Der `name`.',
        description: 'Der "name".',
        errorMessage: '"name" muss eine Zeichenfolge sein.',
      },
      type: { enum: ['user'], enumDescriptions: ['Ein Benutzer.'], patternErrorMessage: 'Erwartet: text.' },
      shares: { items: { errorMessage: 'Jedes Element von "shares" muss eine Zeichenfolge sein.' } },
    },
    defaultSnippets: [{ label: 'Neue Regel', description: 'Ein Benutzer.', body: { table: '$1' } }],
  });
});

test('the text that a suggestion inserts is not translated, nor is a label that repeats it', () => {
  const schema = {
    properties: { description: { default: 'live', const: 'live', enum: ['live'] } },
    defaultSnippets: [{ label: 'live', body: 'live' }, { body: { description: 'live', label: 'live' } }],
  };
  expect(translate(schema)).toEqual(schema);
});

test('a schema without translations is unchanged', () => {
  for (const kind of schemaDocumentKinds) {
    const schema = JSON.parse(JSON.stringify(createDocumentSchema(kind)));
    expect(translateSchema(schema, fillPlaceholders)).toEqual(schema);
  }
});
