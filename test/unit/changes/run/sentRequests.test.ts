import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import {
  countCompletedRequests,
  formatCompletedRequests,
  formatDeniedAccess,
} from '../../../../src/changes/messages/describeStop.ts';
import { areRulesKnown, leavesDenyRules } from '../../../../src/changes/journal/stoppedOperation.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import type { ProfileName } from '../../../../src/sandbox/profiles/profile.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { expectDefined, expectInstance } from '../../../support/expectations.ts';
import { createRuleWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { runApproved } from '../journal/runApproved.ts';
import { killWindow } from './simulateInterruption.ts';
import {
  advanceUntilSettled,
  ChangeFixture,
  connectionId,
  createOperation,
  createTableUpdate,
  getFailure,
} from './support.ts';

const path = { server: 'LocalHost', elasticube: 'Shop' } as const;
const shop = { kind: 'extract', ...path } as const;
const live = { kind: 'live', title: 'Support Desk' } as const;
const location = { connectionId, within: [] };

const createStatusRule = (group: { readonly _id: string }, members: readonly string[]): JsonObject => ({
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members,
  allMembers: null,
  exclusionary: false,
  shares: [{ type: 'group', party: group._id }],
});

const everyoneElse: JsonObject = {
  table: 'Orders',
  column: 'Status',
  datatype: 'text',
  members: [],
  allMembers: false,
  exclusionary: false,
  shares: [{ type: 'default' }],
};

/** Replaces the rules of Orders.Status: everyone else sees nothing, and each of three groups gets a list of values. */
async function createStatusChange(fixture: ChangeFixture) {
  await fixture.client.extractRules.create(path, [
    { ...everyoneElse, allMembers: true },
    createStatusRule(groups.sales, ['Open']),
    createStatusRule(groups.finance, ['Shipped']),
  ]);
  const current = getObjects(await fixture.read({ kind: 'rules', subject: shop }));
  const operation = createBulkRuleOperation(location, shop, {
    adds: [
      everyoneElse,
      createStatusRule(groups.sales, ['Shipped']),
      createStatusRule(groups.finance, ['Open']),
      createStatusRule(groups.support, ['Open']),
    ],
    deletes: current.map((rule, index) => ({ rule, index })),
  });
  return operation;
}

const createFixture = (profile: ProfileName): ChangeFixture =>
  new ChangeFixture({ profile, built: [{ title: 'Shop', type: 'extract' }] });

/** Runs the change. The first `deliveredCount` write requests arrive, the next one is lost, and then all requests fail. */
async function loseConnection(fixture: ChangeFixture, deliveredCount: number) {
  const operation = await createStatusChange(fixture);
  const { writer, history } = fixture.open();
  const { planHash } = await writer.plan(operation);
  const lineCountBefore = fixture.getWriteRequests().length;
  let count = 0;
  fixture.getWriteFault = () => {
    count += 1;
    if (count > deliveredCount) {
      fixture.failsAfterRequest = true;
      return 'request-lost';
    }
    return undefined;
  };
  const error = await getFailure(
    advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) })),
  );
  const [entry] = await history.readEntries(connectionId);
  return { error, entry: expectDefined(entry), sentLines: fixture.getWriteRequests().slice(lineCountBefore) };
}

const formatRequests = ({ requests = [] }: Pick<HistoryEntry, 'requests'>): readonly string[] =>
  requests.map(({ method, path, result }) => `${method} ${path} ${result?.state ?? 'no response'}`);

test('no message says that values are hidden if the rules that were read afterward contain no temporary deny rule', async () => {
  using fixture = createFixture('guide');
  await fixture.client.extractRules.create(path, [
    everyoneElse,
    createStatusRule(groups.sales, ['Open']),
    createStatusRule(groups.finance, ['Shipped']),
  ]);
  const current = getObjects(await fixture.read({ kind: 'rules', subject: shop }));
  const updates = current
    .slice(1)
    .map((before, index) => ({ before, after: { ...before, members: [index === 0 ? 'Shipped' : 'Open'] } }));
  const operation = createOperation(
    [
      createTableUpdate('Stores', { description: 'Mine' }),
      ...createRuleWrites(shop, { adds: [], deletes: [], updates }),
    ],
    'apply',
  );
  const { writer } = fixture.open();
  let count = 0;
  fixture.getWriteFault = () => {
    count += 1;
    return count === 1 ? undefined : 'wait';
  };
  const failure = await getFailure(runApproved(writer, operation, { onWait: () => undefined }));
  const { report } = expectInstance(failure, StoppedError);
  expect(
    report.requests?.some(({ addedDenials, result }) => addedDenials.length > 0 && result?.status === 429),
  ).toBe(true);
  expect(getObjects(await fixture.read({ kind: 'rules', subject: shop }))).toEqual(current);
  expect(leavesDenyRules(report)).toBe(false);
  expect(formatDeniedAccess(english, report)).toEqual([]);
});

