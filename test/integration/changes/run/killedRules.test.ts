import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { killedWriterProgram } from '../../../support/programs.ts';
import { changeManyRules } from '../../../../src/changes/operations/ruleActions.ts';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { RuleSubject } from '../../../../src/catalog/ruleSubject.ts';
import { toParsedRules, fulfills } from '../../../../src/changes/rules/parsedRule.ts';
import type { HistoryEntry } from '../../../../src/changes/journal/entry.ts';
import type { History } from '../../../../src/changes/journal/history.ts';
import { getObjects } from '../../../../src/changes/model/readJson.ts';
import { groups, people } from '../../../../src/sandbox/seeds/people.ts';
import { DocumentReader } from '../../../../src/changes/model/documentReader.ts';
import type { Writer } from '../../../../src/changes/run/writer.ts';
import { expectNoNewAccess } from '../../../support/noNewAccess.ts';
import { sandboxProfile } from '../../../support/profile.ts';
import { createRealWriter } from '../../../support/createRealWriter.ts';
import { startTemporarySandbox, type TemporarySandbox } from '../../../support/sandboxProcess.ts';
import type { WritingJob } from './killedWriter.ts';

const connectionId = 'c1';

const subjects = {
  extract: { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' },
  live: { kind: 'live', title: 'Support Desk' },
} as const satisfies Readonly<Record<string, RuleSubject>>;

const party = (type: 'user' | 'group', { _id }: { readonly _id: string }) => ({ type, partyId: _id });
const list = (members: readonly string[], ...shares: readonly object[]): JsonObject => ({
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
  { ...list([], { type: 'default' }), allMembers: false },
  list(['a', 'b'], party('group', groups.support)),
  list(['b', 'c'], party('group', groups.sales)),
  list(['c'], party('user', people.kavya)),
];
const after: readonly JsonObject[] = [
  { ...list([], { type: 'default' }), allMembers: false },
  list(['c', 'd'], party('group', groups.support)),
  list(['a'], party('group', groups.sales), party('group', groups.executives)),
  list(['d'], party('user', people.liam)),
];

interface Killed {
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

    const access = (name: string) => ({
      url: sandbox.url,
      token: sandbox.adminToken,
      folder: join(folder, name),
    });

    async function rulesNow(subject: RuleSubject): Promise<readonly JsonObject[]> {
      const { client } = createRealWriter(access('reader'));
      try {
        return getObjects(await new DocumentReader(client).readDocument({ kind: 'rules', subject }));
      } finally {
        client.dispose();
      }
    }

    /** Makes these the rules of the column, as a user would. */
    async function setRules(subject: RuleSubject, wanted: readonly JsonObject[]): Promise<void> {
      const { client, writer } = createRealWriter(access('setting'));
      const operation = await changeTo(subject, wanted);
      const { planHash } = await writer.plan(operation);
      await writer.run(operation, { approval: writer.approve(planHash) });
      client.dispose();
    }

    async function changeTo(subject: RuleSubject, wanted: readonly JsonObject[]) {
      const old = (await rulesNow(subject)).filter(({ table }) => table === 'Killed');
      const [heldOld, held] = [toParsedRules(old), toParsedRules(wanted)];
      return changeManyRules({ connectionId, within: [] }, subject, {
        adds: held.filter((rule) => !heldOld.some((one) => fulfills(one, rule))).map(({ rule }) => rule),
        deletes: heldOld
          .filter((rule) => !held.some((one) => fulfills(one, rule)))
          .map(({ rule }, index) => ({ rule, index })),
      });
    }

    /**
     * Starts the change in its own process, which is killed after that many writes; `undefined` if the change
     * completed.
     */
    async function killedAfter(
      name: string,
      write: number,
      subject: RuleSubject,
    ): Promise<Killed | undefined> {
      const operation = await changeTo(subject, after);
      const job: WritingJob = { ...access(name), operation, kill: { write, when: 'after' } };
      const child = spawn(process.execPath, [killedWriterProgram, JSON.stringify(job)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
      if (code === 0) {
        return undefined;
      }
      expect(signal).toBe('SIGKILL');
      const { writer, history, client } = createRealWriter(access(name));
      const [entry, ...others] = await history.readUnfinished(connectionId);
      expect(others).toEqual([]);
      if (entry === undefined) {
        throw new Error('Nothing was left unfinished');
      }
      return { writer, history, entry, dispose: () => client.dispose() };
    }

    const ofColumn = (rules: readonly JsonObject[]) =>
      toParsedRules(rules.filter(({ table }) => table === 'Killed'));

    async function expectRules(
      subject: RuleSubject,
      wanted: readonly JsonObject[],
      rest: readonly JsonObject[],
    ) {
      const all = await rulesNow(subject);
      const [now, held] = [ofColumn(all), toParsedRules(wanted)];
      expect(now).toHaveLength(held.length);
      expect(held.filter((rule) => !now.some((one) => fulfills(one, rule)))).toEqual([]);
      expect(all.filter(({ table }) => table !== 'Killed')).toEqual(rest);
    }

    test.each(['extract', 'live'] as const)(
      'finishes, undoes and rolls back changes of rules (%s) that a killed process left behind, from every point',
      async (kind) => {
        const subject = subjects[kind];
        const rest = await rulesNow(subject);
        let denying = 0;
        let kills = 0;
        for (const ending of ['finish', 'roll back'] as const) {
          for (let write = 0; ; write += 1) {
            await setRules(subject, before);
            const killed = await killedAfter(`${kind}-${ending}-${write}`, write, subject);
            if (killed === undefined) {
              await expectRules(subject, after, rest);
              break;
            }
            const { writer, history, entry, dispose } = killed;
            kills += 1;
            // Temporary deny rules are journaled before their first request, so the entry names them after the kill.
            denying += entry.denySpots.length > 0 ? 1 : 0;
            expectNoNewAccess(await rulesNow(subject), [...rest, ...before], [...rest, ...after]);
            if (ending === 'finish') {
              await writer.resume(entry);
              await expectRules(subject, after, rest);
              const [done] = await history.readEntries(connectionId);
              const back = done && (await writer.planUndo(done));
              const permit = back && writer.approve((await writer.plan(back.operation)).planHash);
              await (back &&
                writer.run(back.operation, { approval: permit, expect: back.expect, undoes: entry.id }));
            } else {
              await writer.rollBack(entry);
            }
            await expectRules(subject, before, rest);
            expect(await history.readUnfinished(connectionId)).toEqual([]);
            dispose();
          }
        }
        expect(kills).toBeGreaterThan(4);
        expect(denying).toBeGreaterThanOrEqual(kills / 2);
      },
    );
  },
);
