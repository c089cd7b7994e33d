import { type Dirent, readFileSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { decodeUtf8 } from '../../base/decodeText.ts';
import { createMessage } from '../../base/localize.ts';
import { mapConcurrently } from '../../base/mapConcurrently.ts';
import { isInItemFolder } from '../paths.ts';
import { projectFileName } from '../projectFileName.ts';
import { findIntendedFolder, getFileKind } from './fileKinds.ts';
import { type ProjectTexts, parseProject } from './parseProject.ts';
import type { Project } from './project.ts';
import {
  type ReadFault,
  createFolderNameFault,
  createLinkFault,
  createReadFault,
  findNameFaults,
} from './readFault.ts';
import { getErrorCode } from '../../base/fileErrors.ts';

/** How many files or folders are read at once. */
const maxConcurrentReads = 32;

/** For how long files are read without a pause, in milliseconds. */
const maxSliceMs = 8;

/** A file system that reads fewer files without a pause is slow, such as one in a network. */
const minFilesPerSlice = 10;

/**
 * Reads the files of a project. Never fails because of a file: one that could not be read is reported as a problem, and
 * its items are unknown. Symbolic links are not followed, because they may lead out of the project, and other projects
 * in it are left out. A folder that does not exist counts as an empty project.
 */
export const readProject = async (folder: string): Promise<Project> =>
  parseProject(await readProjectTexts(folder));

/** Reads the texts of a project's files, as {@link readProject} does. */
export const readProjectTexts = async (folder: string): Promise<ProjectTexts> =>
  readListedTexts(folder, await listProjectFiles(folder));

/** Reads the texts of files that were listed. */
export async function readListedTexts(folder: string, list: FileList): Promise<ProjectTexts> {
  const results = await mapFiles(
    list.paths,
    (path) => readTextSync(folder, path),
    (path) => readProjectText(folder, path),
  );
  const texts = new Map<string, string>();
  const faults = [...list.faults];
  for (const [index, result] of results.entries()) {
    if (typeof result === 'string') {
      texts.set(list.paths[index] ?? '', result);
    } else {
      faults.push(result);
    }
  }
  return { texts, faults };
}

/**
 * Maps files one by one, synchronously: that takes a sixth of the processor time of asynchronous access, most of which
 * goes to passing each file between threads. Where it takes long, the remaining files are mapped asynchronously,
 * several at a time.
 */
export async function mapFiles<Result>(
  paths: readonly string[],
  mapSync: (path: string) => Result,
  map: (path: string) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  let [sliceStart, sliceLength] = [performance.now(), 0];
  for (const path of paths) {
    results.push(mapSync(path));
    sliceLength += 1;
    if (performance.now() - sliceStart > maxSliceMs) {
      if (sliceLength < minFilesPerSlice) {
        break;
      }
      await setImmediate();
      [sliceStart, sliceLength] = [performance.now(), 0];
    }
  }
  const others = await mapConcurrently(paths.slice(results.length), maxConcurrentReads, map);
  return [...results, ...others];
}

/** The files of a project, and faults for whatever else is in its folders but should not be there. */
export interface FileList {
  readonly paths: readonly string[];
  readonly faults: readonly ReadFault[];
}

/** Lists the files of a project without reading them. */
export async function listProjectFiles(root: string): Promise<FileList> {
  const list = { paths: [], faults: [] };
  let folders: readonly string[] = [''];
  while (folders.length > 0) {
    const inner = await mapConcurrently(folders, maxConcurrentReads, (folder) =>
      listFolder(root, folder, list),
    );
    folders = inner.flat();
  }
  return list;
}

/** Adds the files of a folder, and returns the folders in it. */
async function listFolder(
  root: string,
  folder: string,
  { paths, faults }: { readonly paths: string[]; readonly faults: ReadFault[] },
): Promise<readonly string[]> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (folder !== '' || getErrorCode(error) !== 'ENOENT') {
      faults.push(createReadFault(folder, error));
    }
    return [];
  }
  if (folder !== '' && entries.some(({ name }) => name === projectFileName)) {
    // Another project, which is read on its own.
    return [];
  }
  const folders: string[] = [];
  for (const entry of entries) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (!isInItemFolder(path)) {
      const intended = folder === '' && entry.isDirectory() ? findIntendedFolder(entry.name) : undefined;
      if (intended !== undefined && (await hasProjectFiles(root, path))) {
        faults.push(createFolderNameFault(path, intended));
      }
      continue;
    }
    if (entry.isDirectory()) {
      folders.push(path);
    } else if (entry.isSymbolicLink()) {
      faults.push(createLinkFault(path));
    } else if (getFileKind(path) !== undefined) {
      if (entry.isFile()) {
        paths.push(path);
      } else {
        faults.push({ path, code: 'unreadable', message: createMessage("This isn't a file.") });
      }
    } else {
      faults.push(...findNameFaults(path));
    }
  }
  return folders;
}

/** Returns whether a folder outside of the project's folders has project files. Another project's files don't count. */
async function hasProjectFiles(root: string, folder: string): Promise<boolean> {
  let entries: readonly Dirent[];
  try {
    entries = await readdir(join(root, folder), { withFileTypes: true });
  } catch (error) {
    if (getErrorCode(error) === undefined) {
      throw error;
    }
    // Only folders that certainly contain project files are reported.
    return false;
  }
  if (entries.some(({ name }) => name === projectFileName)) {
    return false;
  }
  if (entries.some((entry) => entry.isFile() && getFileKind(entry.name) !== undefined)) {
    return true;
  }
  for (const entry of entries) {
    if (entry.isDirectory() && (await hasProjectFiles(root, `${folder}/${entry.name}`))) {
      return true;
    }
  }
  return false;
}

/** Reads the text of a file of a project, with its byte-order mark. */
export async function readProjectText(root: string, path: string): Promise<string | ReadFault> {
  try {
    return decodeProjectText(path, await readFile(join(root, path)));
  } catch (error) {
    return createReadFault(path, error);
  }
}

function readTextSync(root: string, path: string): string | ReadFault {
  try {
    return decodeProjectText(path, readFileSync(join(root, path)));
  } catch (error) {
    return createReadFault(path, error);
  }
}

function decodeProjectText(path: string, bytes: Uint8Array): string | ReadFault {
  const text = decodeUtf8(bytes);
  if (text === undefined) {
    return { path, code: 'invalid-encoding', message: createMessage("The file isn't valid UTF-8.") };
  }
  // The byte-order mark is kept in the text, so that it is written back with the file.
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? `\uFEFF${text}` : text;
}
