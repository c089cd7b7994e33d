import type { Dirent } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { readBrowserStorage } from './browserStorage.ts';
import { readIfExists } from './findFiles.ts';

/**
 * In this file, the sandbox stores its own two tokens for the next process that starts it (decisions.md, "Stable
 * interfaces").
 */
const tokenFile = 'tokens.json';
/** With this file, the launcher passes the token of one start to the editor's server. */
const connectionTokenFile = 'connection-token';

/**
 * Returns the locations where a session left a token in the clear: any file of the user data folder and of the workspace,
 * and everything that the editor stores in the browser except its secret storage. Checks the given tokens and those of
 * every sandbox that the product started on its own.
 */
export async function findTokenLeaks(
  context: BrowserContext,
  folders: readonly string[],
  knownTokens: readonly string[],
): Promise<readonly string[]> {
  const files = (await Promise.all(folders.map(findFiles))).flat();
  const tokens = [...knownTokens, ...(await Promise.all(files.filter(isTokenFile).map(readTokens))).flat()];
  const leaks: string[] = [];
  const scan = (location: string, content: { includes(text: string): boolean }): void => {
    if (tokens.some((token) => content.includes(token))) {
      leaks.push(location);
    }
  };
  for (const file of files.filter((path) => !isTokenFile(path) && basename(path) !== connectionTokenFile)) {
    scan(file, (await readIfExists(file)) ?? '');
  }
  for (const page of context.pages()) {
    for (const { storage, key, text } of await readBrowserStorage(page)) {
      if (!/secret/i.test(key)) {
        scan(`${storage} ${key}`, Buffer.from(text));
      }
    }
  }
  return leaks;
}

const isTokenFile = (path: string): boolean => basename(path) === tokenFile;

async function readTokens(path: string): Promise<readonly string[]> {
  const { adminToken, userToken } = JSON.parse(await readFile(path, 'utf8')) as Record<string, string>;
  return [adminToken ?? '', userToken ?? ''].filter((token) => token !== '');
}

/** Skips links: they lead to the product itself. */
async function findFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  for (const entry of await readFolder(folder)) {
    const path = join(folder, entry.name);
    if (entry.isFile()) {
      files.push(path);
    } else if (entry.isDirectory()) {
      files.push(...(await findFiles(path)));
    }
  }
  return files;
}

/** Returns an empty list if the folder no longer exists: the running editor deletes folders of its own. */
async function readFolder(path: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') {
      return [];
    }
    throw error;
  }
}
