import { expect, test } from 'vitest';
import { findingTexts } from '../../../src/cli/findings/findingTexts.ts';
import { ignorableCodes } from '../../../src/cli/ignoredErrors.ts';
import { isIgnorableCode } from '../../../src/project/validate/finding.ts';

test('--ignore-errors accepts exactly the codes of errors that can be ignored', () => {
  const codes = Object.keys(findingTexts) as (keyof typeof findingTexts)[];
  expect(ignorableCodes).toEqual(codes.filter(isIgnorableCode));
});
