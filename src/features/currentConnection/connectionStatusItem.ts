import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import { createCommand } from '../../platform/commands.ts';
import { toPlainText, escapeMarkdownText } from '../../platform/serverText.ts';
import { getRoleLabel } from '../../platform/labels.ts';
import type { CurrentConnectionDeps } from './deps.ts';
import { type WriteAccess, getLockIcon, describeWriteAccess, getWriteAccess } from './writeAccess.ts';

/** Places the item to the left of the builds item. */
const priority = 10;

/** The status bar item of the current connection: its name, its role, and whether it allows writes. */
export class ConnectionStatusItem implements Disposable {
  readonly #deps: Pick<CurrentConnectionDeps, 'current' | 'locks'>;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(deps: Pick<CurrentConnectionDeps, 'current' | 'locks'>) {
    this.#deps = deps;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem(
        'datamodelStudio.connection',
        vscode.StatusBarAlignment.Left,
        priority,
      ),
    );
    this.#item.name = vscode.l10n.t('Datamodel Connection');
    this.#item.command = createCommand(
      'datamodelStudio.connections.switch',
      vscode.l10n.t('Switch Connection…'),
    );
    this.#store.add(deps.current.onDidChange(() => this.#update()));
    this.#store.add(deps.locks.onDidChange(() => this.#update()));
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const connection = this.#deps.current.value;
    if (connection === undefined) {
      this.#item.hide();
      return;
    }
    const access = getWriteAccess(connection, this.#deps.locks);
    const text = formatItemText(connection, access);
    this.#item.text = `$(${getLockIcon(access) ?? getKindIcon(connection)}) ${toPlainText(text)}`;
    this.#item.backgroundColor =
      connection.role === 'production' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.tooltip = createTooltip(connection, describeWriteAccess(access));
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('Datamodel connection {0}', text),
      role: 'button',
    };
    this.#item.show();
  }
}

/** Includes role and lock state, because color and icon must not be the only sign of them. */
function formatItemText(connection: Connection, access: WriteAccess): string {
  const { name, role } = connection;
  if (role !== 'production') {
    return vscode.l10n.t('{0} ({1})', name, getRoleLabel(role));
  }
  return access.kind === 'unlocked'
    ? vscode.l10n.t('{0} ({1}, unlocked)', name, getRoleLabel(role))
    : vscode.l10n.t('{0} ({1}, locked)', name, getRoleLabel(role));
}

const getKindIcon = ({ kind }: Connection): string => (kind === 'sandbox' ? 'beaker' : 'server-environment');

function createTooltip(connection: Connection, accessText: string): vscode.MarkdownString {
  const { name, role } = connection;
  const tooltip = new vscode.MarkdownString('**')
    .appendMarkdown(escapeMarkdownText(name))
    .appendMarkdown('**');
  const lines = [
    connection.kind === 'remote' ? connection.url : vscode.l10n.t('The sandbox on this machine'),
    vscode.l10n.t('Role: {0}', getRoleLabel(role)),
    accessText,
    vscode.l10n.t('Click to switch to another connection.'),
  ];
  for (const line of lines) {
    tooltip.appendMarkdown('\n\n').appendMarkdown(escapeMarkdownText(line));
  }
  return tooltip;
}
