import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAddress } from '../../connections/parseAddress.ts';
import { decodeStem } from '../fileNames.ts';
import { getErrorCode } from '../files/readTextFile.ts';
import { isEnvironmentName, readEnvironment } from '../settings/projectSettings.ts';
import { SettingsFileError } from '../settings/settingsFile.ts';
import { type InstanceAddress, hashInstance } from './instanceHash.ts';
import { LockError, readLock } from './lock.ts';

/** The environments of a project. */
export interface ProjectEnvironments {
  /** The names of all environments, including those that only have a lock file. */
  readonly names: readonly string[];
  /** The names of the environments of the given instance. */
  readonly matches: readonly string[];
}

/**
 * Finds the environments of an instance: by the address and tenant in their files, or by their lock files if they have
 * no file of their own. An environment whose file can't be read doesn't match.
 */
export async function findEnvironments(
  folder: string,
  address: InstanceAddress,
): Promise<ProjectEnvironments> {
  const fileNames = await listFileNames(join(folder, 'environments'));
  const lockNames = new Set(fileNames.flatMap((fileName) => getLockName(fileName) ?? []));
  const ownNames = new Set(
    fileNames
      .filter((fileName) => fileName.endsWith(suffix) && !fileName.endsWith(lockSuffix))
      .map((fileName) => fileName.slice(0, -suffix.length)),
  );
  const names = [...ownNames.union(lockNames)].filter(isEnvironmentName).toSorted();
  const isMatch = await Promise.all(
    names.map((name) =>
      ownNames.has(name) ? matchesAddress(folder, name, address) : matchesLock(folder, name, address),
    ),
  );
  return { names, matches: names.filter((_name, index) => isMatch[index]) };
}

const suffix = '.json';
const lockSuffix = '.lock.json';

const getLockName = (fileName: string): string | undefined =>
  fileName.endsWith(lockSuffix) ? decodeStem(fileName.slice(0, -lockSuffix.length)) : undefined;

async function listFileNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (getErrorCode(error) === 'ENOENT') {
      return [];
    }
    throw error;
  }
}

async function matchesAddress(folder: string, name: string, address: InstanceAddress): Promise<boolean> {
  try {
    const { url, tenant } = await readEnvironment(folder, name);
    const parsed = parseAddress(url);
    return (
      parsed.problem === undefined &&
      hashInstance({ url: parsed.url, tenantId: tenant }) === hashInstance(address)
    );
  } catch (error) {
    if (error instanceof SettingsFileError) {
      return false;
    }
    throw error;
  }
}

async function matchesLock(folder: string, name: string, address: InstanceAddress): Promise<boolean> {
  try {
    return (await readLock(folder, name)).instance === hashInstance(address);
  } catch (error) {
    if (error instanceof LockError) {
      return false;
    }
    throw error;
  }
}
