import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { SandboxArguments } from './arguments.ts';
import { lockFolderOrFindSandbox } from './lockFolder.ts';
import { DataFolder } from './dataFolder.ts';
import { createBuildEngine } from './engine/processBuildEngine.ts';
import { TaskProcesses } from './engine/processes.ts';
import { getProfile } from './profiles/profiles.ts';
import { seeds } from './seeds/seeds.ts';
import { type SandboxAccess, startSandboxServer } from './server.ts';

/** The sandbox that serves a folder: one that was started, or another one that already runs there. */
export type OpenedSandbox =
  | { readonly kind: 'started'; readonly access: SandboxAccess; stop(): Promise<void> }
  | { readonly kind: 'attached'; readonly access: SandboxAccess };

/**
 * Starts the sandbox of a folder in this thread, or attaches to the one that already runs in the folder.
 * @param engineProgram the URL of `engineProcess.ts` or of its bundle
 * @throws as `startSandbox`, and FolderBusyError
 */
export async function openSandbox(
  args: Omit<SandboxArguments, 'stdinLifeline'>,
  { engineProgram, log }: { readonly engineProgram: URL; readonly log: Log },
): Promise<OpenedSandbox> {
  const folder = new DataFolder(resolve(args.dataFolder));
  const opened = await lockFolderOrFindSandbox(folder, systemClock);
  if ('runningSandbox' in opened) {
    return { kind: 'attached', access: opened.runningSandbox };
  }
  const taskProcesses = new TaskProcesses(engineProgram);
  const sandbox = await startSandboxServer({
    folder,
    lock: opened.lock,
    seed: seeds[args.seed],
    profile: getProfile(args.profile, args.sameShares),
    engine: createBuildEngine({ program: engineProgram }),
    tasks: taskProcesses.tasks,
    port: args.port,
    buildDelayMs: args.buildDelayMs,
    faults: args.faults,
    clock: systemClock,
    log,
  });
  return {
    kind: 'started',
    access: sandbox.access,
    stop: async () => {
      await Promise.all([taskProcesses.stop(), sandbox.stop()]);
    },
  };
}
