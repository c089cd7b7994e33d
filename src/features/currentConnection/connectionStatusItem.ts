import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Connection } from '../../connections/connection.ts';
import type { UnlockCountdown } from '../../connections/unlockCountdown.ts';
import { createCommand } from '../../platform/commands.ts';
import { toPlainText, escapeMarkdownText } from '../../platform/serverText.ts';
import { getRoleLabel } from '../../platform/roleLabels.ts';
import type { CurrentConnectionDeps } from './deps.ts';
import type { ShownConnection } from './shownConnection.ts';
import { getLockIcon, describeWriteAccess, getWriteAccess } from './writeAccess.ts';

/** Places the item to the left of the builds item. */
const priority = 10;

type StatusItemDeps = Pick<CurrentConnectionDeps, 'currentConnection' | 'locks'> & {
  readonly shownConnection: ShownConnection;
  readonly countdown: UnlockCountdown;
};

/** The status bar item of the connection in use: its name, its role, and whether it allows writes, and for how long. */
export class ConnectionStatusItem implements Disposable {
  readonly #deps: StatusItemDeps;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(deps: StatusItemDeps) {
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
    this.#store.add(deps.shownConnection.onDidChange(() => this.#update()));
    this.#store.add(deps.countdown.onDidChange(() => this.#update()));
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const { currentConnection, locks, shownConnection, countdown } = this.#deps;
    const connection = shownConnection.value;
    if (connection === undefined) {
      this.#item.hide();
      return;
    }
    const access = getWriteAccess(connection, locks);
    const unlocked = countdown.unlockedConnections.find(
      (candidate) => candidate.connection.id === connection.id,
    );
    const text = formatItemText(connection, unlocked?.minutesLeft);
    this.#item.text = `$(${getLockIcon(access) ?? getKindIcon(connection)}) ${toPlainText(text)}`;
    this.#item.backgroundColor =
      connection.role === 'production' ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    this.#item.tooltip = createTooltip(connection, describeWriteAccess(access), currentConnection.value);
    this.#item.accessibilityInformation = {
      label: vscode.l10n.t('Datamodel connection {0}', text),
      role: 'button',
    };
    this.#item.show();
  }
}

/** Includes role and lock state, because color and icon must not be the only sign of them. */
function formatItemText(connection: Connection, minutesLeft: number | undefined): string {
  const { name, role } = connection;
  if (role !== 'production') {
    return vscode.l10n.t('{0} ({1})', name, getRoleLabel(role));
  }
  return minutesLeft === undefined
    ? vscode.l10n.t('{0} ({1}, locked)', name, getRoleLabel(role))
    : vscode.l10n.t('{0} ({1}, unlocked, {2} min left)', name, getRoleLabel(role), minutesLeft);
}

const getKindIcon = ({ kind }: Connection): string => (kind === 'sandbox' ? 'beaker' : 'server-environment');

function createTooltip(
  connection: Connection,
  accessText: string,
  current: Connection | undefined,
): vscode.MarkdownString {
  const { name, role } = connection;
  const tooltip = new vscode.MarkdownString('**')
    .appendMarkdown(escapeMarkdownText(name))
    .appendMarkdown('**');
  const lines = [
    connection.kind === 'remote' ? connection.url : vscode.l10n.t('Sandbox on this machine'),
    vscode.l10n.t('Role: {0}', getRoleLabel(role)),
    accessText,
    ...(current === undefined || current.id === connection.id
      ? []
      : [vscode.l10n.t('Connection of the active editor. The workspace uses {0}.', current.name)]),
    vscode.l10n.t('Click to switch to another connection.'),
  ];
  for (const line of lines) {
    tooltip.appendMarkdown('\n\n').appendMarkdown(escapeMarkdownText(line));
  }
  return tooltip;
}
