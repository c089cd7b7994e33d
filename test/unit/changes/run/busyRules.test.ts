import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { leavesDenyRules } from '../../../../src/changes/journal/stoppedOperation.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { getObjects, getText } from '../../../../src/changes/model/readJson.ts';
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
import { writeRuleTable } from '../../../../src/security/ruleTable/writeRuleTable.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { apply } from '../journal/apply.ts';
import { advanceUntilSettled, ChangeFixture, connectionId, createOperation, type Loss } from './support.ts';

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
  (await readRules(fixture, subject)).map((rule) => writeRuleTable([rule])).toSorted();

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

/** Runs a change. `getLoss` gets the numbers of its write requests, from 0. */
async function runChange(
  { profile, subject, createChange }: (typeof cases)[number],
  getLoss: (index: number) => Loss | undefined,
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
  fixture.getLoss = () => getLoss(count++);
  onFixture?.(fixture);
  const run = apply(writer, operation, { onWait: (ms) => waits.push(ms), ...options });
  const ended = advancesTime ? advanceUntilSettled(fixture, run) : run;
  const outcome = await ended.catch((error: unknown) => error);
  fixture.getLoss = () => undefined;
  const lines = fixture.getWriteRequests().slice(lineCountBefore);
  const rules = await readContents(fixture, subject);
  return { fixture, writer, history, outcome, before, rules, lines, waits };
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

  test('waits for as long as is documented, whichever of its requests it is', async () => {
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
    const [entry] = await history.readUnfinished(connectionId);
    expect(leavesDenyRules(expectDefined(entry))).toBe(true);
    await advanceUntilSettled(fixture, writer.resume(expectDefined(entry)));
    expect(await readContents(fixture, shop)).toEqual(expected.rules);
  });

  test('is rolled back, and waits for that, too', async () => {
    const { fixture, history, writer, before } = await runChange(swapInPlace, (index) =>
      index < 1 ? undefined : 'wait',
    );
    using _fixture = fixture;
    const [entry] = await history.readUnfinished(connectionId);
    let count = 0;
    fixture.getLoss = () => (count++ % 2 === 0 ? 'busy' : undefined);
    await advanceUntilSettled(fixture, writer.rollBack(expectDefined(entry)));
    expect(count).toBeGreaterThan(1);
    expect(await readContents(fixture, shop)).toEqual(before);
  });

  test('waits while the rules cannot be read', async () => {
    const expected = await runChange(swapInPlace, () => undefined);
    expected.fixture[Symbol.dispose]();
    let current: ChangeFixture | undefined;
    const onFixture = (fixture: ChangeFixture) => {
      current = fixture;
    };
    const getLoss = (index: number): undefined => {
      if (index === 0) {
        current?.sandbox.faults.set([{ kind: 'tooManyRequests', retryAfter: 7, methods: ['GET'], count: 7 }]);
      }
    };
    const actual = await runChange(swapInPlace, getLoss, { onFixture });
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
    expect(await history.readUnfinished(connectionId)).toMatchObject([{ isCanceled: true }]);
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
  ] as const)('waits unseen only if it has several writes: %s of %s rules, %s', async (name, kind, waits) => {
    const { fixture, outcome, lines } = await runChange(
      findCase(name, kind),
      (index) => (index === 0 ? 'busy' : undefined),
      { onWait: undefined },
    );
    using _fixture = fixture;
    expect(outcome instanceof StoppedError).toBe(!waits);
    expect(lines.length > 1).toBe(waits);
  });
});
