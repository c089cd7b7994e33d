/** `npm start`: runs the product with the demo sandbox. Prints one JSON line on stdout when everything is ready. */
import { Console } from 'node:console';
import { pathToFileURL } from 'node:url';
import { Launcher } from './launch.ts';
import { openExternal } from './openExternal.ts';
import { projectRoot } from './projectRoot.ts';
import type { StartOptions } from './startOptions.ts';
import { parseStartOptions, formatReadyLine, startUsage } from './startOptions.ts';

function report(message: string): void {
  process.stderr.write(`${message}\n`);
}

function readOptions(): StartOptions | undefined {
  try {
    return parseStartOptions(process.argv.slice(2));
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    report(startUsage);
    return undefined;
  }
}

async function start(options: StartOptions): Promise<void> {
  const launcher = new Launcher({ ...options, root: projectRoot, report });
  const stopRequested = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        resolve();
        void launcher.stop();
      });
    }
  });
  try {
    const launched = await Promise.race([launcher.launch(), stopRequested]);
    if (launched === undefined) {
      return;
    }
    process.stdout.write(`${formatReadyLine(launched.editorUrl, launched.sandbox)}\n`);
    const { editorUrl, redirectPage } = launched;
    if (editorUrl !== undefined && redirectPage !== undefined) {
      const isOpening = options.opensBrowser && openExternal(pathToFileURL(redirectPage).href);
      report(isOpening ? `If no page opens, go to ${editorUrl}` : `Open ${editorUrl}`);
    }
    report('Press Ctrl+C to stop');
    const endedProcess = await Promise.race([launched.ended, stopRequested]);
    if (endedProcess !== undefined) {
      report(`The ${endedProcess} has ended`);
      // Closing the window is a normal way to finish; a sandbox never ends on its own.
      process.exitCode = endedProcess === 'sandbox' ? 1 : 0;
    }
  } catch (error) {
    report(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  } finally {
    await launcher.stop();
  }
}

// Libraries may log to the console, but the JSON line must be the only line on stdout.
globalThis.console = new Console(process.stderr);
const options = readOptions();
if (options === undefined) {
  process.exitCode = 2;
} else {
  await start(options);
  process.exit();
}
