#!/usr/bin/env node
import { homedir } from 'node:os';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { exitCodes } from './exitCodes.ts';
import { run } from './run.ts';

/** What the bundled packages need; older releases fail in the middle of something. */
const oldestNode = [22, 19] as const;

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1])) {
  process.stderr.write(`datamodel-studio needs Node.js ${oldestNode.join('.')} or later.\n`);
  process.exit(exitCodes.failed);
}

// Whoever reads the output may stop doing so (`| head`): what is under way goes on and is written down.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
}

const interrupted = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  // The first one ends what is under way so that it can be resumed; the next one ends the process at once.
  process.on(name, () => {
    if (interrupted.signal.aborted) {
      process.exit(exitCodes.failed);
    }
    interrupted.abort();
  });
}

process.exitCode = await run(
  process.argv.slice(2),
  {
    env: process.env,
    platform: process.platform,
    home: homedir(),
    readInput: () => text(addAbortSignal(interrupted.signal, process.stdin)),
    isInputTerminal: process.stdin.isTTY,
    isErrorTerminal: process.stderr.isTTY,
    isOutputTerminal: process.stdout.isTTY,
    writeData: (data) => void process.stdout.write(data),
    writeWords: (words) => void process.stderr.write(words),
  },
  interrupted.signal,
);
