import { createAccessOutput } from '../../../src/cli/planAccess.ts';
import { loadPlanEffects } from '../../../src/cli/projectPlan.ts';
import { parseProject } from '../../../src/project/files/parseProject.ts';
import {
  type ProjectSettings,
  type SelectionLimits,
  createSelection,
} from '../../../src/project/settings/projectSettings.ts';
import { createOperation } from '../changes/run/support.ts';
import type { TestInstance } from '../project/apply/roundTripSupport.ts';
import type { PulledProject } from '../project/pull/pullSupport.ts';

const managesModelsAndViewpoints: ProjectSettings = {
  version: 1,
  manage: { datamodels: ['*'], viewpoints: ['*'], cubeSets: [], customData: {} },
};

/**
 * Returns what a plan says about access when the project is applied to the instance.
 * @param limits the part of the project that is compared
 */
export async function computePlannedAccess(
  instance: TestInstance,
  project: PulledProject,
  options: Parameters<TestInstance['prepare']>[1] = {},
  limits: SelectionLimits = {},
) {
  const reading = await instance.read(createSelection(managesModelsAndViewpoints, limits));
  const prepared = await instance.prepare(project, { reading, ...options });
  const { history, writer } = instance.fixture.open();
  const parsed = parseProject({ texts: project.texts, faults: [] });
  const effects = await loadPlanEffects(
    {
      operation: createOperation(prepared.compiled.writes, 'apply', 'Project'),
      reading,
      project: parsed,
      prepared,
    },
    { history, writer },
    new AbortController().signal,
  );
  return createAccessOutput({ project: parsed, prepared, reading, limits }, effects);
}
