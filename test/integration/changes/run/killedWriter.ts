import { TransportFailure } from '../../../../src/client/transport.ts';
import type { Operation } from '../../../../src/changes/model/operation.ts';
import { createRealWriter, type WriterOptions } from '../../../support/createRealWriter.ts';

/** The point at which a process is killed: right before a write is sent, or right after its response. */
export interface KillPoint {
  readonly write: number;
  readonly when: 'before' | 'after';
}

/** The input of a process that writes; passed as JSON. */
export interface WritingJob extends WriterOptions {
  readonly operation: Operation;
  readonly kill: KillPoint;
}

/** Carries out the operation in this process and kills it at its point, like a machine that loses power. */
export async function writeAndDie(job: WritingJob): Promise<void> {
  let sent = -1;
  const die = (): never => {
    process.kill(process.pid, 'SIGKILL');
    throw new TransportFailure('unknown', { sent: false });
  };
  const { writer } = createRealWriter(job, (send) => async (request) => {
    if (request.method === 'GET') {
      return send(request);
    }
    // Several writes may be in progress at a time.
    const index = (sent += 1);
    if (index === job.kill.write && job.kill.when === 'before') {
      die();
    }
    const response = await send(request);
    return index === job.kill.write ? die() : response;
  });
  const { planHash } = await writer.plan(job.operation);
  await writer.run(job.operation, { approval: writer.approve(planHash) });
}

const [jobText] = process.argv.slice(2);
if (import.meta.main && jobText !== undefined) {
  await writeAndDie(JSON.parse(jobText) as WritingJob);
}
