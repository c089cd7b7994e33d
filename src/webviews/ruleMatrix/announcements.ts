import type { BlockChange } from '../../security/matrix/blocks.ts';
import type { CellProblem } from '../../security/matrix/cellText.ts';
import type { ReadOnlyReason } from '../../security/matrix/ruleMatrix.ts';
import { t } from '../shared/t.ts';
import { describeRefusal } from './describeCell.ts';
import type { MatrixModel } from './matrixModel.ts';

/** Reports the result of actions: as text below the grid, which screen readers announce. */
export const announcements = {
  reportChange(model: MatrixModel, change: BlockChange): void {
    const { changes, refusedCells, cutOffCount, unknownHeadings } = change;
    if (change.isPartyColumnMissing === true) {
      model.announcement.value = t(
        'Nothing was pasted. The first column of a table with headers must contain the users and groups.',
      );
      return;
    }
    const sentences = [formatChangeCount(changes.length)];
    const [first] = refusedCells;
    if (first !== undefined) {
      const cellLabel = t(
        '{0} on {1}',
        model.partyDirectory.value.getName(first.party),
        `${first.column.table}.${first.column.column}`,
      );
      sentences.push(
        refusedCells.length === 1
          ? t("{0} wasn't changed. {1}", cellLabel, describeRefusal(first.reason))
          : t(
              "{0} cells weren't changed. The first is {1}. {2}",
              refusedCells.length,
              cellLabel,
              describeRefusal(first.reason),
            ),
      );
    }
    if (cutOffCount > 0) {
      sentences.push(
        cutOffCount === 1
          ? t('1 value was beyond the last row or column and was skipped.')
          : t('{0} values were beyond the last row or column and were skipped.', cutOffCount),
      );
    }
    if (unknownHeadings.length > 0) {
      const names = unknownHeadings.slice(0, 5).join(', ');
      const list = unknownHeadings.length > 5 ? `${names}, …` : names;
      sentences.push(
        unknownHeadings.length === 1
          ? t('1 header matches no row or column and was skipped: {0}', list)
          : t('{0} headers match no row or column and were skipped: {1}', unknownHeadings.length, list),
      );
    }
    model.announcement.value = sentences.join(' ');
  },

  reportUnappliedChanges(model: MatrixModel): void {
    const count = model.changedCellKeys.value.size;
    if (count === 0) {
      model.announcement.value = t('No unapplied changes.');
    } else {
      model.announcement.value = count === 1 ? t('1 unapplied change.') : t('{0} unapplied changes.', count);
    }
  },

  reportNothingApplied(model: MatrixModel): void {
    model.announcement.value =
      model.conflictingCellKeys.value.size > 0
        ? t('Resolve the conflicts before you apply the changes.')
        : t('No changes to apply.');
  },

  reportCopy(model: MatrixModel, count: number): void {
    model.announcement.value = count === 1 ? t('1 cell copied.') : t('{0} cells copied.', count);
  },

  reportCopyFailure(model: MatrixModel, error: unknown): void {
    model.announcement.value = t("Can't copy to the clipboard: {0}", String(error));
  },

  reportReadOnlyCell(model: MatrixModel, reason: CellProblem | ReadOnlyReason): void {
    model.announcement.value = describeRefusal(reason);
  },
};

function formatChangeCount(count: number): string {
  if (count === 0) {
    return t('No cells changed.');
  }
  return count === 1 ? t('1 cell changed.') : t('{0} cells changed.', count);
}
