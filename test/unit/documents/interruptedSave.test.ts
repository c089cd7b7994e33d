import { describe, expect, test } from 'vitest';
import { type JsonObject, parseLossless, stringify } from '../../../src/base/json.ts';
import { noMemory } from '../../../src/documents/baseMemory.ts';
import { type DocumentRef, createDocumentPath } from '../../../src/documents/documentAddress.ts';
import { RemoteDocuments } from '../../../src/documents/remoteDocuments.ts';
import { RuleAliases } from '../../../src/documents/ruleAliases.ts';
import type { SaveIntent } from '../../../src/documents/saveIntent.ts';
import { IncompleteSaveError } from '../../../src/documents/saveProblems.ts';
import { getText } from '../../../src/changes/model/readJson.ts';
import { planSavedRenames, findRenames } from '../../../src/changes/plan/rename/planRename.ts';
import type { Fault } from '../../../src/sandbox/faults.ts';
import { createSeedOid } from '../../../src/sandbox/seeds/seedIds.ts';
import { groups } from '../../../src/sandbox/seeds/people.ts';
import { PlanNeededError } from '../../../src/changes/run/writeErrors.ts';
import { readRenameState } from '../../../src/changes/plan/readRenameState.ts';
import { expectNoNewAccess } from '../../support/noNewAccess.ts';
import { Bench, columnsIn, connectionId, failure, tableRef } from '../changes/run/support.ts';

const live = { kind: 'live', title: 'Support Desk' } as const;

/** Documents composed as in the product, in a window whose server rejects requests on demand. */
function window(bench: Bench) {
  const { writer, history } = bench.open();
  let kept: unknown;
  const aliases = new RuleAliases({
    read: () => kept,
    write: (value) => {
      kept = value;
    },
  });
  writer.onDidMoveRule(({ subject, oldId, newId }) =>
    aliases.add(connectionId, { kind: 'rule', subject, ruleId: oldId }, newId),
  );
  const documents = new RemoteDocuments({
    sessions: { get: () => Promise.resolve({ client: bench.client }) },
    getWriter: () => Promise.resolve(writer),
    clock: bench.sandbox.clock,
    editor: { isDirty: () => true },
    memory: noMemory,
    aliases,
  });
  const open = async (path: string): Promise<string> => {
    await documents.stat(path);
    const text = new TextDecoder().decode(await documents.read(path));
    documents.handleUndoneChanges(path, text);
    return text;
  };
  const save = async (path: string, text: string, intent?: SaveIntent) => {
    documents.handleServerChange(path);
    await documents.stat(path);
    const saved = await documents.write(path, new TextEncoder().encode(text), { byHand: true, intent });
    await documents.acknowledgeSave(path);
    return saved;
  };
  return { documents, writer, history, open, save };
}

const getPath = (resource: DocumentRef): string =>
  createDocumentPath({ connectionId, resource, name: 'A document', within: [] });

const getRules = async (bench: Bench) =>
  (await bench.read({ kind: 'rules', subject: live })) as readonly JsonObject[];

/** The values of rules, whatever their IDs. */
const said = (rules: readonly JsonObject[]): readonly string[] =>
  rules
    .map(({ table, column, members, allMembers, shares }) =>
      stringify([table, column, members, allMembers, (shares as readonly JsonObject[]).map(getParty)]),
    )
    .sort();

const getParty = ({ type = null, partyId = null }: JsonObject) => [type, partyId];

const refusing = (method: 'POST' | 'DELETE' | 'PUT', more: Partial<Fault> = {}): Fault =>
  ({ kind: 'status', status: 403, methods: [method], count: 1, ...more }) as Fault;

/** The user's change to a group's rule: its values only, or its parties as well. */
type How = 'its list' | 'its parties';

