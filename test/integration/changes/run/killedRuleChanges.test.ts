import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killedWriterProgram } from '../../../support/programs.ts';
import { createBulkRuleOperation } from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { parseRuleDocuments, fulfills } from '../../../../src/changes/rules/parsedRuleDocument.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { History } from '../../../../src/changes/journal/history.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { groups, people } from '../../../../src/sandbox/seeds/people.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { expectNoNewAccess } from '../../../support/noNewAccess.ts';
import { sandboxProfile } from '../../../support/profile.ts';
import { isSoak } from '../../../support/soak.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { startTemporarySandbox, type TemporarySandbox } from '../../../support/temporarySandbox.ts';
import type { WritingJob } from './killedWriter.ts';

const connectionId = 'c1';

const subjects = {
  extract: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
  live: { kind: 'live', title: 'Support Desk' },
} as const satisfies Readonly<Record<string, RuleSubject>>;

const createShare = (type: 'user' | 'group', { _id }: { readonly _id: string }) => ({ type, partyId: _id });
const createListRule = (members: readonly string[], ...shares: readonly object[]): JsonObject => ({
  table: 'Killed',
  column: 'Column',
  datatype: 'text',
  members,
  allMembers: null,
  // The shares consist of texts and lists, so they are JSON.
  shares: shares as readonly JsonObject[],
});

/**
 * Some of these rules change their lists, one is deleted, one is added, and one is for other parties: no order of these
 * changes is safe on its own.
 */
const before: readonly JsonObject[] = [
  { ...createListRule([], { type: 'default' }), allMembers: false },
  createListRule(['a', 'b'], createShare('group', groups.support)),
  createListRule(['b', 'c'], createShare('group', groups.sales)),
  createListRule(['c'], createShare('user', people.kavya)),
];
const after: readonly JsonObject[] = [
  { ...createListRule([], { type: 'default' }), allMembers: false },
  createListRule(['c', 'd'], createShare('group', groups.support)),
  createListRule(['a'], createShare('group', groups.sales), createShare('group', groups.executives)),
  createListRule(['d'], createShare('user', people.liam)),
];

/** A soak kills changes of both kinds of rules in each profile; otherwise each profile has one. */
const kinds = (['extract', 'live'] as const).filter(
  (kind) => isSoak || (kind === 'live') === (sandboxProfile === 'contract'),
);

interface KilledChange {
  readonly writer: Writer;
  readonly history: History;
  readonly entry: HistoryEntry;
  readonly dispose: () => void;
}

