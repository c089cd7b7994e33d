import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { connectionId, createCountryRule, createOperation } from '../run/support.ts';

const subject = { kind: 'live', title: 'Support Desk' } as const;
const replacement = createOperation(
  createLiveRuleReplacementWrites(subject, createCountryRule('A'), createCountryRule('B')),
);
const emptyEnd = { versionsAfter: [], changedIds: [] };

/** A history with almost no room, in two windows. */
function createTwoWindows() {
  const folder = mkdtempSync(join(tmpdir(), 'datamodel-studio-pruning-'));
  const clock = new FakeClock();
  const limits = () => ({ maxBytes: 1, maxAgeMs: 1e12 });
  const open = () => new History({ folder, getLimits: limits, clock, log: silentLog });
  const [history, other] = [open(), open()];
  const readIds = async () => (await history.readEntries(connectionId)).map(({ id }) => id);
  const begin = async (targetHistory: History, wanted: Operation = createOperation([]), undoes?: string) => {
    await clock.advance(10);
    return targetHistory.begin({ operation: wanted, before: [], undoneEntryId: undoes });
  };
  const change = async (undoes?: string) => {
    const entry = await begin(history, createOperation([]), undoes);
    await entry.end('done', emptyEnd);
    return entry.id;
  };
  const dispose = () => rmSync(folder, { recursive: true, force: true });
  return { history, other, begin, change, readIds, [Symbol.dispose]: dispose };
}

test('only the last change is kept if there is no room for more', async () => {
  using windows = createTwoWindows();
  await windows.change();
  const last = await windows.change();
  expect(await windows.readIds()).toEqual([last]);
});

test('a stopped change with temporary deny rules in force is kept until it is undone, however full the history is', async () => {
  using windows = createTwoWindows();
  const stopped = await windows.begin(windows.history, replacement);
  await stopped.recordDenyScopes(['somewhere']);
  for (const write of replacement.writes.keys()) {
    await stopped.recordSending(write);
    await stopped.recordResult(write, { state: 'failed', path: '/', ms: 0, denied: 'open' });
  }
  await stopped.end('stopped', emptyEnd);
  await windows.change();
  const last = await windows.change();
  expect(await windows.readIds()).toEqual([last, stopped.id]);
  expect((await windows.history.readEntry(connectionId, stopped.id))?.denyScopes).toEqual(['somewhere']);
  expect((await windows.history.readUnfinishedEntries(connectionId)).map(({ id }) => id)).toEqual([
    stopped.id,
  ]);
  const undo = await windows.change(stopped.id);
  expect(await windows.readIds()).toEqual([undo]);
});

test('a change in progress in another window is kept', async () => {
  using windows = createTwoWindows();
  const running = await windows.begin(windows.other, replacement);
  await windows.change();
  const last = await windows.change();
  expect(await windows.readIds()).toEqual([last, running.id]);
});

test('a change whose rollback is done is removed like any other, although the end of the change was not recorded', async () => {
  using windows = createTwoWindows();
  const interrupted = await windows.begin(windows.history);
  await interrupted.release();
  const undo = await windows.change(interrupted.id);
  expect(await windows.readIds()).toEqual([undo]);
});
