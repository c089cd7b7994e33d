import { type Clock, delay } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import type { DataFolder } from './dataFolder.ts';
import { sandboxPathPrefix } from './paths.ts';
import { verifyProof, createChallenge, createProof } from './proof.ts';
import type { SandboxAccess } from './server.ts';

/** How long to wait for a response of a running sandbox, in milliseconds. */
const responseTimeoutMs = 2000;

/** How often to retry while another process starts or ends in the folder, in milliseconds. */
const pollIntervalMs = 100;

/** How long to wait for another process to start or end, in milliseconds: writing the large seed takes seconds. */
const lockTimeoutMs = 60_000;

/** Another process has locked the folder and does not respond. */
class FolderBusyError extends Error {
  override readonly name = 'FolderBusyError';
}

/** The lock of a data folder, or the URL and tokens of the sandbox that already runs in the folder. */
export type LockOrSandbox = { readonly lock: Disposable } | { readonly runningSandbox: SandboxAccess };

/**
 * Locks the folder, or finds the sandbox that has locked it (decisions.md, "Sandbox": one per data folder, a second
 * window attaches).
 * @throws FolderBusyError when neither succeeds within a minute.
 */
export async function lockFolderOrFindSandbox(folder: DataFolder, clock: Clock): Promise<LockOrSandbox> {
  const deadline = clock.now() + lockTimeoutMs;
  for (;;) {
    const lock = folder.lock();
    if (lock !== undefined) {
      return { lock };
    }
    const running = await findRunningSandbox(folder);
    if (running !== undefined) {
      return { runningSandbox: running };
    }
    if (clock.now() > deadline) {
      throw new FolderBusyError(
        `Another process is using ${folder.path} and isn't responding. End that process, or use another data folder.`,
      );
    }
    await delay(clock, pollIntervalMs);
  }
}

/**
 * Returns the sandbox that runs in the folder, if it proves that it is the announced process. The token is not sent
 * first: after a sandbox was killed, another process may listen at the announced address.
 */
async function findRunningSandbox(folder: DataFolder): Promise<SandboxAccess | undefined> {
  const announcement = folder.readAnnouncement();
  const tokens = folder.readTokens();
  if (announcement === undefined || tokens === undefined) {
    return undefined;
  }
  try {
    const challenge = createChallenge();
    const url = new URL(`${sandboxPathPrefix}/proof?challenge=${challenge}`, announcement.url);
    const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(responseTimeoutMs) });
    const body: unknown = response.ok ? await response.json() : undefined;
    const processAddress = { pid: announcement.pid, port: Number(url.port) };
    return verifyProof(Object(body).proof, createProof(tokens.adminToken, challenge, processAddress))
      ? { url: announcement.url, ...tokens }
      : undefined;
  } catch {
    // Without a proper response, the sandbox cannot be used: it may be starting or ending, or was killed.
    return undefined;
  }
}
