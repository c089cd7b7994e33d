import * as vscode from 'vscode';
import { requireFinishedChanges } from '../../changes/journal/requireFinished.ts';
import type { Connection, ConnectionRole } from '../../connections/connection.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { ProjectPull, type PullResult } from '../../project/pull/pullProject.ts';
import {
  type SelectionLimits,
  defaultProjectSettings,
  readEnvironmentSettings,
} from '../../project/settings/projectSettings.ts';
import { writeNewEnvironment } from '../../project/pull/newProjectFiles.ts';
import type { ProjectDeps } from './deps.ts';
import { getInstanceAddress } from '../../platform/projects/environments.ts';
import { appendEnvironmentLabel } from './environmentLabels.ts';
import type { PickedEnvironment } from './pickEnvironment.ts';
import type { PullHeading } from './pullReport.ts';
import type { PullWithConflicts } from './resolveConflicts.ts';
import { getUnsavedPaths } from './unsavedFiles.ts';

const t = vscode.l10n.t;

/** What to pull from where. */
export interface RunPullOptions {
  readonly folder: vscode.Uri;
  readonly connection: Connection;
  readonly environment: PickedEnvironment;
  /** The part of the instance to pull; `undefined` for all that the project manages. */
  readonly limits: SelectionLimits | undefined;
  readonly title: string;
}

/** A pull that has written its files. */
export interface CompletedPull {
  readonly folder: vscode.Uri;
  readonly pull: ProjectPull;
  readonly result: PullResult;
  readonly heading: PullHeading;
  /** Whether the pull has created the project. */
  readonly isNewProject: boolean;
}

/**
 * Pulls from an instance into a project, and shows the progress.
 * @throws InterruptedChangeError, ClaimedError, PullRefusedError, ProjectWriteError, ApiError, and CancellationError
 */
export function runPull(deps: ProjectDeps, options: RunPullOptions): Promise<CompletedPull> {
  const { folder, connection, environment } = options;
  return withPull(deps, options, async (pull, isNewProject) => {
    const result = await pull.run(async () => (await deps.sessions.get(connection.id)).client);
    if (environment.isNew && connection.kind === 'remote') {
      const { url, role, tenantId: tenant } = connection;
      await writeNewEnvironment(folder.fsPath, { name: environment.name, url, role, tenant });
    }
    const heading = {
      connectionName: connection.name,
      folderPath: folder.path,
      environmentName: environment.name,
      environmentRole: getShownRole(options),
    };
    return { folder, pull, result, heading, isNewProject };
  });
}

/**
 * Finds the conflicts that a pull would leave, and shows the progress. Writes nothing.
 * @throws InterruptedChangeError, ClaimedError, PullRefusedError, ApiError, and CancellationError
 */
export const findConflicts = (deps: ProjectDeps, options: RunPullOptions): Promise<PullWithConflicts> =>
  withPull(deps, options, async (pull) => ({
    pull,
    folder: options.folder,
    conflicts: await pull.findConflicts(async () => (await deps.sessions.get(options.connection.id)).client),
  }));

/** Returns the role to show for an environment: its own if that restricts writes, otherwise that of the connection. */
const getShownRole = ({ environment: { role }, connection }: RunPullOptions): ConnectionRole =>
  role === 'production' || role === 'read-only' ? role : connection.role;

async function withPull<T>(
  { changeServices, log }: ProjectDeps,
  options: RunPullOptions,
  run: (pull: ProjectPull, isNewProject: boolean) => Promise<T>,
): Promise<T> {
  const { folder, connection, environment, limits, title } = options;
  const settings = await readEnvironmentSettings(folder.fsPath, environment.name);
  const isNewProject = settings === undefined;
  const { history } = await changeServices();
  const progressOptions = {
    location: vscode.ProgressLocation.Notification,
    title: toPlainText(
      appendEnvironmentLabel(title, { name: environment.name, role: getShownRole(options) }),
    ),
    cancellable: true,
  };
  return vscode.window.withProgress(progressOptions, async (progress, token) => {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort(new vscode.CancellationError()));
    const pull = new ProjectPull(
      {
        folder: folder.fsPath,
        settings: settings ?? defaultProjectSettings,
        isNewProject,
        environmentName: environment.name,
        address: getInstanceAddress(connection),
      },
      {
        ...(limits === undefined ? {} : { limits }),
        signal: abort.signal,
        log,
        getUnsavedPaths: () => getUnsavedPaths(folder.fsPath),
        requireNoPendingChange: async () => {
          await requireFinishedChanges(history, connection.id);
          await history.requireUnreserved(connection.id);
        },
        onProgress: (readCount, total) =>
          progress.report({
            message: t('{0} of {1} read', readCount, total),
            increment: 100 / Math.max(1, total),
          }),
      },
    );
    return run(pull, isNewProject);
  });
}
