import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { createCommand } from '../../platform/commands.ts';
import { getActiveFormUri } from '../../platform/activeForm.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { escapeMarkdownText, toPlainText } from '../../platform/serverText.ts';
import type { ProjectDeps } from './deps.ts';
import { appendEnvironmentLabel, formatEnvironment, formatReadTime } from './environmentLabels.ts';
import { findEnvironmentConnection } from '../../platform/projects/environments.ts';
import { findRoleConflict } from './roleConflict.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';

const t = vscode.l10n.t;

/** Places the item to the right of the connection. */
const priority = 9;

/**
 * The status bar item with the environment of a project. It shows the project of the active editor or the only project;
 * otherwise one whose environment is production, or the one whose file was active last, or the first one.
 */
export class EnvironmentStatusItem implements Disposable {
  readonly #deps: ProjectDeps;
  readonly #projects: WorkspaceProjects;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;
  /** The folder of the project whose file was active last. */
  #lastFolder: string | undefined;

  constructor(deps: ProjectDeps, projects: WorkspaceProjects) {
    this.#deps = deps;
    this.#projects = projects;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem(
        'datamodelStudio.environment',
        vscode.StatusBarAlignment.Left,
        priority,
      ),
    );
    this.#item.name = t('Project Environment');
    this.#item.command = createCommand(
      'datamodelStudio.projects.selectEnvironment',
      t('Select Environment…'),
    );
    this.#store.add(projects.onDidChange(() => this.#update()));
    this.#store.add(deps.connections.onDidChange(() => this.#update()));
    this.#store.add(vscode.window.onDidChangeActiveTextEditor(() => this.#update()));
    // A form is not a text editor, so the event above isn't fired for it.
    this.#store.add(vscode.window.tabGroups.onDidChangeTabs(() => this.#update()));
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const project = this.#chooseProject();
    if (project === undefined) {
      this.#item.hide();
      return;
    }
    const { role } = project.environment;
    const environment = formatEnvironment(project.environment);
    const text =
      this.#projects.projectsWithEnvironment.length === 1
        ? environment
        : t('{0}: {1}', getFolderName(project), environment);
    // The icon shows production, too: in dark high contrast themes, the background stays the usual one.
    this.#item.text = `$(${role === 'production' ? 'warning' : 'folder-library'}) ${toPlainText(text)}`;
    this.#item.backgroundColor =
      role === 'production' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.tooltip = this.#createTooltip(project);
    this.#item.accessibilityInformation = {
      label: t('Project environment {0}', text),
      role: 'button',
    };
    this.#item.show();
  }

  /** Returns the project whose environment is shown, and remembers the active one. */
  #chooseProject(): ProjectSourceControl | undefined {
    const active = findActiveProject(this.#projects);
    if (active !== undefined) {
      this.#lastFolder = String(active.folder);
      return active;
    }
    const { projectsWithEnvironment } = this.#projects;
    return (
      projectsWithEnvironment.find(({ environment }) => environment.role === 'production') ??
      projectsWithEnvironment.find(({ folder }) => String(folder) === this.#lastFolder) ??
      projectsWithEnvironment[0]
    );
  }

  #createTooltip(project: ProjectSourceControl): vscode.MarkdownString {
    const { folder, environment, status, readAt } = project;
    const connection = findEnvironmentConnection(this.#deps, project.environment);
    const roleConflict = connection === undefined ? undefined : findRoleConflict(environment, connection);
    const lines = [
      t('Project: {0}', vscode.workspace.asRelativePath(folder, true)),
      ...(environment.url === undefined ? [] : [environment.url]),
      ...(environment.role === undefined ? [] : [t('Role: {0}', getRoleLabel(environment.role))]),
      connection === undefined ? t('No connection to this instance') : t('Connection: {0}', connection.name),
      ...(roleConflict === undefined ? [] : [roleConflict.text]),
      status?.isServerKnown === true && readAt !== undefined
        ? t('Compared with the instance at {0}.', formatReadTime(readAt, this.#deps.clock.now()))
        : status?.isPulled === false
          ? t('Never pulled, and not compared yet. Refresh to compare with the instance.')
          : t('Only changes in the project are known. Refresh to compare with the instance.'),
      ...this.#projects.projectsWithEnvironment
        .filter((other) => other !== project)
        .map((other) =>
          t(
            'Project: {0}',
            appendEnvironmentLabel(vscode.workspace.asRelativePath(other.folder, true), other.environment),
          ),
        ),
      t('Click to select another environment.'),
    ];
    const tooltip = new vscode.MarkdownString('**')
      .appendMarkdown(escapeMarkdownText(environment.name))
      .appendMarkdown('**');
    lines.forEach((line) => tooltip.appendMarkdown('\n\n').appendMarkdown(escapeMarkdownText(line)));
    return tooltip;
  }
}

/** Returns the project that the active editor is in, or else the only one. */
export function findActiveProject(projects: WorkspaceProjects): ProjectSourceControl | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri ?? getActiveFormUri();
  const [first, second] = projects.projectsWithEnvironment;
  return (uri && projects.find(uri)) ?? (second === undefined ? first : undefined);
}

const getFolderName = ({ folder }: ProjectSourceControl): string =>
  folder.path.slice(folder.path.lastIndexOf('/') + 1);
