import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { formatFieldChange } from '../../../../src/changes/messages/formatFieldChange.ts';

test.each([
  ['column', { field: 'type', before: '8', after: '18' }, 'type: Integer → Text'],
  ['column', { field: 'type', before: '8', after: '99' }, 'type: Integer → 99'],
  ['column', { field: 'size', before: '8', after: '18' }, 'size: 8 → 18'],
  [
    'table',
    { field: 'columns.Amount.type', before: '8', after: '5' },
    'columns.Amount.type: Integer → Decimal',
  ],
  ['table', { field: 'type', after: 'custom' }, 'type: none → custom'],
  ['viewpoint', { field: 'details' }, 'details'],
] as const)('a changed field of a %s is described for people', (kind, change, text) => {
  expect(formatFieldChange(change, kind, english)).toBe(text);
});
