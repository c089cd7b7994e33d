import { parseLossless } from '../../base/json.ts';
import { type ResourceLimits, buildLimits } from './resourceLimits.ts';
import { getCubeFile, removeFile, removeStaleFiles, replaceFile, getTemporaryCubeFile } from './files.ts';
import type { ProcessReport } from './messages.ts';
import type { BuildEngine, BuildJob, BuildOutcome } from './port.ts';
import { EngineProcess, getStopMessage } from './processes.ts';

/** Resolves with the report of the process, or with `cancelled` as soon as the signal is aborted. */
async function waitForEnd(
  run: Promise<ProcessReport>,
  signal: AbortSignal,
): Promise<ProcessReport | 'cancelled'> {
  const { promise: aborted, resolve } = Promise.withResolvers<'cancelled'>();
  const onAbort = (): void => resolve('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([run, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Runs each build in its own process. */
class ProcessBuildEngine implements BuildEngine {
  readonly #program: URL;
  readonly #bounds: ResourceLimits;
  #runs = 0;

  constructor(program: URL, bounds: ResourceLimits) {
    this.#program = program;
    this.#bounds = bounds;
  }

  async run(job: BuildJob, signal: AbortSignal): Promise<BuildOutcome> {
    if (signal.aborted) {
      return { status: 'cancelled' };
    }
    this.#runs += 1;
    const oid = typeof job.datamodel['oid'] === 'string' ? job.datamodel['oid'] : '';
    const temporary = getTemporaryCubeFile(job.folder, oid, this.#runs);
    removeStaleFiles(job.folder);
    const engine = new EngineProcess(this.#program);
    const { maxRows } = this.#bounds;
    const run = engine.run({ kind: 'build', job, temporary, maxRows }, this.#bounds);
    const end = await waitForEnd(run, signal);
    // A reported result means that the file is complete; after the kill, no process has it open anymore.
    await engine.kill();
    const outcome = end === 'cancelled' ? { status: end } : this.#toOutcome(end);
    if (outcome.status === 'done' && job.buildType !== 'publish') {
      replaceFile(temporary, getCubeFile(job.folder, oid));
    }
    removeFile(temporary);
    return outcome;
  }

  #toOutcome(report: ProcessReport): BuildOutcome {
    if (report.kind === 'result') {
      return parseLossless(report.result) as unknown as BuildOutcome;
    }
    const table = report.kind === 'bound' ? report.table : undefined;
    const what = table === undefined ? 'The build' : 'The expression';
    const message = getStopMessage(report, what, this.#bounds);
    return { status: 'failed', message, ...(table === undefined ? {} : { table }) };
  }
}

/**
 * Creates an engine that runs each build in a separate process, so that the sandbox stays responsive and can kill a
 * build at any time. `program` is the URL of `engineProcess.ts` or of its bundle.
 */
export function createBuildEngine({
  program,
  bounds = buildLimits,
}: {
  readonly program: URL;
  readonly bounds?: ResourceLimits;
}): BuildEngine {
  return new ProcessBuildEngine(program, bounds);
}
