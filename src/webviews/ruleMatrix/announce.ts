import type { BlockChange } from '../../security/matrix/blocks.ts';
import type { CellProblem } from '../../security/matrix/cellText.ts';
import type { FixedReason } from '../../security/matrix/ruleMatrix.ts';
import { t } from '../shared/t.ts';
import { describeCellProblem } from './describeCell.ts';
import type { MatrixModel } from './matrixModel.ts';

/** Reports the result of actions: as text below the grid, which screen readers announce. */
export const announcements = {
  changed(model: MatrixModel, { changes, refused, beyond, unknown }: BlockChange): void {
    const parts = [formatChangeCount(changes.length)];
    const [first] = refused;
    if (first !== undefined) {
      const place = t(
        '{0} on {1}',
        model.names.value.getName(first.party),
        `${first.column.table}.${first.column.column}`,
      );
      parts.push(
        refused.length === 1
          ? t('{0} was left as it is. {1}', place, describeCellProblem(first.reason))
          : t(
              '{0} cells were left as they are, the first {1}. {2}',
              refused.length,
              place,
              describeCellProblem(first.reason),
            ),
      );
    }
    if (beyond > 0) {
      parts.push(
        beyond === 1
          ? t('One value lay beyond the last row or column and was left out.')
          : t('{0} values lay beyond the last row or column and were left out.', beyond),
      );
    }
    if (unknown.length > 0) {
      const names = unknown.slice(0, 5).join(', ');
      parts.push(t('{0} headings are no row or column here and were left out: {1}', unknown.length, names));
    }
    model.announcement.value = parts.join(' ');
  },

  undone(model: MatrixModel): void {
    const count = model.changed.value.size;
    if (count === 0) {
      model.announcement.value = t('No unsaved changes.');
    } else {
      model.announcement.value = count === 1 ? t('One unsaved change.') : t('{0} unsaved changes.', count);
    }
  },

  copied(model: MatrixModel, count: number): void {
    model.announcement.value = count === 1 ? t('One cell copied.') : t('{0} cells copied.', count);
  },

  notCopied(model: MatrixModel, error: unknown): void {
    model.announcement.value = t('The clipboard did not take it: {0}', String(error));
  },

  fixed(model: MatrixModel, reason: CellProblem | FixedReason): void {
    model.announcement.value = describeCellProblem(reason);
  },
};

function formatChangeCount(count: number): string {
  if (count === 0) {
    return t('Nothing was changed.');
  }
  return count === 1 ? t('One cell changed.') : t('{0} cells changed.', count);
}
