import { registerHooks } from 'node:module';

/** The minimum of `vscode` that tree items need, so that explorer nodes run outside an editor. */
const source = `
export class TreeItem { constructor(label, state) { this.label = label; this.collapsibleState = state; } }
export class ThemeIcon { constructor(id, color) { this.id = id; this.color = color; } }
export class ThemeColor { constructor(id) { this.id = id; } }
export const TreeItemCollapsibleState = { None: 0, Collapsed: 1, Expanded: 2 };
export const Uri = { from: (parts) => ({ ...parts }) };
export const l10n = { t: (text, ...values) => text.replace(/\\{(\\d+)\\}/g, (_, index) => String(values[index])) };
export const env = { language: 'en' };
export const workspace = { getConfiguration: () => ({ get: () => false }) };
export class EventEmitter {}
export class MarkdownString {}
export class FileDecoration {}
export class CancellationError extends Error {}
`;

/** Makes every later import of `vscode` resolve to the stub. */
export function registerVscodeStub(): void {
  const url = `data:text/javascript,${encodeURIComponent(source)}`;
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
  });
}
