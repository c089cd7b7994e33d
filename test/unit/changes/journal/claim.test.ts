import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { silentLog } from '../../../../src/base/log.ts';
import { type Claimant, createClaimant, tryClaim } from '../../../../src/changes/journal/claim.ts';
import { ClaimedError } from '../../../../src/changes/journal/claimedError.ts';
import { History } from '../../../../src/changes/journal/history.ts';
import { FakeClock } from '../../../fakes/fakeClock.ts';
import { expectDefined } from '../../../support/expectations.ts';
import { createOperation } from '../run/support.ts';

/** A process that does not exist. */
const deadPid = 999_999_999;
const deadClaim = JSON.stringify({ pid: deadPid, host: hostname(), token: 'dead' });

let folder = '';
let path = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'datamodel-studio-claim-'));
  path = join(folder, 'x.claim');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const createOtherClaimant = (values: Partial<Claimant>): Claimant => ({ ...createClaimant(), ...values });

test('only one of many attempts at the same time gets the claim, which can be taken again after its release', async () => {
  const claimant = createClaimant();
  for (let round = 0; round < 5; round += 1) {
    const claims = await Promise.all(Array.from({ length: 20 }, () => tryClaim(path, claimant)));
    const [claim, ...others] = claims.filter((each) => each !== undefined);
    expect(claim).toBeDefined();
    expect(others).toEqual([]);
    expect(await readdir(folder)).toEqual(['x.claim']);
    await claim?.release();
    expect(await readdir(folder)).toEqual([]);
  }
});

test.each([
  ['of a dead process', deadClaim],
  ['of a dead process, in the format of an earlier version', String(deadPid)],
  [
    'of an earlier process with the same ID',
    JSON.stringify({ pid: process.pid, host: hostname(), token: 'x' }),
  ],
  ['of an earlier process with the same ID, in the format of an earlier version', String(process.pid)],
])('only one of many attempts at the same time replaces the claim %s', async (_whose, text) => {
  const claimant = createClaimant();
  for (let round = 0; round < 20; round += 1) {
    await writeFile(path, text);
    const claims = await Promise.all(Array.from({ length: 10 }, () => tryClaim(path, claimant)));
    const [claim, ...others] = claims.filter((each) => each !== undefined);
    expect(claim).toBeDefined();
    expect(others).toEqual([]);
    await claim?.release();
    expect(await readdir(folder)).toEqual([]);
  }
});

describe('on a file system without hard links', () => {
  const failWith = (code: string) => async () => {
    throw Object.assign(new Error(code), { code });
  };

  test.each(['EPERM', 'ENOTSUP', 'UNKNOWN'])('only one attempt gets the claim: %s', async (code) => {
    const claimant = createOtherClaimant({ link: failWith(code) });
    const claims = await Promise.all(Array.from({ length: 9 }, () => tryClaim(path, claimant)));
    const [claim, ...others] = claims.filter((each) => each !== undefined);
    expect(claim).toBeDefined();
    expect(others).toEqual([]);
    expect(await readdir(folder)).toEqual(['x.claim']);
    await claim?.release();
    expect(await readdir(folder)).toEqual([]);
  });

  test('the claim of a process that is gone is replaced', async () => {
    await writeFile(path, deadClaim);
    expect(await tryClaim(path, createOtherClaimant({ link: failWith('EPERM') }))).toBeDefined();
  });

  test('any other failure is reported, and leaves nothing behind', async () => {
    const claimant = createOtherClaimant({ link: failWith('ENOSPC') });
    await expect(tryClaim(path, claimant)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await readdir(folder)).toEqual([]);
    expect(claimant.tokens.size).toBe(0);
    const otherClaimant = createOtherClaimant({ link: failWith('EPERM') });
    await expect(tryClaim(join(folder, 'gone', 'x.claim'), otherClaimant)).rejects.toMatchObject({
      code: 'ENOENT',
    });
  });
});

test('a claim can be taken after a process died while replacing it', async () => {
  await writeFile(path, deadClaim);
  await writeFile(`${path}.replace`, deadClaim);
  const claim = await tryClaim(path, createClaimant());
  await claim?.release();
  expect(claim).toBeDefined();
  expect(await readdir(folder)).toEqual([]);
});

test.each([
  ['is empty', ''],
  ['is incomplete', '{"pid":'],
  ['has no members', '{}'],
  ['has no process', '0'],
  ['is of another host', JSON.stringify({ pid: deadPid, host: 'other', token: 'x' })],
  [
    'is of another host, and its process has the same ID',
    JSON.stringify({ pid: process.pid, host: 'other', token: 'x' }),
  ],
  ['is of another process', JSON.stringify({ pid: process.ppid, host: hostname(), token: 'x' })],
  ['is of another process, in the format of an earlier version', String(process.ppid)],
])('a claim that %s is not replaced', async (_what, text) => {
  await writeFile(path, text);
  expect(await tryClaim(path, createClaimant())).toBeUndefined();
  expect(await readFile(path, 'utf8')).toBe(text);
  expect(await readdir(folder)).toEqual(['x.claim']);
});

