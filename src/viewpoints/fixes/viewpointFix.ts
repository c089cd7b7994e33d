import { translatable } from '../../base/localize.ts';
import type { TextEdit } from '../../base/textEdit.ts';

/** The English titles of fixes, with `{0}` for their arguments. The UI translates them. */
export const viewpointFixMessages = translatable({
  'set-dim': 'Change "dim" to {0}',
  'names-from-dim': 'Use the table and column from "dim": {0}, {1}',
  'use-table': 'Change to "{0}"',
  'use-column': 'Change to "{0}"',
  'move-flag': 'Move "{0}" to this column',
  'remove-flag': 'Remove "{0}" from this column',
  'add-filter': 'Add a filter for all values',
  'keep-all': 'Keep "all" and remove the conditions',
  'remove-level': 'Remove the level',
  'make-date': 'Change to a date column',
  'remove-key': 'Remove "{0}"',
  'remove-earlier': 'Remove the unused "{0}"',
  'rename-key': 'Rename to "{0}"',
  'use-word': 'Use "{0}"',
  'use-value': 'Change to {0}',
  'make-list': 'Convert to an array',
  'add-key': 'Add "{0}"',
  'not-shared': 'Remove all sharing',
  publish: 'Publish the viewpoint: set both to true',
  unpublish: 'Unpublish the viewpoint: set both to false',
  'remove-comma': 'Remove the trailing comma',
});
export type ViewpointFixCode = keyof typeof viewpointFixMessages;

/** A fix for a problem. */
export interface ViewpointFix {
  readonly code: ViewpointFixCode;
  readonly args: readonly string[];
  /** True if it is the only obvious fix, and doesn't change who sees the viewpoint. */
  readonly isPreferred: boolean;
  readonly edits: readonly TextEdit[];
}
