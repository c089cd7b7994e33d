import { BuildTree } from './buildTree.ts';
import type { BuildsDeps } from './deps.ts';
import { TypicalDurations } from './typicalDurations.ts';

/** Starts monitoring builds and creates the tree of the Builds view. */
export async function openBuildTree(deps: BuildsDeps, isVisible: () => boolean): Promise<BuildTree> {
  const { history } = await deps.buildMonitor.loadBuildWatch();
  return new BuildTree(deps, new TypicalDurations(history, deps.log), isVisible);
}
