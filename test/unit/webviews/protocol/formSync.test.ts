import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { parseJsonc } from '../../../../src/json/text/parsedJson.ts';
import { parseJsonTree } from '../../../../src/json/text/parseJsonTree.ts';
import { applyEdits, type TextEdit } from '../../../../src/base/textEdit.ts';
import type { ToForm } from '../../../../src/webviews/protocol/documentForm.ts';
import { editDocument } from '../../../../src/webviews/protocol/editDocument.ts';
import { FormSync } from '../../../../src/webviews/protocol/formSync.ts';
import { OptimisticDocument } from '../../../../src/webviews/protocol/optimisticDocument.ts';
import { applyViewpointEdit } from '../../../../src/viewpoints/form/applyViewpointEdit.ts';
import { readColumn, readViewpoint } from '../../../../src/viewpoints/form/readViewpoint.ts';
import { rebaseViewpointEdit } from '../../../../src/viewpoints/form/rebaseEdit.ts';
import type { ViewpointEdit } from '../../../../src/viewpoints/form/viewpointEdit.ts';
import { getPropertyRuns } from '../../../support/soak.ts';

const adapter = { emptyValue: {}, apply: applyViewpointEdit, rebase: rebaseViewpointEdit };

/** A document that notifies its forms of changes, like one in an editor. */
class FakeDocument {
  text: string;
  isReadOnly = false;
  /** The text that the user types while the next edit is being applied. */
  typedDuringEdit: string | undefined;
  /** The failure of the editor at the next edit. */
  failure: Error | undefined;
  readonly forms: Form[] = [];

  constructor(text: string) {
    this.text = text;
  }

  get json() {
    return parseJsonTree(this.text);
  }

  type(text: string): void {
    this.text = text;
    for (const { sync } of this.forms) {
      sync.handleTextChange();
    }
  }

  /** Rejects edits of a text that has changed since they were requested, like the editor. */
  async apply(edits: readonly TextEdit[]): Promise<boolean> {
    const { text, typedDuringEdit, failure } = this;
    this.typedDuringEdit = undefined;
    this.failure = undefined;
    await setImmediate();
    if (failure !== undefined) {
      throw failure;
    }
    if (typedDuringEdit !== undefined) {
      this.type(typedDuringEdit);
    }
    if (this.isReadOnly || this.text !== text) {
      return false;
    }
    this.type(applyEdits(this.text, edits));
    return true;
  }
}

/** A page and its host, with messages in transit in both directions until a test delivers them. */
class Form {
  readonly view = new OptimisticDocument<ViewpointEdit>(applyViewpointEdit);
  readonly sync: FormSync<ViewpointEdit>;
  readonly #toPage: string[] = [];
  readonly #toHost: ReturnType<OptimisticDocument<ViewpointEdit>['edit']>[] = [];

