import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import { delay, systemClock } from '../../../../src/base/clock.ts';
import { computeRuleDifference } from '../../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import type { Fault } from '../../../../src/sandbox/faults.ts';
import { createBuiltModel } from '../../../support/createBuiltModel.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../../support/sandboxProcess.ts';
import { type TestParty, TwoColumnTable } from '../../../support/rowVisibility.ts';
import { isSoak } from '../../../support/soak.ts';
import { getFailure } from '../../../unit/changes/run/support.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { defined } from '../../../support/narrow.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Bulk' } as const;
const location = { connectionId: 'c1', within: [] };
/** The number of rules in the file: 10,000 in a soak. */
const count = isSoak ? 10_000 : 2000;
/** The size limit of a request: a smaller file is sent in as many requests as a large one. */
const maxBytes = (128 * 1024 * count) / 10_000;
/** The number of existing rules. */
const countBefore = 300;
/** The polling interval, so that the server has time for other requests, too. */
const pollIntervalMs = 100;
const regions = ['North', 'South', 'East', 'West', 'Elsewhere'];
const segments = ['Home', 'Office', 'Public', 'Elsewhere'];
const rows = new TwoColumnTable({ name: 'Region', values: regions }, { name: 'Segment', values: segments });

const heading = 'table,column,datatype,access,value,party type,party';
const line = (column: string, access: string, value: string, type: string, party: string) =>
  `Stores,${column},text,${access},${value},${type},${party}`;
const pick = <Item>(items: readonly Item[], index: number): Item => defined(items[index % items.length]);

/** One row per rule: users and groups with one list each, some that see all or all but one, and the rest nothing. */
function createRuleTable(ruleCount: number, variant: number): string {
  const lines = Array.from({ length: ruleCount - 2 }, (_rule, index) => {
    const type = index % 5 === 0 ? 'group' : 'user';
    const party = `${type}-${Math.floor(index / 2)}`;
    const access = pick(['only', 'only', 'except', 'everything', 'only', 'nothing', 'only'], index + variant);
    const [column, values] =
      index % 2 === 0 ? (['Region', regions] as const) : (['Segment', segments] as const);
    const isList = access === 'only' || access === 'except';
    return line(column, access, isList ? pick(values, index * 7 + variant) : '', type, party);
  });
  const defaultAccess = variant === 0 ? 'everything' : 'nothing';
  return [
    heading,
    ...lines,
    line('Region', defaultAccess, '', 'default', ''),
    line('Segment', 'nothing', '', 'default', ''),
  ].join('\n');
}

/**
 * All parties that the old rules name, alone and in groups, some that only the new ones name, and some that none names.
 * Without the order of the writes and the temporary deny rules, those whose lists change on both columns would briefly
 * see pairs of an old value and a new one.
 */
const parties: readonly TestParty[] = [
  { groupIds: [] },
  ...Array.from({ length: countBefore / 2 + 20 }, (_party, index) => [
    { userId: `user-${index}`, groupIds: [] },
    { userId: `user-${index}`, groupIds: [`group-${index * 5}`, 'group-0', 'group-10'] },
    { groupIds: [`group-${index}`] },
  ]).flat(),
  ...[501, 998, 1003, 4998].map((index) => ({ userId: `user-${index}`, groupIds: [`group-${index}`] })),
];

const busyServerFaults: readonly Fault[] = [
  { kind: 'tooManyRequests', retryAfter: 1, methods: ['POST'], every: 4, pathPrefix: '/api' },
  { kind: 'tooManyRequests', retryAfter: 0, methods: ['DELETE'], every: 61, pathPrefix: '/api' },
  { kind: 'status', status: 504, when: 'after', methods: ['POST'], every: 5, pathPrefix: '/api' },
  { kind: 'status', status: 504, when: 'before', methods: ['POST'], every: 7, pathPrefix: '/api' },
  { kind: 'status', status: 504, when: 'after', methods: ['DELETE'], every: 67, pathPrefix: '/api' },
  { kind: 'drop', methods: ['DELETE'], every: 211, pathPrefix: '/api' },
];

/** The number of rules at a moment, and the rows that each party saw then. */
interface Moment {
  readonly ruleCount: number;
  readonly seen: readonly ReadonlySet<string>[];
}

