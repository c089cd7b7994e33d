import type { FromBench, Comparison, ToBench } from './comparison.ts';

/**
 * The functions that the files `*.bench.ts` call. Each file runs in its own process; the harness (`run.ts`) decides
 * what is measured next.
 */

/** Measures once, and returns milliseconds. Both sides of a pair get the same number, which is negative in warm-ups. */
export type Measurement = (pair: number) => number | Promise<number>;

/** Compares a measurement with another one, or with a fixed number of milliseconds. */
export async function compare(
  comparison: Comparison,
  { subject, base }: { readonly subject: Measurement; readonly base: Measurement | number },
): Promise<void> {
  send({ type: 'comparison', comparison });
  for (let message = await receive(); message.type === 'measure'; message = await receive()) {
    const measure = message.side === 'subject' ? subject : base;
    send({ type: 'measured', ms: typeof measure === 'number' ? measure : await measure(message.pair) });
  }
}

/** Reports a ratio that is the same in every run. */
export async function report(comparison: Comparison, value: number): Promise<void> {
  send({ type: 'value', comparison, value });
  await receive();
}

/**
 * Measures the milliseconds that a function takes, for functions that wait for other processes, the disk, or a person.
 */
export async function measureMs(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/**
 * Measures the milliseconds of processor time that a function takes in all threads of this process: other programs don't
 * add to it. (What the system reports for one thread is only updated every few milliseconds.)
 */
export async function measureCpuMs(run: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

function send(message: FromBench): void {
  if (process.send === undefined) {
    throw new Error('Run this benchmark with `npm run bench`.');
  }
  // If the harness has ended, `receive` rejects.
  process.send(message, undefined, undefined, () => undefined);
}

/** Receives a message of the harness. Rejects if the harness has ended, so that the benchmark cleans up. */
function receive(): Promise<ToBench> {
  const { promise, resolve, reject } = Promise.withResolvers<ToBench>();
  if (!process.connected) {
    return Promise.reject(new Error('The run was stopped.'));
  }
  const onDisconnect = (): void => reject(new Error('The run was stopped.'));
  process.once('disconnect', onDisconnect);
  process.once('message', (message: ToBench) => {
    process.off('disconnect', onDisconnect);
    resolve(message);
  });
  return promise;
}

// Ctrl+C reaches all processes of the terminal. The harness ends this one when it has cleaned up.
process.on('SIGINT', () => undefined);
