import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { folderUrl, linkExtension, startCodeServer } from './codeServer.ts';
import type { DesktopEditor } from './desktop.ts';
import { downloadDesktopEditor, findDesktopEditor, hasDisplay, startDesktop } from './desktop.ts';

export interface EditorRequest {
  /** Only the editor in the browser. */
  readonly web: boolean;
  readonly port: number;
  readonly extensionFolder: string;
  /** Everything that the editor writes goes below. */
  readonly stateFolder: string;
  /** Reaches the extension. */
  readonly env: NodeJS.ProcessEnv;
  readonly report: (message: string) => void;
}

/** A VS Code with the extension, opened on an empty folder. */
export interface RunningEditor {
  /** Where a browser finds it; `undefined` for a desktop window. */
  readonly url: string | undefined;
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Desktop VS Code when it is here or can be fetched, else (or when asked) VS Code for the browser. */
export async function startEditor(request: EditorRequest): Promise<RunningEditor> {
  const folder = join(request.stateFolder, 'workspace');
  await mkdir(folder, { recursive: true });
  const desktop = request.web ? undefined : await findOrDownloadDesktop(request.report);
  if (desktop !== undefined) {
    const { extensionFolder, stateFolder, env, report } = request;
    const window = startDesktop({
      editor: desktop,
      extensionFolder,
      folder,
      stateFolder,
      env,
      onLine: report,
    });
    return { url: undefined, ended: window.ended, stop: () => window.stop() };
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
  const server = await startCodeServer({ port: request.port, serverDataDir, env: request.env });
  try {
    const url = folderUrl(server, folder);
    await requireWorkbench(url);
    return { url, ended: server.ended, stop: () => server.stop() };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function requireWorkbench(url: string): Promise<void> {
  const response = await fetch(url, { signal: AbortSignal.timeout(30_000) });
  const page = await response.text();
  if (!response.ok || !page.includes('vscode-workbench-web-configuration')) {
    throw new Error(`The editor answers ${response.status} and no workbench at ${url}`);
  }
}
