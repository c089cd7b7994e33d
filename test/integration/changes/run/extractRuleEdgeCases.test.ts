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
  createRuleCreationWrite,
  createRuleUpdateWrite,
  createRuleWrites,
} from '../../../../src/changes/rules/ruleWrites.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../../support/temporarySandbox.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const cube = { server: 'LocalHost', elasticube: 'Retail' };
const [firstGroup, secondGroup, thirdGroup, fourthGroup] = Object.values(groups).map(({ _id }) => ({
  type: 'group',
  party: _id,
}));
const everyoneElse = { type: 'default' };

const createRule = (share: JsonObject | undefined, members: readonly string[]): JsonObject => ({
  ...cube,
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
  let services: ReturnType<typeof createRealWriter>;
  let isRefused: (method: string) => boolean;
  /** Called just before each request with its method; a test may change rules there, as another user would. */
  let changeAsOtherUser: ((method: string) => Promise<unknown>) | undefined;

  beforeEach(async () => {
    sandbox = await startTemporarySandbox('demo');
    folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-changes-'));
    isRefused = () => false;
    changeAsOtherUser = undefined;
    services = createRealWriter(
      { url: sandbox.url, token: sandbox.adminToken, folder },
      (send) => async (request) => {
        await changeAsOtherUser?.(request.method);
        if (isRefused(request.method)) {
          throw new TransportFailure('refused', { mayHaveBeenSent: false });
        }
        return send(request);
      },
    );
  });
  afterEach(async () => {
    services.client.dispose();
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const readRules = async (): Promise<readonly JsonObject[]> => {
    const rules = await new DocumentReader(services.client).readDocument({ kind: 'rules', subject });
    return (rules as readonly JsonObject[]).filter(({ table }) => table === 'T');
  };
  const describeRules = async (): Promise<readonly string[]> =>
    (await readRules())
      .map(({ members, shares }) =>
        JSON.stringify([members, (shares as JsonObject[]).map(({ type }) => type)]),
      )
      .sort();
  const seedRules = async (rules: readonly JsonObject[]): Promise<readonly JsonObject[]> => {
    for (const each of rules) {
      await services.client.extractRules.create(cube, [each]);
    }
    return readRules();
  };
  const run = async (writes: readonly Write[], options: object = {}): Promise<unknown> => {
    const operation: Operation = {
      connectionId: 'c1',
      cause: 'save',
      subject: { name: 'T.C', within: [] },
      writes,
    };
    const { planHash } = await services.writer.plan(operation);
    return services.writer.run(operation, { ...options, approval: services.writer.approve(planHash) });
  };

  test('if a group rule was changed to a rule for everyone else, undo removes the rule for everyone else', async () => {
    const [old = {}] = await seedRules([createRule(firstGroup, ['a'])]);
    const before = await describeRules();
    await run([createRuleUpdateWrite(subject, { ...old, members: ['b'], shares: [everyoneElse] })]);
    const [entry] = await services.history.readEntries('c1');
    const undo = entry && (await services.writer.planUndo(entry));
    await run(undo?.operation.writes ?? [], {
      undoneEntryId: entry?.id,
      expectedVersions: undo?.expectedVersions,
      restoredIds: undo?.restoredIds,
    });
    expect(await describeRules()).toEqual(before);
  });

  test('an operation that stops after temporary deny rules were added reports that it changed something', async () => {
    await seedRules([createRule(everyoneElse, ['x'])]);
    isRefused = (method) => method === 'PUT';
    const adds = [createRule(firstGroup, ['a']), createRule(secondGroup, ['b'])];
    const stopped: unknown = await run(createRuleWrites(subject, { adds, deletes: [] })).catch(
      (error: unknown) => error,
    );
    expect(stopped).toBeInstanceOf(StoppedError);
    expect(stopped).toMatchObject({ changedNothing: false });
  });

  test('no temporary deny rule remains if the server refuses to delete single rules', async () => {
    const stored = await seedRules([
      createRule(everyoneElse, []),
      ...[firstGroup, secondGroup, thirdGroup, fourthGroup].map((share, index) =>
        createRule(share, [`v${index}`]),
      ),
    ]);
    const before = await describeRules();
    isRefused = (method) => method === 'DELETE';
    const updates = stored
      .filter(({ members }) => (members as readonly string[]).length > 0)
      .map((old, index) => ({ before: old, after: { ...old, members: [`v${(index + 1) % 4}`] } }));
    await run(createRuleWrites(subject, { adds: [], deletes: [], updates })).catch(() => undefined);
    const [entry] = await services.history.readEntries('c1');
    if (entry !== undefined && entry.end !== 'done') {
      await services.writer.rollBack(entry).catch(() => undefined);
    }
    expect(await describeRules()).toHaveLength(before.length);
  });

  test('reports that another user changed other rules of the column in the meantime', async () => {
    const [old = {}] = await seedRules([createRule(firstGroup, ['a']), createRule(everyoneElse, [])]);
    const reported: unknown[] = [];
    services.writer.onDidDetectOtherChanges((subjects) => reported.push(subjects));
    await run([createRuleUpdateWrite(subject, { ...old, members: ['b'] })]);
    expect(reported).toEqual([]);
    let isDone = false;
    changeAsOtherUser = async (method) => {
      if (method === 'PUT' && !isDone) {
        isDone = true;
        await services.client.extractRules.create(cube, [createRule(secondGroup, ['x'])]);
      }
    };
    const edited = (await readRules()).find(({ members }) => (members as string[]).includes('b'));
    await run([createRuleUpdateWrite(subject, { ...edited, members: ['c'] })]);
    expect(reported).toEqual([{ connectionId: 'c1', subject }]);
    expect(await describeRules()).toContain('[["x"],["group"]]');
    const [entry] = await services.history.readEntries('c1');
    expect(entry && getSubjectsChangedByOthers(entry)).toEqual([subject]);
  });

  test('does not create a rule when updating one that no longer exists', async () => {
    await seedRules([createRule(everyoneElse, [])]);
    const deletedRule = { ...createRule(firstGroup, ['a']), _id: '0123456789abcdef01234567' };
    await run([createRuleUpdateWrite(subject, deletedRule)]).catch(() => undefined);
    expect(await readRules()).toHaveLength(1);
    expect(createRuleCreationWrite(subject, [deletedRule]).endpoint).toBe('extractRules.create');
  });
});
