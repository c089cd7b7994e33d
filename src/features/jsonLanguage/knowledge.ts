import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Catalog as InstanceCatalog } from '../../catalog/catalog.ts';
import { modelCatalog } from '../../catalog/modelCatalog.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { ruleSubjectOf, subjectTitle } from '../../catalog/ruleSubject.ts';
import { SeenOnInstance } from '../../catalog/seenOnInstance.ts';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { wholeDatamodel } from '../../catalog/wholeDatamodel.ts';
import { schemes } from '../../contributions.ts';
import type { Datamodel } from '../../contract/datamodel.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import type { LanguageContext } from '../../jsonLanguage/context.ts';
import type { JsonDocumentKind } from '../../jsonLanguage/documentKind.ts';
import { datamodelTitle } from '../../jsonLanguage/subjectName.ts';
import type { Catalog } from '../../sql/context.ts';
import { Model } from '../../viewpoints/model.ts';
import type { JsonLanguageDeps } from './deps.ts';

/** What is known of the datamodel that a document is about. */
export interface Knowledge {
  readonly connectionId: string;
  readonly datamodel: Datamodel;
  readonly catalog: Catalog;
  readonly model: Model;
}

/** What documents of a connection can name. */
export interface InstanceKnowledge extends LanguageContext {
  readonly connectionId: string | undefined;
  readonly ofDatamodel: Knowledge | undefined;
  /** What is known of the instance without asking it; absent where it cannot be asked. */
  readonly instance: InstanceCatalog | undefined;
}

/** A datamodel that could not be had is asked for again after this time. */
const patienceMs = 30_000;

interface Load {
  readonly value: Promise<Knowledge | undefined>;
  /** When a load that failed, or found no such datamodel, is tried again. */
  retryAt: number;
}

/**
 * What open documents can know: the datamodel that each names, loaded once and again after it changed. While a
 * document is typed nothing is asked for that is there already.
 */
export class KnowledgeOfDocuments implements Disposable {
  readonly #deps: JsonLanguageDeps;
  readonly #store = new DisposableStore();
  readonly #loads = new Map<string, Load>();
  readonly #asked = new Set<string>();
  readonly #onDidChange = this.#store.add(new vscode.EventEmitter<void>());
  /** What is known of some document may be another thing now. */
  readonly onDidChange = this.#onDidChange.event;

  constructor(deps: JsonLanguageDeps) {
    this.#deps = deps;
    const { sessions } = deps;
    this.#store.add(
      sessions.onDidChangeCatalog(({ change }) => {
        if (change.kind === 'all' || change.kind === 'datamodels' || change.kind === 'datamodel') {
          this.#forget();
        }
      }),
    );
    this.#store.add(sessions.onDidOpen(() => this.#forget()));
    this.#store.add(sessions.onDidEnd(() => this.#forget()));
    this.#store.add(deps.current.onDidChange(() => this.#onDidChange.fire()));
  }

  /** What is known of what a document is about. Never throws: what cannot be had is not known. */
  async of(uri: vscode.Uri, kind: JsonDocumentKind, text: string): Promise<InstanceKnowledge> {
    const connectionId = this.#connectionOf(uri);
    // A rule of a server says where it is from by its address, whatever its text says.
    const resource = originOf(uri)?.resource;
    const title =
      resource !== undefined && 'subject' in resource
        ? subjectTitle(resource.subject)
        : datamodelTitle(kind, text);
    const ofDatamodel = connectionId === undefined ? undefined : await this.#load(connectionId, title);
    const instance = connectionId === undefined ? undefined : this.#deps.sessions.peek(connectionId)?.catalog;
    if (connectionId !== undefined && instance !== undefined) {
      this.#askOnce(connectionId, kind, ofDatamodel, instance);
    }
    return {
      connectionId,
      ofDatamodel,
      instance,
      model: ofDatamodel?.model ?? new Model(undefined),
      seen: new SeenOnInstance(instance?.known ?? { datamodels: [], rules: [], viewpoints: [] }),
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** The connection of a remote document; of a file that on which the person works. */
  #connectionOf(uri: vscode.Uri): string | undefined {
    return originOf(uri)?.connectionId ?? this.#deps.current.value?.id;
  }

  #load(connectionId: string, title: string | undefined): Promise<Knowledge | undefined> {
    const { clock, log } = this.#deps;
    const key = JSON.stringify([connectionId, title]);
    const known = this.#loads.get(key);
    if (known !== undefined && clock.now() < known.retryAt) {
      return known.value;
    }
    const load: Load = {
      retryAt: Number.POSITIVE_INFINITY,
      value: this.#read(connectionId, title)
        .catch((error: unknown) => {
          log.warn('catalog', 'A datamodel could not be loaded for a document', { reason: String(error) });
          return undefined;
        })
        .then((value) => {
          if (value === undefined) {
            load.retryAt = clock.now() + patienceMs;
          }
          return value;
        }),
    };
    this.#loads.set(key, load);
    return load.value;
  }

  async #read(connectionId: string, title: string | undefined): Promise<Knowledge | undefined> {
    // A file that is opened starts no sandbox.
    const session = await this.#deps.sessions.getRunning(connectionId);
    const datamodels = (await session?.catalog.datamodels()) ?? [];
    // Where a document names none, a single datamodel is the one that is meant.
    const entry =
      title === undefined && datamodels.length === 1
        ? datamodels[0]
        : datamodels.find((datamodel) => datamodel.title === title);
    if (session === undefined || entry === undefined) {
      return undefined;
    }
    const datamodel = await wholeDatamodel(session.catalog, entry.oid);
    const catalog = modelCatalog(datamodel);
    return { connectionId, datamodel, catalog, model: new Model(catalog) };
  }

  /** The first page of viewpoints, or the rules of the datamodel: where names of apps, groups and users are seen. */
  #askOnce(
    connectionId: string,
    kind: JsonDocumentKind,
    of: Knowledge | undefined,
    instance: InstanceCatalog,
  ): void {
    const subject = of === undefined ? undefined : ruleSubjectOf(of.datamodel);
    const key = JSON.stringify([connectionId, kind === 'viewpoint' ? 'viewpoints' : subject]);
    if (this.#asked.has(key) || (kind !== 'viewpoint' && subject === undefined)) {
      return;
    }
    this.#asked.add(key);
    const loading: Promise<unknown> =
      kind === 'viewpoint' || subject === undefined ? instance.viewpoints.first() : instance.rules(subject);
    loading.catch((error: unknown) => {
      this.#deps.log.info('catalog', 'Names for documents could not be loaded', { reason: String(error) });
    });
  }

  #forget(): void {
    this.#loads.clear();
    this.#asked.clear();
    this.#onDidChange.fire();
  }
}

/** What a remote document shows; `undefined` for files. */
function originOf(
  uri: vscode.Uri,
): { readonly connectionId: string; readonly resource: ResourceRef } | undefined {
  switch (uri.scheme) {
    case schemes.document:
      return readDocumentPath(uri.path);
    case schemes.view:
      return readViewAddress(uri.query);
    default:
      return undefined;
  }
}
