import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { tokenParameter } from './requestAdmission.ts';
import type { AllowedHost } from './allowedAddresses.ts';
import { createCleanEnvironment } from './cleanEnvironment.ts';
import { ensureCodeServer } from './codeServerInstall.ts';
import { openGate } from './gate.ts';
import { ensurePrivateFolder, writePrivateFile } from '../base/storage/privateFiles.ts';
import { startSupervised } from './supervisedProcess.ts';

const readyTimeoutMs = 60_000;
/** Linux limits the path of a socket to 107 characters, and VS Code's file names need about 50 of them. */
const maxSocketFolderLength = 55;
/** The maximum length of a socket's path on the strictest operating system. */
const maxSocketPathLength = 103;

export interface CodeServerOptions {
  /** Any free port if 0 or absent. */
  readonly port?: number;
  /** Additional addresses besides those of this machine. */
  readonly allowedHosts?: readonly AllowedHost[];
  /** The folder for settings, state and extensions. Two servers must not share one. */
  readonly serverDataDir: string;
  /** Added to this process's environment; the extension host inherits it. */
  readonly env?: NodeJS.ProcessEnv;
  /** Initial user settings. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /**
   * Allows the page to load a development extension and extension tests from its URL. The editor then shows no
   * notification toasts, so editors for users run without it.
   */
  readonly acceptDevelopmentExtension?: boolean;
  readonly onLine?: (line: string) => void;
}

export interface CodeServer {
  /** The address with the connection token. Show it only to the user who started the server, and never log it. */
  readonly url: string;
  /** Requests without this token are rejected. Each start creates a new one. */
  readonly connectionToken: string;
  readonly port: number;
  /** Settles when the server has ended, for whatever reason. */
  readonly ended: Promise<unknown>;
  stop(): Promise<void>;
}

/** Settings for a quiet editor: no welcome page, no chat, no network requests. */
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

/**
 * Starts VS Code for the browser on the loopback interface. Installs it first if it is missing. VS Code's server checks
 * the connection token, but neither Host nor Origin. So it listens on a socket that only its owner can access, and
 * browsers connect to the gate in front of it.
 */
export async function startCodeServer(options: CodeServerOptions): Promise<CodeServer> {
  const { serverMain } = await ensureCodeServer();
  const serverDataDir = await ensurePrivateFolder(options.serverDataDir);
  await writeSettings(serverDataDir, options.settings ?? {});
  await using startupResources = new AsyncDisposableStack();
  const connectionToken = randomBytes(16).toString('hex');
  const tokenFile = join(serverDataDir, 'connection-token');
  await rm(tokenFile, { force: true });
  await writePrivateFile(tokenFile, connectionToken);
  const socket = await createSocketPath(serverDataDir, startupResources);
  // The browser stores the token for this path only, which differs for each start. Servers on other ports don't get it.
  const basePath = `/${randomBytes(8).toString('hex')}/`;
  const gate = await openGate({
    port: options.port ?? 0,
    socketPath: socket,
    basePath,
    token: connectionToken,
    allowedHosts: options.allowedHosts ?? [],
  });
  startupResources.defer(() => gate.stop());
  const supervised = startSupervised({
    command: process.execPath,
    args: [
      serverMain,
      `--socket-path=${socket}`,
      `--server-base-path=${basePath.slice(0, -1)}`,
      `--server-data-dir=${serverDataDir}`,
      `--connection-token-file=${tokenFile}`,
      '--accept-server-license-terms',
      '--telemetry-level=off',
      ...(options.acceptDevelopmentExtension === true ? ['--enable-smoke-test-driver'] : []),
    ],
    env: createCleanEnvironment({ ...(await createTemporaryEnvironment(serverDataDir)), ...options.env }),
    ...(options.onLine === undefined ? {} : { onLine: options.onLine }),
  });
  startupResources.defer(() => supervised.stop());
  // A server that can't listen logs an error and keeps running.
  const [line, listeningMessage] = await supervised.waitForLine(
    /(Extension host agent listening on )|Error: listen .*/,
    readyTimeoutMs,
  );
  if (listeningMessage === undefined) {
    throw new Error(`Can't reach the editor: ${line}`);
  }
  const resources = startupResources.move();
  return {
    url: `http://127.0.0.1:${gate.port}${basePath}?${tokenParameter}=${connectionToken}`,
    connectionToken,
    port: gate.port,
    ended: supervised.ended,
    stop: () => resources.disposeAsync(),
  };
}

