import * as vscode from 'vscode';
import type { TextMatcher } from '../../editor/support/textPatterns.ts';
import type { Patches } from './patches.ts';
import { contains } from './quickInput.ts';
import { waitFor } from './waiting.ts';

interface Message {
  readonly type: string;
}

/** A page of the extension without its browser: the test reads what the host posts, and posts in place of the page. */
export class HostedPage {
  readonly viewType: string;
  readonly panel: vscode.WebviewPanel;
  html = '';
  readonly #emitter = new vscode.EventEmitter<unknown>();
  readonly #messages: Message[] = [];
  /** The state that the page would persist for a reload of the window. */
  state: unknown;

  constructor(viewType: string, panel: vscode.WebviewPanel) {
    this.viewType = viewType;
    const { webview } = panel;
    const isOverridden = (key: PropertyKey): key is keyof HostedPage['overrides'] => key in this.overrides;
    const proxy = new Proxy(webview, {
      get: (target, key) => {
        if (isOverridden(key)) {
          return this.overrides[key];
        }
        if (key === 'html') {
          return this.html;
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value) => {
        if (key === 'html') {
          const isFirst = this.html === '';
          this.html = String(value);
          // A script of the page calls the host as soon as it is loaded.
          if (isFirst && this.html.includes('<script')) {
            queueMicrotask(() => this.load());
          }
          return true;
        }
        return Reflect.set(target, key, value, target);
      },
    });
    this.panel = new Proxy(panel, {
      get: (target, key) => {
        if (key === 'webview') {
          return proxy;
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value) => Reflect.set(target, key, value, target),
    });
  }

  private readonly overrides = {
    postMessage: async (message: Message): Promise<boolean> => {
      this.#messages.push(message);
      return true;
    },
    onDidReceiveMessage: (listener: (message: unknown) => unknown): vscode.Disposable =>
      this.#emitter.event(listener),
  };

  get title(): string {
    return this.panel.title;
  }

  /** All messages that the host has posted, oldest first. */
  get messages(): readonly Message[] {
    return this.#messages;
  }

  /** Calls the host as a newly loaded page. */
  load(): void {
    this.post({ type: 'ready', page: `page ${loadCount++}` });
  }

  /** Posts a message as the page. */
  post(message: object): void {
    this.#emitter.fire(structuredClone(message));
  }

  /** Waits for the newest message of a type that passes the check. */
  async waitForMessage<T = Message>(type: string, check: (message: T) => boolean = () => true): Promise<T> {
    return waitFor(
      () => {
        const newest = this.#messages.findLast((message) => message.type === type) as T | undefined;
        return newest !== undefined && check(newest) ? newest : undefined;
      },
      () =>
        `${this.viewType} did not get ${type}; it got: ${this.#messages
          .slice(-5)
          .map((message) => JSON.stringify(message).slice(0, 600))
          .join('\n')}`,
    );
  }
}

let loadCount = 0;

/** The pages that the extension has opened. */
export class Pages {
  readonly #open: HostedPage[] = [];

  constructor(patches: Patches) {
    patches.replace(
      vscode.window,
      'createWebviewPanel',
      (create) =>
        (viewType: string, ...rest: readonly unknown[]) => {
          const panel: vscode.WebviewPanel = Reflect.apply(create, vscode.window, [viewType, ...rest]);
          return this.#track(viewType, panel).panel;
        },
    );
    patches.replace(
      vscode.window,
      'registerCustomEditorProvider',
      (register) => (viewType: string, provider: vscode.CustomTextEditorProvider, options: object) =>
        register(
          viewType,
          {
            resolveCustomTextEditor: (document, panel, token) =>
              provider.resolveCustomTextEditor(document, this.#track(viewType, panel).panel, token),
          },
          options,
        ),
    );
    patches.replace(
      vscode.window,
      'registerWebviewPanelSerializer',
      (register) => (viewType: string, serializer: vscode.WebviewPanelSerializer) => {
        this.serializers.set(viewType, serializer);
        return register(viewType, {
          deserializeWebviewPanel: (panel, state) =>
            serializer.deserializeWebviewPanel(this.#track(viewType, panel).panel, state),
        });
      },
    );
  }

  /** The serializers that restore pages after a reload of the window. */
  readonly serializers = new Map<string, vscode.WebviewPanelSerializer>();

  get open(): readonly HostedPage[] {
    return this.#open;
  }

  /** Waits for the newest page of a type, with a title. */
  async find(viewType: string, title: TextMatcher = ''): Promise<HostedPage> {
    return waitFor(
      () => this.#open.findLast((page) => page.viewType === viewType && contains(page.title, title)),
      () =>
        `No page ${viewType} ${title}; open: ${this.#open.map((page) => `${page.viewType} "${page.title}"`).join(', ')}`,
    );
  }

  /** Restores a page with the state that it kept, as the editor does after a reload of the window. */
  async restore(viewType: string, state: unknown): Promise<HostedPage> {
    const panel = vscode.window.createWebviewPanel(viewType, 'Restored', vscode.ViewColumn.Active);
    const page = await this.find(viewType, 'Restored');
    await this.serializers.get(viewType)?.deserializeWebviewPanel(panel, state);
    return page;
  }

  #track(viewType: string, panel: vscode.WebviewPanel): HostedPage {
    const page = new HostedPage(viewType, panel);
    this.#open.push(page);
    panel.onDidDispose(() => {
      const index = this.#open.indexOf(page);
      if (index >= 0) {
        this.#open.splice(index, 1);
      }
    });
    return page;
  }
}
