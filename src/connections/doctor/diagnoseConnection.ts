import type { Connection } from '../connection.ts';
import { type DoctorDeps, Examination, StepTimeout } from './examination.ts';
import { getFailureCode } from './failureCode.ts';
import { examineHttp } from './httpStep.ts';
import { examineAddress, examineHostName, examinePort, examineProxy } from './networkSteps.ts';
import { examineAdministrator, examineToken, examineViewpoints } from './platformSteps.ts';
import { type Diagnosis, type StepId, type StepReport, type StepResult, stepIds } from './step.ts';
import { examineTls } from './tlsStep.ts';

interface Step {
  /** The step that this one depends on; if that step failed, this one is skipped. */
  readonly dependsOn: StepId | undefined;
  readonly examine: (examination: Examination) => Promise<StepResult>;
}

const steps: Readonly<Record<StepId, Step>> = {
  address: { dependsOn: undefined, examine: examineAddress },
  dns: { dependsOn: 'address', examine: examineHostName },
  tcp: { dependsOn: 'dns', examine: examinePort },
  proxy: { dependsOn: 'tcp', examine: examineProxy },
  tls: { dependsOn: 'proxy', examine: examineTls },
  http: { dependsOn: 'tls', examine: examineHttp },
  isauth: { dependsOn: 'http', examine: examineToken },
  administrator: { dependsOn: 'isauth', examine: examineAdministrator },
  viewpoints: { dependsOn: 'http', examine: examineViewpoints },
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
  const examination = new Examination(deps, connection, signal);
  const reports = new Map<StepId, StepReport>();
  try {
    for (const step of stepIds) {
      const report = await runStep(step, examination, reports, onStep);
      reports.set(step, report);
      const { outcome, finding, ms } = report;
      deps.log.info('connections', 'A step of the connection test ended', {
        connection: connection.id,
        step,
        outcome,
        finding,
        ms,
      });
    }
  } finally {
    examination.dispose();
  }
  const stepReports = [...reports.values()];
  return { connection, steps: stepReports, verdict: getVerdict(stepReports), time: deps.clock.now() };
}

async function runStep(
  step: StepId,
  examination: Examination,
  reports: ReadonlyMap<StepId, StepReport>,
  onStep: ((step: StepId) => void) | undefined,
): Promise<StepReport> {
  const { dependsOn, examine } = steps[step];
  const dependency = dependsOn === undefined ? undefined : reports.get(dependsOn);
  const failedDependency = dependency?.outcome === 'failed' ? dependency.step : dependency?.failedDependency;
  if (failedDependency !== undefined) {
    return { step, outcome: 'skipped', finding: 'not-reached', facts: {}, ms: 0, failedDependency };
  }
  examination.signal.throwIfAborted();
  onStep?.(step);
  const startMs = examination.deps.clock.now();
  const result = await examineSafely(examination, examine);
  return { ...result, step, facts: result.facts ?? {}, ms: examination.deps.clock.now() - startMs };
}

/** The result of a step; an unexpected error makes it a failed step and does not end the diagnosis. */
async function examineSafely(
  examination: Examination,
  examine: (examination: Examination) => Promise<StepResult>,
): Promise<StepResult> {
  try {
    return await examine(examination);
  } catch (error) {
    examination.signal.throwIfAborted();
    return error instanceof StepTimeout
      ? { outcome: 'failed', finding: 'timed-out' }
      : { outcome: 'failed', finding: 'failed-otherwise', facts: { reason: getFailureCode(error) } };
  }
}

function getVerdict(reports: readonly StepReport[]): Diagnosis['verdict'] {
  const outcomes = new Set(reports.map(({ outcome }) => outcome));
  return outcomes.has('failed') ? 'failed' : outcomes.has('warning') ? 'warning' : 'ok';
}
