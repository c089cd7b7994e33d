import { describe, expect, test } from 'vitest';
import {
  createRuleCopyOperation,
  createBulkRuleOperation,
  createRuleCreationOperation,
  createRuleDeletionOperation,
} from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { groups, people } from '../../../../src/sandbox/seeds/people.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { PlatformRules } from '../../../../src/changes/run/platformRules.ts';
import { createRuleUpdateWrite } from '../../../../src/changes/rules/ruleWrites.ts';
import { expectNoNewAccess } from '../../../support/noNewAccess.ts';
import { runApproved } from '../journal/runApproved.ts';
import { ChangeFixture, connectionId, getFailure, createOperation } from './support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const desk = { kind: 'live', title: 'Desk' } as const;
const location = { connectionId, within: [] };

const getRules = async (fixture: ChangeFixture, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject }));
const formatRules = (rules: readonly unknown[]): readonly string[] =>
  rules.map((rule) => formatRuleTable([rule]).replaceAll(/,[^,\n]*$/gm, '')).sort();
const countItems = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const ignoringObserver = { onSent: () => undefined, onAnswered: () => undefined };

describe('a rule that the server does not find', () => {
  test('is not a failure if it is gone', async () => {
    using fixture = new ChangeFixture();
    const { client } = fixture;
    const rules = new PlatformRules(retail, {
      client,
      clock: fixture.sandbox.clock,
      isBulk: false,
      maxBytes: 1000,
    });
    const before = await rules.list();
    await rules.delete(['0123456789abcdef01234567'], ignoringObserver);
    expect(await rules.list()).toEqual(before);
  });

  test('stops the change if it still exists: the server does not delete single rules', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const before = await getRules(fixture, retail);
    fixture.sandbox.faults.set([{ kind: 'status', status: 404, methods: ['DELETE'] }]);
    const deletion = createRuleDeletionOperation(location, retail, getText(before[0]?.['_id']), 'It');
    expect(await getFailure(runApproved(writer, deletion))).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'HttpError', status: 404 },
    });
    expect(await getRules(fixture, retail)).toEqual(before);
    // One request for the rule, and none for its column.
    expect(fixture.getWriteRequests()).toHaveLength(1);
  });
});

const createLiveRule = (column: string, users: readonly string[], members: readonly string[]) => ({
  table: 'T',
  column,
  datatype: 'text',
  members,
  allMembers: members.length === 0 ? false : null,
  shares: users.length === 0 ? [{ type: 'default' }] : users.map((partyId) => ({ type: 'user', partyId })),
});

