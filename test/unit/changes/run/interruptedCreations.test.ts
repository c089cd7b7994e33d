import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLossless, type JsonValue } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import { formatComparable } from '../../../../src/changes/model/comparableDocument.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { readCompleteDatamodel } from '../../../../src/changes/model/readCompleteDatamodel.ts';
import { createTableDeletionWrite } from '../../../../src/changes/model/tableWrites.ts';
import { createRuleCreationWrite } from '../../../../src/changes/rules/ruleWrites.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { getPropertyRuns, isSoak } from '../../../support/soak.ts';
import { runApproved } from '../journal/runApproved.ts';
import { createNewModelWrites } from '../recorded/scenarios.ts';
import { runKilled } from './simulateInterruption.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableRef,
  createTableUpdate,
} from './support.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const everyone = [{ type: 'default' }];
const rule = { table: 'Returns', column: 'Reason', datatype: 'text', members: ['x'], shares: everyone };

/** Creates a datamodel with its contents, changes a table, and deletes one that has a relation. */
const createChange = (profile: ProfileName): Operation =>
  createOperation(
    [
      ...createNewModelWrites(),
      // On such an instance, only built datamodels have rules.
      ...(profile === 'contract' ? [] : [createRuleCreationWrite(subject, [rule])]),
      createTableUpdate('Orders', { description: 'Mine' }),
      createTableDeletionWrite(createTableRef('Employees')),
    ],
    'apply',
  );

/** Reads all datamodels and rules, without IDs. */
async function readContent(fixture: ChangeFixture): Promise<readonly string[]> {
  const { client } = fixture;
  const { value: models } = await client.datamodels.list();
  const documents = await Promise.all(models.map(({ oid }) => readCompleteDatamodel(client, oid)));
  const rules = (await fixture.read({ kind: 'rules', subject })) ?? null;
  return [
    ...documents.map((document) => formatComparable('datamodel', withoutDroppedIds(document))).sort(),
    formatComparable('rules', rules),
  ];
}

/** The ends of relations that were dropped have the IDs of tables that no longer exist. */
const withoutDroppedIds = (document: JsonValue): JsonValue =>
  parseLossless(
    JSON.stringify(document, (_name, value: unknown) =>
      typeof value === 'object' && value !== null && 'isDropped' in value && value.isDropped === true
        ? { isDropped: true }
        : value,
    ),
  );

/** How an interrupted change is ended, and the number of the write at which that is killed in turn. */
type Attempt = readonly [method: 'resume' | 'rollBack', killedAt: number];

/** The number of the write at which the change is killed, and the attempts to end it. */
type Kills = readonly [killedAt: number, ...attempts: Attempt[]];

const never = Infinity;

async function readOriginalEntry({
  history,
}: Pick<ReturnType<ChangeFixture['open']>, 'history'>): Promise<HistoryEntry> {
  return expectDefined((await history.readEntries(connectionId)).at(-1));
}

/**
 * Kills a change at one of its writes, and then the attempts to end it. Returns the attempt that wasn't killed, and the
 * content after it.
 */
async function interrupt(
  profile: ProfileName,
  loss: 'request-lost' | 'response-lost',
  [firstKilledAt, ...attempts]: Kills,
) {
  using fixture = new ChangeFixture({ profile });
  const run = (killedAt: number, task: (window: ReturnType<ChangeFixture['open']>) => Promise<unknown>) =>
    advanceUntilSettled(
      fixture,
      runKilled(fixture, { killedAt, loss }, () => task(fixture.open())),
    );
  let method: Attempt[0] = 'resume';
  let isKilled = await run(firstKilledAt, ({ writer }) => runApproved(writer, createChange(profile)));
  for (const [nextMethod, killedAt] of attempts) {
    if (isKilled) {
      method = nextMethod;
      isKilled = await run(killedAt, async ({ writer, history }) =>
        writer[nextMethod](await readOriginalEntry({ history })),
      );
    }
  }
  expect(isKilled).toBe(false);
  return { method, content: await readContent(fixture) };
}

describe.each(['guide', 'contract'] as const)(
  'a change that creates items, on an instance of the profile %s',
  (profile) => {
    let contents: Promise<Readonly<Record<Attempt[0], readonly string[]>>> | undefined;
    const loadContents = () =>
      (contents ??= (async () => {
        using fixture = new ChangeFixture({ profile });
        const contentBefore = await readContent(fixture);
        await advanceUntilSettled(fixture, runApproved(fixture.open().writer, createChange(profile)));
        const contentAfter = await readContent(fixture);
        expect(contentAfter).not.toEqual(contentBefore);
        return { rollBack: contentBefore, resume: contentAfter };
      })());
    const check = async (loss: 'request-lost' | 'response-lost', kills: Kills): Promise<void> => {
      const { method, content } = await interrupt(profile, loss, kills);
      expect(content).toEqual((await loadContents())[method]);
    };

    const createNumbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
    const killPoints = isSoak
      ? createNumbers(8).flatMap((first) =>
          createNumbers(9).flatMap((second) => [
            [first, second, 'request-lost'] as const,
            [first, second, 'response-lost'] as const,
          ]),
        )
      : ([
          [4, 3, 'request-lost'],
          [5, 3, 'response-lost'],
          [7, 2, 'response-lost'],
        ] as const);

    test.each(killPoints)(
      'is finished or rolled back after it was killed at write %i and its rollback at write %i, losing the %s',
      async (killedAt, rollbackKilledAt, loss) => {
        await check(loss, [killedAt, ['rollBack', rollbackKilledAt], ['resume', never]]);
        await check(loss, [killedAt, ['rollBack', rollbackKilledAt], ['rollBack', never]]);
      },
    );

    test('property: is finished or rolled back after any number of kills', async () => {
      const attempt = fc.tuple(
        fc.constantFrom('resume' as const, 'rollBack' as const),
        fc.integer({ min: 1, max: 9 }),
      );
      const script = fc.tuple(
        fc.constantFrom('request-lost' as const, 'response-lost' as const),
        fc.integer({ min: 1, max: 8 }),
        fc.array(attempt, { maxLength: 5 }),
        fc.constantFrom('resume' as const, 'rollBack' as const),
      );
      await fc.assert(
        fc.asyncProperty(script, ([loss, first, attempts, last]) =>
          check(loss, [first, ...attempts, [last, never]]),
        ),
        { numRuns: getPropertyRuns(2) },
      );
    });
  },
);
