import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { createCommand } from '../../platform/commands.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import { escapeMarkdownText, toPlainText } from '../../platform/serverText.ts';
import type { ProjectDeps } from './deps.ts';
import { findEnvironmentConnection } from '../../platform/projects/environments.ts';
import type { ProjectSourceControl } from './projectSourceControl.ts';
import type { WorkspaceProjects } from './workspaceProjects.ts';

const t = vscode.l10n.t;

/** Places the item to the right of the connection. */
const priority = 9;

/** The status bar item with the environment of the project that the active editor is in, or of the only one. */
export class EnvironmentStatusItem implements Disposable {
  readonly #deps: ProjectDeps;
  readonly #projects: WorkspaceProjects;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

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
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const project = findActiveProject(this.#projects);
    if (project === undefined) {
      this.#item.hide();
      return;
    }
    const { name, role } = project.environment;
    const isProtected = role === 'production' || role === 'read-only';
    // Color must not be the only sign of production.
    const text = isProtected ? t('{0} ({1})', name, getRoleLabel(role)) : name;
    this.#item.text = `$(folder-library) ${toPlainText(text)}`;
    this.#item.backgroundColor =
      role === 'production' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.tooltip = this.#createTooltip(project);
    this.#item.accessibilityInformation = {
      label: t('Project environment {0}', text),
      role: 'button',
    };
    this.#item.show();
  }

  #createTooltip(project: ProjectSourceControl): vscode.MarkdownString {
    const { folder, environment, status } = project;
    const connection = findEnvironmentConnection(this.#deps, project.environment);
    const lines = [
      t('Project: {0}', vscode.workspace.asRelativePath(folder, true)),
      ...(environment.url === undefined ? [] : [environment.url]),
      connection === undefined ? t('No connection to this instance') : t('Connection: {0}', connection.name),
      status?.isServerKnown === true
        ? t('Compared with the instance.')
        : status?.isPulled === false
          ? t('Never pulled, and not compared yet. Refresh to compare with the instance.')
          : t('Only changes in the project are known. Refresh to compare with the instance.'),
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
  const uri = vscode.window.activeTextEditor?.document.uri;
  const [first, second] = projects.all;
  return (uri && projects.find(uri)) ?? (second === undefined ? first : undefined);
}
