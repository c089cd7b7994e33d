import * as vscode from 'vscode';
import { shownName } from '../../documents/documentAddress.ts';
import type { SecretAnswer } from '../../documents/kinds/documentKind.ts';
import type { JsonPath } from '../../documents/merge.ts';
import { askText } from '../../platform/wizard.ts';
import { type WizardStep, runWizard } from '../../platform/wizardSteps.ts';
import { shownPath } from './refusalWords.ts';

const t = vscode.l10n.t;

type Answers = ReadonlyMap<string, SecretAnswer>;

/**
 * Asks for the secrets that a save needs, each in a password box: they go into the request and are kept nowhere
 * (design.md, section 8). An empty box sends back what the server answered. `undefined` when the person gave up.
 */
export async function askSecrets(path: string, paths: readonly JsonPath[]): Promise<Answers | undefined> {
  const steps = paths.map(
    (at): WizardStep<Answers> =>
      async (answers, position) => {
        const isEncrypted = at.length === 2 && at[1] === 'parameters';
        const answer = await askText(
          {
            title: t('Secrets of {0}', shownName(path)),
            prompt: isEncrypted
              ? t('The parameters are one encrypted text. Leave this empty to send it back as it came.')
              : t(
                  '{0} is sent to the server and kept nowhere. Leave this empty to send what is there.',
                  shownPath(at),
                ),
            password: true,
          },
          position,
        );
        return typeof answer === 'object'
          ? { value: new Map([...answers, [JSON.stringify(at), secretOf(answer.value)]]) }
          : answer;
      },
  );
  return runWizard<Answers>(steps, new Map());
}

const secretOf = (typed: string): SecretAnswer => (typed === '' ? 'as-it-came' : { typed });
