import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns whether the shared files contain running builds. This is the only check when a window opens; it sends no
 * request.
 */
export async function hasUnfinishedBuilds(folder: string): Promise<boolean> {
  const sharedFolder = join(folder, 'shared');
  // Without the folder, nothing was ever built here.
  const names = await readdir(sharedFolder).catch(() => []);
  const texts = await Promise.all(
    names
      .filter((name) => name.startsWith('builds-') && name.endsWith('.json'))
      // A file may have been removed since, or be damaged: it must not hide the builds in other files.
      .map((name) => readFile(join(sharedFolder, name), 'utf8').catch(() => '')),
  );
  return texts.some((text) => text.includes('"phase":"running"'));
}
