import { BuildTree } from './buildTree.ts';
import type { BuildsDeps } from './deps.ts';
import { TypicalDurations } from './typicalDurations.ts';

/** The tree of builds; builds are followed from here on. */
export async function openBuildTree(deps: BuildsDeps, isShown: () => boolean): Promise<BuildTree> {
  const { history } = await deps.builds.load();
  return new BuildTree(deps, new TypicalDurations(history, deps.log), isShown);
}
