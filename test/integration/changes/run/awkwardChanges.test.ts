import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { TransportFailure } from '../../../../src/client/transport.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';
import { StoppedError, getSubjectsChangedByOthers } from '../../../../src/changes/run/writeErrors.ts';
import {
  createRuleCreation,
  createRuleUpdate,
  createRuleWrites,
} from '../../../../src/changes/rules/ruleWrites.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../../support/sandboxProcess.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const place = { server: 'LocalHost', elasticube: 'Retail' };
const [first, second, third, fourth] = Object.values(groups).map(({ _id }) => ({
  type: 'group',
  party: _id,
}));
const everyoneElse = { type: 'default' };

const rule = (share: JsonObject | undefined, members: readonly string[]): JsonObject => ({
  ...place,
  table: 'T',
  column: 'C',
  datatype: 'text',
  members,
  allMembers: members.length === 0 ? false : null,
  exclusionary: false,
  shares: share === undefined ? [] : [share],
});

describe('changes of extract rules', () => {
  let sandbox: TemporarySandbox;
  let folder: string;
  let tool: ReturnType<typeof createRealWriter>;
  let isRefused: (method: string) => boolean;
  /** A change by another user just before a request with that method. */
  let meanwhile: ((method: string) => Promise<unknown>) | undefined;

  beforeEach(async () => {
    sandbox = await startTemporarySandbox('demo');
    folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-changes-'));
    isRefused = () => false;
    meanwhile = undefined;
    tool = createRealWriter(
      { url: sandbox.url, token: sandbox.adminToken, folder },
      (send) => async (request) => {
        await meanwhile?.(request.method);
        if (isRefused(request.method)) {
          throw new TransportFailure('refused', { sent: false });
        }
        return send(request);
      },
    );
  });
  afterEach(async () => {
    tool.client.dispose();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const now = async (): Promise<readonly JsonObject[]> => {
    const rules = await new DocumentReader(tool.client).readDocument({ kind: 'rules', subject });
    return (rules as readonly JsonObject[]).filter(({ table }) => table === 'T');
  };
  const said = async (): Promise<readonly string[]> =>
    (await now())
      .map(({ members, shares }) =>
        JSON.stringify([members, (shares as JsonObject[]).map(({ type }) => type)]),
      )
      .sort();
  const seeded = async (rules: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
    for (const one of rules) {
      await tool.client.extractRules.create(place, [one]);
    }
    return now();
  };
  const run = async (writes: readonly Write[], more: object = {}): Promise<unknown> => {
    const operation: Operation = {
      connectionId: 'c1',
      cause: 'save',
      subject: { name: 'T.C', within: [] },
      writes,
    };
    const { planHash } = await tool.writer.plan(operation);
    return tool.writer.run(operation, { ...more, approval: tool.writer.approve(planHash) });
  };

  test('undoes the change of a rule into one for everyone else by removing that rule', async () => {
    const [old = {}] = await seeded([rule(first, ['a'])]);
    const before = await said();
    await run([createRuleUpdate(subject, { ...old, members: ['b'], shares: [everyoneElse] })]);
    const [entry] = await tool.history.readEntries('c1');
    const back = entry && (await tool.writer.planUndo(entry));
    await run(back?.operation.writes ?? [], { undoes: entry?.id, expect: back?.expect, moved: back?.moved });
    expect(await said()).toEqual(before);
  });

  test('reports a stop as a change where temporary deny rules were added', async () => {
    await seeded([rule(everyoneElse, ['x'])]);
    isRefused = (method) => method === 'PUT';
    const adds = [rule(first, ['a']), rule(second, ['b'])];
    const stopped: unknown = await run(createRuleWrites(subject, { adds, deletes: [] })).catch(
      (error: unknown) => error,
    );
    expect(stopped).toBeInstanceOf(StoppedError);
    expect(stopped).toMatchObject({ changedNothing: false });
  });

  test('denies no one permanently if the server refuses to delete single rules', async () => {
    const held = await seeded([
      rule(everyoneElse, []),
      ...[first, second, third, fourth].map((share, at) => rule(share, [`v${at}`])),
    ]);
    const before = await said();
    isRefused = (method) => method === 'DELETE';
    const updates = held
      .filter(({ members }) => (members as readonly string[]).length > 0)
      .map((old, at) => ({ before: old, after: { ...old, members: [`v${(at + 1) % 4}`] } }));
    await run(createRuleWrites(subject, { adds: [], deletes: [], updates })).catch(() => undefined);
    const [entry] = await tool.history.readEntries('c1');
    if (entry !== undefined && entry.end !== 'done') {
      await tool.writer.rollBack(entry).catch(() => undefined);
    }
    expect(await said()).toHaveLength(before.length);
  });

  test('reports that another user changed other rules of the column in the meantime', async () => {
    const [old = {}] = await seeded([rule(first, ['a']), rule(everyoneElse, [])]);
    const met: unknown[] = [];
    tool.writer.onDidDetectOtherChanges((subjects) => met.push(subjects));
    await run([createRuleUpdate(subject, { ...old, members: ['b'] })]);
    expect(met).toEqual([]);
    let isDone = false;
    meanwhile = async (method) => {
      if (method === 'PUT' && !isDone) {
        isDone = true;
        await tool.client.extractRules.create(place, [rule(second, ['x'])]);
      }
    };
    const edited = (await now()).find(({ members }) => (members as string[]).includes('b'));
    await run([createRuleUpdate(subject, { ...edited, members: ['c'] })]);
    expect(met).toEqual([{ connectionId: 'c1', subject }]);
    expect(await said()).toContain('[["x"],["group"]]');
    const [entry] = await tool.history.readEntries('c1');
    expect(entry && getSubjectsChangedByOthers(entry)).toEqual([subject]);
  });

  test('does not create a rule when updating one that no longer exists', async () => {
    await seeded([rule(everyoneElse, [])]);
    const gone = { ...rule(first, ['a']), _id: '0123456789abcdef01234567' };
    await run([createRuleUpdate(subject, gone)]).catch(() => undefined);
    expect(await now()).toHaveLength(1);
    expect(createRuleCreation(subject, [gone]).endpoint).toBe('extractRules.create');
  });
});
