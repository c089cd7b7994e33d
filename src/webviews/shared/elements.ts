import '@vscode-elements/elements/dist/vscode-textarea/index.js';
import '@vscode-elements/elements/dist/vscode-textfield/index.js';
import type { HTMLAttributes } from 'preact';

/** The attributes of @vscode-elements that these pages set. */
interface ElementProps extends HTMLAttributes<HTMLElement> {
  readonly value?: string;
  readonly label?: string;
  readonly placeholder?: string;
  readonly disabled?: boolean;
}

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      'vscode-textarea': ElementProps & { readonly rows?: number; readonly monospace?: boolean };
      'vscode-textfield': ElementProps;
    }
  }
}
