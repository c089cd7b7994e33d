import type { Connection } from '../connection.ts';
import { type DoctorDeps, DiagnosisContext, StepTimeout } from './diagnosisContext.ts';
import { getFailureCode } from './failureCode.ts';
import { checkHttp } from './httpStep.ts';
import { checkAddress, checkHostName, checkPort, checkProxy } from './networkSteps.ts';
import { checkAdministrator, checkToken, checkViewpoints } from './platformSteps.ts';
import { type Diagnosis, type StepId, type StepReport, type StepResult, stepIds } from './diagnosis.ts';
import { checkTls } from './tlsStep.ts';

interface Step {
  /** The step that this one depends on; if that step failed, this one is skipped. */
  readonly dependsOn: StepId | undefined;
  readonly check: (context: DiagnosisContext) => Promise<StepResult>;
}

const steps: Readonly<Record<StepId, Step>> = {
  address: { dependsOn: undefined, check: checkAddress },
  dns: { dependsOn: 'address', check: checkHostName },
  tcp: { dependsOn: 'dns', check: checkPort },
  proxy: { dependsOn: 'tcp', check: checkProxy },
  tls: { dependsOn: 'proxy', check: checkTls },
  http: { dependsOn: 'tls', check: checkHttp },
  isauth: { dependsOn: 'http', check: checkToken },
  administrator: { dependsOn: 'isauth', check: checkAdministrator },
  viewpoints: { dependsOn: 'http', check: checkViewpoints },
};

export interface DiagnoseOptions {
  readonly signal: AbortSignal;
  /** Called before each step that is run: not for a step that is skipped because another one failed. */
  readonly onStep?: (step: StepId) => void;
}

/**
 * Tests a connection step by step, from its address to the viewpoint service. Changes nothing on the server. The
 * token is sent only by the steps after `tls`, and only to a server that passed that step.
 * @throws the signal's reason if the user canceled; any other failure is part of the diagnosis
 */
export async function diagnoseConnection(
  deps: DoctorDeps,
  connection: Connection,
  { signal, onStep }: DiagnoseOptions,
): Promise<Diagnosis> {
  const context = new DiagnosisContext(deps, connection, signal);
  const reports = new Map<StepId, StepReport>();
  try {
    for (const step of stepIds) {
      const report = await runStep(step, context, reports, onStep);
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
    context.dispose();
  }
  const stepReports = [...reports.values()];
  return { connection, steps: stepReports, verdict: getVerdict(stepReports), time: deps.clock.now() };
}

async function runStep(
  step: StepId,
  context: DiagnosisContext,
  reports: ReadonlyMap<StepId, StepReport>,
  onStep: ((step: StepId) => void) | undefined,
): Promise<StepReport> {
  const { dependsOn, check } = steps[step];
  const dependency = dependsOn === undefined ? undefined : reports.get(dependsOn);
  const failedDependency = dependency?.outcome === 'failed' ? dependency.step : dependency?.failedDependency;
  if (failedDependency !== undefined) {
    return { step, outcome: 'skipped', finding: 'not-reached', facts: {}, ms: 0, failedDependency };
  }
  context.signal.throwIfAborted();
  onStep?.(step);
  const startMs = context.deps.clock.now();
  const result = await checkSafely(context, check);
  return { ...result, step, facts: result.facts ?? {}, ms: context.deps.clock.now() - startMs };
}

/** The result of a step; an unexpected error makes it a failed step and does not end the diagnosis. */
async function checkSafely(
  context: DiagnosisContext,
  check: (context: DiagnosisContext) => Promise<StepResult>,
): Promise<StepResult> {
  try {
    return await check(context);
  } catch (error) {
    context.signal.throwIfAborted();
    return error instanceof StepTimeout
      ? { outcome: 'failed', finding: 'timed-out' }
      : { outcome: 'failed', finding: 'failed-otherwise', facts: { reason: getFailureCode(error) } };
  }
}

function getVerdict(reports: readonly StepReport[]): Diagnosis['verdict'] {
  const outcomes = new Set(reports.map(({ outcome }) => outcome));
  return outcomes.has('failed') ? 'failed' : outcomes.has('warning') ? 'warning' : 'ok';
}
