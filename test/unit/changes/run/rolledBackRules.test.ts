import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { getObjects, getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import { ConflictError } from '../../../../src/changes/run/writeErrors.ts';
import { computeRuleDifference } from '../../../../src/security/change/ruleDifference.ts';
import { parseRuleTable } from '../../../../src/security/ruleTable/parseRuleTable.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { advanceUntilSettled, ChangeFixture, connectionId, getFailure } from './support.ts';

const cube = { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' } as const;
const users = ['anna', 'ben', 'carl'] as const;

const createRule = (value: string, user: string): JsonObject => ({
  table: 'Stores',
  column: 'Region',
  datatype: 'text',
  members: [value],
  allMembers: null,
  shares: [{ type: 'user', partyId: user }],
});
const newRules = ['anna', 'ben', 'dora', 'emil', 'fay'].map((user) => createRule('South', user));
/** The server refuses it. */
const invalidRule = { ...createRule('South', 'gil'), datatype: 'nonsense' };

const getRules = async (fixture: ChangeFixture): Promise<readonly JsonObject[]> =>
  getObjects(await fixture.read({ kind: 'rules', subject: cube }));

/** Returns the values by the users who see them. */
const readValues = async (fixture: ChangeFixture) =>
  Object.fromEntries(
    (await getRules(fixture)).map(({ shares, members }) => [
      getText(getObjects(shares)[0]?.['partyId'] ?? getObjects(shares)[0]?.['party']),
      getText(Array.isArray(members) ? members[0] : undefined),
    ]),
  );

const findRule = async (fixture: ChangeFixture, user: string) => {
  const rules = await getRules(fixture);
  const rule = expectDefined(rules.find(({ shares }) => JSON.stringify(shares).includes(user)));
  return { rule, ruleId: getText(rule['_id']) };
};

async function importRules(
  fixture: ChangeFixture,
  wanted: readonly JsonObject[],
  adds: readonly JsonObject[],
) {
  const { writer } = fixture.open();
  const difference = computeRuleDifference({
    tableRules: parseRuleTable(formatRuleTable(wanted)).rules,
    existingRules: await getRules(fixture),
    binding: cube,
    mode: 'all',
    findPartyId: ({ idOrName }) => idOrName,
  });
  const operation = createBulkRuleOperation(
    { connectionId, within: [] },
    cube,
    { ...difference, adds: [...difference.adds, ...adds] },
    600,
  );
  const { planHash } = await writer.plan(operation);
  await advanceUntilSettled(fixture, writer.run(operation, { approval: writer.approve(planHash) }));
  await fixture.sandbox.clock.advance(1000);
}

/** Stops an import after it has added rules, and before it changes the rules of two users and deletes a rule. */
async function stopImport(fixture: ChangeFixture) {
  await importRules(
    fixture,
    users.map((user) => createRule('North', user)),
    [],
  );
  await getFailure(importRules(fixture, newRules, [invalidRule]));
  await fixture.sandbox.clock.advance(1000);
  const { writer, history } = fixture.open();
  const [entry] = await history.readEntries(connectionId);
  const stopped = expectDefined(entry);
  expect(new Set(stopped.requests?.map(({ method }) => method))).toEqual(new Set(['POST']));
  expect(await readValues(fixture)).toMatchObject({ anna: 'North', carl: 'North', dora: 'South' });
  return { writer, entry: stopped };
}

test.each(['changed', 'deleted'])('a rollback of rules stops at a rule that others have %s', async (how) => {
  using fixture = new ChangeFixture();
  const { writer, entry } = await stopImport(fixture);
  const { rule, ruleId } = await findRule(fixture, 'anna');
  await (how === 'changed'
    ? fixture.client.extractRules.update({ ruleId }, { ...rule, members: ['East'] })
    : fixture.client.extractRules.delete({ ruleId }));
  const before = await readValues(fixture);
  const error = await getFailure(advanceUntilSettled(fixture, writer.rollBack(entry)));
  expect(error).toBeInstanceOf(ConflictError);
  expect(await readValues(fixture)).toEqual(before);
});

test('a rollback does not restore a rule that others deleted before the change would have', async () => {
  using fixture = new ChangeFixture();
  const { writer, entry } = await stopImport(fixture);
  await fixture.client.extractRules.delete({ ruleId: (await findRule(fixture, 'carl')).ruleId });
  await advanceUntilSettled(fixture, writer.rollBack(entry));
  expect(await readValues(fixture)).toEqual({ anna: 'North', ben: 'North' });
});