async function openedRule(bench: Bench, how: How) {
  const world = window(bench);
  const before = await getRules(bench);
  const rule = before.find(({ members }) => Array.isArray(members) && members.length > 0) ?? {};
  const path = getPath({ kind: 'rule', subject: live, ruleId: getText(rule['_id']) });
  const document = parseLossless(await world.open(path)) as JsonObject;
  const changed = (one: JsonObject, member: string): JsonObject => ({
    ...one,
    members: [...(rule['members'] as string[]), member],
    ...(how === 'its list'
      ? {}
      : { shares: [groups.support, groups.sales].map(({ _id }) => ({ type: 'group', partyId: _id })) }),
  });
  const rulesWith = (member: string): readonly JsonObject[] =>
    before.map((one) => (one === rule ? changed(one, member) : one));
  return {
    ...world,
    path,
    rulesWith,
    before,
    textWith: (member: string) => stringify(changed(document, member)),
  };
}

/** Makes the server reject this many writes, from the nth on. */
function refuseFrom(bench: Bench, request: number, count: number): () => void {
  let sent = 0;
  bench.lose = () => {
    sent += 1;
    if (sent === request) {
      bench.sandbox.faults.set([{ kind: 'status', status: 403, methods: ['POST', 'DELETE'], count }]);
    }
    return undefined;
  };
  return () => {
    bench.lose = () => undefined;
    bench.sandbox.faults.set([]);
  };
}

const refusals = (['its list', 'its parties'] as const).flatMap((how) =>
  [1, 2, 3, 4, 5, 6, 7, 8].map((request) => ({ how, request })),
);

describe.each(refusals)(
  'a live rule, $how changed, whose request $request is rejected',
  ({ how, request }) => {
    test('is as it was, or shows nothing new until the next save completes it', async () => {
      using bench = new Bench();
      const { path, save, textWith, rulesWith, history, before } = await openedRule(bench, how);
      const end = refuseFrom(bench, request, 1);
      const error: unknown = await save(path, textWith('Another')).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      end();
      const now = await getRules(bench);
      expectNoNewAccess(now, before, rulesWith('Another'));
      if (error === undefined) {
        expect(said(now)).toEqual(said(rulesWith('Another')));
      } else if (!(error instanceof IncompleteSaveError)) {
        expect(error).toMatchObject({ name: 'HttpError', status: 403 });
        expect(said(now)).toEqual(said(before));
      }
      await save(path, textWith('Another'));
      expect(said(await getRules(bench))).toEqual(said(rulesWith('Another')));
      expect(await history.readUnfinished(connectionId)).toEqual([]);
      await save(path, textWith('More'));
      expect(said(await getRules(bench))).toEqual(said(rulesWith('More')));
    });

    test('with its follow-up writes: is offered as unfinished if it denies, and the next save completes it, whatever its text', async () => {
      using bench = new Bench();
      const { path, save, textWith, rulesWith, history, before } = await openedRule(bench, how);
      const end = refuseFrom(bench, request, 1000);
      const error: unknown = await save(path, textWith('Another')).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      end();
      expectNoNewAccess(await getRules(bench), before, rulesWith('Another'));
      const denies = error instanceof IncompleteSaveError && error.progress.hidesValues;
      expect((await history.readUnfinished(connectionId)).length > 0).toBe(denies);
      // Two requests deny, after one that detects how rules are added; only a change of parties needs that.
      const isDenying = request > 2 && error !== undefined;
      expect(denies).toBe(how === 'its parties' && isDenying);
      await save(path, textWith('Else'));
      expect(said(await getRules(bench))).toEqual(said(rulesWith('Else')));
      expect(await history.readUnfinished(connectionId)).toEqual([]);
    });
  },
);

