import * as vscode from 'vscode';
import { showInformation } from '../../platform/messages.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { formatEnvironment } from './environmentLabels.ts';
import { findActiveProject } from './environmentStatusItem.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';

const t = vscode.l10n.t;

/** What a command acts on: a project, or files and folders in it. */
export interface ProjectSelection {
  readonly project: ProjectSourceControl;
  /** The paths of files and folders in the project; empty for all of it. */
  readonly paths: readonly string[];
}

/**
 * Finds the project and the files that a command was called for. VS Code passes the items of the Source Control view,
 * the files and folders of the Explorer, or the file of the editor. Without arguments, takes the active project, or
 * asks for one.
 */
export async function resolveProjectSelection(
  projects: WorkspaceProjects,
  args: readonly unknown[],
): Promise<ProjectSelection | undefined> {
  const uris = args.flatMap(getUris);
  const [first] = uris;
  if (first === undefined) {
    const project = await pickProject(projects);
    return project === undefined ? undefined : { project, paths: [] };
  }
  const project = projects.find(first);
  if (project === undefined) {
    await showInformation(
      t("This file isn't in a project with an environment. Pull from a connection first."),
    );
    return undefined;
  }
  const paths = [...new Set(uris.map((uri) => project.getPath(uri)))].filter((path) => path !== undefined);
  return { project, paths: paths.includes('') ? [] : paths };
}

/** Returns the URIs in an argument that VS Code passes to a command. The URI of a project's folder means all of it. */
function getUris(argument: unknown): readonly vscode.Uri[] {
  if (argument instanceof vscode.Uri) {
    return [argument];
  }
  if (Array.isArray(argument)) {
    return argument.flatMap(getUris);
  }
  if (typeof argument !== 'object' || argument === null) {
    return [];
  }
  const { resourceUri, resourceStates, rootUri } = argument as Partial<
    vscode.SourceControlResourceState & vscode.SourceControlResourceGroup & vscode.SourceControl
  >;
  return [
    ...(resourceUri instanceof vscode.Uri ? [resourceUri] : []),
    ...(Array.isArray(resourceStates) ? resourceStates.flatMap(getUris) : []),
    ...(rootUri instanceof vscode.Uri ? [rootUri] : []),
  ];
}

async function pickProject(projects: WorkspaceProjects): Promise<ProjectSourceControl | undefined> {
  await projects.refresh();
  const active = findActiveProject(projects);
  if (active !== undefined) {
    return active;
  }
  if (projects.projectsWithEnvironment.length === 0) {
    await showInformation(
      t('The workspace has no project with an environment. Pull from a connection first.'),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(
    projects.projectsWithEnvironment.map((project) => ({
      // As in the status bar, the icon shows production, too.
      label: `$(${project.environment.role === 'production' ? 'warning' : 'folder-library'}) ${toPlainText(vscode.workspace.asRelativePath(project.folder, true))}`,
      description: toPlainText(formatEnvironment(project.environment)),
      project,
    })),
    { title: t('Projects'), placeHolder: t('Select a project') },
  );
  return picked?.project;
}
