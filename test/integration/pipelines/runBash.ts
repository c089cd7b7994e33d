import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface BashExit {
  readonly code: number | null;
  /** The output of the script on stdout and stderr. */
  readonly log: string;
}

/** Runs a script in Bash without a terminal, as the runner of a CI server does. */
export async function runBash(
  script: string,
  {
    flags,
    cwd,
    env,
  }: {
    readonly flags: readonly string[];
    readonly cwd: string;
    readonly env: Readonly<Record<string, string>>;
  },
): Promise<BashExit> {
  const child = spawn('bash', [...flags, '-c', script], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      log += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, log };
}