describe.each(['add', 'overwrite', 'overwrite-new-id'] as const)(
  'when the server treats a POST for the same parties as %s',
  (sameShares) => {
    let sandbox: TemporarySandbox;
    let folder: string;

    beforeAll(async () => {
      sandbox = await startTemporarySandbox('demo', { profile: sandboxProfile, sameShares });
      folder = await mkdtemp(join(tmpdir(), 'killed-rules-'));
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

    async function readRules(subject: RuleSubject): Promise<readonly JsonObject[]> {
      const { client } = createRealWriter(getWriterOptions('reader'));
      try {
        return getObjects(await new DocumentReader(client).readDocument({ kind: 'rules', subject }));
      } finally {
        client.dispose();
      }
    }

    /** Makes these the rules of the column, as a user would. */
    async function setRules(subject: RuleSubject, target: readonly JsonObject[]): Promise<void> {
      const { client, writer } = createRealWriter(getWriterOptions('setting'));
      const operation = await createChange(subject, target);
      const { planHash } = await writer.plan(operation);
      await writer.run(operation, { approval: writer.approve(planHash) });
      client.dispose();
    }

    async function createChange(subject: RuleSubject, target: readonly JsonObject[]) {
      const old = (await readRules(subject)).filter(({ table }) => table === 'Killed');
      const [oldRules, newRules] = [parseRuleDocuments(old), parseRuleDocuments(target)];
      return createBulkRuleOperation({ connectionId, within: [] }, subject, {
        adds: newRules
          .filter((rule) => !oldRules.some((other) => fulfills(other, rule)))
          .map(({ document }) => document),
        deletes: oldRules
          .filter((rule) => !newRules.some((other) => fulfills(other, rule)))
          .map(({ document }, index) => ({ rule: document, index })),
      });
    }

    /**
     * Starts the change in its own process, which is killed right after the response of a write; `undefined` if the change
     * completed.
     */
    async function startAndKill(
      name: string,
      writeIndex: number,
      subject: RuleSubject,
    ): Promise<KilledChange | undefined> {
      const operation = await createChange(subject, after);
      const job: WritingJob = { ...getWriterOptions(name), operation, kill: { writeIndex, when: 'after' } };
      const child = spawn(process.execPath, [killedWriterProgram, JSON.stringify(job)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      if (code === 0) {
        return undefined;
      }
      expect(signal).toBe('SIGKILL');
      const { writer, history, client } = createRealWriter(getWriterOptions(name));
      const [entry, ...others] = await history.readUnfinishedEntries(connectionId);
      expect(others).toEqual([]);
      if (entry === undefined) {
        throw new Error('Nothing was left unfinished');
      }
      return { writer, history, entry, dispose: () => client.dispose() };
    }

    const parseColumnRules = (rules: readonly JsonObject[]) =>
      parseRuleDocuments(rules.filter(({ table }) => table === 'Killed'));

    async function expectRules(
      subject: RuleSubject,
      target: readonly JsonObject[],
      otherRules: readonly JsonObject[],
    ) {
      const all = await readRules(subject);
      const [rulesNow, newRules] = [parseColumnRules(all), parseRuleDocuments(target)];
      expect(rulesNow).toHaveLength(newRules.length);
      expect(newRules.filter((rule) => !rulesNow.some((other) => fulfills(other, rule)))).toEqual([]);
      expect(all.filter(({ table }) => table !== 'Killed')).toEqual(otherRules);
    }

    test.each(kinds)(
      'changes of rules (%s) that a killed process left behind are finished, undone, and rolled back from every point',
      async (kind) => {
        const subject = subjects[kind];
        const otherRules = await readRules(subject);
        let killsWithDenyRules = 0;
        let kills = 0;
        const recoveries = ['finish', 'roll back'] as const;
        const firstRecovery = kind === 'extract' ? 0 : 1;
        for (let write = 0, isComplete = false; !isComplete; write += 1) {
          // A soak tests both recoveries after each kill. Otherwise, they alternate from kill to kill, starting with a
          // different one for each kind of rule.
          const recoveriesToTry = recoveries.filter(
            (_, index) => isSoak || index === (write + firstRecovery) % 2,
          );
          for (const recovery of recoveriesToTry) {
            await setRules(subject, before);
            const killed = await startAndKill(`${kind}-${recovery}-${write}`, write, subject);
            if (killed === undefined) {
              await expectRules(subject, after, otherRules);
              isComplete = true;
              break;
            }
            const { writer, history, entry, dispose } = killed;
            kills += 1;
            // Temporary deny rules are journaled before their first request, so the entry names them after the kill.
            killsWithDenyRules += entry.denyScopes.length > 0 ? 1 : 0;
            expectNoNewAccess(
              await readRules(subject),
              [...otherRules, ...before],
              [...otherRules, ...after],
            );
            if (recovery === 'finish') {
              await writer.resume(entry);
              await expectRules(subject, after, otherRules);
              const [done] = await history.readEntries(connectionId);
              const undo = done && (await writer.planUndo(done));
              const approval = undo && writer.approve((await writer.plan(undo.operation)).planHash);
              await (undo &&
                writer.run(undo.operation, {
                  approval,
                  expectedVersions: undo.expectedVersions,
                  undoneEntryId: entry.id,
                }));
            } else {
              await writer.rollBack(entry);
            }
            await expectRules(subject, before, otherRules);
            expect(await history.readUnfinishedEntries(connectionId)).toEqual([]);
            dispose();
          }
        }
        expect(kills).toBeGreaterThan(4);
        expect(killsWithDenyRules).toBeGreaterThanOrEqual(kills / 2);
      },
    );
  },
);
