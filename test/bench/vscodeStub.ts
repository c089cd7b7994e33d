import { registerHooks } from 'node:module';

/** As little of `vscode` as tree items need, for the nodes of the explorer outside of an editor. */
const source = `
export class TreeItem { constructor(label, state) { this.label = label; this.collapsibleState = state; } }
export class ThemeIcon { constructor(id, color) { this.id = id; this.color = color; } }
export class ThemeColor { constructor(id) { this.id = id; } }
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const Uri = { from: (parts) => ({ ...parts }) };
export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (_, index) => String(values[index])) };
export const env = { language: 'en' };
export class EventEmitter {}
export class MarkdownString {}
export class FileDecoration {}
export class CancellationError extends Error {}
`;

/** What imports `vscode` from here on gets the stub. */
export function registerVscodeStub(): void {
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
  });
}
