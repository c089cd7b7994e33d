import { globSync } from 'node:fs';

/** Files below a folder that match, sorted, relative to it, with forward slashes. */
export function findFiles(folder: string, pattern: string): readonly string[] {
  return globSync(pattern, { cwd: folder })
    .map((file) => file.replaceAll('\\', '/'))
    .toSorted();
}
