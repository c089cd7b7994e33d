import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxProcessAccess } from '../sandbox/host/sandboxProcess.ts';
import { startSandboxProcess } from '../sandbox/host/sandboxProcess.ts';
import type { RunningEditor } from './startEditor.ts';
import { startEditor } from './startEditor.ts';
import type { StartOptions } from './startOptions.ts';

const sessionCheckMs = 30_000;

export interface LaunchOptions extends StartOptions {
  /** The folder of a built checkout, which is the extension's folder and contains `dist/sandbox.js`. */
  readonly root: string;
  readonly report: (message: string) => void;
}

/** The running demo sandbox and the editor that is connected to it. */
export interface LaunchedStudio {
  readonly editorUrl: string | undefined;
  /** The path of the page that redirects a browser to the editor. */
  readonly redirectPage: string | undefined;
  readonly sandbox: SandboxProcessAccess;
  /** Settles when the sandbox or the editor has ended. */
  readonly ended: Promise<'sandbox' | 'editor'>;
}

/** Starts the sandbox and the editor, and can stop them at any time, even during the start. */
export class Launcher {
  readonly #options: LaunchOptions;
  readonly #resources = new AsyncDisposableStack();
  #stopping: Promise<void> | undefined;

  constructor(options: LaunchOptions) {
    this.#options = options;
  }

  /** Starts the sandbox and the editor; resolves when both respond. */
  async launch(): Promise<LaunchedStudio> {
    const { root, report } = this.#options;
    const stateFolder = await mkdtemp(join(tmpdir(), 'datamodel-studio-'));
    await this.#registerStop(() => rm(stateFolder, { recursive: true, force: true, maxRetries: 5 }));

    const script = join(root, 'dist', 'sandbox.js');
    if (!existsSync(script)) {
      throw new Error(`${script} is missing. Run npm run build first.`);
    }
    const seed = 'demo';
    const sandbox = await startSandboxProcess({
      script,
      folder: join(stateFolder, 'sandbox'),
      seed,
      profile: this.#options.profile,
    });
    await this.#registerStop(() => sandbox.stop());
    await checkAuthenticated(sandbox);
    report(`The sandbox is running at ${sandbox.url}`);

    const editor: RunningEditor = await startEditor({
      isBrowserOnly: this.#options.usesBrowserEditor,
      port: this.#options.port,
      allowedHosts: this.#options.allowedHosts,
      extensionFolder: root,
      stateFolder,
      // Passed by environment variables, since a workspace must not be able to redirect a token to another server.
      env: {
        DATAMODEL_STUDIO_SANDBOX_URL: sandbox.url,
        DATAMODEL_STUDIO_SANDBOX_TOKEN: sandbox.adminToken,
        DATAMODEL_STUDIO_SANDBOX_SEED: seed,
      },
      report,
    });
    await this.#registerStop(() => editor.stop());
    return {
      editorUrl: editor.url,
      redirectPage: editor.redirectPage,
      sandbox,
      ended: Promise.race([
        sandbox.exited.then(() => 'sandbox' as const),
        editor.ended.then(() => 'editor' as const),
      ]),
    };
  }

  /** Stops everything that was started, in reverse order, even if some of it fails to stop. Idempotent. */
  async stop(): Promise<void> {
    this.#stopping ??= this.#resources.disposeAsync();
    await this.#stopping;
  }

  async #registerStop(stop: () => Promise<void>): Promise<void> {
    if (this.#stopping !== undefined) {
      await stop();
      throw new Error('Stopped while starting');
    }
    this.#resources.defer(stop);
  }
}

async function checkAuthenticated(sandbox: SandboxProcessAccess): Promise<void> {
  const response = await fetch(new URL('/api/auth/isauth', sandbox.url), {
    headers: { authorization: `Bearer ${sandbox.adminToken}` },
    signal: AbortSignal.timeout(sessionCheckMs),
  });
  const { isauthenticated, isAuthenticated = isauthenticated } = Object(await response.json());
  if (!response.ok || isAuthenticated !== true) {
    throw new Error(`The sandbox returned ${response.status} for the session check`);
  }
}
