import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { mask } from '../../../../src/base/secrets/mask.ts';
import { loadWriteKinds } from '../../../../src/changes/endpoints/writeKinds.ts';
import type { Write } from '../../../../src/changes/model/operation.ts';
import { createRuleUpdateWrite } from '../../../../src/changes/rules/ruleWrites.ts';

const endpoints = ['tables.update', 'datasets.update', 'viewpoints.update', 'extractRules.update'] as const;
const getWriteKind = await loadWriteKinds(endpoints.map((endpoint) => ({ endpoint })));

type Case = readonly [
  text: string,
  body: JsonObject,
  change: { readonly previous?: JsonObject; readonly current: JsonObject },
  isMatch: boolean,
];

/** Returns whether a document shows that a write was carried out. */
function matches(write: Write, { previous = {}, current }: Case[2]): boolean | undefined {
  return getWriteKind(write).matchesRequest?.(write, { previous, current });
}

const columnA = { oid: 'a', id: 'a', name: 'A', type: 8 };
const columnB = { oid: 'b', id: 'b', name: 'B', type: 8 };
const { oid: _oid, ...newColumnB } = columnB;

describe('a table shows the change', () => {
  test.each<Case>([
    ['of a field', { hidden: true }, { current: { hidden: true, name: 'T' } }, true],
    ['of a field, but not if it has another value', { hidden: true }, { current: { hidden: false } }, false],
    ['of a field to an empty value', { description: '' }, { current: {} }, true],
    ['of its SQL', { expression: 'SELECT 1' }, { current: { expression: { expression: 'SELECT 1' } } }, true],
    [
      'of its SQL, but not if it has other SQL',
      { expression: 'SELECT 1' },
      { current: { expression: '' } },
      false,
    ],
    [
      'of a column',
      { columns: [{ ...columnA, name: 'C' }] },
      { previous: { columns: [columnA] }, current: { columns: [{ ...columnA, name: 'C' }] } },
      true,
    ],
    [
      'of a column, but not if it has another name',
      { columns: [{ ...columnA, name: 'C' }] },
      { previous: { columns: [columnA] }, current: { columns: [columnA] } },
      false,
    ],
    [
      'of a column to which the server adds a field',
      { columns: [columnA] },
      { previous: { columns: [columnA] }, current: { columns: [{ ...columnA, indexed: true }] } },
      true,
    ],
    [
      'of the order of columns',
      { columns: [columnB, columnA] },
      { previous: { columns: [columnA, columnB] }, current: { columns: [columnB, columnA] } },
      true,
    ],
    [
      'of the order of columns, but not if it is the old one',
      { columns: [columnB, columnA] },
      { previous: { columns: [columnA, columnB] }, current: { columns: [columnA, columnB] } },
      false,
    ],
    [
      'that removes a column',
      { columns: [columnB] },
      { previous: { columns: [columnA, columnB] }, current: { columns: [columnB] } },
      true,
    ],
    [
      'that removes a column, but not if all columns are there',
      { columns: [columnB] },
      { previous: { columns: [columnA, columnB] }, current: { columns: [columnA, columnB] } },
      false,
    ],
    [
      'that adds a column, wherever it is and whatever its ID',
      { columns: [columnA, newColumnB] },
      { previous: { columns: [columnA] }, current: { columns: [{ ...columnB, oid: 'n' }, columnA] } },
      true,
    ],
    [
      'that adds a column, even if the request contains another ID for it',
      { columns: [columnA, { ...newColumnB, oid: 'mine' }] },
      { previous: { columns: [columnA] }, current: { columns: [columnA, { ...columnB, oid: 'n' }] } },
      true,
    ],
    [
      'that adds a column, but not if there is no new one',
      { columns: [columnA, newColumnB] },
      { previous: { columns: [columnA] }, current: { columns: [columnA] } },
      false,
    ],
    [
      'that adds a column, but not if the new one has another name',
      { columns: [columnA, newColumnB] },
      {
        previous: { columns: [columnA] },
        current: { columns: [columnA, { ...columnB, oid: 'n', name: 'C' }] },
      },
      false,
    ],
    [
      'that adds a column, but not if the new one has another type',
      { columns: [columnA, newColumnB] },
      {
        previous: { columns: [columnA] },
        current: { columns: [columnA, { ...columnB, oid: 'n', type: 18 }] },
      },
      false,
    ],
    [
      'that adds a column, but not if the new one is in place of an old one',
      { columns: [columnA, newColumnB] },
      { previous: { columns: [columnA] }, current: { columns: [columnB, { ...columnB, oid: 'n' }] } },
      false,
    ],
    [
      'of the SQL of a column',
      { columns: [{ ...columnA, expression: '1' }] },
      {
        previous: { columns: [columnA] },
        current: { columns: [{ ...columnA, expression: { expression: '1' } }] },
      },
      true,
    ],
    [
      'of the SQL of a column, but not if it has other SQL',
      { columns: [{ ...columnA, expression: '1' }] },
      { previous: { columns: [columnA] }, current: { columns: [{ ...columnA, expression: '2' }] } },
      false,
    ],
  ])('%s', (_text, body, change, isMatch) => {
    expect(matches({ endpoint: 'tables.update', params: {}, body }, change)).toBe(isMatch);
  });
});

