import { evenIfRenewed } from '../../client/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Catalog as InstanceCatalog, Known } from '../../catalog/catalog.ts';
import type { NamedDatamodel } from '../../catalog/datamodelNames.ts';
import type { ResourceRef } from '../../catalog/resourceRef.ts';
import { PickedDatamodels } from '../../catalog/pickedDatamodels.ts';
import { ruleSubjectOf, subjectTitle } from '../../catalog/ruleSubject.ts';
import { SeenOnInstance } from '../../catalog/seenOnInstance.ts';
import { readViewAddress } from '../../catalog/viewAddress.ts';
import { schemes } from '../../contributions.ts';
import { peekDirectory } from '../../connections/directoryOf.ts';
import { readDocumentPath } from '../../documents/documentAddress.ts';
import type { LanguageContext, Named } from '../../json/language/context.ts';
import type { JsonDocumentKind } from '../../json/language/documentKind.ts';
import { type WrittenTitle, writtenTitle } from '../../json/language/subjectName.ts';
import type { JsonDocument } from '../../json/text/parseJson.ts';
import type { KnownParty } from '../../catalog/people/directory.ts';
import { Model } from '../../viewpoints/model.ts';
import type { JsonLanguageDeps } from './deps.ts';
import * as vscode from 'vscode';

/** What is known of the datamodel that a document is about. */
export interface Knowledge extends NamedDatamodel {
  readonly connectionId: string;
  readonly model: Model;
}

/** What documents of a connection can name. */
export interface InstanceKnowledge extends LanguageContext {
  readonly connectionId: string | undefined;
  readonly ofDatamodel: Knowledge | undefined;
  /** What the document names, where the instance has no such datamodel. */
  readonly unknownDatamodel: WrittenTitle | undefined;
  /** What is known of the instance without asking it; absent where it cannot be asked. */
  readonly instance: InstanceCatalog | undefined;
}

/** A datamodel that could not be had is asked for again after this time. */
const patienceMs = 30_000;

/**
 * What open documents can know: the datamodel that each names. While a document is typed nothing is asked for that is
 * there already.
 */
export class KnowledgeOfDocuments implements Disposable {
  readonly #deps: JsonLanguageDeps;
  readonly #store = new DisposableStore();
  readonly #known = new WeakMap<NamedDatamodel, Knowledge>();
  /** Until when a connection that failed is not asked again. */
  readonly #failedUntil = new Map<string, number>();
  readonly #asked = new Set<string>();
  /** What was read last: completion, problems and hover ask for the same text one after another. */
  #lastRead:
    | {
        readonly kind: JsonDocumentKind;
        readonly json: JsonDocument;
        readonly title: WrittenTitle | undefined;
      }
    | undefined;
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
  async of(uri: vscode.Uri, kind: JsonDocumentKind, json: JsonDocument): Promise<InstanceKnowledge> {
    const origin = originOf(uri);
    const written = this.#titleIn(kind, json);
    // A rule of a server says where it is from by its address, whatever its text says.
    const resource = origin?.resource;
    const title =
      resource !== undefined && 'subject' in resource ? subjectTitle(resource.subject) : written?.title;
    // A file that names no datamodel is about the one that was picked for it (design.md, section 6).
    const picked =
      title === undefined && origin === undefined
        ? new PickedDatamodels(this.#deps.pickMemory).of(uri.toString())
        : undefined;
    const connectionId = origin?.connectionId ?? picked?.connectionId ?? this.#deps.current.value?.id;
    const ofDatamodel =
      connectionId === undefined
        ? undefined
        : await this.#load(connectionId, { title, datamodelId: picked?.datamodelId });
    const instance = connectionId === undefined ? undefined : this.#deps.sessions.peek(connectionId)?.catalog;
    if (connectionId !== undefined && instance !== undefined) {
      this.#askOnce(connectionId, kind, ofDatamodel, instance);
    }
    const datamodels = instance?.known.datamodels ?? [];
    const hasFailed = this.#failedUntil.has(connectionId ?? '');
    const isUnknown =
      written !== undefined &&
      !hasFailed &&
      datamodels.length > 0 &&
      !datamodels.some((known) => known.title === title);
    return {
      connectionId,
      ofDatamodel,
      unknownDatamodel: isUnknown ? written : undefined,
      instance,
      model: ofDatamodel?.model ?? new Model(undefined),
      seen: this.#seen(connectionId, instance?.known ?? { datamodels: [], rules: [], viewpoints: [] }),
    };
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** What documents of the instance name, and who else is known to be there. */
  #seen(connectionId: string | undefined, known: Known): LanguageContext['seen'] {
    const seen = new SeenOnInstance(known);
    if (connectionId === undefined) {
      return seen;
    }
    const directory = peekDirectory(this.#deps, connectionId);
    const { apps, datamodels } = seen;
    return {
      apps,
      datamodels,
      groups: directory.parties('group').map(namedParty),
      users: directory.parties('user').map(namedParty),
      members: (table, column) => seen.members(table, column),
    };
  }

  #titleIn(kind: JsonDocumentKind, json: JsonDocument): WrittenTitle | undefined {
    if (this.#lastRead?.kind !== kind || this.#lastRead.json !== json) {
      this.#lastRead = { kind, json, title: writtenTitle(kind, json) };
    }
    return this.#lastRead.title;
  }

  /** The datamodel of that title, or the only one; `undefined` where there is none, or it cannot be had. */
  async #load(
    connectionId: string,
    { title, datamodelId }: { readonly title: string | undefined; readonly datamodelId: string | undefined },
  ): Promise<Knowledge | undefined> {
    const { clock, log, sessions } = this.#deps;
    if (clock.now() < (this.#failedUntil.get(connectionId) ?? 0)) {
      return undefined;
    }
    try {
      const named = await evenIfRenewed(async () => {
        // A file that is opened starts no sandbox.
        const session = await sessions.getRunning(connectionId);
        return session?.catalog.names.find(
          (entry, _index, { length }) =>
            (title === undefined && length === 1) || entry.title === title || entry.oid === datamodelId,
        );
      });
      this.#failedUntil.delete(connectionId);
      return named && this.#knowledge(connectionId, named);
    } catch (error) {
      log.warn('catalog', 'A datamodel could not be loaded for a document', { reason: String(error) });
      this.#failedUntil.set(connectionId, clock.now() + patienceMs);
      return undefined;
    }
  }

  /** What is made of the names of a datamodel, once. */
  #knowledge(connectionId: string, named: NamedDatamodel): Knowledge {
    const knowledge = this.#known.get(named) ?? { connectionId, ...named, model: new Model(named.catalog) };
    this.#known.set(named, knowledge);
    return knowledge;
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
    this.#failedUntil.clear();
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

const namedParty = ({ id, name }: KnownParty): Named =>
  id === undefined ? { value: name } : { value: id, isId: true, ...(id === name ? {} : { label: name }) };
