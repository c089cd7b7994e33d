import { describe, expect, test } from 'vitest';
import { type JsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { createNewRuleId } from '../../../src/catalog/newRuleId.ts';
import type { RuleSubject } from '../../../src/catalog/ruleSubject.ts';
import { PlanNeededError } from '../../../src/changes/run/writeErrors.ts';
import { HttpError } from '../../../src/client/errors.ts';
import { noBaseStorage } from '../../../src/documents/baseStorage.ts';
import { createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { newRuleKind } from '../../../src/documents/kinds/newRuleKind.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import type { SaveIntent } from '../../../src/documents/saveIntent.ts';
import { ErrorsFoundError } from '../../../src/documents/saveErrors.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { ChangeFixture, connectionId } from '../changes/run/support.ts';

const extract: RuleSubject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' };
const live: RuleSubject = { kind: 'live', title: 'Support Desk' };
const ruleId = createNewRuleId(1_000_000);

/** The document of a new rule, with the functions of the file system. */
function openNewRule(fixture: ChangeFixture, subject: RuleSubject) {
  const { writer, history } = fixture.open();
  let aliases: unknown;
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client: fixture.client }) },
    getWriter: () => Promise.resolve(writer),
    clock: fixture.sandbox.clock,
    editor: { isDirty: () => false },
    baseStorage: noBaseStorage,
    aliases: new RuleAliases({
      read: () => aliases,
      write: (value) => {
        aliases = value;
      },
    }),
  });
  const path = createDocumentPath({
    connectionId,
    resource: { kind: 'rule', subject, ruleId },
    name: 'New Rule',
    within: ['Sandbox', 'Retail'],
  });
  const read = async (): Promise<JsonObject> =>
    parseLossless(new TextDecoder().decode(await documents.read(path))) as JsonObject;
  const save = async (rule: JsonObject, intent: SaveIntent = {}, errors: readonly string[] = []) =>
    documents.write(path, new TextEncoder().encode(stringify(rule)), {
      isExplicit: true,
      intent,
      findErrors: () => errors,
    });
  /** Saves a rule, and approves its plan. */
  const saveReviewed = async (rule: JsonObject, intent: SaveIntent = {}) => {
    const planNeeded = await save(rule, intent).catch((error: unknown) => error);
    if (!(planNeeded instanceof PlanNeededError)) {
      throw new Error('There is no plan to review', { cause: planNeeded });
    }
    return save(rule, { ...intent, approval: writer.approve(planNeeded.planHash) });
  };
  return { documents, history, path, read, save, saveReviewed };
}

const salesRule = {
  table: 'Categories',
  column: 'Category',
  members: ['Bikes'],
  allMembers: null,
  shares: [{ party: groups.sales._id, type: 'group' }],
};

const fetchRulesOfColumn = async (fixture: ChangeFixture, column: string) => {
  const { value } = await fixture.client.extractRules.list({ server: 'LocalHost', elasticube: 'Retail' });
  return value
    .filter((rule) => rule.column === column)
    .map(({ shares, members, allMembers }) => ({
      parties: (shares ?? []).map(({ type }) => type),
      members,
      allMembers,
    }));
};

test('a new rule is empty, grants nothing, and names what its kind of datamodel needs', async () => {
  using fixture = new ChangeFixture();
  expect(await openNewRule(fixture, extract).read()).toEqual({
    server: 'LocalHost',
    elasticube: 'Retail',
    table: '',
    column: '',
    datatype: 'text',
    members: [],
    allMembers: false,
    exclusionary: false,
    shares: [],
  });
  expect(await openNewRule(fixture, live).read()).toEqual({
    fullname: 'live:Support Desk',
    live: true,
    table: '',
    column: '',
    datatype: 'text',
    members: [],
    allMembers: false,
    shares: [],
  });
});

