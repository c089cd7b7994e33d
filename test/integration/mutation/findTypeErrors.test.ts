import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { findTypeErrors } from '../../mutation/findTypeErrors.ts';
import { findMutants } from '../../mutation/mutants.ts';

test('changes that remove a check for undefined do not compile, and changes of a comparison do', () => {
  const file = 'src/changes/journal/undoCustomData.ts';
  const source = readFileSync(join(projectRoot, file), 'utf8');
  const mutants = findMutants(file, source).map((mutant, id) => ({ ...mutant, id }));
  const invalidIds = findTypeErrors(mutants);
  const describeMutants = (isInvalid: boolean) =>
    mutants
      .filter(({ id }) => invalidIds.has(id) === isInvalid)
      .map(({ start, end, replacement }) => `${source.slice(start, end)} -> ${replacement}`);
  expect(describeMutants(true)).toContain('matchedId === undefined -> false');
  expect(describeMutants(false)).toContain('changedMembers.size === 0 -> true');
  expect(describeMutants(false)).toContain("objectId === '' -> false");
});
