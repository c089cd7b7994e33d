import { expect, test } from 'vitest';
import { createPreview } from '../../../../src/changes/bulkRules/preview.ts';
import type { ChangeChoices } from '../../../../src/changes/bulkRules/ruleSource.ts';
import { computePreviewAccess } from '../../../../src/changes/bulkRules/previewAccess.ts';
import { UserDirectory } from '../../../../src/catalog/people/userDirectory.ts';
import { Memberships } from '../../../../src/security/membership/memberships.ts';
import { parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { ChangeFixture } from '../run/support.ts';

/** An ID that the instance does not report. */
const unknownId = '0b6df0a77f96d4b73c572389';
const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

async function computeAccess(
  fixture: ChangeFixture,
  rows: readonly string[],
  mode: ChangeChoices['mode'] = 'columns',
) {
  const table = parseRuleTable(['table,column,access,value,party type,party', ...rows].join('\n'));
  const preview = await createPreview(
    {
      client: fixture.client,
      catalog: fixture.catalog,
      getDirectory: async () => new UserDirectory({}),
    },
    {
      target: { connectionId: 'c1', subject },
      source: { readRules: async () => ({ ...table, warnings: [] }) },
      choices: { mode, columns: {}, rewritesExclusions: false },
      maxBytes: 1_000_000,
    },
    { signal: new AbortController().signal, onLookUp: () => undefined },
  );
  return computePreviewAccess(preview, async () => new Memberships());
}

test('the preview of an import shows which of the named parties gain and lose access', async () => {
  using fixture = new ChangeFixture();
  const access = await computeAccess(fixture, [
    'Stores,Region,only,North; Alps,group,Marketing',
    'Stores,Region,nothing,,default,',
  ]);
  expect(access?.subjects.map(({ title }) => title)).toEqual(['Retail']);
  const rows = (access?.subjects[0]?.difference.rows ?? []).map((row) => [
    row.party.type,
    access?.partyNames.get(`${row.party.type}:${row.party.id}`),
    row.effect,
    row.kind === 'column' && typeof row.after.access === 'object' ? [...row.after.access.values] : undefined,
  ]);
  // The column had no rules, so everyone saw all of its values.
  expect(rows.slice(0, 2)).toEqual([
    ['default', undefined, 'loses', []],
    ['group', 'Marketing', 'loses', ['North', 'Alps']],
  ]);
});

test('a party whose name is unknown has no name in the preview', async () => {
  using fixture = new ChangeFixture();
  const access = await computeAccess(fixture, [
    'Stores,Region,nothing,,group,Marketing',
    `Stores,Region,nothing,,user,${unknownId}`,
  ]);
  expect([...(access?.partyNames.values() ?? [])]).toEqual(['Marketing']);
});

test('no access is computed if an error prevents the import, or if nothing changes', async () => {
  using fixture = new ChangeFixture();
  expect(await computeAccess(fixture, ['Stores,Regionn,nothing,,default,'])).toBeUndefined();
  expect(await computeAccess(fixture, [])).toBeUndefined();
});

test('a rule that is deleted from a former name of a column might restrict it until the next build', async () => {
  using fixture = new ChangeFixture();
  const rule = {
    table: 'Stores',
    column: 'Former',
    datatype: 'text',
    members: [],
    allMembers: false,
  } as const;
  await fixture.client.extractRules.create(subject, [{ ...rule, shares: [{ type: 'default' }] }]);
  const access = await computeAccess(fixture, ['Stores,Region,everything,,default,'], 'all');
  expect(access?.subjects[0]?.untilBuild).toMatchObject({
    datamodel: 'Retail',
    rows: [{ name: { table: 'Stores', column: 'Former' }, party: { type: 'default' }, effect: 'gains' }],
  });
});
