import { expect, test } from 'vitest';
import { commands } from '../../../src/cli/commands.ts';
import { createPortableProjectSchemas } from '../../../src/packaging/schemas/projectDocuments.ts';

test('the command schema proposes exactly the kinds of project files that have a schema', () => {
  const [, kind] = commands.find(({ name }) => name === 'schema')?.positionals ?? [];
  expect(kind?.proposalsAfter?.['file']?.toSorted()).toEqual(
    Object.keys(createPortableProjectSchemas()).toSorted(),
  );
});
