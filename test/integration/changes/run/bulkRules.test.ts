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
import { type TemporarySandbox, startTemporarySandbox } from '../../../support/temporarySandbox.ts';
import { type TestParty, TwoColumnTable } from '../../../support/rowVisibility.ts';
import { isSoak } from '../../../support/soak.ts';
import { getFailure } from '../../../unit/changes/run/support.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { expectDefined } from '../../../support/expectations.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Bulk' } as const;
const location = { connectionId: 'c1', within: [] };
/** The number of rules in the file: 10,000 in a soak. */
const newRuleCount = isSoak ? 10_000 : 1000;
/** The size limit of a request, in proportion to the file, so that the number of requests is always the same. */
const maxBytes = (128 * 1024 * newRuleCount) / 10_000;
/** The number of rules on the server before the import. */
const oldRuleCount = 150;
/** The interval at which the rules are polled; long enough for the server to process other requests, too. */
const pollIntervalMs = 100;
const regions = ['North', 'South', 'East', 'West', 'Elsewhere'];
const segments = ['Home', 'Office', 'Public', 'Elsewhere'];
const twoColumnTable = new TwoColumnTable(
  { name: 'Region', values: regions },
  { name: 'Segment', values: segments },
);

const heading = 'table,column,datatype,access,value,party type,party';
const formatLine = (column: string, access: string, value: string, type: string, party: string) =>
  `Stores,${column},text,${access},${value},${type},${party}`;
const pickCyclically = <Item>(items: readonly Item[], index: number): Item =>
  expectDefined(items[index % items.length]);

/** Creates a table of rules with one line per rule: some for groups, most for users, with every kind of access. */
function createRuleTable(ruleCount: number, variant: number): string {
  const lines = Array.from({ length: ruleCount - 2 }, (_rule, index) => {
    const type = index % 5 === 0 ? 'group' : 'user';
    const party = `${type}-${Math.floor(index / 2)}`;
    const access = pickCyclically(
      ['only', 'only', 'except', 'everything', 'only', 'nothing', 'only'],
      index + variant,
    );
    const [column, values] =
      index % 2 === 0 ? (['Region', regions] as const) : (['Segment', segments] as const);
    const isList = access === 'only' || access === 'except';
    return formatLine(column, access, isList ? pickCyclically(values, index * 7 + variant) : '', type, party);
  });
  const defaultAccess = variant === 0 ? 'everything' : 'nothing';
  return [
    heading,
    ...lines,
    formatLine('Region', defaultAccess, '', 'default', ''),
    formatLine('Segment', 'nothing', '', 'default', ''),
  ].join('\n');
}

/**
 * All parties of the old rules, alone and as members of groups; some parties that only the new rules have; and some that
 * have no rule. Without the order of the writes and the temporary deny rules, a party whose lists change on both columns
 * would briefly see rows that combine an old value with a new one.
 */
