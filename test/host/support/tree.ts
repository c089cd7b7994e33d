import * as vscode from 'vscode';
import { type TextMatcher, toExactPattern } from '../../editor/support/textPatterns.ts';
import type { Manifest } from './manifest.ts';
import type { Patches } from './patches.ts';
import { startCommand } from './startCommand.ts';
import { waitFor } from './waiting.ts';
import type { ContextKeys } from '../../support/whenClause.ts';

/** One row by its label, or a row below others: `['Retail', 'Tables', 'Orders']`. */
export type TreeRowPath = TextMatcher | readonly TextMatcher[];

interface CapturedView {
  readonly id: string;
  readonly provider: vscode.TreeDataProvider<unknown>;
  readonly view: vscode.TreeView<unknown>;
  readonly dragController: vscode.TreeDragAndDropController<unknown> | undefined;
  readonly shown: ShownRows;
}

/** The rows that the editor itself has read from the provider: those below expanded rows. */
interface ShownRows {
  readonly children: Map<unknown, readonly unknown[]>;
  readonly items: Map<unknown, vscode.TreeItem>;
  /** The elements that the editor read last, by ID: a test that reads the tree makes the provider create others. */
  readonly elements: Map<unknown, unknown>;
}

/** A row as the extension gave it to the editor. */
export interface TreeRow {
  readonly viewId: string;
  readonly element: unknown;
  readonly item: vscode.TreeItem;
  readonly label: string;
  /** The text after the label. */
  readonly description: string;
  readonly tooltip: string;
}

/** Tests name an entry of the history by its title, which its tooltip begins with: its label is only a name. */
const isHistoryEntry = ({ contextValue = '' }: vscode.TreeItem): boolean =>
  contextValue.startsWith('historyEntry.');

/** The trees of the extension: rows come from its providers, the selection from the editor. */
export class Trees {
  readonly #views: CapturedView[] = [];
  readonly #manifest: Manifest;
  readonly #getContextKeys: () => ContextKeys;

  constructor(patches: Patches, manifest: Manifest, getContextKeys: () => ContextKeys) {
    this.#manifest = manifest;
    this.#getContextKeys = getContextKeys;
    patches.replace(
      vscode.window,
      'createTreeView',
      (create) => (id: string, options: vscode.TreeViewOptions<unknown>) => {
        const shown: ShownRows = { children: new Map(), items: new Map(), elements: new Map() };
        const view = create(id, {
          ...options,
          treeDataProvider: recordRows(options.treeDataProvider, shown),
        });
        const captured = {
          id,
          provider: options.treeDataProvider,
          view,
          dragController: options.dragAndDropController,
          shown,
        };
        this.#views.push(captured);
        const dispose = view.dispose.bind(view);
        view.dispose = () => {
          this.#views.splice(this.#views.indexOf(captured), 1);
          dispose();
        };
        return view;
      },
    );
  }

  /** The badge of a view. */
  getBadge(viewId: string): vscode.ViewBadge | undefined {
    return this.#views.find(({ id }) => id === viewId)?.view.badge;
  }

  getView(viewId: string): vscode.TreeView<unknown> {
    return this.#getCapturedView(viewId).view;
  }

  /** Waits for a row. Rows between those that a path names can be left out if they are expanded. */
  async findItem(path: TreeRowPath): Promise<TreeRow> {
    const labels = isPath(path) ? path : [path];
    return waitFor(
      () => this.#search(labels),
      () => `No row ${labels.join(' › ')}; there is: ${this.#lastSeen.join(', ')}`,
    );
  }

