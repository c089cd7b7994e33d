import { ClaimedError } from '../../../src/changes/journal/claimedError.ts';
import { expect, test } from 'vitest';
import { formatCliError, formatStopError } from '../../../src/cli/errorMessages.ts';
import { NetworkError } from '../../../src/client/errors.ts';
import { ConflictError } from '../../../src/changes/run/writeErrors.ts';

const requestInfo = { endpoint: 'viewpoints.update', method: 'PUT', path: '/v' } as const;

test('only the message of a conflict that was found before sending states that nothing was written', () => {
  const subject = { kind: 'extract', server: 'LocalHost', elasticube: 'Retail' } as const;
  const conflict = new ConflictError({ kind: 'rules', subject }, [], 'hash');
  expect(formatCliError(conflict)).toContain('Nothing was written.');
  expect(formatStopError(conflict)).toBe('The rules on Retail were changed on the server in the meantime.');
  const columns = ['Channel', 'Status'].map(
    (column) => ({ kind: 'columnRules', subject, table: 'Orders', column }) as const,
  );
  const [first = { kind: 'rules', subject } as const, ...others] = columns;
  expect(formatStopError(new ConflictError(first, [], 'hash', others))).toBe(
    'The rules on Retail › Orders › Channel, Retail › Orders › Status were changed on the server in the meantime.',
  );
});

const createSystemError = (code: string, syscall: string, path: string): Error =>
  Object.assign(new Error(`${code}: failed, ${syscall} '${path}'`), { code, syscall, path });

test.each([
  [
    'EACCES',
    "You don't have permission (EACCES). Check the owner and the permissions of the file and its folder.",
  ],
  ['EROFS', 'The file system is read-only (EROFS). Use another folder.'],
  ['ENOSPC', 'The disk is full (ENOSPC).'],
  ['EIO', 'The system reports: EIO.'],
])('a file that cannot be used is named, with the reason: %s', (code, reason) => {
  expect(formatCliError(createSystemError(code, 'open', '/state/x'))).toBe(`Can't use /state/x. ${reason}`);
});

test('a program that cannot be started is not taken for a file', () => {
  const error = createSystemError('ENOENT', 'spawn git', 'git');
  expect(formatCliError(error)).toBe(error.message);
});

test('while another process works on a change, the message says to wait for it', () => {
  expect(formatCliError(new ClaimedError())).toBe(
    'Another process is changing the instance. Wait until it has finished, and run the command again.',
  );
});

test.each([
  [
    { state: 'running', owner: { pid: 7, host: 'a' } },
    'Another process is changing the instance. Wait until it has finished, and run the command again.',
  ],
  [
    { state: 'id-in-use', owner: { pid: 7 } },
    'Another process is changing the instance: process 7. Wait until it has finished, and run the command again. If that process belongs to another program, run the command again with --take-over.',
  ],
  [
    { state: 'unknown', owner: { pid: 7, host: 'a' } },
    'Another process is changing the instance, or was killed: process 7 on a. If that process is no longer running, run the command again with --take-over.',
  ],
  [
    { state: 'unknown', path: '/state/x.claim' },
    'Another process is changing the instance, or was killed. If that process is no longer running, delete /state/x.claim.',
  ],
] as const)('another process that may work on a change is named, with what to do: %j', (holder, text) => {
  expect(formatCliError(new ClaimedError(holder))).toBe(text);
});

const createFailure = (members: object): Error =>
  Object.assign(new Error('The message is not shown'), members);
const cannotConnect = "Changing the viewpoint failed: can't connect to the server.";
const checkAddress = 'Check the address in --url or in the environment.';

test.each([
  [
    'refused',
    createFailure({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 9 }),
    `${cannotConnect} 127.0.0.1:9 refused the connection. ${checkAddress}`,
  ],
  [
    'refused',
    new AggregateError([
      createFailure({ code: 'ECONNREFUSED', address: '::1', port: 9 }),
      createFailure({ code: 'ECONNREFUSED', address: '127.0.0.1', port: 9 }),
    ]),
    `${cannotConnect} [::1]:9 refused the connection. ${checkAddress}`,
  ],
  [
    'refused',
    createFailure({ code: 'EHOSTUNREACH', address: '10.0.0.5', port: 443 }),
    `${cannotConnect} 10.0.0.5:443 can't be reached. ${checkAddress}`,
  ],
  [
    'dns',
    new Error('Outer', { cause: createFailure({ code: 'ENOTFOUND', hostname: 'analytics.exmple.com' }) }),
    `Changing the viewpoint failed: the server name can't be resolved. Host not found: analytics.exmple.com. ${checkAddress}`,
  ],
  ['refused', new Error('Without details'), `${cannotConnect} ${checkAddress}`],
] as const)('an address that cannot be reached is named with the reason (%s)', (kind, cause, text) => {
  expect(formatCliError(new NetworkError(requestInfo, kind, { mayHaveBeenSent: false, cause }))).toBe(text);
});