describe('the save of a new rule', () => {
  test('first asks about errors, then about everyone else, and is always reviewed', async () => {
    using fixture = new ChangeFixture();
    const { read, save } = openNewRule(fixture, extract);
    const rule = { ...(await read()), ...salesRule };
    await expect(save(rule, {}, ['No users'])).rejects.toThrow(ErrorsFoundError);
    await expect(save(rule)).rejects.toMatchObject({
      code: 'default-rule-undecided',
      createdName: 'Categories.Category',
    });
    const planNeeded = await save(rule, { everyoneElse: 'nothing' }).catch((error: unknown) => error);
    expect(planNeeded).toBeInstanceOf(PlanNeededError);
    expect(planNeeded).toMatchObject({
      plan: { operation: { cause: 'create', subject: { name: 'Categories.Category', within: ['Retail'] } } },
    });
    expect(await fetchRulesOfColumn(fixture, 'Category')).toEqual([]);
  });

  test.each([
    ['nothing', [{ parties: ['default'], members: [], allMembers: false }]],
    ['everything', [{ parties: ['default'], members: [], allMembers: true }]],
    ['none', []],
  ] as const)(
    'with %s for everyone else, creates the rule, and its document becomes that of the created rule',
    async (everyoneElse, defaultRules) => {
      using fixture = new ChangeFixture();
      const { documents, history, path, read, saveReviewed } = openNewRule(fixture, extract);
      await saveReviewed({ ...(await read()), ...salesRule }, { everyoneElse });
      expect(await fetchRulesOfColumn(fixture, 'Category')).toEqual([
        { parties: ['group'], members: ['Bikes'], allMembers: null },
        ...defaultRules,
      ]);
      expect(await history.readEntries(connectionId)).toHaveLength(1);
      const created = documents.getIdentity(path)?.resource;
      expect(created).toMatchObject({ kind: 'rule', subject: extract });
      expect(created).not.toMatchObject({ ruleId });
      await documents.acknowledgeSave(path);
      // A second save sends nothing.
      const saved = await read();
      expect(saved).toMatchObject({ table: 'Categories', members: ['Bikes'] });
      const bytes = new TextEncoder().encode(stringify(saved));
      expect((await documents.write(path, bytes, { isExplicit: true })).report).toBeUndefined();
    },
  );

  test('does not ask about everyone else if their rule exists, or is the new one', async () => {
    using fixture = new ChangeFixture();
    const { read, save } = openNewRule(fixture, extract);
    const emptyRule = await read();
    await expect(save({ ...emptyRule, ...salesRule, table: 'Orders', column: 'Status' })).rejects.toThrow(
      PlanNeededError,
    );
    const ruleForEveryoneElse = { members: [], allMembers: true, shares: [{ type: 'default' }] };
    await expect(save({ ...emptyRule, ...salesRule, ...ruleForEveryoneElse })).rejects.toThrow(
      PlanNeededError,
    );
  });

  test('cannot move the rule to another datamodel', async () => {
    using fixture = new ChangeFixture();
    const { read, save } = openNewRule(fixture, extract);
    const rule = { ...(await read()), ...salesRule, elasticube: 'Marketing' };
    await expect(save(rule)).rejects.toMatchObject({ code: 'not-editable', paths: [['elasticube']] });
  });

  test('of a live datamodel names parties as live rules do', async () => {
    using fixture = new ChangeFixture();
    const { read, saveReviewed } = openNewRule(fixture, live);
    const rule = { ...(await read()), ...salesRule, table: 'Agents', column: 'Agent' };
    const { report } = await saveReviewed(rule, { everyoneElse: 'nothing' });
    expect(report?.operation.writes[0]?.body).toEqual([
      expect.objectContaining({ shares: [{ partyId: groups.sales._id, type: 'group' }] }),
      expect.objectContaining({ allMembers: false, shares: [{ type: 'default' }], live: true }),
    ]);
  });
});

describe('rules that cannot be read', () => {
  const fetchWith = (status: number): Promise<unknown> => {
    const operation = { endpoint: 'extractRules.list', method: 'GET', path: '/rules' } as const;
    const client = { extractRules: { list: () => Promise.reject(new HttpError(operation, { status })) } };
    return newRuleKind.fetch(client as never, { kind: 'rule', subject: extract, ruleId });
  };

  test('because the datamodel was never built count as none', async () => {
    await expect(fetchWith(404)).resolves.toMatchObject({ json: [] });
  });

  test('for another reason do not count as none', async () => {
    await expect(fetchWith(500)).rejects.toBeInstanceOf(HttpError);
  });
});
