import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { FrameLocator, Locator, Page } from 'playwright-core';
import { artifactsFolder } from './artifacts.ts';
import { chooseFromMenu, getMenuLabels } from './menus.ts';
import { QuickInput } from './quickInput.ts';
import type { TextMatcher } from './textPatterns.ts';
import { toExactPattern } from './textPatterns.ts';
import type { ThemeName } from './themes.ts';
import { themes } from './themes.ts';
import type { TreeRowPath } from './tree.ts';
import { WorkbenchTree } from './tree.ts';

/** Long enough for a window that has just been reloaded, beside two other windows on two slow cores. */
const waitMs = 45_000;
const startMs = 60_000;
const menuAttempts = 3;

/** A VS Code window with the extension, and the actions of a user in it. Every action waits until it is possible. */
export class Studio {
  /** The page of the window, for actions that have no helper. */
  readonly page: Page;
  /** The tree of the side bar. */
  readonly tree: WorkbenchTree;
  readonly quickInput: QuickInput;
  /** The opened folder on disk. */
  readonly workspace: string;
  readonly #viewTitle: string;

  constructor(page: Page, workspace: string, viewTitle: string) {
    this.page = page;
    this.workspace = workspace;
    this.#viewTitle = viewTitle;
    this.tree = new WorkbenchTree(page, '.part.sidebar');
    this.quickInput = new QuickInput(page);
  }

  /** Waits for the workbench and for the contributions of the extension. */
  async waitUntilReady(): Promise<void> {
    await this.page.locator('.monaco-workbench').waitFor({ timeout: startMs });
    await this.#getViewTab().waitFor({ timeout: startMs });
    // While the workbench restores its parts, it moves the focus.
    await this.page.waitForFunction(
      () => performance.getEntriesByName('code/didStartWorkbench').length > 0,
      undefined,
      { timeout: startMs },
    );
  }

  async runCommand(title: string): Promise<void> {
    await this.quickInput.runCommand(title);
  }

  /** Trusts the opened folder as a user would: until then the editor is in Restricted Mode. */
  async trustWorkspace(): Promise<void> {
    await this.waitForStatusBarItem('Restricted Mode');
    await this.runCommand('Workspaces: Manage Workspace Trust');
    await this.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .click({ timeout: waitMs });
    await this.page
      .locator('.part.statusbar .statusbar-item:visible', { hasText: 'Restricted Mode' })
      .waitFor({ state: 'detached', timeout: waitMs });
    await this.runCommand('View: Close All Editors');
  }

