import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Returns whether the shared files contain running builds. This is the only check when a window opens; it sends no
 * request.
 */
export async function hasUnfinishedBuilds(folder: string): Promise<boolean> {
  try {
    const sharedFolder = join(folder, 'shared');
    const names = (await readdir(sharedFolder)).filter(
      (name) => name.startsWith('builds-') && name.endsWith('.json'),
    );
    const texts = await Promise.all(names.map((name) => readFile(join(sharedFolder, name), 'utf8')));
    return texts.some((text) => text.includes('"phase":"running"'));
  } catch {
    // Without the folder, nothing was ever built here. An unreadable file is reported when builds are loaded.
    return false;
  }
}
