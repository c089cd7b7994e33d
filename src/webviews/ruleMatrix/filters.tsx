import type { JSX } from 'preact';
import { Button, Icon } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import type { MatrixModel } from './matrixModel.ts';
import { copyWithHeadings } from './useClipboard.ts';

/** The filters of the grid, and the number of rows and columns that are shown. */
export function Filters({ model }: { readonly model: MatrixModel }): JSX.Element {
  const filter = model.filter.value;
  const updateFilter = (changes: Partial<typeof filter>): void => {
    model.filter.value = { ...filter, ...changes };
    model.select(model.selection.value.active);
  };
  const { parties, columns } = model.visibleMatrix.value;
  return (
    <div class="filters">
      <label class="filter">
        <Icon name="filter" />
        <span class="sr-only">{t('Filter users and groups')}</span>
        <input
          type="search"
          placeholder={t('Filter users and groups')}
          value={filter.parties}
          onInput={({ currentTarget }) => updateFilter({ parties: currentTarget.value })}
        />
      </label>
      <label class="filter">
        <Icon name="filter" />
        <span class="sr-only">{t('Filter columns')}</span>
        <input
          type="search"
          placeholder={t('Filter columns')}
          value={filter.columns}
          onInput={({ currentTarget }) => updateFilter({ columns: currentTarget.value })}
        />
      </label>
      {model.keepsDraft ? (
        <label class="check">
          <input
            type="checkbox"
            checked={filter.onlyChanged}
            onChange={({ currentTarget }) => updateFilter({ onlyChanged: currentTarget.checked })}
          />
          {t('Show changes only')}
        </label>
      ) : null}
      <Button label={t('Copy with Headers')} icon="copy" onClick={() => void copyWithHeadings(model)} />
      <span class="muted count" role="status">
        {parties.length === model.allParties.length && columns.length === model.allColumns.length
          ? t('Users and groups: {0}, columns: {1}', parties.length, columns.length)
          : t(
              '{0} of {1} users and groups, {2} of {3} columns',
              parties.length,
              model.allParties.length,
              columns.length,
              model.allColumns.length,
            )}
      </span>
    </div>
  );
}
