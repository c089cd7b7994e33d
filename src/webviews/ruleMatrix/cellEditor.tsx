import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fillBlock } from '../../security/matrix/blocks.ts';
import { parseMatrixCell } from '../../security/matrix/cellText.ts';
import { countValuesBetweenCommas } from '../../security/values/valueText.ts';
import { getCommaHint } from '../protocol/valueHints.ts';
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
  const [text, setText] = useState(model.activeEdit.value?.text ?? '');
  const [problem, setProblem] = useState<string>();
  const isClosed = useRef(false);
  useLayoutEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  const close = (): void => {
    isClosed.current = true;
    model.shouldFocusGrid = true;
    model.activeEdit.value = undefined;
  };
  const commit = (fillsSelection: boolean): boolean => {
    const parsed = parseMatrixCell(text, model.isExclusionUnsupported);
    if ('problem' in parsed) {
      setProblem(describeCellProblem(parsed.problem));
      return false;
    }
    const { active } = model.selection.value;
    const activeCellBlock = {
      top: active.row,
      left: active.column,
      bottom: active.row,
      right: active.column,
    };
    close();
    applyBlockChange(
      model,
      fillBlock(
        model.visibleMatrix.value,
        fillsSelection ? model.selectedBlock.value : activeCellBlock,
        text,
      ),
    );
    return true;
  };
  const moveActiveCell = (rowOffset: number, columnOffset: number): void => {
    const { row, column } = model.selection.value.active;
    model.select({ row: row + rowOffset, column: column + columnOffset });
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const fillsSelection = event.ctrlKey || event.metaKey || model.activeEdit.value?.fillsSelection === true;
    switch (event.key) {
      case 'Escape':
        close();
        break;
      case 'Enter':
        if (event.altKey || event.shiftKey) {
          return;
        }
        if (commit(fillsSelection) && !fillsSelection) {
          moveActiveCell(1, 0);
        }
        break;
      case 'Tab':
        if (commit(fillsSelection)) {
          moveActiveCell(0, event.shiftKey ? -1 : 1);
        }
        break;
      default:
        // Ctrl+S and the other keybindings of the editor work while a cell is edited.
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  const rowCount = Math.min(maxRows, Math.max(1, text.split('\n').length, Math.ceil(text.length / 44)));
  return (
    <div class="cell-editor" role="presentation" style={style}>
      <textarea
        ref={field}
        rows={rowCount}
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
          if (!isClosed.current) {
            commit(model.activeEdit.value?.fillsSelection === true);
          }
        }}
      />
      <p
        id="cell-editor-help"
        class={problem === undefined ? 'cell-editor-help' : 'cell-editor-help problem'}
        role={problem === undefined ? undefined : 'alert'}
      >
        {problem ??
          getCommaHint(countValuesBetweenCommas(text), t) ??
          getHelpText(model.isExclusionUnsupported)}
      </p>
    </div>
  );
}

const getHelpText = (isExclusionUnsupported: boolean): string =>
  isExclusionUnsupported
    ? t('All, Nothing, or values with ; between them')
    : t('All, Nothing, values with ; between them, or All but values');
