import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../../src/base/json.ts';
import { parseJsonc } from '../../../../src/json/text/parsedJson.ts';
import { parseJson } from '../../../../src/json/text/parseJson.ts';
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

const kind = { emptyValue: {}, apply: applyViewpointEdit, rebase: rebaseViewpointEdit };

/** A text that notifies its forms of changes, like an editor. */
class Text {
  text: string;
  isReadOnly = false;
  /** Text that the user types while the next edit is in progress. */
  meanwhile: string | undefined;
  readonly forms: Form[] = [];

  constructor(text: string) {
    this.text = text;
  }

  get json() {
    return parseJson(this.text);
  }

  type(text: string): void {
    this.text = text;
    for (const { sync } of this.forms) {
      sync.handleTextChange();
    }
  }

  /** Rejects edits of a text that has changed since they were requested, like the editor. */
  async apply(edits: readonly TextEdit[]): Promise<boolean> {
    const { text, meanwhile } = this;
    this.meanwhile = undefined;
    await Promise.resolve();
    if (meanwhile !== undefined) {
      this.type(meanwhile);
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

  constructor(document: Text) {
    this.sync = new FormSync(document, kind, (message) => this.#toPage.push(JSON.stringify(message)));
    document.forms.push(this);
    this.sync.start();
    this.arriveAtPage();
  }

  edit(edit: ViewpointEdit): void {
    this.#toHost.push(this.view.edit(edit));
  }

  arriveAtPage(): boolean {
    const message = this.#toPage.shift();
    if (message !== undefined) {
      this.view.receive(JSON.parse(message) as ToForm);
    }
    return message !== undefined;
  }

  async arriveAtHost(): Promise<boolean> {
    const message = this.#toHost.shift();
    if (message !== undefined) {
      await this.sync.applyEdit(message);
    }
    return message !== undefined;
  }

  async settle(): Promise<void> {
    while ((await this.arriveAtHost()) || this.arriveAtPage()) {
      // Until no message is in transit.
    }
  }

  get titles(): readonly string[] {
    return readViewpoint(this.view.value ?? null).columns.map(
      (column) => readColumn(column).texts.title.value,
    );
  }
}

const title = (column: number, value: string): ViewpointEdit => ({
  kind: 'columnText',
  columns: [column],
  key: 'title',
  value,
});
const decodeText = (...titles: readonly string[]): string =>
  JSON.stringify({ details: { columns: titles.map((value) => ({ title: value })) } }, undefined, 2);

test('typed text shows at once, and stays while the host is behind', async () => {
  const document = new Text(decodeText('a', 'b'));
  const form = new Form(document);
  form.edit(title(0, 'x'));
  form.edit(title(0, 'xy'));
  expect(form.titles).toEqual(['xy', 'b']);
  await form.arriveAtHost();
  form.arriveAtPage();
  expect(form.titles, 'the answer to the first does not undo the second').toEqual(['xy', 'b']);
  await form.settle();
  expect(document.text).toBe(decodeText('xy', 'b'));
});

test('two forms and a text of one document stay the same', async () => {
  const document = new Text(decodeText('a', 'b'));
  const [one, two] = [new Form(document), new Form(document)];
  one.edit(title(1, 'B'));
  await one.settle();
  await two.settle();
  expect(two.titles).toEqual(['a', 'B']);
  document.type(decodeText('a'));
  await one.settle();
  await two.settle();
  expect([one.titles, two.titles]).toEqual([['a'], ['a']]);
});

test("an edit that crosses a change of the text is applied at its column's new position", async () => {
  const document = new Text(decodeText('a', 'b'));
  const form = new Form(document);
  form.edit(title(1, 'b1'));
  form.edit(title(1, 'b12'));
  document.type(decodeText('new', 'a', 'b'));
  await form.settle();
  expect(document.text).toBe(decodeText('new', 'a', 'b12'));
  expect(form.titles).toEqual(['new', 'a', 'b12']);
});

test('an edit that the editor rejects, because the text changed meanwhile, is retried', async () => {
  const document = new Text(decodeText('a', 'b'));
  const form = new Form(document);
  form.edit(title(1, 'x'));
  document.meanwhile = decodeText('new', 'a', 'b');
  await form.settle();
  expect(document.text).toBe(decodeText('new', 'a', 'x'));
  expect(form.titles).toEqual(['new', 'a', 'x']);
});

test('an edit finds its column after several changes, of which the page knows the first', async () => {
  const document = new Text(decodeText('a', 'b'));
  const form = new Form(document);
  document.type(decodeText('new', 'a', 'b'));
  form.arriveAtPage();
  document.type(decodeText('newer', 'new', 'a', 'b'));
  form.edit(title(2, 'b1'));
  await form.settle();
  expect(document.text).toBe(decodeText('newer', 'new', 'a', 'b1'));
});

test('an edit of a removed column is dropped, and the form shows the current text', async () => {
  const document = new Text(decodeText('a', 'b', 'c'));
  const form = new Form(document);
  form.edit(title(1, 'x'));
  document.type(decodeText('a', 'c'));
  await form.settle();
  expect(document.text).toBe(decodeText('a', 'c'));
  expect(form.titles).toEqual(['a', 'c']);
});

test('for any change of the text, an edit finds its own column or is dropped', async () => {
  const titles = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { minLength: 1 });
  await fc.assert(
    fc.asyncProperty(titles, titles, fc.nat(4), async (before, after, column) => {
      const document = new Text(decodeText(...before));
      const form = new Form(document);
      form.edit({ kind: 'columnText', columns: [column], key: 'level', value: 'x' });
      document.type(decodeText(...after));
      await form.settle();
      const own = before[column];
      const hit = readViewpoint(parseJsonc(document.text).value ?? null)
        .columns.map(readColumn)
        .filter(({ texts }) => texts.level.value === 'x')
        .map(({ texts }) => texts.title.value);
      const isRenamed =
        before.length === after.length && before.filter((name, at) => name !== after[at]).length === 1;
      const isKnown = own !== undefined && after.includes(own);
      expect(hit).toEqual(
        isKnown ? [own] : own !== undefined && isRenamed && after[column] !== own ? [after[column]] : [],
      );
    }),
    { numRuns: getPropertyRuns(300) },
  );
});

describe('text that is not JSON', () => {
  test('keeps the last good form, accepts no edits, and recovers', async () => {
    const document = new Text(decodeText('a'));
    const form = new Form(document);
    document.type('{\n  "details": {');
    form.edit(title(0, 'x'));
    await form.settle();
    expect(form.view.error).toEqual({ line: 2, column: 15 });
    expect(document.text).toBe('{\n  "details": {');
    expect(form.titles).toEqual(['a']);
    document.type(decodeText('a2'));
    await form.settle();
    expect(form.view.error).toBeUndefined();
    expect(form.titles).toEqual(['a2']);
  });

  test('at the start is shown with an empty form', () => {
    const form = new Form(new Text('{'));
    form.arriveAtPage();
    expect(form.view.error).toBeDefined();
    expect(form.view.value).toEqual({});
  });
});

test('a read-only text accepts no edits, and the form reverts', async () => {
  const document = new Text(decodeText('a'));
  document.isReadOnly = true;
  const form = new Form(document);
  expect(form.view.isReadOnly).toBe(true);
  form.edit(title(0, 'x'));
  await form.settle();
  expect([document.text, form.titles]).toEqual([decodeText('a'), ['a']]);
});

describe('a change of the document by the host', () => {
  const upper = (value: JsonValue): JsonValue => applyViewpointEdit(value, title(0, 'A'));

  test('is retried for a text that changed meanwhile', async () => {
    const document = new Text(decodeText('a'));
    document.meanwhile = decodeText('a', 'b');
    expect(await editDocument(document, {}, upper)).toBe(true);
    expect(document.text).toBe(decodeText('A', 'b'));
  });

  test('is not made if the text is not JSON or is read-only', async () => {
    const document = new Text('{');
    expect(await editDocument(document, {}, upper)).toBe(false);
    document.text = decodeText('a');
    document.isReadOnly = true;
    expect(await editDocument(document, {}, upper)).toBe(false);
    expect(document.text).toBe(decodeText('a'));
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
        do: fc.constantFrom('atPage' as const, 'atHost' as const),
        form: fc.nat(1),
        column: fc.nat(0),
      }),
      fc.record({
        do: fc.constantFrom('type' as const, 'meanwhile' as const),
        text: fc.constantFrom(decodeText('p'), decodeText('p', 'q', 'r'), '{ "deta', '', 'null'),
      }),
    ),
    { maxLength: 20 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const document = new Text(decodeText('a', 'b', 'c'));
      const forms = [new Form(document), new Form(document)] as const;
      for (const step of list) {
        if ('text' in step) {
          if (step.do === 'type') {
            document.type(step.text);
          } else {
            document.meanwhile = step.text;
          }
          continue;
        }
        const form = forms[step.form === 0 ? 0 : 1];
        if (step.do === 'atPage') {
          form.arriveAtPage();
        } else if (step.do === 'atHost') {
          await form.arriveAtHost();
        } else {
          form.edit(
            step.do === 'edit'
              ? title(step.column, step.value)
              : step.do === 'remove'
                ? { kind: 'removeColumns', columns: [step.column] }
                : { kind: 'moveColumns', columns: [step.column], to: 0 },
          );
        }
      }
      for (const form of [...forms, ...forms]) {
        await form.settle();
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
