import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the texts of all files in a folder, by path relative to it, with forward slashes. */
export async function readFolderTexts(folder: string): Promise<ReadonlyMap<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const texts = files.map(
    async (path) =>
      [path.slice(folder.length + 1).replaceAll('\\', '/'), await readFile(path, 'utf8')] as const,
  );
  return new Map((await Promise.all(texts)).sort(([a], [b]) => (a < b ? -1 : 1)));
}
