import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import * as z from 'zod';
import { getErrorCode } from '../../base/fileErrors.ts';
import { ClaimedError } from './claimedError.ts';
import {
  type ProcessIdentity,
  type ProcessState,
  type RecordedProcess,
  getProcessState,
  identifyProcess,
  isSameProcess,
  processIdentitySchema,
} from './processIdentity.ts';

/** A lock file that reserves an operation or a connection for one process. */
export interface Claim {
  release(): Promise<void>;
}

/** The owner of claims: a process, and the tokens of the claims that it holds. */
export interface Claimant extends Readonly<ProcessIdentity> {
  readonly pid: number;
  readonly tokens: Set<string>;
  /** Creates a hard link, which not every file system supports. */
  readonly link: typeof link;
}

/** Creates the claimant of this process. */
export const createClaimant = (): Claimant => ({
  ...identifyProcess(),
  tokens: new Set(),
  link,
});

/**
 * Tries to create the claim at a path; replaces the claim of a process that no longer exists, or of one of
 * `endedProcesses`. A claim that can't be read, or belongs to another host or container, counts as held, since it isn't
 * known whether its process still exists.
 * @returns `undefined` if another claim is held
 */
export async function tryClaim(
  path: string,
  claimant: Claimant,
  endedProcesses: readonly RecordedProcess[] = [],
): Promise<Claim | undefined> {
  const { tokens, link: _link, ...self } = claimant;
  const token = randomUUID();
  const text = JSON.stringify({ ...self, token });
  const newPath = `${path}.${token}`;
  tokens.add(token);
  let isCreated = false;
  try {
    // Written under a temporary name first, so that no process reads a claim that is still empty.
    await writeFile(newPath, text, { flag: 'wx', mode: 0o600 });
    isCreated =
      (await createFile(path, { newPath, text, claimant })) ||
      (await replaceStale(path, { newPath, claimant, endedProcesses }));
  } finally {
    await rm(newPath, { force: true });
    if (!isCreated) {
      tokens.delete(token);
    }
  }
  if (!isCreated) {
    return undefined;
  }
  return {
    release: async () => {
      tokens.delete(token);
      // A user may have deleted the file, and another process may have created its own claim since.
      if ((await readText(path)) === text) {
        await rm(path, { force: true });
      }
    },
  };
}

interface NewClaim {
  readonly newPath: string;
  readonly text: string;
  readonly claimant: Claimant;
}

/** Creates the claim at its path unless a claim exists there; returns whether it was created. */
async function createFile(path: string, { newPath, text, claimant }: NewClaim): Promise<boolean> {
  try {
    await claimant.link(newPath, path);
    return true;
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) {
      return false;
    }
    if (!hasCode(error, noLinkCodes)) {
      throw error;
    }
  }
  try {
    await writeFile(path, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (hasCode(error, ['EEXIST'])) {
      return false;
    }
    throw error;
  }
}

/** The error codes of file systems that don't support hard links. */
const noLinkCodes = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EACCES', 'EINVAL', 'EISDIR', 'UNKNOWN'];

/**
 * Replaces the claim of a process that no longer exists. Only one process at a time may do this, which
 * a second claim ensures: otherwise, a process that has read the old claim could remove the one that has replaced it.
 */
async function replaceStale(
  path: string,
  {
    newPath,
    claimant,
    endedProcesses,
  }: Omit<NewClaim, 'text'> & { readonly endedProcesses: readonly RecordedProcess[] },
): Promise<boolean> {
  const isReplaceable = async (): Promise<boolean> => {
    const owner = parseClaim(await readText(path));
    return owner !== undefined && isStale(owner, claimant, endedProcesses);
  };
  if (!(await isReplaceable())) {
    return false;
  }
  const replacement = await tryClaim(`${path}.replace`, claimant, endedProcesses);
  if (replacement === undefined) {
    return false;
  }
  try {
    if (!(await isReplaceable())) {
      return false;
    }
    await rename(newPath, path);
    return true;
  } finally {
    await replacement.release();
  }
}

/**
 * Requires that no process has a claim, or may still have it: one that can't be read counts as held.
 * @param ignoredProcess a process whose claim doesn't count
 * @throws ClaimedError
 */
export async function requireUnclaimed(
  path: string,
  claimant: Claimant,
  ignoredProcess: RecordedProcess | undefined,
): Promise<void> {
  const holder = await readClaimOwner(path, claimant);
  if (holder === undefined) {
    if (await mayExist(path)) {
      throw new ClaimedError({ state: 'unknown', path });
    }
    return;
  }
  if (holder.state === 'ended') {
    return;
  }
  if (ignoredProcess === undefined || !isSameProcess(holder.owner, ignoredProcess)) {
    throw new ClaimedError(holder.state === 'running' ? holder : { ...holder, path });
  }
}

/** Returns the process that holds a claim, and what is known of it; `undefined` if the claim can't be read. */
export async function readClaimOwner(
  path: string,
  claimant: Claimant,
): Promise<{ readonly owner: RecordedProcess; readonly state: ProcessState } | undefined> {
  const owner = parseClaim(await readText(path));
  return owner && { owner, state: getOwnerState(owner, claimant) };
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // The owner of a claim that can't be read is unknown, regardless of the reason.
    return '';
  }
}

async function mayExist(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    return getErrorCode(error) !== 'ENOENT';
  }
}

/** Returns whether the process of a claim no longer exists. */
function isStale(owner: ClaimOwner, claimant: Claimant, endedProcesses: readonly RecordedProcess[]): boolean {
  const state = getOwnerState(owner, claimant);
  return (
    state === 'ended' || (state !== 'running' && endedProcesses.some((ended) => isSameProcess(ended, owner)))
  );
}

function getOwnerState(owner: ClaimOwner, claimant: Claimant): ProcessState {
  if (!isSameProcess(owner, claimant)) {
    return getProcessState(owner, claimant);
  }
  // An unknown token with this process ID belongs to an earlier process with the same ID.
  return claimant.tokens.has(owner.token ?? '') ? 'running' : 'ended';
}

const claimSchema = processIdentitySchema.extend({ pid: z.int().positive(), token: z.string() });

/** Earlier versions wrote claims that consist only of a process ID. */
type ClaimOwner = RecordedProcess & { readonly token?: string };

/** Returns the owner of a claim; `undefined` if the text is not a complete claim. */
function parseClaim(text: string): ClaimOwner | undefined {
  if (/^[1-9]\d{0,9}$/.test(text)) {
    return { pid: Number(text) };
  }
  try {
    return claimSchema.safeParse(JSON.parse(text)).data;
  } catch (error) {
    if (error instanceof SyntaxError) {
      return undefined;
    }
    throw error;
  }
}

const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && codes.includes(String(error.code));
