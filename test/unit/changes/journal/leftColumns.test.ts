import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { findUnchangedColumns } from '../../../../src/changes/journal/changedColumns.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createDone, createEntry } from './createEntry.ts';

const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
const createRule = (member: string): JsonObject => ({
  _id: `id of ${member}`,
  table: 'Orders',
  column: 'Channel',
  datatype: 'text',
  members: [member],
  shares: [{ type: 'user', party: member }],
});
const [kept, first, second, added] = ['kept', 'first', 'second', 'added'].map(createRule) as [
  JsonObject,
  JsonObject,
  JsonObject,
  JsonObject,
];
const ref = { kind: 'rules', subject } as const;
const createDeletion = ({ _id }: JsonObject): Write => ({
  endpoint: 'extractRules.delete',
  params: { server: 'LocalHost', elasticube: 'Retail', ruleId: getText(_id) },
  target: ref,
});
const addition: Write = {
  endpoint: 'extractRules.create',
  params: { server: 'LocalHost', elasticube: 'Retail' },
  body: [added],
  target: ref,
};
const waiting: WriteState = { state: 'waiting' };
const sending: WriteState = { state: 'sending' };
const failed: WriteState = { state: 'failed', path: '', ms: 0 };
const partly: WriteState = { ...failed, partly: true };

/** Returns whether the current rules are left by a change of two deletions and an addition with these states. */
const isLeft = (states: readonly [WriteState, WriteState, WriteState], current: readonly JsonObject[]) => {
  const [deletionOfFirst, deletionOfSecond, stateOfAddition] = states;
  const entry = createEntry(
    [
      [createDeletion(first), deletionOfFirst],
      [createDeletion(second), deletionOfSecond],
      [addition, stateOfAddition],
    ],
    { before: [{ ref, document: [kept, first, second] }], end: 'stopped', isAbandoned: true },
  );
  return findUnchangedColumns(entry, subject, current).length > 0;
};

test.each([
  ['the rules after all of its writes', [createDone(), createDone(), createDone()], [kept, added], true],
  [
    'a rule that was deleted, and another one that may have been',
    [createDone(), sending, failed],
    [kept, second],
    true,
  ],
  ['a rule that was deleted in part of a step', [createDone(), partly, failed], [kept], true],
  ['a rule that may have been added', [createDone(), createDone(), sending], [kept, added], true],
  ['a deletion that did not happen', [createDone(), failed, failed], [kept, second], true],
  ['the deletion of a rule that the change has not deleted', [createDone(), failed, failed], [kept], false],
  [
    'the deletion of a rule that the change has not touched',
    [createDone(), sending, sending],
    [second],
    false,
  ],
  [
    'a rule that the change has not added',
    [createDone(), sending, failed],
    [kept, createRule('other')],
    false,
  ],
  ['a rule that was deleted and is there again', [createDone(), createDone(), failed], [kept, first], false],
  ['the deletion of an added rule', [createDone(), createDone(), createDone()], [kept], false],
  [
    'another data type of a rule that the change has not touched',
    [createDone(), createDone(), createDone()],
    [{ ...kept, datatype: 'numeric' }, added],
    false,
  ],
  [
    'another data type of a rule that the change has added',
    [createDone(), createDone(), createDone()],
    [kept, { ...added, datatype: 'numeric' }],
    false,
  ],
  [
    'rules that the change has not begun to change',
    [waiting, waiting, waiting],
    [kept, first, second],
    false,
  ],
  ['rules that the change has failed to change', [failed, waiting, waiting], [kept, first, second], false],
  [
    'rules that the change may have begun to change',
    [sending, waiting, waiting],
    [kept, first, second],
    true,
  ],
] as const)(
  'the rules of a column are compared with what a stopped change has left: %s',
  (_name, states, current, isExplained) => {
    expect(isLeft(states, current)).toBe(isExplained);
  },
);

test.each([
  ['the rule as it was', [kept, first], true],
  ['the rule as requested', [kept, second], true],
  ['neither, since others have deleted it', [kept], false],
  ['both, since others have added one of them', [kept, first, second], false],
  ['the rule with another data type', [kept, { ...second, datatype: 'numeric' }], false],
] as const)(
  'if a stopped change may have updated a rule, the rules of its column are compared with what it left: %s',
  (_name, current, isExplained) => {
    const update: Write = {
      endpoint: 'extractRules.update',
      params: { server: 'LocalHost', elasticube: 'Retail', ruleId: getText(first['_id']) },
      body: { ...second, _id: first['_id'] ?? '' },
      target: ref,
    };
    const before = [{ ref, document: [kept, first] }];
    const entry = createEntry([[update, sending]], { before, end: 'stopped', isAbandoned: true });
    expect(findUnchangedColumns(entry, subject, current)).toHaveLength(isExplained ? 1 : 0);
  },
);
