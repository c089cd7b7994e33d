import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Finding } from '../../project/validate/finding.ts';

/** Returns findings with paths that are relative to the current folder, as people and CI servers expect them. */
export function locateFindings(findings: readonly Finding[], folder: string): readonly Finding[] {
  const prefix = getPathPrefix(folder);
  return findings.map((finding) => ({ ...finding, path: `${prefix}${finding.path}` }));
}

/** Returns the prefix that makes project paths relative to the current folder; empty if the project is outside it. */
function getPathPrefix(folder: string): string {
  const path = relative(resolve('.'), folder);
  return path === '' || path.split(sep)[0] === '..' || isAbsolute(path)
    ? ''
    : `${path.replaceAll(sep, '/')}/`;
}
