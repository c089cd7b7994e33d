import { expect, test } from 'vitest';
import type { HistoryEntry } from '../../../src/changes/journal/entry.ts';
import type { Write } from '../../../src/changes/model/operation.ts';
import { findInterruptedRuleChange } from '../../../src/cli/interruptedChange.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const otherSubject = { ...subject, elasticube: 'Marketing' };
const connectionId = 'c';

const createRuleWrite = (elasticube: string): Write => ({
  endpoint: 'extractRules.create',
  params: { server: 'LocalHost', elasticube },
  body: [],
  target: { kind: 'rules', subject: { ...subject, elasticube } },
});

/** An interrupted change that the history shows under a name. */
const createEntry = (id: string, name: string, writes: readonly Write[]): HistoryEntry => ({
  id,
  startedAt: 1,
  operation: { connectionId, cause: 'apply', subject: { name, within: [] }, writes },
  before: [],
  writeStates: [],
  denyScopes: [],
  createdRuleIds: [],
  versionsAfter: [],
  changedIds: [],
  pid: 1,
});

test('an interrupted change of rules is found by its writes, whatever its name', async () => {
  const descriptionWrite: Write = { endpoint: 'tables.update', params: { datamodelId: 'd' }, body: {} };
  const entries = [
    createEntry('description', 'Retail', [descriptionWrite]),
    createEntry('apply', 'my-project', [descriptionWrite, createRuleWrite('Retail')]),
  ];
  const history = { readUnfinishedEntries: () => Promise.resolve(entries) };
  expect(await findInterruptedRuleChange(history, connectionId, subject)).toMatchObject({ id: 'apply' });
  expect(await findInterruptedRuleChange(history, connectionId, otherSubject)).toBeUndefined();
});
