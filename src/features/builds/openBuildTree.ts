import { BuildTree } from './buildTree.ts';
import type { BuildsDeps } from './deps.ts';
import { UsualDurations } from './usualDurations.ts';

/** The tree of builds; builds are followed from here on. */
export async function openBuildTree(deps: BuildsDeps, isShown: () => boolean): Promise<BuildTree> {
  const { history } = await deps.builds.load();
  return new BuildTree(deps, new UsualDurations(history, deps.log), isShown);
}
