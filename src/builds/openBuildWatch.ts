import { join } from 'node:path';
import { BuildHistory } from './buildHistory.ts';
import { BuildWatch } from './buildWatch.ts';
import { DiskSharedFolder } from './diskSharedFolder.ts';
import { openHistoryFile } from './historyFile.ts';
import type { BuildWatchDeps } from './buildWatchDeps.ts';

/** Opens the build watch and the history, which share a folder on this machine with the other windows. */
export async function openBuildWatch(
  folder: string,
  deps: Omit<BuildWatchDeps, 'folder' | 'history'>,
): Promise<{ readonly watch: BuildWatch; readonly history: BuildHistory }> {
  const history = new BuildHistory(openHistoryFile(folder), deps.log);
  const sharedFolder = await DiskSharedFolder.open(join(folder, 'shared'), deps.windowId, deps.log);
  return { watch: new BuildWatch({ ...deps, folder: sharedFolder, history }), history };
}
