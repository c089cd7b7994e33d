import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import {
  findSharedViewpoints,
  planPartyReplacement,
} from '../../../../src/changes/bulkRules/replaceParty.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { runApproved } from '../journal/runApproved.ts';
import { ChangeFixture, connectionId, getFailure } from '../run/support.ts';

const retail = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const marketing = { kind: 'extract', server: 'LocalHost', elasticube: 'Marketing' } as const;
const support = { kind: 'live', title: 'Support Desk' } as const;
const sales = { type: 'group', id: groups.sales._id } as const;
const finance = { type: 'group', id: groups.finance._id } as const;
const options = {
  connectionId,
  maxBytes: 256 * 1024,
  signal: new AbortController().signal,
  onRead: () => undefined,
};

/** The columns with a rule that names the party. */
async function findColumnsWithParty(
  fixture: ChangeFixture,
  subject: typeof retail | typeof support,
  id: string,
) {
  const rules = getObjects(await fixture.read({ kind: 'rules', subject }));
  return rules
    .filter(({ shares }) =>
      (shares as readonly JsonObject[]).some(({ party, partyId }) => (party ?? partyId) === id),
    )
    .map(({ table, column }) => `${getText(table)}.${getText(column)}`)
    .toSorted();
}

test.each([retail, support])(
  'a group is replaced in the rules of $kind datamodels, and restored by undo',
  async (subject) => {
    using fixture = new ChangeFixture();
    const party = subject.kind === 'live' ? ({ type: 'group', id: groups.support._id } as const) : sales;
    const replacement = { type: 'group', id: groups.dataTeam._id } as const;
    const before = await findColumnsWithParty(fixture, subject, party.id);
    expect(before).not.toEqual([]);
    const { changes, unreadable } = await planPartyReplacement(
      fixture.client,
      [subject],
      { party, replacement },
      options,
    );
    expect(
      new Set(changes.flatMap(({ operation }) => operation?.writes.map(({ endpoint }) => endpoint))),
    ).toEqual(
      new Set(subject.kind === 'live' ? ['liveRules.create', 'liveRules.delete'] : ['extractRules.update']),
    );
    expect([unreadable, changes.map(({ skippedColumns }) => skippedColumns)]).toEqual([[], [[]]]);
    const { writer, history } = fixture.open();
    for (const { operation, expectedVersions } of changes) {
      await runApproved(
        writer,
        operation ?? { connectionId, cause: 'bulk', subject: { name: '', within: [] }, writes: [] },
        {
          expectedVersions,
        },
      );
    }
    expect(await findColumnsWithParty(fixture, subject, party.id)).toEqual([]);
    expect(await findColumnsWithParty(fixture, subject, replacement.id)).toEqual(before);
    const [entry] = await history.readEntries(connectionId);
    const undo = entry && (await writer.planUndo(entry));
    await runApproved(
      writer,
      undo?.operation ?? { connectionId, cause: 'undo', subject: { name: '', within: [] }, writes: [] },
    );
    expect(await findColumnsWithParty(fixture, subject, party.id)).toEqual(before);
    expect(await findColumnsWithParty(fixture, subject, replacement.id)).toEqual([]);
  },
);

test('a datamodel whose rules cannot be read is reported, and the others are changed in their order', async () => {
  using fixture = new ChangeFixture();
  fixture.sandbox.faults.set([
    { kind: 'status', status: 403, methods: ['GET'], pathPrefix: '/api/elasticubes/LocalHost/Marketing' },
  ]);
  const { changes, unreadable } = await planPartyReplacement(
    fixture.client,
    [marketing, retail, support],
    { party: finance },
    options,
  );
  expect(unreadable.map(({ subject }) => subject)).toEqual([marketing]);
  expect(changes.map(({ subject }) => subject)).toEqual([retail, support]);
});

test('rules that others change after they were read are not overwritten', async () => {
  using fixture = new ChangeFixture();
  const [change] = (await planPartyReplacement(fixture.client, [retail], { party: sales }, options)).changes;
  const [rule] = getObjects(await fixture.read({ kind: 'rules', subject: retail }));
  await fixture.client.extractRules.delete({ ruleId: getText(rule?.['_id']) });
  const { writer } = fixture.open();
  const changeOperation = change?.operation ?? {
    connectionId,
    cause: 'bulk',
    subject: { name: '', within: [] },
    writes: [],
  };
  expect(
    await getFailure(runApproved(writer, changeOperation, { expectedVersions: change?.expectedVersions })),
  ).toBeInstanceOf(ConflictError);
});

test('viewpoints are found by the ID or the name of a group that they are shared with', async () => {
  using fixture = new ChangeFixture();
  const [viewpoint] = (await fixture.client.viewpoints.list({ limit: 1 })).value.viewpoints;
  const viewpointId = viewpoint?.id ?? '';
  const share = (visibility: JsonObject) => fixture.client.viewpoints.update({ viewpointId }, { visibility });
  const findViewpointIds = async (name: string) =>
    (await findSharedViewpoints(fixture.client, { ...finance, id: 'f1', name }, options.signal)).map(
      ({ id }) => id,
    );
  await share({ apps: ['app'], groups: ['f1'], users: [] });
  expect(await findViewpointIds('Nobody')).toEqual([viewpointId]);
  await share({ apps: ['app'], groups: ['The Accountants'], users: [] });
  expect(await findViewpointIds('The Accountants')).toEqual([viewpointId]);
  await share({ apps: ['app'], groups: [], users: ['The Accountants'] });
  expect(await findViewpointIds('The Accountants')).toEqual([]);
});

test('viewpoints are found by a user only if they are shared with a user, not with a group of the same name', async () => {
  using fixture = new ChangeFixture();
  const [viewpoint] = (await fixture.client.viewpoints.list({ limit: 1 })).value.viewpoints;
  const viewpointId = viewpoint?.id ?? '';
  const findViewpointIds = () =>
    findSharedViewpoints(fixture.client, { type: 'user', id: 'u1', name: 'uma' }, options.signal);
  const share = (visibility: JsonObject) => fixture.client.viewpoints.update({ viewpointId }, { visibility });
  await share({ apps: ['app'], groups: ['u1', 'uma'], users: ['u2'] });
  expect(await findViewpointIds()).toEqual([]);
  await share({ apps: ['app'], groups: [], users: ['u2', 'uma'] });
  expect(await findViewpointIds()).toEqual([{ id: viewpointId, name: viewpoint?.name }]);
});

test('a datamodel whose rules do not name the party has no operation', async () => {
  using fixture = new ChangeFixture();
  const party = { type: 'group', id: 'nobody' } as const;
  const { changes } = await planPartyReplacement(fixture.client, [retail, support], { party }, options);
  expect(changes.map(({ subject, operation }) => [subject, operation])).toEqual([
    [retail, undefined],
    [support, undefined],
  ]);
});

test('rules that are read are counted, and a canceled search fails as canceled', async () => {
  using fixture = new ChangeFixture();
  const controller = new AbortController();
  let count = 0;
  const plan = () =>
    planPartyReplacement(
      fixture.client,
      [retail, marketing],
      { party: sales },
      { ...options, signal: controller.signal, onRead: () => (count += 1) },
    );
  await plan();
  expect(count).toBe(2);
  controller.abort();
  expect(await getFailure(plan())).toBe(controller.signal.reason);
});
