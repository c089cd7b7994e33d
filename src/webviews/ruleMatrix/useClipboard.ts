import { useEffect } from 'preact/hooks';
import { copyBlock, fillBlock, pasteBlock } from '../../security/matrix/blocks.ts';
import { copyHeaded, isHeaded, type NameOf, pasteHeaded } from '../../security/matrix/headedBlocks.ts';
import { tell } from './announce.ts';
import { put } from './keys.ts';
import type { MatrixModel } from './model.ts';

const nameIn =
  (model: MatrixModel): NameOf =>
  (party) =>
    model.names.value.of(party);

/** All that is shown, under headings, for a spreadsheet; what comes back goes where its headings say. */
export async function copyWithHeadings(model: MatrixModel): Promise<void> {
  const { parties, columns } = model.shown.value;
  try {
    await navigator.clipboard.writeText(copyHeaded(model.shown.value, nameIn(model)));
    tell.copied(model, parties.length * columns.length);
  } catch (error) {
    tell.notCopied(model, error);
  }
}

/** Cells go to and from the clipboard as a spreadsheet has them. */
export function useClipboard(
  model: MatrixModel,
  scroller: { readonly current: HTMLDivElement | null },
): void {
  useEffect(() => {
    const grid = scroller.current;
    const isOurs = (event: Event): boolean =>
      model.editing.value === undefined &&
      event.target instanceof Node &&
      grid?.contains(event.target) === true;
    // Without a selection of text the browser offers no copying unless somebody wants it.
    const offer = (event: Event): void => {
      if (isOurs(event)) {
        event.preventDefault();
      }
    };
    const copy = (event: ClipboardEvent): void => {
      const { top, left, bottom, right } = model.block.value;
      if (isOurs(event) && event.clipboardData !== null) {
        event.clipboardData.setData('text/plain', copyBlock(model.shown.value, model.block.value));
        event.preventDefault();
        tell.copied(model, (bottom - top + 1) * (right - left + 1));
        if (event.type === 'cut') {
          put(model, fillBlock(model.shown.value, model.block.value, ''));
        }
      }
    };
    const paste = (event: ClipboardEvent): void => {
      if (isOurs(event) && event.clipboardData !== null) {
        event.preventDefault();
        const text = event.clipboardData.getData('text/plain');
        const block = model.block.value;
        put(
          model,
          isHeaded(text)
            ? pasteHeaded(model.whole, block, text, nameIn(model))
            : pasteBlock(model.shown.value, block, text),
        );
      }
    };
    const listeners = [
      ['beforecopy', offer],
      ['beforecut', offer],
      ['beforepaste', offer],
      ['copy', copy],
      ['cut', copy],
      ['paste', paste],
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
