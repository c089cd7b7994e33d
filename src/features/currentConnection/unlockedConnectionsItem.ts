import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { UnlockCountdown, UnlockedConnection } from '../../connections/unlockCountdown.ts';
import { createCommand } from '../../platform/commands.ts';
import { escapeMarkdownText, toPlainText } from '../../platform/serverText.ts';
import type { ShownConnection } from './shownConnection.ts';

/** Places the item to the right of the item of the connection in use. */
const priority = 9;

/**
 * The status bar item of the unlocked production connections other than the one in use, so that users do not forget
 * them. A click locks the connection; if there are several, it asks which one to lock.
 */
export class UnlockedConnectionsItem implements Disposable {
  readonly #shownConnection: ShownConnection;
  readonly #countdown: UnlockCountdown;
  readonly #store = new DisposableStore();
  readonly #item: vscode.StatusBarItem;

  constructor(shownConnection: ShownConnection, countdown: UnlockCountdown) {
    this.#shownConnection = shownConnection;
    this.#countdown = countdown;
    this.#item = this.#store.add(
      vscode.window.createStatusBarItem('datamodelStudio.unlocked', vscode.StatusBarAlignment.Left, priority),
    );
    this.#item.name = vscode.l10n.t('Unlocked Datamodel Connections');
    this.#item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    this.#store.add(shownConnection.onDidChange(() => this.#update()));
    this.#store.add(countdown.onDidChange(() => this.#update()));
    this.#update();
  }

  dispose(): void {
    this.#store.dispose();
  }

  #update(): void {
    const shownId = this.#shownConnection.value?.id;
    const others = this.#countdown.unlockedConnections.filter(({ connection }) => connection.id !== shownId);
    const [first, second] = others;
    if (first === undefined) {
      this.#item.hide();
      return;
    }
    const text =
      second === undefined
        ? vscode.l10n.t('{0} unlocked, {1} min left', first.connection.name, first.minutesLeft)
        : vscode.l10n.t(
            '{0} connections unlocked, up to {1} min left',
            others.length,
            getMaxMinutesLeft(others),
          );
    const lockTitle = vscode.l10n.t('Lock');
    this.#item.text = `$(unlock) ${toPlainText(text)}`;
    this.#item.command =
      second === undefined
        ? createCommand('datamodelStudio.connections.lock', lockTitle, { connectionId: first.connection.id })
        : createCommand('datamodelStudio.connections.lock', lockTitle);
    this.#item.tooltip = createTooltip(others);
    this.#item.accessibilityInformation = { label: text, role: 'button' };
    this.#item.show();
  }
}

const getMaxMinutesLeft = (unlocked: readonly UnlockedConnection[]): number =>
  Math.max(...unlocked.map(({ minutesLeft }) => minutesLeft));

function createTooltip(unlocked: readonly UnlockedConnection[]): vscode.MarkdownString {
  const tooltip = new vscode.MarkdownString();
  for (const { connection, minutesLeft } of unlocked) {
    const line = vscode.l10n.t('{0} is unlocked ({1} min left).', connection.name, minutesLeft);
    tooltip.appendMarkdown(escapeMarkdownText(line)).appendMarkdown('\n\n');
  }
  const hint =
    unlocked.length === 1
      ? vscode.l10n.t('Click to lock it now.')
      : vscode.l10n.t('Click to select a connection to lock.');
  return tooltip.appendMarkdown(escapeMarkdownText(hint));
}
