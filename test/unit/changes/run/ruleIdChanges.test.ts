import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { RuleAliases } from '../../../../src/documents/ruleAliases.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { runApproved } from '../journal/runApproved.ts';
import { ChangeFixture, connectionId, createOperation } from './support.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;
const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** A writer whose changed rule IDs update the aliases of documents, as in the product. */
function createWriterWithAliases(fixture: ChangeFixture) {
  let storedAliases: unknown;
  const aliases = new RuleAliases({
    read: () => storedAliases,
    write: (value) => {
      storedAliases = value;
    },
  });
  const { writer, history } = fixture.open();
  writer.onDidChangeRuleId(({ subject, oldId, newId }) =>
    aliases.add(connectionId, { kind: 'rule', subject, ruleId: oldId }, newId),
  );
  const undoLatest = async (): Promise<void> => {
    const [entry] = await history.readEntries(connectionId);
    if (entry === undefined) {
      throw new Error('Nothing was recorded');
    }
    const {
      operation: undoOperation,
      expectedVersions: expected,
      restoredIds,
    } = await writer.planUndo(entry);
    await runApproved(writer, undoOperation, {
      expectedVersions: expected,
      undoneEntryId: entry.id,
      restoredIds,
    });
  };
  const resolveId = (subject: typeof live | typeof extract, ruleId: string): string =>
    aliases.resolve({ connectionId, resource: { kind: 'rule', subject, ruleId } }).resource.ruleId;
  return { writer, undoLatest, resolveId };
}

const getRules = async (fixture: ChangeFixture, subject: typeof live | typeof extract) =>
  (await fixture.read({ kind: 'rules', subject })) as readonly JsonObject[];

test('a live rule that was replaced, and whose change was undone, is found by each of its IDs', async () => {
  using fixture = new ChangeFixture();
  const { writer, undoLatest, resolveId } = createWriterWithAliases(fixture);
  const [oldRule = {}] = await getRules(fixture, live);
  const first = getText(oldRule['_id']);
  await runApproved(
    writer,
    createOperation(
      createLiveRuleReplacementWrites(live, oldRule, { ...oldRule, members: ['X'], allMembers: null }),
    ),
  );
  const second = resolveId(live, first);
  expect(second).not.toBe(first);
  await undoLatest();
  const third = resolveId(live, first);
  expect([first, second]).not.toContain(third);
  expect(resolveId(live, second)).toBe(third);
  const restoredRule = (await getRules(fixture, live)).find(({ _id }) => _id === third);
  expect(restoredRule).toMatchObject({ members: oldRule['members'] });
});

test('a deleted rule that was restored is found by its previous ID', async () => {
  using fixture = new ChangeFixture();
  const { writer, undoLatest, resolveId } = createWriterWithAliases(fixture);
  const [oldRule = {}] = await getRules(fixture, extract);
  const ruleId = getText(oldRule['_id']);
  const target = { kind: 'rule', subject: extract, ruleId } as const;
  await runApproved(
    writer,
    createOperation([{ endpoint: 'extractRules.delete', params: { ruleId }, target }], 'delete'),
  );
  expect(resolveId(extract, ruleId)).toBe(ruleId);
  await undoLatest();
  const restoredId = resolveId(extract, ruleId);
  expect(restoredId).not.toBe(ruleId);
  expect((await getRules(fixture, extract)).some(({ _id }) => _id === restoredId)).toBe(true);
});