describe('a server that allows each party in only one rule per column', () => {
  /** A live datamodel of such a server with a rule for two users on each of two columns. */
  async function createStrictServer(hasDefault: boolean) {
    const fixture = new ChangeFixture({ profile: 'contract', built: [{ title: desk.title, type: 'live' }] });
    const [anna, ben] = [people.amara._id, people.bruno._id];
    const { writer, history } = fixture.open();
    const rules = ['C', 'D'].flatMap((column) => [
      ...(hasDefault ? [createLiveRule(column, [], [])] : []),
      createLiveRule(column, [anna, ben], ['a', 'b']),
    ]);
    await fixture.client.liveRules.create(desk, rules);
    /** Gives each of the two a separate rule. */
    const splitRule = async (column: string) => {
      const oldRule = (await getRules(fixture, desk)).find(
        (rule) => rule['column'] === column && getObjects(rule['shares']).length > 1,
      );
      const adds = [createLiveRule(column, [anna], ['a']), createLiveRule(column, [ben], ['b'])];
      const requestCountBefore = fixture.getWriteRequests().length;
      await runApproved(
        writer,
        createBulkRuleOperation(location, desk, { adds, deletes: [{ index: 0, rule: oldRule ?? {} }] }),
      );
      return fixture.getWriteRequests().slice(requestCountBefore);
    };
    return { fixture, writer, history, splitRule, anna, ben, rules };
  }

  test('is detected by its first rejection, so that the next change needs fewer requests', async () => {
    const { fixture, splitRule, anna, ben } = await createStrictServer(true);
    using _fixture = fixture;
    const [first, second] = [await splitRule('C'), await splitRule('D')];
    expect(second.length).toBeLessThan(first.length);
    const expectedRules = ['C', 'D'].flatMap((column) => [
      createLiveRule(column, [], []),
      createLiveRule(column, [anna], ['a']),
      createLiveRule(column, [ben], ['b']),
    ]);
    expect(formatRules(await getRules(fixture, desk))).toEqual(formatRules(expectedRules));
  });

  test('gets back an unrelated rule that a stopped change had replaced by a deny rule, once the change is rolled back', async () => {
    const { fixture, writer, history, splitRule, rules } = await createStrictServer(true);
    using _fixture = fixture;
    const unrelatedRule = {
      ...createLiveRule('C', [], ['c']),
      shares: [{ type: 'group', partyId: groups.sales._id }],
    };
    await fixture.client.liveRules.create(desk, [unrelatedRule]);
    // Once the server is known to be strict, other parties are denied before a rule is replaced.
    await splitRule('D');
    const before = await getRules(fixture, desk);
    fixture.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['DELETE'] }]);
    expect(await getFailure(splitRule('C'))).toMatchObject({ name: 'StoppedError', cause: { status: 403 } });
    fixture.sandbox.faults.set([]);
    expect(formatRules(await getRules(fixture, desk))).not.toEqual(formatRules(before));
    const [entry] = await history.readUnfinishedEntries(connectionId);
    await (entry && writer.rollBack(entry));
    expect(formatRules(await getRules(fixture, desk))).toEqual(formatRules(before));
    expect(rules.length).toBeLessThan(before.length);
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
  });

  test('gets back the narrowed version of a rule that was temporarily replaced by a deny rule', async () => {
    const { fixture, writer, splitRule, anna, ben } = await createStrictServer(true);
    using _fixture = fixture;
    const createSalesRule = (members: readonly string[]) => ({
      ...createLiveRule('C', [], members),
      shares: [{ type: 'group', partyId: groups.sales._id }],
    });
    await fixture.client.liveRules.create(desk, [createSalesRule(['a', 'b'])]);
    await splitRule('D');
    const oldRules = (await getRules(fixture, desk)).filter(
      ({ column, members }) => column === 'C' && countItems(members) > 0,
    );
    const adds = [
      createSalesRule(['a']),
      createLiveRule('C', [anna], ['a']),
      createLiveRule('C', [ben], ['b']),
    ];
    const deletes = oldRules.map((rule, index) => ({ rule, index }));
    await runApproved(writer, createBulkRuleOperation(location, desk, { adds, deletes }));
    const currentRules = (await getRules(fixture, desk)).filter(({ column }) => column === 'C');
    expect(formatRules(currentRules)).toEqual(formatRules([createLiveRule('C', [], []), ...adds]));
  });

  test('stops a change that needs a default rule without widening access, and after the rollback, the change is rejected before anything is sent', async () => {
    const { fixture, writer, history, splitRule, rules } = await createStrictServer(false);
    using _fixture = fixture;
    expect(await getFailure(splitRule('C'))).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'RuleChangeRefusedError', code: 'needs-default', hasWritten: true },
      changedNothing: false,
    });
    const stopped = await getRules(fixture, desk);
    expectNoNewAccess(stopped, rules, rules);
    const [entry] = await history.readUnfinishedEntries(connectionId);
    await (entry && writer.rollBack(entry));
    expect(formatRules(await getRules(fixture, desk))).toEqual(formatRules(rules));
    expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
    // By now the server is known to be strict.
    const requestCountBefore = fixture.getWriteRequests().length;
    expect(await getFailure(splitRule('C'))).toMatchObject({
      name: 'RuleChangeRefusedError',
      code: 'needs-default',
      hasWritten: false,
    });
    expect(fixture.getWriteRequests()).toHaveLength(requestCountBefore);
  });
});

