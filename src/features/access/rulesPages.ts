import type * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { SubjectTarget, UriTarget } from '../../contributions.ts';
import type { AccessFeatureDeps, RulesPageDeps } from './deps.ts';
import { FileAccessPages } from './fileAccessPages.ts';
import { MatrixDrafts } from './matrixDrafts.ts';
import { openAccess, restoreAccess } from './openAccess.ts';
import {
  type FileMatrixDeps,
  type MatrixTabs,
  applyActiveMatrix,
  openFileMatrix,
  openMatrix,
  restoreMatrix,
  showFileMatrix,
} from './openMatrix.ts';

/**
 * The pages with rules of servers and of files: Effective Access and the rule matrix. They open each other, and Effective
 * Access previews what the matrix has not applied yet.
 */
export class RulesPages extends DisposableStore {
  readonly #deps: RulesPageDeps;
  readonly #tabs: MatrixTabs = new Map();
  readonly #fileAccess: FileAccessPages;
  readonly #fileMatrixDeps: FileMatrixDeps;

  constructor(deps: AccessFeatureDeps) {
    super();
    this.#deps = { ...deps, matrixDrafts: this.add(new MatrixDrafts(deps.matrixDraftStorage)) };
    this.#fileAccess = this.add(
      new FileAccessPages(this.#deps, (target) => showFileMatrix(this.#fileMatrixDeps, target)),
    );
    this.#fileMatrixDeps = { deps: this.#deps, tabs: this.#tabs, fileAccess: this.#fileAccess };
  }

  openAccess(target: SubjectTarget | undefined): Promise<void> {
    return openAccess(this.#deps, target);
  }

  openFileAccess(uri: UriTarget | undefined): Promise<void> {
    return this.#fileAccess.open(uri, this.#tabs.values());
  }

  restoreAccess(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return restoreAccess(this.#deps, panel, state, this.#fileAccess);
  }

  openMatrix(target: SubjectTarget | undefined): Promise<void> {
    return openMatrix(this.#deps, this.#tabs, target);
  }

  openFileMatrix(uri: UriTarget | undefined): Promise<void> {
    return openFileMatrix(this.#fileMatrixDeps, uri);
  }

  restoreMatrix(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    return restoreMatrix(this.#fileMatrixDeps, panel, state);
  }

  /** Applies the changes in the active tab of the matrix. */
  applyActiveMatrix(): Promise<void> {
    return applyActiveMatrix(this.#tabs);
  }
}