  /** Shows the view container of the extension. */
  async openView(): Promise<void> {
    const tab = this.#getViewTab();
    const title = this.page.locator('.part.sidebar .composite.title', { hasText: this.#viewTitle });
    for (let attempt = 1; ; attempt += 1) {
      if ((await tab.getAttribute('aria-selected')) !== 'true') {
        await tab.click();
      }
      try {
        await title.waitFor({ timeout: 5000 });
        return;
      } catch (error) {
        // While a window is restoring its view, the click would hide it.
        if (attempt === 5) {
          throw error;
        }
      }
    }
  }

  async findTreeItem(path: TreeRowPath): Promise<Locator> {
    return this.tree.findItem(path);
  }

  /** Waits until a row is gone while its parent still exists. */
  async waitForTreeItemGone(path: readonly [TextMatcher, ...TextMatcher[]]): Promise<void> {
    await this.tree.waitForItemGone(path);
  }

  async expand(path: TreeRowPath): Promise<void> {
    await this.tree.expand(path);
  }

  /** Right-clicks a row, and selects a menu item; with several labels, an item of a submenu. */
  async chooseFromContextMenu(path: TreeRowPath, ...labels: readonly string[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      await this.tree.click(path, 'right');
      try {
        await chooseFromMenu(this.page, labels);
        return;
      } catch (error) {
        // A document that appears at that moment closes the menu: open it again, as a person would.
        if (attempt === menuAttempts) {
          throw error;
        }
        if (await this.page.locator('.context-view-block').isVisible()) {
          await this.page.keyboard.press('Escape');
        }
      }
    }
  }

  /** Returns the labels of a row's context menu, then closes it. */
  async getContextMenuLabels(path: TreeRowPath): Promise<readonly string[]> {
    await this.tree.click(path, 'right');
    const labels = await getMenuLabels(this.page);
    await this.page.keyboard.press('Escape');
    return labels;
  }

  /** Clicks a button or link of a welcome view. */
  async clickWelcomeAction(label: string): Promise<void> {
    const welcome = this.page.locator('.part.sidebar .welcome-view:visible');
    await welcome.locator('.monaco-button, a', { hasText: toExactPattern(label) }).click({ timeout: waitMs });
  }

  async selectQuickPick(label: TextMatcher): Promise<void> {
    await this.quickInput.pick(label);
  }

  async submitInputBox(text: string): Promise<void> {
    await this.quickInput.submitText(text);
  }

  /** Waits for a status bar item that shows the text. */
  async waitForStatusBarItem(text: TextMatcher, timeout: number = waitMs): Promise<Locator> {
    const item = this.page.locator('.part.statusbar .statusbar-item:visible', { hasText: text }).first();
    await item.waitFor({ timeout });
    return item;
  }

  /** Waits for a visible notification. */
  async waitForNotification(text: TextMatcher, timeout: number = waitMs): Promise<Locator> {
    const toast = this.#findToast(text);
    await toast.waitFor({ timeout });
    return toast;
  }

  async waitForNotificationGone(text: TextMatcher, timeout: number = waitMs): Promise<void> {
    await this.#findToast(text).waitFor({ state: 'hidden', timeout });
  }

  /** Clicks a button of a notification, including Cancel of a progress notification. */
  async clickNotificationAction(text: TextMatcher, label: string): Promise<void> {
    const button = this.#findToast(text).locator('.monaco-button', { hasText: toExactPattern(label) });
    await button.click({ timeout: waitMs });
  }

  /** Clicks a button of the modal dialog. */
  async clickDialogAction(label: string): Promise<void> {
    const dialog = this.page.locator('.monaco-dialog-box');
    await dialog.locator('.monaco-button', { hasText: toExactPattern(label) }).click({ timeout: waitMs });
  }

  /** Returns the active editor once its tab has the title. */
  async waitForEditor(title: TextMatcher): Promise<Locator> {
    const group = this.page.locator('.part.editor .editor-group-container.active');
    // The file extension is rendered as a separate element.
    const label = group.locator('.tab.active .tab-label .monaco-icon-label-container', {
      hasText: toExactPattern(title),
    });
    await label.waitFor({ timeout: waitMs });
    return group.locator('.editor-container');
  }

  /** Returns the visible lines of the active text editor once they contain the text. */
  async waitForEditorText(text: TextMatcher): Promise<Locator> {
    const lines = this.page.locator('.part.editor .editor-group-container.active .view-lines', {
      hasText: text,
    });
    await lines.first().waitFor({ timeout: waitMs });
    return lines.first();
  }

  /** Returns the frame of the visible custom editor or webview. */
  getWebview(): FrameLocator {
    return this.page.frameLocator('iframe.webview.ready:visible').frameLocator('#active-frame');
  }

  /** Switches the theme as a user would. */
  async setTheme(theme: ThemeName): Promise<void> {
    const { pickerLabel, workbenchClass } = themes[theme];
    const workbench = this.page.locator(`.monaco-workbench.${workbenchClass}`);
    if ((await workbench.count()) > 0) {
      return;
    }
    await this.runCommand('Preferences: Color Theme');
    await this.selectQuickPick(pickerLabel);
    await workbench.waitFor({ timeout: waitMs });
  }

  /**
   * Reloads the page, as after a crash: state on disk stays, but state that the editor saves on shutdown may be lost.
   */
  async reload(): Promise<void> {
    await this.page.reload();
    await this.waitUntilReady();
  }

  /** Reloads the window by the editor's own command, which first saves the state of the window. */
  async reloadWindow(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: startMs });
    await this.runCommand('Developer: Reload Window');
    await loaded;
    await this.waitUntilReady();
  }

  /** Saves a screenshot under a name and returns the path of the file. */
  async screenshot(name: string): Promise<string> {
    const folder = join(artifactsFolder, 'screenshots');
    await mkdir(folder, { recursive: true });
    const path = join(folder, `${name}.png`);
    await this.page.screenshot({ path, animations: 'disabled' });
    return path;
  }

  #getViewTab(): Locator {
    return this.page.locator('.part.activitybar').getByRole('tab', { name: this.#viewTitle }).first();
  }

  #findToast(text: TextMatcher): Locator {
    const message = this.page.locator('.notification-list-item-message', { hasText: text });
    return this.page.locator('.notification-toast').filter({ has: message }).first();
  }
}
