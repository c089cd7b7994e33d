import type { Clock } from '../base/clock.ts';
import { readDocumentPath } from './documentAddress.ts';
import type { DocumentStat, DocumentState, ShownVersion } from './documentState.ts';
import { handlerOf } from './kinds/kinds.ts';
import { DocumentRefusal } from './refusals.ts';
import { type SourceSessions, Sources } from './sources.ts';
import { Version } from './version.ts';

/** Asking and reading follow each other at once when a document is opened: they share a request. */
const openingMs = 1000;

/** What the documents need of the editor that shows them. */
export interface DocumentEditor {
  /** Whether the document is open with changes that are not saved. */
  isDirty(path: string): boolean;
}

export interface RemoteDocumentsDeps {
  readonly sessions: SourceSessions;
  readonly clock: Clock;
  readonly editor: DocumentEditor;
}

/**
 * The documents of all connections as files: what they hold, how long they are and when they changed. A document
 * changes when it says something else, not when it is spelled otherwise: the bytes that a person saved stay its content
 * as long as the server says the same (design.md, section 8).
 */
export class RemoteDocuments {
  readonly #deps: RemoteDocumentsDeps;
  readonly #sources: Sources;
  readonly #states = new Map<string, DocumentState>();

  constructor(deps: RemoteDocumentsDeps) {
    this.#deps = deps;
    this.#sources = new Sources(deps.sessions, deps.clock);
  }

  /**
   * Time and size, true ones: the editor asks before it reads and before it writes.
   * @throws DocumentRefusal `not-opened` for a path that is no document, `gone` when the server does not have it
   * @throws ApiError
   */
  async stat(path: string): Promise<DocumentStat> {
    const state = this.#state(path);
    const { version, mtime } =
      state.isSettling && state.current !== undefined ? state.current : await this.#look(state, openingMs);
    const { editor } = state;
    if (editor !== undefined && editor.mtime < mtime && editor.size !== version.bytes.length) {
      state.asked = version.hash;
    }
    return { mtime, size: version.bytes.length, isReadOnly: state.handler.isReadOnly };
  }

  /** The content. */
  async read(path: string): Promise<Uint8Array> {
    const state = this.#state(path);
    const shown = await this.#look(state, openingMs);
    state.lastRead = shown;
    // A look at the file while its editor holds changes (a comparison) does not change what those were made from.
    if (state.base === undefined || !this.#deps.editor.isDirty(path)) {
      this.#rebase(state, shown);
    }
    return shown.version.bytes;
  }

  /** The editor shows the content without changes again, after an undo or because they were given up. */
  cleaned(path: string, text: string): void {
    const state = this.#states.get(path);
    if (state?.lastRead !== undefined && sameText(state.lastRead.version.text, text)) {
      this.#rebase(state, state.lastRead);
    }
  }

  /** The server may hold something else by now. */
  changed(path: string): void {
    const document = readDocumentPath(path);
    if (document !== undefined) {
      this.#sources.forget(document);
    }
  }

  /** Nobody looks at the document any more. */
  closed(path: string): void {
    this.#states.delete(path);
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

  #rebase(state: DocumentState, { version, mtime }: ShownVersion): void {
    state.base = version;
    state.editor = { mtime, size: version.bytes.length };
    delete state.asked;
    delete state.overwritable;
  }

  #state(path: string): DocumentState {
    const known = this.#states.get(path);
    if (known !== undefined) {
      return known;
    }
    const document = readDocumentPath(path);
    if (document === undefined) {
      throw new DocumentRefusal('not-opened');
    }
    const state = { path, document, handler: handlerOf(document.resource), isSettling: false };
    this.#states.set(path, state);
    return state;
  }

  /** What the server holds, at most so old. */
  async #look(state: DocumentState, maxAgeMs: number): Promise<ShownVersion> {
    const source = await this.#sources.get(state.document, maxAgeMs);
    if (state.current !== undefined && state.source === source) {
      return state.current;
    }
    const value = source.value === undefined ? undefined : state.handler.show(source.value);
    if (value === undefined) {
      delete state.source;
      throw new DocumentRefusal('gone');
    }
    state.source = source;
    state.current = this.#newer(state.current, Version.of(value, state.handler.isServers));
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
}

const isSibling = (a: DocumentState, b: DocumentState): boolean =>
  a.document.connectionId === b.document.connectionId && a.handler.sourceKey === b.handler.sourceKey;

const sameText = (a: string, b: string): boolean => a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n');
