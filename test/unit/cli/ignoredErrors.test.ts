import { expect, test } from 'vitest';
import { findingTexts } from '../../../src/cli/findings/findingTexts.ts';
import { ignorableCodes } from '../../../src/cli/ignoredErrors.ts';
import { isIgnorableCode } from '../../../src/project/validate/finding.ts';

test('the codes that can be named are those that can be ignored', () => {
  const codes = Object.keys(findingTexts) as (keyof typeof findingTexts)[];
  expect(ignorableCodes).toEqual(codes.filter(isIgnorableCode));
});
