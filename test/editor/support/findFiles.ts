import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files below a folder that match, sorted, relative to it, with forward slashes. */
export function findFiles(folder: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
}

/** The files below a folder that hold a text; none where there is no folder yet. */
export async function findFilesContaining(folder: string, text: string): Promise<readonly string[]> {
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(paths.map(readIfExists));
  return paths.filter((_path, index) => contents[index]?.includes(text));
}

/** Nothing for a file that is gone by now: editors write beside and rename, and delete what they had put by. */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return undefined;
    }
    throw error;
  }
}