describe.each(['guide', 'contract'] as const)('a stopped change of rules, profile %s', (profile) => {
  test('lists the requests that were sent, and counts those that were completed', async () => {
    for (const sentCount of [0, 1, 2, 3]) {
      using fixture = createFixture(profile);
      const { error, entry, sentLines } = await loseConnection(fixture, sentCount);
      expect(error).toBeInstanceOf(StoppedError);
      const requests = entry.requests ?? [];
      expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual(sentLines);
      expect(requests.filter(({ result }) => result?.state === 'done')).toHaveLength(sentCount);
      expect(requests.filter(({ result }) => result?.state === 'unknown').length).toBeGreaterThan(0);
      expect(countCompletedRequests(entry)).toBe(sentCount);
      expect(error instanceof StoppedError && error.report.requests).toEqual(requests);
    }
  });

  test.each([
    ['request-lost', true],
    // It isn't documented that such a server has done nothing.
    ['wait', true],
    ['refusal', false],
  ] as const)(
    'whether it may take effect later if its requests meet the fault "%s": %s',
    async (fault, expected) => {
      using fixture = createFixture(profile);
      const operation = await createStatusChange(fixture);
      const { writer } = fixture.open();
      const { planHash } = await writer.plan(operation);
      fixture.getWriteFault = () => fault;
      const run = writer.run(operation, { approval: writer.approve(planHash) });
      const error = expectInstance(await getFailure(advanceUntilSettled(fixture, run)), StoppedError);
      expect(error).toMatchObject({ changedNothing: true, mayTakeEffectLater: expected });
    },
  );

  test('says who sees no values, although the server could not be read anymore', async () => {
    using fixture = createFixture(profile);
    const { error, entry } = await loseConnection(fixture, 2);
    const { report } = error as StoppedError;
    expect(formatCompletedRequests(english, report)).toBe('2 requests were completed.');
    const [sentence = '', ...others] = formatDeniedAccess(english, report);
    // Two of their rules are changed by the request that was lost.
    expect(others).toEqual([
      `For now, all values of Orders.Status might be hidden from group ${groups.sales.name}, group ${groups.finance.name}.`,
    ]);
    expect(sentence).toMatch(/^For now, no values of Orders\.Status are visible to everyone else, group /);
    expect(formatDeniedAccess(english, entry)).toEqual([sentence, ...others]);
    expect(leavesDenyRules(entry)).toBe(true);
    expect(areRulesKnown(entry)).toBe(false);
    // A party that the server's rules don't name is named by its ID, or by the caller.
    expect(sentence).toContain(`group ${groups.support._id}.`);
    expect(formatDeniedAccess(english, report, { getPartyName: () => 'Named' })).toEqual([
      sentence.replace(groups.support._id, 'Named'),
      ...others,
    ]);
  });

  test('reports this from its journal after its window was killed', async () => {
    using fixture = createFixture(profile);
    const operation = await createStatusChange(fixture);
    const { writer } = fixture.open();
    const { planHash } = await writer.plan(operation);
    const report = await advanceUntilSettled(
      fixture,
      writer.run(operation, { approval: writer.approve(planHash) }),
    );
    expect(report.requests?.every(({ result }) => result?.state === 'done')).toBe(true);
    // The rule for everyone else shows nothing, but that is what was wanted.
    expect(formatDeniedAccess(english, report)).toEqual([]);
    let responseCount = 0;
    const { entry } = await killWindow(fixture, ({ line }) => {
      responseCount += line === 'response' ? 1 : 0;
      return (responseCount < 2 && line !== 'result' && line !== 'end') || line === 'sending';
    });
    expect(formatRequests(entry)[0]).toMatch(/ done$/);
    expect(formatRequests(entry)[1]).toMatch(/ no response$/);
    expect(formatCompletedRequests(english, entry)).toBe('1 request was completed.');
    // The groups might be denied as well, although their rules show values.
    expect(formatDeniedAccess(english, entry)).toEqual([
      'For now, no values of Orders.Status are visible to everyone else.',
      expect.stringMatching(/^For now, all values of Orders\.Status might be hidden from group /),
    ]);
    // Nobody has read the rules since.
    expect(areRulesKnown(entry)).toBe(false);
    expect(formatDeniedAccess(english, entry, { isCertain: false }).join()).toMatch(
      /^For now, all values of Orders\.Status might be hidden from everyone else, group /,
    );
  });

  test('adds its later requests when it is resumed', async () => {
    using fixture = createFixture(profile);
    const { entry } = await loseConnection(fixture, 1);
    fixture.failsAllRequests = false;
    fixture.failsAfterRequest = false;
    fixture.getWriteFault = () => undefined;
    const { writer, history } = fixture.open();
    const { requests = [] } = await advanceUntilSettled(fixture, writer.resume(entry));
    const finished = expectDefined(await history.readEntry(connectionId, entry.id));
    expect(finished.end).toBe('done');
    expect(finished.requests).toEqual(requests);
    expect(requests.slice(0, entry.requests?.length)).toEqual(entry.requests);
    expect(requests.length).toBeGreaterThan(entry.requests?.length ?? 0);
  });
});

test('the requests of a change of live rules are listed as they were sent', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const rules = getObjects(await fixture.read({ kind: 'rules', subject: live }));
  const rule = expectDefined(rules.find(({ members }) => Array.isArray(members) && members.length > 0));
  const { _id, ...content } = rule;
  const operation = createBulkRuleOperation(location, live, {
    adds: [{ ...content, members: ['Else'] }],
    deletes: [{ rule, index: 0 }],
  });
  const { planHash } = await writer.plan(operation);
  const lineCountBefore = fixture.getWriteRequests().length;
  await advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) }));
  const [entry] = await history.readEntries(connectionId);
  expect(entry?.requests?.map(({ method, path }) => `${method} ${path}`)).toEqual(
    fixture.getWriteRequests().slice(lineCountBefore),
  );
});

test('a request that never left is not counted as sent', async () => {
  using fixture = createFixture('guide');
  const operation = await createStatusChange(fixture);
  const { writer, history } = fixture.open();
  const { planHash } = await writer.plan(operation);
  fixture.guard = { ...fixture.guard, getRefusal: ({ method }) => (method === 'PUT' ? 'locked' : undefined) };
  await getFailure(
    advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) })),
  );
  const [entry] = await history.readEntries(connectionId);
  expect(
    entry?.requests?.filter(({ method }) => method === 'PUT').map(({ result }) => result?.state),
  ).toEqual(['not-sent']);
});
