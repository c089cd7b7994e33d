import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fillBlock } from '../../security/matrix/blocks.ts';
import { parseMatrixCell } from '../../security/matrix/cellText.ts';
import { t } from '../shared/t.ts';
import { describeCellProblem } from './describeCell.ts';
import { applyBlockChange } from './gridKeyboard.ts';
import type { MatrixModel } from './matrixModel.ts';

const maxRows = 10;

/** The text editor over the active cell: Enter accepts the typed text, Escape discards it. */
export function CellEditor({
  model,
  style,
}: {
  readonly model: MatrixModel;
  readonly style: Readonly<Record<string, string>>;
}): JSX.Element {
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(model.editing.value?.text ?? '');
  const [problem, setProblem] = useState<string>();
  const isDone = useRef(false);
  useLayoutEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const close = (): void => {
    isDone.current = true;
    model.wantsFocus = true;
    model.editing.value = undefined;
  };
  const commit = (fills: boolean): boolean => {
    const read = parseMatrixCell(text, model.hidesNothing);
    if ('problem' in read) {
      setProblem(describeCellProblem(read.problem));
      return false;
    }
    const { active } = model.selection.value;
    const one = { top: active.row, left: active.column, bottom: active.row, right: active.column };
    close();
    applyBlockChange(model, fillBlock(model.visible.value, fills ? model.block.value : one, text));
    return true;
  };
  const move = (rows: number, columns: number): void => {
    const { row, column } = model.selection.value.active;
    model.select({ row: row + rows, column: column + columns });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const fills = event.ctrlKey || event.metaKey || model.editing.value?.fills === true;
    switch (event.key) {
      case 'Escape':
        close();
        break;
      case 'Enter':
        if (event.altKey || event.shiftKey) {
          return;
        }
        if (commit(fills) && !fills) {
          move(1, 0);
        }
        break;
      case 'Tab':
        if (commit(fills)) {
          move(0, event.shiftKey ? -1 : 1);
        }
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  const rows = Math.min(maxRows, Math.max(1, text.split('\n').length, Math.ceil(text.length / 44)));
  return (
    <div class="cell-editor" role="presentation" style={style}>
      <textarea
        ref={field}
        rows={rows}
        aria-label={t('Values of the cell')}
        aria-describedby="cell-editor-help"
        aria-invalid={problem !== undefined}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setProblem(undefined);
        }}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (!isDone.current) {
            commit(model.editing.value?.fills === true);
          }
        }}
      />
      <p
        id="cell-editor-help"
        class={problem === undefined ? 'cell-editor-help' : 'cell-editor-help problem'}
        role={problem === undefined ? undefined : 'alert'}
      >
        {problem ?? getHelpText(model.hidesNothing)}
      </p>
    </div>
  );
}

const getHelpText = (hidesNothing: boolean): string =>
  hidesNothing
    ? t('All, Nothing, or values with ; between them')
    : t('All, Nothing, values with ; between them, or All but values');
