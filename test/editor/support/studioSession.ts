import { cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Browser, BrowserContext } from 'playwright-core';
import type { CodeServer } from '../../../src/launcher/codeServer.ts';
import {
  createFolderUrl,
  installVsix,
  linkExtension,
  createRemoteUri,
  startCodeServer,
} from '../../../src/launcher/codeServer.ts';
import { artifactsFolder } from './artifacts.ts';
import { extensionFolder } from './extensionUnderTest.ts';
import { Studio } from './studio.ts';
import { createTemporaryFolder } from './temporaryFolder.ts';
import { findTokenLeaks } from './tokenLeaks.ts';
import type { ThemeName } from './themes.ts';
import { themes } from './themes.ts';

export interface StudioOptions {
  /** User settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly theme?: ThemeName;
  /** Files of the opened folder: contents by relative path. */
  readonly workspace?: Readonly<Record<string, string>>;
  /** Environment variables of the extension host. */
  readonly env?: NodeJS.ProcessEnv;
  /** An extension folder other than the checkout. */
  readonly extensionPath?: string;
  /** A packaged extension instead of a folder. */
  readonly vsix?: string;
  /** Loads the folder as a development extension. The editor then shows no notification toasts. */
  readonly devExtension?: boolean;
  /** The editor's display language; texts of VS Code itself stay English. */
  readonly language?: string;
  readonly viewport?: { readonly width: number; readonly height: number };
  /** Title of the view container that shows that the extension is loaded. */
  readonly viewTitle?: string;
}

/** A VS Code window with its server and its browser context. */
export interface StudioSession extends AsyncDisposable {
  readonly studio: Studio;
  /** Saves a screenshot, a trace and logs, by default under the name of the session. */
  saveEvidence(name?: string): Promise<void>;
  /** Returns the files and stored values that contain one of the tokens in the clear. */
  findTokenLeaks(tokens: Iterable<string>): Promise<readonly string[]>;
}

const defaultViewport = { width: 1280, height: 800 };

/**
 * Starts a separate VS Code (server, user data, browser context) with the extension. If it fails to start, a screenshot
 * and logs are saved.
 */
export async function openSession(
  browser: Browser,
  evidenceName: string,
  options: StudioOptions = {},
): Promise<StudioSession> {
  const disposables = new AsyncDisposableStack();
  try {
    const state = disposables.use(await createTemporaryFolder());
    const serverDataDir = join(state.path, 'server');
    const workspace = join(state.path, 'workspace');
    await writeWorkspace(workspace, options.workspace ?? {});
    const server = await startServer(serverDataDir, options);
    disposables.defer(() => server.stop());
    const context = await browser.newContext({
      viewport: options.viewport ?? defaultViewport,
      // Animations would take CPU time from the journeys, since they are rendered without a GPU.
      reducedMotion: 'reduce',
    });
    disposables.defer(() => context.close());
    if (isTraced()) {
      await context.tracing.start({ screenshots: true, snapshots: true });
      // Discards a trace that was not saved. One that was saved has been stopped already.
      disposables.defer(() => context.tracing.stop().catch(() => undefined));
    }
    const page = await context.newPage();
    if (options.language !== undefined) {
      // A language pack sets the same variable.
      await page.addInitScript((language) => {
        Object.assign(globalThis, { _VSCODE_NLS_LANGUAGE: language });
      }, options.language);
    }
    const studio = new Studio(page, workspace, options.viewTitle ?? 'Datamodel Studio');
    const session: StudioSession = {
      studio,
      saveEvidence: (name = evidenceName) => saveEvidence(name, context, serverDataDir),
      findTokenLeaks: (tokens) =>
        findTokenLeaks(context, [serverDataDir, workspace], [...tokens, server.connectionToken]),
      [Symbol.asyncDispose]: () => disposables.disposeAsync(),
    };
    try {
      await page.goto(createStudioUrl(server, workspace, options));
      await studio.waitUntilReady();
    } catch (error) {
      await session.saveEvidence();
      throw error;
    }
    return session;
  } catch (error) {
    await disposables.disposeAsync();
    throw error;
  }
}

/** Traces cost a third of a journey's time, so they are recorded on request only. */
const isTraced = (): boolean => process.env['DATAMODEL_STUDIO_TRACE'] === '1';

async function startServer(serverDataDir: string, options: StudioOptions): Promise<CodeServer> {
  if (options.vsix !== undefined) {
    await installVsix(options.vsix, serverDataDir);
  } else if (options.devExtension !== true) {
    await linkExtension(options.extensionPath ?? extensionFolder, serverDataDir);
  }
  const theme = themes[options.theme ?? 'light'].id;
  return startCodeServer({
    serverDataDir,
    // Keep the developer's own journals out of the tests.
    env: { XDG_STATE_HOME: join(serverDataDir, 'state'), ...options.env },
    settings: {
      // Workspace trust stays on, as for every user; only the banner is hidden, because it takes up space.
      'security.workspace.trust.banner': 'never',
      'workbench.colorTheme': theme,
      'workbench.tree.enableStickyScroll': false,
      // In a browser, auto save is on by default, but journeys decide when a document is saved.
      'files.autoSave': 'off',
      ...options.settings,
    },
    acceptDevelopmentExtension: options.devExtension === true,
  });
}

function createStudioUrl(server: CodeServer, workspace: string, options: StudioOptions): string {
  const folder = createRemoteUri(server, options.extensionPath ?? extensionFolder);
  return createFolderUrl(
    server,
    workspace,
    options.devExtension === true
      ? [
          ['extensionDevelopmentPath', folder],
          ['skipWelcome', 'true'],
        ]
      : [],
  );
}

async function writeWorkspace(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

async function saveEvidence(name: string, context: BrowserContext, serverDataDir: string): Promise<void> {
  const folder = join(artifactsFolder, 'failures', name);
  await mkdir(folder, { recursive: true });
  for (const page of context.pages()) {
    await page.screenshot({ path: join(folder, 'screen.png') }).catch(() => undefined);
  }
  if (isTraced()) {
    await context.tracing.stop({ path: join(folder, 'trace.zip') }).catch(() => undefined);
  }
  await cp(join(serverDataDir, 'data', 'logs'), join(folder, 'logs'), { recursive: true }).catch(
    () => undefined,
  );
}
