import * as vscode from 'vscode';
import { promptForText } from '../../platform/wizard.ts';
import { type WizardStep, runWizard } from '../../platform/wizardSteps.ts';
import { mask } from '../../base/secrets/mask.ts';
import { getSecretLabel, unmask } from '../../base/secrets/maskPaths.ts';
import type { Operation, ValuePath } from '../../changes/model/operation.ts';
import type { SecretsNeededError } from '../../changes/run/writeErrors.ts';

const t = vscode.l10n.t;

/**
 * Asks for the secrets that an operation needs but does not contain, each in a password box
 * (decisions.md, "Documents"). They are sent with the request and stored nowhere. Returns `undefined` if the user
 * canceled.
 */
export async function promptForOperationSecrets(
  operation: Operation,
  { writeIndex, paths }: SecretsNeededError,
): Promise<Operation | undefined> {
  const steps = paths.map(
    (path): WizardStep<readonly string[]> =>
      async (values, position) => {
        const name = getSecretLabel(path);
        const answer = await promptForText(
          {
            title: t('Secrets of {0}', operation.subject.name),
            prompt: t('{0} is sent to the server and never stored.', name),
            password: true,
          },
          position,
        );
        return typeof answer === 'object' ? { value: [...values, answer.value] } : answer;
      },
  );
  const values = await runWizard<readonly string[]>(steps, []);
  return (
    values && { ...operation, writes: operation.writes.map(createSecretFiller(writeIndex, paths, values)) }
  );
}

/** Creates a function that replaces the masked secrets in the body of one write with their values. */
const createSecretFiller =
  (targetIndex: number, paths: readonly ValuePath[], values: readonly string[]) =>
  (write: Operation['writes'][number], writeIndex: number): Operation['writes'][number] => {
    if (writeIndex !== targetIndex || write.body === undefined) {
      return write;
    }
    const valuesByPath = new Map(
      paths.map((path, pathIndex) => [JSON.stringify(path), values[pathIndex] ?? '']),
    );
    return { ...write, body: unmask(write.body, (path) => valuesByPath.get(JSON.stringify(path)) ?? mask) };
  };
