#!/usr/bin/env node
// Must be the first import: older releases of Node.js can't run the others.
import './requireNodeVersion.ts';
import { homedir } from 'node:os';
import { runCommandLine } from './runCommandLine.ts';
import { exitCodes } from './exitCodes.ts';
import { watchOutput } from './watchOutput.ts';

watchOutput(process, () => {
  process.exitCode = exitCodes.failed;
});

const abortController = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The first signal ends the work in progress so that it can be resumed; the next one ends the process at once.
  process.on(name, () => {
    if (abortController.signal.aborted) {
      process.exit(exitCodes.failed);
    }
    abortController.abort();
  });
}

/**
 * Not awaited at the top level: older releases of Node.js don't support that syntax, so they couldn't even print which
 * version is required.
 */
async function start(): Promise<void> {
  const exitCode = await runCommandLine(
    process.argv.slice(2),
    {
      env: process.env,
      platform: process.platform,
      home: homedir(),
      readInput: async () => {
        const [{ addAbortSignal }, { text }] = await Promise.all([
          import('node:stream'),
          import('node:stream/consumers'),
        ]);
        return text(addAbortSignal(abortController.signal, process.stdin));
      },
      isInputTerminal: process.stdin.isTTY,
      isErrorTerminal: process.stderr.isTTY,
      isOutputTerminal: process.stdout.isTTY,
      writeData: (data) => void process.stdout.write(data),
      writeMessage: (message) => void process.stderr.write(message),
    },
    abortController.signal,
  );
  // Lost output is a failure, unless the command has failed anyway.
  if (exitCode !== exitCodes.done || process.exitCode === undefined) {
    process.exitCode = exitCode;
  }
}

void start();
