import * as vscode from 'vscode';
import { createViewpointCreationOperation } from '../../changes/operations/viewpointActions.ts';
import type { TreeTarget } from '../../contributions.ts';
import { createTextStep } from '../../platform/wizard.ts';
import { runWizard } from '../../platform/wizardSteps.ts';
import { createDatasource } from '../../viewpoints/form/createDatasource.ts';
import { pickDatamodelOfNode } from './pickResource.ts';
import { createAndReveal } from './createResource.ts';
import type { ResourcesDeps } from './deps.ts';
import { createNameValidator } from './names.ts';

const t = vscode.l10n.t;

/** Asks for the datamodel, a name and a description, and creates an empty viewpoint that no one else sees yet. */
export async function addViewpoint(deps: ResourcesDeps, node?: TreeTarget): Promise<void> {
  const selection = await pickDatamodelOfNode(deps, t('New Viewpoint'), node);
  if (selection === undefined) {
    return;
  }
  const { location, datamodel } = selection;
  const { catalog } = await deps.sessions.get(location.connectionId);
  const names = catalog.knownResources.viewpoints.flatMap(({ name }) => name ?? []);
  const title = t('New Viewpoint for {0}', datamodel.title);
  const form = await runWizard<{ name: string; description: string }>(
    [
      createTextStep('name', () => ({
        title,
        prompt: t('Name of the viewpoint'),
        validate: createNameValidator(names),
      })),
      createTextStep('description', () => ({ title, prompt: t('Description (optional)') })),
    ],
    { name: '', description: '' },
  );
  if (form === undefined) {
    return;
  }
  const datasource = { id: datamodel.oid, ...createDatasource(datamodel) };
  const operation = createViewpointCreationOperation({ ...location, within: [] }, { ...form, datasource });
  await createAndReveal(deps, operation, (viewpointId) => ({ kind: 'viewpoint', viewpointId }));
}
