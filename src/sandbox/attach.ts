import { type Clock, delay } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { DataFolder } from './dataFolder.ts';
import { sandboxPathPrefix } from './paths.ts';
import { verifyProof, createChallenge, createProof } from './proof.ts';
import type { SandboxAccess } from './server.ts';

/** How long a running sandbox has for its answer, in milliseconds. */
const responseTimeoutMs = 2000;

/** How often the folder is looked at while another process starts or ends in it, in milliseconds. */
const pollIntervalMs = 100;

/** How long another process may take to start or end, in milliseconds: the large seed takes seconds. */
const claimTimeoutMs = 60_000;

/** Another process has the folder and gives no sign of life. */
class FolderBusyError extends Error {
  override readonly name = 'FolderBusyError';
}

/** Either the folder is ours, or another sandbox runs in it. */
export type FolderClaim = { readonly lock: Disposable } | { readonly running: SandboxAccess };

/**
 * Takes the folder, or finds the sandbox that has it (design.md, section 5: one per data folder, a second window
 * attaches).
 * @throws FolderBusyError when neither comes true in a minute.
 */
export async function claimFolder(folder: DataFolder, clock: Clock): Promise<FolderClaim> {
  const deadline = clock.now() + claimTimeoutMs;
  for (;;) {
    const lock = folder.lock();
    if (lock !== undefined) {
      return { lock };
    }
    const running = await findRunningSandbox(folder);
    if (running !== undefined) {
      return { running };
    }
    if (clock.now() > deadline) {
      throw new FolderBusyError(`Another process uses ${folder.path} and does not answer`);
    }
    await delay(clock, pollIntervalMs);
  }
}

/**
 * The sandbox that runs in the folder, if it proves to be the process that was announced. The token is not sent: one that
 * was killed leaves its address behind, and any process of the machine may listen there by now.
 */
async function findRunningSandbox(folder: DataFolder): Promise<SandboxAccess | undefined> {
  const address = folder.readAnnouncement();
  const tokens = folder.readTokens();
  if (address === undefined || tokens === undefined) {
    return undefined;
  }
  try {
    const challenge = createChallenge();
    const url = new URL(`${sandboxPathPrefix}/proof?challenge=${challenge}`, address.url);
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(responseTimeoutMs) });
    const answer: unknown = response.ok ? await response.json() : undefined;
    const proven = { pid: address.pid, port: Number(url.port) };
    return verifyProof(Object(answer).proof, createProof(tokens.adminToken, challenge, proven))
      ? { url: address.url, ...tokens }
      : undefined;
  } catch {
    // Whatever keeps it from answering, it is not running for us: it may be starting, ending or dead.
    return undefined;
  }
}
