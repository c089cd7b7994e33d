import type { Connection } from '../connection.ts';
import { type DoctorDeps, Examination, StepTimeout } from './examination.ts';
import { getFailureCode } from './failures.ts';
import { examineHttp } from './httpStep.ts';
import { examineAddress, examineName, examinePort, examineProxy } from './networkSteps.ts';
import { examineAdministrator, examineToken, examineViewpoints } from './platformSteps.ts';
import { type Diagnosis, type StepId, type StepReport, type StepResult, stepIds } from './step.ts';
import { examineTls } from './tlsStep.ts';

interface Step {
  /** The step that this one depends on; if that step failed, this one is skipped. */
  readonly after: StepId | undefined;
  readonly examine: (exam: Examination) => Promise<StepResult>;
}

const steps: Readonly<Record<StepId, Step>> = {
  address: { after: undefined, examine: examineAddress },
  dns: { after: 'address', examine: examineName },
  tcp: { after: 'dns', examine: examinePort },
  proxy: { after: 'tcp', examine: examineProxy },
  tls: { after: 'proxy', examine: examineTls },
  http: { after: 'tls', examine: examineHttp },
  isauth: { after: 'http', examine: examineToken },
  administrator: { after: 'isauth', examine: examineAdministrator },
  viewpoints: { after: 'http', examine: examineViewpoints },
};

export interface DiagnoseOptions {
  readonly signal: AbortSignal;
  /** Called before each step. */
  readonly onStep?: (step: StepId) => void;
}

/**
 * Examines a connection step by step, from its address to the viewpoint service. Changes nothing on the server. The
 * token is sent only by the steps after `tls`, and only to a server that passed that step.
 * @throws the signal's reason if the user canceled; any other failure is part of the diagnosis
 */
export async function diagnoseConnection(
  deps: DoctorDeps,
  connection: Connection,
  { signal, onStep }: DiagnoseOptions,
): Promise<Diagnosis> {
  const exam = new Examination(deps, connection, signal);
  const reports = new Map<StepId, StepReport>();
  try {
    for (const step of stepIds) {
      const report = await runStep(step, exam, reports, onStep);
      reports.set(step, report);
      const { outcome, finding, ms } = report;
      deps.log.info('connections', 'Examined', { connection: connection.id, step, outcome, finding, ms });
    }
  } finally {
    exam.dispose();
  }
  const all = [...reports.values()];
  return { connection, steps: all, verdict: getVerdict(all), time: deps.clock.now() };
}

async function runStep(
  step: StepId,
  exam: Examination,
  reports: ReadonlyMap<StepId, StepReport>,
  onStep: ((step: StepId) => void) | undefined,
): Promise<StepReport> {
  const { after, examine } = steps[step];
  const before = after === undefined ? undefined : reports.get(after);
  const because = before?.outcome === 'failed' ? before.step : before?.because;
  if (because !== undefined) {
    return { step, outcome: 'skipped', finding: 'not-reached', facts: {}, ms: 0, because };
  }
  exam.signal.throwIfAborted();
  onStep?.(step);
  const started = exam.deps.clock.now();
  const result = await examineSafely(exam, examine);
  return { ...result, step, facts: result.facts ?? {}, ms: exam.deps.clock.now() - started };
}

/** The result of a step; an unexpected error makes it a failed step and does not end the diagnosis. */
async function examineSafely(
  exam: Examination,
  examine: (exam: Examination) => Promise<StepResult>,
): Promise<StepResult> {
  try {
    return await examine(exam);
  } catch (error) {
    exam.signal.throwIfAborted();
    return error instanceof StepTimeout
      ? { outcome: 'failed', finding: 'timed-out' }
      : { outcome: 'failed', finding: 'failed-otherwise', facts: { reason: getFailureCode(error) } };
  }
}

function getVerdict(reports: readonly StepReport[]): Diagnosis['verdict'] {
  const outcomes = new Set(reports.map(({ outcome }) => outcome));
  return outcomes.has('failed') ? 'failed' : outcomes.has('warning') ? 'warning' : 'ok';
}