test('other processes and hosts cannot take the claim of a running process', async () => {
  const claim = await tryClaim(path, createClaimant());
  expect(await tryClaim(path, createOtherClaimant({ pid: process.ppid }))).toBeUndefined();
  expect(await tryClaim(path, createOtherClaimant({ host: 'other' }))).toBeUndefined();
  await claim?.release();
  expect(await tryClaim(path, createOtherClaimant({ host: 'other' }))).toBeDefined();
});

test('a release does not delete the claim of another process', async () => {
  const claim = await tryClaim(path, createClaimant());
  const otherClaim = JSON.stringify({ pid: process.ppid, host: hostname(), token: 'x' });
  await writeFile(path, otherClaim);
  await claim?.release();
  expect(await readFile(path, 'utf8')).toBe(otherClaim);
});

const openHistory = (): History => {
  const limits = () => ({ maxBytes: 1e6, maxAgeMs: 1e12 });
  return new History({ folder, getLimits: limits, clock: new FakeClock(), log: silentLog });
};

test('a running operation is never taken over; one of a process on another host is, if the user says so', async () => {
  const history = openHistory();
  const operation = createOperation([]);
  const { id } = await history.begin({ operation, before: [] });
  const running = expectDefined(await history.readEntry(operation.connectionId, id));
  for (const takesOver of [false, true]) {
    expect(() => history.requireEnded(running, { takesOver })).toThrow(ClaimedError);
  }
  const runningElsewhere = { ...running, process: { host: 'other' } };
  expect(() => history.requireEnded(runningElsewhere)).toThrow(ClaimedError);
  expect(() => history.requireEnded(runningElsewhere, { takesOver: true })).not.toThrow();
  expect(() => history.requireEnded({ ...running, end: 'done' })).not.toThrow();
});

test('a connection cannot be reserved twice, even in the same process', async () => {
  const history = openHistory();
  await history.requireUnreserved('c');
  const first = await history.reserve('c');
  await expect(history.requireUnreserved('c')).rejects.toMatchObject({ holder: { state: 'running' } });
  await history.requireUnreserved('other');
  const refused = await history.reserve('c').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ClaimedError);
  expect(refused).toMatchObject({ holder: { state: 'running' } });
  expect(refused).not.toHaveProperty('holder.path');
  await first.release();
  await history.requireUnreserved('c');
  await expect(history.reserve('c')).resolves.toBeDefined();
});

test.each<readonly [string, number, string, string]>([
  ['its process ran on another host', deadPid, 'other', 'unknown'],
  ['another program may have the ID of its process', process.ppid, hostname(), 'id-in-use'],
])('the user decides whether a claim is replaced if %s', async (_when, pid, host, state) => {
  const limits = () => ({ maxBytes: 1e6, maxAgeMs: 1e12 });
  const history = new History({ folder, getLimits: limits, clock: new FakeClock(), log: silentLog });
  const claim = await history.reserve('c');
  const [connectionFolder = ''] = await readdir(folder);
  await claim.release();
  const owner = { pid, host };
  await writeFile(join(folder, connectionFolder, 'reserved.claim'), JSON.stringify({ ...owner, token: 'x' }));
  const refused = await history.reserve('c').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ClaimedError);
  expect(refused).toMatchObject({
    holder: { state, owner, path: expect.stringMatching(/reserved\.claim$/) },
  });
  expect(await history.requireUnreserved('c').catch((error: unknown) => error)).toEqual(refused);
  // The user says which process has ended.
  await expect(history.reserve('c', [{ pid: deadPid - 1, host }])).rejects.toBeInstanceOf(ClaimedError);
  await (await history.reserve('c', [owner])).release();
});

test('the claim of a process that is known to be running is never replaced', async () => {
  const claimant = createClaimant();
  await tryClaim(path, claimant);
  expect(await tryClaim(path, claimant, [claimant])).toBeUndefined();
});

test('a connection is not reserved if the folder of its journals cannot be created', async () => {
  await writeFile(path, '');
  const history = new History({
    folder: path,
    getLimits: () => ({ maxBytes: 1, maxAgeMs: 1 }),
    clock: new FakeClock(),
    log: silentLog,
  });
  await expect(history.reserve('c')).rejects.toMatchObject({ name: 'JournalError', code: 'ENOTDIR' });
});