describe.each([1, 2, 3, 4, 5, 6])('rules of a column whose request %i is rejected', (request) => {
  test.each([live, { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const])(
    'are as they were, or as the next save of the same text intends: $kind',
    async (subject) => {
      using bench = new Bench();
      const { save, open, writer, history } = window(bench);
      const rules = async () => (await bench.read({ kind: 'rules', subject })) as readonly JsonObject[];
      const before = await rules();
      const [first] = before.filter(({ members }) => Array.isArray(members) && members.length > 0);
      const [table, column] = [getText(first?.['table']), getText(first?.['column'])];
      const isHere = (rule: JsonObject): boolean => rule['table'] === table && rule['column'] === column;
      const path = getPath({ kind: 'columnRules', subject, table, column });
      const shown = parseLossless(await open(path)) as readonly JsonObject[];
      const wanted = [
        ...shown.map((rule) => (rule['_id'] === first?.['_id'] ? { ...rule, members: ['Other'] } : rule)),
        { table, column, datatype: 'text', members: ['New'], shares: [{ type: 'user', partyId: 'u1' }] },
        { table, column, datatype: 'text', members: ['New'], shares: [{ type: 'group', partyId: 'g1' }] },
      ];
      const apply = async () => {
        try {
          await save(path, stringify(wanted));
        } catch (error) {
          if (!(error instanceof PlanNeededError)) {
            throw error;
          }
          await save(path, stringify(wanted), { approval: writer.approve(error.planHash) });
        }
      };
      const method = ['POST', 'PUT', 'PATCH', 'DELETE'] as const;
      bench.sandbox.faults.set([
        { kind: 'status', status: 403, methods: [...method], every: request, count: 1 },
      ]);
      const error: unknown = await apply().catch((failure: unknown) => failure);
      bench.sandbox.faults.set([]);
      if (error instanceof Error && !(error instanceof IncompleteSaveError)) {
        expect(error).toMatchObject({ name: 'HttpError', status: 403 });
        expect(said(await rules())).toEqual(said(before));
      }
      if (error !== undefined) {
        await apply();
      }
      const rest = before.filter((rule) => !isHere(rule));
      const members = (some: readonly JsonObject[]) =>
        some.map((rule) => stringify(rule['members'] ?? null)).sort();
      expect(members(await rules())).toEqual(members([...rest, ...wanted]));
      expect(await history.readUnfinished(connectionId)).toEqual([]);
    },
  );
});

describe('a renamed column whose follow-up writes the server rejected, finished from the history', () => {
  async function finished(bench: Bench) {
    const world = window(bench);
    const { writer, history, open } = world;
    const path = getPath(tableRef('Orders'));
    const table = parseLossless(await open(path)) as JsonObject;
    const columns = columnsIn(table).map((one) =>
      one['name'] === 'Status' ? { ...one, name: 'State' } : one,
    );
    const text = stringify({ ...table, columns });
    const save = (intent?: SaveIntent) => world.save(path, text, intent);
    const refused = await failure(save());
    const { operation } = (refused as PlanNeededError).plan;
    const state = await readRenameState(bench.client, createSeedOid('Retail'));
    const renames = operation.writes.flatMap((write) => findRenames(write, table));
    const whole = state && planSavedRenames(state, operation, { renames });
    const along = whole?.operation.writes.slice(1) ?? [];
    bench.sandbox.faults.set([refusing('PUT', { methods: ['PATCH', 'PUT'], every: 2 })]);
    const saving = save({ additionalWrites: along });
    expect(await failure(saving)).toMatchObject({ name: 'IncompleteSaveError', progress: { done: 1 } });
    bench.sandbox.faults.set([]);
    const [entry] = await history.readEntries(connectionId);
    await (entry && writer.resume(entry));
    return { ...world, path, text, columns };
  }

  test('is saved by the next save, which sends no write and asks no question', async () => {
    using bench = new Bench();
    const { save, path, text, open } = await finished(bench);
    const sent = bench.writesSent().length;
    expect((await save(path, text)).report).toBeUndefined();
    expect(bench.writesSent()).toHaveLength(sent);
    // Its own SQL was updated.
    expect(await open(path)).toContain("CASE WHEN [State] = 'Cancelled'");
  });

  test('is a conflict for a text that was edited further: the old name does not return without confirmation', async () => {
    using bench = new Bench();
    const { save, path, text } = await finished(bench);
    const more = stringify({ ...(parseLossless(text) as JsonObject), description: 'More' });
    expect(await failure(save(path, more))).toMatchObject({ name: 'DocumentConflictError' });
  });
});
