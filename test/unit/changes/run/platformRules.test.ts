import { describe, expect, test } from 'vitest';
import {
  addRuleToSeveral,
  changeManyRules,
  createRule,
  deleteRule,
} from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { getObjects, getText } from '../../../../src/changes/model/readJson.ts';
import { groups, people } from '../../../../src/sandbox/seeds/people.ts';
import { writeRuleTable } from '../../../../src/security/ruleTable/writeRuleTable.ts';
import { PlatformRules } from '../../../../src/changes/run/platformRules.ts';
import { createRuleUpdate } from '../../../../src/changes/rules/ruleWrites.ts';
import { expectNoNewAccess } from '../../../support/noNewAccess.ts';
import { apply } from '../journal/apply.ts';
import { Bench, connectionId, failure, operation } from './support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const desk = { kind: 'live', title: 'Desk' } as const;
const place = { connectionId, within: [] };

const getRules = async (bench: Bench, subject: RuleSubject): Promise<readonly JsonObject[]> =>
  getObjects(await bench.read({ kind: 'rules', subject }));
const said = (rules: readonly unknown[]): readonly string[] =>
  rules.map((rule) => writeRuleTable([rule]).replaceAll(/,[^,\n]*$/gm, '')).sort();
const itemsOfTexts = (value: unknown): number => (Array.isArray(value) ? value.length : 0);
const nobodyWatches = { begin: () => undefined, done: () => undefined };

describe('a rule that the server does not find', () => {
  test('is not a failure if it is gone', async () => {
    using bench = new Bench();
    const { client } = bench;
    const rules = new PlatformRules(retail, {
      client,
      clock: bench.sandbox.clock,
      isBulk: false,
      maxBytes: 1000,
    });
    const before = await rules.list();
    await rules.delete(['0123456789abcdef01234567'], nobodyWatches);
    expect(await rules.list()).toEqual(before);
  });

  test('stops the change if it still exists: the server does not delete single rules', async () => {
    using bench = new Bench();
    const { writer } = bench.open();
    const before = await getRules(bench, retail);
    bench.sandbox.faults.set([{ kind: 'status', status: 404, methods: ['DELETE'] }]);
    const wanted = deleteRule(place, retail, getText(before[0]?.['_id']), 'It');
    expect(await failure(apply(writer, wanted))).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'HttpError', status: 404 },
    });
    expect(await getRules(bench, retail)).toEqual(before);
    // One request for the rule, and none for its column.
    expect(bench.writesSent()).toHaveLength(1);
  });
});

const live = (column: string, users: readonly string[], members: readonly string[]) => ({
  table: 'T',
  column,
  datatype: 'text',
  members,
  allMembers: members.length === 0 ? false : null,
  shares: users.length === 0 ? [{ type: 'default' }] : users.map((partyId) => ({ type: 'user', partyId })),
});

describe('a server that allows each party in only one rule per column', () => {
  /** A live datamodel of such a server with a rule for two users on each of two columns. */
  async function strict(hasDefault: boolean) {
    const bench = new Bench({ profile: 'contract', built: [{ title: desk.title, type: 'live' }] });
    const [anna, ben] = [people.amara._id, people.bruno._id];
    const { writer, history } = bench.open();
    const rules = ['C', 'D'].flatMap((column) => [
      ...(hasDefault ? [live(column, [], [])] : []),
      live(column, [anna, ben], ['a', 'b']),
    ]);
    await bench.client.liveRules.create(desk, rules);
    /** Gives each of the two a separate rule. */
    const split = async (column: string) => {
      const old = (await getRules(bench, desk)).find(
        (rule) => rule['column'] === column && getObjects(rule['shares']).length > 1,
      );
      const adds = [live(column, [anna], ['a']), live(column, [ben], ['b'])];
      const sent = bench.writesSent().length;
      await apply(writer, changeManyRules(place, desk, { adds, deletes: [{ index: 0, rule: old ?? {} }] }));
      return bench.writesSent().slice(sent);
    };
    return { bench, writer, history, split, anna, ben, rules };
  }

  test('is detected by its rejection, once: rules then replace a former one in the other order', async () => {
    const { bench, split, anna, ben } = await strict(true);
    using _bench = bench;
    const [first, second] = [await split('C'), await split('D')];
    expect(second.length).toBeLessThan(first.length);
    const wanted = ['C', 'D'].flatMap((column) => [
      live(column, [], []),
      live(column, [anna], ['a']),
      live(column, [ben], ['b']),
    ]);
    expect(said(await getRules(bench, desk))).toEqual(said(wanted));
  });

  test('gets an unrelated rule back that was denied in its place, when the stopped change is undone', async () => {
    const { bench, writer, history, split, rules } = await strict(true);
    using _bench = bench;
    const bystander = { ...live('C', [], ['c']), shares: [{ type: 'group', partyId: groups.sales._id }] };
    await bench.client.liveRules.create(desk, [bystander]);
    // Once the server's interpretation is known, others are denied before a rule makes room.
    await split('D');
    const before = await getRules(bench, desk);
    bench.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['DELETE'] }]);
    expect(await failure(split('C'))).toMatchObject({ name: 'StoppedError', cause: { status: 403 } });
    bench.sandbox.faults.set([]);
    expect(said(await getRules(bench, desk))).not.toEqual(said(before));
    const [entry] = await history.readUnfinished(connectionId);
    await (entry && writer.rollBack(entry));
    expect(said(await getRules(bench, desk))).toEqual(said(before));
    expect(rules.length).toBeLessThan(before.length);
    expect(await history.readUnfinished(connectionId)).toEqual([]);
  });

  test('gets a rule back that was narrowed first and then denied in its place', async () => {
    const { bench, writer, split, anna, ben } = await strict(true);
    using _bench = bench;
    const ofSales = (members: readonly string[]) => ({
      ...live('C', [], members),
      shares: [{ type: 'group', partyId: groups.sales._id }],
    });
    await bench.client.liveRules.create(desk, [ofSales(['a', 'b'])]);
    await split('D');
    const old = (await getRules(bench, desk)).filter(
      ({ column, members }) => column === 'C' && itemsOfTexts(members) > 0,
    );
    const adds = [ofSales(['a']), live('C', [anna], ['a']), live('C', [ben], ['b'])];
    const deletes = old.map((rule, index) => ({ rule, index }));
    await apply(writer, changeManyRules(place, desk, { adds, deletes }));
    const now = (await getRules(bench, desk)).filter(({ column }) => column === 'C');
    expect(said(now)).toEqual(said([live('C', [], []), ...adds]));
  });

  test('stops a change for which nothing can hide values meanwhile: it shows less, and is undone; then it is rejected', async () => {
    const { bench, writer, history, split, rules } = await strict(false);
    using _bench = bench;
    expect(await failure(split('C'))).toMatchObject({
      name: 'StoppedError',
      cause: { name: 'RuleChangeRefusedError', code: 'needs-default', hasWritten: true },
      changedNothing: false,
    });
    const stopped = await getRules(bench, desk);
    expectNoNewAccess(stopped, rules, rules);
    const [entry] = await history.readUnfinished(connectionId);
    await (entry && writer.rollBack(entry));
    expect(said(await getRules(bench, desk))).toEqual(said(rules));
    expect(await history.readUnfinished(connectionId)).toEqual([]);
    // By now the server's interpretation of rules is known.
    const sent = bench.writesSent().length;
    expect(await failure(split('C'))).toMatchObject({
      name: 'RuleChangeRefusedError',
      code: 'needs-default',
      hasWritten: false,
    });
    expect(bench.writesSent()).toHaveLength(sent);
  });
});

