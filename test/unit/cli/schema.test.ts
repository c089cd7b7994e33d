import { describe, expect, test } from 'vitest';
import type { CommandContext } from '../../../src/cli/command.ts';
import { schema } from '../../../src/cli/commands/schema.ts';
import { toPlainSchema } from '../../../src/packaging/schemas/plainSchema.ts';

/** Runs `schema` and returns what it prints. */
async function printSchema(...positionals: readonly string[]): Promise<unknown> {
  const printed: unknown[] = [];
  await schema({
    args: { positionals },
    output: { printJson: (value: unknown) => printed.push(value) },
  } as unknown as CommandContext);
  expect(printed).toHaveLength(1);
  return printed[0];
}

const fileKinds = [
  'settings',
  'datamodel',
  'dataset',
  'table',
  'relation',
  'rules',
  'viewpoint',
  'custom-data',
  'environment',
];

describe('schema', () => {
  test.each(fileKinds)('prints the schema of a kind of project file: %s', async (kind) => {
    expect(await printSchema('file', kind)).toMatchObject({
      $schema: 'http://json-schema.org/draft-07/schema#',
      description: expect.any(String),
    });
  });

  test('prints the schema of a file with the meaning of its properties', async () => {
    expect(await printSchema('file', 'rules')).toMatchObject({
      type: 'array',
      items: {
        required: ['table', 'column', 'datatype'],
        properties: { allMembers: { description: expect.stringContaining('null') } },
      },
    });
  });

  test('prints the schema of the output of a command', async () => {
    expect(await printSchema('rules', 'export')).toMatchObject({
      properties: { command: { const: 'rules export' } },
    });
  });

  test('refuses an unknown kind of file or command, and names those that exist', async () => {
    await expect(printSchema('file', 'tabel')).rejects.toThrow(
      `Unknown kind of file. Expected: ${fileKinds.join(', ')}.`,
    );
    await expect(printSchema('file')).rejects.toThrow('Unknown kind of file.');
    await expect(printSchema('nothing')).rejects.toThrow(/^Unknown command\. Expected: .+, or file KIND\.$/);
  });
});

test('a plain schema has no keywords of VS Code, but properties of their names', () => {
  expect(
    toPlainSchema({
      allowComments: true,
      description: 'A',
      markdownDescription: '`A`',
      properties: { errorMessage: { type: 'string', errorMessage: 'No' } },
      anyOf: [{ type: 'array', items: { type: 'string', doNotSuggest: true } }],
      else: { properties: { x: { defaultSnippets: [] } } },
      const: null,
    }),
  ).toEqual({
    description: 'A',
    properties: { errorMessage: { type: 'string' } },
    anyOf: [{ type: 'array', items: { type: 'string' } }],
    else: { properties: { x: {} } },
    const: null,
  });
});
