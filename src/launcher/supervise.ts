/**
 * `node supervise.ts command args…` runs a command in the process group that this script leads. It ends the whole group
 * when the command ends, when this script receives a signal, or when its stdin closes. Stdin is a pipe from the parent
 * process, so the command can't outlive the parent, even if the parent is killed.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';

/** The time between the request to stop and killing the process group. */
const graceMs = 3000;

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-process.pid, signal);
  } catch {
    // There is no separate process group: started without `detached`, or on Windows.
    child.kill(signal);
  }
}

function supervise(command: string, args: readonly string[]): void {
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'] });
  let isStopping = false;

  const stop = (): void => {
    if (isStopping) {
      return;
    }
    isStopping = true;
    signalGroup(child, 'SIGTERM');
    setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
  };

  child.once('error', (error) => {
    process.stderr.write(`${command}: ${error.message}\n`);
    process.exit(127);
  });
  child.once('exit', (code) => {
    const wasStopRequested = isStopping;
    isStopping = true;
    // End the processes that the command has left in the group. After a request to stop, this kills the whole group,
    // which includes this process.
    signalGroup(child, wasStopRequested ? 'SIGKILL' : 'SIGTERM');
    process.exit(code ?? 1);
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, stop);
  }
  process.stdin.on('end', stop);
  process.stdin.on('error', stop);
  process.stdin.resume();
}

const [command = '', ...args] = process.argv.slice(2);
supervise(command, args);
