import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { DifferenceNoteCode } from '../../../../src/project/compare/itemChange.ts';
import { describeDifference } from '../../../../src/project/messages/planTexts.ts';

const describeColumnNote = (code: DifferenceNoteCode): string =>
  describeDifference(english, {
    code,
    key: { kind: 'table', datamodel: 'Retail', table: 'Orders' },
    pointer: '/columns/Gross~1Net/renamedFrom',
    formerName: 'Profit',
  });

test('a column that is created and not renamed is named with its table', () => {
  expect(describeColumnNote('former-name-missing')).toBe(
    'The former name "Orders.Profit" wasn\'t found on the instance. "Orders.Gross/Net" will be created as a new column.',
  );
  expect(describeColumnNote('former-name-in-use')).toBe(
    'The former name "Orders.Profit" belongs to another item in the project. "Orders.Gross/Net" will be created as a new column.',
  );
});

test('the member that renames a column has only the name of the column', () => {
  expect(describeColumnNote('same-source')).toBe(
    'To rename "Orders.Profit" instead, add "renamedFrom": "Profit".',
  );
});

test('a table or viewpoint is named alone', () => {
  const note = { code: 'former-name-missing', pointer: '/renamedFrom', formerName: 'Persons' } as const;
  expect(
    describeDifference(english, { ...note, key: { kind: 'table', datamodel: 'Retail', table: 'Clients' } }),
  ).toBe(
    'The former name "Persons" wasn\'t found on the instance. "Clients" will be created as a new table.',
  );
  expect(describeDifference(english, { ...note, key: { kind: 'viewpoint', viewpoint: 'Sales' } })).toBe(
    'The former name "Persons" wasn\'t found on the instance. "Sales" will be created as a new viewpoint.',
  );
});
