import { PromiseCache } from '../base/promiseCache.ts';
import { type Datamodel, getDatamodelType } from '../contract/datamodel.ts';
import type { PartialResult } from '../contract/partialResult.ts';
import type { DatamodelSource } from './datamodelCache.ts';
import { type ModelCatalog, createModelCatalog, mergeModelCatalogs } from './modelCatalog.ts';
import { loadCompleteDatamodel } from './loadCompleteDatamodel.ts';

/** A datamodel with the names that SQL, rules and viewpoints use. The same object until the datamodel changes. */
export interface NamedDatamodel {
  /** The complete datamodel, including its tables and relations. */
  readonly datamodel: Datamodel;
  readonly catalog: ModelCatalog;
}

/** The source of the datamodels, such as an `InstanceCatalog`. */
export interface NamedDatamodelSource extends DatamodelSource {
  readonly partial: { datamodels(): Promise<PartialResult<readonly Datamodel[]>> };
}

/**
 * The datamodels of one instance, complete and with their names: tables, columns and their types. Each datamodel is
 * read on first use and cached until it is forgotten; all completions, plans and imports share it.
 */
export class NamedDatamodels {
  readonly #source: NamedDatamodelSource;
  readonly #datamodels = new PromiseCache<NamedDatamodel>();
  /** The names that rules of cube sets may use, and the datamodels that they were merged from. */
  #cubeSetCatalog:
    | {
        readonly names: ModelCatalog;
        readonly datamodels: readonly NamedDatamodel[];
        readonly isComplete: boolean;
      }
    | undefined;

  constructor(source: NamedDatamodelSource) {
    this.#source = source;
  }

  /**
   * A datamodel with all its names.
   * @throws ApiError, also if a part of the datamodel cannot be read
   */
  get(datamodelId: string): Promise<NamedDatamodel> {
    return this.#datamodels.get(datamodelId, async () => {
      const datamodel = await loadCompleteDatamodel(this.#source, datamodelId);
      return { datamodel, catalog: createModelCatalog(datamodel) };
    });
  }

  /**
   * The first datamodel in the list that matches; `undefined` if none does.
   * @throws ApiError
   */
  async find(
    predicate: (datamodel: Datamodel, index: number, datamodels: readonly Datamodel[]) => boolean,
  ): Promise<NamedDatamodel | undefined> {
    const datamodel = (await this.#source.partial.datamodels()).value.find(predicate);
    return datamodel === undefined ? undefined : this.get(datamodel.oid);
  }

  /**
   * All datamodels in the list that match and can be read. `isComplete` is false if another one that matches, or might
   * match, could not be read.
   * @throws ApiError if the datamodels can't be listed
   */
  async getAll(
    predicate: (datamodel: Datamodel) => boolean,
  ): Promise<{ readonly datamodels: readonly NamedDatamodel[]; readonly isComplete: boolean }> {
    const { value, unreadable } = await this.#source.partial.datamodels();
    const results = await Promise.allSettled(value.filter(predicate).map(({ oid }) => this.get(oid)));
    const datamodels = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    return { datamodels, isComplete: unreadable.length === 0 && datamodels.length === results.length };
  }

  /**
   * The names that the rules of a cube set may use: those of all extract datamodels, since no request lists which of
   * them are in the set (decisions.md, "REST client"). Incomplete if one of them can't be read. The same object until
   * one of them changes.
   * @throws ApiError if the datamodels can't be listed
   */
  async getForCubeSet(): Promise<ModelCatalog> {
    const { datamodels, isComplete } = await this.getAll(
      (datamodel) => getDatamodelType(datamodel) !== 'live',
    );
    const last = this.#cubeSetCatalog;
    if (last?.isComplete !== isComplete || !isSameList(last.datamodels, datamodels)) {
      const merged = mergeNames(datamodels);
      const names = { ...merged, complete: merged.complete && isComplete };
      this.#cubeSetCatalog = { names, datamodels, isComplete };
      return names;
    }
    return last.names;
  }

  /** Discards a datamodel that has changed: the next caller reads it again. */
  forget(datamodelId: string): void {
    this.#datamodels.forget(datamodelId);
  }

  clear(): void {
    this.#datamodels.clear();
  }
}

/** Merges the names of several datamodels, for rules that may refer to any of them. */
export const mergeNames = (datamodels: readonly NamedDatamodel[]): ModelCatalog =>
  mergeModelCatalogs(datamodels.map(({ catalog }) => catalog));

const isSameList = (a: readonly unknown[], b: readonly unknown[]): boolean =>
  a.length === b.length && a.every((item, index) => item === b[index]);
