import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { ResourceRef } from '../../../../src/catalog/resourceRef.ts';
import { formatConflict, formatUnfinishable } from '../../../../src/changes/messages/formatConflict.ts';
import { ConflictError, MissingRulesError, NameTakenError } from '../../../../src/changes/run/writeErrors.ts';
import { createTableRef } from '../run/support.ts';

const createRulesRef = (column: string): ResourceRef => ({
  kind: 'columnRules',
  subject: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
  table: 'Orders',
  column,
});

test('a change that others prevent from being finished names the columns whose rules they have changed', () => {
  const rules = new ConflictError(createRulesRef('Status'), [], 'hash', [createRulesRef('Channel')]);
  expect(formatUnfinishable(english, rules, 'Saved Orders')).toBe(
    'Can\'t finish "Saved Orders": someone else has changed or deleted data security rules on Orders.Status, Orders.Channel. Roll it back instead.',
  );
  const table = new ConflictError(createTableRef('Orders'), { oid: 't', name: 'Orders' }, 'hash');
  expect(formatUnfinishable(english, table, 'Saved Orders')).toBe(
    'Can\'t finish "Saved Orders": someone else has changed or deleted Orders on the server. Roll it back instead.',
  );
});

test('the message about missing rules that hide values names their columns, first those that might be visible, and says to restore the rules', () => {
  const conflict = new ConflictError(createRulesRef('Status'), [], 'hash', [createRulesRef('Channel')]);
  const format = (...exposedColumns: readonly string[]): string =>
    formatUnfinishable(english, new MissingRulesError(conflict, { exposedColumns }), 'Saved Orders');
  expect(format('Retail › Orders › Status', 'Retail › Orders › Channel')).toBe(
    'Can\'t finish "Saved Orders". Someone else has changed or deleted data security rules, and values that they hide might be visible now: Retail › Orders › Status and Retail › Orders › Channel. Restore these rules.',
  );
  expect(format('Retail › Orders › Channel')).toBe(
    'Can\'t finish "Saved Orders". Someone else has changed or deleted data security rules, and values that they hide might be visible now: Retail › Orders › Channel. Without the rules on Retail › Orders › Status, the change would make more values visible. Restore these rules.',
  );
  expect(format()).toBe(
    'Can\'t finish "Saved Orders". Someone else has changed or deleted data security rules on Retail › Orders › Status and Retail › Orders › Channel. Without them, the change would make hidden values visible. Restore these rules.',
  );
});

test.each([
  [createTableRef('Orders'), { oid: 't', name: 'Orders' }, 'Orders'],
  [createTableRef('Orders'), undefined, 'an item'],
  [createRulesRef('Status'), [], 'the data security rules on Orders.Status'],
] as const)('a conflict names what others have changed or created: %#', (ref, document, name) => {
  expect(formatConflict(english, new ConflictError(ref, document, 'hash'))).toBe(
    `Someone else has changed ${name} on the server in the meantime. Try again.`,
  );
  expect(formatConflict(english, new NameTakenError(ref, document, 'hash'))).toBe(
    `Someone else has created ${name} on the server in the meantime. Rename or delete it, and finish the change, or roll the change back.`,
  );
});
