import * as vscode from 'vscode';
import type { Connection, WebLinks } from '../../connections/connection.ts';
import { type WebLinkKind, getWebLinkProblem } from '../../connections/webLinks.ts';
import { showInformation } from '../../platform/messages.ts';
import { createTextStep } from '../../platform/wizard.ts';
import { type WizardStep, runWizard } from '../../platform/wizardSteps.ts';
import { describeAddressProblem, noConnectionMessages } from './connectionLabels.ts';
import type { ConnectionsDeps } from './deps.ts';

const t = vscode.l10n.t;

/** Asks for the addresses that datamodels and viewpoints of an instance have in its web interface. */
export async function editWebLinks(
  { connections }: Pick<ConnectionsDeps, 'connections'>,
  connection: Connection,
): Promise<void> {
  if (connection.kind === 'sandbox') {
    await showInformation(noConnectionMessages.editWebLinks());
    return;
  }
  const title = t('Web Links of {0}', connection.name);
  const { datamodel = '', viewpoint = '' } = connection.webLinks ?? {};
  const placeholders = '{url}, {id}, {title}';
  const input = await runWizard<Record<WebLinkKind, string>>(
    [
      createPatternStep(
        'datamodel',
        title,
        t('Address of a datamodel, with {0}. Leave empty for none.', placeholders),
      ),
      createPatternStep(
        'viewpoint',
        title,
        t('Address of a viewpoint, with {0}. Leave empty for none.', placeholders),
      ),
    ],
    { datamodel, viewpoint },
  );
  // The connection may have been changed or removed in another window while the questions were open.
  const current = connections.find(connection.id);
  if (input !== undefined && current?.kind === 'remote') {
    const { webLinks: _previous, ...unchanged } = current;
    const webLinks: WebLinks = {
      ...(input.datamodel === '' ? {} : { datamodel: input.datamodel }),
      ...(input.viewpoint === '' ? {} : { viewpoint: input.viewpoint }),
    };
    await connections.save(Object.keys(webLinks).length === 0 ? unchanged : { ...unchanged, webLinks });
  }
}

const createPatternStep = (
  kind: WebLinkKind,
  title: string,
  prompt: string,
): WizardStep<Record<WebLinkKind, string>> =>
  createTextStep(kind, () => ({
    title,
    prompt,
    placeholder: `{url}/${kind}s/{id}`,
    validate: (value) => {
      const problem = getWebLinkProblem(value.trim() || undefined);
      return problem === undefined ? undefined : describeAddressProblem(problem);
    },
  }));
