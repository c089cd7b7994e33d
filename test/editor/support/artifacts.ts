import { join } from 'node:path';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';

/** Folder for the screenshots and logs that people look at; ignored by git. */
export const artifactsFolder: string = join(projectRoot, 'test', '.artifacts');

/** Returns a file name for a test title. */
export function toFileName(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
}
