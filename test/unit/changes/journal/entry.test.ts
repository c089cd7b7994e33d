import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { mask } from '../../../../src/base/secrets/mask.ts';
import { parseJournal } from '../../../../src/changes/journal/entry.ts';
import { countUndos } from '../../../../src/changes/run/runChecks.ts';

const table = { kind: 'table', datamodelId: 'm', datasetId: 'd', tableId: 't' } as const;
const { kind: _kind, ...params } = table;
const write = { endpoint: 'tables.update', params, target: table, body: { name: 'New' } };
const beginLine = {
  line: 'begin',
  id: 'e1',
  at: 7,
  pid: 1,
  operation: {
    connectionId: 'c',
    cause: 'save',
    subject: { name: 'Orders', within: [] },
    writes: [write, { ...write, body: { hidden: true } }],
  },
  before: [{ ref: table, document: { name: 'Old' } }, { ref: { ...table, tableId: 'new' } }],
};
const doneResult = { state: 'done', path: '/t', ms: 1 } as const;
const failedResult = { state: 'failed', path: '/t', ms: 1, problem: 'No' } as const;
const createEndLine = (fields: JsonObject = {}) => ({ line: 'end', state: 'stopped', after: [], ...fields });
const createSendingLine = (index: number) => ({ line: 'sending', write: index });
const createResultLine = (index: number, value: object) => ({ line: 'result', write: index, result: value });

const parse = (...lines: readonly object[]) =>
  parseJournal([beginLine, ...lines].map((line) => JSON.stringify(line)).join('\n'));
const getStates = (...lines: readonly object[]) => parse(...lines)?.writeStates.map(({ state }) => state);

