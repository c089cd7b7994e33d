import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { replaceLiveRule } from '../../../src/writes/liveRuleReplacement.ts';
import type { Operation } from '../../../src/writes/operation.ts';
import { effectiveAccess } from '../../../src/security/index.ts';
import { groups, people } from '../../../src/sandbox/seeds/people.ts';
import { DocumentReader } from '../../../src/writes/documentReader.ts';
import { type TestSandbox, startTestSandbox } from '../../support/sandboxProcess.ts';
import { realWriter } from '../../support/realWriter.ts';
import type { KillPoint, WritingJob } from './killedWriter.ts';

const subject = { kind: 'live', title: 'Support Desk' } as const;
const script = join(import.meta.dirname, 'killedWriter.ts');

/** Who might see something: in one group, in both, by themselves, in none. */
const parties = [
  { userId: 'x', groupIds: [groups.support._id] },
  { userId: 'x', groupIds: [groups.executives._id] },
  { userId: 'x', groupIds: [groups.support._id, groups.executives._id] },
  { userId: people.kavya._id, groupIds: [groups.support._id] },
  { userId: people.kavya._id, groupIds: [] },
  { userId: 'x', groupIds: [] },
];
const values = ['Germany', 'Switzerland', 'Austria', 'France', 'Anything else'];

/** The countries that a party sees under some rules. */
function seen(
  rules: readonly JsonObject[],
  party: (typeof parties)[number],
  mode: 'union' | 'intersection',
): readonly string[] {
  const access = effectiveAccess(rules, party, { groups: mode }).find(
    ({ table, column }) => table === 'Tickets' && column === 'Country',
  );
  switch (access?.verdict) {
    case 'none':
      return [];
    case 'only':
      return values.filter((value) => access.values.includes(value));
    case 'except':
      return values.filter((value) => !access.values.includes(value));
    case 'all':
    case 'ambiguous':
    case undefined:
      return values;
  }
}

/** Nobody sees what neither the old nor the new rules show, however groups are combined. */
function expectNothingNew(
  now: readonly JsonObject[],
  old: readonly JsonObject[],
  next: readonly JsonObject[],
): void {
  for (const party of parties) {
    for (const mode of ['union', 'intersection'] as const) {
      const shown = new Set([...seen(old, party, mode), ...seen(next, party, mode)]);
      const extra = seen(now, party, mode).filter((value) => !shown.has(value));
      expect(extra, JSON.stringify({ party, mode })).toEqual([]);
    }
  }
}

/** The rules without what differs from one making to the next. */
const contents = (rules: readonly JsonObject[]): readonly string[] =>
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

describe('a live rule that is replaced while the process is killed', () => {
  let sandbox: TestSandbox;
  let folder: string;

  beforeAll(async () => {
    sandbox = await startTestSandbox('demo');
    folder = await mkdtemp(join(tmpdir(), 'killed-'));
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
  const rulesNow = async (): Promise<readonly JsonObject[]> => {
    const { client } = realWriter(access('reader'));
    const rules = await new DocumentReader(client).document({ kind: 'rules', subject });
    client.dispose();
    return rules as readonly JsonObject[];
  };

  /** Replaces the rule of the support group in a process of its own, which is killed on the way. */
  async function interrupted(name: string, kill: KillPoint) {
    const old = await rulesNow();
    const rule = old.find(
      ({ column, members }) => column === 'Country' && (members as readonly unknown[]).length === 2,
    );
    const next = {
      ...rule,
      members: ['Austria', 'France'],
      shares: [
        { type: 'group', partyId: groups.support._id },
        { type: 'group', partyId: groups.executives._id },
      ],
    };
    const operation: Operation = {
      connectionId: 'c1',
      cause: 'save',
      subject: { name: 'Tickets.Country', within: ['Support Desk'] },
      writes: replaceLiveRule(subject, rule ?? {}, next),
    };
    const job: WritingJob = { ...access(name), operation, kill };
    const child = spawn(process.execPath, [script, JSON.stringify(job)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGKILL');
    const wanted = [...old.filter((one) => one !== rule), next];
    const { writer, history, client } = realWriter(access(name));
    const [entry, ...others] = await history.unfinished('c1');
    expect(others).toEqual([]);
    if (entry === undefined) {
      throw new Error('Nothing was left unfinished');
    }
    return { old, wanted, writer, history, client, entry };
  }

  const points = [0, 1, 2, 3].flatMap((write) => [
    { write, when: 'before' } as const,
    { write, when: 'after' } as const,
  ]);

  test.each(points)('$when write $write: is finished by the next window', async (kill) => {
    const { old, wanted, writer, history, client, entry } = await interrupted(
      `on-${kill.write}-${kill.when}`,
      kill,
    );
    expectNothingNew(await rulesNow(), old, wanted);
    const report = await writer.resume(entry);
    expect(report.writes.every(({ state }) => state === 'done')).toBe(true);
    expect(contents(await rulesNow())).toEqual(contents(wanted));
    expect(await history.unfinished('c1')).toEqual([]);
    const [done] = await history.entries('c1');
    const back = done && (await writer.undoOf(done));
    await writer.run(back?.operation ?? { ...entry.operation, writes: [] });
    expect(contents(await rulesNow())).toEqual(contents(old));
    client.dispose();
  });

  test.each(points)('$when write $write: is rolled back by the next window', async (kill) => {
    const { old, wanted, writer, history, client, entry } = await interrupted(
      `back-${kill.write}-${kill.when}`,
      kill,
    );
    expectNothingNew(await rulesNow(), old, wanted);
    await writer.rollBack(entry);
    expect(contents(await rulesNow())).toEqual(contents(old));
    expect(await history.unfinished('c1')).toEqual([]);
    client.dispose();
  });
});
