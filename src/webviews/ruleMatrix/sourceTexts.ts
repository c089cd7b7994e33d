import { t } from '../shared/t.ts';
import type { MatrixData } from './matrixModel.ts';

/** The texts that depend on the source of the rules: the server, or the files of a project. */
export interface RuleSourceTexts {
  readonly revertedMessage: string;
  /** The message after all changes were applied. */
  readonly appliedMessage: string;
  /** The message if other rules have changed, so that nothing was applied. */
  readonly otherRulesChangedMessage: string;
  readonly useOtherVersionLabel: string;
  getApplyLabel(count: number): string;
  describeFailure(reason: string): string;
  describeConflicts(count: number): string;
  describeSourceValue(value: string): string;
  describeConflictingValue(value: string): string;
}

export const getRuleSourceTexts = ({ source }: MatrixData): RuleSourceTexts =>
  source === 'files' ? createFileTexts() : createServerTexts();

const createServerTexts = (): RuleSourceTexts => ({
  revertedMessage: t('Reverted to the rules on the server. Select Undo to restore your changes.'),
  appliedMessage: t('The rules on the server match the grid.'),
  otherRulesChangedMessage: t(
    'Other rules on the server have changed in the meantime. Nothing was sent. Apply your changes again.',
  ),
  useOtherVersionLabel: t("Use the Server's Version"),
  getApplyLabel: (count) =>
    count === 0 ? t('Apply Changes') : count === 1 ? t('Apply 1 Change…') : t('Apply {0} Changes…', count),
  describeFailure: (reason) =>
    t(
      "Some changes weren't applied. {0} The cells that weren't applied are still marked as changed.",
      reason,
    ),
  describeConflicts: (count) =>
    count === 1
      ? t("A cell that you changed was also changed on the server in the meantime. Your change wasn't sent.")
      : t(
          "{0} cells that you changed were also changed on the server in the meantime. Your changes to them weren't sent.",
          count,
        ),
  describeSourceValue: (value) => t('On the server: {0}', value),
  describeConflictingValue: (value) => t('Current value on the server: {0}', value),
});

/** Files are changed without a review, so the label of the button has no ellipsis. */
const createFileTexts = (): RuleSourceTexts => ({
  revertedMessage: t('Reverted to the rules in the files. Select Undo to restore your changes.'),
  appliedMessage: t(
    'The rules in the files match the grid. To undo the change, use Undo in the editor of a changed file.',
  ),
  otherRulesChangedMessage: t(
    'Other rules in the files have changed in the meantime. Nothing was written. Apply your changes again.',
  ),
  useOtherVersionLabel: t('Use the Version in the Files'),
  getApplyLabel: (count) =>
    count === 0
      ? t('Apply to Files')
      : count === 1
        ? t('Apply 1 Change to Files')
        : t('Apply {0} Changes to Files', count),
  describeFailure: (reason) => t("The changes weren't applied. {0}", reason),
  describeConflicts: (count) =>
    count === 1
      ? t(
          "A cell that you changed was also changed in the files in the meantime. Your change wasn't written.",
        )
      : t(
          "{0} cells that you changed were also changed in the files in the meantime. Your changes to them weren't written.",
          count,
        ),
  describeSourceValue: (value) => t('In the files: {0}', value),
  describeConflictingValue: (value) => t('Current value in the files: {0}', value),
});
