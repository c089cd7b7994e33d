import { TransportFailure } from '../../../../src/client/transport.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { createRealWriter, type WriterOptions } from '../../../support/createRealWriter.ts';

/** The point at which a process is killed: right before a write is sent, or right after its response. */
export interface KillPoint {
  readonly writeIndex: number;
  readonly when: 'before' | 'after';
}

/** The input of a process that writes; passed as JSON. */
export interface WritingJob extends WriterOptions {
  readonly operation: Operation;
  readonly kill: KillPoint;
}

/** Performs the operation in this process, which kills itself at the kill point, as if it crashed. */
export async function writeUntilKilled(job: WritingJob): Promise<void> {
  let lastIndex = -1;
  const killProcess = (): never => {
    process.kill(process.pid, 'SIGKILL');
    throw new TransportFailure('unknown', { mayHaveBeenSent: false });
  };
  const { writer } = createRealWriter(job, (send) => async (request) => {
    if (request.method === 'GET') {
      return send(request);
    }
    // Several writes may be in progress at a time.
    const index = (lastIndex += 1);
    if (index === job.kill.writeIndex && job.kill.when === 'before') {
      killProcess();
    }
    const response = await send(request);
    return index === job.kill.writeIndex ? killProcess() : response;
  });
  const { planHash } = await writer.plan(job.operation);
  await writer.run(job.operation, { approval: writer.approve(planHash) });
}

const [jobText] = process.argv.slice(2);
if (import.meta.main && jobText !== undefined) {
  await writeUntilKilled(JSON.parse(jobText) as WritingJob);
}
