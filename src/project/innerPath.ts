import * as systemPath from 'node:path';

/**
 * Returns the path of a file in a folder, with `/` between the names; `undefined` for what is not in the folder, and
 * empty for the folder itself.
 * @param system how the system writes paths
 */
export function getInnerPath(
  folder: string,
  path: string,
  system: Pick<typeof systemPath, 'relative' | 'isAbsolute' | 'sep'> = systemPath,
): string | undefined {
  const inner = system.relative(folder, path);
  // On Windows, the result is absolute if the path is on another drive.
  return system.isAbsolute(inner) || inner.split(system.sep)[0] === '..'
    ? undefined
    : inner.split(system.sep).join('/');
}
