import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

/** Returns the full path of a program on the PATH; `undefined` if there is none. */
export function findExecutable(name: string, path: string = process.env['PATH'] ?? ''): string | undefined {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', ''] : [''];
  const candidates = path
    .split(delimiter)
    .filter((folder) => folder !== '')
    .flatMap((folder) => suffixes.map((suffix) => join(folder, `${name}${suffix}`)));
  return candidates.find(isExecutable);
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
