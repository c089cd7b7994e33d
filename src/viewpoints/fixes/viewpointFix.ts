import type { TextEdit } from '../../base/textEdit.ts';

/** The English titles of fixes, with `{0}` for their arguments. The UI translates them. */
export const viewpointFixMessages = {
  'set-dim': 'Write the dim as {0}',
  'names-from-dim': 'Take table and column from the dim: {0}, {1}',
  'use-table': 'Use the table "{0}"',
  'use-column': 'Use the column "{0}"',
  'move-flag': 'Move "{0}" to this column',
  'remove-flag': 'Remove "{0}" from this column',
  'add-filter': 'Add a filter for all values',
  'keep-all': 'Keep "all" and remove the conditions',
  'remove-level': 'Remove the level',
  'make-date': 'Make it a column of dates',
  'remove-key': 'Remove "{0}"',
  'remove-earlier': 'Remove the "{0}" that does not count',
  'rename-key': 'Rename it to "{0}"',
  'use-word': 'Use "{0}"',
  'use-value': 'Write {0}',
  'make-list': 'Make it a list',
  'add-key': 'Add "{0}"',
  'not-shared': 'Share it with nobody',
  'remove-comma': 'Remove the comma',
} as const;
export type ViewpointFixReason = keyof typeof viewpointFixMessages;

/** A fix for a problem. */
export interface ViewpointFix {
  readonly reason: ViewpointFixReason;
  readonly args: readonly string[];
  /** True if it is the only obvious fix. */
  readonly isPreferred: boolean;
  readonly edits: readonly TextEdit[];
}
