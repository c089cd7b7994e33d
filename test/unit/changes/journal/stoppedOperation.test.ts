import { describe, expect, test } from 'vitest';
import type { EndState, WriteState } from '../../../../src/changes/journal/entry.ts';
import { omitKeptDocuments } from '../../../../src/changes/journal/omitKeptDocuments.ts';
import type { ChangedDocument } from '../../../../src/changes/journal/changedDocuments.ts';
import {
  canResume,
  getRecovery,
  isInEffect,
  leavesDenyRules,
  mayLeaveDenyRules,
} from '../../../../src/changes/journal/stoppedOperation.ts';
import { createCustomDataUpdateWrite } from '../../../../src/changes/model/customDataWrites.ts';
import type { RequestResult } from '../../../../src/changes/model/sentRequest.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createRuleCreationWrite } from '../../../../src/changes/rules/ruleWrites.ts';
import { createTableRef, createTableUpdate } from '../run/support.ts';
import { createDone, createEntry } from './createEntry.ts';

const table = createTableUpdate('Orders', {});
const rules = createRuleCreationWrite({ kind: 'live', title: 'Desk' }, []);
const [done, failed] = [createDone(), createDone({ state: 'failed' })];
const waiting: WriteState = { state: 'waiting' };
const failedWithDenyRules = createDone({ state: 'failed', denied: 'open' });
const onlyDenyRulesLeft = createDone({ state: 'failed', denied: 'only' });

describe('an operation can be resumed', () => {
  test.each<readonly [string, readonly (readonly [Write, WriteState])[], EndState | undefined, boolean]>([
    [
      'if it stopped before one of several writes was done',
      [
        [table, done],
        [table, failed],
      ],
      'stopped',
      true,
    ],
    [
      'if it stopped although all writes are done, since only its rollback can have stopped',
      [
        [table, done],
        [table, done],
      ],
      'stopped',
      true,
    ],
    ['if its only write is done', [[table, done]], 'stopped', true],
    ['but not if its only write failed', [[table, failed]], 'stopped', false],
    ['if its only write is a batch', [[{ ...rules, batch: {} }, failed]], 'stopped', true],
    ['if its only write has left temporary deny rules', [[rules, failedWithDenyRules]], 'stopped', true],
    [
      'but not while it runs',
      [
        [table, done],
        [table, waiting],
      ],
      undefined,
      false,
    ],
    [
      'but not if it was rolled back',
      [
        [table, done],
        [table, failed],
      ],
      'rolled-back',
      false,
    ],
  ])('%s', (_text, writes, end, expected) => {
    expect(canResume(createEntry(writes, end === undefined ? {} : { end }))).toBe(expected);
  });
});

describe('an operation that is ended automatically', () => {
  test.each<readonly [string, readonly (readonly [Write, WriteState])[], ReturnType<typeof getRecovery>]>([
    [
      'is rolled back if it changes rules',
      [
        [rules, done],
        [rules, failed],
      ],
      'roll-back',
    ],
    ['is rolled back if access is denied', [[rules, failedWithDenyRules]], 'roll-back'],
    [
      'is finished if only temporary deny rules are left',
      [
        [rules, onlyDenyRulesLeft],
        [rules, waiting],
      ],
      'finish',
    ],
    ['is finished if all is done', [[rules, done]], 'finish'],
    [
      'is finished if it changes other documents, too',
      [
        [rules, done],
        [table, failed],
      ],
      'finish',
    ],
  ])('%s', (_text, writes, expected) => {
    expect(getRecovery(createEntry(writes))).toBe(expected);
  });
});

test.each<readonly [WriteState | undefined, boolean, boolean]>([
  [done, true, false],
  [onlyDenyRulesLeft, true, true],
  [failedWithDenyRules, false, true],
  [failed, false, false],
  [waiting, false, false],
  [undefined, false, false],
])(
  'the state %j: in effect %s, leaves temporary deny rules %s',
  (state, expectsInEffect, expectsDenyRules) => {
    expect(isInEffect(state)).toBe(expectsInEffect);
    expect(leavesDenyRules({ writeStates: [done, ...(state === undefined ? [] : [state])] })).toBe(
      expectsDenyRules,
    );
  },
);

