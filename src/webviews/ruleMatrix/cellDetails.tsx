import type { JSX } from 'preact';
import { serializeColumn } from '../../security/matrix/serializedDraft.ts';
import { keepLocalEdits, getCellEditKey, withoutEdits } from '../../security/matrix/matrixDraft.ts';
import { emptyCell } from '../../security/matrix/ruleMatrix.ts';
import { formatMatrixCell } from '../../security/matrix/cellText.ts';
import type { OtherSpelling } from '../../security/values/knownValues.ts';
import { formatOtherSpelling } from '../../security/values/spellingText.ts';
import { Button, Icon } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import { describeRefusal, describeCellLong } from './describeCell.ts';
import { fillBlock } from '../../security/matrix/blocks.ts';
import {
  applyBlockChange,
  getActiveCell,
  fillSelection,
  fillSelectionDown,
  startEditing,
} from './gridKeyboard.ts';
import type { MatrixModel } from './matrixModel.ts';
import { getRuleSourceTexts } from './sourceTexts.ts';

/** The content of the active cell, and the actions for all selected cells. */
export function CellDetails({ model }: { readonly model: MatrixModel }): JSX.Element | null {
  const cell = getActiveCell(model);
  if (cell === undefined) {
    return null;
  }
  const { top, left, bottom, right } = model.selectedBlock.value;
  const count = (bottom - top + 1) * (right - left + 1);
  const key = getCellEditKey(cell);
  const isConflicting = model.conflictingCellKeys.value.has(key);
  const savedCell = model.savedMatrix.value.cells.get(key) ?? emptyCell;
  const isBusy = model.isBusy.value;
  const isLocked = isBusy || model.readOnlyReason.value !== undefined;
  const texts = getRuleSourceTexts(model.data.value);
  const { table, column } = cell.column;
  return (
    <section class="details" aria-label={t('Selected cells')}>
      <div class="details-actions">
        <span class="muted">{count === 1 ? t('1 cell') : t('{0} cells', count)}</span>
        <Button label={t('All')} disabled={isLocked} onClick={() => fillSelection(model, 'All')} />
        <Button label={t('Nothing')} disabled={isLocked} onClick={() => fillSelection(model, 'Nothing')} />
        <Button label={t('No Rule')} disabled={isLocked} onClick={() => fillSelection(model, '')} />
        <Button
          label={t('Values…')}
          disabled={isLocked}
          onClick={() => startEditing(model, { fillsSelection: true })}
        />
        <Button
          label={t('Fill Down')}
          disabled={isLocked || bottom === 0}
          onClick={() => fillSelectionDown(model)}
        />
        <button
          type="button"
          class="link"
          onClick={() => model.post({ type: 'openRules', column: serializeColumn(cell.column) })}
          disabled={
            !model.savedMatrix.value.columns.some((savedColumn) => savedColumn.key === cell.column.key)
          }
        >
          {/* Without a draft, the grid shows the rules of a document. */}
          {model.keepsDraft ? t('Open Rules of {0}', `${table}.${column}`) : t('Open Rule as JSON')}
        </button>
      </div>
      <p class="details-text">
        {t(
          '{0} on {1}: {2}',
          model.partyDirectory.value.getTitle(cell.party),
          `${table}.${column}`,
          describeCellLong(cell.value),
        )}
        {cell.readOnlyReason === undefined ? '' : ` ${describeRefusal(cell.readOnlyReason)}`}
      </p>
      {model.findOtherSpellings(cell, cell.value).map((spelling) => (
        <p class="details-text" key={spelling.value}>
          <Icon name="warning" className="warning" /> {formatOtherSpelling(spelling, t)}{' '}
          <button
            type="button"
            class="link"
            disabled={isLocked || cell.readOnlyReason !== undefined}
            onClick={() => replaceSpelling(model, spelling)}
          >
            {t('Use "{0}"', spelling.otherSpelling)}
          </button>
        </p>
      ))}
      {model.changedCellKeys.value.has(key) ? (
        <p class="details-text muted">
          {isConflicting
            ? texts.describeConflictingValue(describeCellLong(savedCell.value))
            : texts.describeSourceValue(describeCellLong(savedCell.value))}{' '}
          {isConflicting ? (
            <button
              type="button"
              class="link"
              disabled={isBusy}
              onClick={() => model.replaceDraft(keepLocalEdits(model.draft, model.savedMatrix.value, [key]))}
            >
              {t('Keep Yours')}
            </button>
          ) : null}{' '}
          <button
            type="button"
            class="link"
            disabled={isBusy}
            onClick={() => model.replaceDraft(withoutEdits(model.draft, [key]))}
          >
            {isConflicting ? texts.useOtherVersionLabel : t('Revert This Cell')}
          </button>
        </p>
      ) : null}
    </section>
  );
}

/** Replaces a value of the active cell with the spelling that other rules use. */
function replaceSpelling(model: MatrixModel, { value, otherSpelling }: OtherSpelling): void {
  const cell = getActiveCell(model);
  if (cell === undefined) {
    return;
  }
  const grants = cell.value.map((grant) =>
    grant === 'unclear'
      ? grant
      : {
          ...grant,
          values: new Set([...grant.values].map((each) => (each === value ? otherSpelling : each))),
        },
  );
  const { row, column } = model.selection.value.active;
  const block = { top: row, left: column, bottom: row, right: column };
  applyBlockChange(model, fillBlock(model.visibleMatrix.value, block, formatMatrixCell(grants)));
}