describe(`${count} rules from a file`, () => {
  let sandbox: TemporarySandbox;
  let folder: string;

  beforeAll(async () => {
    sandbox = await startTemporarySandbox('empty');
    folder = await mkdtemp(join(tmpdir(), 'bulk-rules-'));
    const { client } = openWindow();
    await createBuiltModel(client, subject.elasticube);
    client.dispose();
  });
  afterAll(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const openWindow = () => createRealWriter({ url: sandbox.url, token: sandbox.adminToken, folder });
  const readRules = async (client: ReturnType<typeof openWindow>['client']) =>
    (await client.extractRules.list(subject)).value;

  const compareRules = (csv: string, current: readonly unknown[]) => {
    const { rules, problems } = parseRuleTable(csv);
    expect(problems).toEqual([]);
    return computeRuleDifference({
      tableRules: rules,
      current,
      binding: subject,
      scope: 'all',
      findPartyId: ({ name }) => name,
    });
  };

  test('despite busy servers, lost responses, a cancellation and a resume, the rules end as in the file, and access never widens', async () => {
    const first = openWindow();
    const before = createRuleTable(countBefore, 0);
    await first.writer.run(createBulkRuleOperation(location, subject, compareRules(before, [])));
    const old = await readRules(first.client);
    expect(old).toHaveLength(countBefore);

    const file = createRuleTable(count, 3);
    const change = compareRules(file, old);
    expect(change.obstacles).toEqual([]);
    const operation = createBulkRuleOperation(location, subject, change, maxBytes);

    const pollingWindow = openWindow();
    const moments: Moment[] = [];
    const pollingController = new AbortController();
    // Stop polling however the test ends.
    onTestFinished(() => pollingController.abort());
    const pollingLoop = (async () => {
      while (!pollingController.signal.aborted) {
        const rules = await readRules(pollingWindow.client);
        moments.push({ ruleCount: rules.length, seen: rows.getVisibleRows(rules, parties) });
        await delay(systemClock, pollIntervalMs);
      }
    })();

    await sandbox.setFaults(busyServerFaults);
    const { planHash } = await first.writer.plan(operation);
    let waits = 0;
    const waitOptions = { verifyDelayMs: 20, onWait: () => (waits += 1) };
    /** Cancels once that many rules of the file are on the server. */
    const cancelAfter = (limit: number) => {
      const cancel = new AbortController();
      const doneByWrite = new Map<number, number>();
      return {
        signal: cancel.signal,
        onProgress: ({ writeIndex, done }: { readonly writeIndex: number; readonly done: number }) => {
          doneByWrite.set(writeIndex, done);
          if ([...doneByWrite.values()].reduce((sum, done) => sum + done, 0) > limit) {
            cancel.abort();
          }
        },
      };
    };
    const approval = first.writer.approve(planHash);
    const cancelled = await getFailure(
      first.writer.run(operation, { approval, ...waitOptions, ...cancelAfter(count / 2) }),
    );
    expect(cancelled).toBeInstanceOf(StoppedError);
    /** The number of rules that match the file; temporary deny rules may stand in for the others. */
    const countMatching = async ({ client }: Pick<typeof first, 'client'>) =>
      compareRules(file, await readRules(client)).unchangedCount;
    const matchingAfterCancel = await countMatching(first);
    expect(matchingAfterCancel).toBeGreaterThan(count * 0.4);
    expect(matchingAfterCancel).toBeLessThan(count * 0.8);
    first.client.dispose();

    const second = openWindow();
    const resume = async (options: RunOptions) => {
      const [entry] = await second.history.readEntries(location.connectionId);
      expect(entry?.end).toBe('stopped');
      return entry === undefined ? undefined : second.writer.resume(entry, { ...waitOptions, ...options });
    };
    expect(await getFailure(resume(cancelAfter(count / 5)))).toBeInstanceOf(StoppedError);
    expect(await countMatching(second)).toBeGreaterThan(matchingAfterCancel);
    const report = await resume({});
    await sandbox.setFaults([]);
    pollingController.abort();
    await pollingLoop;
    pollingWindow.client.dispose();

    expect(report?.writes.every(({ state }) => state === 'done')).toBe(true);
    const rulesAfter = await readRules(second.client);
    const remaining = compareRules(file, rulesAfter);
    expect([remaining.adds, remaining.deletes, remaining.unchangedCount]).toEqual([[], [], count]);
    expect(waits).toBeGreaterThan(3);
    second.client.dispose();

    const [seenOld, seenNew] = [rows.getVisibleRows(old, parties), rows.getVisibleRows(rulesAfter, parties)];
    const sizes = new Set(moments.map(({ ruleCount }) => ruleCount));
    expect(sizes.size).toBeGreaterThan(5);
    const allowedRows = seenNew.map((seen, index) => seen.union(seenOld[index] ?? new Set<string>()));
    const widened = moments.flatMap(({ seen }) =>
      seen.flatMap((visible, index) => {
        const unexpectedRows = visible.difference(allowedRows[index] ?? new Set<string>());
        return unexpectedRows.size === 0
          ? []
          : [{ party: parties[Math.floor(index / 2)], rows: [...unexpectedRows] }];
      }),
    );
    expect(widened.slice(0, 3)).toEqual([]);
  });
});
