import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { getStrictestRole } from '../../connections/addressRoles.ts';
import type { ConnectionRole } from '../../connections/connection.ts';
import { getAddressKey, mayContainAddress } from '../../base/addressKey.ts';
import { parseAddress } from '../../connections/parseAddress.ts';
import { type Message, createMessage } from '../../base/localize.ts';
import { decodeStem } from '../fileNames.ts';
import { getErrorCode } from '../../base/fileErrors.ts';
import {
  defaultEnvironmentName,
  getEnvironmentPath,
  isEnvironmentName,
  readEnvironment,
} from '../settings/projectSettings.ts';
import { readTextFile } from '../files/readTextFile.ts';
import { SettingsFileError } from '../settings/settingsFile.ts';
import { type InstanceAddress, hashInstance, sandboxAddress } from './instanceHash.ts';
import { LockError, emptyLock, getLockPath, readLock } from './lock.ts';

/** The environments of a project. */
export interface ProjectEnvironments {
  /** The names of all environments, including those that only have a lock file. */
  readonly names: readonly string[];
  /** The environments of the given instance. */
  readonly matches: readonly ListedEnvironment[];
}

/**
 * Finds the environments of an instance: by the address and tenant in their files, or by their lock files if they have
 * no file of their own. An environment whose file can't be read doesn't match.
 */
export async function findEnvironments(
  folder: string,
  address: InstanceAddress,
): Promise<ProjectEnvironments> {
  const environments = await listEnvironments(folder);
  const instance = hashInstance(address);
  return {
    names: environments.map(({ name }) => name),
    matches: environments.filter((environment) => environment.instanceHash === instance),
  };
}

/** An environment as its files describe it. */
export interface ListedEnvironment {
  readonly name: string;
  /** Absent, like the role, if the environment has only a lock file. */
  readonly url?: string;
  /** The ID of its tenant, if its file names one. */
  readonly tenant?: string;
  /** The strictest role of all environments with its address: a second one must not bypass the protection. */
  readonly role?: ConnectionRole;
  /** The name of the environment that the role comes from, if it isn't its own. */
  readonly roleOrigin?: string;
  /** The hash of its instance ({@link hashInstance}); absent if its files can't be used. */
  readonly instanceHash?: string;
  /**
   * True if it has only a lock file, although it needs a file of its own: without that file, nothing shows whether it
   * is a production instance.
   */
  readonly isFileMissing?: true;
}

/** Lists the environments of a project, including those that have only a lock file. */
export async function listEnvironments(folder: string): Promise<readonly ListedEnvironment[]> {
  const { ownNames, names } = await listNames(folder);
  const environments = await Promise.all(
    names.map((name) =>
      ownNames.has(name) ? describeEnvironment(folder, name) : describeLock(folder, name),
    ),
  );
  const keys = environments.map(({ url }) => (url === undefined ? undefined : getAddressKey(url)));
  return environments.map((environment, index) => {
    const withSameAddress = environments.filter(
      (_, other) => keys[index] !== undefined && keys[other] === keys[index],
    );
    const role = getStrictestRole(withSameAddress.flatMap((other) => other.role ?? []));
    const origin = withSameAddress.find((other) => other.role === role);
    return role === undefined || origin === undefined || role === environment.role
      ? environment
      : { ...environment, role, roleOrigin: origin.name };
  });
}

/** Lists the environments of a project that have a file of their own, or whose file is missing. */
export async function listConfiguredEnvironments(folder: string): Promise<readonly ListedEnvironment[]> {
  const [{ ownNames }, environments] = await Promise.all([listNames(folder), listEnvironments(folder)]);
  return environments.filter(({ name, isFileMissing }) => ownNames.has(name) || isFileMissing === true);
}

/**
 * Returns whether an environment whose file can't be used might have an address: the file contains it in any spelling,
 * or can't be read at all. False if the file is missing.
 * @param key the key of the address ({@link getAddressKey}), which is the same for all spellings of an address
 */
export async function mayHaveAddress(folder: string, name: string, key: string): Promise<boolean> {
  const file = await readTextFile(join(folder, getEnvironmentPath(name)));
  return 'text' in file ? mayContainAddress(file.text, key) : file.fault !== 'missing';
}

async function describeEnvironment(folder: string, name: string): Promise<ListedEnvironment> {
  try {
    const { url, role, tenant } = await readEnvironment(folder, name);
    const parsed = parseAddress(url);
    return parsed.problem === undefined
      ? {
          name,
          url: parsed.url,
          role,
          ...(tenant === undefined ? {} : { tenant }),
          instanceHash: hashInstance({ url: parsed.url, tenantId: tenant }),
        }
      : { name };
  } catch (error) {
    if (error instanceof SettingsFileError) {
      return { name };
    }
    throw error;
  }
}

async function describeLock(folder: string, name: string): Promise<ListedEnvironment> {
  const { instance } = await readLock(folder, name).catch((error: unknown) => {
    if (error instanceof LockError) {
      return emptyLock;
    }
    throw error;
  });
  return {
    name,
    ...(instance === undefined ? {} : { instanceHash: instance }),
    ...(needsFile(name, instance) ? { isFileMissing: true } : {}),
  };
}

/** Returns whether an environment needs a file of its own; those for `--url` and for the editor's sandbox don't. */
const needsFile = (name: string, instance: string | undefined): boolean =>
  name !== defaultEnvironmentName && instance !== hashInstance({ url: sandboxAddress });

/**
 * Returns a message, to be shown after the path of the file, on what to do if the file of an environment is missing.
 */
export const createMissingFileMessage = (name: string): Message =>
  createMessage(
    'The file is missing, but {0} exists. Restore it from version control, because its role might protect the instance from changes. Otherwise, delete the lock file, too.',
    getLockPath(name),
  );

/** Lists the names of environments, and those of them that have a file of their own. */
async function listNames(
  folder: string,
): Promise<{ readonly ownNames: ReadonlySet<string>; readonly names: readonly string[] }> {
  const fileNames = await listFileNames(join(folder, 'environments'));
  const lockNames = new Set(fileNames.flatMap((fileName) => getLockName(fileName) ?? []));
  const ownNames = new Set(
    fileNames
      .filter((fileName) => fileName.endsWith(suffix) && !fileName.endsWith(lockSuffix))
      .map((fileName) => fileName.slice(0, -suffix.length)),
  );
  return { ownNames, names: [...ownNames.union(lockNames)].filter(isEnvironmentName).toSorted() };
}

const suffix = '.json';
const lockSuffix = '.lock.json';

const getLockName = (fileName: string): string | undefined =>
  fileName.endsWith(lockSuffix) ? decodeStem(fileName.slice(0, -lockSuffix.length)) : undefined;

async function listFileNames(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    // A file of this name isn't a folder of environments.
    if (['ENOENT', 'ENOTDIR'].includes(getErrorCode(error))) {
      return [];
    }
    throw error;
  }
}
