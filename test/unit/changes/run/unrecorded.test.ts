import { mkdirSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { english } from '../../../../src/base/localize.ts';
import { JournalError } from '../../../../src/changes/journal/journalError.ts';
import { leavesDenyRules } from '../../../../src/changes/journal/stoppedOperation.ts';
import { formatStopReason } from '../../../../src/changes/messages/stopReason.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { getObjects } from '../../../../src/changes/model/jsonMembers.ts';
import { createLiveRuleReplacementWrites } from '../../../../src/changes/rules/ruleWrites.ts';
import { StoppedError } from '../../../../src/changes/run/writeErrors.ts';
import { groups } from '../../../../src/sandbox/seeds/people.ts';
import { formatRuleTable } from '../../../../src/security/ruleTable/formatRuleTable.ts';
import { expectDefined } from '../../../support/expectations.ts';
import {
  ChangeFixture,
  connectionId,
  createOperation,
  createTableUpdate,
  getFailure,
  type WriteFault,
} from './support.ts';

const tables = ['Order Items', 'Orders', 'Products'];
const tableOperation = createOperation(
  tables.map((name) => createTableUpdate(name, { description: 'Mine' })),
  'apply',
);

/** Runs an operation; from the request with this number on, counted from 1, its journal can't be written. */
async function runUntilFull(
  fixture: ChangeFixture,
  requestNumber: number,
  { operation = tableOperation, fault }: { readonly operation?: Operation; readonly fault?: WriteFault } = {},
) {
  const { writer, history } = fixture.open();
  let path = '';
  const fill = (): void => {
    const name = readdirSync(fixture.folder, { recursive: true, encoding: 'utf8' }).find((each) =>
      each.endsWith('.jsonl'),
    );
    path = join(fixture.folder, name ?? '');
    renameSync(path, `${path}.kept`);
    mkdirSync(path);
  };
  let count = 0;
  fixture.getWriteFault = () => {
    count += 1;
    if (count === requestNumber) {
      fill();
      return fault;
    }
    return undefined;
  };
  const onBegin = requestNumber === 0 ? fill : undefined;
  const { planHash } = await writer.plan(operation);
  const approval = writer.approve(planHash);
  const failure = await getFailure(writer.run(operation, { approval, onBegin }));
  rmdirSync(path);
  renameSync(`${path}.kept`, path);
  return { writer, history, failure, folder: dirname(path) };
}

test('an operation stops before the next write if its journal cannot be written, and can be finished', async () => {
  using fixture = new ChangeFixture();
  const { writer, history, failure, folder } = await runUntilFull(fixture, 2);
  expect(failure).toBeInstanceOf(StoppedError);
  expect(failure).toMatchObject({
    cause: expect.any(JournalError),
    report: { writeStates: [{ state: 'done' }, { state: 'done' }, { state: 'waiting' }] },
    changedNothing: false,
  });
  expect(String((failure as StoppedError).cause)).toContain(`The change can't be recorded in ${folder}. `);
  expect(fixture.getWriteRequests()).toHaveLength(2);

  const [entry] = await history.readEntries(connectionId);
  expect(entry?.writeStates.map(({ state }) => state)).toEqual(['done', 'sending', 'waiting']);
  await writer.resume(expectDefined(entry));
  expect(fixture.getWriteRequests()).toHaveLength(3);
});

test('an operation whose journal cannot be written before its first write is refused', async () => {
  using fixture = new ChangeFixture();
  const { failure } = await runUntilFull(fixture, 0);
  expect(failure).toBeInstanceOf(JournalError);
  expect(fixture.getWriteRequests()).toEqual([]);
});

test.each([1, 2])(
  'an operation whose write %d fails reports that failure first, and then that of the journal',
  async (number) => {
    using fixture = new ChangeFixture();
    const { failure } = await runUntilFull(fixture, number, { fault: 'refusal' });
    expect(failure).toBeInstanceOf(StoppedError);
    expect(failure).toMatchObject({
      cause: { name: 'HttpError', status: 403 },
      journalError: expect.any(JournalError),
      changedNothing: number === 1,
    });
    const formatError = (error: unknown): string => (error as Error).name;
    expect(formatStopReason(english, failure as StoppedError, formatError)).toBe('HttpError JournalError');
  },
);

test('a change of rules whose journal cannot be written reports whether it has left temporary deny rules', async () => {
  const subject = { kind: 'live', title: 'Support Desk' } as const;
  const results = new Set<boolean>();
  for (let requestNumber = 1; requestNumber <= 4; requestNumber += 1) {
    using fixture = new ChangeFixture();
    const readRules = async () => getObjects(await fixture.read({ kind: 'rules', subject }));
    const rules = await readRules();
    const [first = {}] = rules;
    const shares = [groups.support, groups.sales].map(({ _id, name }) => ({
      type: 'group',
      partyId: _id,
      partyName: name,
    }));
    const next = { ...first, members: ['Else'], shares };
    const operation = createOperation(createLiveRuleReplacementWrites(subject, first, next));
    const { failure } = await runUntilFull(fixture, requestNumber, { operation });
    const intended = new Set([...rules, next].map((rule) => formatRuleTable([rule])));
    const hasDenyRules = (await readRules()).some((rule) => !intended.has(formatRuleTable([rule])));
    expect(failure instanceof StoppedError && leavesDenyRules(failure.report)).toBe(hasDenyRules);
    results.add(hasDenyRules);
  }
  expect(results).toContain(true);
});
