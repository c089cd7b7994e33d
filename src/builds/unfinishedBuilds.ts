import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Whether this machine remembers builds that had not ended when they were last seen. All that is looked at when a
 * window opens; it asks no server.
 */
export async function hasUnfinishedBuilds(folder: string): Promise<boolean> {
  try {
    const shared = join(folder, 'shared');
    const names = (await readdir(shared)).filter(
      (name) => name.startsWith('builds-') && name.endsWith('.json'),
    );
    const texts = await Promise.all(names.map((name) => readFile(join(shared, name), 'utf8')));
    return texts.some((text) => text.includes('"phase":"running"'));
  } catch {
    // No folder: nothing was ever built here. A file that cannot be read is found when builds are looked at.
    return false;
  }
}
