import type { JsonPath } from '../../base/json.ts';
import * as vscode from 'vscode';
import { getDisplayName } from '../../documents/documentAddress.ts';
import type { SecretAnswer } from '../../documents/kinds/documentKind.ts';

import { promptForText } from '../../platform/wizard.ts';
import { type WizardStep, runWizard } from '../../platform/wizardSteps.ts';
import { formatJsonPath } from './refusalMessages.ts';

const t = vscode.l10n.t;

type SecretAnswers = ReadonlyMap<string, SecretAnswer>;

/**
 * Asks for the secrets that a save needs, each in a password box. They are sent to the server but never stored
 * (decisions.md, "Documents"). An empty answer keeps the server's value. Returns `undefined` if the user canceled.
 */
export async function promptForDocumentSecrets(
  path: string,
  paths: readonly JsonPath[],
): Promise<SecretAnswers | undefined> {
  const steps = paths.map(
    (secretPath): WizardStep<SecretAnswers> =>
      async (answers, position) => {
        const isEncrypted = secretPath.length === 2 && secretPath[1] === 'parameters';
        const answer = await promptForText(
          {
            title: t('Secrets of {0}', getDisplayName(path)),
            prompt: isEncrypted
              ? t('The parameters are encrypted as a whole. Leave empty to send them back unchanged.')
              : t(
                  '{0} is sent to the server and never stored. Leave empty to keep the current value.',
                  formatJsonPath(secretPath),
                ),
            password: true,
          },
          position,
        );
        return typeof answer === 'object'
          ? { value: new Map([...answers, [JSON.stringify(secretPath), toSecretAnswer(answer.value)]]) }
          : answer;
      },
  );
  return runWizard<SecretAnswers>(steps, new Map());
}

const toSecretAnswer = (text: string): SecretAnswer => (text === '' ? 'server-value' : { typedValue: text });