  /** Waits until a row is gone while the row above it is still there. */
  async waitForItemGone(path: readonly [TextMatcher, ...TextMatcher[]]): Promise<void> {
    if (path.length > 1) {
      await this.findItem(path.slice(0, -1));
    }
    await waitFor(
      async () => (await this.#search(path)) === undefined,
      () => `The row ${path.join(' › ')} stays`,
    );
  }

  /** Waits for a row whose description or label matches. */
  async waitForItemText(path: TreeRowPath, text: RegExp): Promise<TreeRow> {
    return waitFor(
      async () => {
        const row = await this.findItem(path);
        return text.test(`${row.label} ${row.description} ${row.item.accessibilityInformation?.label ?? ''}`)
          ? row
          : undefined;
      },
      () => `The row ${String(path)} does not show ${text}`,
    );
  }

  /** The labels of the children of a row; of the root without a path. */
  async getChildLabels(path?: TreeRowPath, viewId = 'datamodelStudio.explorer'): Promise<readonly string[]> {
    if (path === undefined) {
      return (await this.#readRows(this.#getCapturedView(viewId), undefined)).map(({ label }) => label);
    }
    const row = await this.findItem(path);
    return (await this.#readRows(this.#getCapturedView(row.viewId), row.element)).map(({ label }) => label);
  }

  /**
   * Waits until the editor shows a row because all rows above it are expanded. Unlike the other methods, it doesn't read
   * from the provider but from what the editor has read, so it cannot load rows that the editor doesn't show.
   */
  async waitForVisibleRow(
    path: readonly TextMatcher[],
    viewId = 'datamodelStudio.explorer',
  ): Promise<vscode.TreeItem> {
    return waitFor(
      () => this.#findVisibleRow(path, viewId),
      () => `The editor does not show ${path.join(' › ')}`,
    );
  }

  /** Whether the editor shows a row now; see {@link waitForVisibleRow}. */
  isRowVisible(path: readonly TextMatcher[], viewId = 'datamodelStudio.explorer'): boolean {
    return this.#findVisibleRow(path, viewId) !== undefined;
  }

  #findVisibleRow(path: readonly TextMatcher[], viewId: string): vscode.TreeItem | undefined {
    const { children, items } = this.#getCapturedView(viewId).shown;
    let rows: readonly unknown[] = [undefined];
    for (const label of path) {
      const pattern = toExactPattern(label);
      rows = rows
        .flatMap((row) => children.get(row) ?? [])
        .filter((element) => pattern.test(toLabel(items.get(element))));
    }
    return items.get(rows[0]);
  }

  /** The text that the editor shows when the pointer rests on a row. */
  async getTooltip(path: TreeRowPath): Promise<string> {
    return this.getRowTooltip(await this.findItem(path));
  }

  /** The text that an editor receives when rows are dropped into it; `undefined` if it receives none. */
  async getDragText(paths: readonly TreeRowPath[]): Promise<string | undefined> {
    const rows = await Promise.all(paths.map((path) => this.findItem(path)));
    const data = new vscode.DataTransfer();
    const { token } = new vscode.CancellationTokenSource();
    const { dragController } = this.#getCapturedView(rows[0]?.viewId ?? '');
    await dragController?.handleDrag?.(
      rows.map(({ element }) => element),
      data,
      token,
    );
    return data.get('text/plain')?.asString();
  }

  /** Expands or collapses a row in the editor itself, which notifies the extension. */
  async setExpandedInView(path: TreeRowPath, isExpanded: boolean): Promise<void> {
    // While the editor refreshes the tree, it does not know a new row yet, and refuses to reveal it.
    await waitFor(
      async () => {
        const { viewId, element } = await this.findItem(path);
        await this.#getCapturedView(viewId).view.reveal(element, {
          select: false,
          focus: true,
          expand: isExpanded,
        });
        return true;
      },
      () => `The row ${String(path)} is not revealed`,
    );
    if (!isExpanded) {
      await vscode.commands.executeCommand('list.collapse');
    }
  }

  /** Selects a row in the editor, and runs its command as a click does. */
  async click(path: TreeRowPath): Promise<void> {
    const row = await this.findItem(path);
    await this.select([path]);
    this.runRowCommand(row);
  }

  /** Runs the command of a row that was read before, as a click does; reading it again might load what has failed. */
  runRowCommand({ item: { command } }: TreeRow): void {
    if (command !== undefined) {
      void vscode.commands.executeCommand(command.command, ...(command.arguments ?? []));
    }
  }

  /** Waits until the editor has selected a row. */
  async waitForSelected(path: TreeRowPath): Promise<void> {
    await waitFor(
      async () => {
        const { viewId, element } = await this.findItem(path);
        const { selection } = this.#getCapturedView(viewId).view;
        return selection.length === 1 && getElementId(selection[0]) === getElementId(element);
      },
      () => `The row ${String(path)} is not selected; ${this.#describeSelection()}`,
    );
  }

  /** Selects rows of one view in the editor. */
  async select(paths: readonly TreeRowPath[]): Promise<void> {
    for (const path of paths) {
      // While the editor refreshes the tree, it does not know a new row yet.
      await waitFor(
        async () => {
          const { viewId, element } = await this.findItem(path);
          const captured = this.#getCapturedView(viewId);
          const { view } = captured;
          // As a user does: open each row above it, and select the row that the editor then shows.
          for (const ancestor of await getAncestors(captured.provider, element)) {
            await view.reveal(toEditorElement(captured, ancestor), {
              select: false,
              focus: false,
              expand: true,
            });
          }
          await view.reveal(toEditorElement(captured, element), { select: true, focus: false });
          return view.selection.some((selected) => getElementId(selected) === getElementId(element));
        },
        () => `The row ${String(path)} is not selected; ${this.#describeSelection()}`,
      );
    }
  }

