import type { JSX } from 'preact';
import { keepLocalEdits, withoutEdits } from '../../security/matrix/matrixDraft.ts';
import { Icon } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import type { MatrixModel } from './matrixModel.ts';
import { getRuleSourceTexts } from './sourceTexts.ts';

/**
 * A notice about cells that were changed both here and on the server, or in the files. Its buttons keep one of the
 * versions.
 */
export function ConflictNotice({ model }: { readonly model: MatrixModel }): JSX.Element | null {
  const keys = [...model.conflictingCellKeys.value];
  const isBusy = model.isBusy.value;
  const texts = getRuleSourceTexts(model.data.value);
  const first = model.draft.edits.get(keys[0] ?? '');
  if (first === undefined) {
    return null;
  }
  return (
    <div class="notice warning" role="alert">
      <Icon name="warning" className="warning" />
      <span class="notice-text">{texts.describeConflicts(keys.length)}</span>
      <button type="button" class="link" onClick={() => model.reveal(first.party.key, first.column.key)}>
        {t('Show')}
      </button>
      <button
        type="button"
        class="link"
        disabled={isBusy}
        onClick={() => model.replaceDraft(keepLocalEdits(model.draft, model.savedMatrix.value, keys))}
      >
        {t('Keep Yours')}
      </button>
      <button
        type="button"
        class="link"
        disabled={isBusy}
        onClick={() => model.replaceDraft(withoutEdits(model.draft, keys))}
      >
        {texts.useOtherVersionLabel}
      </button>
    </div>
  );
}
