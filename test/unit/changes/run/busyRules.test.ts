import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { leavesDenyRules } from '../../../../src/changes/journal/stoppedOperation.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import {
  createBulkRuleOperation,
  createColumnRulesDeletionOperation,
  createRuleDeletionOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import {
  createLiveRuleReplacementWrites,
  createRuleCreationWrite,
  createRuleUpdateWrite,
} from '../../../../src/changes/rules/ruleWrites.ts';
import type { RunOptions } from '../../../../src/changes/run/runOptions.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { runApproved } from '../journal/runApproved.ts';
import { killWindow } from './simulateInterruption.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  type WriteFault,
} from './support.ts';

const shop = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
const desk = { kind: 'live', title: 'Desk' } as const;
const location = { connectionId, within: [] };

const createFixture = (profile: ProfileName): ChangeFixture =>
  new ChangeFixture({
    profile,
    built: [
      { title: shop.elasticube, type: 'extract' },
      { title: desk.title, type: 'live' },
    ],
  });

const createRule = (
  { kind }: RuleSubject,
  group: { readonly _id: string } | 'everyone else',
  members: readonly string[],
): JsonObject => ({
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members,
  allMembers: members.length === 0 ? false : null,
  exclusionary: false,
  shares:
    group === 'everyone else'
      ? [{ type: 'default' }]
      : [{ type: 'group', [kind === 'live' ? 'partyId' : 'party']: group._id }],
});

const readRules = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject }));
/** The contents of the rules, without the fields that the server assigns. */
const readContents = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly string[]> =>
  (await readRules(fixture, subject)).map((rule) => formatRuleTable([rule])).toSorted();

/** Creates a change of rules from the current ones: of everyone else, sales, and finance. */
type CreateChange = (subject: RuleSubject, current: readonly JsonObject[]) => Operation;

const getRule = (rules: readonly JsonObject[], index: number): JsonObject =>
  expectDefined(rules[index], `rule ${index}`);

const replaceAll: CreateChange = (subject, current) =>
  createBulkRuleOperation(location, subject, {
    adds: [
      createRule(subject, 'everyone else', []),
      createRule(subject, groups.sales, ['Shipped']),
      createRule(subject, groups.finance, ['Open']),
      createRule(subject, groups.support, ['Open']),
    ],
    deletes: current.map((rule, index) => ({ rule, index })),
  });

/** Two groups get each other's values. */
const swap: CreateChange = (subject, current) =>
  createBulkRuleOperation(location, subject, {
    adds: [],
    deletes: [],
    updates: [
      [1, ['Shipped']],
      [2, ['Open']],
    ].map(([index, members]) => {
      const before = getRule(current, Number(index));
      return { before, after: { ...before, members: members as readonly string[] } };
    }),
  });

const replaceOne: CreateChange = (subject, current) => {
  const rule = getRule(current, 1);
  const newRule = { ...rule, members: ['Shipped'] };
  return createOperation(
    subject.kind === 'live'
      ? createLiveRuleReplacementWrites(subject, rule, newRule)
      : [createRuleUpdateWrite(subject, newRule)],
  );
};

const addOne: CreateChange = (subject) =>
  createOperation([createRuleCreationWrite(subject, [createRule(subject, groups.support, ['Open'])])]);

const deleteOne: CreateChange = (subject, current) =>
  createRuleDeletionOperation(location, subject, getText(getRule(current, 1)['_id']), 'It');

const deleteColumn: CreateChange = (subject) =>
  createColumnRulesDeletionOperation(location, subject, 'Orders', 'Status');

const cases = (['guide', 'contract'] as const).flatMap((profile) =>
  ([shop, desk] as const).flatMap((subject) =>
    Object.entries({ replaceAll, swap, replaceOne, addOne, deleteOne, deleteColumn }).map(
      ([name, createChange]) => ({ name, profile, subject, kind: subject.kind, createChange }),
    ),
  ),
);

