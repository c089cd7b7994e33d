import type { Clock } from '../base/clock.ts';
import type { BaseMemory } from './baseMemory.ts';
import { readDocumentPath } from './documentAddress.ts';
import type { DocumentState, ShownVersion } from './documentState.ts';
import { createDocumentHandler } from './kinds/kinds.ts';
import { DocumentRefusedError } from './refusals.ts';
import type { RuleAliases } from './ruleAliases.ts';
import type { ServerDocumentCache } from './serverDocumentCache.ts';
import { Version, readVersion } from './version.ts';

/** What the documents need of the editor that shows them. */
export interface DocumentEditor {
  /** Whether the document is open with changes that are not saved. */
  isDirty(path: string): boolean;
}

interface DocumentStatesDeps {
  readonly sources: ServerDocumentCache;
  readonly clock: Clock;
  readonly editor: DocumentEditor;
  readonly memory: BaseMemory;
  readonly aliases: RuleAliases;
}

/** What is known of each document: what its server holds, and what a person's text was made from. */
export class DocumentStates {
  readonly #deps: DocumentStatesDeps;
  readonly #states = new Map<string, DocumentState>();

  constructor(deps: DocumentStatesDeps) {
    this.#deps = deps;
  }

  find(path: string): DocumentState | undefined {
    return this.#states.get(path);
  }

  /** @throws DocumentRefusedError `not-opened` for a path that is no document */
  getOrCreate(path: string): DocumentState {
    const known = this.#states.get(path);
    if (known !== undefined && known.document.resource.kind !== 'rule') {
      return known;
    }
    const document = readDocumentPath(path);
    if (document === undefined) {
      throw new DocumentRefusedError('not-opened');
    }
    const current = this.#deps.aliases.current(document);
    if (known !== undefined) {
      // A rule may go by another id since, as after it was brought back.
      known.document = current;
      known.handler = createDocumentHandler(current.resource);
      return known;
    }
    const state = {
      path,
      document: current,
      handler: createDocumentHandler(current.resource),
      isAwaitingEditor: false,
    };
    this.#states.set(path, state);
    return state;
  }

  /** The document with what its unsaved text was made from, where the editor kept that text over a restart. */
  async getOrRecall(path: string): Promise<DocumentState> {
    const state = this.getOrCreate(path);
    if (state.base !== undefined || !this.#deps.editor.isDirty(path)) {
      return state;
    }
    const base = await this.#deps.memory.recall(path);
    const version = base && readVersion(base.text, state.handler);
    if (base !== undefined && version !== undefined && state.base === undefined) {
      state.base = version;
      state.remembered = version;
      state.editor = { mtime: base.mtime, size: base.size };
      if (state.current === undefined || state.current.version.hash === version.hash) {
        state.current = { version, mtime: base.mtime };
      }
    }
    return state;
  }

  /** What the server holds, at most so old. */
  async refresh(state: DocumentState, maxAgeMs: number): Promise<ShownVersion> {
    const source = await this.#deps.sources.get(state.document, maxAgeMs);
    if (state.current !== undefined && state.source === source) {
      return state.current;
    }
    const value = source.value === undefined ? undefined : state.handler.show(source.value);
    if (value === undefined && state.interruptedSave !== undefined && state.current !== undefined) {
      // Our own save that stopped has taken it away: the next one brings it back.
      return state.current;
    }
    if (value === undefined) {
      delete state.source;
      throw new DocumentRefusedError('gone');
    }
    state.source = source;
    state.current = this.#newer(state.current, Version.create(value, state.handler.isServerManaged));
    if (state.attempted !== undefined && state.attempted === state.current.version.hash) {
      // A save whose answer was lost did happen: nothing of this is anybody else's.
      this.adopt(state, state.current.version);
    }
    return state.current;
  }

  /** The bytes stay while the document says the same. */
  #newer(former: ShownVersion | undefined, version: Version): ShownVersion {
    if (former === undefined) {
      return { version, mtime: this.#deps.clock.now() };
    }
    return former.version.hash === version.hash
      ? former
      : { version, mtime: Math.max(this.#deps.clock.now(), former.mtime + 1) };
  }

  /** The editor shows this version, and what a person changes from here on is made from it. */
  rebase(state: DocumentState, { version, mtime }: ShownVersion): void {
    state.base = version;
    state.editor = { mtime, size: version.bytes.length };
    delete state.asked;
  }

  /** The person's text was made from this version of the server's: the editor need not ask about it. */
  adopt(state: DocumentState, theirs: Version): void {
    if (state.current?.version === theirs) {
      const mtime = state.editor?.mtime ?? state.current.mtime;
      state.current = { version: theirs, mtime };
      state.base = theirs;
      delete state.asked;
    }
  }

  /** There is nothing unsaved any more. */
  forgetBase(path: string): void {
    const state = this.#states.get(path);
    if (state?.remembered !== undefined) {
      delete state.remembered;
      // A base that is left over is not used: it counts only for a document with unsaved changes.
      void this.#deps.memory.forget(path).catch(() => undefined);
    }
  }

  /** Nobody looks at it any more; an answer that nothing else is made of goes with it. */
  close(path: string): void {
    this.forgetBase(path);
    const state = this.#states.get(path);
    if (state !== undefined) {
      if (this.siblings(path).length === 0) {
        this.#deps.sources.drop(state.document);
      }
      this.#states.delete(path);
    }
  }

  /** Documents that are made of the same answer, this one left out. */
  siblings(path: string): readonly string[] {
    const state = this.#states.get(path);
    return state === undefined
      ? []
      : [...this.#states.values()]
          .filter((other) => other !== state && isSibling(other, state))
          .map((other) => other.path);
  }
}

const isSibling = (a: DocumentState, b: DocumentState): boolean =>
  a.document.connectionId === b.document.connectionId && a.handler.sourceKey === b.handler.sourceKey;
