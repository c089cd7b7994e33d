import { spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline/promises';
import { findMissingBuildTools, isCodeServerInstalled } from './codeServerInstall.ts';
import { findChromium, headlessChromiumPackage } from './chromium.ts';
import { findExecutable } from './executables.ts';

/** What the packages are for: VS Code in the browser, or the tests, which also need Chromium. */
export type PackagePurpose = 'editor' | 'tests';

/** Returns the Debian packages that are missing; none on systems other than Linux. */
export function findMissingPackages(purpose: PackagePurpose): readonly string[] {
  if (process.platform !== 'linux') {
    return [];
  }
  return [
    ...(purpose === 'tests' && findChromium() === undefined ? [headlessChromiumPackage] : []),
    ...(isCodeServerInstalled() ? [] : findMissingBuildTools()),
  ];
}

/** How this process may install packages. */
interface Installer {
  /** The prefix of the command: none for root, else `sudo`. */
  readonly prefix: readonly string[];
  /** Whether the required programs are installed. */
  readonly isAvailable: boolean;
  /** Whether packages can be installed without a password. */
  readonly worksWithoutPassword: boolean;
}

function findInstaller(): Installer {
  const hasApt = findExecutable('apt-get') !== undefined;
  if (process.getuid?.() === 0) {
    return { prefix: [], isAvailable: hasApt, worksWithoutPassword: hasApt };
  }
  const isAvailable = hasApt && findExecutable('sudo') !== undefined;
  const worksWithoutPassword =
    isAvailable && spawnSync('sudo', ['--non-interactive', 'true'], { stdio: 'ignore' }).status === 0;
  return { prefix: ['sudo'], isAvailable, worksWithoutPassword };
}

const getInstallArguments = (packages: readonly string[]): readonly string[] => [
  'apt-get',
  'install',
  '-y',
  '--no-install-recommends',
  ...packages,
];

/** Installs packages, with the output of apt-get on stderr. Returns whether it succeeded. */
function install({ prefix }: Installer, packages: readonly string[]): boolean {
  const run = (commandLine: readonly string[]): boolean => {
    const [command = '', ...args] = [...prefix, ...commandLine];
    process.stderr.write(`> ${[command, ...args].join(' ')}\n`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    return spawnSync(command, args, { stdio: ['inherit', 2, 2], env }).status === 0;
  };
  return run(['apt-get', 'update', '-qq']) && run(getInstallArguments(packages));
}

async function askToInstall(packages: readonly string[]): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`Install ${packages.join(', ')} now? [y/N] `);
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

export interface SystemPackageOptions {
  readonly purpose: PackagePurpose;
  /** Installs without asking if no password is needed. */
  readonly installsWithoutAsking: boolean;
  /** Asks the user in the terminal, if there is one. */
  readonly mayAsk: boolean;
}

/**
 * Ensures that the required Debian packages are installed: installs missing ones if allowed, or else prints the command
 * that installs them.
 * @returns whether all of them are installed now
 */
export async function ensureSystemPackages({
  purpose,
  installsWithoutAsking,
  mayAsk,
}: SystemPackageOptions): Promise<boolean> {
  const missing = findMissingPackages(purpose);
  if (missing.length === 0) {
    return true;
  }
  const installer = findInstaller();
  const shouldInstall =
    (installsWithoutAsking && installer.worksWithoutPassword) ||
    (mayAsk &&
      installer.isAvailable &&
      process.stdin.isTTY &&
      process.stderr.isTTY &&
      (await askToInstall(missing)));
  if (shouldInstall && install(installer, missing) && findMissingPackages(purpose).length === 0) {
    return true;
  }
  const command = [...installer.prefix, ...getInstallArguments(missing)].join(' ');
  process.stderr.write(`Debian packages are missing. Run:\n  ${command}\n`);
  return false;
}
