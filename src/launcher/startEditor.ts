import { join } from 'node:path';
import { tokenCookie, tokenParameter } from './requestAdmission.ts';
import type { AllowedHost } from './allowedAddresses.ts';
import type { CodeServer } from './codeServer.ts';
import { createFolderUrl, linkExtension, startCodeServer } from './codeServer.ts';
import type { DesktopEditor } from './desktop.ts';
import { downloadDesktopEditor, findDesktopEditor, hasDisplay, startDesktop } from './desktop.ts';
import { writeRedirectPage } from './openExternal.ts';
import { ensurePrivateFolder } from '../base/storage/privateFiles.ts';

export interface EditorRequest {
  /** Starts the editor in the browser even if desktop VS Code is available. */
  readonly isBrowserOnly: boolean;
  readonly port: number;
  /** Additional addresses of the editor in the browser besides those of this machine. */
  readonly allowedHosts: readonly AllowedHost[];
  readonly extensionFolder: string;
  /** The folder for everything that the editor writes. */
  readonly stateFolder: string;
  /** Environment variables that the extension receives. */
  readonly env: NodeJS.ProcessEnv;
  readonly report: (message: string) => void;
}

/** A running VS Code with the extension, which shows an empty folder. */
export interface RunningEditor {
  /** The address for a browser, connection token included; `undefined` for a desktop window. */
  readonly url: string | undefined;
  /**
   * The path of a page that redirects a browser to `url`, so that the token does not appear in the browser's arguments.
   */
  readonly redirectPage: string | undefined;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts desktop VS Code if it is installed or can be downloaded, else (or on request) VS Code for the browser. */
export async function startEditor(request: EditorRequest): Promise<RunningEditor> {
  const folder = await ensurePrivateFolder(join(request.stateFolder, 'workspace'));
  const desktop = request.isBrowserOnly ? undefined : await findOrDownloadDesktop(request.report);
  if (desktop !== undefined) {
    const { extensionFolder, stateFolder, env, report } = request;
    const desktopWindow = startDesktop({
      editor: desktop,
      extensionFolder,
      folder,
      stateFolder,
      env,
      onLine: report,
    });
    return {
      url: undefined,
      redirectPage: undefined,
      ended: desktopWindow.ended,
      stop: () => desktopWindow.stop(),
    };
  }
  return startInBrowser(request, folder);
}

async function findOrDownloadDesktop(report: (message: string) => void): Promise<DesktopEditor | undefined> {
  if (!hasDisplay()) {
    return undefined;
  }
  return findDesktopEditor() ?? downloadDesktopEditor(report);
}

async function startInBrowser(request: EditorRequest, folder: string): Promise<RunningEditor> {
  const serverDataDir = join(request.stateFolder, 'server');
  await linkExtension(request.extensionFolder, serverDataDir);
  const { port, allowedHosts, env } = request;
  const server = await startCodeServer({ port, allowedHosts, serverDataDir, env });
  try {
    await checkWorkbench(server);
    const url = createFolderUrl(server, folder);
    const redirectPage = join(request.stateFolder, 'open.html');
    await writeRedirectPage(redirectPage, url);
    return { url, redirectPage, ended: server.ended, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** Checks that the server returns the editor's page. Sends the token as a cookie: an error message shows the URL. */
async function checkWorkbench({ url, connectionToken }: CodeServer): Promise<void> {
  const page = new URL(url);
  page.searchParams.delete(tokenParameter);
  const response = await fetch(page, {
    headers: { cookie: `${tokenCookie}=${connectionToken}` },
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  if (!response.ok || !text.includes('vscode-workbench-web-configuration')) {
    throw new Error(`The editor returned ${response.status} and no workbench at ${page.href}`);
  }
}
