import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import type { CliExit, CliOptions } from './cliProcess.ts';

/** The environment of commands that tests run: the developer's own journals are kept out of the tests. */
export const cliEnv = {
  PATH: process.env['PATH'] ?? '',
  XDG_STATE_HOME: join(tmpdir(), 'datamodel-studio-none'),
};

/**
 * Runs a command within this process, without a terminal: the same code as the command-line tool, without the time that a
 * new process needs. What a process adds (signals, the working folder, standard input, lost output, and records of plans)
 * is tested with `startCli`, and so is the built program: each command at least once.
 */
export async function runCli(
  args: readonly string[],
  { env = {}, input = '' }: Omit<CliOptions, 'cwd'> = {},
): Promise<CliExit> {
  let [stdout, stderr] = ['', ''];
  const code = await runCommandLine(
    args,
    {
      env: { ...cliEnv, ...env },
      platform: process.platform,
      home: tmpdir(),
      readInput: () => Promise.resolve(input),
      isInputTerminal: false,
      isErrorTerminal: false,
      isOutputTerminal: false,
      writeData: (text) => {
        stdout += text;
      },
      writeMessage: (text) => {
        stderr += text;
      },
    },
    new AbortController().signal,
  );
  return { code, signal: null, stdout, stderr };
}
