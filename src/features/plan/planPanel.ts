import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import { trackProgress } from '../../changes/run/trackProgress.ts';
import type { Operation, RequiredBuild } from '../../changes/model/operation.ts';
import type { PlanSubject } from '../../changes/model/plan.ts';
import type { RunOptions } from '../../changes/run/runOptions.ts';
import type { ActivePanels } from '../../platform/activePanels.ts';
import { type WriteAccessDeps, ensureWritable } from '../../platform/ensureWritable.ts';
import { formatProgress } from '../../platform/runProgressTexts.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { openWebviewChannel, renderPage } from '../../platform/webviews.ts';
import { type FromPlanPage, type ToPlanPage, fromPlanPageSchema } from '../../webviews/protocol/planPage.ts';
import type { PlanFeatureDeps } from './deps.ts';
import type { PlanDescription } from './describePlan.ts';
import { RunCanceledError } from './runCanceledError.ts';

/** The view type of the panel, which VS Code reports with a prefix in `TabInputWebview.viewType`. */
const viewType = 'datamodelStudio.plan';

export interface PlanPanelDeps extends WriteAccessDeps, Pick<PlanFeatureDeps, 'loadingPages'> {
  /** The connection that the plan changes. */
  readonly connectionId: string;
  readonly activePanels: ActivePanels;
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** Opens a resource that the plan mentions. */
  readonly open: (subject: PlanSubject) => void;
  /** Called when the user selects a build, which the page of a result lists as a next step. */
  readonly onStartBuild?: (build: RequiredBuild) => void;
  /** Called when the user selects the alternative of the page, which stays open. */
  readonly onAlternative?: () => void;
}

/** The user's answer to a plan: to apply it, to cancel it, or a decision after which another plan is shown. */
export type PlanAnswer = Exclude<FromPlanPage, { type: 'ready' | 'open' | 'focus' | 'alternative' }>;

/** The panel that shows a plan until it is applied or canceled. */
export class PlanPanel {
  readonly #deps: WriteAccessDeps & Pick<PlanPanelDeps, 'connectionId' | 'loadingPages'>;
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  readonly #onDidAnswer = this.#store.add(new Emitter<PlanAnswer>());
  readonly #post: (message: ToPlanPage) => void;
  #content: { readonly plan: PlanDescription; readonly note: string | undefined } | undefined;
  #busyMessage: Extract<ToPlanPage, { type: 'busy' | 'loading' }> | undefined;
  /** Stops the run in progress; `undefined` if there is none, or it can't be canceled. */
  #runAbort: AbortController | undefined;
  #isClosed = false;
  /** Whether the user has canceled before the plan was shown. */
  #isCanceledEarly = false;
  #hasFocus = false;

