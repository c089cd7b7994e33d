import { BuildTree } from './buildTree.ts';
import type { BuildsDeps } from './deps.ts';
import { TypicalDurations } from './typicalDurations.ts';

/** Opens the tree of builds; from here on builds are followed. */
export async function openBuildTree(deps: BuildsDeps, isShown: () => boolean): Promise<BuildTree> {
  const { history } = await deps.builds.load();
  return new BuildTree(deps, new TypicalDurations(history, deps.log), isShown);
}
