import { join } from 'node:path';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';

/** Where runs leave what a person looks at; ignored by git. */
export const artifactsFolder: string = join(projectRoot, 'test', '.artifacts');

/** A file name out of a test's title. */
export function toFileName(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
}
