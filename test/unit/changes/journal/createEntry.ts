import type { HistoryEntry, WriteState } from '../../../../src/changes/journal/entry.ts';
import type { Operation, Write } from '../../../../src/changes/model/operation.ts';

/** Creates an entry of the history: its writes, each with its state, and what a test adds. */
export const createEntry = (
  writes: readonly (readonly [write: Write, state: WriteState])[],
  {
    operation,
    ...fields
  }: Partial<Omit<HistoryEntry, 'operation'>> & { readonly operation?: Partial<Operation> } = {},
): HistoryEntry => ({
  id: 'e',
  startedAt: 1,
  operation: {
    connectionId: 'c',
    cause: 'save',
    subject: { name: 'It', within: [] },
    writes: writes.map(([write]) => write),
    ...operation,
  },
  before: [],
  writeStates: writes.map(([, state]) => state),
  denyScopes: [],
  createdRuleIds: [],
  versionsAfter: [],
  changedIds: [],
  pid: 1,
  ...fields,
});

/** The state of a completed write. */
export const createDone = (fields: Partial<Extract<WriteState, { path: string }>> = {}): WriteState => ({
  state: 'done',
  path: '',
  ms: 0,
  ...fields,
});
