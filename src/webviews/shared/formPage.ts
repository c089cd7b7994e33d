import { type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { JsonValue } from '../../base/json.ts';
import type {
  FormSyntaxError,
  FormDatamodelState,
  FormNames,
  FormProblem,
  FromForm,
  ToForm,
} from '../protocol/documentForm.ts';
import { OptimisticDocument } from '../protocol/optimisticDocument.ts';
import { deferUndoAndSaveShortcuts } from './deferredKeys.ts';
import { connectHost } from './host.ts';

/** The state of a form page (the displayed document and related data), and the actions of its user. */
export interface FormPage<Edit, Question> {
  /** `undefined` until the host has sent it. */
  readonly document: ReadonlySignal<JsonValue | undefined>;
  readonly error: ReadonlySignal<FormSyntaxError | undefined>;
  /** True if nothing can be edited: the document is read-only, or its text is currently not valid JSON. */
  readonly isLocked: ReadonlySignal<boolean>;
  readonly isReadOnly: ReadonlySignal<boolean>;
  /** True if the file of the document was deleted. */
  readonly isDeleted: ReadonlySignal<boolean>;
  readonly problems: ReadonlySignal<readonly FormProblem[]>;
  readonly datamodel: ReadonlySignal<FormDatamodelState>;
  readonly names: ReadonlySignal<FormNames>;
  /** The known values of columns, by {@link getFormColumnKey}. */
  readonly values: ReadonlySignal<ReadonlyMap<string, readonly string[]>>;
  edit(edit: Edit): void;
  askHost(question: Question): void;
  showText(path?: readonly (string | number)[]): void;
  reloadDatamodel(): void;
  /** Returns the value last stored with `setPersisted`; it survives while the page is hidden or reloaded. */
  getPersisted(name: string): unknown;
  setPersisted(name: string, value: unknown): void;
}

/** Returns the key of a column in {@link FormPage.values}. */
export const getFormColumnKey = ({
  table,
  column,
}: {
  readonly table: string;
  readonly column: string;
}): string => JSON.stringify([table, column]);

/** Connects the page and requests its document. */
export function createFormPage<Edit, Question>(
  apply: (value: JsonValue, edit: Edit) => JsonValue,
): FormPage<Edit, Question> {
  const host = connectHost<ToForm, FromForm<Edit, Question>>();
  const optimisticDocument = new OptimisticDocument(apply);
  const document = signal<JsonValue | undefined>(undefined);
  const error = signal<FormSyntaxError | undefined>(undefined);
  const isReadOnly = signal(false);
  const isLocked = signal(false);
  const isDeleted = signal(false);
  const problems: Signal<readonly FormProblem[]> = signal([]);
  const datamodel = signal<FormDatamodelState>({ state: 'none', title: '' });
  const names = signal<FormNames>({});
  const values = signal<ReadonlyMap<string, readonly string[]>>(new Map());
  const showDocument = (): void => {
    document.value = optimisticDocument.value;
    error.value = optimisticDocument.error;
    isReadOnly.value = optimisticDocument.isReadOnly;
    isLocked.value = optimisticDocument.isReadOnly || optimisticDocument.error !== undefined;
  };
  const deferredKeys = deferUndoAndSaveShortcuts(optimisticDocument);
  host.onMessage((message) => {
    if (optimisticDocument.receive(message)) {
      showDocument();
      deferredKeys.release();
    } else if (message.type === 'file') {
      isDeleted.value = message.isDeleted;
    } else if (message.type === 'problems') {
      problems.value = message.problems;
    } else if (message.type === 'model') {
      datamodel.value = message.model;
    } else if (message.type === 'names') {
      names.value = message.names;
    } else if (message.type === 'values') {
      values.value = new Map([
        ...values.value,
        ...message.columns.map((column) => [getFormColumnKey(column), column.values] as const),
      ]);
    }
  });
  host.post({ type: 'ready' });
  const readPersisted = (): Readonly<Record<string, unknown>> => {
    const state = host.getState();
    return typeof state === 'object' && state !== null ? { ...state } : {};
  };
  return {
    document,
    error,
    isLocked,
    isReadOnly,
    isDeleted,
    problems,
    datamodel,
    names,
    values,
    edit(edit) {
      if (!isLocked.value) {
        host.post(optimisticDocument.edit(edit));
        showDocument();
      }
    },
    askHost: (question) => host.post({ type: 'ask', epoch: optimisticDocument.epoch, question }),
    showText: (path) => host.post(path === undefined ? { type: 'showText' } : { type: 'showText', path }),
    reloadDatamodel: () => host.post({ type: 'reloadModel' }),
    getPersisted: (name) => readPersisted()[name],
    setPersisted: (name, value) => host.setState({ ...readPersisted(), [name]: value }),
  };
}
