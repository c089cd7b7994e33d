import * as vscode from 'vscode';
import type { Connection } from '../../connections/connection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import type { PrunedKinds } from '../../project/apply/deletableItems.ts';
import { type PlanTarget, type ProjectPlan, loadProjectPlan } from '../../project/apply/loadProjectPlan.ts';
import { type ListedEnvironment, createMissingFileMessage } from '../../project/pull/findEnvironments.ts';
import {
  type SelectionLimits,
  defaultProjectSettings,
  getEnvironmentPath,
  readEnvironment,
  readProjectSettings,
  toEnvironmentSettings,
} from '../../project/settings/projectSettings.ts';
import { SettingsFileError } from '../../project/settings/settingsFile.ts';
import type { FindingCode } from '../../project/validate/finding.ts';
import type { ProjectDeps } from './deps.ts';
import { getInstanceAddress } from '../../platform/projects/environments.ts';

const t = vscode.l10n.t;

/**
 * Reads the settings with which a project is compared with the instance of a connection.
 * @param folder the absolute path of the project's folder
 * @throws SettingsFileError
 */
export async function readPlanTarget(
  folder: string,
  { name, url, isFileMissing }: Pick<ListedEnvironment, 'name' | 'url' | 'isFileMissing'>,
  connection: Connection,
): Promise<PlanTarget> {
  if (isFileMissing === true) {
    throw new SettingsFileError(getEnvironmentPath(name), {
      position: undefined,
      message: createMissingFileMessage(name),
    });
  }
  const [settings, environment] = await Promise.all([
    readProjectSettings(folder),
    url === undefined ? undefined : readEnvironment(folder, name),
  ]);
  return {
    folder,
    settings: toEnvironmentSettings(settings ?? defaultProjectSettings, environment),
    environmentName: name,
    connections: environment?.connections ?? {},
    address: getInstanceAddress(connection),
    connectionId: connection.id,
  };
}

/** What to compare, and how to show the progress. */
interface ReadPlanOptions {
  readonly target: PlanTarget;
  readonly limits: SelectionLimits;
  /** Whether the limits may match nothing, such as after an apply that has deleted what they matched. */
  readonly mayMatchNothing?: boolean;
  /** The kinds of items that are deleted on the instance if the project doesn't have them. */
  readonly prunedKinds?: PrunedKinds;
  /** The codes of errors that don't prevent the apply. */
  readonly ignoredCodes?: ReadonlySet<FindingCode>;
  /** Whether the plan may be sent: otherwise, it needs no secrets from environment variables. */
  readonly isSent: boolean;
  readonly title: string;
}

/**
 * Reads a project and its instance, and compares them, with progress.
 * @throws PullRefusedError, MissingVariableError, ApiError, and CancellationError
 */
export function readPlan(
  { sessions, log }: Pick<ProjectDeps, 'sessions' | 'log'>,
  {
    target,
    limits,
    mayMatchNothing = false,
    prunedKinds = new Set(),
    ignoredCodes = new Set(),
    isSent,
    title,
  }: ReadPlanOptions,
): Promise<ProjectPlan> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(title),
    cancellable: true,
  };
  const load = async (
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
  ): Promise<ProjectPlan> => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
    return loadProjectPlan(target, {
      openClient: async () => (await sessions.get(target.connectionId)).client,
      limits,
      mayMatchNothing,
      prunedKinds,
      ignoredCodes,
      variables: isSent ? process.env : undefined,
      signal: abort.signal,
      log,
      onProgress: (readCount, total) =>
        progress.report({
          message: t('{0} of {1} read', readCount, total),
          increment: 100 / Math.max(1, total),
        }),
    });
  };
  return Promise.resolve(vscode.window.withProgress(options, load));
}
