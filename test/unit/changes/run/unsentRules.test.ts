import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { ConflictError, StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createShopRule, describeShopRules, openShop, readShopRules, shop } from './renameColumn.ts';
import { killWindow } from './simulateInterruption.ts';
import {
  advanceUntilSettled,
  type ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
  getFailure,
} from './support.ts';

const path = { server: shop.server, elasticube: shop.elasticube };

const findRule = async (fixture: ChangeFixture) => {
  const rule = expectDefined(
    (await readShopRules(fixture)).find(({ members }) => JSON.stringify(members) === '["a"]'),
  );
  return { rule, ruleId: getText(rule['_id']) };
};

/** What others do to the rule that an apply would change, and the rules after that. */
const changes = [
  [
    'delete',
    async ({ client }: ChangeFixture, { ruleId }: Found) => client.extractRules.delete({ ruleId }),
    [],
  ],
  [
    'change',
    async ({ client }: ChangeFixture, { ruleId, rule }: Found) =>
      client.extractRules.update({ ruleId }, { ...rule, members: ['theirs'] }),
    ['City: ["theirs"]'],
  ],
] as const;
type Found = Awaited<ReturnType<typeof findRule>>;

/**
 * Starts an apply that describes a table and then changes two rules; while it waits for the first write, others change
 * one of the rules. So it stops before it sends a request that changes rules.
 */
async function stop(
  fixture: ChangeFixture,
  changeRule: (fixture: ChangeFixture, found: Found) => Promise<unknown>,
): Promise<HistoryEntry> {
  await fixture.client.extractRules.create(path, [
    createShopRule(groups.sales, 'City', ['a']),
    createShopRule(groups.finance, 'City', ['b']),
  ]);
  const rules = await readShopRules(fixture);
  const found = await findRule(fixture);
  const operation = createOperation(
    [
      createTableUpdate('Stores', { description: 'Mine' }),
      ...createRuleWrites(shop, {
        adds: [createShopRule(groups.support, 'City', ['c'])],
        deletes: [],
        updates: rules.map((rule) => ({ before: rule, after: { ...rule, members: ['mine'] } })),
      }),
    ],
    'apply',
  );
  const { writer, history } = fixture.open();
  let changed: Promise<unknown> | undefined;
  fixture.getWriteFault = (line) => (line.startsWith('PATCH') && changed === undefined ? 'busy' : undefined);
  const onWait = (): void => {
    changed ??= changeRule(fixture, found);
  };
  const run = getFailure(runApproved(writer, operation, { onWait }));
  const { cause, report } = expectInstance(await advanceUntilSettled(fixture, run), StoppedError);
  await changed;
  fixture.getWriteFault = () => undefined;
  expect(cause).toBeInstanceOf(ConflictError);
  expect(report.requests).toEqual([]);
  return expectDefined(await history.readEntry(connectionId, report.entryId));
}

const cases = (['guide', 'contract'] as const).flatMap((profile) =>
  changes.map(([how, changeRule, theirs]) => ({ profile, how, changeRule, theirs })),
);

describe.each(cases)(
  'an apply before whose change of rules others $how one of them ($profile)',
  ({ profile, changeRule, theirs }) => {
    const left = ['City: ["b"]', ...theirs];

    test('can be rolled back: their change is kept', async () => {
      using fixture = openShop(profile);
      const described = await fixture.readObject(createTableRef('Stores'));
      const entry = await stop(fixture, changeRule);
      const { writer } = fixture.open();
      expect((await fixture.readObject(createTableRef('Stores')))['description']).toBe('Mine');
      expect((await writer.planRecovery(entry, 'roll-back')).plan.operation.writes).toHaveLength(1);
      await advanceUntilSettled(fixture, writer.rollBack(entry));
      expect((await fixture.readObject(createTableRef('Stores')))['description']).toEqual(
        described['description'],
      );
      expect(await describeShopRules(fixture)).toEqual(left);
    });

    test('can be rolled back if it was killed before it sent a request of that change', async () => {
      using fixture = openShop(profile);
      await stop(fixture, changeRule);
      const { writer, entry } = await killWindow(
        fixture,
        ({ line, write }) => line === 'sending' || (line === 'result' && write === 0),
      );
      expect(entry.writeStates.slice(1).every(({ state }) => state === 'sending')).toBe(true);
      await advanceUntilSettled(fixture, writer.rollBack(entry));
      expect(await describeShopRules(fixture)).toEqual(left);
    });

    test('can be undone from the history after it was abandoned: their change is kept', async () => {
      using fixture = openShop(profile);
      const entry = await stop(fixture, changeRule);
      const { writer } = fixture.open();
      const { operation, ...options } = await writer.planUndo(await writer.abandon(entry));
      await advanceUntilSettled(
        fixture,
        runApproved(writer, operation, { ...options, undoneEntryId: entry.id }),
      );
      expect(await describeShopRules(fixture)).toEqual(left);
    });
  },
);