describe('a dataset shows the change', () => {
  const connection = { provider: 'sql', parameters: { Server: 'new', Password: 'secret' } };
  test.each<Case>([
    [
      'of its connection',
      { connection },
      { current: { connection: { ...connection, parameters: { Server: 'new', Password: mask } } } },
      true,
    ],
    [
      'of its connection, but not if it has another server',
      { connection },
      { current: { connection: { ...connection, parameters: { Server: 'old' } } } },
      false,
    ],
    [
      'of its connection, although it names another owner',
      { connection: { ...connection, owner: 'me' } },
      { current: { connection } },
      true,
    ],
    [
      'of parameters that are one encrypted text',
      { connection: { provider: 'sql', parameters: 'AbC==' } },
      { current: { connection: { provider: 'sql', parameters: 'AbC==' } } },
      true,
    ],
    ['to a connection, but not if it has none', { connection }, { current: { connection: null } }, false],
  ])('%s', (_text, body, change, isMatch) => {
    expect(matches({ endpoint: 'datasets.update', params: {}, body }, change)).toBe(isMatch);
  });
});

describe('a viewpoint shows the change', () => {
  const shared = { apps: ['app'], groups: [], users: ['u1'] };
  test.each<Case>([
    ['of its name', { name: 'N' }, { current: { name: 'N', enabled: true } }, true],
    ['of its name, but not if it has another one', { name: 'N' }, { current: { name: 'O' } }, false],
    ['of its state', { enabled: true }, { current: { enabled: true } }, true],
    [
      'of its state, but not if it has the old one',
      { enabled: true },
      { current: { enabled: false } },
      false,
    ],
    [
      'of whom it is shared with',
      { visibility: shared },
      { previous: { visibility: { ...shared, users: [] } }, current: { visibility: shared } },
      true,
    ],
    [
      'of whom it is shared with, but not if that is as before',
      { visibility: shared },
      { current: { visibility: { ...shared, users: [] } } },
      false,
    ],
    [
      'of whom it is shared with, whatever its state',
      { visibility: shared },
      { previous: { visibility: { enabled: true } }, current: { visibility: { ...shared, enabled: true } } },
      true,
    ],
    [
      'of sharing and state, if the state is in `visibility`',
      { enabled: true, visibility: { ...shared, enabled: false } },
      { current: { enabled: false, visibility: { ...shared, enabled: false } } },
      true,
    ],
    [
      'of sharing and state, but not if the state in `visibility` is another one',
      { enabled: true, visibility: { ...shared, enabled: false } },
      { current: { enabled: true, visibility: { ...shared, enabled: true } } },
      false,
    ],
    [
      'of sharing and state, if the state is only in `enabled`',
      { enabled: true, visibility: shared },
      {
        previous: { visibility: { enabled: false } },
        current: { enabled: true, visibility: { ...shared, enabled: true } },
      },
      true,
    ],
    [
      'of sharing and state, but not if the state is only in `enabled` and is another one',
      { enabled: true, visibility: shared },
      { current: { enabled: false, visibility: shared } },
      false,
    ],
  ])('%s', (_text, body, change, isMatch) => {
    expect(matches({ endpoint: 'viewpoints.update', params: {}, body }, change)).toBe(isMatch);
  });
});

describe('a rule shows the change', () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Cube' } as const;
  const rule = {
    _id: 'r',
    table: 'T',
    column: 'C',
    datatype: 'text',
    members: ['x'],
    allMembers: null,
    exclusionary: false,
    shares: [{ type: 'user', party: 'u1' }],
  };
  test.each<Case>([
    ['of its values', rule, { current: rule }, true],
    ['of its values, but not if it has others', rule, { current: { ...rule, members: ['y'] } }, false],
    [
      'of its values, with the parties in another field',
      rule,
      { current: { ...rule, shares: [{ type: 'user', partyId: 'u1', partyName: 'Uma' }] } },
      true,
    ],
    [
      'of its parties, but not if it has another one',
      rule,
      { current: { ...rule, shares: [{ type: 'user', party: 'u2' }] } },
      false,
    ],
    [
      'of its kind, but not if it hides its values',
      rule,
      { current: { ...rule, exclusionary: true } },
      false,
    ],
  ])('%s', (_text, body, change, isMatch) => {
    expect(matches(createRuleUpdateWrite(subject, body), change)).toBe(isMatch);
  });
});
