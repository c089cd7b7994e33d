import { existsSync } from 'node:fs';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { cleanEnvironment } from './cleanEnvironment.ts';
import { ensureCodeServer } from './codeServerInstall.ts';
import { startSupervised } from './supervised.ts';

const readyTimeoutMs = 60_000;
/** A socket's path has room for 107 characters, and VS Code's names take 50. */
const longestSocketFolder = 55;

export interface CodeServerOptions {
  /** 0 or absent: a free one. */
  readonly port?: number;
  /** Holds settings, state and extensions; never shared by two servers. */
  readonly serverDataDir: string;
  /** Added to this process's environment; the extension host inherits it. */
  readonly env?: NodeJS.ProcessEnv;
  /** User settings at the start. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Lets the page take a development extension and extension tests from its URL. The editor then shows no
   * notification toasts, so what a person looks at runs without it.
   */
  readonly acceptDevelopmentExtension?: boolean;
  readonly onLine?: (line: string) => void;
}

export interface CodeServer {
  readonly url: string;
  readonly port: number;
  /** Settles when the server is gone, asked or not. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** What keeps a fresh editor quiet: no welcome page, no chat, no look-ups on the network. */
const quietSettings: Readonly<Record<string, unknown>> = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'telemetry.telemetryLevel': 'off',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
  'workbench.welcomePage.experimentalOnboarding': false,
};

/** Starts VS Code for the browser on the loopback interface. Installs it first where it is missing. */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const { serverMain } = await ensureCodeServer();
  await writeSettings(options.serverDataDir, options.settings ?? {});
  const supervised = startSupervised({
    command: process.execPath,
    args: [
      serverMain,
      '--host=127.0.0.1',
      `--port=${options.port ?? 0}`,
      `--server-data-dir=${options.serverDataDir}`,
      '--without-connection-token',
      '--accept-server-license-terms',
      '--disable-workspace-trust',
      '--telemetry-level=off',
      ...(options.acceptDevelopmentExtension === true ? ['--enable-smoke-test-driver'] : []),
    ],
    env: cleanEnvironment({ ...(await temporaryFiles(options.serverDataDir)), ...options.env }),
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
  });
  try {
    // A server that cannot listen says so and stays.
    const [line, port] = await supervised.line(
      /Extension host agent listening on (\d+)|Error: listen .*/,
      readyTimeoutMs,
    );
    if (port === undefined) {
      throw new Error(`The editor cannot use port ${options.port ?? 0}: ${line}`);
    }
    return {
      url: `http://127.0.0.1:${port}/`,
      port: Number(port),
      ended: supervised.ended,
      stop: () => supervised.stop(),
    };
  } catch (error) {
    await supervised.stop();
    throw error;
  }
}

/**
 * Keeps sockets and temporary files below the server's own folder, so that they go with it. Only where the paths
 * stay short enough for a socket.
 */
async function temporaryFiles(serverDataDir: string): Promise<NodeJS.ProcessEnv> {
  const folder = join(resolve(serverDataDir), 'tmp');
  if (process.platform !== 'linux' || folder.length > longestSocketFolder) {
    return {};
  }
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return { TMPDIR: folder, XDG_RUNTIME_DIR: folder };
}

/** Where VS Code for the browser keeps the user's settings; read when a page starts. */
function settingsFile(serverDataDir: string): string {
  return join(serverDataDir, 'data', 'User', 'settings.json');
}

async function writeSettings(
  serverDataDir: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = settingsFile(serverDataDir);
  if (existsSync(file)) {
    return;
  }
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
}

/** Makes an extension folder an installed extension of a server that has not started yet: no copy, no package. */
export async function linkExtension(extensionFolder: string, serverDataDir: string): Promise<void> {
  const folder = resolve(extensionFolder);
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { publisher, name, version } = Object(manifest);
  const extensions = join(serverDataDir, 'extensions');
  await mkdir(extensions, { recursive: true });
  const link = join(extensions, `${publisher}.${name}-${version}`);
  if (!existsSync(link)) {
    await symlink(folder, link, 'junction');
  }
}

/** Installs a packaged extension for a server that has not started yet. */
export async function installVsix(vsix: string, serverDataDir: string): Promise<void> {
  const { serverMain } = await ensureCodeServer();
  const output: string[] = [];
  const installing = startSupervised({
    command: process.execPath,
    args: [
      serverMain,
      `--install-extension=${resolve(vsix)}`,
      `--server-data-dir=${serverDataDir}`,
      '--accept-server-license-terms',
    ],
    env: cleanEnvironment(),
    onLine: (line) => void output.push(line),
  });
  const code = await installing.ended;
  // The command line of the server ends with 0 also when the installation failed.
  if (code !== 0 || !output.some((line) => line.includes('successfully installed'))) {
    throw new Error(`${vsix} was not installed:\n${output.join('\n')}`);
  }
}

/** The address that opens a folder at once. `payload` needs `acceptDevelopmentExtension`. */
export function folderUrl(
  server: CodeServer,
  folder: string | undefined,
  payload: readonly (readonly [string, string])[] = [],
): string {
  const url = new URL(server.url);
  if (folder === undefined) {
    url.searchParams.set('ew', 'true');
  } else {
    url.searchParams.set('folder', folder);
  }
  if (payload.length > 0) {
    url.searchParams.set('payload', JSON.stringify(payload));
  }
  return url.href;
}

/** The address of a file of this machine inside a page of the server. */
export function remotePath(server: CodeServer, path: string): string {
  return `vscode-remote://127.0.0.1:${server.port}${resolve(path)}`;
}
