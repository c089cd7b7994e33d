import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { createCleanEnvironment } from './cleanEnvironment.ts';
import { findExecutable } from './executables.ts';
import { withInstallLock } from './installLock.ts';
import { startSupervised } from './supervisedProcess.ts';

const codeServerVersion = '4.139.1';
/** The number of output lines of a failed command that its error contains. */
const maxOutputLines = 60;

/** An installation of VS Code for the browser. */
export interface CodeServerInstallation {
  /** The script that starts the server. */
  readonly serverMain: string;
}

export interface InstallOptions {
  /** The folder of the installation, with a marker file that shows that it is complete. */
  readonly folder: string;
  readonly report: (message: string) => void;
}

/** Returns the folder for editors: per user, so that several clones of the repository share it. */
export function getEditorCacheFolder(env: NodeJS.ProcessEnv = process.env): string {
  const configured = env['DATAMODEL_STUDIO_EDITOR_CACHE'];
  if (configured) {
    return configured;
  }
  const cache = env['XDG_CACHE_HOME'] || join(homedir(), '.cache');
  return join(cache, 'datamodel-studio', 'editor');
}

const getInstallFolder = (): string => join(getEditorCacheFolder(), `code-server-${codeServerVersion}`);

const getMarkerFile = (folder: string): string => join(folder, 'complete');
const getServerMain = (folder: string): string =>
  join(folder, 'node_modules', 'code-server', 'lib', 'vscode', 'out', 'server-main.js');

/** Returns whether VS Code for the browser is installed. If so, no build tools are needed. */
export const isCodeServerInstalled = (folder: string = getInstallFolder()): boolean =>
  existsSync(getMarkerFile(folder)) && existsSync(getServerMain(folder));

/** Installs the editor once; later calls, also from other processes, reuse it. */
export async function ensureCodeServer(
  options: InstallOptions = {
    folder: getInstallFolder(),
    report: (message) => void process.stderr.write(`${message}\n`),
  },
): Promise<CodeServerInstallation> {
  const { folder, report } = options;
  const serverMain = getServerMain(folder);
  if (isCodeServerInstalled(folder)) {
    return { serverMain };
  }
  await mkdir(dirname(folder), { recursive: true });
  await withInstallLock(
    `${folder}.lock`,
    () => report('Waiting for another process that is installing the editor'),
    async () => {
      if (isCodeServerInstalled(folder)) {
        return;
      }
      requireBuildTools();
      report('Installing VS Code for the browser (once per user, takes a few minutes)');
      await rm(folder, { recursive: true, force: true });
      await install(folder);
      await run(process.execPath, [serverMain, '--version'], folder);
      await writeFile(getMarkerFile(folder), `${codeServerVersion}\n`);
      report('VS Code for the browser is installed');
    },
  );
  return { serverMain };
}

async function install(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const manifest = {
    private: true,
    dependencies: { 'code-server': codeServerVersion },
    allowScripts: { 'code-server': true, argon2: true },
  };
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const npm = findExecutable('npm');
  if (npm === undefined) {
    throw new Error("npm is required to install the editor, but it isn't installed or isn't in PATH");
  }
  // Within `npm start`, npm must use this folder rather than the outer project, hence cwd and the clean environment.
  await run(npm, ['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
}

/** The Debian packages that are needed to compile the editor's native modules, by a program in each of them. */
const buildTools: Readonly<Record<string, string>> = {
  python3: 'python3',
  make: 'make',
  'g++': 'g++',
  'krb5-config': 'libkrb5-dev',
  'pkg-config': 'pkg-config',
};

/** Finds the Debian packages that this machine lacks to compile the editor. */
export const findMissingBuildTools = (): readonly string[] =>
  process.platform === 'linux'
    ? Object.entries(buildTools).flatMap(([program, name]) =>
        findExecutable(program) === undefined ? [name] : [],
      )
    : [];

function requireBuildTools(): void {
  const missing = findMissingBuildTools();
  if (missing.length > 0) {
    throw new Error(
      `Building the editor requires these Debian packages. Run:\n  apt-get install -y ${missing.join(' ')}`,
    );
  }
}

/**
 * Runs a command under supervision, so that an installation does not continue after this process has ended and released
 * the lock.
 * @throws Error with the last lines of output when the command fails
 */
async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const path = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
  const output: string[] = [];
  const child = startSupervised({
    command,
    args,
    cwd,
    env: createCleanEnvironment({ PATH: path }),
    onLine: (line) => void output.push(line),
  });
  const code = await child.ended;
  if (code !== 0) {
    const tail = output.slice(-maxOutputLines).join('\n');
    throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${tail}`);
  }
}