/** Creates the path to listen on: a socket in a folder that only its owner can access; on Windows, a pipe. */
async function createSocketPath(serverDataDir: string, resources: AsyncDisposableStack): Promise<string> {
  if (process.platform === 'win32') {
    return `\\\\.\\pipe\\datamodel-studio-${randomBytes(16).toString('hex')}`;
  }
  const nearbySocket = join(resolve(serverDataDir), 'server.sock');
  if (nearbySocket.length <= maxSocketPathLength) {
    await rm(nearbySocket, { force: true });
    return nearbySocket;
  }
  const folder = await mkdtemp('/tmp/datamodel-studio-');
  resources.defer(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'server.sock');
}

/**
 * Returns variables that keep sockets and temporary files in the server's own folder, so that they are deleted with it;
 * none if the paths would be too long for a socket.
 */
async function createTemporaryEnvironment(serverDataDir: string): Promise<NodeJS.ProcessEnv> {
  const folder = join(resolve(serverDataDir), 'tmp');
  if (process.platform !== 'linux' || folder.length > maxSocketFolderLength) {
    return {};
  }
  await ensurePrivateFolder(folder);
  return { TMPDIR: folder, XDG_RUNTIME_DIR: folder };
}

/** Returns the file where VS Code for the browser stores the user's settings. A page reads it when it starts. */
function getSettingsFile(serverDataDir: string): string {
  return join(serverDataDir, 'data', 'User', 'settings.json');
}

async function writeSettings(
  serverDataDir: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = getSettingsFile(serverDataDir);
  if (existsSync(file)) {
    return;
  }
  await ensurePrivateFolder(dirname(file));
  await writePrivateFile(file, JSON.stringify({ ...quietSettings, ...settings }, undefined, 2));
}

/** Installs an extension folder, by a link, for a server that has not started yet. */
export async function linkExtension(extensionFolder: string, serverDataDir: string): Promise<void> {
  const folder = resolve(extensionFolder);
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const { publisher, name, version } = Object(manifest);
  await ensurePrivateFolder(serverDataDir);
  const extensions = await ensurePrivateFolder(join(serverDataDir, 'extensions'));
  const link = join(extensions, `${publisher}.${name}-${version}`);
  if (!existsSync(link)) {
    await symlink(folder, link, 'junction');
  }
}

/** Installs a packaged extension for a server that has not started yet. */
export async function installVsix(vsix: string, serverDataDir: string): Promise<void> {
  const { serverMain } = await ensureCodeServer();
  const output: string[] = [];
  const installation = startSupervised({
    command: process.execPath,
    args: [
      serverMain,
      `--install-extension=${resolve(vsix)}`,
      `--server-data-dir=${serverDataDir}`,
      '--accept-server-license-terms',
    ],
    env: createCleanEnvironment(),
    onLine: (line) => void output.push(line),
  });
  const code = await installation.ended;
  // The server's command line exits with 0 even if the installation failed.
  if (code !== 0 || !output.some((line) => line.includes('successfully installed'))) {
    throw new Error(`${vsix} wasn't installed:\n${output.join('\n')}`);
  }
}

/** Returns the address that opens a folder, or an empty window. `payload` needs `acceptDevelopmentExtension`. */
export function createFolderUrl(
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

/** Returns the URI of a local file for use in a page of the server. */
export function createRemoteUri(server: CodeServer, path: string): string {
  return `vscode-remote://127.0.0.1:${server.port}${resolve(path)}`;
}
