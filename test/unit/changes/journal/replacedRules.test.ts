import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import type { WriteState } from '../../../../src/changes/journal/entry.ts';
import { findReplacedRules } from '../../../../src/changes/journal/replacedRules.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import {
  createRuleCreationWrite,
  createRuleDeletionWrite,
} from '../../../../src/changes/rules/ruleWrites.ts';
import { createDone, createEntry } from './createEntry.ts';

const extract = { kind: 'extract', server: 'LocalHost', elasticube: 'Shop' } as const;
const live = { kind: 'live', title: 'Desk' } as const;
const createRule = (_id: string, fields: JsonObject = {}): JsonObject => ({
  _id,
  table: 'T',
  column: 'C',
  members: ['x'],
  allMembers: null,
  shares: [{ type: 'user', party: 'ann' }],
  ...fields,
});
const createDoneState = (answer?: readonly JsonObject[]): WriteState =>
  createDone(answer === undefined ? {} : { answer });

/** Finds the replaced rules of an operation that had deleted and created rules. */
function findReplaced(
  writes: readonly (readonly [Write, WriteState])[],
  before: readonly JsonObject[] = [createRule('old')],
  subject: typeof extract | typeof live = extract,
) {
  const documents = [
    { ref: { kind: 'datamodel', datamodelId: 'm' }, document: [createRule('old')] },
    { ref: { kind: 'rules', subject }, document: before },
  ] as const;
  return findReplacedRules(createEntry(writes, { before: documents }));
}
const createCreation = (...answer: readonly JsonObject[]) =>
  [createRuleCreationWrite(extract, []), createDoneState(answer)] as const;
const createDeletion = (id: string) => [createRuleDeletionWrite(extract, id), createDoneState()] as const;

describe('a rule was replaced by another', () => {
  test('for the same parties on the same column', () => {
    expect(findReplaced([createCreation(createRule('new')), createDeletion('old')])).toEqual([
      ['old', 'new'],
    ]);
  });

  test('whichever is written first, alone or in a batch', () => {
    const batch: Write = {
      endpoint: 'extractRules.delete',
      params: {},
      target: { kind: 'rules', subject: extract },
      batch: { ids: ['old', 'other'] },
    };
    const before = [createRule('old'), createRule('other', { column: 'D' })];
    expect(
      findReplaced(
        [[batch, createDoneState()], createCreation(createRule('new'), createRule('more', { column: 'D' }))],
        before,
      ),
    ).toEqual([
      ['old', 'new'],
      ['other', 'more'],
    ]);
  });

  test('of a live datamodel', () => {
    const writes = [
      [createRuleCreationWrite(live, []), createDoneState([createRule('new')])],
      [createRuleDeletionWrite(live, 'old'), createDoneState()],
    ] as const;
    expect(findReplaced(writes, [createRule('old')], live)).toEqual([['old', 'new']]);
  });

  test('that names the parties in another order or field', () => {
    const shares = [{ type: 'group', party: 'g' }, { type: 'user', party: 'ann' }, { type: 'default' }];
    const otherShares = [
      { type: 'default' },
      { type: 'user', partyId: 'ann' },
      { type: 'group', partyId: 'g' },
    ];
    expect(
      findReplaced(
        [createCreation(createRule('new', { shares: otherShares })), createDeletion('old')],
        [createRule('old', { shares })],
      ),
    ).toEqual([['old', 'new']]);
  });
});

describe('no rule was replaced', () => {
  test.each<readonly [string, Parameters<typeof findReplaced>]>([
    ['if none was created', [[createDeletion('old')]]],
    ['if none was deleted', [[createCreation(createRule('new'))]]],
    [
      'if the new one is for another party',
      [
        [
          createCreation(createRule('new', { shares: [{ type: 'group', party: 'ann' }] })),
          createDeletion('old'),
        ],
      ],
    ],
    [
      'if the new one is on another column',
      [[createCreation(createRule('new', { column: 'D' })), createDeletion('old')]],
    ],
    [
      'if the new one is on another table',
      [[createCreation(createRule('new', { table: 'U' })), createDeletion('old')]],
    ],
    [
      'if there are two new rules',
      [[createCreation(createRule('a'), createRule('b')), createDeletion('old')]],
    ],
    [
      'if there were two old rules',
      [
        [createCreation(createRule('new')), createDeletion('old'), createDeletion('o2')],
        [createRule('old'), createRule('o2')],
      ],
    ],
    ['if another one was deleted', [[createCreation(createRule('new')), createDeletion('other')]]],
    ['if the new one has no ID', [[createCreation(createRule('')), createDeletion('old')]]],
    [
      'if the new one belongs to another datamodel',
      [
        [createCreation(createRule('new')), [createRuleDeletionWrite(live, 'old'), createDoneState()]],
        [createRule('old')],
        live,
      ],
    ],
    [
      'while the old one is not deleted',
      [[createCreation(createRule('new')), [createRuleDeletionWrite(extract, 'old'), { state: 'waiting' }]]],
    ],
    [
      'while the new one is not created',
      [
        [
          [
            createRuleCreationWrite(extract, []),
            createDone({ state: 'unknown', answer: [createRule('new')] }),
          ],
          createDeletion('old'),
        ],
      ],
    ],
    [
      'if the creation is a step of the replacement of one live rule',
      [
        [
          [
            { ...createRuleCreationWrite(extract, []), step: 'replaced' },
            createDoneState([createRule('new')]),
          ],
          createDeletion('old'),
        ],
      ],
    ],
    [
      'if the deletion is a step of the replacement of one live rule',
      [
        [
          createCreation(createRule('new')),
          [{ ...createRuleDeletionWrite(extract, 'old'), step: 'replaced' }, createDoneState()],
        ],
      ],
    ],
  ])('%s', (_text, [writes, before, subject]) => {
    expect(findReplaced(writes, before, subject)).toEqual([]);
  });
});
