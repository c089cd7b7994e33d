import type { JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { getColumnType, getRuleDatatype } from '../../contract/terms.ts';
import { getMatrixColumnKey, everyoneElse, type MatrixColumn } from '../../security/matrix/ruleMatrix.ts';
import { Button, IconButton } from '../shared/controls/fields.tsx';
import { t } from '../shared/t.ts';
import type { MatrixModel } from './matrixModel.ts';

/**
 * Adds a column to the grid. A column that the datamodel does not have is refused. Any name is accepted if the columns
 * are unknown, and for a cube set, with a warning if no datamodel has the column.
 */
export function AddColumn({
  model,
  close,
}: {
  readonly model: MatrixModel;
  readonly close: () => void;
}): JSX.Element {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [problem, setProblem] = useState<string>();
  useEffect(() => field.current?.focus(), []);
  const choices = getColumnChoices(model);
  const submit = (): void => {
    const result = parseColumn(text.trim(), choices, model);
    if (typeof result === 'string') {
      setProblem(result);
      return;
    }
    if (!model.allColumns.some(({ key }) => key === result.key)) {
      model.replaceDraft({ ...model.draft, columns: [...model.draft.columns, result] });
      const isMissing = model.catalogNames.value?.isMissing(result.table, result.column) === true;
      model.announcement.value = isMissing
        ? t('{0} was added, but no extract datamodel has this column. Check its spelling.', text.trim())
        : t('{0} was added. Add a rule for everyone else first.', `${result.table}.${result.column}`);
    }
    model.reveal(everyoneElse.key, result.key);
    close();
  };
  return (
    <div class="adder" role="group" aria-label={t('Add Column')}>
      <input
        ref={field}
        type="text"
        aria-label={t('Column to secure')}
        placeholder={t('Table.Column')}
        list={`${id}-columns`}
        aria-invalid={problem !== undefined}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setProblem(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            submit();
          } else if (event.key === 'Escape') {
            close();
          }
        }}
      />
      <datalist id={`${id}-columns`}>
        {choices.slice(0, 4000).map(({ key, table, column }) => (
          <option key={key} value={`${table}.${column}`} />
        ))}
      </datalist>
      <Button label={t('Add')} isPrimary onClick={submit} />
      <IconButton icon="close" label={t('Close')} onClick={close} />
      <span role="status">{problem}</span>
    </div>
  );
}

/** The columns that are not in the grid and can have rules: date columns cannot (rest-api.md, "Data security rule"). */
function getColumnChoices(model: MatrixModel): readonly MatrixColumn[] {
  const presentKeys = new Set(model.allColumns.map(({ key }) => key));
  return (model.data.value.catalog?.tables ?? []).flatMap(({ name: table, columns }) =>
    columns.flatMap(({ name, type }): MatrixColumn[] => {
      const key = getMatrixColumnKey(table, name);
      const isDate = getColumnType(type)?.group === 'date-time';
      return isDate || presentKeys.has(key)
        ? []
        : [{ key, table, column: name, datatype: getRuleDatatype(type) ?? 'text' }];
    }),
  );
}

/** Parses `Table.Column`; returns the column, or a message about the problem with its name. */
function parseColumn(
  text: string,
  choices: readonly MatrixColumn[],
  model: MatrixModel,
): MatrixColumn | string {
  const getLabel = ({ table, column }: MatrixColumn): string => `${table}.${column}`;
  const knownColumn = [...choices, ...model.allColumns].find((candidate) => getLabel(candidate) === text);
  if (knownColumn !== undefined) {
    return knownColumn;
  }
  const dotIndex = text.lastIndexOf('.');
  const [table, column] = [text.slice(0, Math.max(dotIndex, 0)), text.slice(dotIndex + 1)];
  if (table === '' || column === '') {
    return t('Enter the column as Table.Column.');
  }
  const names = model.catalogNames.value;
  if (model.data.value.isCubeSet !== true && names?.isMissing(table, column) === true) {
    return t('Column not found: {0}. Names are case-sensitive.', text);
  }
  const catalogColumn = names?.find(table, column);
  if (typeof catalogColumn === 'object' && getColumnType(catalogColumn.type)?.group === 'date-time') {
    return t("{0} contains dates. Rules don't support date columns.", text);
  }
  return { key: getMatrixColumnKey(table, column), table, column, datatype: 'text' };
}