const parties: readonly TestParty[] = [
  { groupIds: [] },
  ...Array.from({ length: oldRuleCount / 2 + 20 }, (_party, index) => [
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

/** The number of rules at one poll, and the rows that each party could see then. */
interface Observation {
  readonly ruleCount: number;
  readonly seen: readonly ReadonlySet<string>[];
}

describe(`${newRuleCount} rules from a file`, () => {
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
      existingRules: current,
      binding: subject,
      mode: 'all',
      findPartyId: ({ idOrName }) => idOrName,
    });
  };

  test('despite busy servers, lost responses, a cancellation and a resume, the rules end as in the file, and access never widens', async () => {
    const firstWindow = openWindow();
    const before = createRuleTable(oldRuleCount, 0);
    await firstWindow.writer.run(createBulkRuleOperation(location, subject, compareRules(before, [])));
    const oldRules = await readRules(firstWindow.client);
    expect(oldRules).toHaveLength(oldRuleCount);

    const file = createRuleTable(newRuleCount, 3);
    const change = compareRules(file, oldRules);
    expect(change.obstacles).toEqual([]);
    const operation = createBulkRuleOperation(location, subject, change, maxBytes);

    const pollingWindow = openWindow();
    const observations: Observation[] = [];
    const pollingController = new AbortController();
    // Stop polling even if the test fails.
    onTestFinished(() => pollingController.abort());
    const pollingLoop = (async () => {
      while (!pollingController.signal.aborted) {
        const rules = await readRules(pollingWindow.client);
        observations.push({ ruleCount: rules.length, seen: twoColumnTable.getVisibleRows(rules, parties) });
        await delay(systemClock, pollIntervalMs);
      }
    })();

    await sandbox.setFaults(busyServerFaults);
    const { planHash } = await firstWindow.writer.plan(operation);
    let waits = 0;
    const waitOptions = { verifyDelayMs: 20, onWait: () => (waits += 1) };
    /** Returns options that cancel the run once the given number of rules of the file are on the server. */
    const createCancelOptions = (limit: number) => {
      const cancel = new AbortController();
      const completedCountByWrite = new Map<number, number>();
      return {
        signal: cancel.signal,
        onProgress: ({ writeIndex, done }: { readonly writeIndex: number; readonly done: number }) => {
          completedCountByWrite.set(writeIndex, done);
          if ([...completedCountByWrite.values()].reduce((sum, done) => sum + done, 0) > limit) {
            cancel.abort();
          }
        },
      };
    };
    const approval = firstWindow.writer.approve(planHash);
    const cancelled = await getFailure(
      firstWindow.writer.run(operation, {
        approval,
        ...waitOptions,
        ...createCancelOptions(newRuleCount / 2),
      }),
    );
    expect(cancelled).toBeInstanceOf(StoppedError);
    /** Counts the rules that are as in the file; others may have been replaced by temporary deny rules. */
    const countMatching = async ({ client }: Pick<typeof firstWindow, 'client'>) =>
      compareRules(file, await readRules(client)).unchangedCount;
    const matchingAfterCancel = await countMatching(firstWindow);
    expect(matchingAfterCancel).toBeGreaterThan(newRuleCount * 0.4);
    expect(matchingAfterCancel).toBeLessThan(newRuleCount * 0.8);
    firstWindow.client.dispose();

    const secondWindow = openWindow();
    const resume = async (options: RunOptions) => {
      const [entry] = await secondWindow.history.readEntries(location.connectionId);
      expect(entry?.end).toBe('stopped');
      return entry === undefined
        ? undefined
        : secondWindow.writer.resume(entry, { ...waitOptions, ...options });
    };
    expect(await getFailure(resume(createCancelOptions(newRuleCount / 5)))).toBeInstanceOf(StoppedError);
    expect(await countMatching(secondWindow)).toBeGreaterThan(matchingAfterCancel);
    const report = await resume({});
    await sandbox.setFaults([]);
    pollingController.abort();
    await pollingLoop;
    pollingWindow.client.dispose();

    expect(report?.writeStates.every(({ state }) => state === 'done')).toBe(true);
    const rulesAfter = await readRules(secondWindow.client);
    const remaining = compareRules(file, rulesAfter);
    expect([remaining.adds, remaining.deletes, remaining.unchangedCount]).toEqual([[], [], newRuleCount]);
    expect(waits).toBeGreaterThan(2);
    secondWindow.client.dispose();

    const [seenOld, seenNew] = [
      twoColumnTable.getVisibleRows(oldRules, parties),
      twoColumnTable.getVisibleRows(rulesAfter, parties),
    ];
    const sizes = new Set(observations.map(({ ruleCount }) => ruleCount));
    expect(sizes.size).toBeGreaterThan(5);
    const allowedRows = seenNew.map((seen, index) => seen.union(seenOld[index] ?? new Set<string>()));
    const widenedAccess = observations.flatMap(({ seen }) =>
      seen.flatMap((visible, index) => {
        const unexpectedRows = visible.difference(allowedRows[index] ?? new Set<string>());
        return unexpectedRows.size === 0
          ? []
          : [{ party: parties[Math.floor(index / 2)], rows: [...unexpectedRows] }];
      }),
    );
    expect(widenedAccess.slice(0, 3)).toEqual([]);
  });
});
