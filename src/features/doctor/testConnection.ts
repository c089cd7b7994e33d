import * as vscode from 'vscode';
import type { Clock } from '../../base/clock.ts';
import { DisposableStore } from '../../base/disposable.ts';
import { Emitter, type Event } from '../../base/event.ts';
import type { Connection } from '../../connections/connection.ts';
import type { Diagnosis, StepId } from '../../connections/doctor/diagnosis.ts';
import type { ConnectionTarget } from '../../contributions.ts';
import { resolveTargetConnection } from '../../platform/pickConnection.ts';
import { getStepLabel } from '../../connections/doctor/messages/doctorStepLabels.ts';
import type { DoctorFeatureDeps } from './deps.ts';
import { showDiagnosis } from './showDiagnosis.ts';
import { toPlainText } from '../../platform/serverText.ts';

/** Tests a connection and shows the diagnosis; repeats this as long as the user asks for another test. */
export async function testConnection(
  deps: DoctorFeatureDeps,
  target: ConnectionTarget | undefined,
): Promise<void> {
  let connection = await resolveTargetConnection(deps, target, {
    title: vscode.l10n.t('Connection Test'),
    placeholder: vscode.l10n.t('Select the connection to test'),
  });
  while (connection !== undefined) {
    const diagnosis = await runDiagnosis(deps, connection);
    const choice = await showDiagnosis(diagnosis, deps.version);
    // The connection may have been edited or removed in the meantime.
    connection = choice === 'again' ? deps.connections.find(connection.id) : undefined;
  }
}

/** Progress is shown only if a test takes longer than this. */
const progressDelayMs = 700;

/** Runs the test. If it takes longer than {@link progressDelayMs}, its steps are shown and the user can cancel it. */
async function runDiagnosis(
  { doctor, clock }: DoctorFeatureDeps,
  connection: Connection,
): Promise<Diagnosis> {
  const abortController = new AbortController();
  const stepEmitter = new Emitter<StepId>();
  let hasEnded = false;
  let currentStep: StepId = 'address';
  const onStep = (step: StepId): void => {
    currentStep = step;
    stepEmitter.fire(step);
  };
  const diagnosisPromise = doctor
    .diagnose(connection, { signal: abortController.signal, onStep })
    .finally(() => {
      hasEnded = true;
    });
  await waitOrTimeout(diagnosisPromise, clock);
  return hasEnded
    ? diagnosisPromise
    : showProgress(connection, diagnosisPromise, {
        currentStep,
        onDidReachStep: stepEmitter.event,
        abortController,
      });
}

/** Waits until the test has ended, successfully or not, or {@link progressDelayMs} has passed. */
async function waitOrTimeout(diagnosisPromise: Promise<unknown>, clock: Clock): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = clock.schedule(progressDelayMs, resolve);
  diagnosisPromise.then(
    () => resolve(),
    () => resolve(),
  );
  await promise;
  timer.dispose();
}

function showProgress(
  connection: Connection,
  diagnosisPromise: Promise<Diagnosis>,
  state: {
    readonly currentStep: StepId;
    readonly onDidReachStep: Event<StepId>;
    readonly abortController: AbortController;
  },
): Thenable<Diagnosis> {
  const title = toPlainText(vscode.l10n.t('Testing {0}', connection.name));
  const options = { location: vscode.ProgressLocation.Notification, title, cancellable: true };
  return vscode.window.withProgress(options, async (progress, token) => {
    const store = new DisposableStore();
    const reportStep = (step: StepId): void =>
      progress.report({ message: getStepLabel(vscode.l10n.t, step) });
    reportStep(state.currentStep);
    store.add(state.onDidReachStep(reportStep));
    store.add(
      token.onCancellationRequested(() => state.abortController.abort(new vscode.CancellationError())),
    );
    try {
      return await diagnosisPromise;
    } finally {
      store.dispose();
    }
  });
}
