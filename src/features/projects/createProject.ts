import * as vscode from 'vscode';
import { runCommand } from '../../platform/commands.ts';
import { showInformation } from '../../platform/messages.ts';
import type { ProjectDeps } from './deps.ts';
import { pullIntoFolder } from './pullIntoFolder.ts';
import type { pullProject } from './pullProject.ts';

const t = vscode.l10n.t;

/** Creates a project from a connection. If there is none, offers to add one or to start the sandbox. */
export async function createProject(deps: ProjectDeps): ReturnType<typeof pullProject> {
  if (deps.connections.all.length > 0) {
    return pullIntoNewProject(deps);
  }
  const [addLabel, sandboxLabel] = [t('Add Connection…'), t('Start Sandbox')];
  const choice = await showInformation(
    t('A project is created from an instance. Add a connection, or start the sandbox to try it.'),
    addLabel,
    sandboxLabel,
  );
  if (choice === addLabel) {
    await runCommand('datamodelStudio.connections.add');
  } else if (choice === sandboxLabel) {
    await runCommand('datamodelStudio.sandbox.start');
  } else {
    return undefined;
  }
  return deps.connections.all.length > 0 ? pullIntoNewProject(deps) : undefined;
}

const pullIntoNewProject = (deps: ProjectDeps): ReturnType<typeof pullProject> =>
  pullIntoFolder(deps, undefined, {
    title: t('Create Project from Connection'),
    createTitle: (name) => t('Create Project from {0}', name),
  });
