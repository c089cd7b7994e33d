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
const rule = (_id: string, fields: JsonObject = {}): JsonObject => ({
  _id,
  table: 'T',
  column: 'C',
  members: ['x'],
  allMembers: null,
  shares: [{ type: 'user', party: 'ann' }],
  ...fields,
});
const done = (answer?: readonly JsonObject[]): WriteState =>
  createDone(answer === undefined ? {} : { answer });

/** Finds the replaced rules of an operation that had deleted and created rules. */
function find(
  writes: readonly (readonly [Write, WriteState])[],
  before: readonly JsonObject[] = [rule('old')],
  subject: typeof extract | typeof live = extract,
) {
  const documents = [
    { ref: { kind: 'datamodel', datamodelId: 'm' }, document: [rule('old')] },
    { ref: { kind: 'rules', subject }, document: before },
  ] as const;
  return findReplacedRules(createEntry(writes, { before: documents }));
}
const create = (...answer: readonly JsonObject[]) =>
  [createRuleCreationWrite(extract, []), done(answer)] as const;
const remove = (id: string) => [createRuleDeletionWrite(extract, id), done()] as const;

describe('a rule was replaced by another', () => {
  test('for the same parties on the same column', () => {
    expect(find([create(rule('new')), remove('old')])).toEqual([['old', 'new']]);
  });

  test('whichever is written first, alone or in a batch', () => {
    const batch: Write = {
      endpoint: 'extractRules.delete',
      params: {},
      target: { kind: 'rules', subject: extract },
      batch: { ids: ['old', 'other'] },
    };
    const before = [rule('old'), rule('other', { column: 'D' })];
    expect(find([[batch, done()], create(rule('new'), rule('more', { column: 'D' }))], before)).toEqual([
      ['old', 'new'],
      ['other', 'more'],
    ]);
  });

  test('of a live datamodel', () => {
    const writes = [
      [createRuleCreationWrite(live, []), done([rule('new')])],
      [createRuleDeletionWrite(live, 'old'), done()],
    ] as const;
    expect(find(writes, [rule('old')], live)).toEqual([['old', 'new']]);
  });

  test('that names the parties in another order or field', () => {
    const shares = [{ type: 'group', party: 'g' }, { type: 'user', party: 'ann' }, { type: 'default' }];
    const others = [{ type: 'default' }, { type: 'user', partyId: 'ann' }, { type: 'group', partyId: 'g' }];
    expect(find([create(rule('new', { shares: others })), remove('old')], [rule('old', { shares })])).toEqual(
      [['old', 'new']],
    );
  });
});

describe('no rule was replaced', () => {
  test.each<readonly [string, Parameters<typeof find>]>([
    ['if none was created', [[remove('old')]]],
    ['if none was deleted', [[create(rule('new'))]]],
    [
      'if the new one is for another party',
      [[create(rule('new', { shares: [{ type: 'group', party: 'ann' }] })), remove('old')]],
    ],
    ['if the new one is on another column', [[create(rule('new', { column: 'D' })), remove('old')]]],
    ['if the new one is on another table', [[create(rule('new', { table: 'U' })), remove('old')]]],
    ['if there are two new ones', [[create(rule('a'), rule('b')), remove('old')]]],
    [
      'if there were two old ones',
      [
        [create(rule('new')), remove('old'), remove('o2')],
        [rule('old'), rule('o2')],
      ],
    ],
    ['if another one was deleted', [[create(rule('new')), remove('other')]]],
    ['if the new one has no ID', [[create(rule('')), remove('old')]]],
    [
      'if the new one belongs to another datamodel',
      [[create(rule('new')), [createRuleDeletionWrite(live, 'old'), done()]], [rule('old')], live],
    ],
    [
      'while the old one is not deleted',
      [[create(rule('new')), [createRuleDeletionWrite(extract, 'old'), { state: 'waiting' }]]],
    ],
    [
      'while the new one is not created',
      [
        [
          [createRuleCreationWrite(extract, []), createDone({ state: 'unknown', answer: [rule('new')] })],
          remove('old'),
        ],
      ],
    ],
    [
      'by the replacement of one live rule, which is known by its step',
      [[[{ ...createRuleCreationWrite(extract, []), step: 'replaced' }, done([rule('new')])], remove('old')]],
    ],
    [
      'by a deletion that is a step of a replacement',
      [[create(rule('new')), [{ ...createRuleDeletionWrite(extract, 'old'), step: 'replaced' }, done()]]],
    ],
  ])('%s', (_text, [writes, before, subject]) => {
    expect(find(writes, before, subject)).toEqual([]);
  });
});
