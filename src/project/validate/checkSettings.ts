import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Message, createMessage, english, formatMessage } from '../../base/localize.ts';
import { sortByText } from '../../base/sortByText.ts';
import { decodeStem } from '../fileNames.ts';
import { describeFileError, getErrorCode } from '../../base/fileErrors.ts';
import { createMissingFileMessage, listConfiguredEnvironments } from '../pull/findEnvironments.ts';
import { LockError, getLockPath, readLock } from '../pull/lock.ts';
import {
  createSelection,
  defaultProjectSettings,
  getEnvironmentPath,
  readEnvironment,
  readProjectSettings,
} from '../settings/projectSettings.ts';
import { SettingsFileError } from '../settings/settingsFile.ts';
import type { Selection } from '../source/selection.ts';
import { type LocatedConnectionName, readConnectionNames } from './checkConnections.ts';
import type { EnvironmentLock } from '../pull/twiceRenamedItems.ts';
import { type LocatedPattern, readManagePatterns } from './checkManage.ts';
import { type Finding, toDescription } from './finding.ts';
import { findEnvironmentSecrets } from './plainSecrets.ts';
import { projectFileName } from '../projectFileName.ts';

/** The settings of a project, and the problems in its settings files. */
export interface CheckedSettings {
  /** What the project manages; `undefined` if its settings can't be read. */
  readonly selection: Selection | undefined;
  /** The patterns in "manage"; empty if the settings can't be read. */
  readonly patterns: readonly LocatedPattern[];
  /** The names of datamodels and datasets in "connections" of the environments that can be read. */
  readonly connectionNames: readonly LocatedConnectionName[];
  /** The lock files that can be read. */
  readonly locks: readonly EnvironmentLock[];
  readonly findings: readonly Finding[];
}

/**
 * Checks `datamodel-studio.json`, the environments, and their lock files. Never fails because of one of these files.
 */
export async function checkSettings(folder: string): Promise<CheckedSettings> {
  const findings: Finding[] = [];
  const settings = await readAndReportFaults(projectFileName, findings, () => readProjectSettings(folder));
  const { connectionNames, locks } = await checkEnvironments(folder, findings);
  return {
    selection: settings.isRead ? createSelection(settings.value ?? defaultProjectSettings) : undefined,
    patterns: settings.isRead ? await readManagePatterns(folder) : [],
    connectionNames,
    locks,
    findings,
  };
}

/** Returns the names in "connections" of the environments that can be read, and the lock files. */
async function checkEnvironments(
  folder: string,
  findings: Finding[],
): Promise<Pick<CheckedSettings, 'connectionNames' | 'locks'>> {
  const fileNames = await listEnvironmentFiles(folder, findings);
  // A folder that can't be read has been reported already.
  const environments = fileNames.length === 0 ? [] : await listConfiguredEnvironments(folder);
  for (const { name, isFileMissing, role, roleOrigin } of environments) {
    const path = getEnvironmentPath(name);
    if (isFileMissing === true) {
      findings.push(createFinding(path, createMissingFileMessage(name)));
    } else if (role !== undefined && roleOrigin !== undefined) {
      const message = createMessage(
        'The role {0} applies, because the environment {1} has the same address. Use the same role here.',
        role,
        roleOrigin,
      );
      findings.push({
        ...createFinding(path, message),
        severity: 'warning',
        code: 'settings/weaker-role',
        subject: roleOrigin,
      });
    }
  }
  const connectionNames: LocatedConnectionName[] = [];
  const locks: EnvironmentLock[] = [];
  for (const fileName of fileNames) {
    const lockName = decodeStem(fileName.slice(0, -lockSuffix.length));
    if (!fileName.endsWith(lockSuffix)) {
      const name = fileName.slice(0, -environmentSuffix.length);
      const path = getEnvironmentPath(name);
      const { isRead } = await readAndReportFaults(path, findings, () => readEnvironment(folder, name));
      connectionNames.push(...(isRead ? await readConnectionNames(folder, path) : []));
      findings.push(...(await findEnvironmentSecrets(folder, path)));
    } else if (lockName !== undefined && getLockPath(lockName) === `environments/${fileName}`) {
      const lock = await readAndReportFaults(getLockPath(lockName), findings, () =>
        readLock(folder, lockName),
      );
      locks.push(...(lock.isRead ? [{ environment: lockName, lock: lock.value }] : []));
    }
  }
  return { connectionNames, locks };
}

const environmentSuffix = '.json';
const lockSuffix = '.lock.json';

async function listEnvironmentFiles(folder: string, findings: Finding[]): Promise<readonly string[]> {
  try {
    const names = await readdir(join(folder, 'environments'));
    return sortByText(
      names.filter((name) => name.endsWith(environmentSuffix)),
      (name) => name,
    );
  } catch (error) {
    const code = getErrorCode(error);
    if (code !== 'ENOENT') {
      findings.push(
        createFinding('environments', createMessage("Can't read the folder. {0}", describeFileError(code))),
      );
    }
    return [];
  }
}

type ReadResult<T> = { readonly isRead: true; readonly value: T } | { readonly isRead: false };

/** Runs `read`. If the file can't be used, adds its problems to the findings. */
async function readAndReportFaults<T>(
  path: string,
  findings: Finding[],
  read: () => Promise<T>,
): Promise<ReadResult<T>> {
  try {
    return { isRead: true, value: await read() };
  } catch (error) {
    if (error instanceof SettingsFileError) {
      findings.push(
        ...error.faults.map(({ position, message }) => ({
          ...createFinding(path, message),
          ...position,
        })),
      );
    } else if (error instanceof LockError) {
      findings.push({
        ...createFinding(path, error.userMessage),
        code: 'settings/invalid-lock',
        subject: '',
        line: error.line ?? 1,
      });
    } else {
      throw error;
    }
    return { isRead: false };
  }
}

const createFinding = (path: string, message: Message): Finding => ({
  path,
  line: 1,
  column: 1,
  severity: 'error',
  code: 'settings/invalid-file',
  ...toDescription(message),
  subject: formatMessage(english, message),
});