  /** What is selected, and the rows that the editor has read. */
  #describeSelection(): string {
    return this.#views
      .map(({ id, view, shown: { children, items } }) => {
        const selection = view.selection.map((element) => String(getElementId(element))).join(', ');
        const describe = (row: unknown): string =>
          (children.get(row) ?? [])
            .map(
              (child) => `${toLabel(items.get(child))}${children.has(child) ? ` (${describe(child)})` : ''}`,
            )
            .join(', ');
        const state = view.visible ? 'visible' : 'hidden';
        return `${id} (${state}): selected ${selection}; read ${describe(undefined)}`;
      })
      .join('; ');
  }

  /** Chooses from the context menu of a row; further labels walk through submenus. */
  async chooseFromContextMenu(path: TreeRowPath, ...labels: readonly TextMatcher[]): Promise<void> {
    await this.#runFromContextMenu(await this.findItem(path), labels);
  }

  /** Like {@link chooseFromContextMenu} for a row that was found before. */
  chooseFromContextMenuOfRow(row: TreeRow, ...labels: readonly TextMatcher[]): void {
    void this.#runFromContextMenu(row, labels);
  }

  /** Resolves when the command has started, or when it has ended if it has no prompts. */
  #runFromContextMenu(row: TreeRow, labels: readonly TextMatcher[]): Promise<void> {
    const command = this.#manifest.findMenuCommand(
      'view/item/context',
      labels,
      this.#getContextKeysOfRow(row),
    );
    if (command === undefined) {
      throw new Error(
        `${row.label} (${row.item.contextValue}) has no ${labels.join(' › ')}, but: ${this.#getContextMenuLabelsOfRow(row).join(', ')}`,
      );
    }
    return startCommand(command, row.element, undefined);
  }

  /** Chooses from the context menu of several selected rows; the menu is that of the last one. */
  async chooseFromContextMenuOfSelection(
    paths: readonly TreeRowPath[],
    ...labels: readonly TextMatcher[]
  ): Promise<void> {
    const rows = await Promise.all(paths.map((path) => this.findItem(path)));
    const row = rows.at(-1);
    if (row === undefined) {
      throw new Error('No row');
    }
    const keys = { ...this.#getContextKeysOfRow(row), listMultiSelection: true };
    const command = this.#manifest.findMenuCommand('view/item/context', labels, keys);
    if (command === undefined) {
      throw new Error(`${row.label} has no ${labels.join(' › ')}`);
    }
    void vscode.commands.executeCommand(
      command,
      row.element,
      rows.map(({ element }) => element),
    );
  }

  /** The rows of a view that are not below others. */
  getRows(viewId: string): Promise<readonly TreeRow[]> {
    return this.#readRows(this.#getCapturedView(viewId), undefined);
  }

  /** Waits for a row of one view, at any depth that is expanded, whose label and description match. */
  async findRowInView(viewId: string, text: RegExp): Promise<TreeRow> {
    const rowTexts: string[] = [];
    const search = async (element: unknown): Promise<TreeRow | undefined> => {
      for (const row of await this.#readRows(this.#getCapturedView(viewId), element)) {
        const shown = `${row.label} ${row.description}`;
        rowTexts.push(shown);
        const found = text.test(shown)
          ? row
          : this.#isExpanded(row.item)
            ? await search(row.element)
            : undefined;
        if (found !== undefined) {
          return found;
        }
      }
      return undefined;
    };
    return waitFor(
      () => {
        rowTexts.length = 0;
        return search(undefined);
      },
      () => `No row ${text} in ${viewId}; there is: ${rowTexts.join(', ')}`,
    );
  }

  /** The tooltip of a row that was found before. The extension creates it only when the pointer rests on the row. */
  async getRowTooltip({ viewId, item, element }: TreeRow): Promise<string> {
    const { provider } = this.#getCapturedView(viewId);
    const { token } = new vscode.CancellationTokenSource();
    const { tooltip } = (await provider.resolveTreeItem?.(item, element, token)) ?? item;
    const text = typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? '');
    // Text of the server is escaped for Markdown.
    return text
      .replaceAll('&nbsp;', ' ')
      .replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)))
      .replaceAll('\u{a0}', ' ')
      .replaceAll(/\\(?=\W)/g, '');
  }

  async getContextMenuLabels(path: TreeRowPath): Promise<readonly string[]> {
    return this.#getContextMenuLabelsOfRow(await this.findItem(path));
  }

  #getContextMenuLabelsOfRow(row: TreeRow): readonly string[] {
    return this.#manifest.getMenuLabels('view/item/context', this.#getContextKeysOfRow(row));
  }

  #getContextKeysOfRow({ viewId, item }: TreeRow): ContextKeys {
    return { ...this.#getContextKeys(), view: viewId, viewItem: item.contextValue };
  }

  #lastSeen: string[] = [];

  /**
   * Finds a row by its own label and those of rows above it, which need not be its direct parents. As on the screen, it
   * searches only below rows that are expanded, or that a label names.
   */
  async #search(labels: readonly TextMatcher[]): Promise<TreeRow | undefined> {
    this.#lastSeen = [];
    for (const captured of this.#views) {
      const found = await this.#searchBelow(captured, undefined, labels, 0);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  async #searchBelow(
    captured: CapturedView,
    element: unknown,
    labels: readonly TextMatcher[],
    depth: number,
  ): Promise<TreeRow | undefined> {
    const [label, ...rest] = labels;
    if (label === undefined || depth > maxDepth) {
      return undefined;
    }
    const pattern = toExactPattern(label);
    const rows = await this.#readRows(captured, element);
    this.#lastSeen.push(...rows.map((row) => row.label));
    for (const row of rows.filter((candidate) => pattern.test(candidate.label))) {
      if (rest.length === 0) {
        return row;
      }
      const found = await this.#searchBelow(captured, row.element, rest, depth + 1);
      if (found !== undefined) {
        return found;
      }
    }
    // As on the screen, a collapsed row shows no rows below it. A test expands a row by naming it in the path.
    for (const row of rows.filter(({ item }) => this.#isExpanded(item))) {
      const found = await this.#searchBelow(captured, row.element, labels, depth + 1);
      if (found !== undefined) {
        return found;
      }
    }
    return undefined;
  }

  readonly #expandedIds = new Set<string>();

  #isExpanded(item: vscode.TreeItem): boolean {
    return (
      item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded ||
      (item.id !== undefined && this.#expandedIds.has(item.id))
    );
  }

  /** Expands a row: from now on, single labels are found below it, too. */
  async expand(path: TreeRowPath): Promise<void> {
    const labels = isPath(path) ? path : [path];
    for (const depth of labels.keys()) {
      const { item } = await this.findItem(labels.slice(0, depth + 1));
      if (item.id !== undefined) {
        this.#expandedIds.add(item.id);
      }
    }
  }

  async #readRows({ id, provider }: CapturedView, element: unknown): Promise<readonly TreeRow[]> {
    const elements = (await provider.getChildren(element)) ?? [];
    return Promise.all(
      elements.map(async (child): Promise<TreeRow> => {
        const item = await provider.getTreeItem(child);
        const { label, description, tooltip } = item;
        const tooltipText = typeof tooltip === 'string' ? tooltip : (tooltip?.value ?? '');
        return {
          viewId: id,
          element: child,
          item,
          label: isHistoryEntry(item)
            ? (tooltipText.split('\n')[0] ?? '')
            : typeof label === 'string'
              ? label
              : (label?.label ?? ''),
          description: typeof description === 'string' ? description : '',
          tooltip: tooltipText,
        };
      }),
    );
  }

  #getCapturedView(viewId: string): CapturedView {
    const captured = this.#views.find(({ id }) => id === viewId);
    if (captured === undefined) {
      throw new Error(`No view ${viewId}`);
    }
    return captured;
  }
}

