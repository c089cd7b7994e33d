import type { RequiredBuild } from '../../changes/model/operation.ts';
import { getDatamodelType } from '../../contract/datamodel.ts';
import { reportFailure, runCommand } from '../../platform/commands.ts';
import type { PlanFeatureDeps } from './deps.ts';

/**
 * Starts a build that a plan has listed as a next step, as *Build* in the Connections view does. Finds the datamodel by
 * its title, since the plan may have created it; if it no longer exists, lets the user select one.
 */
export async function startNextBuild(
  { sessions, log }: Pick<PlanFeatureDeps, 'sessions' | 'log'>,
  connectionId: string,
  { title }: Pick<RequiredBuild, 'title'>,
): Promise<void> {
  try {
    const { catalog } = await sessions.get(connectionId);
    const model = (await catalog.partial.datamodels()).value.find((datamodel) => datamodel.title === title);
    await runCommand(
      'datamodelStudio.builds.start',
      model && { connectionId, datamodelId: model.oid, title, type: getDatamodelType(model) },
    );
  } catch (error) {
    await reportFailure(error, log);
  }
}
