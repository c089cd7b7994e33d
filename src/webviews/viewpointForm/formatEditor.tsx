import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isJsonObject, type JsonValue } from '../../base/json.ts';
import type { ColumnFields } from '../../viewpoints/form/readViewpoint.ts';
import { Field, Dropdown } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import type { ViewpointFormModel } from './viewpointFormModel.ts';
import { JsonField } from './jsonField.tsx';

/** Known format masks of the query language (platform-facts.md, 4); any other is edited as JSON. */
const formatPresets: Readonly<Record<string, readonly JsonValue[]>> = {
  number: [{ mask: { type: 'number', decimals: 2, number: { separated: true } } }],
  percent: [{ mask: { type: 'percent', decimals: 1, percent: true } }],
  currency: [{ mask: { type: 'number', decimals: 2, currency: { symbol: '$', position: 'pre' } } }],
  days: [{ mask: { days: 'shortDate' } }],
  months: [{ mask: { months: 'MM/yyyy' } }],
};

/** Edits the number or date format of the selected columns. */
export function FormatEditor(props: {
  readonly form: ViewpointFormModel;
  readonly columnIndexes: readonly number[];
  readonly columns: readonly ColumnFields[];
}): JSX.Element {
  const { form, columnIndexes, columns } = props;
  const format = columns[0]?.format;
  const text = JSON.stringify(format);
  const isSame = columns.every((column) => JSON.stringify(column.format) === text);
  const [isJsonSelected, setJsonSelected] = useState(false);
  const isDate = columns.every((column) => column.isDate);
  const presetName = Object.entries(formatPresets).find(([, value]) => JSON.stringify(value) === text)?.[0];
  const kind = !isSame
    ? 'different'
    : isJsonSelected
      ? 'custom'
      : (presetName ?? (isEmptyFormat(format) ? 'none' : 'custom'));
  const isLocked = form.page.isLocked.value || columns.some(({ isUnsupported }) => isUnsupported);
  const setFormat = (value: readonly JsonValue[] | null): void =>
    form.page.edit({ kind: 'columnPart', columns: columnIndexes, key: 'format', value });
  return (
    <div class="fields">
      <Field label={t('Format')}>
        <Dropdown
          label={t('Format')}
          value={kind}
          disabled={isLocked}
          choices={[
            ...(kind === 'different' ? [{ value: 'different', label: t('(multiple values)') }] : []),
            { value: 'none', label: t('(none)') },
            ...(isDate
              ? [
                  { value: 'days', label: t('Date') },
                  { value: 'months', label: t('Month and year') },
                ]
              : [
                  { value: 'number', label: t('Number, 1,234.50') },
                  { value: 'currency', label: t('Currency, $1,234.50') },
                  { value: 'percent', label: t('Percent, 12.5%') },
                ]),
            { value: 'custom', label: t('Other (JSON)') },
          ]}
          onChange={(nextKind) => {
            setJsonSelected(nextKind === 'custom');
            if (nextKind === 'none') {
              setFormat(null);
            }
            const preset = formatPresets[nextKind];
            if (preset !== undefined) {
              setFormat(preset);
            }
          }}
        />
      </Field>
      {kind === 'custom' ? (
        <JsonField
          label={t('Format as JSON')}
          value={format ?? []}
          disabled={isLocked}
          accepts={(value) => Array.isArray(value) || isJsonObject(value)}
          acceptedKind={t('an array or an object')}
          onChange={(value) => setFormat(value as readonly JsonValue[])}
        />
      ) : null}
    </div>
  );
}

const isEmptyFormat = (format: JsonValue | undefined): boolean => format === undefined || format === null;
