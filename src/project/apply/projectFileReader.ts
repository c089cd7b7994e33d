import type { ProjectTexts } from '../files/parseProject.ts';
import { readProjectTexts } from '../files/readProject.ts';
import type { TextFile } from '../files/readTextFile.ts';
import { readLockText } from '../pull/lock.ts';

/** Reads the files that a plan is created from. */
export interface ProjectFileReader {
  readonly readLockFile: () => Promise<TextFile>;
  readonly readTexts: () => Promise<ProjectTexts>;
}

/** Reads the files of a project from its folder, each of them once. */
export function createProjectFileReader(folder: string, environmentName: string): ProjectFileReader {
  let lockFile: Promise<TextFile> | undefined;
  let texts: Promise<ProjectTexts> | undefined;
  return {
    readLockFile: () => (lockFile ??= readLockText(folder, environmentName)),
    readTexts: () => (texts ??= readProjectTexts(folder)),
  };
}
