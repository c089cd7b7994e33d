import * as vscode from 'vscode';
import {
  type BuildTaskDefinition,
  buildTaskType,
  readTaskDefinition,
} from '../../builds/buildTaskDefinition.ts';
import { BuildTerminal } from './buildTerminal.ts';
import type { BuildsDeps } from './deps.ts';

/** Creates a task for each cached datamodel of the connections in use, without sending requests. */
export function createKnownTasks(deps: BuildsDeps): vscode.Task[] {
  const { connections, sessions } = deps;
  return connections.all.flatMap(({ id, name }) =>
    (sessions.peek(id)?.catalog.knownResources.datamodels ?? []).map(({ title }) =>
      createBuildTask(deps, { type: buildTaskType, connection: name, datamodels: [title] }),
    ),
  );
}

/** Adds the execution to a task of tasks.json; an invalid definition is reported when the task runs. */
export const resolveTask = (deps: BuildsDeps, task: vscode.Task): vscode.Task =>
  new vscode.Task(
    task.definition,
    task.scope ?? vscode.TaskScope.Workspace,
    task.name,
    'datamodel',
    createExecution(deps),
    problemMatcher,
  );

/** A task definition as users may write it: everything but the type is optional. */
export interface PartialTaskDefinition
  extends vscode.TaskDefinition,
    Partial<Omit<BuildTaskDefinition, 'type'>> {
  readonly type: typeof buildTaskType;
}

export function createBuildTask(deps: BuildsDeps, definition: PartialTaskDefinition): vscode.Task {
  const [folder] = vscode.workspace.workspaceFolders ?? [];
  const names = definition.datamodels ?? [];
  const task = new vscode.Task(
    definition,
    folder ?? vscode.TaskScope.Workspace,
    vscode.l10n.t('build {0} on {1}', names.join(', '), definition.connection ?? ''),
    'datamodel',
    createExecution(deps),
    problemMatcher,
  );
  task.group = vscode.TaskGroup.Build;
  return task;
}

const problemMatcher = '$datamodel-build';

const createExecution = (deps: BuildsDeps): vscode.CustomExecution =>
  new vscode.CustomExecution(async (definition) => new BuildTerminal(deps, readTaskDefinition(definition)));
