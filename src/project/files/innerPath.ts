import * as systemPath from 'node:path';

/**
 * Returns the path of a file in a folder, with `/` between the names; `undefined` for what is not in the folder, and
 * empty for the folder itself.
 * @param system how the system writes paths
 */
export function getInnerPath(
  folder: string,
  path: string,
  { relative, isAbsolute, sep }: Pick<typeof systemPath, 'relative' | 'isAbsolute' | 'sep'> = systemPath,
): string | undefined {
  const inner = relative(folder, path);
  // On Windows, it's absolute for what is on another drive.
  return isAbsolute(inner) || inner.split(sep)[0] === '..' ? undefined : inner.split(sep).join('/');
}