/** Runs a change. `getWriteFault` gets the numbers of its write requests, from 0. */
async function runChange(
  { profile, subject, createChange }: (typeof cases)[number],
  getWriteFault: (index: number) => WriteFault | undefined,
  {
    onFixture,
    advancesTime = true,
    ...options
  }: RunOptions & {
    readonly onFixture?: (fixture: ChangeFixture) => void;
    readonly advancesTime?: boolean;
  } = {},
) {
  const fixture = createFixture(profile);
  const oldRules = [
    createRule(subject, 'everyone else', []),
    createRule(subject, groups.sales, ['Open']),
    createRule(subject, groups.finance, ['Shipped']),
  ];
  await (subject.kind === 'live'
    ? fixture.client.liveRules.create(subject, oldRules)
    : fixture.client.extractRules.create(subject, oldRules));
  const before = await readContents(fixture, subject);
  const operation = createChange(subject, await readRules(fixture, subject));
  const lineCountBefore = fixture.getWriteRequests().length;
  const { writer, history } = fixture.open();
  const waits: number[] = [];
  let count = 0;
  fixture.getWriteFault = () => getWriteFault(count++);
  onFixture?.(fixture);
  const run = runApproved(writer, operation, { onWait: (ms) => waits.push(ms), ...options });
  const ended = advancesTime ? advanceUntilSettled(fixture, run) : run;
  const outcome = await ended.catch((error: unknown) => error);
  fixture.getWriteFault = () => undefined;
  const endedAt = fixture.sandbox.clock.now();
  fixture.sandbox.faults.set([]);
  const lines = fixture.getWriteRequests().slice(lineCountBefore);
  const rules = await readContents(fixture, subject);
  return { fixture, writer, history, outcome, before, rules, lines, waits, endedAt };
}

describe.each(cases)('on a busy server, $name of the rules of $kind, profile $profile', (change) => {
  test('waits, checks, and sends each of its requests again', async () => {
    const expected = await runChange(change, () => undefined);
    expected.fixture[Symbol.dispose]();
    expect(expected.lines.length).toBeGreaterThan(0);
    for (const busyIndex of expected.lines.keys()) {
      const actual = await runChange(change, (index) => (index === busyIndex ? 'busy' : undefined));
      actual.fixture[Symbol.dispose]();
      expect(actual).toMatchObject({ waits: [1000], rules: expected.rules });
      // The further order is computed from the rules that were changed so far, and may need fewer requests.
      expect(actual.lines.length).toBeLessThanOrEqual(expected.lines.length + 1);
      expect(actual.lines.filter((line) => line === actual.lines[busyIndex]).length).toBeGreaterThan(1);
    }
  });

  test('waits up to the documented time, whichever of its requests the server is busy for', async () => {
    const expected = await runChange(change, () => undefined);
    expected.fixture[Symbol.dispose]();
    const actual = await runChange(change, (index) => (index % 41 === 40 ? undefined : 'busy'));
    actual.fixture[Symbol.dispose]();
    expect(actual.rules).toEqual(expected.rules);
    expect(actual.waits.length).toBeGreaterThanOrEqual(40);
    expect(new Set(actual.waits)).toEqual(new Set([1000]));
  });

  test('does not send a request again that took effect nevertheless', async () => {
    const expected = await runChange(change, () => undefined);
    expected.fixture[Symbol.dispose]();
    for (const busyIndex of expected.lines.keys()) {
      const actual = await runChange(change, (index) => (index === busyIndex ? 'busy-done' : undefined));
      actual.fixture[Symbol.dispose]();
      expect(actual).toMatchObject({ waits: [1000], rules: expected.rules });
      expect(actual.lines).toHaveLength(expected.lines.length);
    }
  });
});

const findCase = (name: string, kind: RuleSubject['kind']) =>
  expectDefined(
    cases.find((item) => item.name === name && item.kind === kind && item.profile === 'guide'),
    name,
  );
/** A change that needs temporary deny rules. */
const swapInPlace = findCase('swap', 'extract');

