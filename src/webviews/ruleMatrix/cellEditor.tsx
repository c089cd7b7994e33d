import type { JSX } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { fillBlock } from '../../security/matrix/blocks.ts';
import { parseMatrixCell } from '../../security/matrix/cellText.ts';
import { countValuesIfSplitAtCommas } from '../../security/values/valueText.ts';
import { formatOtherSpelling } from '../../security/values/spellingText.ts';
import { suggestValues } from '../../security/values/suggestValues.ts';
import { getCommaHint } from '../protocol/valueHints.ts';
import { maxSuggestions, ValueSuggestions } from '../shared/controls/valueSuggestions.tsx';
import { getShortcutLetter } from '../shared/shortcuts.ts';
import { t } from '../shared/t.ts';
import { describeRefusal } from './describeCell.ts';
import { applyBlockChange, getActiveCell } from './gridKeyboard.ts';
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
  const editor = useRef<HTMLDivElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(model.activeEdit.value?.text ?? '');
  const [problem, setProblem] = useState<string>();
  const [activeSuggestion, setActiveSuggestion] = useState<number>();
  const isClosed = useRef(false);
  const cell = getActiveCell(model);
  const { values, problem: valuesProblem } = model.valueOffer.value;
  const offeredValues = cell === undefined ? [] : values.getValues(cell.column);
  const suggestions = suggestValues(text, offeredValues, {
    joiner: '; ',
    isCell: true,
    maxCount: maxSuggestions,
  });
  const changeText = (newText: string): void => {
    setText(newText);
    setProblem(undefined);
    setActiveSuggestion(undefined);
  };
  useLayoutEffect(() => {
    const area = field.current;
    area?.focus();
    area?.setSelectionRange(area.value.length, area.value.length);
  }, []);
  // In the last columns and rows, the grid would cut off the editor, which is larger than a cell and grows.
  useLayoutEffect(() => editor.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' }));
  const close = (): void => {
    isClosed.current = true;
    model.shouldFocusGrid = true;
    model.activeEdit.value = undefined;
  };
  /** Accepts the typed text. Returns false if it is invalid: the editor then stays open and shows the problem. */
  const commit = (fillsSelection: boolean): boolean => {
    const parsed = parseMatrixCell(text, model.isExclusionUnsupported);
    if ('problem' in parsed) {
      setProblem(describeRefusal(parsed.problem));
      return false;
    }
    const { active } = model.selection.value;
    const activeCellBlock = {
      top: active.row,
      left: active.column,
      bottom: active.row,
      right: active.column,
    };
    // Before the editor is closed, because the filter may hide the cell then.
    const change = fillBlock(
      model.visibleMatrix.value,
      fillsSelection ? model.selectedBlock.value : activeCellBlock,
      text,
    );
    close();
    applyBlockChange(model, change);
    return true;
  };
  const moveActiveCell = (rowOffset: number, columnOffset: number): void => {
    const { row, column } = model.selection.value.active;
    model.select({ row: row + rowOffset, column: column + columnOffset });
  };
  /**
   * Handles the keys that select a suggestion; Arrow Down at the end of the text selects the first one. Returns false
   * for all other keys.
   */
  const handleSuggestionKey = (event: KeyboardEvent): boolean => {
    const area = field.current;
    const isAtEnd = area !== null && area.selectionStart === text.length;
    if (
      suggestions.length === 0 ||
      (activeSuggestion === undefined && (event.key !== 'ArrowDown' || !isAtEnd))
    ) {
      return false;
    }
    switch (event.key) {
      case 'ArrowDown':
        setActiveSuggestion(Math.min((activeSuggestion ?? -1) + 1, suggestions.length - 1));
        return true;
      case 'ArrowUp':
        setActiveSuggestion(activeSuggestion === 0 ? undefined : (activeSuggestion ?? 0) - 1);
        return true;
      case 'Enter':
      case 'Tab':
        changeText(suggestions[activeSuggestion ?? 0]?.text ?? text);
        return true;
      case 'Escape':
        setActiveSuggestion(undefined);
        return true;
      default:
        return false;
    }
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (handleSuggestionKey(event)) {
      event.preventDefault();
      event.stopPropagation();
      return;
    }
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
        if (!model.keepsDraft && getShortcutLetter(event) === 's') {
          // The document needs the typed text before it is saved, so the key event is dispatched again after the edit.
          event.preventDefault();
          event.stopPropagation();
          commit(model.activeEdit.value?.fillsSelection === true);
          window.dispatchEvent(new KeyboardEvent(event.type, event));
        }
        // Ctrl+S and the other keybindings of the editor work while a cell is edited.
        return;
    }
    event.preventDefault();
    event.stopPropagation();
  };
  // About 44 characters fit into a line.
  const rowCount = Math.min(maxRows, Math.max(1, text.split('\n').length, Math.ceil(text.length / 44)));
  return (
    <div ref={editor} class="cell-editor" role="presentation" style={style}>
      <textarea
        ref={field}
        rows={rowCount}
        aria-label={t('Cell values')}
        aria-describedby="cell-editor-help"
        aria-invalid={problem !== undefined}
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => changeText(currentTarget.value)}
        onKeyDown={onKeyDown}
        onBlur={() => {
          if (!isClosed.current) {
            commit(model.activeEdit.value?.fillsSelection === true);
          }
        }}
      />
      <ValueSuggestions
        suggestions={suggestions}
        activeIndex={activeSuggestion ?? -1}
        onChoose={changeText}
      />
      <p
        id="cell-editor-help"
        class={problem === undefined ? 'cell-editor-help' : 'cell-editor-help problem'}
        role={problem === undefined ? undefined : 'alert'}
      >
        {problem ??
          getSpellingWarning(model, text) ??
          getCommaHint(countValuesIfSplitAtCommas(text), t) ??
          getHelpText(model.isExclusionUnsupported)}
      </p>
      {offeredValues.length > 0 ? null : (
        <p class="cell-editor-help">
          {t('No rule or viewpoint uses a value of this column.')} {valuesProblem ?? ''}
        </p>
      )}
    </div>
  );
}

/** Returns a warning about the first value that other rules on the column spell differently, if there is one. */
function getSpellingWarning(model: MatrixModel, text: string): string | undefined {
  const cell = getActiveCell(model);
  const parsed = parseMatrixCell(text);
  const [first] =
    cell === undefined || 'problem' in parsed ? [] : model.findOtherSpellings(cell, parsed.value);
  return first && formatOtherSpelling(first, t);
}

const getHelpText = (isExclusionUnsupported: boolean): string =>
  isExclusionUnsupported
    ? t('All, Nothing, or values separated by semicolons')
    : t('All, Nothing, or values separated by semicolons. To exclude values: All but North; South');