describe('a change without a safe order', () => {
  const city = (elasticube: string, member: string) => ({
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
    using bench = new Bench();
    const { writer, history } = bench.open();
    const two = ['One', 'Two'].map((member) => city('Retail', member));
    const refused = await failure(apply(writer, changeManyRules(place, retail, { adds: two, deletes: [] })));
    expect(refused).toMatchObject({
      name: 'RuleChangeRefusedError',
      code: 'same-parties',
      hasWritten: false,
    });
    expect(bench.writesSent()).toEqual([]);
    expect(await history.readEntries(connectionId)).toEqual([]);
  });

  test('is rejected as a second rule for the same parties as an existing one, as with New Rule', async () => {
    using bench = new Bench();
    const { writer } = bench.open();
    const rule = {
      table: 'Stores',
      column: 'City',
      datatype: 'text',
      grant: { kind: 'only', members: ['One'] },
      parties: [{ type: 'user', id: 'anna' }],
    } as const;
    await apply(writer, createRule(place, retail, rule));
    const sent = bench.writesSent().length;
    const again = createRule(place, retail, { ...rule, grant: { kind: 'only', members: ['Two'] } });
    expect(await failure(apply(writer, again))).toMatchObject({ code: 'same-parties' });
    expect(bench.writesSent()).toHaveLength(sent);
  });

  test('is rejected for several cubes if one of them has a rule for the same parties', async () => {
    using bench = new Bench();
    const { writer, history } = bench.open();
    const second = { ...retail, elasticube: 'Second' };
    await bench.client.extractRules.create(second, [city('Second', 'One')]);
    const sent = bench.writesSent().length;
    const several = addRuleToSeveral(place, [retail, second], [city('Retail', 'Two')], 'Stores.City');
    expect(await failure(apply(writer, several))).toMatchObject({ code: 'same-parties' });
    expect(bench.writesSent()).toHaveLength(sent);
    expect(await history.readEntries(connectionId)).toEqual([]);
  });

  test('is made if the server is known to add: two rules of another column for the same parties', async () => {
    using bench = new Bench();
    const { writer } = bench.open();
    const twice = { ...city('Retail', 'x'), column: 'Twice' };
    await bench.client.extractRules.create(retail, [twice, twice]);
    const two = ['One', 'Two'].map((member) => city('Retail', member));
    await apply(writer, changeManyRules(place, retail, { adds: two, deletes: [] }));
    const cities = (await getRules(bench, retail)).filter(({ column }) => column === 'City');
    expect(cities.map(({ members }) => members)).toEqual([['One'], ['Two']]);
  });
});

test('a rule that is gone is not added again by its change: that is a conflict, and nothing is recorded', async () => {
  using bench = new Bench();
  const { writer, history } = bench.open();
  const [rule = {}, ...others] = await getRules(bench, retail);
  await bench.client.extractRules.delete({ ruleId: getText(rule['_id']) });
  const sent = bench.writesSent().length;
  const change = operation([createRuleUpdate(retail, { ...rule, members: ['x'] })]);
  expect(await failure(apply(writer, change))).toMatchObject({ name: 'ConflictError', document: undefined });
  expect(bench.writesSent()).toHaveLength(sent);
  expect(await history.readEntries(connectionId)).toEqual([]);
  expect(await getRules(bench, retail)).toEqual(others);
});