describe('a change without a safe order', () => {
  const createCityRule = (elasticube: string, member: string) => ({
    server: 'LocalHost',
    elasticube,
    table: 'Stores',
    column: 'City',
    datatype: 'text',
    members: [member],
    allMembers: null,
    shares: [{ type: 'user', party: 'anna' }],
  });

  test('is rejected before anything is sent or recorded', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const twoRules = ['One', 'Two'].map((member) => createCityRule('Retail', member));
    const refused = await getFailure(
      runApproved(writer, createBulkRuleOperation(location, retail, { adds: twoRules, deletes: [] })),
    );
    expect(refused).toMatchObject({
      name: 'RuleChangeRefusedError',
      code: 'same-parties',
      hasWritten: false,
    });
    expect(fixture.getWriteRequests()).toEqual([]);
    expect(await history.readEntries(connectionId)).toEqual([]);
  });

  test('is rejected if it creates a second rule for the parties of an existing one', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const rule = {
      table: 'Stores',
      column: 'City',
      datatype: 'text',
      grant: { kind: 'only', members: ['One'] },
      parties: [{ type: 'user', id: 'anna' }],
    } as const;
    await runApproved(writer, createRuleCreationOperation(location, retail, rule));
    const requestCountBefore = fixture.getWriteRequests().length;
    const secondCreation = createRuleCreationOperation(location, retail, {
      ...rule,
      grant: { kind: 'only', members: ['Two'] },
    });
    expect(await getFailure(runApproved(writer, secondCreation))).toMatchObject({ code: 'same-parties' });
    expect(fixture.getWriteRequests()).toHaveLength(requestCountBefore);
  });

  test('is rejected for several cubes if one of them has a rule for the same parties', async () => {
    using fixture = new ChangeFixture();
    const { writer, history } = fixture.open();
    const second = { ...retail, elasticube: 'Second' };
    await fixture.client.extractRules.create(second, [createCityRule('Second', 'One')]);
    const sentCount = fixture.getWriteRequests().length;
    const copyToSeveralCubes = createRuleCopyOperation(
      location,
      [retail, second],
      [createCityRule('Retail', 'Two')],
      'Stores.City',
    );
    expect(await getFailure(runApproved(writer, copyToSeveralCubes))).toMatchObject({ code: 'same-parties' });
    expect(fixture.getWriteRequests()).toHaveLength(sentCount);
    expect(await history.readEntries(connectionId)).toEqual([]);
  });

  test('is made if another column with two rules for the same parties shows that the server adds rules', async () => {
    using fixture = new ChangeFixture();
    const { writer } = fixture.open();
    const duplicatedRule = { ...createCityRule('Retail', 'x'), column: 'Twice' };
    await fixture.client.extractRules.create(retail, [duplicatedRule, duplicatedRule]);
    const twoRules = ['One', 'Two'].map((member) => createCityRule('Retail', member));
    await runApproved(writer, createBulkRuleOperation(location, retail, { adds: twoRules, deletes: [] }));
    const cityRules = (await getRules(fixture, retail)).filter(({ column }) => column === 'City');
    expect(cityRules.map(({ members }) => members)).toEqual([['One'], ['Two']]);
  });
});

test('a change of a deleted rule is a conflict instead of adding the rule again, and nothing is recorded', async () => {
  using fixture = new ChangeFixture();
  const { writer, history } = fixture.open();
  const [rule = {}, ...others] = await getRules(fixture, retail);
  await fixture.client.extractRules.delete({ ruleId: getText(rule['_id']) });
  const requestCountBefore = fixture.getWriteRequests().length;
  const change = createOperation([createRuleUpdateWrite(retail, { ...rule, members: ['x'] })]);
  expect(await getFailure(runApproved(writer, change))).toMatchObject({
    name: 'ConflictError',
    document: undefined,
  });
  expect(fixture.getWriteRequests()).toHaveLength(requestCountBefore);
  expect(await history.readEntries(connectionId)).toEqual([]);
  expect(await getRules(fixture, retail)).toEqual(others);
});
