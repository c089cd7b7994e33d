import { useEffect } from 'preact/hooks';
import { formatBlock, fillBlock, pasteBlock } from '../../security/matrix/blocks.ts';
import {
  formatWithHeadings,
  hasHeadings,
  type PartyNameProvider,
  pasteWithHeadings,
} from '../../security/matrix/headedBlocks.ts';
import { announcements } from './announcements.ts';
import { applyBlockChange } from './gridKeyboard.ts';
import type { MatrixModel } from './matrixModel.ts';

const createNameLookup =
  (model: MatrixModel): PartyNameProvider =>
  (party) =>
    model.partyDirectory.value.getName(party);

/** Copies all visible cells with headings, for spreadsheets. Pasted cells are matched by these headings. */
export async function copyWithHeadings(model: MatrixModel): Promise<void> {
  const { parties, columns } = model.visibleMatrix.value;
  try {
    await navigator.clipboard.writeText(
      formatWithHeadings(model.visibleMatrix.value, createNameLookup(model)),
    );
    announcements.reportCopy(model, parties.length * columns.length);
  } catch (error) {
    announcements.reportCopyFailure(model, error);
  }
}

/** Handles cut, copy and paste in the grid, in the format of spreadsheets (tab-separated text). */
export function useClipboard(
  model: MatrixModel,
  scroller: { readonly current: HTMLDivElement | null },
): void {
  useEffect(() => {
    const grid = scroller.current;
    const isGridEvent = (event: Event): boolean =>
      model.activeEdit.value === undefined &&
      event.target instanceof Node &&
      grid?.contains(event.target) === true;
    // Without a text selection, browsers enable these commands only if a listener prevents the default.
    const enableCommand = (event: Event): void => {
      if (isGridEvent(event)) {
        event.preventDefault();
      }
    };
    const handleCopy = (event: ClipboardEvent): void => {
      const { top, left, bottom, right } = model.selectedBlock.value;
      if (isGridEvent(event) && event.clipboardData !== null) {
        event.clipboardData.setData(
          'text/plain',
          formatBlock(model.visibleMatrix.value, model.selectedBlock.value),
        );
        event.preventDefault();
        announcements.reportCopy(model, (bottom - top + 1) * (right - left + 1));
        if (event.type === 'cut') {
          applyBlockChange(model, fillBlock(model.visibleMatrix.value, model.selectedBlock.value, ''));
        }
      }
    };
    const handlePaste = (event: ClipboardEvent): void => {
      if (isGridEvent(event) && event.clipboardData !== null) {
        event.preventDefault();
        const text = event.clipboardData.getData('text/plain');
        const block = model.selectedBlock.value;
        applyBlockChange(
          model,
          hasHeadings(model.unfilteredMatrix, text)
            ? pasteWithHeadings(model.unfilteredMatrix, block, text, createNameLookup(model))
            : pasteBlock(model.visibleMatrix.value, block, text),
        );
      }
    };
    const listeners = [
      ['beforecopy', enableCommand],
      ['beforecut', enableCommand],
      ['beforepaste', enableCommand],
      ['copy', handleCopy],
      ['cut', handleCopy],
      ['paste', handlePaste],
    ] as const;
    for (const [name, listener] of listeners) {
      document.addEventListener(name, listener as EventListener);
    }
    return () => {
      for (const [name, listener] of listeners) {
        document.removeEventListener(name, listener as EventListener);
      }
    };
  }, [model]);
}
