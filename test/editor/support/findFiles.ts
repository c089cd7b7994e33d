import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns the matching files below a folder, relative to it, sorted, with forward slashes. */
export function findFiles(folder: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
}

/** Returns the files below a folder that contain a text; none if the folder does not exist yet. */
export async function findFilesContaining(folder: string, text: string): Promise<readonly string[]> {
  const files = globSync('**', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map(({ parentPath, name }) => join(parentPath, name));
  const contents = await Promise.all(paths.map(readIfExists));
  return paths.filter((_path, index) => contents[index]?.includes(text));
}

/**
 * Returns `undefined` if the file no longer exists: editors write through temporary files, and delete backups. The files
 * in `/proc` of a process that ends meanwhile can't be read either.
 */
export async function readIfExists(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) {
      return undefined;
    }
    throw error;
  }
}