const answered = { state: 'done', ms: 0 } as const;
const refused = { state: 'failed', ms: 0 } as const;

test.each<readonly [string, WriteState, RequestResult | undefined, readonly string[], boolean]>([
  ['it was killed while they were in force', { state: 'sending' }, answered, ['scope'], true],
  ['it was killed while they were added', { state: 'sending' }, undefined, ['scope'], true],
  ['not if the server has refused them', { state: 'sending' }, refused, ['scope'], false],
  // For example, the change wants a rule without values for everyone else.
  ['not if the rules without values are permanent', { state: 'sending' }, answered, [], false],
  ['not if the rules that were read contain none', failed, answered, ['scope'], false],
  ['the rules that were read contain some', failedWithDenyRules, refused, [], true],
])('an operation may have left temporary deny rules: %s', (_when, state, result, denyScopes, expected) => {
  const party = { type: 'group', id: 'g' } as const;
  const addedDenials = [{ table: 'Orders', column: 'Code', parties: [party] }];
  const request = { writeIndex: 0, method: 'PUT', path: '', addedDenials, removedDenials: [], result };
  expect(mayLeaveDenyRules(createEntry([[rules, state]], { denyScopes, requests: [request] }))).toBe(
    expected,
  );
});

describe('an undo that keeps later changes', () => {
  const ref = createTableRef('Orders');
  const createChangedDocument = (fields: Partial<ChangedDocument>): ChangedDocument => ({
    ref,
    name: '',
    isGone: false,
    members: [],
    fields: [],
    ...fields,
  });
  const write = createTableUpdate('Orders', { name: 'New', hidden: true });
  const otherWrite = createTableUpdate('Stores', { name: 'New' });
  const before = [{ ref, document: {} }];
  const entry = createEntry(
    [
      [write, done],
      [otherWrite, done],
    ],
    { before },
  );

  test.each([
    [
      'restores only the members that were not changed later',
      { members: ['name', 'columns'] },
      { hidden: true },
    ],
    [
      'restores nothing of a document whose members were all changed later',
      { members: ['name', 'hidden'] },
      undefined,
    ],
    ['restores nothing of a document if it is unknown which members were changed later', {}, undefined],
    ['restores nothing of a document that is gone', { isGone: true, members: ['name'] }, undefined],
  ])('%s', (_text, fields, body) => {
    const remainingEntry = omitKeptDocuments(entry, [createChangedDocument(fields)]);
    expect(remainingEntry.operation.writes).toEqual([
      body === undefined ? write : { ...write, body },
      otherWrite,
    ]);
    expect(remainingEntry.writeStates).toEqual([body === undefined ? waiting : done, done]);
    expect(remainingEntry.before).toEqual(before);
  });

  test('restores no object of custom data that was changed later', () => {
    const objects = ['a', 'b'].map((objectId) => ({ kind: 'customDataObject', objectId }) as const);
    const objectEntry = createEntry(
      [
        [createCustomDataUpdateWrite({ _id: 'a' }, { x: 1 }), done],
        [createCustomDataUpdateWrite({ app: 'x' }, { x: 1 }), done],
        [{ ...write, target: undefined } as unknown as Write, done],
      ],
      { before: objects.map((each) => ({ ref: each, document: {} })) },
    );
    const remainingEntry = omitKeptDocuments(
      objectEntry,
      objects.slice(0, 1).map((each) => createChangedDocument({ ref: each, members: ['x'] })),
    );
    expect(remainingEntry.writeStates).toEqual([waiting, done, done]);
    expect(remainingEntry.before.map((each) => each.ref)).toEqual(objects.slice(1));
  });
});
