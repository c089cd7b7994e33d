import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter } from '../../base/event.ts';
import type { Log } from '../../base/log.ts';
import type { PlanSubject } from '../../changes/model/plan.ts';
import { toPlainText } from '../../platform/serverText.ts';
import { openWebviewChannel, renderPage } from '../../platform/webviews.ts';
import { type ToPlanPage, fromPlanPageSchema } from '../../webviews/protocol/planPage.ts';
import type { PlanDescription } from './describePlan.ts';

export interface PlanPanelDeps {
  readonly extensionUri: vscode.Uri;
  readonly log: Log;
  /** Opens a resource that the plan mentions. */
  readonly open: (subject: PlanSubject) => void;
}

/** The panel that shows a plan until it is applied or canceled. */
export class PlanPanel {
  readonly #store = new DisposableStore();
  readonly #panel: vscode.WebviewPanel;
  readonly #onDidAnswer = this.#store.add(new Emitter<'apply' | 'cancel'>());
  readonly #post: (message: ToPlanPage) => void;
  #content: { readonly plan: PlanDescription; readonly note: string | undefined } | undefined;
  #isBusy = false;
  #isClosed = false;

  constructor(deps: PlanPanelDeps, title: string) {
    this.#panel = vscode.window.createWebviewPanel(
      'datamodelStudio.plan',
      toPlainText(title),
      vscode.ViewColumn.Active,
      {
        retainContextWhenHidden: true,
      },
    );
    this.#panel.iconPath = new vscode.ThemeIcon('checklist');
    const channel = this.#store.add(
      openWebviewChannel<ReturnType<typeof fromPlanPageSchema.parse>, ToPlanPage>(
        this.#panel.webview,
        fromPlanPageSchema,
        (message) => {
          switch (message.type) {
            case 'ready':
              // A reloaded page sends this message again.
              this.#send();
              break;
            case 'open': {
              const subject = this.#content?.plan.links[message.link];
              if (subject !== undefined) {
                deps.open(subject);
              }
              break;
            }
            case 'apply':
            case 'cancel':
              this.#onDidAnswer.fire(message.type);
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
        this.#onDidAnswer.fire('cancel');
        this.#store.dispose();
      }),
    );
    renderPage(this.#panel.webview, { extensionUri: deps.extensionUri, bundle: 'plan', title });
  }

  /** Shows a plan and waits for the user's decision; closing the panel cancels. */
  review(plan: PlanDescription, note?: string): Promise<'apply' | 'cancel'> {
    if (this.#isClosed) {
      return Promise.resolve('cancel');
    }
    this.#content = { plan, note };
    this.#isBusy = false;
    this.#send();
    this.#panel.reveal();
    return new Promise((resolve) => {
      const subscription = this.#onDidAnswer.event((answer) => {
        subscription.dispose();
        resolve(answer);
      });
    });
  }

  /** Disables the page while the plan is applied, until another plan is shown or the panel is closed. */
  setBusy(): void {
    this.#isBusy = true;
    this.#post({ type: 'busy' });
  }

  close(): void {
    if (!this.#isClosed) {
      this.#panel.dispose();
    }
  }

  #send(): void {
    if (this.#content !== undefined) {
      const { plan, note } = this.#content;
      this.#post({ type: 'plan', view: plan.view, ...(note === undefined ? {} : { note }) });
      if (this.#isBusy) {
        this.#post({ type: 'busy' });
      }
    }
  }
}