/** Whether a killed process has recorded a line of its journal: it has recorded no result. */
const isBeforeResults = ({ line }: JsonObject): boolean => line !== 'result' && line !== 'end';

/** Stops a change that needs temporary deny rules after two requests, and its undo after one. */
async function stopUndo() {
  const stopped = await runChange(swapInPlace, (index) => (index < 2 ? undefined : 'wait'));
  const { fixture, history, writer } = stopped;
  const [entry] = await history.readUnfinishedEntries(connectionId);
  let count = 0;
  fixture.getWriteFault = () => (count++ < 1 ? undefined : 'wait');
  const undo = advanceUntilSettled(fixture, writer.rollBack(expectDefined(entry)));
  await expect(undo).rejects.toBeInstanceOf(StoppedError);
  fixture.getWriteFault = () => undefined;
  const entries = await history.readEntries(connectionId);
  expect(entries).toMatchObject([{ undoneEntryId: entry?.id, end: 'stopped' }, { id: entry?.id }]);
  return { fixture, history, writer, entry: expectDefined(entry) };
}

describe('a change of rules on a busy server', () => {
  test('waits for ten minutes in all, stops with temporary deny rules, and can be finished later', async () => {
    const expected = await runChange(swapInPlace, () => undefined);
    expected.fixture[Symbol.dispose]();
    const { fixture, history, writer, outcome, waits, rules, before } = await runChange(
      swapInPlace,
      (index) => (index < 1 ? undefined : 'busy'),
    );
    using _fixture = fixture;
    expect(expectInstance(outcome, StoppedError).cause).toMatchObject({ status: 429 });
    expect(waits).toHaveLength(600);
    expect(rules).not.toEqual(before);
    const [entry] = await history.readUnfinishedEntries(connectionId);
    expect(leavesDenyRules(expectDefined(entry))).toBe(true);
    await advanceUntilSettled(fixture, writer.resume(expectDefined(entry)));
    expect(await readContents(fixture, shop)).toEqual(expected.rules);
  });

  test('waits during its rollback, too', async () => {
    const { fixture, history, writer, before } = await runChange(swapInPlace, (index) =>
      index < 1 ? undefined : 'wait',
    );
    using _fixture = fixture;
    const [entry] = await history.readUnfinishedEntries(connectionId);
    let count = 0;
    fixture.getWriteFault = () => (count++ % 2 === 0 ? 'busy' : undefined);
    const waits: number[] = [];
    const onWait = (ms: number) => waits.push(ms);
    await advanceUntilSettled(fixture, writer.rollBack(expectDefined(entry), { onWait }));
    expect(count).toBeGreaterThan(1);
    expect(waits).toEqual(Array.from({ length: Math.ceil(count / 2) }, () => 1000));
    expect(await readContents(fixture, shop)).toEqual(before);
  });

  test('waits visibly while it is resumed, for which its stopped undo is rolled back first', async () => {
    const expected = await runChange(swapInPlace, () => undefined);
    expected.fixture[Symbol.dispose]();
    const { fixture, entry, writer } = await stopUndo();
    using _fixture = fixture;
    const waits: number[] = [];
    let count = 0;
    fixture.getWriteFault = () => (count++ === 0 ? 'busy' : undefined);
    await advanceUntilSettled(fixture, writer.resume(entry, { onWait: (ms) => waits.push(ms) }));
    expect(waits).toEqual([1000]);
    expect(await readContents(fixture, shop)).toEqual(expected.rules);
  });

  test('is not resumed after the rollback of its stopped undo was canceled', async () => {
    const { fixture, entry, writer } = await stopUndo();
    using _fixture = fixture;
    const controller = new AbortController();
    let count = 0;
    fixture.getWriteFault = () => {
      count += 1;
      return 'busy';
    };
    const { signal } = controller;
    const run = writer.resume(entry, { signal, onWait: () => controller.abort() });
    const failure = await advanceUntilSettled(fixture, run).catch((error: unknown) => error);
    expect(expectInstance(failure, StoppedError).cause).toBe(signal.reason);
    expect(count).toBe(1);
  });

  test('waits while it is abandoned, but only if the user can see that', async () => {
    const { fixture } = await runChange(swapInPlace, (index) => (index < 1 ? undefined : 'wait'));
    using _fixture = fixture;
    const { writer, entry } = await killWindow(fixture, isBeforeResults);
    const { clock, faults } = fixture.sandbox;
    faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'], count: 3 }]);
    const before = clock.now();
    const unseen = advanceUntilSettled(fixture, writer.abandon(entry));
    await expect(unseen).rejects.toMatchObject({ status: 429 });
    expect(clock.now() - before).toBeLessThan(500);
    const waits: number[] = [];
    const onWait = (ms: number) => waits.push(ms);
    const abandoned = await advanceUntilSettled(fixture, writer.abandon(entry, { onWait }));
    expect(abandoned).toMatchObject({ isAbandoned: true });
    expect(waits).toEqual([40_000, 40_000]);
  });

  test('stays unfinished if abandoning it was canceled', async () => {
    const { fixture } = await runChange(swapInPlace, (index) => (index < 1 ? undefined : 'wait'));
    using _fixture = fixture;
    const { writer, history, entry } = await killWindow(fixture, isBeforeResults);
    fixture.sandbox.faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'] }]);
    const controller = new AbortController();
    const waits: number[] = [];
    const reason = new Error('Canceled');
    const onWait = (ms: number) => {
      waits.push(ms);
      controller.abort(reason);
    };
    const run = writer.abandon(entry, { signal: controller.signal, onWait });
    await expect(advanceUntilSettled(fixture, run)).rejects.toBe(reason);
    expect(waits).toEqual([40_000]);
    expect(await history.readUnfinishedEntries(connectionId)).toHaveLength(1);
  });

  test('waits for ten minutes in all while the rules cannot be read, with the waits of the client', async () => {
    let current: ChangeFixture | undefined;
    let start = 0;
    const { fixture, outcome, waits, endedAt } = await runChange(
      swapInPlace,
      (index) => {
        if (index === 0 && current !== undefined) {
          const { clock, faults } = current.sandbox;
          start = clock.now();
          faults.set([{ kind: 'tooManyRequests', retryAfter: 20, methods: ['GET'] }]);
        }
        return undefined;
      },
      {
        onFixture: (newFixture) => {
          current = newFixture;
        },
      },
    );
    using _fixture = fixture;
    expect(expectInstance(outcome, StoppedError).cause).toMatchObject({ status: 429 });
    // Ten minutes, and two waits of the client in the last attempt, in reading the outcome, and the documents.
    expect(endedAt - start).toBeGreaterThan(500_000);
    expect(endedAt - start).toBeLessThan(721_000);
    // Each of our waits is followed by two of the client.
    expect(waits.length).toBeLessThanOrEqual(10);
  });

  test('waits while it checks what a batch has done whose response was lost', async () => {
    const replaceCase = findCase('replaceAll', 'extract');
    const expected = await runChange(replaceCase, () => undefined);
    expected.fixture[Symbol.dispose]();
    for (const lostIndex of expected.lines.keys()) {
      let current: ChangeFixture | undefined;
      const actual = await runChange(
        replaceCase,
        (index) => {
          if (index !== lostIndex) {
            return undefined;
          }
          const { faults } = expectDefined(current).sandbox;
          faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'], count: 1 }]);
          return 'response-lost';
        },
        {
          onFixture: (fixture) => {
            current = fixture;
          },
        },
      );
      using _fixture = actual.fixture;
      expect(actual.rules).toEqual(expected.rules);
      // Other waits are pauses before a request that had no effect is sent again.
      expect(actual.waits.filter((ms) => ms > 1000)).toEqual([40_000]);
    }
  });

  test('waits while the rules cannot be read', async () => {
    const expected = await runChange(swapInPlace, () => undefined);
    expected.fixture[Symbol.dispose]();
    let current: ChangeFixture | undefined;
    const onFixture = (fixture: ChangeFixture) => {
      current = fixture;
    };
    const getWriteFault = (index: number): undefined => {
      if (index === 0) {
        current?.sandbox.faults.set([{ kind: 'tooManyRequests', retryAfter: 7, methods: ['GET'], count: 7 }]);
      }
    };
    const actual = await runChange(swapInPlace, getWriteFault, { onFixture });
    using _fixture = actual.fixture;
    // The client itself tries each read three times.
    expect(actual).toMatchObject({ rules: expected.rules, waits: [7000, 7000] });
    expect(actual.lines).toEqual(expected.lines.map(() => expect.any(String)));
  });

  test('ends at once when it is canceled', async () => {
    const controller = new AbortController();
    const waits: number[] = [];
    const { fixture, history, outcome, lines } = await runChange(
      swapInPlace,
      (index) => (index < 1 ? undefined : 'busy'),
      {
        signal: controller.signal,
        onWait: (ms) => {
          waits.push(ms);
          controller.abort();
        },
      },
    );
    using _fixture = fixture;
    expect(expectInstance(outcome, StoppedError).cause).toBe(controller.signal.reason);
    expect(waits).toEqual([1000]);
    expect(lines.length).toBeLessThanOrEqual(2);
    expect(await history.readUnfinishedEntries(connectionId)).toMatchObject([{ isCanceled: true }]);
  });

  test('does not overwrite what another user has changed during the wait', async () => {
    let current: ChangeFixture | undefined;
    const { fixture, outcome, rules } = await runChange(
      findCase('replaceOne', 'extract'),
      (index) => (index === 0 ? 'busy' : undefined),
      {
        onFixture: (newFixture) => {
          current = newFixture;
        },
        advancesTime: false,
        onWait: (ms) => {
          const { client, sandbox } = expectDefined(current);
          const changeRule = async (): Promise<void> => {
            const rule = getRule((await client.extractRules.list(shop)).value as readonly JsonObject[], 1);
            const newRule = { ...rule, ...shop, members: ['Returned'] };
            await client.extractRules.update({ ruleId: getText(rule['_id']) }, newRule);
            await sandbox.clock.advance(ms);
          };
          void changeRule();
        },
      },
    );
    using _fixture = fixture;
    expect(expectInstance(outcome, StoppedError).cause).toMatchObject({ name: 'ConflictError' });
    expect(rules.join()).toContain('Returned');
  });

  test.each([
    ['addOne', 'extract', false],
    ['replaceOne', 'live', true],
    ['swap', 'extract', true],
  ] as const)(
    'waits only if the user can cancel, and the change has several writes: %s of %s rules, %s',
    async (name, kind, waits) => {
      for (const signal of [undefined, new AbortController().signal]) {
        const { fixture, outcome, lines } = await runChange(
          findCase(name, kind),
          (index) => (index === 0 ? 'busy' : undefined),
          { onWait: undefined, signal },
        );
        using _fixture = fixture;
        expect(outcome instanceof StoppedError).toBe(!waits || signal === undefined);
        const repeatsRequest = new Set(lines).size < lines.length;
        expect(repeatsRequest).toBe(waits && signal !== undefined);
      }
    },
  );

  test('does not wait for a read of the rules either if it is a single request', async () => {
    let current: ChangeFixture | undefined;
    let start = 0;
    const { fixture, outcome, endedAt } = await runChange(
      findCase('addOne', 'extract'),
      () => {
        const { clock, faults } = expectDefined(current).sandbox;
        start = clock.now();
        faults.set([{ kind: 'tooManyRequests', retryAfter: 40, methods: ['GET'], count: 9 }]);
        return 'busy';
      },
      {
        onWait: undefined,
        signal: new AbortController().signal,
        onFixture: (newFixture) => {
          current = newFixture;
        },
      },
    );
    using _fixture = fixture;
    expect(expectInstance(outcome, StoppedError).cause).toMatchObject({ status: 429 });
    expect(endedAt - start).toBeLessThan(500);
  });
});