describe('a journal', () => {
  test('of an operation that has just begun has nothing but the operation and its documents', () => {
    expect(parse()).toEqual({
      id: 'e1',
      startedAt: 7,
      operation: beginLine.operation,
      before: beginLine.before,
      writeStates: [{ state: 'waiting' }, { state: 'waiting' }],
      denyScopes: [],
      createdRuleIds: [],
      versionsAfter: [],
      changedIds: [],
      pid: 1,
    });
  });

  test('of an earlier version may have the cube sets of the operation in its project', () => {
    const project = { folder: '/p', environment: 'test', cubeSets: ['Regional Sales'] };
    const begin = { ...beginLine, operation: { ...beginLine.operation, project } };
    expect(parseJournal(JSON.stringify(begin))?.operation.cubeSets).toEqual(['Regional Sales']);
  });

  test.each<readonly [string, readonly object[], readonly string[]]>([
    ['a write that is being sent', [createSendingLine(0)], ['sending', 'waiting']],
    ['the result of a write', [createSendingLine(0), createResultLine(0, doneResult)], ['done', 'waiting']],
    [
      'a later result',
      [createResultLine(0, failedResult), createResultLine(0, doneResult)],
      ['done', 'waiting'],
    ],
    [
      'that a failed write is sent again',
      [createResultLine(0, failedResult), createSendingLine(0)],
      ['sending', 'waiting'],
    ],
    [
      'that a write is done, even if it is sent again',
      [createResultLine(0, doneResult), createSendingLine(0)],
      ['done', 'waiting'],
    ],
    [
      'results in any order',
      [createResultLine(1, doneResult), createResultLine(0, failedResult)],
      ['failed', 'done'],
    ],
    ['no result of a write that does not exist', [createResultLine(2, doneResult)], ['waiting', 'waiting']],
  ])('shows %s', (_text, lines, expected) => {
    expect(getStates(...lines)).toEqual(expected);
    expect(parse(...lines)?.pid).toBe(1);
  });

  test('still shows what a failed write has left on the server while the write is sent again', () => {
    const left = { denied: 'open', partly: true } as const;
    const result = createResultLine(0, { ...failedResult, ...left });
    expect(parse(result, createSendingLine(0))?.writeStates[0]).toEqual({ state: 'sending', ...left });
  });

  test('has the process that has claimed it last', () => {
    const [first, second] = [{ host: 'a', boot: 'b', start: '1' }, { host: 'c' }];
    const begin = JSON.stringify({ ...beginLine, process: first });
    expect(parseJournal(begin)).toMatchObject({ pid: 1, process: first });
    const claim = JSON.stringify({ line: 'claim', pid: 2, process: second });
    expect(parseJournal(`${begin}\n${claim}`)).toMatchObject({ pid: 2, process: second });
    const earlierVersion = JSON.stringify({ line: 'claim', pid: 3 });
    expect(parseJournal(`${begin}\n${earlierVersion}`)).not.toHaveProperty('process');
  });

  test('shows how the operation ended', () => {
    const after = [{ ref: table, hash: 'h' }];
    const entry = parse(createEndLine({ state: 'done', after, moved: [['old', 'new']], canceled: true }));
    expect(entry).toMatchObject({
      end: 'done',
      versionsAfter: after,
      changedIds: [['old', 'new']],
      isCanceled: true,
    });
    expect(parse(createEndLine())).not.toHaveProperty('isCanceled');
  });

  test.each([
    ['another process claims it', { line: 'claim', pid: 2 }, 2],
    ['a write is sent', createSendingLine(0), 1],
  ])('has no end anymore once %s', (_text, line, pid) => {
    const entry = parse(createEndLine(), line);
    expect(entry).not.toHaveProperty('end');
    expect(entry?.pid).toBe(pid);
    expect(parse(createEndLine(), line, createEndLine({ state: 'done' }))?.end).toBe('done');
  });

  test('keeps its end after lines that only add to it', () => {
    const entry = parse(
      createEndLine(),
      { line: 'deny', spots: ['a'] },
      { line: 'made', ids: ['r'] },
      createResultLine(0, doneResult),
    );
    expect(entry).toMatchObject({ end: 'stopped', pid: 1 });
  });

  test('collects the scopes of temporary deny rules, and the rules that were created', () => {
    const entry = parse(
      { line: 'deny', spots: ['a', 'b'] },
      { line: 'made', ids: ['r1'] },
      { line: 'deny', spots: ['c'] },
      { line: 'made', ids: ['r2', 'r3'] },
    );
    expect(entry).toMatchObject({ denyScopes: ['a', 'b', 'c'], createdRuleIds: ['r1', 'r2', 'r3'] });
  });

  test('contains which entry an undo undoes, and which items it restores', () => {
    const restoredIds = [{ old: 'a', write: 0, from: ['oid'] }];
    const text = JSON.stringify({ ...beginLine, undoes: 'e0', comesBack: restoredIds });
    expect(parseJournal(text)).toMatchObject({ undoneEntryId: 'e0', restoredIds });
  });

  test('is read up to an incomplete line, and without lines of unknown kinds', () => {
    const text = [beginLine, createResultLine(0, doneResult), { line: 'other' }]
      .map((line) => JSON.stringify(line))
      .join('\n');
    const entry = parseJournal(`${text}\n\n  \n{"line":"end","sta`);
    expect(entry?.writeStates.map(({ state }) => state)).toEqual(['done', 'waiting']);
    expect(entry).not.toHaveProperty('end');
  });

  test.each([
    '',
    'nothing',
    JSON.stringify(createEndLine()),
    `${JSON.stringify(createEndLine())}\n${JSON.stringify(beginLine)}`,
    JSON.stringify({
      ...beginLine,
      operation: { ...beginLine.operation, writes: [{ ...write, endpoint: 'x.y' }] },
    }),
  ])('cannot be read without its beginning: %s', (text) => {
    expect(parseJournal(text)).toBeUndefined();
  });

  test('is read without secrets, even if an earlier version has stored them', () => {
    const secret = { connection: { parameters: { Password: 'hush' } } };
    const maskedBody = { connection: { parameters: { Password: mask } } };
    const dataset = { kind: 'dataset', datamodelId: 'm', datasetId: 'd' } as const;
    const text = [
      {
        ...beginLine,
        operation: {
          ...beginLine.operation,
          writes: [{ endpoint: 'datasets.update', params, target: dataset, body: secret }],
        },
        before: [{ ref: dataset, document: secret }],
      },
      createResultLine(0, { ...doneResult, answer: secret, problem: 'Password=hush;' }),
    ];
    const entry = parseJournal(text.map((line) => JSON.stringify(line)).join('\n'));
    expect(entry?.operation.writes[0]?.body).toEqual(maskedBody);
    expect(entry?.before[0]?.document).toEqual(maskedBody);
    expect(entry?.writeStates[0]).toMatchObject({ answer: maskedBody });
    expect(JSON.stringify(entry)).not.toContain('hush');
  });
});

test('undos of an entry are counted, except those that stopped before they changed anything', () => {
  const parseUndo = (fields: JsonObject, ...lines: readonly object[]) => {
    const text = [{ ...beginLine, undoes: 'e0', ...fields }, ...lines].map((line) => JSON.stringify(line));
    const entry = parseJournal(text.join('\n'));
    return entry === undefined ? [] : [entry];
  };
  const count = (...entries: Parameters<typeof countUndos>[1][]) => countUndos('e0', entries.flat());
  expect(count(parseUndo({}, createEndLine({ state: 'done' })))).toBe(1);
  expect(count(parseUndo({}))).toBe(1);
  expect(count(parseUndo({}, createResultLine(0, failedResult), createEndLine()))).toBe(0);
  expect(count(parseUndo({}, createResultLine(0, failedResult)))).toBe(1);
  expect(
    count(parseUndo({}, createResultLine(0, doneResult), createResultLine(1, failedResult), createEndLine())),
  ).toBe(1);
  expect(count(parseUndo({}, createSendingLine(0), createEndLine()))).toBe(1);
  expect(count(parseUndo({ undoes: 'e9' }, createEndLine({ state: 'done' })))).toBe(0);
  expect(count(parseUndo({}), parseUndo({}, createEndLine({ state: 'done' })))).toBe(2);
});