  constructor(document: FakeDocument) {
    this.sync = new FormSync(document, adapter, (message) => this.#toPage.push(JSON.stringify(message)));
    document.forms.push(this);
    this.sync.start();
    this.deliverToPage();
  }

  edit(edit: ViewpointEdit): void {
    this.#toHost.push(this.view.edit(edit));
  }

  deliverToPage(): boolean {
    const message = this.#toPage.shift();
    if (message !== undefined) {
      this.view.receive(JSON.parse(message) as ToForm);
    }
    return message !== undefined;
  }

  async deliverToHost(): Promise<boolean> {
    const message = this.#toHost.shift();
    if (message !== undefined) {
      await this.sync.applyEdit(message);
    }
    return message !== undefined;
  }

  async deliverAll(): Promise<void> {
    while ((await this.deliverToHost()) || this.deliverToPage()) {
      // Until no message is in transit.
    }
  }

  get titles(): readonly string[] {
    return readViewpoint(this.view.value ?? null).columns.map(
      (column) => readColumn(column).texts.title.value,
    );
  }
}

const setTitle = (column: number, value: string): ViewpointEdit => ({
  kind: 'columnText',
  columns: [column],
  key: 'title',
  value,
});
const createText = (...titles: readonly string[]): string =>
  JSON.stringify({ details: { columns: titles.map((value) => ({ title: value })) } }, undefined, 2);

test('a typed title is displayed immediately, and stays while the host has not confirmed it', async () => {
  const document = new FakeDocument(createText('a', 'b'));
  const form = new Form(document);
  form.edit(setTitle(0, 'x'));
  form.edit(setTitle(0, 'xy'));
  expect(form.titles).toEqual(['xy', 'b']);
  await form.deliverToHost();
  form.deliverToPage();
  expect(form.titles, 'the confirmation of the first edit does not undo the second').toEqual(['xy', 'b']);
  await form.deliverAll();
  expect(document.text).toBe(createText('xy', 'b'));
});

test('two forms of one document show the same as its text', async () => {
  const document = new FakeDocument(createText('a', 'b'));
  const [firstForm, secondForm] = [new Form(document), new Form(document)];
  firstForm.edit(setTitle(1, 'B'));
  await firstForm.deliverAll();
  await secondForm.deliverAll();
  expect(secondForm.titles).toEqual(['a', 'B']);
  document.type(createText('a'));
  await firstForm.deliverAll();
  await secondForm.deliverAll();
  expect([firstForm.titles, secondForm.titles]).toEqual([['a'], ['a']]);
});

test("an edit that crosses a change of the text is applied at its column's new position", async () => {
  const document = new FakeDocument(createText('a', 'b'));
  const form = new Form(document);
  form.edit(setTitle(1, 'b1'));
  form.edit(setTitle(1, 'b12'));
  document.type(createText('new', 'a', 'b'));
  await form.deliverAll();
  expect(document.text).toBe(createText('new', 'a', 'b12'));
  expect(form.titles).toEqual(['new', 'a', 'b12']);
});

test('an edit that the editor rejects, because the text changed meanwhile, is retried', async () => {
  const document = new FakeDocument(createText('a', 'b'));
  const form = new Form(document);
  form.edit(setTitle(1, 'x'));
  document.typedDuringEdit = createText('new', 'a', 'b');
  await form.deliverAll();
  expect(document.text).toBe(createText('new', 'a', 'x'));
  expect(form.titles).toEqual(['new', 'a', 'x']);
});

test('an edit at which the editor fails is dropped, and later ones are applied', async () => {
  const document = new FakeDocument(createText('a', 'b'));
  const form = new Form(document);
  document.failure = new Error('The document is closed');
  form.edit(setTitle(0, 'x'));
  await expect(form.deliverToHost()).rejects.toThrow('The document is closed');
  form.deliverToPage();
  expect(form.titles).toEqual(['a', 'b']);
  form.edit(setTitle(1, 'y'));
  await form.deliverAll();
  expect(document.text).toBe(createText('a', 'y'));
  expect(form.titles).toEqual(['a', 'y']);
});

test('an edit finds its column after several changes, of which the page knows the first', async () => {
  const document = new FakeDocument(createText('a', 'b'));
  const form = new Form(document);
  document.type(createText('new', 'a', 'b'));
  form.deliverToPage();
  document.type(createText('newer', 'new', 'a', 'b'));
  form.edit(setTitle(2, 'b1'));
  await form.deliverAll();
  expect(document.text).toBe(createText('newer', 'new', 'a', 'b1'));
});

test('an edit of a removed column is dropped, and the form shows the current text', async () => {
  const document = new FakeDocument(createText('a', 'b', 'c'));
  const form = new Form(document);
  form.edit(setTitle(1, 'x'));
  document.type(createText('a', 'c'));
  await form.deliverAll();
  expect(document.text).toBe(createText('a', 'c'));
  expect(form.titles).toEqual(['a', 'c']);
});

test('for any change of the text, an edit finds its own column or is dropped', async () => {
  const titles = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(titles, titles, fc.nat(4), async (before, after, column) => {
      const document = new FakeDocument(createText(...before));
      const form = new Form(document);
      form.edit({ kind: 'columnText', columns: [column], key: 'level', value: 'x' });
      document.type(createText(...after));
      await form.deliverAll();
      const originalTitle = before[column];
      const changedTitles = readViewpoint(parseJsonc(document.text).value ?? null)
        .columns.map(readColumn)
        .filter(({ texts }) => texts.level.value === 'x')
        .map(({ texts }) => texts.title.value);
      const isRenamed =
        before.length === after.length && before.filter((name, index) => name !== after[index]).length === 1;
      const isKnown = originalTitle !== undefined && after.includes(originalTitle);
      expect(changedTitles).toEqual(
        isKnown
          ? [originalTitle]
          : originalTitle !== undefined && isRenamed && after[column] !== originalTitle
            ? [after[column]]
            : [],
      );
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

describe('text that is not JSON', () => {
  test('keeps the last valid form, accepts no edits, and recovers', async () => {
    const document = new FakeDocument(createText('a'));
    const form = new Form(document);
    document.type('{\n  "details": {');
    form.edit(setTitle(0, 'x'));
    await form.deliverAll();
    expect(form.view.error).toEqual({ line: 2, column: 15 });
    expect(document.text).toBe('{\n  "details": {');
    expect(form.titles).toEqual(['a']);
    document.type(createText('a2'));
    await form.deliverAll();
    expect(form.view.error).toBeUndefined();
    expect(form.titles).toEqual(['a2']);
  });

  test('at the start has no form until it is valid: an empty one would be mistaken for the document', async () => {
    const document = new FakeDocument('{');
    const form = new Form(document);
    form.deliverToPage();
    expect(form.view.error).toEqual({ line: 1, column: 2 });
    expect(form.view.value).toBeUndefined();
    document.type(createText('a'));
    await form.deliverAll();
    expect(form.view.error).toBeUndefined();
    expect(form.titles).toEqual(['a']);
    document.type('{');
    await form.deliverAll();
    expect(form.titles).toEqual(['a']);
  });
});

test('a read-only text accepts no edits, and the form reverts', async () => {
  const document = new FakeDocument(createText('a'));
  document.isReadOnly = true;
  const form = new Form(document);
  expect(form.view.isReadOnly).toBe(true);
  form.edit(setTitle(0, 'x'));
  await form.deliverAll();
  expect([document.text, form.titles]).toEqual([createText('a'), ['a']]);
});

describe('a change of the document by the host', () => {
  const capitalizeTitle = (value: JsonValue): JsonValue => applyViewpointEdit(value, setTitle(0, 'A'));

  test('is retried for a text that changed meanwhile', async () => {
    const document = new FakeDocument(createText('a'));
    document.typedDuringEdit = createText('a', 'b');
    expect(await editDocument(document, {}, capitalizeTitle)).toBe(true);
    expect(document.text).toBe(createText('A', 'b'));
  });

  test('is not made if the text is not JSON or is read-only', async () => {
    const document = new FakeDocument('{');
    expect(await editDocument(document, {}, capitalizeTitle)).toBe(false);
    document.text = createText('a');
    document.isReadOnly = true;
    expect(await editDocument(document, {}, capitalizeTitle)).toBe(false);
    expect(document.text).toBe(createText('a'));
  });
});

test('in any order of messages, page and text end up the same', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({
        do: fc.constant('edit' as const),
        form: fc.nat(1),
        column: fc.nat(3),
        value: fc.string({ maxLength: 3 }),
      }),
      fc.record({ do: fc.constant('remove' as const), form: fc.nat(1), column: fc.nat(3) }),
      fc.record({ do: fc.constant('move' as const), form: fc.nat(1), column: fc.nat(3) }),
      fc.record({
        do: fc.constantFrom('deliverToPage' as const, 'deliverToHost' as const),
        form: fc.nat(1),
        column: fc.nat(0),
      }),
      fc.record({
        do: fc.constantFrom('type' as const, 'typeDuringEdit' as const),
        text: fc.constantFrom(createText('p'), createText('p', 'q', 'r'), '{ "deta', '', 'null'),
      }),
    ),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const document = new FakeDocument(createText('a', 'b', 'c'));
      const forms = [new Form(document), new Form(document)] as const;
      for (const step of list) {
        if ('text' in step) {
          if (step.do === 'type') {
            document.type(step.text);
          } else {
            document.typedDuringEdit = step.text;
          }
          continue;
        }
        const form = forms[step.form === 0 ? 0 : 1];
        if (step.do === 'deliverToPage') {
          form.deliverToPage();
        } else if (step.do === 'deliverToHost') {
          await form.deliverToHost();
        } else {
          form.edit(
            step.do === 'edit'
              ? setTitle(step.column, step.value)
              : step.do === 'remove'
                ? { kind: 'removeColumns', columns: [step.column] }
                : { kind: 'moveColumns', columns: [step.column], insertIndex: 0 },
          );
        }
      }
      for (const form of [...forms, ...forms]) {
        await form.deliverAll();
      }
      const { error, value } = parseJsonc(document.text);
      for (const { view } of forms) {
        expect(view.error === undefined).toBe(error === undefined);
        if (error === undefined) {
          expect(view.value).toEqual(value ?? ({} satisfies JsonValue));
        }
      }
    }),
    { numRuns: getPropertyRuns(300) },
  );
});
