import { createAccessOutput } from '../../../src/cli/planAccess.ts';
import { loadPlanEffects } from '../../../src/cli/projectPlan.ts';
import { parseProject } from '../../../src/project/files/parseProject.ts';
import { createOperation } from '../changes/run/support.ts';
import type { TestInstance } from '../project/apply/roundTripSupport.ts';
import type { PulledProject } from '../project/pull/pullSupport.ts';

/** Returns what a plan says about access when the project is applied to the instance. */
export async function planAccessOn(
  instance: TestInstance,
  project: PulledProject,
  options: Parameters<TestInstance['prepare']>[1] = {},
) {
  const prepared = await instance.prepare(project, options);
  const { history, writer } = instance.fixture.open();
  const effects = await loadPlanEffects(
    {
      operation: createOperation(prepared.compiled.writes, 'apply', 'Project'),
      reading: await instance.read(),
    },
    { history, writer },
    new AbortController().signal,
  );
  return createAccessOutput(
    { project: parseProject({ texts: project.texts, faults: [] }), prepared },
    effects,
  );
}
