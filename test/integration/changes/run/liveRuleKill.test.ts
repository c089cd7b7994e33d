import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killedWriterProgram } from '../../../support/programs.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import { type TemporarySandbox, startTemporarySandbox } from '../../../support/temporarySandbox.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { expectNoNewAccess } from '../../../support/noNewAccess.ts';
import type { KillPoint, WritingJob } from './killedWriter.ts';

const subject = { kind: 'live', title: 'Support Desk' } as const;

/** The rules without the fields that differ each time they are created. */
const getContents = (rules: readonly JsonObject[]): readonly string[] =>
  rules
    .map(({ table, column, members, allMembers, shares }) =>
      JSON.stringify({
        table,
        column,
        members,
        allMembers,
        shares: (shares as readonly JsonObject[]).map(({ type, partyId }) => ({ type, partyId })),
      }),
    )
    .sort();

describe('a process that is killed while it replaces a live rule', () => {
  let sandbox: TemporarySandbox;
  let folder: string;

  beforeAll(async () => {
    sandbox = await startTemporarySandbox('demo');
    folder = await mkdtemp(join(tmpdir(), 'killed-'));
  });
  afterAll(async () => {
    await sandbox.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const getWriterOptions = (name: string) => ({
    url: sandbox.url,
    token: sandbox.adminToken,
    folder: join(folder, name),
  });
  const readRules = async (): Promise<readonly JsonObject[]> => {
    const { client } = createRealWriter(getWriterOptions('reader'));
    const rules = await new DocumentReader(client).readDocument({ kind: 'rules', subject });
    client.dispose();
    return rules as readonly JsonObject[];
  };

  /** Replaces the rule of the support group in a separate process, which is killed at the given point. */
  async function replaceAndKill(name: string, kill: KillPoint) {
    const old = await readRules();
    const rule = old.find(
      ({ column, members }) => column === 'Country' && (members as readonly unknown[]).length === 2,
    );
    const newRule = {
      ...rule,
      members: ['Austria', 'France'],
      shares: [
        { type: 'group', partyId: groups.support._id },
        { type: 'group', partyId: groups.sales._id },
      ],
    };
    const operation: Operation = {
      connectionId: 'c1',
      cause: 'save',
      subject: { name: 'Tickets.Country', within: ['Support Desk'] },
      writes: createLiveRuleReplacementWrites(subject, rule ?? {}, newRule),
    };
    const job: WritingJob = { ...getWriterOptions(name), operation, kill };
    const child = spawn(process.execPath, [killedWriterProgram, JSON.stringify(job)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    const target = [...old.filter((other) => other !== rule), newRule];
    const { writer, history, client } = createRealWriter(getWriterOptions(name));
    const [entry, ...others] = await history.readUnfinishedEntries('c1');
    expect(others).toEqual([]);
    if (entry === undefined) {
      throw new Error('Nothing was left unfinished');
    }
    return { old, target, writer, history, client, entry };
  }

  const killPoints = [0, 1, 2, 3].flatMap((writeIndex) => [
    { writeIndex, when: 'before' } as const,
    { writeIndex, when: 'after' } as const,
  ]);

  test.each(killPoints)(
    'killed $when write $writeIndex: the next window finishes the change',
    async (kill) => {
      const { old, target, writer, history, client, entry } = await replaceAndKill(
        `finish-${kill.writeIndex}-${kill.when}`,
        kill,
      );
      expectNoNewAccess(await readRules(), old, target);
      const report = await writer.resume(entry);
      expect(report.writeStates.every(({ state }) => state === 'done')).toBe(true);
      expect(getContents(await readRules())).toEqual(getContents(target));
      expect(await history.readUnfinishedEntries('c1')).toEqual([]);
      const [done] = await history.readEntries('c1');
      const undo = done && (await writer.planUndo(done));
      await writer.run(undo?.operation ?? { ...entry.operation, writes: [] });
      expect(getContents(await readRules())).toEqual(getContents(old));
      client.dispose();
    },
  );

  test.each(killPoints)(
    'killed $when write $writeIndex: the next window rolls the change back',
    async (kill) => {
      const { old, target, writer, history, client, entry } = await replaceAndKill(
        `roll-back-${kill.writeIndex}-${kill.when}`,
        kill,
      );
      expectNoNewAccess(await readRules(), old, target);
      await writer.rollBack(entry);
      expect(getContents(await readRules())).toEqual(getContents(old));
      expect(await history.readUnfinishedEntries('c1')).toEqual([]);
      client.dispose();
    },
  );
});
