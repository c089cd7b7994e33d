import { randomUUID } from 'node:crypto';
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { privateFileMode, ensurePrivateFolder } from '../base/storage/privateFiles.ts';
import { BuildHistory, type LineFile } from './buildHistory.ts';
import { BuildWatch } from './buildWatch.ts';
import { DiskSharedFolder } from './diskSharedFolder.ts';
import type { BuildWatchDeps } from './watchDeps.ts';

/** Opens the build watch and the history, which share a folder on this machine with the other windows. */
export async function openBuildWatch(
  folder: string,
  deps: Omit<BuildWatchDeps, 'folder' | 'history'>,
): Promise<{ readonly watch: BuildWatch; readonly history: BuildHistory }> {
  const history = new BuildHistory(createLineFile(join(folder, 'history.jsonl')), deps.log);
  const sharedFolder = await DiskSharedFolder.open(join(folder, 'shared'), deps.windowId, deps.log);
  return { watch: new BuildWatch({ ...deps, folder: sharedFolder, history }), history };
}

const createLineFile = (path: string): LineFile => ({
  async read() {
    try {
      return await readFile(path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
        return '';
      }
      throw error;
    }
  },
  async append(lines) {
    await ensurePrivateFolder(dirname(path));
    await appendFile(path, lines, { mode: privateFileMode });
  },
  async replace(text) {
    await ensurePrivateFolder(dirname(path));
    // Unique, since two windows may replace the file at the same time.
    const temporaryPath = `${path}.${randomUUID()}.draft`;
    await writeFile(temporaryPath, text, { mode: privateFileMode });
    await rename(temporaryPath, path);
  },
});
