import { parseLossless } from '../../base/json.ts';
import { type ResourceLimits, buildLimits } from './resourceLimits.ts';
import { getCubeFile, removeFile, removeStaleFiles, replaceFile, getTemporaryCubeFile } from './files.ts';
import type { ProcessReport } from './messages.ts';
import type { BuildEngine, BuildJob, BuildOutcome } from './buildEngine.ts';
import { EngineProcess, getStopMessage } from './processes.ts';

/** Resolves with the report of the process, or with `cancelled` as soon as the signal is aborted. */
async function waitForReportOrAbort(
  report: Promise<ProcessReport>,
  signal: AbortSignal,
): Promise<ProcessReport | 'cancelled'> {
  const { promise: aborted, resolve } = Promise.withResolvers<'cancelled'>();
  const onAbort = (): void => resolve('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([report, aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Runs each build in its own process. */
class ProcessBuildEngine implements BuildEngine {
  readonly #program: URL;
  readonly #limits: ResourceLimits;
  #runCount = 0;

  constructor(program: URL, limits: ResourceLimits) {
    this.#program = program;
    this.#limits = limits;
  }

  async run(job: BuildJob, signal: AbortSignal): Promise<BuildOutcome> {
    if (signal.aborted) {
      return { status: 'cancelled' };
    }
    this.#runCount += 1;
    const oid = typeof job.datamodel['oid'] === 'string' ? job.datamodel['oid'] : '';
    const temporaryFile = getTemporaryCubeFile(job.folder, oid, this.#runCount);
    removeStaleFiles(job.folder);
    const engine = new EngineProcess(this.#program);
    const { maxRows } = this.#limits;
    const pendingReport = engine.run({ kind: 'build', job, temporaryFile, maxRows }, this.#limits);
    const reportOrCanceled = await waitForReportOrAbort(pendingReport, signal);
    // A reported result means that the file is complete; after the kill, no process has it open anymore.
    await engine.kill();
    const outcome =
      reportOrCanceled === 'cancelled' ? { status: reportOrCanceled } : this.#toOutcome(reportOrCanceled);
    if (outcome.status === 'done' && job.buildType !== 'publish') {
      replaceFile(temporaryFile, getCubeFile(job.folder, oid));
    }
    removeFile(temporaryFile);
    return outcome;
  }

  #toOutcome(report: ProcessReport): BuildOutcome {
    if (report.kind === 'result') {
      return parseLossless(report.result) as unknown as BuildOutcome;
    }
    const table = report.kind === 'limit-exceeded' ? report.table : undefined;
    const jobName = table === undefined ? 'The build' : 'The expression';
    const message = getStopMessage(report, jobName, this.#limits);
    return { status: 'failed', message, ...(table === undefined ? {} : { table }) };
  }
}

/**
 * Creates an engine that runs each build in a separate process, so that the sandbox stays responsive and can kill a
 * build at any time. `program` is the URL of `engineProcess.ts` or of its bundle.
 */
export function createBuildEngine({
  program,
  limits = buildLimits,
}: {
  readonly program: URL;
  readonly limits?: ResourceLimits;
}): BuildEngine {
  return new ProcessBuildEngine(program, limits);
}