const maxDepth = 12;

/** The provider as the editor sees it: what the editor reads is recorded. */
function recordRows(
  provider: vscode.TreeDataProvider<unknown>,
  { children, items, elements }: ShownRows,
): vscode.TreeDataProvider<unknown> {
  return {
    getChildren: async (element) => {
      const rows = (await provider.getChildren(element)) ?? [];
      children.set(element, rows);
      for (const row of rows) {
        elements.set(getElementId(row), row);
      }
      return [...rows];
    },
    getTreeItem: async (element) => {
      const item = await provider.getTreeItem(element);
      items.set(element, item);
      return item;
    },
    getParent: (element) => provider.getParent?.(element),
    resolveTreeItem: (item, element, token) => provider.resolveTreeItem?.(item, element, token),
    onDidChangeTreeData: (listener) =>
      provider.onDidChangeTreeData?.((changed) => listener(elements.get(getElementId(changed)) ?? changed)) ??
      new vscode.Disposable(() => undefined),
  };
}

/** Returns the elements above an element, outermost first. */
async function getAncestors(
  provider: vscode.TreeDataProvider<unknown>,
  element: unknown,
): Promise<readonly unknown[]> {
  const parent = await provider.getParent?.(element);
  return parent === undefined || parent === null ? [] : [...(await getAncestors(provider, parent)), parent];
}

const toEditorElement = ({ shown }: CapturedView, element: unknown): unknown =>
  shown.elements.get(getElementId(element)) ?? element;

/** Identifies an element of a tree: the provider creates new objects for the same rows. */
const getElementId = (element: unknown): unknown => Reflect.get(Object(element), 'id') ?? element;

const toLabel = (item: vscode.TreeItem | undefined): string =>
  typeof item?.label === 'string' ? item.label : (item?.label?.label ?? '');

function isPath(path: TreeRowPath): path is readonly TextMatcher[] {
  return Array.isArray(path);
}
