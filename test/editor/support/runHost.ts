import { Console } from 'node:console';
import { mkdir } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { getEditorCacheFolder } from '../../../src/launcher/codeServerInstall.ts';
import { projectRoot } from '../../../src/launcher/projectRoot.ts';
import { createDemoFolders } from '../../support/demoFolders.ts';
import { bundleHostTests } from './bundleHost.ts';
import { HostReport, type HostSummary } from './hostReport.ts';
import { demoFolderVariable } from './journeySandbox.ts';
import { createTemporaryFolder } from './temporaryFolder.ts';

const browserTestHost = fileURLToPath(new URL('../browserTestHost.ts', import.meta.url));

/** Two editors keep both processors busy; more editors would wait for each other on most machines. */
const editorCount = Math.min(2, availableParallelism());

/**
 * Runs the host tests whose title contains a text in desktop VS Code, or in VS Code for the browser through
 * `browserTestHost.ts`; true when all of them passed. Without such a text, the files are divided among editors. With a
 * seed, the files run in another order.
 */
export async function runHost(grep: string, seed?: number): Promise<boolean> {
  const extension = await bundleHostTests({ seed, partCount: grep === '' ? editorCount : 1 });
  const isVerbose = process.env['DATAMODEL_STUDIO_VERBOSE'] === '1';
  // The library logs every exit code to the console; the summary line is clearer.
  globalThis.console = new Console(
    isVerbose ? process.stderr : new Writable({ write: (_c, _e, done) => done() }),
  );
  await using demo = await createTemporaryFolder();
  await createDemoFolders(join(projectRoot, 'dist', 'sandbox.js'), demo.path);
  const results = await Promise.all(
    extension.testModules.map((tests) =>
      runInEditor({ folder: extension.folder, tests, grep, demoFolder: demo.path, isVerbose }),
    ),
  );
  const sum = (count: (summary: HostSummary) => number): number =>
    results.reduce((total, { summary }) => total + (summary === undefined ? 0 : count(summary)), 0);
  const [passes, failures] = [sum((summary) => summary.passes), sum((summary) => summary.failures)];
  const didPass = results.every((result) => result.didPass);
  // Failed tests are repeated at the end, because some logs keep only the last lines.
  for (const test of results.flatMap(({ summary }) => summary?.failedTests ?? [])) {
    process.stdout.write(`failed: ${test}\n`);
  }
  process.stdout.write(
    `host tests: ${passes} passed, ${failures} failed, ${sum(({ pending }) => pending)} skipped: ${didPass ? 'ok' : 'FAILED'}\n`,
  );
  return didPass;
}

interface EditorRun {
  readonly folder: string;
  /** The module that runs the tests. */
  readonly tests: string;
  readonly grep: string;
  readonly demoFolder: string;
  readonly isVerbose: boolean;
}

/** Runs a part of the tests in an editor of its own. */
async function runInEditor({ folder, tests, grep, demoFolder, isVerbose }: EditorRun) {
  await using state = await createTemporaryFolder();
  const workspace = join(state.path, 'workspace');
  await mkdir(workspace);
  const report = new HostReport((text) => void process.stdout.write(text));
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      report.write(chunk.toString('utf8'));
      if (isVerbose) {
        process.stderr.write(chunk);
      }
      done();
    },
  });
  const useDesktop = process.env['DATAMODEL_STUDIO_DESKTOP'] === '1';
  let failure: unknown;
  try {
    await runTests({
      ...(useDesktop
        ? { cachePath: join(getEditorCacheFolder(), 'desktop') }
        : { vscodeExecutablePath: browserTestHost }),
      extensionDevelopmentPath: folder,
      extensionTestsPath: tests,
      // Some features need an open folder, in which they store files.
      launchArgs: [
        workspace,
        `--user-data-dir=${join(state.path, 'user')}`,
        `--extensions-dir=${join(state.path, 'extensions')}`,
      ],
      extensionTestsEnv: {
        DATAMODEL_STUDIO_HOST_GREP: grep,
        [demoFolderVariable]: demoFolder,
        // Keep the developer's own journals out of the tests.
        XDG_STATE_HOME: join(state.path, 'state'),
        // `browserTestHost.ts` starts with `#!/usr/bin/env node`, so the PATH must lead to the Node that runs this.
        PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
      },
      stdout,
      stderr: process.stderr,
    });
  } catch (error) {
    failure = error;
  }
  report.flush();
  const { summary } = report;
  if (summary === undefined) {
    const log = `test/.artifacts/${basename(tests, '.js')}.log`;
    process.stderr.write(`The tests did not run to their end: ${String(failure)}\nSee ${log}\n`);
  }
  const didPass =
    failure === undefined && summary !== undefined && summary.failures === 0 && summary.passes > 0;
  return { summary, didPass };
}
