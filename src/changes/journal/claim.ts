import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import * as z from 'zod';
import { isAlive } from './isAlive.ts';

/** A lock file that reserves an operation or a connection for one process. */
export interface Claim {
  release(): Promise<void>;
}

/** The owner of claims: a process on a host, and the tokens of the claims that it holds. */
export interface Claimant {
  readonly pid: number;
  readonly host: string;
  readonly tokens: Set<string>;
  /** Creates a hard link, which not every file system supports. */
  readonly link: typeof link;
}

/** Creates the claimant of this process. */
export const createClaimant = (): Claimant => ({
  pid: process.pid,
  host: hostname(),
  tokens: new Set(),
  link,
});

/**
 * Tries to create the claim at a path; replaces the claim of a process that no longer exists. A claim that can't be
 * read, or belongs to another host, counts as held, since it isn't known whether its process still exists.
 * @returns `undefined` if another claim is held
 */
export async function tryClaim(path: string, claimant: Claimant): Promise<Claim | undefined> {
  const { pid, host, tokens } = claimant;
  const token = randomUUID();
  const text = JSON.stringify({ pid, host, token });
  const newPath = `${path}.${token}`;
  tokens.add(token);
  let isCreated = false;
  try {
    // Written under a temporary name first, so that no process reads a claim that is still empty.
    await writeFile(newPath, text, { flag: 'wx', mode: 0o600 });
    isCreated =
      (await createFile(path, { newPath, text, claimant })) ||
      (await replaceStale(path, { newPath, claimant }));
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
async function replaceStale(path: string, { newPath, claimant }: Omit<NewClaim, 'text'>): Promise<boolean> {
  if (!isStale(await readText(path), claimant)) {
    return false;
  }
  const replacement = await tryClaim(`${path}.replace`, claimant);
  if (replacement === undefined) {
    return false;
  }
  try {
    if (!isStale(await readText(path), claimant)) {
      return false;
    }
    await rename(newPath, path);
    return true;
  } finally {
    await replacement.release();
  }
}

/** Returns whether the process that holds a claim works on this computer. */
export async function isHeldHere(path: string, claimant: Claimant): Promise<boolean> {
  const text = await readText(path);
  return parseClaim(text)?.host === claimant.host && !isStale(text, claimant);
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // The owner of a claim that can't be read is unknown, regardless of the reason.
    return '';
  }
}

/** Returns whether the process of a claim no longer exists. */
function isStale(text: string, { pid, host, tokens }: Claimant): boolean {
  const owner = parseClaim(text);
  if (owner === undefined || (owner.host !== undefined && owner.host !== host)) {
    return false;
  }
  // An unknown token with this process ID belongs to an earlier process with the same ID, which is common in
  // containers.
  return owner.pid === pid ? !tokens.has(owner.token ?? '') : !isAlive(owner.pid);
}

const claimSchema = z.object({ pid: z.int().positive(), host: z.string(), token: z.string() });

/** Earlier versions wrote claims that consist only of a process ID. */
type ClaimOwner = Pick<z.infer<typeof claimSchema>, 'pid'> & Partial<z.infer<typeof claimSchema>>;

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
