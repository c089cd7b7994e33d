/** Runs inside the extension host. The entry point of the bundle passes the test files; see `editor/support/bundleHost.ts`. */
import { format } from 'node:util';
import { takeCoverage } from 'node:v8';
import Mocha from 'mocha';
import * as vscode from 'vscode';
import { hostPrefix, summaryPrefix } from '../editor/support/hostReport.ts';

/** Loads the test files and runs them; rejects if one fails or if there are none. */
export async function runHostTests(loadTests: () => Promise<void>): Promise<void> {
  const print = (...args: readonly unknown[]): void => {
    for (const line of format(...args).split('\n')) {
      // The console is the only output of an extension host that desktop and browser share.
      // oxlint-disable-next-line no-console
      console.log(`${hostPrefix}${line}`);
    }
  };
  Mocha.reporters.Base.consoleLog = print;
  const grep = process.env['DATAMODEL_STUDIO_HOST_GREP'];
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: 60_000, ...(grep ? { grep } : {}) });
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await vscode.extensions.getExtension('datamodel-studio.datamodel-studio')?.activate();
  await loadTests();
  const failedTests: string[] = [];
  const stats = await new Promise<Mocha.Stats | undefined>((resolve) => {
    const runner = mocha.run(() => resolve(runner.stats));
    // The report lists causes at its end, which a run that is stopped does not reach.
    runner.on('fail', (test, error: unknown) => {
      print(`       ${String(error)}`);
      failedTests.push(`${test.fullTitle()}: ${String(error).split('\n', 1)[0]}`);
    });
  });
  if (process.env['NODE_V8_COVERAGE'] !== undefined) {
    takeCoverage();
  }
  const { passes = 0, failures = 0, pending = 0 } = stats ?? {};
  print(`${summaryPrefix}${JSON.stringify({ passes, failures, pending, failedTests })}`);
  if (failures > 0 || passes === 0) {
    throw new Error(`${passes} passed, ${failures} failed`);
  }
}
