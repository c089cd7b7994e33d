import type { Log } from '../../base/log.ts';
import type { InstancePickerDeps } from '../../platform/pickFromInstances.ts';
import type { TreeSelection } from '../../platform/treeSelection.ts';

/** The dependencies of comparisons between connections and datamodels. */
export interface CompareDeps extends InstancePickerDeps {
  /** The selected nodes, for the Command Palette, which passes no node. */
  readonly selection: TreeSelection;
  readonly log: Log;
}
