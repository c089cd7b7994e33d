import { describe, expect, test } from 'vitest';
import { HttpError, ReadOnlyError, SignedOutError } from '../../../src/client/errors.ts';
import { getResultExitCode, toResultOutput } from '../../../src/cli/changeResult.ts';
import { formatCliError, getErrorExitCode } from '../../../src/cli/errorMessages.ts';
import { exitCodes, CommandRefusedError } from '../../../src/cli/exitCodes.ts';
import { RuleChangeRefusedError } from '../../../src/changes/rules/ruleTarget.ts';
import { ClaimedError } from '../../../src/changes/journal/claimedError.ts';
import type { WriteState } from '../../../src/changes/journal/entry.ts';
import {
  ConflictError,
  EndedError,
  type OperationReport,
  StoppedError,
} from '../../../src/changes/run/writeErrors.ts';

const neverAborted = new AbortController().signal;
const operation = { endpoint: 'extractRules.list', method: 'GET', path: '/api' } as const;

test('the exit codes never change, because scripts depend on them', () => {
  expect(exitCodes).toEqual({ done: 0, failed: 1, differs: 2, canceled: 2, unknown: 3, refused: 4 });
});

describe('each rejection of a command has its exit code and a message', () => {
  const subject = { kind: 'live', title: 'Retail' } as const;

  test.each([
    ['a command line that is wrong', new CommandRefusedError('no'), 4],
    ['rules that have changed meanwhile', new ConflictError({ kind: 'rules', subject }, [], 'x'), 4],
    ['a change that was ended', new EndedError(), 4],
    ['a change that another process is working on', new ClaimedError(), 4],
    ['a token that cannot be sent', new SignedOutError(operation, 'bad-token'), 4],
    ['a change without a safe order', new RuleChangeRefusedError('needs-default', {}), 4],
    ['a lock', new ReadOnlyError(operation, 'read-only', undefined), 4],
    ['a server error', new HttpError(operation, { status: 502 }), 3],
    ['a token that the server refuses', new HttpError(operation, { status: 401 }), 3],
    ['an internal error', new TypeError('oops'), 1],
  ])('%s', (_what, error, code) => {
    expect(getErrorExitCode(error, neverAborted)).toBe(code);
    expect(formatCliError(error)).not.toBe('');
  });

  test('an interruption is a failure', () => {
    expect(getErrorExitCode(new HttpError(operation, { status: 502 }), AbortSignal.abort())).toBe(1);
  });
});

describe('each outcome of a change has its exit code', () => {
  const createRun = (writes: readonly WriteState[], cause?: Error) => {
    const report: OperationReport = {
      entryId: 'j1',
      operation: { connectionId: 'c', cause: 'bulk', subject: { name: 'Retail', within: [] }, writes: [] },
      writeStates: writes,
      documents: [],
    };
    const stopped = cause === undefined ? {} : { stopError: new StoppedError(report, cause) };
    return { report, startedAt: 1, endedAt: 3, waits: { count: 0, ms: 0 }, ...stopped };
  };
  const done: WriteState = { state: 'done', path: '/', ms: 1 };
  const unknown: WriteState = { state: 'unknown', path: '/', ms: 1 };

  test.each([
    ['done', createRun([done]), 0],
    ['stopped', createRun([done, { state: 'waiting' }], new Error('no')), 1],
    ['unknown', createRun([unknown, { state: 'waiting' }], new Error('no')), 3],
  ] as const)('%s', (state, changeRun, code) => {
    const result = toResultOutput(changeRun, neverAborted);
    expect(result).toMatchObject({ state, journal: 'j1', ms: 2 });
    expect(getResultExitCode(result)).toBe(code);
  });

  test('a write might have succeeded only as long as its outcome is unknown', () => {
    const error = new HttpError({ endpoint: 'tables.update', method: 'PATCH', path: '/' }, { status: 502 });
    const getProblem = (...writes: readonly WriteState[]) =>
      toResultOutput(createRun(writes, error), neverAborted).problem;
    expect(getProblem(unknown)).toContain('It might have succeeded.');
    expect(getProblem({ state: 'failed', path: '/', ms: 1 })).not.toContain('It might have succeeded.');
  });

  test('a server that stores different rules than were sent is a failure', () => {
    expect(getResultExitCode({ ...toResultOutput(createRun([done]), neverAborted), state: 'differs' })).toBe(
      1,
    );
  });
});
