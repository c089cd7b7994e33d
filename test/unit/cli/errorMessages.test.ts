import { expect, test } from 'vitest';
import { formatCliError, formatStopError } from '../../../src/cli/errorMessages.ts';
import { ConflictError } from '../../../src/changes/run/writeErrors.ts';

test('only the message of a conflict that was found before sending states that nothing was written', () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const conflict = new ConflictError({ kind: 'rules', subject }, [], 'hash');
  expect(formatCliError(conflict)).toContain('Nothing was written.');
  expect(formatStopError(conflict)).toBe('The rules were changed on the server in the meantime.');
});
