import { expect, test } from 'vitest';
import * as z from 'zod';
import { commands } from '../../../src/cli/commands.ts';
import { errorOutputSchema, outputSchemas } from '../../../src/cli/outputSchemas.ts';

test('every command that prints JSON has a schema', () => {
  const jsonCommands = commands.filter(({ options }) =>
    options.some(({ name, choices }) => name === 'format' && choices?.includes('json') === true),
  );
  expect(Object.keys(outputSchemas).sort()).toEqual(jsonCommands.map(({ name }) => name).sort());
});

test('the format for programs is frozen: fields are added, none is changed or removed', () => {
  const required = Object.fromEntries(
    Object.entries(outputSchemas).map(([name, schema]) => [name, z.toJSONSchema(schema).required]),
  );
  expect(required).toEqual({
    apply: [
      'version',
      'command',
      'planFileVersion',
      'instance',
      'environment',
      'state',
      'hash',
      'prune',
      'ignoreErrors',
      'limits',
      'counts',
      'changes',
      'extras',
      'notes',
      'deferred',
      'problems',
      'ignoredErrors',
      'unknown',
      'breaks',
      'access',
      'builds',
    ],
    build: ['version', 'command', 'instance', 'datamodel', 'type', 'state'],
    doctor: ['version', 'command', 'instance', 'time', 'verdict', 'steps'],
    drift: ['version', 'command', 'instance', 'environment', 'state', 'counts', 'items', 'unknown'],
    plan: [
      'version',
      'command',
      'planFileVersion',
      'instance',
      'environment',
      'state',
      'hash',
      'prune',
      'ignoreErrors',
      'limits',
      'counts',
      'changes',
      'extras',
      'notes',
      'deferred',
      'problems',
      'ignoredErrors',
      'unknown',
      'breaks',
      'access',
      'builds',
    ],
    pull: [
      'version',
      'command',
      'instance',
      'environment',
      'counts',
      'files',
      'conflicts',
      'localChanges',
      'gone',
      'renames',
      'columnRenames',
      'unknown',
      'warnings',
    ],
    'rules export': ['version', 'command', 'instance', 'datamodel', 'rules'],
    'rules import': [
      'version',
      'command',
      'instance',
      'datamodel',
      'mode',
      'state',
      'rules',
      'counts',
      'changes',
      'problems',
    ],
    abandon: ['version', 'command', 'instance', 'interrupted', 'documents', 'deniesAccess', 'abandoned'],
    resume: ['version', 'command', 'instance', 'interrupted'],
    'roll-back': ['version', 'command', 'instance', 'interrupted'],
    validate: ['version', 'command', 'counts', 'findings'],
  });
  expect(z.toJSONSchema(errorOutputSchema).required).toEqual(['version', 'error']);
});
