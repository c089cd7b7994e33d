import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { getFileKind } from '../files/fileKinds.ts';
import { findNameFaults } from '../files/readFault.ts';
import { readProjectText } from '../files/readProject.ts';
import { getParentFolders, isInItemFolder } from '../paths.ts';
import { projectFileName } from '../projectFileName.ts';
import { type ListedEnvironment, listEnvironments } from '../pull/findEnvironments.ts';
import { formatLock, getLockPath, readLock } from '../pull/lock.ts';
import {
  defaultProjectSettings,
  getEnvironmentPath,
  readEnvironment,
  readEnvironmentSettings,
} from '../settings/projectSettings.ts';
import type { ProjectPlan } from './loadProjectPlan.ts';

/** Checks whether the files that a plan was made from have changed: those of the project, and of its environment. */
export class PlanSourceCheck {
  readonly #plan: Pick<ProjectPlan, 'sources' | 'lock'>;
  readonly #environment: ListedEnvironment;
  readonly #folders: ReadonlySet<string>;

  /** @param environment the environment as it was when the plan was made */
  constructor(plan: Pick<ProjectPlan, 'sources' | 'lock'>, environment: ListedEnvironment) {
    this.#plan = plan;
    this.#environment = environment;
    this.#folders = new Set([...plan.sources.texts.keys()].flatMap(getParentFolders));
  }

  /**
   * Returns whether the file or folder at a path is as it was when the plan was made, or doesn't matter for the plan.
   * Of the files of items, reads only the one at this path.
   */
  async isUnchanged(path: string): Promise<boolean> {
    const { name } = this.#environment;
    try {
      switch (path) {
        case projectFileName:
          return await this.#hasSameSettings();
        case getEnvironmentPath(name):
          return await this.#hasSameEnvironment();
        case getLockPath(name):
          return formatLock(await readLock(this.#folder, name)) === formatLock(this.#plan.lock);
        default:
          return !isInItemFolder(path) || (await this.#hasSameText(path));
      }
    } catch {
      // The error is reported when the next plan is made.
      return false;
    }
  }

  get #folder(): string {
    return this.#plan.sources.target.folder;
  }

  async #hasSameSettings(): Promise<boolean> {
    const settings = await readEnvironmentSettings(this.#folder, this.#environment.name);
    return isDeepStrictEqual(settings ?? defaultProjectSettings, this.#plan.sources.target.settings);
  }

  async #hasSameEnvironment(): Promise<boolean> {
    const environments = await listEnvironments(this.#folder);
    const listed = environments.find(({ name }) => name === this.#environment.name);
    if (!isDeepStrictEqual(listed, this.#environment)) {
      return false;
    }
    const { connections = {} } = await readEnvironment(this.#folder, this.#environment.name);
    return (
      isDeepStrictEqual(connections, this.#plan.sources.target.connections) &&
      // The environment also decides whether the settings include viewpoints.
      (await this.#hasSameSettings())
    );
  }

  async #hasSameText(path: string): Promise<boolean> {
    if (getFileKind(path) !== undefined) {
      const text = await readProjectText(this.#folder, path);
      return typeof text === 'string' && text === this.#plan.sources.texts.get(path);
    }
    // If a folder was created, renamed, or deleted, the files in it may not be reported.
    const isOrWasFolder = this.#folders.has(path) || (await isFolder(join(this.#folder, path)));
    return !isOrWasFolder && !path.endsWith(`/${projectFileName}`) && findNameFaults(path).length === 0;
  }
}

const isFolder = (path: string): Promise<boolean> =>
  stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