  constructor(deps: PlanPanelDeps, title: string) {
    this.#deps = deps;
    this.#panel = vscode.window.createWebviewPanel(viewType, toPlainText(title), vscode.ViewColumn.Active, {
      retainContextWhenHidden: true,
    });
    this.#panel.iconPath = new vscode.ThemeIcon('checklist');
    this.#store.add(deps.activePanels.track(this.#panel, deps.connectionId));
    const channel = this.#store.add(
      openWebviewChannel<FromPlanPage, ToPlanPage>(
        this.#panel.webview,
        fromPlanPageSchema,
        (message) => {
          switch (message.type) {
            case 'ready':
              // A reloaded page sends this message again.
              this.#postContent();
              break;
            case 'open': {
              const link = this.#content?.plan.links[message.link];
              if (link instanceof vscode.Location) {
                void vscode.window.showTextDocument(link.uri, { selection: link.range });
              } else if (link !== undefined && 'kind' in link) {
                deps.open(link);
              } else if (link !== undefined) {
                deps.onStartBuild?.(link);
              }
              break;
            }
            case 'focus':
              this.#hasFocus = message.hasFocus;
              break;
            case 'alternative':
              deps.onAlternative?.();
              break;
            case 'cancel':
              if (this.#busyMessage?.type === 'loading') {
                this.close();
              } else if (this.#runAbort !== undefined) {
                this.#cancelRun(this.#runAbort);
              } else if (this.#content === undefined) {
                // The plan is still being loaded, so nobody waits for an answer yet.
                this.#isCanceledEarly = true;
              } else {
                this.#onDidAnswer.fire(message);
              }
              break;
            case 'apply':
            case 'followUp':
            case 'overwrite':
            case 'rename':
              this.#onDidAnswer.fire(message);
              break;
          }
        },
        deps.log,
      ),
    );
    this.#post = (message) => channel.post(message);
    this.#store.add(
      this.#panel.onDidDispose(() => {
        this.#isClosed = true;
        this.#onDidAnswer.fire({ type: 'cancel' });
        this.#store.dispose();
      }),
    );
    renderPage(this.#panel.webview, { extensionUri: deps.extensionUri, bundle: 'plan', title });
    for (const other of deps.loadingPages) {
      if (other.connectionId === deps.connectionId) {
        other.close();
      }
    }
  }

  /**
   * Shows a plan and waits for the user's answer; closing the panel cancels. When the user applies the plan, disables
   * the page, and unlocks the connection if it's locked, since it may have locked itself while the page was open. If
   * the user doesn't unlock the connection, enables the page again.
   */
  async review(plan: PlanDescription, note?: string): Promise<PlanAnswer> {
    if (this.#isClosed || this.#isCanceledEarly) {
      return { type: 'cancel' };
    }
    this.#content = { plan, note };
    this.#busyMessage = undefined;
    this.#runAbort = undefined;
    this.#postContent();
    this.#panel.reveal();
    let answer = await this.waitForAnswer();
    while (answer.type === 'apply' && !(await this.#unlock())) {
      answer = this.#isClosed ? { type: 'cancel' } : await this.waitForAnswer();
    }
    return this.#isClosed ? { type: 'cancel' } : answer;
  }

  /** Waits for the user's answer to the shown page. Closing the page counts as canceling. */
  waitForAnswer(): Promise<PlanAnswer> {
    if (this.#isClosed) {
      return Promise.resolve({ type: 'cancel' });
    }
    return new Promise((resolve) => {
      const subscription = this.#onDidAnswer.event((answer) => {
        subscription.dispose();
        resolve(answer);
      });
    });
  }

  /** Disables the page, and returns whether the connection may be written to; if not, enables the page again. */
  async #unlock(): Promise<boolean> {
    const content = this.#content;
    this.#showBusy({ type: 'busy', ...(this.#isLocked() ? { isUnlocking: true } : {}) });
    const typedName = content?.plan.view.confirmation?.name;
    if (await ensureWritable(this.#deps, this.#deps.connectionId, { typedName })) {
      if (!this.#isClosed) {
        this.setBusy();
      }
      return true;
    }
    this.#busyMessage = undefined;
    if (this.#isClosed) {
      return false;
    }
    if (this.#content === content) {
      this.#post({ type: 'idle' });
    } else {
      // The plan became outdated in the meantime.
      this.#postContent();
    }
    return false;
  }

  /**
   * Shows that the plan or its result is outdated, and offers to plan again. The review continues. If the user is
   * unlocking the connection, shows it only after that was canceled.
   * @param planAgainLabel the label of the button that sends `followUp`
   */
  showOutdated(planAgainLabel: string, note: string): void {
    if (this.#isClosed || this.#content === undefined) {
      return;
    }
    const { links, view } = this.#content.plan;
    const { confirmation: _confirmation, alternative: _alternative, ...rest } = view;
    this.#content = {
      plan: {
        links,
        view: {
          ...rest,
          followUp: planAgainLabel,
          ...(view.isResult === true ? {} : { blockedReason: vscode.l10n.t('This plan is out of date.') }),
        },
      },
      note,
    };
    if (!this.isBusy) {
      this.#postContent();
    }
  }

  get connectionId(): string {
    return this.#deps.connectionId;
  }

  /** Whether the user has closed the tab. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** Whether the page is disabled: a plan is being applied, or the connection unlocked for that. */
  get isBusy(): boolean {
    return this.#busyMessage !== undefined;
  }

  /**
   * Disables the page while the connection is unlocked and the plan is applied, until another plan is shown or the
   * panel is closed.
   * @param progress how far the plan is applied, if that is known
   */
  setBusy(progress?: string): void {
    const cancellation =
      this.#runAbort === undefined ? undefined : this.#runAbort.signal.aborted ? 'requested' : 'possible';
    this.#showBusy({
      type: 'busy',
      ...(progress === undefined ? {} : { progress }),
      ...(cancellation === undefined ? {} : { cancellation }),
    });
  }

  #showBusy(message: Extract<ToPlanPage, { type: 'busy' }>): void {
    this.#busyMessage = message;
    this.#post(message);
  }

  #isLocked(): boolean {
    const { connections, locks, connectionId } = this.#deps;
    const connection = connections.find(connectionId);
    return connection !== undefined && locks.getRefusal(connection) === 'locked';
  }

  /** Returns the options of a run that show its progress on the page, and let the user cancel it there. */
  startRun(operation: Operation): Pick<RunOptions, 'signal' | 'onProgress' | 'onWait' | 'onQueued'> {
    const abort = new AbortController();
    this.#runAbort = abort;
    this.setBusy();
    const progressOptions = trackProgress(operation, (progress) => {
      if (!this.#isClosed) {
        this.setBusy(formatProgress(progress));
      }
    });
    return { ...progressOptions, signal: abort.signal };
  }

  /** Keeps the page disabled after a run, which can no longer be canceled. */
  endRun(): void {
    this.#runAbort = undefined;
    this.setBusy();
  }

  #cancelRun(abort: AbortController): void {
    abort.abort(new RunCanceledError());
    this.setBusy(this.#busyMessage?.type === 'busy' ? this.#busyMessage.progress : undefined);
  }

  /**
   * Shows that the next page is being loaded. This page closes when the next one opens. If none opens, this page is
   * enabled again.
   * @param load opens the next page, and resolves when that page has its result; resolves to true if this page can
   *   close although no other page was opened
   */
  async loadNext(load: () => Promise<unknown>): Promise<void> {
    const { loadingPages } = this.#deps;
    this.#busyMessage = { type: 'loading' };
    this.#post(this.#busyMessage);
    loadingPages.add(this);
    try {
      if ((await load()) === true) {
        this.close();
      }
    } finally {
      loadingPages.delete(this);
      this.#busyMessage = undefined;
      if (!this.#isClosed) {
        this.#postContent();
      }
    }
  }

  /** Closes the tab. If the tab had the focus, moves the focus to the editor shown next, which VS Code does not do. */
  close(): void {
    this.#deps.loadingPages.delete(this);
    if (!this.#isClosed) {
      if (this.#hasFocus) {
        focusEditorAfterClose();
      }
      this.#panel.dispose();
    }
  }

  #postContent(): void {
    if (this.#content !== undefined) {
      const { plan, note } = this.#content;
      this.#post({ type: 'plan', view: plan.view, ...(note === undefined ? {} : { note }) });
      if (this.#busyMessage !== undefined) {
        this.#post(this.#busyMessage);
      }
    }
  }
}

/** Focuses the active editor once the tab of a plan is closed. */
function focusEditorAfterClose(): void {
  const subscription = vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
    if (
      closed.some(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(viewType))
    ) {
      subscription.dispose();
      void vscode.commands.executeCommand('workbench.action.focusActiveEditorGroup');
    }
  });
}
