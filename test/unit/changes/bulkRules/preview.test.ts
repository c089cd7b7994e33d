import { describe, expect, test } from 'vitest';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { createPartyNamer, createPreview, isBlocked } from '../../../../src/changes/bulkRules/preview.ts';
import type { ChangeChoices, RuleSource } from '../../../../src/changes/bulkRules/ruleSource.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { groups, people } from '../../../../src/sandbox/seeds/people.ts';
import { parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { ChangeFixture, connectionId } from '../run/support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const userId = '0b6df0a77f96d4b73c572389';

/** Previews an import of rows with the columns `table,column,access,party type,party`. */
async function preview(
  fixture: ChangeFixture,
  rows: readonly string[],
  {
    subject = retail,
    source = {},
    mode = 'columns',
    ...others
  }: {
    readonly subject?: RuleSubject;
    readonly source?: Pick<RuleSource, 'hasPartyIds' | 'getName'>;
    readonly mode?: ChangeChoices['mode'];
    /** If it is `undefined`, the users and groups are requested. */
    readonly directory?: UserDirectory | undefined;
    readonly writer?: Pick<Writer, 'findRuleRefusal'>;
  } = {},
) {
  const table = parseRuleTable(['table,column,access,party type,party', ...rows].join('\n'));
  const lookUps: (readonly number[])[] = [];
  const result = await createPreview(
    {
      client: fixture.client,
      catalog: fixture.catalog,
      ...('directory' in others && others.directory === undefined
        ? {}
        : { getDirectory: async () => others.directory ?? new UserDirectory({}) }),
      ...(others.writer && {
        findRuleRefusal: others.writer.findRuleRefusal.bind(others.writer),
      }),
    },
    {
      target: { connectionId, subject },
      source: { ...source, readRules: async () => ({ ...table, warnings: [] }) },
      choices: { mode, columns: {}, rewritesExclusions: false },
      maxBytes: 1_000_000,
    },
    { signal: new AbortController().signal, onLookUp: (done, total) => lookUps.push([done, total]) },
  );
  return { ...result, lookUps };
}

describe('the target of a change', () => {
  test.each<readonly [string, RuleSubject, boolean]>([
    ['an extract datamodel without rules is known to exist', { ...retail, elasticube: 'Quiet' }, false],
    ['a live datamodel without rules is known to exist', { kind: 'live', title: 'Quiet Live' }, false],
    ['a cube set without rules may not exist', { ...retail, server: 'Set', elasticube: 'All Shops' }, true],
    ['a datamodel of the same name on another server may not exist', { ...retail, server: 'Other' }, true],
  ])('%s', async (_text, subject, isUnconfirmed) => {
    using fixture = new ChangeFixture();
    await fixture.client.datamodels.create({ title: 'Quiet', type: 'extract' });
    await fixture.client.datamodels.create({ title: 'Quiet Live', type: 'live' });
    expect((await preview(fixture, [], { subject })).isUnconfirmedCubeSet).toBe(isUnconfirmed);
  });

  test('a cube set with rules is known to exist', async () => {
    using fixture = new ChangeFixture();
    const subject = { ...retail, server: 'Set', elasticube: 'All Shops' };
    await fixture.client.extractRules.create(subject, [
      {
        table: 'Stores',
        column: 'Region',
        datatype: 'text',
        members: ['North'],
        allMembers: null,
        shares: [{ type: 'default' }],
      },
    ]);
    expect((await preview(fixture, [], { subject })).isUnconfirmedCubeSet).toBe(false);
  });

  test('the tables of a datamodel are known completely, those of a cube set are not', async () => {
    using fixture = new ChangeFixture();
    const cubeSet = { ...retail, server: 'Set', elasticube: 'All Shops' };
    const datamodelPreview = await preview(fixture, []);
    expect(datamodelPreview.catalog?.tables.map(({ name }) => name)).toContain('Stores');
    expect(datamodelPreview.catalog?.complete).not.toBe(false);
    const cubeSetPreview = await preview(fixture, [], { subject: cubeSet });
    expect(cubeSetPreview.catalog?.tables.map(({ name }) => name)).toContain('Stores');
    expect(cubeSetPreview.catalog?.complete).toBe(false);
    const previewOfUnknownTarget = await preview(fixture, [], {
      subject: { kind: 'live', title: 'Nothing' },
    });
    expect(previewOfUnknownTarget.catalog).toBeUndefined();
  });
});

describe('errors that prevent a change', () => {
  const directoryWithTwins = new UserDirectory({
    groups: { isComplete: true, items: ['1', '2'].map((id) => ({ id, name: 'Twins', aliases: [] })) },
  });
  test.each([
    ['a valid row', ['Stores,Region,nothing,default,'], false],
    ['a row that cannot be read', ['Stores,Region,sometimes,default,'], true],
    ['a warning', ['Stores,Region,nothing,default,,surplus'], false],
    ['an unknown column', ['Stores,Regionn,nothing,default,'], true],
    ['a name that two groups have', ['Stores,Region,nothing,group,Twins'], true],
  ])('only an error prevents a change: %s', async (_text, rows, shouldBeBlocked) => {
    using fixture = new ChangeFixture();
    expect(isBlocked(await preview(fixture, rows, { directory: directoryWithTwins }))).toBe(shouldBeBlocked);
  });

  test.each([
    ['no row can be read', ['Stores,Region,sometimes,default,'], false],
    ['some rows can be read', ['Stores,Region,sometimes,default,', 'Stores,Region,nothing,default,'], true],
    ['the table has no rows', [], true],
  ])('the other rules are to be deleted if %s: %s, %s', async (_text, rows, deletesOthers) => {
    using fixture = new ChangeFixture();
    const { difference, uncoveredColumns, currentRules } = await preview(fixture, rows, { mode: 'all' });
    expect(difference.deletes.length).toBe(deletesOthers ? currentRules.length : 0);
    expect(uncoveredColumns.length > 0).toBe(deletesOthers);
  });

  test.each([
    ['is a warning if nothing changes', [], false],
    ['is an error if another rule is deleted', ['Stores,Region,everything,default,'], true],
  ])('a former name of a column in an unchanged rule %s', async (_text, otherRows, isError) => {
    using fixture = new ChangeFixture();
    await fixture.client.extractRules.create(
      retail,
      ['Former Region', 'Region'].map((column) => ({
        table: 'Stores',
        column,
        datatype: 'text',
        members: [],
        allMembers: false,
        shares: [{ type: 'default' }],
      })),
    );
    const rows = ['Stores,Former Region,nothing,default,', ...otherRows];
    const result = await preview(fixture, rows, { mode: 'columns' });
    expect(result.difference.deletes.length > 0).toBe(isError);
    expect(isBlocked(result)).toBe(isError);
  });

  test('a name that two groups have prevents a change even without any other error', async () => {
    using fixture = new ChangeFixture();
    const previewWithoutErrors = await preview(fixture, []);
    const ambiguousParties = [{ type: 'group', idOrName: 'Twins' }] as const;
    const foundParties = { ...previewWithoutErrors.foundParties, ambiguousParties };
    expect(isBlocked({ ...previewWithoutErrors, foundParties })).toBe(true);
  });
});

describe('a change that the server has no safe order of requests for', () => {
  const everyoneElse = (value: string) => ({
    table: 'Stores',
    column: 'Region',
    datatype: 'text',
    members: [value],
    allMembers: null,
    shares: [{ type: 'default' }],
  });
  const row = 'Stores,Region,nothing,default,';

  test('is refused in the preview for the same reason as in its plan', async () => {
    using fixture = new ChangeFixture();
    const subject = { ...retail, elasticube: 'Quiet' };
    await fixture.client.extractRules.create(subject, [everyoneElse('North')]);
    const { writer } = fixture.open();
    const addition = await preview(fixture, [row], { subject, mode: 'add', writer });
    expect(addition.refusal).toMatchObject({ code: 'same-parties', rule: { table: 'Stores' } });
    expect(isBlocked(addition)).toBe(true);
    await expect(writer.plan(addition.operation)).rejects.toMatchObject({ code: 'same-parties' });
    const replacement = await preview(fixture, [row], { subject, mode: 'columns', writer });
    expect([replacement.refusal, isBlocked(replacement)]).toEqual([undefined, false]);
    await writer.plan(replacement.operation);
  });

  test('is allowed in the preview and the plan if another column shows that the server adds rules for the same parties', async () => {
    using fixture = new ChangeFixture();
    const subject = { ...retail, elasticube: 'Quiet' };
    const otherColumn = ['North', 'South'].map((value) => ({ ...everyoneElse(value), column: 'City' }));
    await fixture.client.extractRules.create(subject, [everyoneElse('North'), ...otherColumn]);
    const { writer } = fixture.open();
    const addition = await preview(fixture, [row], { subject, mode: 'add', writer });
    expect([addition.refusal, isBlocked(addition)]).toEqual([undefined, false]);
    await writer.plan(addition.operation);
  });
});

describe('the names of parties', () => {
  test('are those of the table, of the deleted rules, and of the source', async () => {
    using fixture = new ChangeFixture();
    const result = await preview(
      fixture,
      ['Stores,Region,nothing,group,Marketing', `Stores,Region,nothing,user,${userId}`],
      {
        mode: 'all',
        source: {
          getName: ({ type, idOrName: name }) => (type === 'user' && name === 'u7' ? 'Uma' : undefined),
        },
      },
    );
    const getName = createPartyNamer(result);
    const deleted = result.difference.deletes.flatMap(({ rule }) => rule['shares']);
    expect(deleted).toContainEqual(
      expect.objectContaining({ party: groups.sales._id, partyName: groups.sales.name }),
    );
    expect(getName({ type: 'group', id: groups.marketing._id })).toBe('Marketing');
    expect(getName({ type: 'group', id: groups.sales._id })).toBe(groups.sales.name);
    expect(getName({ type: 'user', id: groups.sales._id })).toBeUndefined();
    expect(getName({ type: 'user', id: 'u7' })).toBe('Uma');
    // The table has only the ID of this user.
    expect(getName({ type: 'user', id: userId })).toBeUndefined();
    expect(getName({ type: 'default' })).toBeUndefined();
  });

  test('are not the IDs that a table may have instead', async () => {
    using fixture = new ChangeFixture();
    const result = await preview(fixture, [`Stores,Region,nothing,user,${userId}`]);
    expect(result.foundParties.unreportedIds).toEqual([userId]);
    expect(createPartyNamer(result)({ type: 'user', id: userId })).toBeUndefined();
  });

  test('of users are requested from the instance, unless they are known', async () => {
    using fixture = new ChangeFixture();
    const rows = [`Stores,Region,nothing,user,${people.ines.userName}`];
    const requestedPreview = await preview(fixture, rows, { directory: undefined });
    expect(requestedPreview.difference.adds).toMatchObject([
      { shares: [{ type: 'user', party: people.ines._id }] },
    ]);
    const knownPreview = await preview(fixture, rows);
    expect(knownPreview.difference.adds).toEqual([]);
  });

  test('are looked up one by one, and each lookup is reported', async () => {
    using fixture = new ChangeFixture();
    const rows = ['Marketing', 'Nobody'].map((name) => `Stores,Region,nothing,group,${name}`);
    const { lookUps } = await preview(fixture, [...rows, 'Stores,Region,nothing,default,']);
    expect(lookUps).toEqual([
      [1, 2],
      [2, 2],
    ]);
  });

  test('are not looked up if the source has IDs', async () => {
    using fixture = new ChangeFixture();
    const result = await preview(fixture, ['Stores,Region,nothing,group,Marketing'], {
      source: { hasPartyIds: true },
    });
    expect(result.lookUps).toEqual([]);
    expect(result.difference.adds).toMatchObject([{ shares: [{ type: 'group', party: 'Marketing' }] }]);
  });
});

describe('a table with the former name of a group', () => {
  const { _id: id } = groups.sales;
  const renamed = (name: string) =>
    new UserDirectory({
      groups: {
        isComplete: true,
        items: [
          { id, name },
          { id: 'g2', name: 'Taken' },
        ],
      },
    });

  test.each([
    ['is accepted for a rule that the datamodel has already', 'only,North', 'Former', [], true],
    ['is refused for a changed rule', 'only,South', 'Former', [], false],
    [
      'is refused if another rule is added',
      'only,North',
      'Former',
      ['Stores,Name,nothing,,default,,'],
      false,
    ],
    ['is refused if another group has this name now', 'only,North', 'Taken', [], false],
  ])('%s', async (_text, access, name, otherRows, isAccepted) => {
    using fixture = new ChangeFixture();
    await fixture.client.extractRules.create(retail, [
      {
        table: 'Stores',
        column: 'Region',
        datatype: 'text',
        members: ['North'],
        allMembers: null,
        shares: [{ type: 'group', party: id }],
      },
    ]);
    const table = parseRuleTable(
      [
        'table,column,access,value,party type,party,party name',
        `Stores,Region,${access},group,${id},${name}`,
        ...otherRows,
      ].join('\n'),
    );
    const result = await createPreview(
      { client: fixture.client, catalog: fixture.catalog, getDirectory: async () => renamed('Renamed') },
      {
        target: { connectionId, subject: retail },
        source: { readRules: async () => ({ ...table, warnings: [] }) },
        choices: { mode: 'add', columns: {}, rewritesExclusions: false },
        maxBytes: 1_000_000,
      },
      { signal: new AbortController().signal, onLookUp: () => undefined },
    );
    expect(isBlocked(result)).toBe(!isAccepted);
    expect(result.formerNames.map((former) => former.name)).toEqual(isAccepted ? [name] : []);
    expect(result.foundParties.contradictions).toHaveLength(isAccepted ? 0 : 1);
  });
});
