import { describe, expect, test } from 'vitest';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import {
  createRename,
  describeShopRules,
  killRename,
  newName,
  openShop,
  readColumnName,
  readShopRules,
} from './renameColumn.ts';
import { runKilled } from './simulateInterruption.ts';
import { advanceUntilSettled, type ChangeFixture, connectionId } from './support.ts';

/** The lists of values of the rules on the column, whatever its current name. */
async function readListsOfColumn(fixture: ChangeFixture): Promise<readonly string[]> {
  const name = await readColumnName(fixture);
  return (await readShopRules(fixture))
    .filter(({ column }) => getText(column) === name)
    .map(({ members }) => JSON.stringify(members))
    .toSorted();
}

const lists = ['["a"]', '[]'];

/** Renames a column that has rules, completely or until the rules on the old name are left to delete. */
async function rename(fixture: ChangeFixture, reversal: 'undo' | 'rollBack') {
  const { operation, oldName } = await createRename(fixture);
  const { writer, history } = fixture.open();
  if (reversal === 'undo') {
    await runApproved(writer, operation);
    await fixture.sandbox.clock.advance(1);
  } else {
    await killRename(fixture, operation);
  }
  const entry = expectDefined((await history.readEntries(connectionId))[0]);
  expect(await readColumnName(fixture)).toBe(newName);
  expect(await readListsOfColumn(fixture)).toEqual(lists);
  const reverse = async (): Promise<void> => {
    const window = fixture.open();
    if (reversal === 'rollBack') {
      await window.writer.rollBack(entry);
    } else {
      const { operation: undo, ...options } = await window.writer.planUndo(entry);
      await runApproved(window.writer, undo, { ...options, undoneEntryId: entry.id });
    }
  };
  return { oldName, reverse };
}

const cases = (['guide', 'contract'] as const).flatMap((profile) =>
  (['undo', 'rollBack'] as const).map((reversal) => ({ profile, reversal })),
);

describe.each(cases)(
  'the $reversal of a renamed column with rules, profile $profile',
  ({ profile, reversal }) => {
    test('restores its name and its rules', async () => {
      using fixture = openShop(profile);
      const { oldName, reverse } = await rename(fixture, reversal);
      await advanceUntilSettled(fixture, reverse());
      expect(await readColumnName(fixture)).toBe(oldName);
      expect(await describeShopRules(fixture)).toEqual([`${oldName}: ["a"]`, `${oldName}: []`]);
    });

    test.each([
      ['request-lost', 'resume'],
      ['request-lost', 'rollBack'],
      ['response-lost', 'resume'],
      ['response-lost', 'rollBack'],
    ] as const)(
      'never leaves the column without a rule if it is killed at any write (%s lost), then %s',
      async (loss, ending) => {
        for (let killedAt = 1, wasKilled = true; wasKilled; killedAt += 1) {
          using fixture = openShop(profile);
          const { oldName, reverse } = await rename(fixture, reversal);
          wasKilled = await runKilled(fixture, { killedAt, loss }, () =>
            advanceUntilSettled(fixture, reverse()),
          );
          expect(wasKilled || killedAt > 2).toBe(true);
          expect(await readListsOfColumn(fixture)).toEqual(lists);
          const [undo] = wasKilled ? await fixture.open().history.readUnfinishedEntries(connectionId) : [];
          if (undo !== undefined) {
            const end = fixture.open().writer[ending](undo, { onWait: () => undefined });
            await advanceUntilSettled(fixture, end);
            expect(await readListsOfColumn(fixture)).toEqual(lists);
            if (ending === 'resume') {
              expect(await readColumnName(fixture)).toBe(oldName);
            }
          }
        }
      },
    );
  },
);
