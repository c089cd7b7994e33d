import { Console } from 'node:console';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { delimiter, dirname } from 'node:path';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runTests } from '@vscode/test-electron';
import { getEditorCacheFolder } from '../../../src/launcher/codeServerInstall.ts';
import { bundleHostTests } from './bundleHost.ts';
import { HostReport } from './hostReport.ts';
import { createTemporaryFolder } from './temporaryFolder.ts';

const browserTestHost = fileURLToPath(new URL('../browserTestHost.ts', import.meta.url));

/**
 * Runs the host tests whose title contains a text in desktop VS Code, or in VS Code for the browser through
 * `browserTestHost.ts`; true when all of them passed. With a seed, the files run in another order.
 */
export async function runHost(grep: string, seed?: number): Promise<boolean> {
  const { folder, tests } = await bundleHostTests(seed);
  await using state = await createTemporaryFolder();
  const workspace = join(state.path, 'workspace');
  await mkdir(workspace);
  const report = new HostReport((line) => void process.stdout.write(`${line}\n`));
  const isVerbose = process.env['DATAMODEL_STUDIO_VERBOSE'] === '1';
  const stdout = new Writable({
    write(chunk: Buffer, _encoding, done) {
      report.write(chunk.toString('utf8'));
      if (isVerbose) {
        process.stderr.write(chunk);
      }
      done();
    },
  });
  // The library logs every exit code to the console; the summary line is clearer.
  globalThis.console = new Console(
    isVerbose ? process.stderr : new Writable({ write: (_c, _e, done) => done() }),
  );
  const useDesktop = process.env['DATAMODEL_STUDIO_DESKTOP'] === '1';
  let failure: unknown;
  try {
    await runTests({
      ...(useDesktop
        ? { cachePath: join(getEditorCacheFolder(), 'desktop') }
        : { vscodeExecutablePath: browserTestHost }),
      extensionDevelopmentPath: folder,
      extensionTestsPath: tests,
      // An opened folder: some features store files in it.
      launchArgs: [
        workspace,
        `--user-data-dir=${join(state.path, 'user')}`,
        `--extensions-dir=${join(state.path, 'extensions')}`,
      ],
      extensionTestsEnv: {
        DATAMODEL_STUDIO_HOST_GREP: grep,
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
  const { passes = 0, failures = 0, pending = 0 } = report.summary ?? {};
  const didPass = failure === undefined && failures === 0 && passes > 0;
  process.stdout.write(
    `host tests: ${passes} passed, ${failures} failed, ${pending} skipped: ${didPass ? 'ok' : 'FAILED'}\n`,
  );
  if (!didPass && report.summary === undefined) {
    process.stderr.write(
      `The tests did not run to their end: ${String(failure)}\nSee test/.artifacts/host.log\n`,
    );
  }
  return didPass;
}
