import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { RuleAliases } from '../../../../src/documents/ruleAliases.ts';
import { getText } from '../../../../src/changes/model/readJson.ts';
import { createLiveRuleReplacement } from '../../../../src/changes/rules/ruleWrites.ts';
import { apply } from '../journal/apply.ts';
import { Bench, connectionId, operation } from './support.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;
const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;

/** A writer whose moved rules update the aliases of documents, as in the product. */
function followed(bench: Bench) {
  let kept: unknown;
  const aliases = new RuleAliases({
    read: () => kept,
    write: (value) => {
      kept = value;
    },
  });
  const { writer, history } = bench.open();
  writer.onDidMoveRule(({ subject, oldId, newId }) =>
    aliases.add(connectionId, { kind: 'rule', subject, ruleId: oldId }, newId),
  );
  const undoWith = async (): Promise<void> => {
    const [entry] = await history.readEntries(connectionId);
    if (entry === undefined) {
      throw new Error('Nothing was written down');
    }
    const { operation: back, expect: expected, moved } = await writer.planUndo(entry);
    await apply(writer, back, { expect: expected, undoes: entry.id, moved });
  };
  const now = (subject: typeof live | typeof extract, ruleId: string): string =>
    aliases.resolve({ connectionId, resource: { kind: 'rule', subject, ruleId } }).resource.ruleId;
  return { writer, undoWith, now };
}

const getRules = async (bench: Bench, subject: typeof live | typeof extract) =>
  (await bench.read({ kind: 'rules', subject })) as readonly JsonObject[];

test('a live rule that was replaced, and whose change was undone, is found by all of its ids', async () => {
  using bench = new Bench();
  const { writer, undoWith, now } = followed(bench);
  const [old = {}] = await getRules(bench, live);
  const first = getText(old['_id']);
  await apply(
    writer,
    operation(createLiveRuleReplacement(live, old, { ...old, members: ['X'], allMembers: null })),
  );
  const second = now(live, first);
  expect(second).not.toBe(first);
  await undoWith();
  const third = now(live, first);
  expect([first, second]).not.toContain(third);
  expect(now(live, second)).toBe(third);
  const found = (await getRules(bench, live)).find(({ _id }) => _id === third);
  expect(found).toMatchObject({ members: old['members'] });
});

test('a deleted rule that was restored is found by its former id', async () => {
  using bench = new Bench();
  const { writer, undoWith, now } = followed(bench);
  const [old = {}] = await getRules(bench, extract);
  const ruleId = getText(old['_id']);
  const target = { kind: 'rule', subject: extract, ruleId } as const;
  await apply(writer, operation([{ endpoint: 'extractRules.delete', params: { ruleId }, target }], 'delete'));
  expect(now(extract, ruleId)).toBe(ruleId);
  await undoWith();
  const again = now(extract, ruleId);
  expect(again).not.toBe(ruleId);
  expect((await getRules(bench, extract)).some(({ _id }) => _id === again)).toBe(true);
});
